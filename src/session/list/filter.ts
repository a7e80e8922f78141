import uFuzzy from '@leeoniya/ufuzzy';

const fuzzy = new uFuzzy({ intraMode: 1 });

/**
 * What `/` means: words that must all occur, `!word` that must not, `~word` whose letters need only come close.
 * Case is ignored. The returned test is made once for a filter and run once a row.
 */
export function matcher(filter: string): ((text: string) => boolean) | undefined {
  const terms = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((it) => it !== '' && it !== '!' && it !== '~');
  if (terms.length === 0) return undefined;
  const needs = terms.filter((it) => !/^[!~]/.test(it));
  const bans = terms.filter((it) => it.startsWith('!')).map((it) => it.slice(1));
  const close = terms.filter((it) => it.startsWith('~')).map((it) => it.slice(1));
  return (text) =>
    needs.every((it) => text.includes(it)) &&
    !bans.some((it) => text.includes(it)) &&
    close.every((it) => (fuzzy.filter([text], it)?.length ?? 0) > 0);
}
