import { columnAt, placeAt, rowAt, type TextRow, textRows } from '../../lib/form-text.ts';
import { graphemeAfter, graphemeBefore, graphemeBoundary } from '../../lib/text.ts';

/**
 * A text being edited. The cursor counts UTF-16 units, as diagnostics and completions do, and is always between two graphemes: an
 * emoji is one step and one Backspace.
 */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

/** A line with the cursor at its end. */
export const editedLine = (text = ''): EditedLine => ({ text, cursor: text.length });

/** The line with other text from one place to another; the cursor is behind that. */
function spliced({ text: before }: EditedLine, from: number, to: number, typed: string): EditedLine {
  const text = before.slice(0, from) + typed + before.slice(to);
  return { text, cursor: graphemeBoundary(text, from + typed.length) };
}

/** Inserts text at the cursor; line breaks and tabs become spaces, other control characters are removed. */
export const insert = (line: EditedLine, typed: string): EditedLine =>
  spliced(line, line.cursor, line.cursor, typed.replace(/[\r\n\t]+/g, ' ').replace(/[\x00-\x1f\x7f-\x9f]/g, ''));

/** The line after an editing key; undefined for any other key. */
export function edit(line: EditedLine, key: string): EditedLine | undefined {
  const { text, cursor } = line;
  switch (key) {
    case 'home':
    case 'ctrl+a':
      return { text, cursor: 0 };
    case 'end':
      return { text, cursor: text.length };
    case 'ctrl+u':
      return spliced(line, 0, cursor, '');
    case 'ctrl+k':
      return spliced(line, cursor, text.length, '');
  }
  const step = stepOf(line, key, / /);
  if (!step) return undefined;
  if (!step.cuts) return { text, cursor: graphemeBoundary(text, step.to) };
  return spliced(line, Math.min(step.to, cursor), Math.max(step.to, cursor), '');
}

/** A place that keys lead to from another, by a character or a word; `apart` is what stands between words. */
type Reach = (text: string, from: number, apart: RegExp) => number;

/** Where keys take the cursor, in a line and in a text of several alike. */
const moves: Readonly<Record<string, Reach>> = {
  left: graphemeBefore,
  'ctrl+b': graphemeBefore,
  right: graphemeAfter,
  'ctrl+f': graphemeAfter,
  'alt+b': wordLeft,
  'ctrl+left': wordLeft,
  'alt+left': wordLeft,
  'alt+f': wordRight,
  'ctrl+right': wordRight,
  'alt+right': wordRight,
};

/** Up to where keys cut. */
const cuts: Readonly<Record<string, Reach>> = {
  backspace: graphemeBefore,
  delete: graphemeAfter,
  'ctrl+d': graphemeAfter,
  'ctrl+w': wordLeft,
  'alt+backspace': wordLeft,
  'alt+d': wordRight,
};

function stepOf({ text, cursor }: EditedLine, key: string, apart: RegExp) {
  const reach = moves[key] ?? cuts[key];
  return reach && { to: reach(text, cursor, apart), cuts: Object.hasOwn(cuts, key) };
}

/** The beginning of the word before a place. */
function wordLeft(text: string, from: number, apart: RegExp): number {
  let at = from;
  while (apart.test(text[at - 1] ?? '')) at -= 1;
  while (at > 0 && !apart.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

/** The end of the word after a place. */
function wordRight(text: string, from: number, apart: RegExp): number {
  let at = from;
  while (apart.test(text[at] ?? '')) at += 1;
  while (at < text.length && !apart.test(text[at] ?? '')) at += 1;
  return at;
}

/** A text of several lines being edited, with undo. */
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
  const next = spliced(editor, from, to, text);
  if (next.text === editor.text) return moved(editor, next.cursor);
  const past = goesOn ? editor.past : [...editor.past.slice(1 - deepest), lineOf(editor)];
  return { ...next, past, future: [] };
}

/** Moves the cursor and begins a new undo step. */
export function moved(editor: Editor, at: number, column?: number): Editor {
  return { ...editor, cursor: graphemeBoundary(editor.text, at), run: undefined, column };
}

/** The text as it is, for a step back to it. */
const lineOf = ({ text, cursor }: EditedLine): EditedLine => ({ text, cursor });

/** Undoes one step. */
export function typingUndone(editor: Editor): Editor {
  const before = editor.past.at(-1);
  if (!before) return editor;
  return { ...before, past: editor.past.slice(0, -1), future: [...editor.future, lineOf(editor)] };
}

/** Redoes the step that was undone last. */
export function typingRedone(editor: Editor): Editor {
  const after = editor.future.at(-1);
  if (!after) return editor;
  return { ...after, past: [...editor.past, lineOf(editor)], future: editor.future.slice(0, -1) };
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
  const { text, cursor } = editor;
  const cut = (from: number, to: number) => replaced(editor, from, to, '');
  switch (key) {
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
    case 'backspace': {
      const goesOn = editor.run === 'cutting';
      return { ...replaced(editor, graphemeBefore(text, cursor), cursor, '', goesOn), run: 'cutting' };
    }
    case 'ctrl+u': {
      const start = text.lastIndexOf('\n', cursor - 1) + 1;
      return cut(start === cursor ? graphemeBefore(text, cursor) : Math.min(start, cursor), cursor);
    }
    case 'ctrl+k': {
      const found = text.indexOf('\n', cursor);
      const end = found < 0 ? text.length : found;
      return cut(cursor, end === cursor ? graphemeAfter(text, cursor) : end);
    }
    case 'alt+return':
      return replaced(editor, cursor, cursor, '\n');
    case 'ctrl+_':
    case 'alt+u':
      return typingUndone(editor);
    case 'alt+r':
      return typingRedone(editor);
  }
  const step = stepOf(editor, key, apart);
  if (!step) return undefined;
  return step.cuts ? cut(Math.min(step.to, cursor), Math.max(step.to, cursor)) : moved(editor, step.to);
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
