import { type ChainWords, chainOffers } from './chain-offers.ts';
import type { Offer, UsedWords } from './language.ts';

/** What a service check ends with. */
export const statuses: readonly string[] = ['count_by_status', 'pct_by_status'];

/** The steps of a service check, in their order; `by` may stand behind `last` (docs/contract/monitor-queries.md#service-check). */
export const serviceCheckSteps: readonly string[] = ['over', 'exclude', 'by', 'last', ...statuses];

const everything: Offer = { text: '*', hint: 'everything' };

const words: ChainWords = {
  sources: [],
  steps: [
    { name: 'over', offer: { text: '.over("")', hint: 'the tags that it looks at', cursor: 7 } },
    { name: 'exclude', offer: { text: '.exclude("")', hint: 'the tags that it leaves out', cursor: 10 } },
    { name: 'by', offer: { text: '.by("")', hint: 'one alert for each group', cursor: 5 } },
    { name: 'last', offer: { text: '.last()', hint: 'how many results, at most 100', cursor: 6 } },
    { name: 'count_by_status', group: 'end', offer: { text: '.count_by_status()', hint: 'results in a row' } },
    { name: 'pct_by_status', group: 'end', offer: { text: '.pct_by_status()', hint: 'share of a cluster' } },
  ],
  last: [],
  arguments(call, _place, { tags = [], keys = [] }) {
    if (call === 'by') return ['*', ...keys].map((text) => (text === '*' ? everything : { text }));
    return call === 'over' || call === 'exclude' ? [everything, ...tags.map((text) => ({ text }))] : [];
  },
  bare: statuses,
  isList: (call) => call === 'over' || call === 'exclude' || call === 'by',
  goesOn: () => false,
  isWhole: () => true,
};

/** What may stand where the grammar of service checks expects something. */
export function checkOffers(expected: string, usedWords: UsedWords, before: string): readonly Offer[] | undefined {
  if (expected === 'the name of a check') return usedWords.checks?.map((text) => ({ text: `"${text}"` }));
  // In the open quotes of the name.
  if (expected === 'text' && /^\s*"[^"]*$/.test(before)) return usedWords.checks?.map((text) => ({ text: `${text}"` }));
  if (expected === 'a closing quote' && /^\s*"[^"]*$/.test(before)) return [{ text: '"' }];
  if (/\.last\(\s*$/.test(before) && /^(?:an argument|a word|a number)$/.test(expected))
    return ['1', '2', '4', '6'].map((text) => ({ text: `${text})`, ...(text === '1' && { hint: '1 to 100' }) }));
  return chainOffers(expected, usedWords, before, words);
}
