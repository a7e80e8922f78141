import { ESC } from '../sequences.ts';
import { across, acrossBytes, bytesOf, clearPair, move, type Pen, type Stroke, write } from './pen.ts';
import { hasSureWidth, type Row } from './row.ts';
import { plain, type Styles } from './style.ts';

type Step = 'write' | 'skip' | 'erase';

const unreached = 2 ** 30;

/**
 * The cheapest way found to each column: everything before it is as it should be. Arrays of numbers, because every changed row of
 * every frame has as many ways as columns.
 */
interface Ways {
  /** `unreached` where no way leads. */
  readonly bytes: number[];
  readonly styles: number[];
  /** Whether the terminal's cursor is surely there. */
  readonly areSure: boolean[];
  /** The column where the last step began. */
  readonly from: number[];
  readonly steps: Step[];
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
  { texts, styles: wanted }: Row,
  next: readonly number[],
  blanks: readonly number[],
  { column: start = 0, style: first }: Pen,
): Ways {
  const columns = texts.length;
  const ways: Ways = {
    bytes: Array<number>(columns + 1).fill(unreached),
    styles: Array<number>(columns + 1).fill(plain),
    areSure: Array<boolean>(columns + 1).fill(true),
    from: Array<number>(columns + 1).fill(start),
    steps: Array<Step>(columns + 1).fill('skip'),
  };
  const reach = (to: number, bytes: number, style: number, isSure: boolean, from: number, step: Step) => {
    if ((ways.bytes[to] as number) <= bytes) return;
    ways.bytes[to] = bytes;
    ways.styles[to] = style;
    ways.areSure[to] = isSure;
    ways.from[to] = from;
    ways.steps[to] = step;
  };
  reach(start, 0, first, true, start, 'skip');
  for (let at = start; at < columns; at += 1) {
    const bytes = ways.bytes[at] as number;
    if (bytes === unreached) continue;
    const style = ways.styles[at] as number;
    const isSure = ways.areSure[at] as boolean;
    const due = next[at] as number;
    const column = isSure ? at : undefined;
    if (due === columns) {
      reach(columns, bytes, style, isSure, at, 'skip');
      continue;
    }
    if (due > at) reach(due, bytes + acrossBytes(column, due), style, true, at, 'skip');
    if (due - at <= mostBridged) {
      const text = texts[at] as string;
      const isBlank = text === ' ' && styles.ofBlank(style) === wanted[at];
      const own = isBlank ? style : (wanted[at] as number);
      const isWide = texts[at + 1] === '';
      const isSureAfter = hasSureWidth(text);
      const cleared = isSureAfter || !isWide ? 0 : clearPair.length;
      const written = styles.between(style, own).length + cleared + bytesOf(text);
      reach(isWide ? at + 2 : at + 1, bytes + acrossBytes(column, at) + written, own, isSureAfter, at, 'write');
    }
    const end = blanks[at] as number;
    if (due === at && end > at) {
      const { bytes: erasing, pen } = erase({ row: 0, column, style }, styles, at, end, columns);
      const to = next[end] as number;
      const onward = to === columns ? 0 : acrossBytes(at, to);
      reach(to, bytes + erasing.length + onward, pen.style, true, at, 'erase');
    }
  }
  return ways;
}

/** The steps of the cheapest way in order; cells that are written one after the other are one step. */
function stepsOf(ways: Ways, start: number, columns: number) {
  const steps: { step: Step; from: number; to: number }[] = [];
  let to = columns;
  while (to > start) {
    const from = ways.from[to] as number;
    const step = ways.steps[to] as Step;
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
    let isChanged = differ(before, after, start);
    while (start > 0 && (isJoined(before, start) || isJoined(after, start))) {
      start -= 1;
      isChanged ||= differ(before, after, start);
    }
    for (let at = start; at < end; at += 1) next[at] = isChanged ? at : (next[end] as number);
    end = start;
  }
  return next;
}

const differ = (before: Row, after: Row, at: number): boolean =>
  before.texts[at] !== after.texts[at] || before.styles[at] !== after.styles[at];

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
