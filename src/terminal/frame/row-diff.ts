import { ESC } from '../sequences.ts';
import { blank, covered, type FrameRow, type GlyphTable, plainStyle, type StylePalette } from './cells.ts';

/**
 * Where the terminal's cursor is and how it draws, and the bytes that lead from there. `column` is undefined where
 * terminals may disagree: after the last cell of a row, and after a character of disputed width.
 */
export interface Pen {
  readonly row: number;
  readonly column: number | undefined;
  readonly style: number;
}

/** The pen after an erased screen. */
export const penAtHome: Pen = { row: 0, column: 0, style: plainStyle };

/** The shortest bytes that move the cursor. */
function move({ row, column }: Pen, toRow: number, toColumn: number): string {
  const absolute = `${ESC}[${toRow === 0 ? '' : toRow + 1}${toColumn === 0 ? '' : `;${toColumn + 1}`}H`;
  const down = toRow - row;
  const relative = vertically(down) + across(column, toColumn);
  const best = relative.length < absolute.length ? relative : absolute;
  if (down <= 0) return best;
  // The carriage return makes the line feed mean the same with and without ONLCR, which makes two bytes of it.
  const onward = across(0, toColumn);
  return 1 + 2 * down + onward.length <= best.length ? `\r${'\n'.repeat(down)}${onward}` : best;
}

/** By one row: index (IND) and reverse index (RI), a byte shorter than CUD and CUU; within the screen they scroll nothing. */
function vertically(down: number): string {
  if (Math.abs(down) <= 1) return ['', `${ESC}D`, `${ESC}M`].at(down) as string;
  return `${ESC}[${Math.abs(down)}${down > 0 ? 'B' : 'A'}`;
}

/** Bytes of a text on the wire. A line feed becomes two bytes in the terminal driver. */
export const bytesOnWire = (text: string): number => Buffer.byteLength(text) + text.split('\n').length - 1;

/** The shortest bytes that move the cursor within its row. */
export function across(column: number | undefined, to: number): string {
  if (column === to) return '';
  const absolute = to === 0 ? '\r' : `${ESC}[${to + 1}G`;
  if (column === undefined) return absolute;
  const by = to - column;
  const relative = by > 0 ? `${ESC}[${by === 1 ? '' : by}C` : by >= -3 ? '\b'.repeat(-by) : `${ESC}[${-by}D`;
  return relative.length < absolute.length ? relative : absolute;
}

/** Bytes of `across`, which is asked for every cell of a row. */
export function acrossBytes(column: number | undefined, to: number): number {
  if (column === to) return 0;
  const absolute = to === 0 ? 1 : 3 + digits(to + 1);
  if (column === undefined) return absolute;
  const by = Math.abs(to - column);
  if (to > column) return Math.min(absolute, by === 1 ? 3 : 3 + digits(by));
  return Math.min(absolute, by, 3 + digits(by));
}

/** Digits of a positive number. */
const digits = (value: number): number => (value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : String(value).length);

/** Erases two cells, whatever width the terminal gives to the character that follows. */
const clearPair = `${ESC}[2X`;

/** Bytes, and the pen after them. */
export interface Stroke {
  readonly bytes: string;
  readonly pen: Pen;
}

/** Writes the cells of a row from `from` to before `to`; the pen stands on `from`. */
function write(pen: Pen, { glyphs, styles }: StylePalette, row: FrameRow, from: number, to: number): Stroke {
  const { text } = row;
  let { style } = pen;
  let bytes = '';
  let isSure = true;
  /** Where the cells begin that are written in this style. */
  let begun = from;
  for (let column = from; column < to; column += 1) {
    const glyph = row.glyphs[column] as number;
    const wanted = row.styles[column] as number;
    const isTurn = wanted !== style && glyph !== covered && (glyph !== blank || styles.ofBlank(style) !== wanted);
    if (text !== undefined) {
      if (!isTurn) continue;
      bytes += text.slice(begun, column) + styles.between(style, wanted);
      begun = column;
      style = wanted;
      continue;
    }
    if (glyph === covered) continue;
    if (!isSure) bytes += across(undefined, column);
    if (isTurn) {
      bytes += styles.between(style, wanted);
      style = wanted;
    }
    isSure = glyphs.isSure(glyph);
    // A terminal that takes the character for a narrow one would leave what stood in its second cell.
    if (!isSure && row.glyphs[column + 1] === covered) bytes += clearPair;
    bytes += glyphs.text(glyph);
  }
  if (text !== undefined) bytes += text.slice(begun, to);
  const isAtEnd = to >= row.glyphs.length;
  return { bytes, pen: { row: pen.row, column: isAtEnd || !isSure ? undefined : to, style } };
}

const skipping = 0;
const writing = 1;
const erasing = 2;
/** A character is written, and repeated up to the end of the step. */
const repeating = 3;

const unreached = 2 ** 30;

/** Unchanged cells before the next change that are written over rather than skipped: a skip is never longer. */
const mostBridged = 8;

/** Finds the bytes that turn a row into another one. */
export type RowDiff = (pen: Pen, rowIndex: number, before: FrameRow, after: FrameRow) => Stroke;

/**
 * The bytes that turn the row `before` into `after` on the terminal, and the pen after them: the shortest of all orders of
 * writing cells, repeating them, skipping unchanged ones and erasing blanks. No cell is changed that ends as it was.
 */
export function createRowDiff(palette: StylePalette, columns: number, repeats: Repeats): RowDiff {
  const tables = createTables(palette, columns, repeats);
  return (pen, rowIndex, before, after) => {
    findChanges(tables, before, after);
    const first = tables.next[0] as number;
    if (first === columns) return { bytes: '', pen };
    findBlanks(tables, after);
    if (repeats !== 'none') findRuns(tables, after);
    // Where the pen stands a little before the first change, the cells between may be written over.
    const isHere = pen.row === rowIndex && pen.column !== undefined && pen.column <= first;
    const start = isHere ? (pen.column as number) : first;
    findWays(tables, after, start, pen.style);
    return draw(tables, after, planSteps(tables, start), {
      bytes: isHere ? '' : move(pen, rowIndex, first),
      pen: { row: rowIndex, column: start, style: pen.style },
    });
  };
}

/**
 * What is found out of each column of a row, and of the end behind it. The arrays are kept for the next row: every changed
 * row of every frame has as many ways as columns.
 */
function createTables(palette: StylePalette, columns: number, repeats: Repeats) {
  const table = () => new Int32Array(columns + 1);
  return {
    palette,
    columns,
    /** The next column from there on that must be drawn; as many as there are columns for none. */
    next: table(),
    /** Where the plain blanks that begin there end; the column itself for none. */
    blanks: table(),
    /** Where the cells end that show the same as the one there and can be repeated; the next column where it cannot. */
    runs: table(),
    lastRepeated: { none: 0, ascii: 0x7e, all: 0xffff }[repeats],
    /** The cheapest way found to it, everything before it as it should be: its bytes, `unreached` where no way leads. */
    bytes: table(),
    /** The style of the pen there. */
    pens: table(),
    /** Whether the terminal's cursor is surely there. */
    areSure: table(),
    /** The column where the last step of the way began, and what it was. */
    origins: table(),
    steps: table(),
    /** The steps of the whole way from the last one to the first: what each is, where it begins and where it ends. */
    plan: { steps: table(), from: table(), to: table() },
  } as const;
}

type DiffTables = ReturnType<typeof createTables>;

const isChanged = (before: FrameRow, after: FrameRow, at: number, to = at): boolean =>
  before.glyphs[at] !== after.glyphs[to] || before.styles[at] !== after.styles[to];

/** Whether a cell goes with the one before: the second half of a wide character, or what a disputed one may cover. */
const isJoined = ({ glyphs: row, text }: FrameRow, at: number, glyphs: GlyphTable): boolean =>
  text === undefined && (row[at] === covered || !glyphs.isSure(row[at - 1] as number));

function findChanges({ next, columns, palette: { glyphs } }: DiffTables, before: FrameRow, after: FrameRow): void {
  next[columns] = columns;
  let end = columns;
  // No cell of either goes with its neighbor.
  if (before.text !== undefined && after.text !== undefined)
    for (; end > 0; end -= 1) next[end - 1] = isChanged(before, after, end - 1) ? end - 1 : (next[end] as number);
  while (end > 0) {
    let start = end - 1;
    let isDue = isChanged(before, after, start);
    while (start > 0 && (isJoined(before, start, glyphs) || isJoined(after, start, glyphs))) {
      start -= 1;
      isDue ||= isChanged(before, after, start);
    }
    for (let at = start; at < end; at += 1) next[at] = isDue ? at : (next[end] as number);
    end = start;
  }
}

function findBlanks({ blanks, columns }: DiffTables, after: FrameRow): void {
  let end = columns;
  blanks[columns] = columns;
  for (let at = columns - 1; at >= 0; at -= 1) {
    if (after.glyphs[at] !== blank || after.styles[at] !== plainStyle) end = at;
    blanks[at] = end;
  }
}

function findRuns({ runs, lastRepeated, columns, palette: { glyphs } }: DiffTables, after: FrameRow): void {
  for (let at = columns - 1; at >= 0; at -= 1) {
    const glyph = after.glyphs[at] as number;
    const goesOn = at + 1 < columns && glyph <= lastRepeated && !isChanged(after, after, at, at + 1);
    runs[at] = goesOn && glyphs.isCertain(glyph) ? (runs[at + 1] as number) : at + 1;
  }
}

/** Finds the cheapest way to each column from `start` on; the last one, behind the row, is the whole row's. */
function findWays(tables: DiffTables, after: FrameRow, start: number, style: number): void {
  const { bytes, next, blanks, columns } = tables;
  bytes.fill(unreached);
  reach(tables, start, 0, style, 1, start, skipping);
  for (let cell = start; cell < columns; cell += 1) {
    if (bytes[cell] === unreached) continue;
    const due = next[cell] as number;
    if (due > cell) skip(tables, cell, due);
    if (due === columns) continue;
    if (due - cell <= mostBridged) {
      writeOne(tables, after, cell);
      if (tables.lastRepeated > 0) repeatOne(tables, after, cell);
    }
    if (due === cell && (blanks[cell] as number) > cell) eraseBlanks(tables, cell);
  }
}

/** Keeps a way to the column `to` that is cheaper than the one known. */
function reach(ways: DiffTables, to: number, cost: number, style: number, isSure: number, from: number, step: number) {
  if ((ways.bytes[to] as number) <= cost) return;
  ways.bytes[to] = cost;
  ways.pens[to] = style;
  ways.areSure[to] = isSure;
  ways.origins[to] = from;
  ways.steps[to] = step;
}

/** Bytes of the way to a column and of a move on to another one. */
const costAt = ({ bytes, areSure }: DiffTables, cell: number, to: number): number =>
  (bytes[cell] as number) + acrossBytes(areSure[cell] === 1 ? cell : undefined, to);

/** The way from a column on over unchanged cells; behind the last change there is nothing to do. */
function skip(tables: DiffTables, cell: number, due: number): void {
  const isEnd = due === tables.columns;
  const cost = isEnd ? (tables.bytes[cell] as number) : costAt(tables, cell, due);
  reach(tables, due, cost, tables.pens[cell] as number, isEnd ? (tables.areSure[cell] as number) : 1, cell, skipping);
}

/** The ways from a column on by writing its character and repeating it: to the end of its run, and to that of what changes of it. */
function repeatOne(tables: DiffTables, after: FrameRow, cell: number): void {
  const { runs, next, palette } = tables;
  const end = runs[cell] as number;
  let changed = end;
  while (changed > cell && next[changed - 1] !== changed - 1) changed -= 1;
  for (const to of changed === end ? [end] : [changed, end]) {
    const cost = 3 + digits(to - cell - 1);
    if ((to - cell - 1) * palette.glyphs.bytes(after.glyphs[cell] as number) > cost)
      writeOne(tables, after, cell, to, cost);
  }
}

/** The way from a column on by writing its character; with `end` repeating it up to there, which takes bytes too. */
function writeOne(tables: DiffTables, after: FrameRow, cell: number, end = 0, repeated = 0): void {
  const { glyphs, styles } = tables.palette;
  const style = tables.pens[cell] as number;
  const glyph = after.glyphs[cell] as number;
  const wanted = after.styles[cell] as number;
  const writeStyle = glyph === blank && styles.ofBlank(style) === wanted ? style : wanted;
  const isWide = after.glyphs[cell + 1] === covered;
  const isSure = glyphs.isSure(glyph);
  const cleared = isSure || !isWide ? 0 : clearPair.length;
  const written = styles.bytesBetween(style, writeStyle) + cleared + glyphs.bytes(glyph);
  const to = end > 0 ? end : isWide ? cell + 2 : cell + 1;
  const cost = costAt(tables, cell, cell) + written + repeated;
  reach(tables, to, cost, writeStyle, isSure ? 1 : 0, cell, end > 0 ? repeating : writing);
}

/** The way from a column on by erasing the blanks that begin there, up to the next change behind them. */
function eraseBlanks(tables: DiffTables, cell: number): void {
  const { columns, palette } = tables;
  const { styles } = palette;
  const style = tables.pens[cell] as number;
  const end = tables.blanks[cell] as number;
  const eraseStyle = styles.hasBackground(style) ? plainStyle : style;
  const to = tables.next[end] as number;
  const onward = to === columns ? 0 : acrossBytes(cell, to);
  const count = end === columns || end - cell === 1 ? 0 : digits(end - cell);
  const erased = styles.bytesBetween(style, eraseStyle) + 3 + count;
  reach(tables, to, costAt(tables, cell, cell) + erased + onward, eraseStyle, 1, cell, erasing);
}

/** Plans the steps of the cheapest way; cells that are written one after the other are one step. Returns how many there are. */
function planSteps({ origins, steps, plan, columns }: DiffTables, start: number): number {
  let count = 0;
  let to = columns;
  while (to > start) {
    const from = origins[to] as number;
    const step = steps[to] as number;
    if (step === writing && plan.steps[count - 1] === writing) plan.from[count - 1] = from;
    else if (to < columns || step !== skipping) {
      plan.steps[count] = step;
      plan.from[count] = from;
      plan.to[count] = to;
      count += 1;
    }
    to = from;
  }
  return count;
}

/** Draws the planned steps after what `begun` has drawn. */
function draw({ plan, blanks, palette, columns }: DiffTables, after: FrameRow, count: number, begun: Stroke): Stroke {
  let { bytes, pen } = begun;
  for (let place = count - 1; place >= 0; place -= 1) {
    const step = plan.steps[place] as number;
    const from = plan.from[place] as number;
    const to = plan.to[place] as number;
    if (step !== skipping) {
      const stroke =
        step === erasing
          ? erase(pen, palette, from, blanks[from] as number, columns)
          : step === writing
            ? write(pen, palette, after, from, to)
            : repeat(pen, palette, after, from, to);
      bytes += stroke.bytes;
      pen = stroke.pen;
    }
    if (step === skipping || (step === erasing && to < columns)) {
      bytes += across(pen.column, to);
      pen = { ...pen, column: to };
    }
  }
  return { bytes, pen };
}

/** Writes the character at `from`, and lets the terminal repeat it to before `to`. */
function repeat(pen: Pen, palette: StylePalette, row: FrameRow, from: number, to: number): Stroke {
  const back = pen.column === undefined ? across(undefined, from) : '';
  const { bytes, pen: next } = write(pen, palette, row, from, from + 1);
  const column = to === row.glyphs.length ? undefined : to;
  return { bytes: `${back}${bytes}${ESC}[${to - from - 1}b`, pen: { ...next, column } };
}

/** Erases the blanks from `from` to before `to`. Erasing takes the background of the pen. */
function erase(pen: Pen, { styles }: StylePalette, from: number, to: number, columns: number): Stroke {
  const style = styles.hasBackground(pen.style) ? plainStyle : pen.style;
  const back = pen.column === undefined ? across(undefined, from) : '';
  const erased = to === columns ? `${ESC}[K` : `${ESC}[${to - from === 1 ? '' : to - from}X`;
  return { bytes: back + styles.between(pen.style, style) + erased, pen: { ...pen, column: from, style } };
}

/** Which characters of one cell the terminal repeats after `REP` (`CSI n b`). */
export type Repeats = 'none' | 'ascii' | 'all';

/** Terminals within a terminal, whose variables they pass on; which of them know REP is not known. */
const within = ['STY', 'ZELLIJ', 'VIM_TERMINAL', 'NVIM', 'INSIDE_EMACS'] as const;

const programs = ['vscode', 'WezTerm', 'iTerm.app', 'ghostty'];

/**
 * What is known of the terminal by its variables. `TERM=xterm-256color` alone says nothing: mosh has it, which does not know REP. tmux
 * repeats ASCII from 2.6 on (it names itself from 3.2 on), and 3.3 nothing else.
 */
export function repeatsIn(env: Readonly<Record<string, string | undefined>>): Repeats {
  const { TERM = '', TERM_PROGRAM = '', VTE_VERSION, XTERM_VERSION, WT_SESSION } = env;
  if (within.some((name) => env[name])) return 'none';
  if (/^(screen|tmux)/.test(TERM)) return TERM_PROGRAM === 'tmux' ? 'ascii' : 'none';
  if (/^(foot|alacritty|wezterm|xterm-kitty|xterm-ghostty)/.test(TERM)) return 'all';
  const isNamed = XTERM_VERSION || WT_SESSION || Number(VTE_VERSION) >= 6000 || programs.includes(TERM_PROGRAM);
  return isNamed && /^xterm/.test(TERM) ? 'all' : 'none';
}
