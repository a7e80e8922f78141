import type { AnyList } from '../../describe/screen.ts';
import { keptPer } from '../../lib/once.ts';
import type { Row } from './list-state.ts';

export type RowsById = ReadonlyMap<string, Row>;

const made = keptPer<readonly Row[], RowsById>();

/** The rows of a read by id, as the service has them; of rows with one id the last. Made once for each read. */
export const rowsById = ({ idOf }: Pick<AnyList, 'idOf'>, rows: readonly Row[]): RowsById =>
  made(rows, [], () => new Map(rows.map((row) => [idOf(row), row])));
