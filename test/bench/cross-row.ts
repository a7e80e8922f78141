import { type Cursor, type Look, onBlank, type ScreenCell } from './cells.ts';

/** Ways that have been gone so far: what they cost and where they left the terminal. */
export type Ends = readonly End[];
interface End {
  readonly bytes: number;
  readonly cursor: Cursor;
  readonly pen: Look;
}

/** Which characters the terminal repeats after REP. */
export type Repeats = 'none' | 'ascii' | 'all';

/**
 * The fewest bytes that turn one row into the other, with cursor moves (CUP, VPA, CUU, CUD, CHA, CUF, CUB, CR, LF, BS), SGR,
 * text, REP, ECH and EL: no cell that stays is changed on the way. Counted by a search through all ways to cross the row.
 */
export function crossRow(
  ends: Ends,
  row: number,
  before: readonly ScreenCell[],
  after: readonly ScreenCell[],
  repeats: Repeats,
): Ends {
  const columns = after.length;
  const next = nextChanges(before, after);
  const first = next[0] as number;
  if (first === columns) return ends;
  const looks = [...new Set(after.map((cell) => cell.look))];
  /** Cheapest way to each column with each pen, everything before that column done. */
  const ways: Map<Look, number>[] = Array.from({ length: columns + 1 }, () => new Map<Look, number>());
  const over: End[] = [];
  const go = (column: number, pen: Look, bytes: number) => {
    const known = ways[column]?.get(pen);
    if (known === undefined || bytes < known) ways[column]?.set(pen, bytes);
  };
  for (const end of ends) go(first, end.pen, end.bytes + moveCost(end.cursor, { row, column: first }));
  for (let column = first; column <= columns; column += 1) {
    const due = next[column] ?? columns;
    for (const [pen, bytes] of ways[column] ?? []) {
      if (due === columns) {
        over.push({ bytes, pen, cursor: { row, column: column === columns ? undefined : column } });
        continue;
      }
      if (due > column) go(due, pen, bytes + acrossCost(column, due));
      const { text } = after[column] as ScreenCell;
      const last = repeats === 'none' ? column + 1 : repeatable(after, column, repeats);
      for (const { pen: nextPen, cost } of strokes(pen, after[column] as ScreenCell, looks)) {
        const written = bytes + cost + Buffer.byteLength(text);
        go(column + widthAt(after, column), nextPen, written);
        for (let to = column + 2; to <= last; to += 1) go(to, nextPen, written + counted(to - column - 1));
      }
      if (due > column) continue;
      const blanks = erasable(after, column);
      if (blanks === column) continue;
      const { background } = (after[column] as ScreenCell).look;
      for (const nextPen of new Set([pen, (after[column] as ScreenCell).look])) {
        if (nextPen.background !== background) continue;
        const isRest = blanks === columns;
        const erased = bytes + sgrCost(pen, nextPen) + (isRest ? 3 : 3 + digits(blanks - column));
        const to = next[blanks] ?? columns;
        if (to === columns) over.push({ bytes: erased, pen: nextPen, cursor: { row, column } });
        else go(to, nextPen, erased + acrossCost(column, to));
      }
    }
  }
  return cheapest(over);
}

/** For each column the next one from there on that changes, whole characters of both screens. */
function nextChanges(before: readonly ScreenCell[], after: readonly ScreenCell[]): number[] {
  const isChanged = after.map((cell, at) => cell.text !== before[at]?.text || cell.look !== before[at]?.look);
  for (let at = after.length - 1; at > 0; at -= 1)
    if (isChanged[at] && (after[at]?.text === '' || before[at]?.text === '')) isChanged[at - 1] = true;
  const next = Array<number>(after.length + 1).fill(after.length);
  for (let at = after.length - 1; at >= 0; at -= 1) next[at] = isChanged[at] ? at : (next[at + 1] as number);
  return next;
}

/** The pens with which the cell can be written. */
function strokes(pen: Look, cell: ScreenCell, looks: readonly Look[]): { readonly pen: Look; readonly cost: number }[] {
  if (cell.text === '') return [];
  if (cell.text !== ' ') return [{ pen: cell.look, cost: sgrCost(pen, cell.look) }];
  const fitting = new Set([pen, cell.look, ...looks].filter((look) => blankOf(look) === nameOf(cell.look)));
  return [...fitting].map((look) => ({ pen: look, cost: sgrCost(pen, look) }));
}

const widthAt = (cells: readonly ScreenCell[], column: number): number => (cells[column + 1]?.text === '' ? 2 : 1);

/** Where the cells end that a repetition of the first one draws. */
function repeatable(cells: readonly ScreenCell[], from: number, repeats: Repeats): number {
  const { text, look } = cells[from] as ScreenCell;
  let at = from + 1;
  if (widthAt(cells, from) > 1 || [...text].length !== 1 || (repeats === 'ascii' && text > '~')) return at;
  while (cells[at]?.text === text && cells[at]?.look === look) at += 1;
  return at;
}

/** Where the blanks end that one sequence can erase from here. */
function erasable(cells: readonly ScreenCell[], from: number): number {
  const first = cells[from] as ScreenCell;
  if (first.text !== ' ' || first.look.attributes.length > 0) return from;
  let at = from;
  while (cells[at]?.text === ' ' && cells[at]?.look === first.look) at += 1;
  return at;
}

function cheapest(ends: readonly End[]): Ends {
  const best = new Map<string, End>();
  for (const end of ends) {
    const name = `${end.cursor.column} ${nameOf(end.pen)}`;
    const known = best.get(name);
    if (!known || end.bytes < known.bytes) best.set(name, end);
  }
  return [...best.values()];
}

/** Decimal digits of a number. */
export const digits = (value: number): number => String(value).length;
/** Bytes of a sequence with one number, which is left out where it is 1. */
export const counted = (value: number): number => (value === 1 ? 3 : 3 + digits(value));

function moveCost(from: Cursor, to: { readonly row: number; readonly column: number }): number {
  const down = to.row - from.row;
  const row = to.row === 0 ? 0 : digits(to.row + 1);
  const cup = 3 + row + (to.column === 0 ? 0 : 1 + digits(to.column + 1));
  const own = from.column === undefined ? absoluteCost(to.column) : acrossCost(from.column, to.column);
  if (down === 0) return Math.min(cup, own);
  const vertical = Math.min(counted(Math.abs(down)), 3 + row);
  const feeds = down > 0 ? Math.min(down + own, 1 + down + acrossCost(0, to.column)) : Number.POSITIVE_INFINITY;
  return Math.min(cup, vertical + own, feeds);
}

const absoluteCost = (column: number): number =>
  column === 0 ? 1 : Math.min(3 + digits(column + 1), 1 + counted(column));

function acrossCost(from: number, to: number): number {
  if (from === to) return 0;
  const relative = from < to ? counted(to - from) : Math.min(from - to, counted(from - to));
  return Math.min(relative, absoluteCost(to));
}

const costs = new WeakMap<Look, WeakMap<Look, number>>();

/** Bytes that turn one look of the pen into the other. */
export function sgrCost(from: Look, to: Look): number {
  if (from === to) return 0;
  const known = costs.get(from) ?? new WeakMap<Look, number>();
  costs.set(from, known);
  const cost = known.get(to) ?? sequenceCost(from, to);
  known.set(to, cost);
  return cost;
}

const offOf = (attribute: number): number => (attribute === 1 ? 22 : attribute === 53 ? 55 : attribute + 20);

function sequenceCost(from: Look, to: Look): number {
  const off = new Set(from.attributes.filter((attribute) => !to.attributes.includes(attribute)).map(offOf));
  const on = to.attributes.filter((attribute) => !from.attributes.includes(attribute) || off.has(offOf(attribute)));
  const differing = [
    ...off,
    ...on,
    ...(from.foreground === to.foreground ? [] : [to.foreground || '39']),
    ...(from.background === to.background ? [] : [to.background || '49']),
  ];
  const anew = ['', ...to.attributes, ...[to.foreground, to.background].filter((part) => part !== '')];
  const length = (parts: readonly (number | string)[]) => (parts.length === 0 ? 0 : 3 + parts.join(';').length);
  return Math.min(length(differing), length(anew));
}

const nameOf = ({ foreground, background, attributes }: Look): string =>
  `${foreground}|${background}|${attributes.join()}`;

const blanks = new WeakMap<Look, string>();
function blankOf(look: Look): string {
  const known = blanks.get(look) ?? nameOf(onBlank(look, new Map()));
  blanks.set(look, known);
  return known;
}
