import type { Definition } from './definition.ts';

/** Kinds that take the same options are one family (docs/contract/monitor-queries.md#options). */
type Family = 'metric' | 'event' | 'check' | 'process' | 'slo' | 'composite' | 'cost' | 'synthetic' | 'unknown';

/** What a new monitor of a kind begins with: valid as it stands. */
export interface Template {
  readonly query: string;
  readonly options?: Definition;
}

/** What a template is made with. */
export interface TemplateContext {
  /** Id of an SLO that is known here. */
  readonly objective: string;
  /** The deployment's name of the check that tells whether a host reports. */
  readonly hostCheck: string;
}

/** A kind of monitor in the words of the specification (docs/contract/monitor-queries.md#types). */
export interface MonitorKind {
  readonly id: string;
  readonly title: string;
  /** What it watches, for the list in which it is chosen: at most 41 letters have room there at 80 columns. */
  readonly watches: string;
  /** `type` on the wire. */
  readonly type: string;
  readonly family: Family;
  /** Whether the query is a formula over `options.variables`. */
  readonly formula?: true;
  /** Whether the form is the whole definition in JSON, which is sent as it is typed. */
  readonly whole?: true;
  template(given: TemplateContext): Template;
}

const families: Readonly<Record<string, Family>> = {
  'query alert': 'metric',
  'metric alert': 'metric',
  'service check': 'check',
  'process alert': 'process',
  'slo alert': 'slo',
  composite: 'composite',
  'cost alert': 'cost',
  'synthetics alert': 'synthetic',
};

const events: readonly string[] = [
  'log alert',
  'event-v2 alert',
  'event alert',
  'trace-analytics alert',
  'rum alert',
  'audit alert',
  'ci-pipelines alert',
  'ci-tests alert',
  'error-tracking alert',
  'database-monitoring alert',
  'network-performance alert',
  'network-path alert',
];

/** The family of a `type`; `unknown` for any other. */
const familyOf = (type: string): Family => families[type] ?? (events.includes(type) ? 'event' : 'unknown');

/** The kind of a stored monitor, with an empty template. */
export function storedKind(type: string, query: string): MonitorKind {
  const family = familyOf(type);
  const formula = family === 'cost' || /^\s*formula\s*\(/.test(query);
  return {
    id: /\banomalies\s*\(/.test(query) ? 'anomaly' : /\boutliers\s*\(/.test(query) ? 'outlier' : type,
    title: type,
    watches: '',
    type,
    family,
    ...(formula ? { formula } : {}),
    template: () => ({ query: '' }),
  };
}
