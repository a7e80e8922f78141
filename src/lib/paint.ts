import { memoized } from './bounded-cache.ts';
import { escapeHidden, stringifyExact } from './json.ts';
import type { Painted } from './painted.ts';
import { graphemes, isEmoji, isSimple } from './text.ts';

/** Longest line that is drawn, in UTF-16 units; docs/design/reliability.md#painting. */
const longest = 4096;
/** Replacement for a character that would be invisible or act on the terminal. */
const mark = '␦';
/** Base character for combining marks without one. */
const carrier = '◌';
const marksPerCell = 8;

const ascii = /^[\x20-\x7e]*$/;
const combining = /^\p{M}$/u;
/** Marks that take no cell of their own. */
const hovering = /^[\p{Mn}\p{Me}]$/u;
/**
 * Controls, bidi and other format characters, zero-width and filler characters, line separators; then letters
 * that swallow the character after them into their own cell, skin tones and flag letters that stand alone,
 * and what Unicode has not assigned, which tmux drops: each of these four makes a row wider or narrower than it was measured.
 */
const hidden =
  /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{Cn}\p{EMod}\p{RI}\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]$/u;

const safe = memoized(4096, paintOne);

/**
 * Makes a string of the service safe to draw; every such string passes here. The result is well-formed, one line, at
 * most 4096 units, without control, escape, bidi, zero-width or tag characters: each is replaced by a visible one.
 * Null and undefined become the empty string, objects short JSON. Idempotent.
 */
export function paint(value: unknown): Painted {
  const text = typeof value === 'string' ? value : spell(value);
  if (ascii.test(text) && text.length <= longest) return text as Painted;
  return safe(text) as Painted;
}

/** Makes a text of several lines safe to draw: divides it at line breaks, then paints each line. */
export function paintLines(value: unknown): Painted[] {
  const text = typeof value === 'string' ? value : spell(value);
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map(paint);
}

/** These break a text into characters wherever they stand. */
const lone = /[\x00-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text whose only difficulty is that is drawn without the tables of Unicode, which take 50 ms to load: lone characters that get a
 * picture, and marks that join a Latin letter into another one. Undefined for any other text.
 */
function paintSimply(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const pictured = text.replace(lone, picture);
  if (isSimple(pictured)) return pictured;
  const joined = pictured.normalize('NFC');
  return isSimple(joined) ? joined : undefined;
}

function paintOne(given: string): string {
  const simply = paintSimply(given);
  if (simply !== undefined) return simply;
  // A vowel that joins the letter before, and yet has a cell of its own, is drawn in its two parts, which are measured alike.
  // A single cell may carry any number of marks, so the input is bounded as well as the output.
  const text = given.slice(0, longest * 8);
  let painted = '';
  let fits = '';
  for (const part of graphemes(text.toWellFormed().replace(/[\u0e33\u0eb3]/g, (letter) => letter.normalize('NFKC')))) {
    painted += paintGrapheme(part);
    if (painted.length > longest) return `${fits}…`;
    if (painted.length < longest) fits = painted;
  }
  return text.length === given.length ? painted : `${fits}…`;
}

function paintGrapheme(part: string): string {
  if (isSimple(part)) return part;
  if (isKept(part)) return steady(part);
  // A sequence that is no known emoji falls into known parts, its joiners become visible.
  if (part.includes('\u200d')) return part.split('\u200d').map(paintPiece).join(mark);
  return paintPiece(part);
}

function paintPiece(piece: string): string {
  if (isKept(piece)) return steady(piece);
  let out = '';
  let marks = 0;
  for (const letter of piece) {
    if (combining.test(letter) && !hidden.test(letter)) {
      if (out === '' && hovering.test(letter)) out = carrier;
      marks += 1;
      if (marks <= marksPerCell) out += letter;
      else if (marks === marksPerCell + 1) out += mark;
    } else {
      out += picture(letter);
      marks = 0;
    }
  }
  return out;
}

const isKept = (part: string): boolean => !/^\p{EMod}/u.test(part) && isEmoji(part);

/**
 * The form of an emoji that all terminals measure alike: without joiners, skin tones and variation selectors, because
 * terminals disagree on their width.
 */
function steady(whole: string): string {
  return /^[0-9#*]/.test(whole) ? whole.slice(0, 1) : whole.replace(/[\u200d\ufe0f\p{EMod}]/gu, '');
}

/** C0 controls and DEL become their Unicode pictures, so escape sequences stay readable: `␛[31m`. */
function picture(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return hidden.test(letter) ? mark : letter;
}

function spell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  try {
    const json = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
    return json.length > 240 ? `${json.slice(0, 239).toWellFormed()}…` : json;
  } catch {
    return '[an object that cannot be shown]';
  }
}

declare const isCopied: unique symbol;

/**
 * A text for the clipboard, made by one of the functions below: a shell without bracketed paste runs each line that it is
 * given, so a name of the service must not become two, nor hide a part of itself.
 */
export type Copied = string & { readonly [isCopied]: true };

/** Each text as one painted line. */
export const copiedLines = (texts: readonly string[]): Copied => texts.map(paint).join('\n') as Copied;

/** JSON in one line, with every invisible character as an escape of JSON. */
export const copiedJson = (value: unknown): Copied => escapeHidden(stringifyExact(value)) as Copied;

/** The text as it is: a command whose words are quoted, or a secret, which must arrive letter by letter. */
export const copiedExactly = (text: string): Copied => text as Copied;

/** Text of a service as one line of Markdown that shows just this text: no formatting, link or tag comes of it. */
export function markdownText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim()
      .replace(/[\\`*[\]<>|~#]|&(?=#?\w+;)/g, '\\$&')
      // Within a word an underscore is no formatting.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  );
}

/** A link with this text, or the text alone where there is no http(s) address. */
export function markdownLink(text: string, address: string | undefined): string {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return markdownText(text);
  return `[${markdownText(text)}](${url.href.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))})`;
}

/** A text as a part of a URL or of the name of a file. Half a character becomes U+FFFD: the bare function throws at it. */
export const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());
