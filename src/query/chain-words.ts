import { eventRollups } from './aggregate-findings.ts';
import type { ChainWords } from './chain-offers.ts';
import type { Offer, UsedWords } from './language.ts';
import type { EventShape } from './query-shapes.ts';

/** Some words with the same hint. */
const offersOf = (texts: readonly string[], hint: string): Offer[] => texts.map((text) => ({ text, hint }));

/** A call with one text, the cursor between its quotes. */
const callOffer = (name: string, hint: string): Offer => ({
  text: `${name}("")`,
  hint,
  cursor: name.length + 2,
});

const common = ['5m', '10m', '15m', '30m', '1h', '4h', '1d', '2d'];

/** Tag keys to offer: required ones, then those that the organization uses, then usual ones of this kind. */
function keysFor({ keys = [] }: UsedWords, usual: readonly string[], needed: readonly string[] = []): Offer[] {
  const optionalKeys = keys.filter((key) => !needed.includes(key));
  return [
    ...offersOf(needed, 'needed'),
    ...offersOf(optionalKeys, 'a tag key in use'),
    ...offersOf(
      usual.filter((key) => !needed.includes(key) && !optionalKeys.includes(key)),
      'often a group',
    ),
  ];
}

/** Words of the event family and of error tracking. */
export function eventWords(shape: EventShape): ChainWords {
  const { steps, indexes } = shape;
  const offers: Readonly<Record<string, Offer>> = {
    index:
      typeof indexes === 'object' ? callOffer('.index', 'which one') : { text: '.index("*")', hint: 'all indexes' },
    source: callOffer('.source', 'where the errors come from'),
    new: { text: '.new()', hint: 'issues that appear or come back' },
    impact: { text: '.impact()', hint: 'issues that many meet' },
    rollup: { text: '.rollup("count")', hint: 'what is compared' },
    by: callOffer('.by', 'an alert for each group'),
    last: callOffer('.last', 'the window, 1m to 48h'),
  };
  const kind = { new: 'watched', impact: 'watched' } as const;
  const takesIndex = indexes === 'any' || typeof indexes === 'object';
  return {
    sources: [
      ...shape.sources.slice(0, 1).map((source) => callOffer(source, 'a search')),
      callOffer('formula', 'arithmetic over variables'),
    ],
    steps: steps.flatMap((name) => {
      const offer = offers[name];
      if (offer === undefined || (name === 'index' && !takesIndex)) return [];
      return [{ name, offer, ...(name in kind ? { group: kind[name as keyof typeof kind] } : {}) }];
    }),
    last: ['last', 'current'],
    arguments(call, place, usedWords, first) {
      switch (call) {
        case 'index':
          return typeof indexes === 'object' ? offersOf(indexes, 'an index') : offersOf(['*'], 'all indexes');
        case 'source':
          return offersOf(errorSources, 'where the errors come from');
        case 'rollup':
          if (place === 0) return Object.entries(eventRollups).map(([text, hint]) => ({ text, hint }));
          return first === 'count' ? [] : offersOf(shape.measures, first === 'avg' ? 'a measure' : 'a facet');
        case 'by':
          return keysFor(usedWords, shape.keys, shape.neededKeys);
        case 'last':
          return offersOf(common, '1m to 48h');
        case 'current':
          return offersOf(['1h', '1d', '1mo'], 'from the full hour, day or month');
        default:
          return steps.includes(call) ? [] : offersOf(usedWords.tags ?? [], 'a tag in use');
      }
    },
    bare: ['new', 'impact'],
    isList: (call) => call === 'index' || (call === 'by' && !shape.isOneGroupText),
    goesOn: (call) => call === 'by' || !steps.includes(call),
    isWhole: (call, place, first) => call !== 'rollup' || place > 0 || first === 'count',
  };
}

/** Where errors come from (docs/contract/monitor-queries.md#error-tracking). */
export const errorSources: readonly string[] = ['all', 'browser', 'mobile', 'backend'];

/** Words of live processes. */
export const processWords: ChainWords = {
  sources: [callOffer('processes', 'a search in command lines')],
  steps: [
    { name: 'over', offer: callOffer('.over', 'which tags') },
    { name: 'by', offer: callOffer('.by', 'an alert for each group') },
    { name: 'rollup', offer: { text: '.rollup("count")', hint: 'how many processes' } },
    { name: 'last', offer: callOffer('.last', 'the window') },
  ],
  last: ['last'],
  arguments(call, _place, usedWords) {
    switch (call) {
      case 'over':
        return [...offersOf(['*'], 'everywhere'), ...offersOf(usedWords.tags ?? [], 'a tag in use')];
      case 'by':
        return keysFor(usedWords, ['host']);
      case 'rollup':
        return offersOf(['count'], 'how many processes');
      case 'last':
        return offersOf(['30s', ...common.slice(0, -1)], 's, m, h or d');
      default:
        return [];
    }
  },
  isList: (call) => call === 'over' || call === 'by',
  goesOn: (call) => call === 'over' || call === 'by' || call === 'processes',
  isWhole: () => true,
};

/** Words of error budgets and burn rates. */
export const objectiveWords: ChainWords = {
  sources: [
    callOffer('error_budget', 'percent of the budget that is used up'),
    callOffer('burn_rate', 'how many times too fast it is used up'),
  ],
  steps: [
    { name: 'over', offer: callOffer('.over', '7d, 30d or 90d') },
    { name: 'long_window', offer: callOffer('.long_window', '1h to 48h') },
    { name: 'short_window', offer: callOffer('.short_window', 'a twelfth of the long one') },
  ],
  operators: ['>', '>='],
  last: ['over'],
  arguments(call, _place, usedWords) {
    switch (call) {
      case 'over':
        return offersOf(['7d', '30d', '90d'], 'the time of the SLO');
      case 'long_window':
        return offersOf(['1h', '6h', '24h', '48h'], '1h to 48h');
      case 'short_window':
        return offersOf(['5m', '30m', '2h', '4h'], 'a twelfth of the long window');
      default:
        return offersOf(usedWords.objectives ?? [], 'an SLO');
    }
  },
  isList: () => false,
  goesOn: () => false,
  isWhole: () => true,
};
