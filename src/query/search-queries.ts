import {
  type Chain,
  chainDiagnostics,
  chainOutline,
  emptyWindow,
  eventWindowDiagnostics,
  findStep,
  groupDiagnostics,
  missingWindow,
  readSearched,
  rollupDiagnostics,
  type SearchChain,
  searchDiagnostics,
  strangeWindow,
} from './chain.ts';
import { type Diagnostic, doubtful, type Language, orList, splitLength, wrong } from './language.ts';
import { eventOffers, processOffers } from './offers.ts';
import { type EventShape, errorShape, errorSources, findEventShape, processShape } from './query-shapes.ts';

/** `logs("a").index("b").rollup("count").by("c").last("5m") > 1` (docs/contract/monitor-queries.md#events). */
export interface Events extends SearchChain {
  readonly kind: 'events';
}

/** Diagnostics of the search: that there is one, and of its text. */
function searchedDiagnostics({ source, list }: Chain, noun: string): Diagnostic[] {
  const [search, more] = list;
  if (!search) return [wrong(source, `${noun} needs a search`, `write ${source.text}("*")`)];
  return [
    ...searchDiagnostics(search),
    ...(more ? [doubtful(more, 'a search is one text', 'write it in one pair of quotes')] : []),
  ];
}

function indexDiagnostics(tree: Events, shape: EventShape): Diagnostic[] {
  const step = findStep(tree, 'index');
  const { indexes, monitorNoun: noun, refusedIndexes = [] } = shape;
  if (typeof indexes === 'object') {
    const write = `write .index("${indexes.join('") or .index("')}")`;
    if (!step?.list[0]) return [wrong(step ?? tree.source, `${noun} needs an index`, write)];
    return step.list
      .filter((index) => !index.flaw && !indexes.includes(index.text))
      .map((index) =>
        wrong(index, `${index.text === '' ? 'an empty text' : index.text} is not an index of ${noun}`, write),
      );
  }
  if (!step) return [];
  const out = 'remove .index';
  switch (indexes) {
    case 'any': {
      const empty = step.list.length === 0 ? step : step.list.find((argument) => argument.text.trim() === '');
      return empty ? [doubtful(empty, 'the index has no name', 'write .index("*") for all of them')] : [];
    }
    case 'none': {
      const all = step.list.every((argument) => argument.text === '*');
      return [(all ? doubtful : wrong)(step.name, `${noun} has no index`, out)];
    }
    case 'unknown': {
      const refused = step.list.find((argument) => refusedIndexes.includes(argument.text));
      if (refused) return [wrong(refused, `${refused.text} is not an index of ${noun}`, out)];
      return [doubtful(step.name, `${noun} is not known to have an index`, out)];
    }
  }
}

function rules(tree: Events, shape: EventShape): Iterable<Diagnostic> {
  return chainDiagnostics(tree, shape, () => {
    const ownDiagnostics = [
      ...searchedDiagnostics(tree, shape.monitorNoun),
      ...indexDiagnostics(tree, shape),
      ...rollupDiagnostics(tree, shape, true),
      ...groupDiagnostics(findStep(tree, 'by'), shape),
      ...eventWindowDiagnostics(tree, shape),
    ];
    return shape.isLenient
      ? ownDiagnostics.map((diagnostic): Diagnostic => ({ ...diagnostic, verdict: 'doubtful' }))
      : ownDiagnostics;
  });
}

/** Events, logs, spans, rum, audits, CI, databases, networks and the like; which it is, the type says. */
export const events: Language<Events> = {
  parse: (text) => ({ ...readSearched(text), kind: 'events' }),
  rules: (tree, { type }) => rules(tree, findEventShape(type)),
  outline({ type }) {
    const shape = findEventShape(type);
    const index = typeof shape.indexes === 'object' ? `.index("${shape.indexes.at(-1)}")` : '';
    return chainOutline(shape, `("*")${index}.rollup("count").last("5m") > 5`);
  },
  offers: ({ type }) => eventOffers(findEventShape(type)),
};

/**
 * `error-tracking("a").source("backend").new().rollup("count").by("@issue.id").last("1d") > 0`
 * (docs/contract/monitor-queries.md#error-tracking).
 */
interface ErrorTrackingQuery extends SearchChain {
  readonly kind: 'error tracking';
}

/** The source that the specification knows; those with more in their names are older, and go without `new` and `impact`. */
const current = 'error-tracking';

function fromDiagnostics(chain: Chain): Diagnostic[] {
  const step = findStep(chain, 'source');
  if (!step) return [];
  const [from, more] = step.list;
  const write = `write ${orList(errorSources)}`;
  if (!from || from.text === '') return [wrong(from ?? step, 'the source of the errors is empty', write)];
  if (from.flaw) return [];
  if (!errorSources.includes(from.text)) return [wrong(from, `${from.text} is not a source of errors`, write)];
  return more ? [doubtful(more, 'errors come from one source at a time', write)] : [];
}

function watchedDiagnostics(chain: Chain): Diagnostic[] {
  if (chain.source.text !== current) return [];
  const [fresh, impact] = [findStep(chain, 'new'), findStep(chain, 'impact')];
  const hint = 'write .new() for new issues, .impact() for those that affect many users';
  if (fresh && impact) return [doubtful(impact, 'a query has .new() or .impact(), not both', hint)];
  const given = (fresh ?? impact)?.list[0];
  if (given) return [doubtful(given, `${fresh ? 'new' : 'impact'} takes nothing`, 'leave the parentheses empty')];
  if (fresh || impact) return [];
  const from = findStep(chain, 'source');
  // Without either, some deployments read the query as they did before there was a source.
  return [(from ? wrong : doubtful)(from ?? chain.source, 'neither .new() nor .impact() follows', hint)];
}

function issueDiagnostics({ source, groups, steps }: ErrorTrackingQuery): Diagnostic[] {
  if (groups.some((group) => /^@?issue\.id$/.test(group.text))) return [];
  const by = findStep({ steps }, 'by');
  const hint = 'write .by("@issue.id"), and other keys after it';
  if (!by) return [doubtful(source, 'errors are grouped by their issue', hint)];
  if (groups.length === 0) return [];
  return [(source.text === current ? wrong : doubtful)(by, 'the groups lack the issue', hint)];
}

/** Error tracking: its own source, `new` or `impact`, groups with the issue; the rest as in the event family. */
export const errorTracking: Language<ErrorTrackingQuery> = {
  parse: (text) => ({ ...readSearched(text), kind: 'error tracking' }),
  rules: (tree) =>
    chainDiagnostics(tree, errorShape, () => [
      ...searchedDiagnostics(tree, errorShape.monitorNoun),
      ...fromDiagnostics(tree),
      ...watchedDiagnostics(tree),
      ...rollupDiagnostics(tree, errorShape, false),
      ...groupDiagnostics(findStep(tree, 'by'), errorShape),
      ...issueDiagnostics(tree),
      ...eventWindowDiagnostics(tree, errorShape),
    ]),
  outline: () => chainOutline(errorShape, '("*").new().by("@issue.id").last("1d") > 0'),
  offers: () => eventOffers(errorShape),
};

/** `processes("a").over("b").rollup("count").last("10m") < 1` (docs/contract/monitor-queries.md#processes). */
interface Processes extends SearchChain {
  readonly kind: 'processes';
}

function processRollupDiagnostics(chain: Chain): Diagnostic[] {
  const step = findStep(chain, 'rollup');
  const hint = 'write .rollup("count")';
  if (!step) return [doubtful(chain.source, `${processShape.monitorNoun} needs a rollup`, hint)];
  const [method, more] = step.list;
  if (!method || method.text === '') return [wrong(method ?? step, 'the rollup has no method', hint)];
  if (method.flaw) return [];
  if (method.text !== 'count')
    return [wrong(method, `processes are only counted: ${method.text} is not a rollup`, hint)];
  return more ? [doubtful(more, 'count takes no measure', hint)] : [];
}

function windowDiagnostics(chain: Chain): Diagnostic[] {
  const step = findStep(chain, 'last');
  if (!step) return [missingWindow(chain, processShape.monitorNoun)];
  const [window] = step.list;
  if (!window || window.text.trim() === '') return [emptyWindow(window ?? step)];
  if (window.flaw) return [];
  const parts = splitLength(window.text);
  const units = 's, m, h or d: 30s, 10m, 4h, 1d';
  if (!parts) return [strangeWindow(window, units)];
  if (!['s', 'm', 'h', 'd'].includes(parts.unit))
    return [wrong(window, `${parts.unit} is not a unit of a process window`, `write a number and ${units}`)];
  return parts.count === 0 ? [doubtful(window, 'the window is empty', 'write .last("10m")')] : [];
}

/** Live processes: a search, `over` tags, counted in a window of seconds to days. */
export const processes: Language<Processes> = {
  parse: (text) => ({ ...readSearched(text), kind: 'processes' }),
  rules: (tree) =>
    chainDiagnostics(tree, processShape, () => [
      ...(tree.search
        ? searchDiagnostics(tree.search)
        : [doubtful(tree.source, 'there is no search', 'write processes("") for every process')]),
      ...processRollupDiagnostics(tree),
      ...windowDiagnostics(tree),
    ]),
  outline: () => chainOutline(processShape, '("java").rollup("count").last("10m") < 1'),
  offers: () => processOffers,
};
