/** The cells of one CSV line. */
export type CsvCells = string[];

/**
 * Reads CSV as the service does: commas, double quotes doubled inside quotes, LF or CRLF, blank lines skipped. Never
 * throws: a quote that is never closed runs to the end of the text.
 */
export function* readCsv(text: string): Generator<CsvCells> {
  let index = 0;
  while (index < text.length) {
    const end = text.indexOf('\n', index);
    const stop = end < 0 ? text.length : end;
    // Fast path: most lines contain no quote.
    const line = text.slice(index, text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    if (!line.includes('"')) {
      index = stop + 1;
      if (line !== '') yield line.split(',');
      continue;
    }
    const quoted = readQuoted(text, index);
    index = quoted.end;
    yield quoted.cells;
  }
}

/** The quoted text at the beginning of a cell, and what follows up to the next comma or line. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)(?:"|$))?([^,\n]*)/y;

function readQuoted(text: string, begin: number): { cells: CsvCells; end: number } {
  const cells: CsvCells = [];
  let index = begin;
  for (;;) {
    cellPattern.lastIndex = index;
    const [cell = '', quoted = '', tail = ''] = cellPattern.exec(text) ?? [];
    index += cell.length + 1;
    const isEnd = text[index - 1] !== ',';
    cells.push(quoted.replaceAll('""', '"') + (isEnd ? tail.replace(/\r$/, '') : tail));
    if (isEnd) return { cells, end: index };
  }
}

/** The value as a signed 32-bit integer; undefined when it is none. */
export function asInt32(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^[+-]?\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
}
