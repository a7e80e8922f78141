/** The cells of one CSV line. */
export type Cells = string[];

const comma = 44;
const quote = 34;
const newline = 10;

/**
 * Reads CSV as the service does: commas, double quotes doubled inside quotes, LF or CRLF, blank lines skipped. Never
 * throws: a quote that is never closed runs to the end of the text.
 */
export function* readCsv(text: string): Generator<Cells> {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    // Fast path: most lines contain no quote.
    const line = text.slice(at, text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    if (!line.includes('"')) {
      at = stop + 1;
      if (line !== '') yield line.split(',');
      continue;
    }
    const quoted = readQuoted(text, at);
    at = quoted.end;
    yield quoted.cells;
  }
}

function readQuoted(text: string, begin: number): { cells: Cells; end: number } {
  const cells: Cells = [];
  let at = begin;
  for (;;) {
    let cell = '';
    if (text.charCodeAt(at) === quote) {
      at += 1;
      for (;;) {
        const close = text.indexOf('"', at);
        if (close < 0) return { cells: [...cells, cell + text.slice(at)], end: text.length };
        cell += text.slice(at, close);
        at = close + 1;
        if (text.charCodeAt(at) !== quote) break;
        cell += '"';
        at += 1;
      }
    }
    const rest = at;
    while (at < text.length && text.charCodeAt(at) !== comma && text.charCodeAt(at) !== newline) at += 1;
    const isEnd = at >= text.length || text.charCodeAt(at) === newline;
    const tail = text.slice(rest, at);
    cells.push(cell + (isEnd ? tail.replace(/\r$/, '') : tail));
    at += 1;
    if (isEnd) return { cells, end: at };
  }
}

/** The value as a signed 32-bit integer; undefined when it is none. */
export function asInt32(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^[+-]?\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
}
