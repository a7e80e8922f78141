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
  for (let from = at - typed.length; from <= at; from = nextStart(query, from, at)) {
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

/** The next place where a word may begin: behind the next sign that is no letter; behind the end after the last one. */
function nextStart(query: string, from: number, at: number): number {
  const sign = /[^\w]/.exec(query.slice(from, at));
  return from < at ? (sign ? from + sign.index + 1 : at) : at + 1;
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
