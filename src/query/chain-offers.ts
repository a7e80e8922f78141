import { operatorOffers } from './comparison.ts';
import type { Offer, UsedWords } from './language.ts';

/** Completions of a kind of chain, by position. */
export interface ChainWords {
  readonly sources: readonly Offer[];
  /** Steps by name in their order; of those that stand in a group, one is enough. */
  readonly steps: readonly { readonly name: string; readonly group?: string; readonly offer: Offer }[];
  readonly operators?: readonly string[];
  /** The step behind which the comparison may stand. */
  readonly last: readonly string[];
  /** What an argument may be, without quotes; `call` is the source or a step, `place` counts its arguments from 0. */
  arguments(call: string, place: number, known: UsedWords, first: string): readonly Offer[];
  /** Whether an argument may go on behind one of its words: a search, keys with commas. */
  goesOn(call: string): boolean;
  /** Steps that are given nothing. */
  readonly bare?: readonly string[];
  /** Whether a call may have several arguments, each a text of its own. */
  isList(call: string): boolean;
  /** Whether a call may end behind an argument: an average needs a measure first. */
  isWhole(call: string, place: number, text: string): boolean;
}

/** Cursor context: the open call and the index of its argument. */
interface Spot {
  /** The source and the steps so far. */
  readonly calls: readonly string[];
  /** The call whose parentheses are open. */
  readonly call: string | undefined;
  readonly place: number;
  /** The first argument of that call. */
  readonly first: string;
  /** What stands behind the last quote, where that quote is open. */
  readonly inside: string | undefined;
  readonly quote: string;
}

/** What may stand in a chain where the grammar expects a token of the name `expected` (grammars/chain.peggy). */
export function chainOffers(
  expected: string,
  usedWords: UsedWords,
  before: string,
  words: ChainWords,
): readonly Offer[] | undefined {
  const spot = spotOf(before);
  switch (expected) {
    case 'a source':
      return words.sources;
    case 'a step':
      return missingSteps(spot.calls, words);
    case 'an operator':
      return words.last.some((name) => spot.calls.includes(name)) ? operatorOffers(before, words.operators) : [];
    case 'an argument':
      return offersAt(spot, usedWords, words).map((offer) => quoted(spot, offer, words));
    case '","':
      return mayGoOn(spot, before, words) ? [{ text: ',' }] : [];
    case '")"':
      return mayClose(spot, before, words) ? [{ text: ')' }] : [];
    case 'text':
      return insideOffers(spot, usedWords, words);
    case 'a closing quote': {
      const { inside = '', call = '', calls } = spot;
      const mayEnd = inside.trim() !== '' || (calls.length === 1 && words.goesOn(call));
      return mayEnd ? [{ text: closing(spot, inside, words), hint: 'the end of the text' }] : [];
    }
    default:
      return undefined;
  }
}

/** True before the first argument and directly after a comma. */
const isOpen = (before: string): boolean => /[(,]\s*$/.test(before);

const mayGoOn = ({ call = '', place, first }: Spot, before: string, words: ChainWords): boolean =>
  !isOpen(before) && (words.isList(call) || !words.isWhole(call, place, first));

const mayClose = ({ call = '', place, first }: Spot, before: string, words: ChainWords): boolean =>
  isOpen(before) ? (words.bare ?? []).includes(call) : words.isWhole(call, place, first);

/** Steps that may still come: behind those that are there. */
function missingSteps(calls: readonly string[], { steps }: ChainWords): Offer[] {
  const there = steps.filter((step) => calls.includes(step.name));
  const latest = there.at(-1);
  const behind = latest === undefined ? steps : steps.slice(steps.indexOf(latest) + 1);
  return behind.filter((step) => step.group === undefined || step.group !== latest?.group).map((step) => step.offer);
}

/** An argument in quotes; the cursor goes to the next argument where one is required. */
function quoted({ call = '', place }: Spot, { text, hint }: Offer, words: ChainWords): Offer {
  const whole = `"${text}"`;
  const given = hint === undefined ? {} : { hint };
  return words.isWhole(call, place, text)
    ? { text: whole, ...given }
    : { text: `${whole},""`, ...given, cursor: whole.length + 2 };
}

const offersAt = (spot: Spot, known: UsedWords, words: ChainWords): readonly Offer[] =>
  spot.call === undefined ? [] : words.arguments(spot.call, spot.place, known, spot.first);

/** Inside quotes: a word where one may begin; where it is all that the argument holds, with what closes it. */
function insideOffers(spot: Spot, known: UsedWords, words: ChainWords): Offer[] {
  const { inside = '', call = '' } = spot;
  const offers = offersAt(spot, known, words);
  if (words.goesOn(call)) return /(?:^|[\s(,"'-])$/.test(inside) ? [...offers] : [];
  return inside === ''
    ? offers.map((offer) => ({ ...offer, text: `${offer.text}${closing(spot, offer.text, words)}` }))
    : [];
}

/** The closing text after an argument: the end of the call, or the start of the next argument. */
const closing = ({ call = '', place, quote }: Spot, text: string, words: ChainWords): string =>
  words.isWhole(call, place, text) ? `${quote})` : `${quote},${quote}`;

function spotOf(before: string): Spot {
  const calls: string[] = [];
  let call: string | undefined;
  let [place, opened, first] = [0, 0, ''];
  let quote = '';
  for (const { 0: sign, index, groups } of before.matchAll(
    /\\.|["'(),]|(?<![\w-])(?<name>[A-Za-z_][\w-]*)(?=\s*\()/gs,
  )) {
    if (quote !== '') {
      if (sign !== quote) continue;
      if (place === 0) first = before.slice(opened, index);
      quote = '';
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      opened = index + 1;
    } else if (groups?.name !== undefined) {
      calls.push(groups.name);
    } else if (sign === '(') {
      [call, place, first] = [calls.at(-1), 0, ''];
    } else if (sign === ')') call = undefined;
    else if (sign === ',') place += 1;
  }
  return { calls, call, place, first, inside: quote === '' ? undefined : before.slice(opened), quote };
}
