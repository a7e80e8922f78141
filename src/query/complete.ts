import type { Known, Offer } from './language.ts';
import { languageOf } from './languages.ts';
import { expectedAt, isSyntaxFault, isTooDeep, type SyntaxFault } from './syntax.ts';

/** What may stand at a place, in place of the letters from `start` to `end`. */
export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Offer[];
}

const mostItems = 50;

/**
 * What may follow at `at`: the grammar is asked what it would take there, the organisation's own words stand in for the
 * names. The word under the cursor narrows it: words that begin with it, then words that hold it.
 */
export function complete(type: string, query: string, at: number, known: Known = {}): Completion | undefined {
  const language = languageOf(type, query);
  if (!language) return undefined;
  const typed = /[\w.@*:/-]*$/.exec(query.slice(0, at))?.[0] ?? '';
  // `env:pro` may be one word (a tag) or two (an aggregator and a metric): the longest that the grammar knows counts.
  for (const from of starts(query, at - typed.length, at)) {
    const before = query.slice(0, from);
    const fault = faultOf(language.parse, before);
    if (!fault || fault.location.start.offset < before.trimEnd().length) continue;
    const { names, literals } = expectedAt(fault);
    const offers = [
      ...names.flatMap((it) => language.offers(it, known, before, { type }) ?? []),
      ...literals.map((text): Offer => ({ text })),
    ];
    const items = matching(offers, query.slice(from, at));
    if (items.length > 0) return beforeSigns({ start: from, end: at, items }, query.slice(at));
  }
  return undefined;
}

/** A word that is made of more words is none: each way to read it costs a reading of the whole text. */
const mostStarts = 12;

/** Where a word may begin: where the letters begin, and behind each sign that is no letter; at most the last twelve. */
function starts(query: string, first: number, at: number): number[] {
  const signs = [...query.slice(first, at).matchAll(/[^\w]/g)].map((it) => first + it.index + 1);
  return [...new Set([first, ...signs, at])].slice(-mostStarts);
}

/** What a beginning of a query lacks: a sign that no language knows is put behind it, so that it cannot be whole. */
function faultOf(parse: (text: string) => unknown, before: string): SyntaxFault | undefined {
  try {
    parse(`${before}\u0000`);
    return undefined;
  } catch (error) {
    if (isSyntaxFault(error)) return error;
    if (isTooDeep(error)) return undefined;
    throw error;
  }
}

/**
 * Where the signs at the end of an offer stand behind the cursor already, as the `")` of `5m")` in front of `") > 1`, they
 * are not written twice: the cursor goes past them with that offer, and stays in front of them with the others.
 */
function beforeSigns(completion: Completion, behind: string): Completion {
  const signs = completion.items
    .flatMap(({ text }) => [...(/[^\w\s]+$/.exec(text)?.[0] ?? '')].map((_, at, all) => all.slice(at).join('')))
    .filter((it) => behind.startsWith(it))
    .reduce((longest, it) => (it.length > longest.length ? it : longest), '');
  if (signs === '') return completion;
  const items = completion.items.map((it) =>
    it.text.endsWith(signs) ? it : { ...it, text: `${it.text}${signs}`, cursor: it.cursor ?? it.text.length },
  );
  return { ...completion, end: completion.end + signs.length, items };
}

function matching(offers: readonly Offer[], word: string): Offer[] {
  const wanted = word.toLowerCase();
  const once = [...new Map(offers.map((it) => [it.text, it])).values()].filter((it) => it.text.trim() !== word);
  const begins = once.filter((it) => it.text.toLowerCase().startsWith(wanted));
  const holds =
    wanted === '' ? [] : once.filter((it) => !begins.includes(it) && it.text.toLowerCase().includes(wanted));
  return [...begins, ...holds].slice(0, mostItems);
}
