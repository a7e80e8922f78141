import { ESC } from '../sequences.ts';
import { move, type Pen, type Stroke, write } from './pen.ts';
import { hasSureWidth, type Row } from './row.ts';
import { plain, type Styles } from './style.ts';

/** Cells from `from` to before `to`: to write, or to erase where all of them become plain blanks. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly isErased: boolean;
}

/** Fewer blanks are written: erasing them takes a sequence and a move behind them. */
const fewestErased = 9;

/** The bytes that turn the row `before` into `after` on the terminal, and the pen after them. */
export function drawRow(pen: Pen, styles: Styles, at: number, before: Row, after: Row): Stroke {
  let bytes = '';
  let now = pen;
  for (const run of runsOf(before, after)) {
    const gap = now.row === at ? bridge(now, styles, after, run) : undefined;
    if (gap) {
      bytes += gap.bytes;
      now = gap.pen;
    } else {
      bytes += move(now, at, run.from);
      now = { ...now, row: at, column: run.from };
    }
    const stroke = run.isErased
      ? erase(now, styles, run, after.texts.length)
      : write(now, styles, after, run.from, run.to);
    bytes += stroke.bytes;
    now = stroke.pen;
  }
  return { bytes, pen: now };
}

/** Writes the unchanged cells between the pen and the run, where that takes no more bytes than a move over them. */
function bridge(pen: Pen, styles: Styles, row: Row, run: Run): Stroke | undefined {
  const { column } = pen;
  if (column === undefined || column > run.from) return undefined;
  const jump = move(pen, pen.row, run.from);
  if (run.from - column > jump.length) return undefined;
  const over = write(pen, styles, row, column, run.from);
  if (over.pen.column === undefined) return undefined;
  const first = run.isErased ? plain : (row.styles[run.from] as number);
  const length = (stroke: string, style: number) =>
    stroke.length + (run.isErased ? 0 : styles.between(style, first).length);
  return length(over.bytes, over.pen.style) <= length(jump, pen.style) ? over : undefined;
}

function erase(pen: Pen, styles: Styles, { from, to }: Run, columns: number): Stroke {
  // Erasing takes the background of the pen.
  const turn = styles.background(pen.style) === '' ? '' : styles.between(pen.style, plain);
  const style = turn === '' ? pen.style : plain;
  return { bytes: turn + (to === columns ? `${ESC}[K` : `${ESC}[${to - from}X`), pen: { ...pen, style } };
}

/** The changed cells of a row in order, whole characters each. */
function runsOf(before: Row, after: Row): Run[] {
  const columns = after.texts.length;
  const differs = (at: number) => before.texts[at] !== after.texts[at] || before.styles[at] !== after.styles[at];
  // Where the row ends in plain blanks, one sequence erases all that stood there.
  let end = columns;
  while (end > 0 && isBlank(after, end - 1)) end -= 1;
  let changedBlanks = 0;
  let firstBlank = columns;
  for (let at = columns - 1; at >= end; at -= 1)
    if (differs(at)) {
      changedBlanks += 1;
      firstBlank = at;
    }
  const isTailErased = changedBlanks > `${ESC}[K`.length;
  const last = isTailErased ? firstBlank : columns;
  const runs: Run[] = [];
  for (let at = 0; at < last; at += 1) {
    if (!differs(at)) continue;
    let from = at;
    while (from > 0 && (isJoined(before, from) || isJoined(after, from))) from -= 1;
    let to = at + 1;
    while (to < last && (differs(to) || isJoined(before, to) || isJoined(after, to))) to += 1;
    runs.push(...split(after, Math.max(from, runs.at(-1)?.to ?? 0), to));
    at = to;
  }
  if (isTailErased) runs.push({ from: firstBlank, to: columns, isErased: true });
  return runs;
}

/** Whether a cell goes with the one before: the second half of a wide character, or what a disputed one may cover. */
const isJoined = ({ texts }: Row, at: number): boolean => texts[at] === '' || !hasSureWidth(texts[at - 1] as string);

/** Splits long stretches of plain blanks from a run. */
function split(row: Row, from: number, to: number): Run[] {
  const runs: Run[] = [];
  let start = from;
  for (let at = from; at < to; at += 1) {
    if (!isBlank(row, at)) continue;
    let end = at;
    while (end < to && isBlank(row, end)) end += 1;
    if (end - at >= fewestErased) {
      if (start < at) runs.push({ from: start, to: at, isErased: false });
      runs.push({ from: at, to: end, isErased: true });
      start = end;
    }
    at = end - 1;
  }
  if (start < to) runs.push({ from: start, to, isErased: false });
  return runs;
}

const isBlank = (row: Row, at: number): boolean => row.texts[at] === ' ' && row.styles[at] === plain;
