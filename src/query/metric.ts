import { oncePer } from '../lib/function-results.ts';
import { type Language, type Offer, type OfferPlace, type OfferTable, operatorOffers, spaced } from './language.ts';
import { parse } from './made/metric.js';
import { fills, metricRollups, metricRules, timeshifts } from './metric-rules.ts';
import type { Metric } from './metric-tree.ts';
import { everyTag, markedOffers, withoutDot, wordOffers } from './offers.ts';
import { wrappingForms, wrappingSetting } from './wrapping.ts';

/** The bracket that is open at the end of a text. */
interface OpenBracket {
  /** Empty where none is open. */
  readonly sign: '(' | '{' | '';
  /** The word in front of it: the name of a function. */
  readonly name: string;
  /** How many commas stand after it. */
  readonly count: number;
}

/** The innermost bracket that is open at the end of a text. */
function openBracket(before: string): OpenBracket {
  let depth = 0;
  let count = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const sign = before[at] as string;
    if (sign === ')' || sign === '}') depth += 1;
    else if (sign === '(' || sign === '{') {
      if (depth === 0) return { sign, name: /(\w*)\s*$/.exec(before.slice(0, at))?.[1] ?? '', count };
      depth -= 1;
    } else if (sign === ',' && depth === 0) count += 1;
  }
  return { sign: '', name: '', count: 0 };
}

const overTime = markedOffers({
  'avg(': 'average over the window',
  'sum(': 'sum over the window',
  'min(': 'lowest value: all of the window is above',
  'max(': 'highest value: once in the window is enough',
});

const comparing = markedOffers({
  'change(': 'the difference to an earlier window',
  'pct_change(': 'the same in percent',
});

const metricWindows = markedOffers({
  last_5m: '1m to 10080m',
  last_15m: '',
  last_1h: '1h to 168h',
  last_4h: '',
  last_1d: '',
  last_1w: 'the longest',
  next_1w: 'a forecast',
  current_1h: 'this hour: needs an evaluation window',
  current_1d: 'today: needs an evaluation window',
  current_1mo: 'this month: needs an evaluation window',
});

const changeWindows = markedOffers({
  last_5m: '1m to 2880m',
  last_15m: '',
  last_1h: '1h to 48h',
  last_1d: '',
  last_2d: 'the longest',
});

const overSeries = markedOffers({
  'avg:': 'average of all series',
  'sum:': 'sum of all series',
  'min:': 'the lowest series',
  'max:': 'the highest series',
});

const functions = markedOffers({
  "anomalies(^, 'basic', 2)": 'unlike its past',
  "outliers(^, 'DBSCAN', 3)": 'unlike its group',
  "forecast(^, 'linear', 1)": 'where it is going',
  'default_zero(': 'no data is zero',
  'exclude_null(': 'without groups that are N/A',
  'abs(': '',
  'per_minute(': '',
  'diff(': 'from point to point',
  'derivative(': '',
  'ewma_5(': 'smoothed',
  'hour_before(': '',
  'day_before(': '',
  'week_before(': '',
});

const methods = markedOffers({
  '.as_count()': 'counted per interval',
  '.as_rate()': 'per second',
  '.rollup(^avg, 60)': 'one point per this many seconds',
  '.fill(zero)': 'the value where there is no data',
});

/** The metric family, by the tokens of its grammar. */
const metricOffers: OfferTable = {
  'a time aggregator': ({ before }) => {
    if (before.trim() === '') return [...overTime, ...comparing];
    return isChange(before) ? overTime : [];
  },
  // Each with what ends the aggregator.
  'a window': ({ before }) => {
    if (/^\s*(?:pct_)?change\s*\(\s*$/.test(before)) return [];
    return (isChange(before) ? changeWindows : metricWindows).map((offer) => ({
      ...offer,
      text: offer.text + headEnd(before),
    }));
  },
  'a timeshift': ({ before }) => (isChange(before) ? wordOffers(timeshifts.map((shift) => `${shift}_ago):`)) : []),
  '"("': ({ before }) => (isHead(before) ? wordOffers(['(']) : []),
  '")"': ({ before }) => {
    if (openBracket(before).sign !== '(') return [];
    if (!isHead(before)) return wordOffers([')']);
    // Behind the inner half of a change the timeshift comes first.
    return isChange(before) && /\)\s*$/.test(before) ? [] : wordOffers([headEnd(before)]);
  },
  '":"': wordOffers([':']),
  // Between arguments with a blank, elsewhere without; none where there is nothing before it.
  '","': ({ before }) => {
    if (/[{,(]\s*$/.test(before)) return [];
    return wordOffers([isHead(before) || /\{[^}]*$/.test(before) ? ',' : ', ']);
  },
  // A scope or a grouping; keys of a function in braces are rare, and are not offered.
  '"{"': ({ before }) => {
    if (/\bby\s*$/i.test(before)) return markedOffers({ [spaced(before, '{^}')]: '' });
    return /\w\s*$/.test(before) ? markedOffers({ '{*}': 'everything', '{^}': 'some tags only' }) : [];
  },
  '"."': methodsBehind,
  'a method': (place) => methodsBehind(place).map(withoutDot),
  'a metric': valueOffers,
  'the name of a metric': ({ used }) => wordOffers(used.metrics),
  'a tag': ({ before, used }) => {
    if (!/[\s{,(!-]$/.test(before)) return [];
    return [...(/\{\s*$/.test(before) ? everyTag : []), ...wordOffers(used.tags)];
  },
  by: ({ before }) =>
    /\bby\s*\{/i.test(stepsBehind(before))
      ? []
      : markedOffers({ [spaced(before, 'by {^}')]: 'one alert for each group' }),
  // Where no keys are known, those of the tags.
  'a key': ({ used: { keys, tags = [] } }) =>
    wordOffers([
      ...(keys ?? new Set(tags.flatMap((tag) => (tag.includes(':') ? [tag.slice(0, tag.indexOf(':'))] : [])))),
    ]),
  'an operator': ({ before }) => operatorOffers(before),
  arithmetic: ({ before }) => wordOffers(['+', '-', '*', '/'].map((operator) => `${spaced(before, operator)} `)),
  'an argument': namedArgumentOffers,
  'text in single quotes': settingOffers,
  'a number': ({ before }) => {
    const { form, count } = openForm(before);
    return form && count === 2 ? wordOffers(['2'], form.measure) : [];
  },
};

/** Whether the head is still open: `avg(last_5m`, `change(avg(last_5m),`. */
const isHead = (before: string): boolean => !/\)\s*:/.test(before);
const isChange = (before: string): boolean => /^\s*(?:pct_)?change\s*\(/.test(before);

/** The text that ends a time aggregator: `),` inside a change, else `):`. */
const headEnd = (before: string): string => (isChange(before) && !before.includes(')') ? '),' : '):');

/** The steps at the end of a text: ` by {host}.as_count()`. Longer ones are not looked at: this runs at every key. */
const stepsBehind = (before: string): string =>
  /(?:\s*by\s*\{[^{}]*\}|\s*\.\w+\([^()]*\))+\s*\.?$/i.exec(before.slice(-200))?.[0] ?? '';

/**
 * Methods that are not there yet; points are counted or made a rate, not both. Behind a name without a scope they would be read as
 * a part of it.
 */
function methodsBehind({ before }: OfferPlace): Offer[] {
  if (!/[)}]\s*\.?\s*$/.test(before)) return [];
  const there = stepsBehind(before);
  return methods.filter(({ text }) => !there.includes(/^\.(?:as_|\w+\()/.exec(text)?.[0] ?? text));
}

/** The beginning of a value, common ones first. No metric stands in a method, nor behind the first one of a function. */
function valueOffers({ before, used }: OfferPlace): Offer[] {
  const { name, count, form } = openForm(before);
  if (/^(?:as_|weighted$)/.test(name)) return [];
  if (name === 'rollup' || name === 'fill' || (form && count > 0))
    return count > 0 ? [] : wordOffers(name === 'fill' ? fills : metricRollups);
  return [...overSeries, ...wordOffers(used.metrics), ...functions];
}

/** The function around the place, and what it takes where it is one that wraps a metric query. */
function openForm(before: string) {
  const bracket = openBracket(before);
  const form = Object.entries(wrappingForms).find(([name]) => name === bracket.name)?.[1];
  return { ...bracket, form };
}

/** `direction='both'` and the like, without those that are there. */
function namedArgumentOffers({ before }: OfferPlace): Offer[] {
  const { form, count } = openForm(before);
  if (!form || count < 3) return [];
  return Object.entries(form.named)
    .filter(([argument]) => !new RegExp(`\\b${argument}\\s*=`).test(before))
    .flatMap(([argument, setting]) =>
      'such' in setting
        ? wordOffers([`${argument}=${setting.such}`])
        : wordOffers([`${argument}='${setting[0]}'`], setting.join(', ')),
    );
}

/** The algorithm of a function that wraps a metric query, or the values of a named argument. */
function settingOffers({ before }: OfferPlace): Offer[] {
  const { form, count } = openForm(before);
  if (!form) return [];
  const argument = /(\w+)\s*=\s*$/.exec(before)?.[1];
  const setting = argument ? wrappingSetting(form, argument) : count === 1 ? form.algorithms : [];
  if (!setting) return [];
  // Numbers stand without quotes.
  if ('such' in setting) return setting.such.startsWith("'") ? wordOffers([setting.such]) : [];
  return wordOffers(setting.map((value) => `'${value}'`));
}

/** The metric family: metric, change, anomaly, outlier and forecast queries (docs/contract/monitor-queries.md#metric). */
export const metricLanguage: Language<Metric> = {
  parse: (text) => parse(text) as Metric,
  // A letter that is taken back leaves a tree whose rules have been read.
  rules: oncePer((tree) => [...metricRules(tree)]),
  outline: () => ({
    languageNoun: 'a metric monitor',
    beginning: 'a time aggregator over a window',
    example: 'avg(last_5m):avg:system.load{*} > 5',
  }),
  offers: () => metricOffers,
};
