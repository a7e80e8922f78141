import { blankRow, type Palette, type Row, readRow } from './row.ts';

/** The cells of lines: those read last have their rows still, so that a frame that comes back is not read again. */
export interface ReadRows {
  /** The row of a line, which is none of `used` unless it is this line's. */
  of(line: string, used: ReadonlySet<Row>): Row;
  /** Numbers in rows have no meaning any more. */
  forget(): void;
}

/** At most `most` rows, more than can be used at a time: the line that was not asked for longest gives its row to another one. */
export function createReadRows(palette: Palette, columns: number, most: number): ReadRows {
  const known = new Map<string, Row>();
  const spare = (used: ReadonlySet<Row>): Row => {
    if (known.size >= most)
      for (const [line, row] of known) {
        if (used.has(row)) continue;
        known.delete(line);
        return row;
      }
    return blankRow(columns);
  };
  return {
    of(line, used) {
      const row = known.get(line) ?? readRow(line, palette, spare(used));
      known.delete(line);
      known.set(line, row);
      return row;
    },
    forget: () => known.clear(),
  };
}
