import uFuzzy from '@leeoniya/ufuzzy';

const fuzzy = new uFuzzy({ intraMode: 1 });

/**
 * Compiles a filter: words that must all occur, `!word` that must not, `~word` that matches approximately. Case is
 * ignored. The returned test takes lower-case text; undefined for an empty filter.
 */
export function matcher(filter: string): ((text: string) => boolean) | undefined {
  const terms = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!' && term !== '~');
  if (terms.length === 0) return undefined;
  const needs = terms.filter((term) => !/^[!~]/.test(term));
  const bans = terms.filter((term) => term.startsWith('!')).map((term) => term.slice(1));
  const close = terms.filter((term) => term.startsWith('~')).map((term) => term.slice(1));
  return (text) =>
    needs.every((term) => text.includes(term)) &&
    !bans.some((term) => text.includes(term)) &&
    close.every((term) => (fuzzy.filter([text], term)?.length ?? 0) > 0);
}
