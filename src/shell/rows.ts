import type { Column, Tone } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';

/** A row to draw: painted cells and their tones, one for each column. */
export interface DrawnRow {
  readonly id: string;
  readonly cells: readonly Painted[];
  readonly tones: readonly Tone[];
  readonly cursor: boolean;
  readonly marked: boolean;
  readonly fresh: boolean;
  readonly pending: boolean;
}

/**
 * Makes rows to draw. While nothing of a row changes the same object is returned, so that the table draws only changed
 * rows again.
 */
export function createRowPainter() {
  const kept = new Map<string, DrawnRow>();
  return function drawn<R>(
    row: R,
    id: string,
    columns: readonly Column<R>[],
    context: Context,
    marks: Pick<DrawnRow, 'cursor' | 'marked' | 'fresh' | 'pending'> & {
      readonly gone?: boolean;
      readonly watched?: boolean;
    },
  ): DrawnRow {
    const widest = marks.watched
      ? columns.reduce((best, column) => (column.min > best.min ? column : best))
      : undefined;
    const cells = columns.map((column) => {
      const cell = said(() => column.text(row, context));
      return column === widest ? plain`[w] ${cell}` : cell;
    });
    const tones = columns.map((column): Tone => (marks.gone ? 'dim' : toned(() => column.tone?.(row, context))));
    const before = kept.get(id);
    if (
      before &&
      before.cursor === marks.cursor &&
      before.marked === marks.marked &&
      before.fresh === marks.fresh &&
      before.pending === marks.pending &&
      same(before.cells, cells) &&
      same(before.tones, tones)
    ) {
      return before;
    }
    const { cursor, marked, fresh, pending } = marks;
    const now: DrawnRow = { id, cells, tones, cursor, marked, fresh, pending };
    if (kept.size > 2000) kept.clear();
    kept.set(id, now);
    return now;
  };
}

/** A cell's text; a column that throws shows a placeholder and does not end the frame. */
function said(text: () => string): Painted {
  try {
    return paint(text());
  } catch {
    return plain`(unreadable)`;
  }
}

function toned(tone: () => Tone | undefined): Tone {
  try {
    return tone() ?? 'plain';
  } catch {
    return 'dim';
  }
}

const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((value, at) => value === other[at]);
