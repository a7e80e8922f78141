/** Shape of the queries of a kind of monitor: source and steps. */
export interface QueryShape {
  /** Whose query it is: `a log monitor`. */
  readonly monitorNoun: string;
  /** Names of the source that are right, the usual one first. */
  readonly sources: readonly string[];
  /** Steps in their usual order. */
  readonly steps: readonly string[];
  /** Steps without which a query is surely refused. */
  readonly needed: readonly string[];
  /** Whether steps may stand in any order. */
  readonly isUnordered?: true;
  readonly operators?: readonly string[];
  /** Where double quotes are the rule, single ones are doubtful, or refused around the search. */
  readonly singleQuotes: 'fine' | 'doubtful' | 'wrong';
}

/** A source of the event family (docs/contract/monitor-queries.md#events). */
export interface EventShape extends QueryShape {
  /** Which indexes it has: any, none, names of its own of which one is needed, or none that is known. */
  readonly indexes: 'any' | 'none' | 'unknown' | readonly string[];
  /** Indexes that are sure to be refused, where others may be taken. */
  readonly refusedIndexes?: readonly string[];
  readonly refusedRollups?: readonly string[];
  /** Whether several groups are best written in one text: `.by("a,b")`. */
  readonly isOneGroupText?: true;
  /** Verdict for a window over the limit: the limit is documented for all, its enforcement is not. */
  readonly overLong: 'wrong' | 'doubtful';
  /** Legacy form with incomplete documentation: its steps are at most doubtful. */
  readonly isLenient?: true;
  /** Whether its query may be a formula over variables. */
  readonly takesFormulas?: true;
  /** Words that its groups and measures often are. */
  readonly keys: readonly string[];
  readonly measures: readonly string[];
  /** Words that its groups must hold. */
  readonly neededKeys?: readonly string[];
}

const usual = {
  steps: ['index', 'rollup', 'by', 'last', 'current'],
  needed: ['rollup', 'last'],
  singleQuotes: 'doubtful',
  overLong: 'wrong',
} as const;

const events = {
  ...usual,
  monitorNoun: 'an event monitor',
  sources: ['events'],
  indexes: 'unknown',
  keys: ['host', 'service', 'source'],
  measures: ['service', 'host'],
} as const satisfies EventShape;

/** Form from before `event-v2 alert`: single quotes, steps in any order. */
const olderEvents: EventShape = {
  ...events,
  singleQuotes: 'fine',
  overLong: 'doubtful',
  needed: [],
  isUnordered: true,
  isLenient: true,
};

/** The event family, by wire type. */
export const eventShapes: Readonly<Record<string, EventShape>> = {
  'event alert': olderEvents,
  'event-v2 alert': events,
  'log alert': {
    ...usual,
    monitorNoun: 'a log monitor',
    takesFormulas: true,
    sources: ['logs'],
    indexes: 'any',
    singleQuotes: 'wrong',
    isOneGroupText: true,
    keys: ['service', 'status', 'source', 'host'],
    measures: ['@duration', '@usr.id'],
  },
  'trace-analytics alert': {
    ...usual,
    monitorNoun: 'a trace-analytics monitor',
    sources: ['trace-analytics'],
    indexes: 'unknown',
    refusedIndexes: ['main'],
    refusedRollups: ['median'],
    keys: ['env', 'service', 'resource_name'],
    measures: ['@duration', '@usr.id'],
  },
  'rum alert': {
    ...usual,
    monitorNoun: 'a rum monitor',
    takesFormulas: true,
    sources: ['rum'],
    indexes: 'any',
    overLong: 'doubtful',
    keys: ['service', 'env', '@type'],
    measures: ['@session.id', '@view.loading_time'],
  },
  'audit alert': {
    ...usual,
    monitorNoun: 'an audit monitor',
    takesFormulas: true,
    sources: ['audits'],
    indexes: 'none',
    keys: ['@usr.email', '@evt.name'],
    measures: ['@usr.id'],
  },
  'ci-pipelines alert': {
    ...usual,
    monitorNoun: 'a ci-pipelines monitor',
    takesFormulas: true,
    sources: ['ci-pipelines'],
    indexes: 'unknown',
    keys: ['@ci.pipeline.name', '@git.branch', '@ci.status'],
    measures: ['@duration', '@ci.pipeline.name'],
  },
  'ci-tests alert': {
    ...usual,
    monitorNoun: 'a ci-tests monitor',
    takesFormulas: true,
    sources: ['ci-tests'],
    indexes: 'unknown',
    keys: ['@test.name', '@test.status', '@git.branch'],
    measures: ['@duration', '@test.name'],
  },
  'database-monitoring alert': {
    ...usual,
    monitorNoun: 'a database-monitoring monitor',
    sources: ['database-monitoring'],
    indexes: 'none',
    overLong: 'doubtful',
    keys: ['host', 'service'],
    measures: ['@duration', '@query_signature'],
  },
  'network-performance alert': {
    ...usual,
    monitorNoun: 'a network-performance monitor',
    sources: ['network-performance'],
    indexes: 'none',
    keys: ['service', 'host'],
    measures: ['bytes_sent', 'host'],
  },
  'network-path alert': {
    ...usual,
    monitorNoun: 'a network-path monitor',
    sources: ['network-path'],
    indexes: ['netpath-path', 'netpath-hop'],
    keys: ['source', 'destination'],
    measures: ['hop_latency', 'destination'],
  },
  'llm-observability alert': {
    ...usual,
    monitorNoun: 'an llm-observability monitor',
    sources: ['llm-observability'],
    indexes: 'unknown',
    singleQuotes: 'wrong',
    keys: ['ml_app'],
    measures: ['@duration'],
  },
};

/** The shape of a wire type; events are also found in metric monitors, from before they had a type of their own. */
export const findEventShape = (type: string): EventShape => eventShapes[type] ?? olderEvents;

/** Error tracking (docs/contract/monitor-queries.md#error-tracking). */
export const errorShape: EventShape = {
  ...usual,
  monitorNoun: 'an error-tracking monitor',
  sources: ['error-tracking', 'error-tracking-rum', 'error-tracking-logs', 'error-tracking-traces'],
  steps: ['index', 'source', 'new', 'impact', 'rollup', 'by', 'last', 'current'],
  needed: ['last'],
  indexes: 'unknown',
  keys: ['service', 'env'],
  neededKeys: ['@issue.id'],
  measures: ['@session.id', '@usr.id'],
};

/** Where errors come from (docs/contract/monitor-queries.md#error-tracking). */
export const errorSources: readonly string[] = ['all', 'browser', 'mobile', 'backend'];

/** Live processes (docs/contract/monitor-queries.md#processes). */
export const processShape: QueryShape = {
  monitorNoun: 'a process monitor',
  sources: ['processes'],
  steps: ['over', 'by', 'rollup', 'last'],
  needed: ['last'],
  singleQuotes: 'fine',
};

/** SLOs, by source (docs/contract/monitor-queries.md#slo). */
export const objectiveShapes = {
  error_budget: {
    monitorNoun: 'an error budget',
    sources: ['error_budget', 'burn_rate'],
    steps: ['over'],
    needed: ['over'],
    operators: ['>=', '>'],
    singleQuotes: 'fine',
  },
  burn_rate: {
    monitorNoun: 'a burn rate',
    sources: ['error_budget', 'burn_rate'],
    steps: ['over', 'long_window', 'short_window'],
    needed: ['over'],
    operators: ['>=', '>'],
    singleQuotes: 'fine',
  },
} as const satisfies Readonly<Record<string, QueryShape>>;

/** The wire type of the monitors that surely read a source. */
export const typeOfSource: ReadonlyMap<string, string> = new Map([
  ...Object.entries(eventShapes).flatMap(([type, { sources }]) =>
    sources.slice(0, 1).map((source) => [source, type] as const),
  ),
  ['error-tracking', 'error-tracking alert'],
  ['processes', 'process alert'],
  ['error_budget', 'slo alert'],
  ['burn_rate', 'slo alert'],
]);
