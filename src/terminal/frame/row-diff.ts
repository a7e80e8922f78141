import { ESC } from '../sequences.ts';
import { across, bytesOf, move, type Pen, type Stroke, write } from './pen.ts';
import { hasSureWidth, type Row } from './row.ts';
import { plain, type Styles } from './style.ts';

/** The cheapest way found to a column: everything before it is as it should be. */
interface Way {
  readonly bytes: number;
  readonly style: number;
  /** Whether the terminal's cursor is surely there. */
  readonly isSure: boolean;
  /** The column where its last step began; undefined for the first way of a row. */
  readonly from: number | undefined;
  readonly step: 'write' | 'skip' | 'erase';
}

/** Unchanged cells before the next change that are written over rather than skipped: a skip is never longer. */
const mostBridged = 8;

/**
 * The bytes that turn the row `before` into `after` on the terminal, and the pen after them: the shortest of all orders of
 * writing cells, skipping unchanged ones and erasing blanks. No cell is changed that ends as it was.
 */
export function drawRow(pen: Pen, styles: Styles, at: number, before: Row, after: Row): Stroke {
  const next = nextChanges(before, after);
  const first = next[0] as number;
  const columns = after.texts.length;
  if (first === columns) return { bytes: '', pen };
  const blanks = blankEnds(after);
  // Where the pen stands a little before the first change, the cells between may be written over.
  const isHere = pen.row === at && pen.column !== undefined && pen.column <= first;
  const start = isHere ? (pen.column as number) : first;
  let bytes = isHere ? '' : move(pen, at, first);
  let now: Pen = { row: at, column: start, style: pen.style };
  for (const { step, from, to } of stepsOf(cheapest(styles, after, next, blanks, now), start, columns)) {
    if (step === 'skip') {
      bytes += across(now.column, to);
      now = { ...now, column: to };
      continue;
    }
    const stroke =
      step === 'write'
        ? write(now, styles, after, from, to)
        : erase(now, styles, from, blanks[from] as number, columns);
    bytes += stroke.bytes;
    now = stroke.pen;
    if (step === 'erase' && to < columns) {
      bytes += across(now.column, to);
      now = { ...now, column: to };
    }
  }
  return { bytes, pen: now };
}

/** The cheapest way to each column from the pen's on; the last one, behind the row, is the whole row's. */
function cheapest(
  styles: Styles,
  row: Row,
  next: readonly number[],
  blanks: readonly number[],
  { column: start = 0, style }: Pen,
): readonly (Way | undefined)[] {
  const columns = row.texts.length;
  const ways = Array<Way | undefined>(columns + 1).fill(undefined);
  const reach = (column: number, way: Way) => {
    const known = ways[column];
    if (!known || way.bytes < known.bytes) ways[column] = way;
  };
  ways[start] = { bytes: 0, style, isSure: true, from: undefined, step: 'skip' };
  for (let at = start; at < columns; at += 1) {
    const way = ways[at];
    if (!way) continue;
    const due = next[at] as number;
    const { bytes, isSure } = way;
    const column = isSure ? at : undefined;
    if (due === columns) {
      reach(columns, { ...way, from: at, step: 'skip' });
      continue;
    }
    if (due > at)
      reach(due, { ...way, bytes: bytes + across(column, due).length, isSure: true, from: at, step: 'skip' });
    if (due - at <= mostBridged) {
      const { to, ...written } = cellWritten(styles, row, at, way.style);
      reach(to, { ...written, bytes: bytes + across(column, at).length + written.bytes, from: at, step: 'write' });
    }
    const end = blanks[at] as number;
    if (due === at && end > at) {
      const { bytes: erasing, pen } = erase({ row: 0, column, style: way.style }, styles, at, end, columns);
      const to = next[end] as number;
      const onward = to === columns ? 0 : across(at, to).length;
      reach(to, { bytes: bytes + erasing.length + onward, style: pen.style, isSure: true, from: at, step: 'erase' });
    }
  }
  return ways;
}

/** What it takes to write one character with a pen that stands on it, and where the pen is then. */
function cellWritten({ between, ofBlank }: Styles, { texts, styles }: Row, at: number, style: number) {
  const text = texts[at] as string;
  const wanted = styles[at] as number;
  const to = texts[at + 1] === '' ? at + 2 : at + 1;
  const isSure = hasSureWidth(text);
  const isFit = text === ' ' && ofBlank(style) === wanted;
  const turn = isFit ? 0 : between(style, wanted).length;
  const cleared = isSure || to === at + 1 ? 0 : `${ESC}[2X`.length;
  return { to, bytes: turn + cleared + bytesOf(text), style: isFit ? style : wanted, isSure };
}

/** The steps of the cheapest way in order; cells that are written one after the other are one step. */
function stepsOf(ways: readonly (Way | undefined)[], start: number, columns: number) {
  const steps: { step: Way['step']; from: number; to: number }[] = [];
  let to = columns;
  while (to > start) {
    const { from = start, step } = ways[to] as Way;
    const last = steps[0];
    if (last?.step === 'write' && step === 'write') last.from = from;
    else if (to < columns || step !== 'skip') steps.unshift({ step, from, to });
    to = from;
  }
  return steps;
}

/** Erases the blanks from `from` to before `to`. Erasing takes the background of the pen. */
function erase(pen: Pen, styles: Styles, from: number, to: number, columns: number): Stroke {
  const turn = styles.background(pen.style) === '' ? '' : styles.between(pen.style, plain);
  const style = turn === '' ? pen.style : plain;
  const back = pen.column === undefined ? across(undefined, from) : '';
  const erased = to === columns ? `${ESC}[K` : `${ESC}[${to - from === 1 ? '' : to - from}X`;
  return { bytes: back + turn + erased, pen: { ...pen, column: from, style } };
}

/** For each column the next one from there on that must be drawn; as many as there are columns for none. */
function nextChanges(before: Row, after: Row): number[] {
  const columns = after.texts.length;
  const next = Array<number>(columns + 1).fill(columns);
  let end = columns;
  while (end > 0) {
    let start = end - 1;
    while (start > 0 && (isJoined(before, start) || isJoined(after, start))) start -= 1;
    let isChanged = false;
    for (let at = start; at < end; at += 1)
      if (before.texts[at] !== after.texts[at] || before.styles[at] !== after.styles[at]) isChanged = true;
    for (let at = start; at < end; at += 1) next[at] = isChanged ? at : (next[end] as number);
    end = start;
  }
  return next;
}

/** Whether a cell goes with the one before: the second half of a wide character, or what a disputed one may cover. */
const isJoined = ({ texts }: Row, at: number): boolean => texts[at] === '' || !hasSureWidth(texts[at - 1] as string);

/** For each column where the plain blanks that begin there end; the column itself for none. */
function blankEnds({ texts, styles }: Row): number[] {
  const ends: number[] = [];
  let end = texts.length;
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    if (texts[at] !== ' ' || styles[at] !== plain) end = at;
    ends.push(end);
  }
  return ends.reverse();
}
