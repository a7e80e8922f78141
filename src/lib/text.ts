import { createHash } from 'node:crypto';
import stringWidth from 'string-width';
import { memoized } from './bounded-cache.ts';
import { once } from './function-results.ts';
import type { Painted } from './painted.ts';

/**
 * Characters, their cells and emoji without the tables of ICU. Splitting a text by `Intl.Segmenter` for the first time takes 10 ms, and
 * the set of all emoji, of which `string-width` asks each character, 45 ms in one stretch; what is here takes 10 ms, and 20 more at the
 * first emoji that is joined from several. The tests compare it with both, letter by letter.
 */

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

/** Loading the rules of ICU takes 13 ms, which most starts do not need. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** What a person sees as single characters. */
const segments = (text: string): Intl.Segments => segmenter().segment(text);

/**
 * Texts of characters with one cell each that no neighbor joins: ASCII, Latin letters, punctuation, arrows, pictures of
 * control characters, lines, blocks. They
 * are most of every screen, and need neither a table of widths nor a search for the ends of characters.
 */
export const isSimple = (text: string): boolean => simple.test(text);
const simple = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2400-\u2426\u2500-\u25fc]*$/;
const measured = memoized(8192, (text) => easyCells(text) ?? stringWidth(text));

/**
 * Terminal cells that a painted text takes: the answer that the renderer's own measuring gives.
 * Simple texts cost nothing; the rest is remembered.
 */
export function cells(text: string): number {
  return simple.test(text) ? text.length : measured(text);
}

/** What a person sees as single characters, in order. */
export function graphemes(text: Painted): Painted[];
export function graphemes(text: string): string[];
export function graphemes(text: string): string[] {
  if (simple.test(text)) return text.split('');
  return easyCharacters(text) ?? Array.from(segments(text), ({ segment }) => segment);
}

/** The longest beginning that takes at most `width` cells, whole characters only, and the cells it takes. */
export function clip(text: Painted, width: number): { readonly text: Painted; readonly cells: number };
export function clip(text: string, width: number): { readonly text: string; readonly cells: number };
export function clip(text: string, width: number): { readonly text: string; readonly cells: number } {
  if (width <= 0) return { text: '', cells: 0 };
  if (simple.test(text)) return { text: text.slice(0, width), cells: Math.min(text.length, width) };
  const whole = cells(text);
  if (whole <= width) return { text, cells: whole };
  let clipped = '';
  let used = 0;
  for (const segment of graphemes(text)) {
    const next = used + cells(segment);
    if (next > width) break;
    clipped += segment;
    used = next;
  }
  return { text: clipped, cells: used };
}

/** At most `width` cells; what is left out is told by the ellipsis. Not padded. */
export function cut(text: Painted, width: number, ellipsis?: Painted | ''): Painted;
export function cut(text: string, width: number, ellipsis?: string): string;
export function cut(text: string, width: number, ellipsis = '…'): string {
  if (cells(text) <= width) return text;
  const mark = cells(ellipsis) <= width ? ellipsis : '';
  return clip(text, width - cells(mark)).text + mark;
}

/** At most `most` UTF-16 units of a text that may be long and is not painted, whole characters only; the ellipsis is one of them. */
export function shortened(text: string, most = 30): string {
  if (text.length <= most) return text;
  let start = '';
  for (const letter of graphemes(text.slice(0, most * 2))) {
    if (start.length + letter.length >= most) break;
    start += letter;
  }
  return `${start}…`;
}

/** Cuts a text after the last whole sentence, or part of one, that fits: half a word more says nothing in a help. */
export function cutAfterPart(text: Painted, width: number, ellipsis?: Painted): Painted;
export function cutAfterPart(text: string, width: number, ellipsis?: string): string;
export function cutAfterPart(text: string, width: number, ellipsis = '…'): string {
  const kept = cut(text, width, ellipsis);
  const fitting = kept === text ? '' : text.slice(0, kept.length + 1);
  const end = Math.max(fitting.lastIndexOf('; '), fitting.lastIndexOf('. '));
  return end < 0 ? kept : kept.slice(0, end) + ellipsis;
}

/**
 * At most `width` cells, shortened in its middle: of a sentence, the end is worth as much as the beginning
 * (until when, of what).
 */
export function squeeze(text: Painted, width: number, ellipsis?: Painted): Painted;
export function squeeze(text: string, width: number, ellipsis?: string): string;
export function squeeze(text: string, width: number, ellipsis = '…'): string {
  if (cells(text) <= width) return text;
  const room = width - cells(ellipsis);
  if (room < 8) return cut(text, width, ellipsis);
  const head = clip(text, Math.floor(room / 2)).text;
  const letters = graphemes(text);
  let tail = '';
  for (let at = letters.length - 1; at >= 0; at -= 1) {
    const longer = (letters[at] ?? '') + tail;
    if (cells(longer) > room - cells(head)) break;
    tail = longer;
  }
  return head + ellipsis + tail;
}

/** Exactly `width` cells: cut with the ellipsis or padded with spaces; a wide character is never split. */
export function fit(text: Painted, width: number, align?: 'left' | 'right', ellipsis?: Painted): Painted;
export function fit(text: string, width: number, align?: 'left' | 'right', ellipsis?: string): string;
export function fit(text: string, width: number, align: 'left' | 'right' = 'left', ellipsis = '…'): string {
  const kept = cut(text, width, ellipsis);
  const pad = ' '.repeat(Math.max(0, width - cells(kept)));
  return align === 'left' ? kept + pad : pad + kept;
}

/** Signs after which a word that is longer than a line may be broken. */
const breaks: ReadonlySet<string> = new Set(',;:/.)]}&?-');

/**
 * One text as lines of at most `width` cells, broken after spaces where possible, else after the last of signs such as `,` or
 * `/` in the second half of the line. Nothing is left out: the lines joined are the text again. A character wider than `width`
 * stands alone on its line.
 */
export function wrap(text: Painted, width: number): Painted[];
export function wrap(text: string, width: number): string[];
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over letters: line, width and the last good break are one state
export function wrap(text: string, width: number): string[] {
  const room = Math.max(1, width);
  if (cells(text) <= room) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  let soft = { length: 0, used: 0 };
  const end = () => {
    if (line !== '') lines.push(line);
    line = '';
    used = 0;
    soft = { length: 0, used: 0 };
  };
  for (const word of text.match(/[^ ]* +|[^ ]+$/g) ?? []) {
    const wide = cells(word);
    if (used + wide <= room) {
      line += word;
      used += wide;
      soft = { length: line.length, used };
      continue;
    }
    if (wide <= room) end();
    const letters = wide <= room ? [word] : graphemes(word);
    for (const [index, letter] of letters.entries()) {
      const step = cells(letter);
      if (used + step > room) {
        const carried = soft.used * 2 >= room && used - soft.used + step <= room ? line.slice(soft.length) : '';
        const wideCarried = carried === '' ? 0 : used - soft.used;
        line = line.slice(0, line.length - carried.length);
        end();
        line = carried;
        used = wideCarried;
      }
      line += letter;
      used += step;
      if (breaks.has(letter) && !breaks.has(letters[index + 1] ?? '')) soft = { length: line.length, used };
    }
  }
  end();
  return lines;
}

const steps = [
  { from: 1e12, of: 1e12, unit: 'T' },
  { from: 1e9, of: 1e9, unit: 'G' },
  { from: 1e6, of: 1e6, unit: 'M' },
  { from: 1e4, of: 1e3, unit: 'k' },
] as const;

/** A count in at most five cells: 9124, 12.3k, 1.2M. Never rounded up: there are at least that many. */
export function formatCount(amount: number | bigint): string {
  const value = Number(amount);
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const step = steps.find((candidate) => size >= candidate.from);
  if (step === undefined) return String(Math.trunc(value));
  const shown = value / step.of;
  const text = size >= 100 * step.of ? Math.trunc(shown) : Math.trunc(shown * 10) / 10;
  return `${text}${step.unit}`;
}

/** `1 issue`, `5 issues`, `2 queries`; the number in full, as a person must be able to check it. */
export const plural = (amount: number | bigint, one: string): string => `${amount} ${pluralNoun(amount, one)}`;

/** The noun alone, for an amount that is written in another way: `issue` of 1, `issues` of 5. */
export function pluralNoun(amount: number | bigint, one: string): string {
  if (Number(amount) === 1) return one;
  if (/[^aeiou]y$/.test(one)) return `${one.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(one) ? `${one}es` : `${one}s`;
}

const bars = { unicode: '▁▂▃▄▅▆▇█', ascii: '_.:-=+*#' } as const;

/**
 * The course of a number in exactly `width` cells, newest at the right; the lowest sample is the lowest bar.
 * A course that never changed is flat and low.
 */
export function sparkline(samples: readonly number[], width: number, ascii = false): string {
  if (width <= 0) return '';
  const marks = ascii ? bars.ascii : bars.unicode;
  const shown = samples.slice(-width);
  const known = shown.filter(Number.isFinite);
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  const line = shown.map((sample) => {
    if (!Number.isFinite(sample)) return ' ';
    return marks[span === 0 ? 0 : Math.round(((sample - low) / span) * (marks.length - 1))] ?? ' ';
  });
  return line.join('').padStart(width);
}

/** A text that begins a title, a label or a sentence: `Span rate`. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A member's name as the label of its value: `Account ID` of `account_id`. */
export const nameTitle = (name: string): string => capitalized(name.replaceAll('_', ' ')).replaceAll(/\bid\b/gi, 'ID');

/** The flag of a field: `--trace-rate` for `traceRate`. */
export const flagName = (field: string): string =>
  `--${field.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** A sentence as the rest of another one: `saved checkout`. A first word in capitals, such as `SLO`, stays. */
export const continued = (sentence: string): string =>
  /^[A-Z][^A-Z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;

/** The words of a text that are joined by commas, without space around them; empty ones are left out. */
export const commaWords = (text: string | null | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** `a, b, c and 4 more` */
export const firstThree = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;

/** `yes`, `no`, or undefined where it is unknown. */
export const yesNo = (told: boolean | null | undefined): string | undefined =>
  told == null ? undefined : told ? 'yes' : 'no';

/**
 * Places in a text between what a person sees as single characters, counted in UTF-16 units. A line break of two units is
 * one character. Only the letters around the place are looked at: the length of the text costs nothing while it is Latin.
 */

/** Whether a UTF-16 unit never combines with its neighbors. */
const isLoose = (unit = ' '): boolean => /[\x20-\x7e\n]/.test(unit);

/** The place one character further left; 0 at the start. */
export function graphemeBefore(text: string, at: number): number {
  const isEasy = isLoose(text[at - 1]) && isLoose(text[at - 2]) && isLoose(text[at]);
  return isEasy ? Math.max(0, at - 1) : (segments(text).containing(at - 1)?.index ?? 0);
}

/** The place one character further right; the length of the text at its end. */
export function graphemeAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isLoose(text[at]) && isLoose(text[at + 1])) return at + 1;
  const found = segments(text).containing(at);
  return found ? found.index + found.segment.length : text.length;
}

/** The position itself, or the end of the grapheme that it would split. */
export function graphemeBoundary(text: string, at: number): number {
  const place = Math.max(0, Math.min(text.length, Math.trunc(at)));
  if (isLoose(text[place - 1]) && isLoose(text[place])) return place;
  const found = segments(text).containing(place);
  return !found || found.index === place ? place : found.index + found.segment.length;
}

/**
 * The title of an action in the past: `muted`, `added user`, `enabled/disabled`; of two halves the first where `isFirst`,
 * the second where it is false.
 */
export function pastTense(title: string, isFirst?: boolean): string {
  return title.replace(/^[a-z]+(?:\/[a-z]+)*(?=$|[ ,])/, (words) => {
    const [first = '', second, ...others] = words.split('/').map(pastOf);
    if (second === undefined || others.length > 0 || isFirst === undefined)
      return words.split('/').map(pastOf).join('/');
    return isFirst ? first : second;
  });
}

const irregular: Readonly<Record<string, string>> = { new: 'created', undo: 'undid', set: 'set' };

const pastOf = (verb: string): string => irregular[verb] ?? `${verb.replace(/e$/, '').replace(/y$/, 'i')}ed`;

/** First 12 hex digits of the SHA-256 of a text. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
