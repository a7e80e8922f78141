/** The cells of one CSV line. */
export type CsvCells = string[];

const comma = 44;
const quote = 34;
const newline = 10;

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

function readQuoted(text: string, begin: number): { cells: CsvCells; end: number } {
  const cells: CsvCells = [];
  let index = begin;
  for (;;) {
    let cell = '';
    if (text.charCodeAt(index) === quote) {
      index += 1;
      for (;;) {
        const close = text.indexOf('"', index);
        if (close < 0) return { cells: [...cells, cell + text.slice(index)], end: text.length };
        cell += text.slice(index, close);
        index = close + 1;
        if (text.charCodeAt(index) !== quote) break;
        cell += '"';
        index += 1;
      }
    }
    const rest = index;
    while (index < text.length && text.charCodeAt(index) !== comma && text.charCodeAt(index) !== newline) index += 1;
    const isEnd = index >= text.length || text.charCodeAt(index) === newline;
    const tail = text.slice(rest, index);
    cells.push(cell + (isEnd ? tail.replace(/\r$/, '') : tail));
    index += 1;
    if (isEnd) return { cells, end: index };
  }
}

/** The value as a signed 32-bit integer; undefined when it is none. */
export function asInt32(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^[+-]?\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
}
