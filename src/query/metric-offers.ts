import { operatorOffers, spaced } from './comparison.ts';
import type { Offer, UsedWords } from './language.ts';
import { fills, metricRollups, timeshifts } from './metric-rules.ts';
import { openBracket } from './open-bracket.ts';
import { wrappingForms, wrappingSetting } from './wrapping.ts';

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

/** Whether the head is still open: `avg(last_5m`, `change(avg(last_5m),`. */
const isHead = (before: string): boolean => !/\)\s*:/.test(before);
const isChange = (before: string): boolean => /^\s*(?:pct_)?change\s*\(/.test(before);

/** What may stand where the grammar of metric queries expects something. */
export function metricOffers(expected: string, usedWords: UsedWords, before: string): readonly Offer[] | undefined {
  switch (expected) {
    case 'a time aggregator':
      return aggregatorOffers(before);
    case 'a window':
      return windowOffers(before);
    case 'a timeshift':
      return isChange(before) ? timeshifts.map((timeshift) => ({ text: `${timeshift}_ago):` })) : [];
    case '"("':
      return isHead(before) ? [{ text: '(' }] : [];
    case '")"':
      return closingOffers(before);
    case '":"':
      return [{ text: ':' }];
    case '","':
      return commaOffers(before);
    case '"{"':
      return braceOffers(before);
    case '"."':
      return methodsBehind(before).map((offer) => ({
        ...offer,
        text: `.${offer.text}`,
        ...(offer.cursor && { cursor: offer.cursor + 1 }),
      }));
    case 'a method':
      return methodsBehind(before);
    case 'a metric':
      return valueOffers(before, usedWords);
    case 'the name of a metric':
      return metricsOf(usedWords);
    case 'a tag':
      return tagOffers(before, usedWords);
    case 'by':
      if (/\bby\s*\{/i.test(stepsBehind(before))) return [];
      return [
        { text: spaced(before, 'by {}'), cursor: spaced(before, 'by {').length, hint: 'one alert for each group' },
      ];
    case 'a key':
      return keysOf(usedWords).map((text) => ({ text }));
    case 'an operator':
      return operatorOffers(before);
    case 'arithmetic':
      return ['+', '-', '*', '/'].map((operator) => ({ text: `${spaced(before, operator)} ` }));
    case 'an argument':
      return argumentOffers(before);
    case 'text in single quotes':
      return textOffers(before);
    case 'a number':
      return openForm(before)?.count === 2 ? [{ text: '2', hint: openForm(before)?.form.measure }] : [];
    default:
      return undefined;
  }
}

/** The steps at the end of a text: ` by {host}.as_count()`. Longer ones are not looked at: this runs at every key. */
const stepsBehind = (before: string): string =>
  /(?:\s*by\s*\{[^{}]*\}|\s*\.\w+\([^()]*\))+\s*\.?$/i.exec(before.slice(-200))?.[0] ?? '';

/** Methods that are not there yet; points are counted or made a rate, not both. */
function methodsBehind(before: string): Offer[] {
  const there = stepsBehind(before);
  return methods.filter(({ text }) => !there.includes(text.startsWith('as_') ? '.as_' : `.${/^\w+/.exec(text)?.[0]}(`));
}

function aggregatorOffers(before: string): Offer[] {
  const plain = Object.entries(over).map(([name, hint]): Offer => ({ text: `${name}(`, hint }));
  if (before.trim() === '') return [...plain, ...comparing];
  return isChange(before) ? plain : [];
}

/** Windows, with what stands behind them. */
function windowOffers(before: string): Offer[] {
  if (/^\s*(?:pct_)?change\s*\(\s*$/.test(before)) return [];
  const all = isChange(before) ? lastOfChange : [...last, ...further];
  return all.map((offer) => ({ ...offer, text: `${offer.text}${headEnd(before)}` }));
}

/** The text that ends a time aggregator: `),` inside a change, else `):`. */
const headEnd = (before: string): string => (isChange(before) && !before.includes(')') ? '),' : '):');

function closingOffers(before: string): Offer[] {
  if (openBracket(before).sign !== '(') return [];
  if (!isHead(before)) return [{ text: ')' }];
  // Behind the inner half of a change the timeshift comes first.
  return isChange(before) && /\)\s*$/.test(before) ? [] : [{ text: headEnd(before) }];
}

/** Between arguments with a blank, elsewhere without; none where there is nothing before it. */
function commaOffers(before: string): Offer[] {
  if (/[{,(]\s*$/.test(before)) return [];
  return [{ text: isHead(before) || /\{[^}]*$/.test(before) ? ',' : ', ' }];
}

/** A scope or a grouping; keys of a function in braces are rare, and are not offered. */
function braceOffers(before: string): Offer[] {
  if (/\bby\s*$/i.test(before)) {
    const text = spaced(before, '{}');
    return [{ text, cursor: text.length - 1 }];
  }
  return /\w\s*$/.test(before)
    ? [
        { text: '{*}', hint: 'everything' },
        { text: '{}', cursor: 1, hint: 'some tags only' },
      ]
    : [];
}

const metricsOf = ({ metrics = [] }: UsedWords): Offer[] => metrics.map((text) => ({ text }));

/** Offers for the beginning of a value, common ones first. */
function valueOffers(before: string, known: UsedWords): Offer[] {
  const { name, count } = openBracket(before);
  if (name.startsWith('as_')) return [];
  if (isSetting(before)) return count > 0 ? [] : (name === 'fill' ? fills : metricRollups).map((text) => ({ text }));
  return [...across, ...metricsOf(known), ...functions];
}

/** In the brackets of a method, and behind the metric query of a function that wraps it: no metric stands there. */
function isSetting(before: string): boolean {
  const { name, count } = openBracket(before);
  return name === 'rollup' || name === 'fill' || (Object.hasOwn(wrappingForms, name) && count > 0);
}

function tagOffers(before: string, known: UsedWords): Offer[] {
  if (!/[\s{,(!-]$/.test(before)) return [];
  const everything: Offer = { text: '*', hint: 'everything' };
  return [...(/\{\s*$/.test(before) ? [everything] : []), ...(known.tags ?? []).map((text) => ({ text }))];
}

/** Keys to group by; where none are known, those of the tags. */
function keysOf({ keys, tags = [] }: UsedWords): string[] {
  return [...(keys ?? new Set(tags.flatMap((tag) => (tag.includes(':') ? [tag.slice(0, tag.indexOf(':'))] : []))))];
}

/** The function around the place, where it is one that wraps a metric query. */
function openForm(before: string) {
  const { name, count } = openBracket(before);
  return Object.hasOwn(wrappingForms, name)
    ? { form: wrappingForms[name as keyof typeof wrappingForms], count }
    : undefined;
}

/** `direction='both'` and the like, without those that are there. */
function argumentOffers(before: string): Offer[] {
  const { form, count } = openForm(before) ?? {};
  if (!form || !count || count < 3) return [];
  return Object.entries(form.named)
    .filter(([argument]) => !new RegExp(`\\b${argument}\\s*=`).test(before))
    .map(([argument, words]) =>
      'such' in words
        ? { text: `${argument}=${words.such}` }
        : { text: `${argument}='${words[0]}'`, hint: words.join(', ') },
    );
}

/** The algorithm, or the words of a named argument. */
function textOffers(before: string): Offer[] {
  const { form, count } = openForm(before) ?? {};
  if (!form) return [];
  const argument = /(\w+)\s*=\s*$/.exec(before)?.[1];
  const words = argument ? wrappingSetting(form, argument) : count === 1 ? form.algorithms : undefined;
  if (!words) return [];
  // Numbers stand without quotes.
  if ('such' in words) return words.such.startsWith("'") ? [{ text: words.such }] : [];
  return words.map((word) => ({ text: `'${word}'` }));
}
