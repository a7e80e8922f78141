import type { Look, Screen, ScreenCell } from './cells.ts';
import { counted, crossRow, digits, type Ends, type Repeats, sgrCost } from './cross-row.ts';

/**
 * The fewest bytes that turn one screen into the other, row by row from the top, after scrolls of some rows where these save
 * bytes (DECSTBM and SU or SD). Shares nothing with the program that it judges.
 */
export function fewestBytes({ cells, cursor, pen }: Screen, after: Screen, repeats: Repeats): number {
  return fewest([{ bytes: 0, cursor, pen }], cells, after, repeats, mostScrolls);
}

/** Windows that may shift on one screen: a large list whose rows come and go has two or more above each other. */
const mostScrolls = 4;

function fewest(from: Ends, before: Rows, after: Screen, repeats: Repeats, scrolls: number): number {
  const [{ bytes, pen }] = from as [Ends[number]];
  const likely = scrolls === 0 ? [] : likelyScrolls(before, pen, after).slice(0, scrolls > 2 ? tried : 1);
  return Math.min(
    drawn(from, before, after, repeats),
    ...likely.map((scroll) =>
      fewest(scrolling(bytes, pen, scroll, before.length), scrolled(before, pen, scroll), after, repeats, scrolls - 1),
    ),
  );
}

type Rows = Screen['cells'];

function drawn(from: Ends, before: Rows, after: Screen, repeats: Repeats): number {
  let ends = from;
  for (const [row, cells] of after.cells.entries()) ends = crossRow(ends, row, before[row] ?? [], cells, repeats);
  return Math.min(...ends.map((end) => end.bytes));
}

/** The rows from `top` to `bottom`, both included, go up by `by`, or down where it is negative. */
interface Scroll {
  readonly top: number;
  readonly bottom: number;
  readonly by: number;
}

/** How many scrolls are tried to the byte, for each of the first two windows; the estimate of the others is worse. */
const tried = 3;

/**
 * The scrolls of windows that have shifted: at least one row that stays in the region is whole as it was elsewhere, and no cell
 * changes that ends as it was. The lowest estimates, best first.
 */
function likelyScrolls(before: Rows, pen: Look, after: Screen): Scroll[] {
  const count = after.cells.length;
  const direct = after.cells.map((cells, at) => estimate(before[at] as Rows[number], cells));
  const blank = blankCells(before, pen);
  const fresh = after.cells.map((cells) => estimate(blank, cells));
  const found: { readonly scroll: Scroll; readonly saved: number }[] = [];
  for (let by = 1 - count; by < count; by += 1) {
    if (by === 0) continue;
    const saved = after.cells.map((cells, at) => {
      const moved = before[at + by];
      if (moved === undefined || strays(before[at] as Rows[number], moved, cells)) return Number.NEGATIVE_INFINITY;
      return (direct[at] as number) - estimate(moved, cells);
    });
    const isWhole = after.cells.map((cells, at) => direct[at] !== 0 && estimate(before[at + by] ?? [], cells) === 0);
    for (let from = 0; from < count; from += 1) {
      let sum = 0;
      let whole = 0;
      for (let to = from; to < count && (saved[to] as number) > Number.NEGATIVE_INFINITY; to += 1) {
        sum += saved[to] as number;
        whole += isWhole[to] ? 1 : 0;
        if (whole === 0) continue;
        const scroll = by > 0 ? { top: from, bottom: to + by, by } : { top: from + by, bottom: to, by };
        let all = sum;
        for (let at = scroll.top; at <= scroll.bottom; at += 1)
          if (at < from || at > to) all += (direct[at] as number) - (fresh[at] as number);
        if (all > 0) found.push({ scroll, saved: all });
      }
    }
  }
  return found
    .toSorted((one, other) => other.saved - one.saved)
    .slice(0, tried)
    .map(({ scroll }) => scroll);
}

/** About the bytes that turn one row into the other: its changed cells, a long run of one character as a few of them. */
function estimate(before: Rows[number], after: Rows[number]): number {
  let cost = 0;
  let run = 0;
  for (const [at, cell] of after.entries()) {
    run = isSame(cell, after[at - 1]) ? run + 1 : 1;
    if (run <= mostOfRun && !isSame(cell, before[at])) cost += 1;
  }
  return cost;
}

/** About the bytes of an erasure or a repetition. */
const mostOfRun = 6;

const isSame = (one: ScreenCell | undefined, other: ScreenCell | undefined): boolean =>
  one?.text === other?.text && one?.look === other?.look;

const strays = (before: Rows[number], moved: Rows[number], after: Rows[number]): boolean =>
  after.some((cell, at) => isSame(cell, before[at]) && !isSame(cell, moved[at]));

const isPlain = ({ foreground, background, attributes }: Look): boolean =>
  foreground === '' && background === '' && attributes.length === 0;

function blankCells(cells: Rows, pen: Look): Rows[number] {
  const looks = [pen, ...cells.flat().map((cell) => cell.look)];
  const look = looks.find(isPlain) ?? { foreground: '', background: '', attributes: [] };
  return (cells[0] ?? []).map(() => ({ text: ' ', look }));
}

function scrolled(before: Rows, pen: Look, { top, bottom, by }: Scroll): Rows {
  const blank = blankCells(before, pen);
  return before.map((cells, at) => {
    if (at < top || at > bottom) return cells;
    return at + by < top || at + by > bottom ? blank : (before[at + by] as Rows[number]);
  });
}

/** Sets the region, scrolls, and sets the whole screen again, which leaves the cursor at home. */
function scrolling(spent: number, pen: Look, { top, bottom, by }: Scroll, rows: number): Ends {
  const first = top === 0 ? 0 : digits(top + 1);
  const last = bottom === rows - 1 ? 0 : 1 + digits(bottom + 1);
  const plain = { foreground: '', background: '', attributes: [] };
  const turned = pen.background === '' ? pen : plain;
  const bytes = spent + sgrCost(pen, turned) + 3 + first + last + counted(Math.abs(by)) + 3;
  return [{ bytes, cursor: { row: 0, column: 0 }, pen: turned }];
}
