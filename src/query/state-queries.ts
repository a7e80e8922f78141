import {
  type Chain,
  type ChainArgument,
  type ChainStep,
  chainDiagnostics,
  chainOutline,
  findStep,
  flawDiagnostics,
  groupingStepKeys,
  readChain,
} from './chain.ts';
import {
  type Diagnostic,
  day,
  doubtful,
  hour,
  type JoinedParts,
  type Language,
  type Numeral,
  orList,
  type QuerySpan,
  type Quoted,
  type Tree,
  toMinutes,
  type Word,
  wrong,
} from './language.ts';
import { parse as parseChain } from './made/chain.js';
import { parse as parseComposite } from './made/composite.js';
import { checkOffers, compositeOffers, objectiveOffers } from './offers.ts';
import { objectiveShapes } from './query-shapes.ts';

/** `"tcp.can_connect".over("*").by("host","port").last(5).count_by_status()` (docs/contract/monitor-queries.md#service-check). */
export interface ServiceCheck extends Tree {
  readonly kind: 'service check';
  /** The name of the check. */
  readonly check: Quoted;
  readonly steps: readonly ChainStep[];
  readonly groups: readonly Word[];
  /** How many results it looks at, as written in `.last(…)`. */
  readonly count: (Numeral & Quoted) | undefined;
  /** Thresholds are shares of a cluster, not results in a row: `.pct_by_status()`. */
  readonly isShare: boolean;
}

/** What a service check ends with. */
const statuses: readonly string[] = ['count_by_status', 'pct_by_status'];

/** The steps of a service check, in their order; `by` may stand behind `last` (docs/contract/monitor-queries.md#service-check). */
const serviceCheckSteps: readonly string[] = ['over', 'exclude', 'by', 'last', ...statuses];

/** Most results that a check may look at (docs/contract/monitor-queries.md#service-check). */
const mostResults = 100;

/** Service checks of hosts, processes, networks and integrations, and custom ones. */
export const serviceCheck: Language<ServiceCheck> = {
  parse(text) {
    const tree = parseChain(text, { startRule: 'queryOfCheck' }) as Pick<
      ServiceCheck,
      'check' | 'steps' | 'start' | 'end'
    >;
    return {
      ...tree,
      kind: 'service check',
      groups: groupingStepKeys(findStep(tree, 'by')),
      count: countOf(findStep(tree, 'last')),
      isShare: findStep(tree, 'pct_by_status') !== undefined,
    };
  },
  rules: (tree) => [
    ...nameDiagnostics(tree.check),
    ...quoteDiagnostics(tree),
    ...tree.steps.flatMap((step, at) => [...stepDiagnostics(step, tree.steps.slice(0, at))]),
    ...countDiagnostics(tree),
    ...groupDiagnostics(tree),
    ...endDiagnostics(tree),
  ],
  outline: () => ({
    languageNoun: 'a service check',
    beginning: 'its name in quotes',
    example: '"host.up".over("*").by("host").last(3).count_by_status()',
  }),
  offers: () => checkOffers,
};

function countOf(last: ChainStep | undefined): ServiceCheck['count'] {
  const [count] = last?.list ?? [];
  return count && { ...count, value: /^\s*\d+\s*$/.test(count.text) ? Number(count.text) : Number.NaN };
}

function nameDiagnostics(check: Quoted): Diagnostic[] {
  if (check.text.trim() === '') return [wrong(check, 'the check has no name', 'such as "tcp.can_connect"')];
  return check.quote === '' ? [wrong(check, `the name ${check.text} is not in quotes`, `write "${check.text}"`)] : [];
}

/** Reports only the first text in single quotes. */
function quoteDiagnostics({ check, steps: all }: ServiceCheck): Diagnostic[] {
  const single = [check, ...all.flatMap((quoted) => quoted.list)].find((step) => step.quote === "'");
  return single ? [doubtful(single, 'single quotes are the old spelling', 'write double quotes')] : [];
}

function* stepDiagnostics(step: ChainStep, before: readonly ChainStep[]): Iterable<Diagnostic> {
  const { name, list } = step;
  if (!serviceCheckSteps.includes(name.text))
    yield doubtful(name, `${name.text} is not a known step of a service check`, `write ${orList(serviceCheckSteps)}`);
  else if (before.some((other) => other.name.text === name.text))
    yield doubtful(name, `${name.text} is repeated`, 'remove one of them');
  else if (statuses.includes(name.text)) {
    if (list[0]) yield doubtful(list[0], `${name.text} takes no argument`);
  } else if (name.text !== 'last') {
    yield* list.flatMap(flawDiagnostics);
    // `over` must not be blank, and a group is required (docs/contract/monitor-queries.md#service-check).
    const say = name.text === 'exclude' ? doubtful : wrong;
    const tags = name.text === 'by' ? 'a key, such as .by("host")' : `a tag, such as .${name.text}("*")`;
    if (list.every((argument) => argument.text.trim() === ''))
      yield say(step, `${name.text} is blank`, `write ${tags}`);
  }
}

/** `count` is at most 100 (docs/contract/monitor-queries.md#service-check). */
function countDiagnostics({ check, steps: all, count }: ServiceCheck): Diagnostic[] {
  const last = findStep({ steps: all }, 'last');
  if (!last) return [doubtful(check, 'the number of results is missing', 'such as .last(2)')];
  if (!count) return [wrong(last, 'last is blank', 'such as .last(2)')];
  if (Number.isNaN(count.value) || count.value < 1)
    return [wrong(count, `${count.text} is not a number of results`, `write a whole number from 1 to ${mostResults}`)];
  if (count.value > mostResults)
    return [
      wrong(
        count,
        `last(${count.text}) is over the limit of ${mostResults} results`,
        `write last(${mostResults}) or less`,
      ),
    ];
  return count.quote === '' ? [] : [doubtful(count, 'the count is in quotes', `write .last(${count.text})`)];
}

/** Checks that bring a grouping of their own (docs/contract/monitor-queries.md#service-check). */
const grouped = /^(?:host\.up|ntp\.in_sync|process\.up|\w+\.can_connect)$/;

/** Some deployments refuse a custom check without a grouping, others take it (docs/contract/monitor-queries.md#service-check). */
function groupDiagnostics({ check, steps: all }: ServiceCheck): Diagnostic[] {
  if (findStep({ steps: all }, 'by') || grouped.test(check.text)) return [];
  return [doubtful(check, 'some deployments refuse a custom check without a grouping', 'such as .by("host")')];
}

function* endDiagnostics({ steps: all, comparison, check }: ServiceCheck): Iterable<Diagnostic> {
  const statusIndex = all.findIndex((step) => statuses.includes(step.name.text));
  const last = all.at(-1);
  const ways = orList(statuses.map((status) => `.${status}()`));
  if (statusIndex < 0) yield wrong(last ?? check, 'what to count is missing', `end it with ${ways}`);
  else if (last && statusIndex < all.length - 1)
    yield doubtful(last.name, `${last.name.text} usually comes before ${all[statusIndex]?.name.text}`);
  if (comparison)
    yield doubtful(comparison, 'a service check has its thresholds in the options', 'remove the comparison');
}

/** A part of a boolean over ids. */
type CompositePart =
  | ({ readonly kind: 'member'; readonly text: string } & QuerySpan)
  | ({ readonly kind: 'not' | 'group'; readonly body: CompositePart } & QuerySpan)
  | JoinedParts<CompositePart>;

/** `101 && !102` (docs/contract/monitor-queries.md#composite). */
export interface Composite extends Tree {
  readonly kind: 'composite';
  readonly body: CompositePart;
}

/** Most members that a composite may have (docs/contract/monitor-queries.md#composite). */
const maxMembers = 10;

/** Ids of the members in the order of the text, each as often as it stands there. */
export function compositeMembers(part: CompositePart): Extract<CompositePart, { kind: 'member' }>[] {
  switch (part.kind) {
    case 'member':
      return [part];
    case 'joined':
      return [part.head, ...part.tail.map((joined) => joined.right)].flatMap(compositeMembers);
    default:
      return compositeMembers(part.body);
  }
}

function joints(part: CompositePart): Word[] {
  if (part.kind === 'member') return [];
  if (part.kind !== 'joined') return joints(part.body);
  return [...joints(part.head), ...part.tail.flatMap((joined) => [joined.joint, ...joints(joined.right)])];
}

function* rules({ body }: Composite): Iterable<Diagnostic> {
  const members = compositeMembers(body);
  const over = members.filter((member, at) => members.findIndex((one) => one.text === member.text) === at)[maxMembers];
  for (const joint of joints(body)) {
    const write = `write ${/^[|o]/i.test(joint.text) ? '||' : '&&'}`;
    if (joint.text !== '&&' && joint.text !== '||')
      yield wrong(joint, `${joint.text} is not an operator of a composite`, write);
  }
  if (over) yield doubtful(over, `a composite has at most ${maxMembers} members`, 'remove some members');
}

/** Composites: `&&`, `||`, `!` and parentheses over ids of other monitors (docs/contract/monitor-queries.md#composite). */
export const compositeLanguage: Language<Composite> = {
  parse: (text) => parseComposite(text) as Composite,
  rules,
  outline: () => ({ languageNoun: 'a composite', beginning: 'the id of a monitor', example: '101 && !102' }),
  offers: () => compositeOffers,
};

/** `error_budget("a").over("30d") > 75`, and burn rates (docs/contract/monitor-queries.md#slo). */
export interface Objective extends Chain {
  readonly kind: 'objective';
  /** The id of the SLO. */
  readonly objective: ChainArgument | undefined;
  /** The time of the SLO. */
  readonly window: ChainArgument | undefined;
  readonly longWindow: ChainArgument | undefined;
  readonly shortWindow: ChainArgument | undefined;
}

/** Times that an SLO can have (docs/contract/monitor-queries.md#slo). */
const windows = ['7d', '30d', '90d'];
/** The largest burn rate that a target of four nines leaves; larger targets are rare (docs/contract/monitor-queries.md#slo). */
const fastest = 10_000;

const isBurnRate = ({ source }: Chain): boolean => source.text === 'burn_rate';

function idDiagnostics({ source, objective }: Objective): Diagnostic[] {
  if (objective && objective.text.trim() !== '') return [];
  return [wrong(objective ?? source, 'the id of the SLO is missing', `write ${source.text}("…") with its id`)];
}

function overDiagnostics(tree: Objective): Diagnostic[] {
  const { window } = tree;
  const hint = 'write 7d, 30d or 90d';
  if (!window) {
    const place = findStep(tree, 'over') ?? tree.source;
    return [wrong(place, 'the time window of the SLO is missing', 'write .over("30d")')];
  }
  if (window.flaw || windows.includes(window.text)) return [];
  if (window.text.trim() === '') return [wrong(window, 'the time window of the SLO is empty', hint)];
  const sure = toMinutes(window.text) !== undefined && !isBurnRate(tree);
  return [(sure ? wrong : doubtful)(window, `${window.text} is not a time window of an SLO`, hint)];
}

function* burnDiagnostics(tree: Objective): Iterable<Diagnostic> {
  if (!isBurnRate(tree)) return;
  const { longWindow, shortWindow } = tree;
  const [long, short] = [longWindow, shortWindow].map((window) => toMinutes(window?.text ?? ''));
  yield* oddWindow(tree, longWindow, long, 'long', '1h');
  yield* oddWindow(tree, shortWindow, short, 'short', '5m');
  if (longWindow && long !== undefined && (long < hour || long > 2 * day))
    yield doubtful(longWindow, `long window ${longWindow.text} is outside 1h to 48h`, 'write 1h to 48h');
  if (shortWindow && long !== undefined && short !== undefined && short >= long)
    yield doubtful(
      shortWindow,
      `short window ${shortWindow.text} is not shorter than ${longWindow?.text}`,
      twelfth(long),
    );
}

function oddWindow(
  { source }: Objective,
  window: ChainArgument | undefined,
  minutes: number | undefined,
  which: 'long' | 'short',
  such: string,
): Diagnostic[] {
  if (!window) return [doubtful(source, `a burn rate needs a ${which} window`, `write .${which}_window("${such}")`)];
  if (minutes || window.flaw) return [];
  return [doubtful(window, `${window.text || 'an empty text'} is not a window`, `write a number and m or h: ${such}`)];
}

const twelfth = (minutes: number): string => `a twelfth is usual: ${Math.max(1, Math.round(minutes / 12))}m`;

function thresholdDiagnostics(tree: Objective): Diagnostic[] {
  const { threshold } = tree.comparison;
  if (threshold.value < 0) return [doubtful(threshold, `${threshold.text} is below 0`, 'write a number above 0')];
  if (isBurnRate(tree))
    return threshold.value > fastest
      ? [doubtful(threshold, `${threshold.text} is faster than any budget burns`, 'at most 1 / (1 - target)')]
      : [];
  return threshold.value > 100
    ? [doubtful(threshold, `${threshold.text} is over 100 percent of the budget`, 'write 0 to 100')]
    : [];
}

/** SLO alerts: how much of the error budget is used up, or how fast. */
export const objective: Language<Objective> = {
  parse(text) {
    const chain = readChain(text);
    const windowOf = (name: string) => findStep(chain, name)?.list[0];
    return {
      ...chain,
      kind: 'objective',
      objective: chain.list[0],
      window: windowOf('over'),
      longWindow: windowOf('long_window'),
      shortWindow: windowOf('short_window'),
    };
  },
  rules: (tree) =>
    chainDiagnostics(tree, objectiveShapes[isBurnRate(tree) ? 'burn_rate' : 'error_budget'], () => [
      ...idDiagnostics(tree),
      ...overDiagnostics(tree),
      ...burnDiagnostics(tree),
      ...thresholdDiagnostics(tree),
    ]),
  outline: () =>
    chainOutline({ ...objectiveShapes.error_budget, monitorNoun: 'an SLO monitor' }, '("a1b2c3").over("30d") > 80'),
  offers: () => objectiveOffers,
};
