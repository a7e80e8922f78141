import { eventRollups } from './chain.ts';
import {
  type Offer,
  type OfferPlace,
  type OffersAt,
  type OfferTable,
  operatorOffers,
  type UsedWords,
} from './language.ts';
import { type EventShape, errorSources } from './query-shapes.ts';

/** A call of a chain: how it is offered, and what its argument may be. A text with a dot is a step, any other a source. */
interface OfferedCall {
  /** `.over("^")`: `^` is where the cursor goes. */
  readonly text: string;
  readonly hint: string;
  /** What an argument may be, without quotes. */
  readonly argument?: OffersAt;
  /** Whether the step is known but not offered. */
  readonly isHidden?: boolean;
  /** Of the steps of a group one is enough. */
  readonly group?: string;
  /** The source behind which alone the step is offered. */
  readonly source?: string;
  /** Whether the comparison may stand behind the step. */
  readonly isLast?: boolean;
  /** Whether the step is given nothing. */
  readonly isBare?: boolean;
  /** Whether the call may have several arguments, each a text of its own. */
  readonly isList?: boolean;
  /** Whether an argument may go on behind one of its words: a search, keys with commas. */
  readonly goesOn?: boolean;
  /** Whether a second argument must follow this first one: an average needs a measure. */
  readonly isPair?: (first: string) => boolean;
}

/** Offers of words as they are, all with one hint. */
export const wordOffers = (words: readonly string[] = [], hint?: string): Offer[] =>
  words.map((text) => (hint === undefined ? { text } : { text, hint }));

/** Offers of texts with their hints; `^` in a text is where the cursor goes. */
export const markedOffers = (hints: Readonly<Record<string, string>>): Offer[] =>
  Object.entries(hints).map(([marked, hint]) => ({
    text: marked.replace('^', ''),
    ...(hint === '' ? {} : { hint }),
    ...(marked.includes('^') ? { cursor: marked.indexOf('^') } : {}),
  }));

/** A step as it is offered behind a dot that is already there. */
export const withoutDot = (offer: Offer): Offer => ({
  ...offer,
  text: offer.text.slice(1),
  ...(offer.cursor === undefined ? {} : { cursor: offer.cursor - 1 }),
});

/** The offers that a table has for an expected token at a place; undefined where it has no row for it. */
export function findOffers(table: OfferTable, expected: string, place: OfferPlace): readonly Offer[] | undefined {
  const row = table[expected];
  return typeof row === 'function' ? row(place) : row;
}

/** Reads where the cursor is behind a text: which call is open, in which of its arguments, and in which quotes. */
export function readOfferPlace(before: string, used: UsedWords): OfferPlace {
  const calls: string[] = [];
  let [call, argument, first]: [string | undefined, number, string] = [undefined, 0, ''];
  const tokens =
    /\\.|(?<quote>["'])(?<text>(?:\\.|(?!\k<quote>)[^\\])*)(?<end>\k<quote>)?|[(),]|(?<![\w-])(?<name>[A-Za-z_][\w-]*)(?=\s*\()/gs;
  for (const { 0: sign, index, groups: { quote, text = '', end, name } = {} } of before.matchAll(tokens)) {
    if (quote !== undefined && end === undefined)
      return { before, used, calls, call, argument, first, inside: before.slice(index + 1), quote };
    if (quote !== undefined && argument === 0) first = text;
    if (name !== undefined) calls.push(name);
    if (sign === '(') [call, argument, first] = [calls.at(-1), 0, ''];
    if (sign === ')') call = undefined;
    if (sign === ',') argument += 1;
  }
  return { before, used, calls, call, argument, first, inside: undefined, quote: '' };
}

/** How a call is offered. */
const callOffers = ({ text, hint }: OfferedCall): Offer[] => markedOffers({ [text]: hint });

/** `over` of `.over("^")`. */
const callName = ({ text }: OfferedCall): string => /[\w-]+/.exec(text)?.[0] ?? '';

/** What an argument of a call may be. */
function findArguments({ argument = [] }: Partial<OfferedCall>, place: OfferPlace): readonly Offer[] {
  return typeof argument === 'function' ? argument(place) : argument;
}

/** The offers of a kind of chain (grammars/chain.peggy): from its source and its steps in their order. */
function chainOffers(calls: readonly OfferedCall[], operators?: readonly string[]): OfferTable {
  const isStep = ({ text }: OfferedCall) => text.startsWith('.');
  const sources = calls.filter((call) => !isStep(call));
  const steps = calls.filter(isStep);
  // A source or a step of another name is read as a source.
  const callAt = ({ call }: OfferPlace): Partial<OfferedCall> =>
    (call === undefined ? undefined : (calls.find((known) => callName(known) === call) ?? sources[0])) ?? {};
  const isWhole = (place: OfferPlace, first = place.first): boolean =>
    place.argument > 0 || callAt(place).isPair?.(first) !== true;
  const argumentsAt = (place: OfferPlace): readonly Offer[] => findArguments(callAt(place), place);
  /** What closes an argument: the end of the call, or the start of its next argument. */
  const closing = (place: OfferPlace, text: string): string =>
    isWhole(place, text) ? `${place.quote})` : `${place.quote},${place.quote}`;
  return {
    'a source': sources.flatMap(callOffers),
    // In a text whose quote is open a parenthesis is one of the search.
    'a step': (place) => (place.inside === undefined ? missingSteps(steps, place) : []),
    'an operator': ({ before, calls: names }) =>
      steps.some((step) => step.isLast && names.includes(callName(step))) ? operatorOffers(before, operators) : [],
    'an argument': (place) => argumentsAt(place).map((offer) => quoted(offer, isWhole(place, offer.text))),
    '","': (place) => (!isOpen(place) && (callAt(place).isList || !isWhole(place)) ? wordOffers([',']) : []),
    '")"': (place) => ((isOpen(place) ? callAt(place).isBare : isWhole(place)) ? wordOffers([')']) : []),
    text: (place) => {
      const offers = argumentsAt(place);
      const { inside = '' } = place;
      if (callAt(place).goesOn) return /(?:^|[\s(,"'-])$/.test(inside) ? offers : [];
      return inside === '' ? offers.map((offer) => ({ ...offer, text: offer.text + closing(place, offer.text) })) : [];
    },
    'a closing quote': (place) => {
      const { inside = '' } = place;
      const mayEnd = inside.trim() !== '' || (place.calls.length === 1 && callAt(place).goesOn);
      return mayEnd ? wordOffers([closing(place, inside)], 'the end of the text') : [];
    },
  };
}

/** True before the first argument and directly after a comma. */
const isOpen = ({ before }: OfferPlace): boolean => /[(,]\s*$/.test(before);

/** Steps that may still come: behind those that are there. */
function missingSteps(steps: readonly OfferedCall[], { calls }: OfferPlace): Offer[] {
  const offered = steps.filter(({ isHidden, source }) => !isHidden && (source === undefined || calls.includes(source)));
  const latest = offered.findLastIndex((step) => calls.includes(callName(step)));
  const { group } = offered[latest] ?? {};
  return offered
    .slice(latest + 1)
    .filter((step) => group === undefined || step.group !== group)
    .flatMap(callOffers);
}

/** An argument in quotes; the cursor goes to the next argument where one is required. */
function quoted({ text, ...offer }: Offer, isWhole: boolean): Offer {
  const argument = `"${text}"`;
  return isWhole ? { ...offer, text: argument } : { ...offer, text: `${argument},""`, cursor: argument.length + 2 };
}

// What is offered while a query is typed: for each call of a chain, or for each token of a grammar. Metric queries, the
// largest of them, have theirs in metric.ts.

const windows = ['5m', '10m', '15m', '30m', '1h', '4h', '1d', '2d'];
const tagsInUse = ({ used }: OfferPlace): Offer[] => wordOffers(used.tags, 'a tag in use');

/** Tag keys to offer: required ones, then those that the organization uses, then usual ones of this kind. */
function keysFor({ keys = [] }: OfferPlace['used'], usual: readonly string[], needed: readonly string[] = []): Offer[] {
  const optionalKeys = keys.filter((key) => !needed.includes(key));
  return [
    ...wordOffers(needed, 'needed'),
    ...wordOffers(optionalKeys, 'a tag key in use'),
    ...wordOffers(
      usual.filter((key) => !needed.includes(key) && !optionalKeys.includes(key)),
      'often a group',
    ),
  ];
}

/** The event family and error tracking. */
export function eventOffers(shape: EventShape): OfferTable {
  const { indexes, measures } = shape;
  const ownIndexes = typeof indexes === 'object' ? indexes : undefined;
  const steps: readonly OfferedCall[] = [
    {
      ...(ownIndexes ? { text: '.index("^")', hint: 'which one' } : { text: '.index("*")', hint: 'all indexes' }),
      argument: ownIndexes ? wordOffers(ownIndexes, 'an index') : wordOffers(['*'], 'all indexes'),
      isHidden: indexes === 'none' || indexes === 'unknown',
      isList: true,
    },
    {
      text: '.source("^")',
      hint: 'where the errors come from',
      argument: wordOffers(errorSources, 'where the errors come from'),
    },
    { text: '.new()', hint: 'issues that appear or come back', group: 'watched', isBare: true },
    { text: '.impact()', hint: 'issues that affect many users', group: 'watched', isBare: true },
    {
      text: '.rollup("count")',
      hint: 'what is compared',
      argument({ argument, first }) {
        if (argument === 0) return markedOffers(eventRollups);
        return first === 'count' ? [] : wordOffers(measures, first === 'avg' ? 'a measure' : 'a facet');
      },
      isPair: (first) => first !== 'count',
    },
    {
      text: '.by("^")',
      hint: 'an alert for each group',
      argument: ({ used }) => keysFor(used, shape.keys, shape.neededKeys),
      isList: !shape.isOneGroupText,
      goesOn: true,
    },
    { text: '.last("^")', hint: 'the window, 1m to 48h', argument: wordOffers(windows, '1m to 48h'), isLast: true },
    {
      text: '.current("^")',
      hint: '',
      argument: wordOffers(['1h', '1d', '1mo'], 'from the full hour, day or month'),
      isHidden: true,
      isLast: true,
    },
  ];
  return chainOffers([
    { text: `${shape.sources[0]}("^")`, hint: 'a search', argument: tagsInUse, goesOn: true },
    ...(shape.takesFormulas ? [{ text: 'formula("^")', hint: 'arithmetic over variables' }] : []),
    ...steps.map((step) => (shape.steps.includes(callName(step)) ? step : { ...step, isHidden: true })),
  ]);
}

/** Live processes. */
export const processOffers = chainOffers([
  { text: 'processes("^")', hint: 'a search in command lines', goesOn: true },
  {
    text: '.over("^")',
    hint: 'which tags',
    argument: (place) => [...wordOffers(['*'], 'everywhere'), ...tagsInUse(place)],
    isList: true,
    goesOn: true,
  },
  {
    text: '.by("^")',
    hint: 'an alert for each group',
    argument: ({ used }) => keysFor(used, ['host']),
    isList: true,
    goesOn: true,
  },
  { text: '.rollup("count")', hint: 'how many processes', argument: wordOffers(['count'], 'how many processes') },
  {
    text: '.last("^")',
    hint: 'the window',
    argument: wordOffers(['30s', ...windows.slice(0, -1)], 's, m, h or d'),
    isLast: true,
  },
]);

const objectivesInUse = ({ used }: OfferPlace): Offer[] => wordOffers(used.objectives, 'an SLO');

/** Error budgets and burn rates. */
export const objectiveOffers = chainOffers(
  [
    { text: 'error_budget("^")', hint: 'percent of the budget that is used up', argument: objectivesInUse },
    { text: 'burn_rate("^")', hint: 'how many times faster than planned it is used up', argument: objectivesInUse },
    {
      text: '.over("^")',
      hint: '7d, 30d or 90d',
      argument: wordOffers(['7d', '30d', '90d'], 'the time of the SLO'),
      isLast: true,
    },
    {
      text: '.long_window("^")',
      hint: '1h to 48h',
      argument: wordOffers(['1h', '6h', '24h', '48h'], '1h to 48h'),
      source: 'burn_rate',
    },
    {
      text: '.short_window("^")',
      hint: 'a twelfth of the long one',
      argument: wordOffers(['5m', '30m', '2h', '4h'], 'a twelfth of the long window'),
      source: 'burn_rate',
    },
  ],
  ['>', '>='],
);

/** The offer of a scope without a limit. */
export const everyTag = wordOffers(['*'], 'everything');
const everythingOrTags = ({ used }: OfferPlace): Offer[] => [...everyTag, ...wordOffers(used.tags)];

const checkSteps = chainOffers([
  { text: '.over("^")', hint: 'the tags that it looks at', argument: everythingOrTags, isList: true },
  { text: '.exclude("^")', hint: 'the tags that it leaves out', argument: everythingOrTags, isList: true },
  {
    text: '.by("^")',
    hint: 'one alert for each group',
    argument: ({ used }) => [...everyTag, ...wordOffers(used.keys)],
    isList: true,
  },
  { text: '.last(^)', hint: 'how many results, at most 100' },
  { text: '.count_by_status()', hint: 'results in a row', group: 'end', isBare: true },
  { text: '.pct_by_status()', hint: 'share of a cluster', group: 'end', isBare: true },
]);
const resultCounts = [...wordOffers(['1)'], '1 to 100'), ...wordOffers(['2)', '4)', '6)'])];
const stepOffers = (expected: string, place: OfferPlace) => findOffers(checkSteps, expected, place) ?? [];
const isInName = ({ calls, quote }: OfferPlace): boolean => calls.length === 0 && quote === '"';

/** Service checks: a name in quotes, then steps. */
export const checkOffers: OfferTable = {
  ...checkSteps,
  'the name of a check': ({ used }) => wordOffers(used.checks?.map((name) => `"${name}"`)),
  text: (place) =>
    isInName(place) ? wordOffers(place.used.checks?.map((name) => `${name}"`)) : stepOffers('text', place),
  'a closing quote': (place) => (isInName(place) ? wordOffers(['"']) : stepOffers('a closing quote', place)),
  'an argument': (place) => (place.call === 'last' ? resultCounts : stepOffers('an argument', place)),
};

/** Composites of other monitors. */
export const compositeOffers: OfferTable = {
  'the id of a monitor': ({ used }) => used.monitors?.map(({ id, name }) => ({ text: id, hint: name })) ?? [],
  '&&': wordOffers(['&& '], 'both'),
  '||': wordOffers(['|| '], 'one of them'),
};

/** Formulas over variables: of costs, and of most other types. */
export function formulaOffers(type: string): OfferTable {
  const isCost = type === 'cost alert';
  const window = isCost
    ? wordOffers(['7d', '14d', '30d'], 'whole days')
    : wordOffers(windows.slice(0, -1), 'up to 48h');
  const steps: readonly OfferedCall[] = [
    { text: '.last("^")', hint: 'the window', argument: window },
    { text: '.current("^")', hint: 'the window of a forecast', argument: window, isHidden: !isCost },
    {
      text: '.by("^")',
      hint: 'an alert for each group',
      argument: ({ used }) => wordOffers(used.keys, 'a group for each value'),
      isHidden: isCost,
    },
    {
      text: '.rollup("^")',
      hint: 'how points become one',
      argument: wordOffers(['sum', 'avg', 'min', 'max', 'count'], 'how points become one'),
      isHidden: isCost,
    },
    {
      text: '.change("^")',
      hint: 'against the time before',
      argument: markedOffers({ relative: 'in percent', absolute: 'in the unit of the cost' }),
      isHidden: !isCost,
    },
    {
      text: '.anomaly(direction="^")',
      hint: 'what is out of the ordinary',
      argument: wordOffers(['both', 'above', 'below'], 'which side is out of the ordinary'),
      isHidden: !isCost,
    },
    { text: '.forecast()', hint: 'what it will come to', isHidden: !isCost },
  ];
  const missing = ({ calls }: OfferPlace): Offer[] =>
    steps.filter((step) => !step.isHidden && !calls.includes(callName(step))).flatMap(callOffers);
  return {
    formula: markedOffers({ 'formula("^")': 'arithmetic over variables' }),
    'a variable': ({ used }) => [...wordOffers(used.variables, 'a variable'), ...wrapping],
    '+ or -': wordOffers(['+ ', '- ']),
    '* or /': wordOffers(['* ', '/ ']),
    'a double quote': wordOffers(['"']),
    'a step': missing,
    'the name of a step': (place) => missing(place).map(withoutDot),
    'an argument': ({ call }) => (call === 'anomaly' ? markedOffers({ 'direction="^"': '', 'threshold=': '' }) : []),
    'the argument': (place) => findArguments(steps.find((step) => callName(step) === place.call) ?? {}, place),
    'an operator': ({ before }) => operatorOffers(before),
  };
}

/** Functions that are offered in a formula; any other is taken as well. */
const wrapping = markedOffers({
  'exclude_null(^)': 'without groups that have no value',
  'default_zero(^)': '0 where nothing was sent',
  'week_before(^)': 'the value a week ago',
});
