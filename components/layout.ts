/** What the layout of a list needs to know of a column; the words are those of `Column`. */
export interface ColumnShape {
  readonly min: number;
  readonly max?: number;
  readonly share?: number;
  readonly priority: number;
}

/** A column that is shown: its place among all columns, and its cells. */
export interface Placed {
  readonly index: number;
  readonly width: number;
}

/** Cells between two columns. */
export const columnGap = 1;

/**
 * Which columns are shown in `width` cells and how wide. `hscroll` skips that many columns from the left, but
 * never one of priority 1; then the highest priority number leaves first, of equals the one most to the right;
 * then what is left over goes to the columns with a `share`, in proportion, up to their `max`. Columns of
 * priority 1 are never dropped: where even they have no room, they get narrower from the right.
 */
export function layoutColumns(columns: readonly ColumnShape[], width: number, hscroll: number): Placed[] {
  let shown = scrolled(columns, hscroll);
  const wanted = () => shown.reduce((sum, one) => sum + one.column.min, 0) + columnGap * Math.max(0, shown.length - 1);
  while (wanted() > width) {
    const worst = shown.reduce((most, one) => Math.max(most, one.column.priority), 0);
    if (worst <= 1) break;
    const leaving = shown.findLast((one) => one.column.priority === worst);
    shown = shown.filter((one) => one !== leaving);
  }
  const placed = shown.map((one) => ({ index: one.index, width: one.column.min }));
  const columnsShown = shown.map((one) => one.column);
  return wanted() > width ? squeezed(placed, columnsShown, width) : shared(placed, columnsShown, width - wanted());
}

interface Indexed {
  readonly column: ColumnShape;
  readonly index: number;
}

function scrolled(columns: readonly ColumnShape[], hscroll: number): readonly Indexed[] {
  const all = columns.map((column, index) => ({ column, index }));
  const loose = all.filter((other) => other.column.priority > 1);
  const gone = new Set(loose.slice(0, Math.max(0, Math.min(hscroll, loose.length - 1))));
  return all.filter((other) => !gone.has(other));
}

function squeezed(placed: readonly Placed[], columns: readonly ColumnShape[], width: number): Placed[] {
  const kept = placed.slice(0, Math.max(1, Math.floor((width + columnGap) / (1 + columnGap))));
  let over = kept.reduce((sum, column) => sum + column.width, 0) + columnGap * (kept.length - 1) - width;
  // The dropped columns may leave more room than the others need.
  if (over < 0) return shared(kept, columns.slice(0, kept.length), -over);
  return kept
    .toReversed()
    .map((column) => {
      const less = Math.min(Math.max(0, over), Math.max(0, column.width - 1));
      over -= less;
      return { index: column.index, width: column.width - less };
    })
    .toReversed();
}

function shared(placed: readonly Placed[], columns: readonly ColumnShape[], spare: number): Placed[] {
  const widths = placed.map((column) => column.width);
  const room = (at: number) => Math.max(0, (columns[at]?.max ?? Infinity) - (widths[at] ?? 0));
  let left = spare;
  while (left > 0) {
    const takers = columns.map((_, at) => at).filter((at) => (columns[at]?.share ?? 0) > 0 && room(at) > 0);
    const results = takers.reduce((sum, at) => sum + (columns[at]?.share ?? 0), 0);
    if (takers.length === 0) break;
    const round = left;
    for (const at of takers) {
      const part = Math.min(left, room(at), Math.max(1, Math.floor((round * (columns[at]?.share ?? 0)) / results)));
      widths[at] = (widths[at] ?? 0) + part;
      left -= part;
    }
  }
  return placed.map((column, at) => ({ index: column.index, width: widths[at] ?? column.width }));
}

/** How many steps `hscroll` can go before nothing more would move. */
export function scrollSteps(columns: readonly ColumnShape[]): number {
  return Math.max(0, columns.filter((column) => column.priority > 1).length - 1);
}
