import stringWidth from 'string-width';
import { memoized } from './bounded-cache.ts';
import { easyCells, easyCharacters } from './characters.ts';
import { segments } from './graphemes.ts';
import type { Painted } from './painted.ts';

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
  if (width <= 0) return '';
  if (cells(text) <= width) return text;
  const mark = cells(ellipsis) <= width ? ellipsis : '';
  return clip(text, width - cells(mark)).text + mark;
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
  if (width <= 0) return '';
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
  const shown = size / step.of;
  const text = shown >= 100 ? String(Math.floor(shown)) : String(Math.floor(shown * 10) / 10);
  return `${value < 0 ? '-' : ''}${text}${step.unit}`;
}

/** `1 issue`, `5 issues`, `2 queries`; the number in full, as a person must be able to check it. */
export function plural(amount: number | bigint, one: string, many = manyOf(one)): string {
  return `${amount} ${pluralNoun(amount, one, many)}`;
}

/** The noun alone, for an amount that is written in another way: `issue` of 1, `issues` of 5. */
export const pluralNoun = (amount: number | bigint, one: string, many = manyOf(one)): string =>
  Number(amount) === 1 ? one : many;

function manyOf(one: string): string {
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
