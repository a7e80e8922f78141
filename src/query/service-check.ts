import { type ChainStep, findStep, flawDiagnostics, groupingStepKeys, printStep } from './chain.ts';
import { type Diagnostic, doubtful, type Language, wrong } from './language.ts';
import { parse } from './made/chain.js';
import { checkOffers } from './offer-table.ts';
import type { Numeral, Quoted, Tree, Word } from './query-tree.ts';
import { orList } from './syntax.ts';

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
    const tree = parse(text, { startRule: 'queryOfCheck' }) as Pick<ServiceCheck, 'check' | 'steps' | 'start' | 'end'>;
    return {
      ...tree,
      kind: 'service check',
      groups: groupingStepKeys(findStep(tree, 'by')),
      count: countOf(findStep(tree, 'last')),
      isShare: findStep(tree, 'pct_by_status') !== undefined,
    };
  },
  print: ({ check, steps: all, comparison }) =>
    `${check.quote}${check.text}${check.quote}${all.map(printStep).join('')}${comparison ? ` ${comparison.operator.text} ${comparison.threshold.text}` : ''}`,
  rules: (tree) => [
    ...nameDiagnostics(tree.check),
    ...quoteDiagnostics(tree),
    ...tree.steps.flatMap((step, at) => stepDiagnostics(step, tree.steps.slice(0, at))),
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

function stepDiagnostics(step: ChainStep, before: readonly ChainStep[]): Diagnostic[] {
  const { name, list } = step;
  if (!serviceCheckSteps.includes(name.text))
    return [
      doubtful(name, `${name.text} is not a known step of a service check`, `write ${orList(serviceCheckSteps)}`),
    ];
  if (before.some((other) => other.name.text === name.text))
    return [doubtful(name, `${name.text} is repeated`, 'remove one of them')];
  if (name.text === 'last') return [];
  if (statuses.includes(name.text))
    return list.slice(0, 1).map((argument) => doubtful(argument, `${name.text} takes no argument`));
  const tags = name.text === 'by' ? 'a key, such as .by("host")' : `a tag, such as .${name.text}("*")`;
  return [
    ...list.flatMap(flawDiagnostics),
    // `over` must not be blank, and a group is required (docs/contract/monitor-queries.md#service-check).
    ...(list.every((argument) => argument.text.trim() === '')
      ? [(name.text === 'exclude' ? doubtful : wrong)(step, `${name.text} is blank`, `write ${tags}`)]
      : []),
  ];
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

function endDiagnostics({ steps: all, comparison, check }: ServiceCheck): Diagnostic[] {
  const statusIndex = all.findIndex((step) => statuses.includes(step.name.text));
  const last = all.at(-1);
  const ways = orList(statuses.map((status) => `.${status}()`));
  return [
    ...(statusIndex < 0 ? [wrong(last ?? check, 'what to count is missing', `end it with ${ways}`)] : []),
    ...(statusIndex >= 0 && statusIndex < all.length - 1 && last
      ? [doubtful(last.name, `${last.name.text} usually comes before ${all[statusIndex]?.name.text}`)]
      : []),
    ...(comparison
      ? [doubtful(comparison, 'a service check has its thresholds in the options', 'remove the comparison')]
      : []),
  ];
}
