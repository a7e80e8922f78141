import { operatorOffers } from './comparison.ts';
import type { Offer, OfferPlace, OffersAt, OfferTable, UsedWords } from './language.ts';

/** A call of a chain: how it is offered, and what its argument may be. A text with a dot is a step, any other a source. */
export interface OfferedCall {
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
export const callOffers = ({ text, hint }: OfferedCall): Offer[] => markedOffers({ [text]: hint });

/** `over` of `.over("^")`. */
export const callName = ({ text }: OfferedCall): string => /[\w-]+/.exec(text)?.[0] ?? '';

/** What an argument of a call may be. */
export function findArguments({ argument = [] }: Partial<OfferedCall>, place: OfferPlace): readonly Offer[] {
  return typeof argument === 'function' ? argument(place) : argument;
}

/** The offers of a kind of chain (grammars/chain.peggy): from its source and its steps in their order. */
export function chainOffers(calls: readonly OfferedCall[], operators?: readonly string[]): OfferTable {
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
    'a step': (place) => missingSteps(steps, place),
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
