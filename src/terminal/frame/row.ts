import { cells, graphemes, isSimple } from '../../lib/text.ts';
import { linkableUrl } from '../hyperlinks.ts';
import { plain, type Styles } from './style.ts';

/** One row of the terminal. A wide character is followed by a cell with an empty text. */
export interface Row {
  readonly texts: readonly string[];
  /** Numbers of `Styles`. */
  readonly styles: readonly number[];
}

/** A row of blanks. */
export const blankRow = (columns: number): Row => ({
  texts: Array<string>(columns).fill(' '),
  styles: Array<number>(columns).fill(plain),
});

/** The sequences that style text: SGR, and links (OSC 8). Nothing else of a line has an effect. */
const styling = /\u001B\[([\d;]*)m|\u001B\]8;[^;\u0007\u001B]*;([!-~]*)(?:\u0007|\u001B\\)/g;

/** What a terminal would act on, and marks that turn the direction of text. */
const foreign =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/**
 * A line of the renderer as cells: exactly `columns`, cut or filled with blanks. Only styling sequences are read; each other
 * control character becomes `?`, so that no byte of a line reaches the terminal as a command.
 */
export function readRow(line: string, columns: number, styles: Styles): Row {
  const texts: string[] = [];
  const numbers: number[] = [];
  const whole = line.isWellFormed() ? line : line.toWellFormed();
  let style: number = plain;
  const add = (from: number, to: number) => {
    if (from === to) return;
    const text = whole.slice(from, to);
    const blank = styles.ofBlank(style);
    if (isSimple(text)) {
      const room = Math.min(text.length, columns - texts.length);
      for (let at = 0; at < room; at += 1) {
        const letter = text[at] as string;
        texts.push(letter);
        numbers.push(letter === ' ' ? blank : style);
      }
      return;
    }
    for (const letter of graphemes(text.replace(foreign, '?'))) {
      const width = letter === ' ' ? 1 : cells(letter);
      if (width === 0) {
        // A mark without a base of its own belongs to the cell before.
        const base = texts.findLastIndex((before) => before !== '');
        if (base >= 0) texts[base] += letter;
        continue;
      }
      if (texts.length + width > columns) return;
      texts.push(letter, ...Array<string>(width - 1).fill(''));
      for (let cell = 0; cell < width; cell += 1) numbers.push(letter === ' ' ? blank : style);
    }
  };
  let from = 0;
  for (const match of whole.matchAll(styling)) {
    const [{ length }, parameters, link = ''] = match;
    add(from, match.index);
    from = match.index + length;
    if (parameters !== undefined) style = styles.styled(style, parameters);
    else style = styles.linked(style, link !== '' && linkableUrl(link) === link ? link : '');
  }
  add(from, whole.length);
  while (texts.length < columns) {
    texts.push(' ');
    numbers.push(plain);
  }
  return { texts, styles: numbers };
}

/** Characters whose width terminals disagree about: emoji, flags, marks, and what is newer than most of them. */
const disputed = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{M}\u{10000}-\u{10FFFF}]/u;

/** Whether every terminal moves its cursor by the same number of cells for this text. */
export function hasSureWidth(text: string): boolean {
  const code = text.charCodeAt(0);
  // Latin letters, lines and blocks are most of every screen.
  const isCommon = text.length === 1 && (code < 0xa9 || (code >= 0x2500 && code < 0x25a0));
  return isCommon || !disputed.test(text);
}
