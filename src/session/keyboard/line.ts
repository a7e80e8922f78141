import { segments } from '../../lib/graphemes.ts';

/** One line of text being edited; the cursor counts graphemes, so an emoji is one step and one Backspace. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

const split = (text: string): string[] =>
  /^[\x20-\x7e]*$/.test(text) ? [...text] : Array.from(segments(text), (segment) => segment.segment);

/** A line with the cursor at its end. */
export function editedLine(text = ''): EditedLine {
  return { text, cursor: split(text).length };
}

/** Inserts text at the cursor; line breaks and tabs become spaces, other control characters are removed. */
export function insert(into: EditedLine, typed: string): EditedLine {
  const clean = typed.replace(/[\r\n\t]+/g, ' ').replace(/[\x00-\x1f\x7f-\x9f]/g, '');
  if (clean === '') return into;
  const parts = split(into.text);
  const before = parts.slice(0, into.cursor).join('') + clean;
  return { text: before + parts.slice(into.cursor).join(''), cursor: split(before).length };
}

/** The line after an editing key; undefined for any other key. */
export function edit(line: EditedLine, key: string): EditedLine | undefined {
  const parts = split(line.text);
  const cursor = line.cursor;
  const cut = (from: number, to: number): EditedLine => ({
    text: [...parts.slice(0, from), ...parts.slice(to)].join(''),
    cursor: from,
  });
  switch (key) {
    case 'left':
    case 'ctrl+b':
      return { ...line, cursor: Math.max(0, cursor - 1) };
    case 'right':
    case 'ctrl+f':
      return { ...line, cursor: Math.min(parts.length, cursor + 1) };
    case 'home':
    case 'ctrl+a':
      return { ...line, cursor: 0 };
    case 'end':
      return { ...line, cursor: parts.length };
    case 'alt+b':
    case 'ctrl+left':
    case 'alt+left':
      return { ...line, cursor: wordLeft(parts, cursor) };
    case 'alt+f':
    case 'ctrl+right':
    case 'alt+right':
      return { ...line, cursor: wordRight(parts, cursor) };
    case 'backspace':
      return cursor > 0 ? cut(cursor - 1, cursor) : line;
    case 'delete':
    case 'ctrl+d':
      return cut(cursor, cursor + 1);
    case 'ctrl+w':
    case 'alt+backspace':
      return cut(wordLeft(parts, cursor), cursor);
    case 'ctrl+u':
      return cut(0, cursor);
    case 'ctrl+k':
      return cut(cursor, parts.length);
    default:
      return undefined;
  }
}

/** The beginning of the word before a place; `apart` is what stands between words. */
export function wordLeft(parts: ArrayLike<string>, from: number, apart = / /): number {
  let at = from;
  while (apart.test(parts[at - 1] ?? '')) at -= 1;
  while (at > 0 && !apart.test(parts[at - 1] ?? '')) at -= 1;
  return at;
}

/** The end of the word after a place. */
export function wordRight(parts: ArrayLike<string>, from: number, apart = / /): number {
  let at = from;
  while (apart.test(parts[at] ?? '')) at += 1;
  while (at < parts.length && !apart.test(parts[at] ?? '')) at += 1;
  return at;
}
