import type { Known, Offer } from './language.ts';
import { functionAt } from './openfunction.ts';
import { forms } from './wrapping.ts';

const over: Readonly<Record<string, string>> = {
  avg: 'average over the window',
  sum: 'sum over the window',
  min: 'lowest value: all of the window is above',
  max: 'highest value: once in the window is enough',
};

const comparing: readonly Offer[] = [
  { text: 'change(', hint: 'the difference to an earlier window' },
  { text: 'pct_change(', hint: 'the same in per cent' },
];

const last: readonly Offer[] = [
  { text: 'last_5m', hint: '1m to 10080m' },
  { text: 'last_15m' },
  { text: 'last_1h', hint: '1h to 168h' },
  { text: 'last_4h' },
  { text: 'last_1d' },
  { text: 'last_1w', hint: 'the longest' },
];

const further: readonly Offer[] = [
  { text: 'next_1w', hint: 'a forecast' },
  { text: 'current_1h', hint: 'this hour: needs an evaluation window' },
  { text: 'current_1d', hint: 'today: needs an evaluation window' },
  { text: 'current_1mo', hint: 'this month: needs an evaluation window' },
];

const lastOfChange: readonly Offer[] = [
  { text: 'last_5m', hint: '1m to 2880m' },
  { text: 'last_15m' },
  { text: 'last_1h', hint: '1h to 48h' },
  { text: 'last_1d' },
  { text: 'last_2d', hint: 'the longest' },
];

const shifts: readonly Offer[] = ['5m', '10m', '15m', '30m', '1h', '2h', '4h', '1d'].map((it) => ({
  text: `${it}_ago`,
}));

const across: readonly Offer[] = [
  { text: 'avg:', hint: 'average of all series' },
  { text: 'sum:', hint: 'sum of all series' },
  { text: 'min:', hint: 'the lowest series' },
  { text: 'max:', hint: 'the highest series' },
];

const functions: readonly Offer[] = [
  { text: "anomalies(, 'basic', 2)", cursor: 10, hint: 'unlike its past' },
  { text: "outliers(, 'DBSCAN', 3)", cursor: 9, hint: 'unlike its group' },
  { text: "forecast(, 'linear', 1)", cursor: 9, hint: 'where it is going' },
  { text: 'default_zero(', hint: 'no data is zero' },
  { text: 'exclude_null(', hint: 'without groups that are N/A' },
  { text: 'abs(' },
  { text: 'per_minute(' },
  { text: 'diff(', hint: 'from point to point' },
  { text: 'derivative(' },
  { text: 'ewma_5(', hint: 'smoothed' },
  { text: 'hour_before(' },
  { text: 'day_before(' },
  { text: 'week_before(' },
];

const methods: readonly Offer[] = [
  { text: 'as_count()', hint: 'counted per interval' },
  { text: 'as_rate()', hint: 'per second' },
  { text: 'rollup(avg, 60)', cursor: 7, hint: 'points of so many seconds' },
  { text: 'fill(zero)', hint: 'what stands where there is no data' },
];

const operators: readonly Offer[] = [
  { text: '> ', hint: 'above' },
  { text: '>= ' },
  { text: '< ', hint: 'below' },
  { text: '<= ' },
  { text: '== ' },
  { text: '!= ' },
];

/** Whether the head is still open: `avg(last_5m`, `change(avg(last_5m),`. */
const isHead = (before: string): boolean => !/\)\s*:/.test(before);
const isChange = (before: string): boolean => /^\s*(?:pct_)?change\s*\(/.test(before);

/** What may stand where the grammar of metric queries expects something. */
export function metricOffers(expected: string, known: Known, before: string): readonly Offer[] | undefined {
  switch (expected) {
    case 'a time aggregator':
      return aggregatorOffers(before);
    case 'a window':
      return windowOffers(before);
    case 'a timeshift':
      return isChange(before) ? shifts : [];
    case '","':
      return isHead(before) && !isChange(before) ? [] : [{ text: isHead(before) ? ',' : ', ' }];
    case '")"':
      return [closing(before)];
    case '":"':
      return [{ text: ':' }];
    case '"("':
      return isHead(before) ? [{ text: '(' }] : [];
    case 'a space aggregator':
      return across;
    case 'a function':
      return functions;
    case 'a metric':
      return known.metrics?.map((text) => ({ text }));
    case '"{"':
      return /\bby\s*$/i.test(before)
        ? [{ text: spaced(before, '{}'), cursor: spaced(before, '{').length }]
        : [
            { text: '{*}', hint: 'everything' },
            { text: '{}', cursor: 1, hint: 'only some tags' },
          ];
    case 'a tag':
      return tagOffers(before, known);
    case 'a key':
      return keysOf(known).map((text) => ({ text }));
    case 'by':
      return [
        { text: spaced(before, 'by {}'), cursor: spaced(before, 'by {').length, hint: 'one alert for each group' },
      ];
    case '"."':
      return methods.map((it) => ({ ...it, text: `.${it.text}`, ...(it.cursor && { cursor: it.cursor + 1 }) }));
    case 'a method':
      return methods;
    case 'an operator':
      return operators.map((it) => ({ ...it, text: spaced(before, it.text) }));
    case '* or /':
      return arithmetic(before, '*', '/');
    case '+ or -':
      return arithmetic(before, '+', '-');
    case 'an argument':
      return argumentOffers(before);
    case 'text in single quotes':
      return textOffers(before);
    default:
      return undefined;
  }
}

/** A blank before it, where there is none yet. */
const spaced = (before: string, text: string): string => (/[\s({,]$/.test(before) || before === '' ? text : ` ${text}`);

const arithmetic = (before: string, ...signs: readonly string[]): Offer[] =>
  signs.map((it) => ({ text: `${spaced(before, it)} ` }));

function aggregatorOffers(before: string): Offer[] {
  const plain = Object.entries(over).map(([it, hint]): Offer => ({ text: `${it}(`, hint }));
  if (before.trim() === '') return [...plain, ...comparing];
  return isChange(before) ? plain : [];
}

function windowOffers(before: string): readonly Offer[] {
  if (/^\s*(?:pct_)?change\s*\(\s*$/.test(before)) return [];
  return isChange(before) ? lastOfChange : [...last, ...further];
}

function closing(before: string): Offer {
  if (!isHead(before)) return { text: ')' };
  const isInner = isChange(before) && !before.includes(')');
  return isInner ? { text: '),' } : { text: '):' };
}

function tagOffers(before: string, known: Known): Offer[] {
  const everything: Offer = { text: '*', hint: 'everything' };
  return [...(/\{\s*$/.test(before) ? [everything] : []), ...(known.tags ?? []).map((text) => ({ text }))];
}

/** Keys to group by; where none are known, those of the tags. */
function keysOf({ keys, tags = [] }: Known): string[] {
  return [...(keys ?? new Set(tags.flatMap((it) => (it.includes(':') ? [it.slice(0, it.indexOf(':'))] : []))))];
}

/** `direction='both'` and the like, inside of a function that has named arguments. */
function argumentOffers(before: string): Offer[] {
  const { name, count } = functionAt(before);
  const form = forms[name as keyof typeof forms];
  if (!form || count < 2) return [];
  return Object.entries(form.named)
    .filter(([it]) => !new RegExp(`\\b${it}\\s*=`).test(before))
    .map(([it, words]) => {
      const usual = words === 'free' ? (usually[it] ?? "''") : `'${words[0]}'`;
      return { text: `${it}=${usual}`, ...(words === 'free' ? {} : { hint: words.join(', ') }) };
    });
}

const usually: Readonly<Record<string, string>> = {
  alert_window: "'last_15m'",
  interval: '60',
  history: "'1w'",
  timezone: "'UTC'",
  timeshift: '-3600',
};

/** The algorithm, or the words of a named argument. */
function textOffers(before: string): Offer[] {
  const { name, count } = functionAt(before);
  const form = forms[name as keyof typeof forms];
  if (!form) return [];
  const argument = /(\w+)\s*=\s*$/.exec(before)?.[1];
  const words = argument ? form.named[argument] : count === 1 ? form.algorithms : [];
  if (words === 'free')
    return usually[argument ?? '']?.startsWith("'") ? [{ text: usually[argument ?? ''] as string }] : [];
  return (words ?? []).map((it) => ({ text: `'${it}'` }));
}
