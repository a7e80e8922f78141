import uFuzzy from '@leeoniya/ufuzzy';
import { once } from '../../lib/once.ts';
import { finder, type Range } from '../../lib/text-matches.ts';

/** Making it loads a collator, 6 ms. */
const fuzzy = once(() => new uFuzzy({ intraMode: 1 }));

/** The words of a filter: those that must occur, must not occur, and occur approximately. */
function termsOf(filter: string) {
  const terms = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!' && term !== '~');
  return {
    needs: terms.filter((term) => !/^[!~]/.test(term)),
    bans: terms.filter((term) => term.startsWith('!')).map((term) => term.slice(1)),
    close: terms.filter((term) => term.startsWith('~')).map((term) => term.slice(1)),
  };
}

/** Compiles a filter: words that must all occur, `!word` that must not, `~word` that matches approximately. Case is ignored. The returned test takes lower-case text; undefined for an empty filter. */
export function matcher(filter: string): ((text: string) => boolean) | undefined {
  const { needs, bans, close } = termsOf(filter);
  if (needs.length + bans.length + close.length === 0) return undefined;
  return (text) =>
    needs.every((term) => text.includes(term)) &&
    !bans.some((term) => text.includes(term)) &&
    close.every((term) => (fuzzy().filter([text], term)?.length ?? 0) > 0);
}

/**
 * Picks with those first whose label is what was typed, then those that begin with it, that have it, and the rest, which match
 * by something else; each group in its order.
 */
export function nearestFirst<One extends { readonly label: string }>(
  picks: readonly One[],
  query: string,
): readonly One[] {
  const typed = query.trim().toLowerCase();
  if (typed === '') return picks;
  const distance = ({ label }: One): number => {
    const at = label.toLowerCase().indexOf(typed);
    return at < 0 ? 3 : at > 0 ? 2 : label.length > typed.length ? 1 : 0;
  };
  return picks.toSorted((one, other) => distance(one) - distance(other));
}

/** Where a text matches a filter, in order and without overlaps; undefined for a filter that marks nothing. */
export function highlighter(filter: string): ((text: string) => readonly Range[]) | undefined {
  const { needs, close } = termsOf(filter);
  if (needs.length + close.length === 0) return undefined;
  const finders = needs.map(finder);
  return (text) => {
    const exact = finders.flatMap((find) => find(text));
    const near = close.flatMap((term) => fuzzyRanges(text, term));
    const found = near.length === 0 ? exact : [...exact, ...near];
    return found.length < 2 ? found : apart(found);
  };
}

function fuzzyRanges(text: string, term: string): Range[] {
  const ids = fuzzy().filter([text], term) ?? [];
  const ranges = ids.length === 0 ? [] : (fuzzy().info(ids, [text], term).ranges[0] ?? []);
  return Array.from({ length: ranges.length / 2 }, (_, at) => ({
    start: ranges[at * 2] as number,
    end: ranges[at * 2 + 1] as number,
  }));
}

/** The ranges in order, those that touch as one. */
function apart(ranges: readonly Range[]): Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
