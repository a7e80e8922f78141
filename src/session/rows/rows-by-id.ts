import type { AnyList } from '../../describe/screen.ts';
import type { Row } from './list-state.ts';

export type RowsById = ReadonlyMap<string, Row>;

const known = new WeakMap<readonly Row[], RowsById>();

/** The rows of a read by id, as the service has them; of rows with one id the last. Made once for each read. */
export function rowsById({ idOf }: Pick<AnyList, 'idOf'>, rows: readonly Row[]): RowsById {
  const before = known.get(rows);
  if (before) return before;
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  known.set(rows, byId);
  return byId;
}
