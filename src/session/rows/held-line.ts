import type { BoardLine } from '../../describe/board.ts';
import type { Row } from './list-state.ts';
import type { RowsById } from './rows-by-id.ts';

/** Lines in the order in which they are shown; `gone` is one that the last read no longer has. */
interface Lines {
  readonly ids: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly rows: RowsById;
  readonly gone?: string;
}

const blockOf = (rows: Lines['rows'], id: string) => (rows.get(id) as BoardLine | undefined)?.block;

/**
 * Holds the line under the cursor of a board where it was drawn, though an edit or a poll ranks it elsewhere or ends it:
 * the next key acts on what a person sees there. What comes or goes above it in its block moves it by one. With another
 * line under the cursor all lines are in their order again.
 */
export function createHeldLine() {
  const held = new Map<string, { readonly cursor: string; readonly of: Lines['ids']; readonly lines: Lines }>();
  return function holding(list: string, cursor: string | undefined, sorted: Lines): Lines {
    const before = held.get(list);
    if (cursor !== undefined && before?.cursor === cursor && before.of === sorted.ids) return before.lines;
    const drawn = before?.cursor === cursor ? before?.lines : undefined;
    const row = cursor === undefined ? undefined : (sorted.rows.get(cursor) ?? drawn?.rows.get(cursor));
    if (cursor === undefined || row === undefined) {
      held.delete(list);
      return sorted;
    }
    const { ids, places, rows } = sorted;
    const lines = drawn ? withHeld(drawn, sorted, cursor, row) : { ids, places, rows };
    held.set(list, { cursor, of: sorted.ids, lines });
    return lines;
  };
}

function withHeld(drawn: Lines, sorted: Lines, cursor: string, row: Row): Lines {
  const ids = sorted.ids.filter((id) => id !== cursor);
  const block = blockOf(drawn.rows, cursor);
  const before = drawn.ids.slice(0, drawn.ids.indexOf(cursor));
  const others = ids.filter((id) => blockOf(sorted.rows, id) === block);
  if (others.length === 0 && sorted.rows.has(cursor)) return sorted;
  const drawnIds = new Set(drawn.ids);
  const left = new Set(others);
  const ranksAbove = new Set(sorted.ids.slice(0, Math.max(0, sorted.ids.indexOf(cursor))));
  let above = before.filter((id) => left.has(id)).length;
  let place = 0;
  for (const id of others) {
    if (above === 0 && (drawnIds.has(id) || !ranksAbove.has(id))) break;
    if (drawnIds.has(id)) above -= 1;
    place += 1;
  }
  const [first] = others;
  const last = before.findLast((id) => sorted.rows.has(id));
  const start = ids.indexOf(first ?? last ?? '') + (first === undefined ? 1 : 0);
  ids.splice(Math.max(0, start) + place, 0, cursor);
  const places = new Map(ids.map((id, at) => [id, at]));
  return sorted.rows.has(cursor)
    ? { ids, places, rows: sorted.rows }
    : { ids, places, rows: new Map(sorted.rows).set(cursor, row), gone: cursor };
}
