import { blankRow, type FrameRow, readRow, type StylePalette } from './row.ts';

/** The cells of lines: those read last have their rows still, so that a frame that comes back is not read again. */
export interface ReadRows {
  /** The row of a line, which is none of `used` unless it is this line's. */
  of(line: string, used: ReadonlySet<FrameRow>): FrameRow;
  /** Numbers in rows have no meaning any more. */
  forget(): void;
}

/** At most `most` rows, more than can be used at a time: the line that was not asked for longest gives its row to another one. */
export function createReadRows(palette: StylePalette, columns: number, most: number): ReadRows {
  const rowsByLine = new Map<string, FrameRow>();
  const spare = (used: ReadonlySet<FrameRow>): FrameRow => {
    if (rowsByLine.size >= most)
      for (const [line, row] of rowsByLine) {
        if (used.has(row)) continue;
        rowsByLine.delete(line);
        return row;
      }
    return blankRow(columns);
  };
  return {
    of(line, used) {
      const row = rowsByLine.get(line) ?? readRow(line, palette, spare(used));
      rowsByLine.delete(line);
      rowsByLine.set(line, row);
      return row;
    },
    forget: () => rowsByLine.clear(),
  };
}
