import { completeMidText } from './complete-mid-text.ts';
import { type Completion, type Language, type Offer, queryEndMark, type UsedWords } from './language.ts';
import { findLanguage } from './language-of-type.ts';
import { findOffers, readOfferPlace } from './offers.ts';
import { expectedAt, isSyntaxFault, isTooDeep, type SyntaxFault } from './syntax.ts';

const mostItems = 50;

/**
 * What may follow at `at`: the grammar is asked what it would take there, the organization's own words stand in for the
 * names. The word under the cursor narrows it: words that begin with it, then words that hold it. `begun`: only where a word has
 * begun, which asks for less.
 */
export function completeQuery(
  type: string,
  query: string,
  cursor: number,
  usedWords: UsedWords = {},
  begun = false,
): Completion | undefined {
  const language = findLanguage(type, query);
  if (!language) return undefined;
  const table = language.offers({ type });
  const typed = /[\w.@*:/-]*$/.exec(query.slice(0, cursor))?.[0] ?? '';
  // `env:pro` may be one word (a tag) or two (an aggregator and a metric): the longest that the grammar knows counts.
  for (const start of starts(query, cursor - typed.length, cursor)) {
    if (begun && start === cursor) continue;
    const before = query.slice(0, start);
    const fault = faultOf(language.parse, before);
    if (!fault || fault.location.start.offset < before.trimEnd().length) continue;
    const { names, literals } = expectedAt(fault);
    const place = readOfferPlace(before, usedWords);
    const offers = [
      ...names.flatMap((name) => findOffers(table, name, place) ?? []),
      ...literals.flatMap((text) => findOffers(table, `"${text}"`, place) ?? [{ text }]),
    ];
    const items = matching(offers, query.slice(start, cursor));
    if (items.length === 0) continue;
    const completion = { start: start, end: cursor, items };
    const behind = query.slice(cursor);
    return behind.trim() === ''
      ? completion
      : nonEmpty(completeMidText(completion, query.slice(start, cursor), behind, isReadable(language, query)));
  }
  return undefined;
}

const nonEmpty = (completion: Completion): Completion | undefined =>
  completion.items.length > 0 ? completion : undefined;

function isReadable({ parse }: Language, query: string): boolean {
  try {
    parse(query);
    return true;
  } catch (error) {
    if (isSyntaxFault(error) || isTooDeep(error)) return false;
    throw error;
  }
}

/** Limit of start positions: each one costs a parse of the whole text. */
const mostStarts = 12;

/** Where a word may begin: where the letters begin, and behind each sign that is no letter; at most the last twelve. */
function starts(query: string, first: number, at: number): number[] {
  const signs = [...query.slice(first, at).matchAll(/[^\w]/g)].map((match) => first + match.index + 1);
  // Last of all, a quote in front of the word: some languages know a text in quotes as one word.
  const quote = /["']/.test(query[first - 1] ?? '') ? [first - 1] : [];
  return [...[...new Set([first, ...signs, at])].slice(-mostStarts), ...quote];
}

/** Syntax error of a query prefix. */
function faultOf(parse: (text: string) => unknown, before: string): SyntaxFault | undefined {
  try {
    parse(before + queryEndMark);
    return undefined;
  } catch (error) {
    if (isSyntaxFault(error)) return error;
    if (isTooDeep(error)) return undefined;
    throw error;
  }
}

function matching(offers: readonly Offer[], word: string): Offer[] {
  const wanted = word.toLowerCase();
  const once = [...new Map(offers.map((offer) => [offer.text, offer])).values()].filter(
    (offer) => offer.text.trim() !== word,
  );
  const begins = once.filter((offer) => offer.text.toLowerCase().startsWith(wanted));
  const holds =
    wanted === '' ? [] : once.filter((offer) => !begins.includes(offer) && offer.text.toLowerCase().includes(wanted));
  return [...begins, ...holds].slice(0, mostItems);
}
