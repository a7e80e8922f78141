import { eventWindowDiagnostics, groupDiagnostics, rollupDiagnostics } from './aggregate-diagnostics.ts';
import {
  type Chain,
  chainDiagnostics,
  chainOutline,
  findStep,
  printChain,
  readSearched,
  type SearchChain,
} from './chain.ts';
import { type Diagnostic, doubtful, type Language, wrong } from './language.ts';
import { eventOffers } from './offer-table.ts';
import { type EventShape, findEventShape } from './query-shapes.ts';
import { searchDiagnostics } from './search-diagnostics.ts';

/** `logs("a").index("b").rollup("count").by("c").last("5m") > 1` (docs/contract/monitor-queries.md#events). */
export interface Events extends SearchChain {
  readonly kind: 'events';
}

/** Diagnostics of the search: that there is one, and of its text. */
export function searchedDiagnostics({ source, list }: Chain, noun: string): Diagnostic[] {
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

function rules(tree: Events, shape: EventShape): readonly Diagnostic[] {
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
  print: printChain,
  rules: (tree, { type }) => rules(tree, findEventShape(type)),
  outline({ type }) {
    const shape = findEventShape(type);
    const index = typeof shape.indexes === 'object' ? `.index("${shape.indexes.at(-1)}")` : '';
    return chainOutline(shape, `("*")${index}.rollup("count").last("5m") > 5`);
  },
  offers: ({ type }) => eventOffers(findEventShape(type)),
};
