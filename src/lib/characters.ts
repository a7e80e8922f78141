/**
 * Characters, their cells and emoji without the tables of ICU. Splitting a text by `Intl.Segmenter` for the first time takes 10 ms, and
 * the set of all emoji, of which `string-width` asks each character, 45 ms in one stretch; what is here takes 10 ms, and 20 more at the
 * first emoji that is joined from several. The tests compare it with both, letter by letter.
 */
import { once } from './once.ts';

/** Letters, digits, signs and spaces that join no neighbor. */
const loose =
  '[[\\p{L}\\p{N}\\p{P}\\p{S}\\p{Zs}\\p{Co}]--[\\p{DI}\\p{EMod}\\p{RI}\\u0d4e\\u0e33\\u0eb3\\u1100-\\u11ff\\ua960-\\ua97c\\ud7b0-\\ud7fb\\uff9e-\\uffa0\\u{10000}-\\u{1d3ff}]]';
/** What joins the character before it and takes no cell: marks of scripts in which no mark joins two letters, and parts of emoji. */
const extending = '[[\\u0300-\\u0670\\u0e31-\\u0ece\\u20d0-\\u20f0\\u3099\\u309a]&&\\p{M}]\\ufe0f\\p{EMod}';
const joining = `[${extending}\\u200d]`;

const easy = once(() => new RegExp(`^[${loose}\\p{RI}${extending}\\u200d]*$`, 'v'));
const character = once(
  () => new RegExp(`(?:\\p{RI}{1,2}|\\p{ExtPict}(?:[${extending}]*\\u200d\\p{ExtPict})*|[^])${joining}*`, 'gv'),
);

/** Letters of two cells that are no emoji. */
const wide = once(
  () =>
    /^(?!\p{RI})[\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4c6\uac00-\ud7a3\uf900-\ufad9\ufe10-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f265}\u{20000}-\u{33479}\p{EPres}]/u,
);

/** Known emoji; each set is compiled when it is first needed. */
const joined = once(() => /^\p{RGI_Emoji_ZWJ_Sequence}$/v);
const single = once(
  () => /^[\p{Basic_Emoji}\p{Emoji_Keycap_Sequence}\p{RGI_Emoji_Flag_Sequence}\p{RGI_Emoji_Modifier_Sequence}]$/v,
);

/** Whether a character is a known emoji (`\p{RGI_Emoji}`); flags of regions, which are spelled in invisible letters, are none here. */
export const isEmoji = (text: string): boolean => (text.includes('\u200d') ? joined() : single()).test(text);

/** What a person sees as single characters, in order; undefined for a text with letters that take the tables of ICU. */
export const easyCharacters = (text: string): string[] | undefined =>
  easy().test(text) ? (text.match(character()) ?? []) : undefined;

/** Cells of a text of such letters, as `string-width` counts them; undefined for any other. */
export const easyCells = (text: string): number | undefined =>
  easyCharacters(text)?.reduce((cells, part) => cells + cellsOf(part), 0);

function cellsOf(part: string): number {
  const base = part.replace(leading(), '');
  if (base === '') return 0;
  return wide().test(base) || unknown.test(part) || (part.length > 1 && isEmoji(part)) ? 2 : 1;
}

/** Emoji that are joined, or keys, in another way than the known ones. */
const unknown = /\p{ExtPict}.+\p{ExtPict}|^[\d#*]\u20e3$/u;
/** At the start of a text there may be nothing that these join. */
const leading = once(() => new RegExp(`^[[${extending}\\u200d]--\\p{EMod}]+`, 'v'));
