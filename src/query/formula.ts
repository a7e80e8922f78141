import { operatorOffers } from './comparison.ts';
import { formulaRules } from './formula-rules.ts';
import { type Formula, printed } from './formula-tree.ts';
import type { Language, Offer, QueryContext, UsedWords } from './language.ts';
import { parse } from './made/formula.js';

/** What each step is offered as, and the types that it is for; `cursor` stands where the argument goes. */
const steps: readonly (readonly [name: string, text: string, hint: string, cost: 'cost' | 'others' | 'all'])[] = [
  ['last', 'last("")', 'the window', 'all'],
  ['current', 'current("")', 'the window of a forecast', 'cost'],
  ['by', 'by("")', 'an alert for each group', 'others'],
  ['rollup', 'rollup("")', 'how points become one', 'others'],
  ['change', 'change("")', 'against the time before', 'cost'],
  ['anomaly', 'anomaly(direction="")', 'what is out of the ordinary', 'cost'],
  ['forecast', 'forecast()', 'what it will come to', 'cost'],
];

function stepOffers(before: string, type: string, dot: string): Offer[] {
  const isCost = type === 'cost alert';
  return steps
    .filter(([name, , , of]) => (of === 'all' || (of === 'cost') === isCost) && !before.includes(`.${name}(`))
    .map(([, text, hint]) => ({
      text: dot + text,
      hint,
      ...(text.includes('"') ? { cursor: dot.length + text.indexOf('"') + 1 } : {}),
    }));
}

/** Arguments by the step that is open at the end of a text. */
function argumentOffers(before: string, usedWords: UsedWords, type: string): Offer[] {
  const step = /\.\s*([\w-]+)\s*\([^()]*$/.exec(before)?.[1];
  const texts = (list: readonly string[], hint: string): Offer[] => list.map((text) => ({ text, hint }));
  if (step === 'last' || step === 'current')
    return type === 'cost alert'
      ? texts(['7d', '14d', '30d'], 'whole days')
      : texts(['5m', '10m', '15m', '30m', '1h', '4h', '1d'], 'up to 48h');
  if (step === 'by') return texts(usedWords.keys ?? [], 'a group for each value');
  if (step === 'rollup') return texts(['sum', 'avg', 'min', 'max', 'count'], 'how points become one');
  if (step === 'change')
    return [...texts(['relative'], 'in percent'), ...texts(['absolute'], 'in the unit of the cost')];
  return step === 'anomaly' ? texts(['both', 'above', 'below'], 'which side is out of the ordinary') : [];
}

function offers(
  expected: string,
  usedWords: UsedWords,
  before: string,
  { type }: QueryContext,
): readonly Offer[] | undefined {
  switch (expected) {
    case 'formula':
      return [{ text: 'formula("")', hint: 'arithmetic over variables', cursor: 9 }];
    case 'a variable':
      return [...(usedWords.variables ?? []).map((text) => ({ text, hint: 'a variable' })), ...wrapping];
    case '+ or -':
      return [{ text: '+ ' }, { text: '- ' }];
    case '* or /':
      return [{ text: '* ' }, { text: '/ ' }];
    case 'a double quote':
      return [{ text: '"' }];
    case 'a step':
      return stepOffers(before, type, '.');
    case 'the name of a step':
      return stepOffers(before, type, '');
    case 'an argument':
      return /\.anomaly\([^()]*$/.test(before) ? [{ text: 'direction=""', cursor: 11 }, { text: 'threshold=' }] : [];
    case 'the argument':
      return argumentOffers(before, usedWords, type);
    case 'the argument itself':
    case 'a single quote':
    case 'text in quotes':
      return [];
    case 'an operator':
      return operatorOffers(before);
    default:
      return undefined;
  }
}

/** Functions that are offered; any other is taken as well. */
const wrapping: readonly Offer[] = [
  { text: 'exclude_null()', hint: 'without groups that have no value', cursor: 13 },
  { text: 'default_zero()', hint: '0 where nothing was sent', cursor: 13 },
  { text: 'week_before()', hint: 'the value a week ago', cursor: 12 },
];

/** Formulas over `options.variables`, for costs and for most other types (docs/contract/monitor-queries.md#formula). */
export const formula: Language<Formula> = {
  parse: (text) => parse(text) as Formula,
  print: printed,
  rules: formulaRules,
  outline: ({ type }) => ({
    languageNoun: type === 'cost alert' ? 'a cost monitor' : 'a formula',
    beginning: 'formula("…")',
    example: `formula("query1").last("${type === 'cost alert' ? '7d' : '5m'}") > 100`,
  }),
  offers,
};
