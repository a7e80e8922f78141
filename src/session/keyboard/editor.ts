import { columnAt, placeAt, rowAt, type TextRow, textRows } from '../../lib/form-text.ts';
import { graphemeAfter, graphemeBefore, graphemeBoundary, segments } from '../../lib/text.ts';

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
function wordLeft(parts: ArrayLike<string>, from: number, apart = / /): number {
  let at = from;
  while (apart.test(parts[at - 1] ?? '')) at -= 1;
  while (at > 0 && !apart.test(parts[at - 1] ?? '')) at -= 1;
  return at;
}

/** The end of the word after a place. */
function wordRight(parts: ArrayLike<string>, from: number, apart = / /): number {
  let at = from;
  while (apart.test(parts[at] ?? '')) at += 1;
  while (at < parts.length && !apart.test(parts[at] ?? '')) at += 1;
  return at;
}

/**
 * A multi-line text being edited, with undo. The cursor counts UTF-16 units, as diagnostics and completions do, and is
 * always between two graphemes: an emoji is one step and one Backspace.
 */
export interface Editor extends EditedLine {
  readonly past: readonly EditedLine[];
  readonly future: readonly EditedLine[];
  /** The kind of the last change, while another of this kind joins its undo step. */
  readonly run?: 'typing' | 'cutting' | undefined;
  /** The column that up and down keep, in cells. */
  readonly column?: number | undefined;
}

/** Undo steps kept. */
const deepest = 100;
const pageRows = 5;
const apart = /[\s(){}:,."']/;

/** An editor with the cursor at the end of the text. */
export const editor = (text = ''): Editor => ({ text, cursor: text.length, past: [], future: [] });

/** Inserts typed text. A word and the separator after it are one undo step. */
export function typed(editor: Editor, text: string): Editor {
  const beginsWord = !apart.test(text) && apart.test(editor.text[editor.cursor - 1] ?? 'a');
  const goesOn = editor.run === 'typing' && !beginsWord;
  return { ...replaced(editor, editor.cursor, editor.cursor, clean(text), goesOn), run: 'typing' };
}

/** Inserts pasted text as one undo step. Line breaks stay, tabs become spaces, other control characters are removed. */
export const pasted = (editor: Editor, text: string): Editor =>
  replaced(editor, editor.cursor, editor.cursor, clean(text));

const clean = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, '  ')
    .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '');

/** Replaces the units from `from` to `to`; the cursor is after the new text. `goesOn`: joins the previous undo step. */
export function replaced(editor: Editor, from: number, to: number, text: string, goesOn = false): Editor {
  const next = editor.text.slice(0, from) + text + editor.text.slice(to);
  if (next === editor.text) return moved(editor, from + text.length);
  const past = goesOn ? editor.past : [...editor.past.slice(1 - deepest), { text: editor.text, cursor: editor.cursor }];
  return { text: next, cursor: graphemeBoundary(next, from + text.length), past, future: [] };
}

/** Moves the cursor and begins a new undo step. */
export function moved(editor: Editor, at: number, column?: number): Editor {
  return { ...editor, cursor: graphemeBoundary(editor.text, at), run: undefined, column };
}

/** Undoes one step. */
export function typingUndone(editor: Editor): Editor {
  const before = editor.past.at(-1);
  if (!before) return editor;
  return {
    ...before,
    past: editor.past.slice(0, -1),
    future: [...editor.future, { text: editor.text, cursor: editor.cursor }],
  };
}

/** Redoes the step that was undone last. */
export function typingRedone(editor: Editor): Editor {
  const after = editor.future.at(-1);
  if (!after) return editor;
  return {
    ...after,
    past: [...editor.past, { text: editor.text, cursor: editor.cursor }],
    future: editor.future.slice(0, -1),
  };
}

/** Moves the cursor by one row as drawn in `width` cells; undefined where there is no such row. */
export function movedByRow(editor: Editor, by: 1 | -1, width: number): Editor | undefined {
  const rows = textRows(editor.text, width);
  const row = rowAt(rows, editor.cursor);
  const to = rows[row + by];
  if (!to) return undefined;
  const column = editor.column ?? columnAt(editor.text, rows[row] as TextRow, editor.cursor);
  const place = placeAt(editor.text, to, column);
  return moved(editor, isNext(rows, row + by, place) ? graphemeBefore(editor.text, place) : place, column);
}

/** Moves the cursor by a page, at most to the first or the last row. */
function paged(editor: Editor, by: 1 | -1, width: number): Editor {
  let now = editor;
  for (let left = pageRows; left > 0; left -= 1) now = movedByRow(now, by, width) ?? now;
  return now;
}

/** Whether this place is also the start of the next row, where the cursor is drawn then. */
const isNext = (rows: readonly TextRow[], row: number, at: number): boolean => rows[row + 1]?.start === at;

/** The editor after an editing key, as drawn in `width` cells; undefined for any other key. */
export function edited(editor: Editor, key: string, width: number): Editor | undefined {
  const { text, cursor: row } = editor;
  const cut = (from: number, to: number) => replaced(editor, from, to, '');
  switch (key) {
    case 'left':
    case 'ctrl+b':
      return moved(editor, graphemeBefore(text, row));
    case 'right':
    case 'ctrl+f':
      return moved(editor, graphemeAfter(text, row));
    case 'home':
    case 'ctrl+a':
      return moved(editor, rowOf(editor, width).start);
    case 'end':
      return moved(editor, rowEnd(editor, width));
    case 'ctrl+home':
    case 'alt+<':
      return moved(editor, 0);
    case 'ctrl+end':
    case 'alt+>':
      return moved(editor, text.length);
    case 'pageup':
    case 'pagedown':
      return paged(editor, key === 'pageup' ? -1 : 1, width);
    case 'alt+b':
    case 'ctrl+left':
    case 'alt+left':
      return moved(editor, wordLeft(text, row, apart));
    case 'alt+f':
    case 'ctrl+right':
    case 'alt+right':
      return moved(editor, wordRight(text, row, apart));
    case 'backspace': {
      const goesOn = editor.run === 'cutting';
      return { ...replaced(editor, graphemeBefore(text, row), row, '', goesOn), run: 'cutting' };
    }
    case 'delete':
    case 'ctrl+d':
      return cut(row, graphemeAfter(text, row));
    case 'ctrl+w':
    case 'alt+backspace':
      return cut(wordLeft(text, row, apart), row);
    case 'alt+d':
      return cut(row, wordRight(text, row, apart));
    case 'ctrl+u': {
      const start = text.lastIndexOf('\n', row - 1) + 1;
      return cut(start === row ? graphemeBefore(text, row) : Math.min(start, row), row);
    }
    case 'ctrl+k': {
      const found = text.indexOf('\n', row);
      const end = found < 0 ? text.length : found;
      return cut(row, end === row ? graphemeAfter(text, row) : end);
    }
    case 'alt+return':
      return replaced(editor, row, row, '\n');
    case 'ctrl+_':
    case 'alt+u':
      return typingUndone(editor);
    case 'alt+r':
      return typingRedone(editor);
    default:
      return undefined;
  }
}

function rowOf({ text, cursor }: Editor, width: number): TextRow {
  const rows = textRows(text, width);
  return rows[rowAt(rows, cursor)] as TextRow;
}

function rowEnd({ text, cursor }: Editor, width: number): number {
  const rows = textRows(text, width);
  const at = rowAt(rows, cursor);
  const end = (rows[at] as TextRow).end;
  return isNext(rows, at, end) ? graphemeBefore(text, end) : end;
}
