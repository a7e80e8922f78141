import headless, { type IBufferCell, type Terminal } from '@xterm/headless';
import { measureAsToday } from '../support/widths.ts';
import { cellOf, type Look, lookOf, type Screen, type ScreenCell } from './cells.ts';

/** A terminal that takes the bytes of a program one command at a time. */
export interface TerminalModel {
  screen(): Screen;
  /**
   * Takes the bytes, and tells how many cells were changed on the way although they ended as they were. A synchronized
   * update is ignored, as by a terminal without them. A row that a scroll brings in is new: that it is blank at first is no change.
   */
  take(bytes: string): Promise<number>;
  dispose(): void;
}

/** A control sequence, a control character, or a stretch of text. */
const command =
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]P_][\s\S]*?(?:\u0007|\u001B\\)|\u001B[ -/]*[0-~]|[\u0000-\u001F]|[^\u0000-\u001F]+/g;
const isStyle = /^\u001B\[[\d;:]*m$/;
/** Commands that only move, style or set modes. */
const isQuiet = /^\u001B\[(?:[\d;:]*[mABCDGHdfu]|\?(?!1049|47|1047)[\d;]*[hl])$|^[\r\b]$|^\u001B\]/;

const margins = /^\u001B\[(\d*)(?:;(\d*))?r$/;
/** Deletes or inserts rows at the cursor, or scrolls the region up or down. */
const scroll = /^\u001B\[(\d*)([MLST])$/;

export function createTerminalModel(columns: number, rows: number): TerminalModel {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  measureAsToday(terminal);
  // The buffer does not tell the pen; this terminal shows a letter that is drawn with it.
  const pen = new headless.Terminal({ cols: 2, rows: 1, allowProposedApi: true });
  const looks = new Map<string, Look>();

  const readRow = (y: number): ScreenCell[] => {
    const line = terminal.buffer.active.getLine(y);
    return Array.from({ length: columns }, (_, x) => cellOf(line?.getCell(x) as IBufferCell, looks));
  };
  const region = { top: 0, bottom: rows - 1 };
  /** The rows that this command has brought in, blank. */
  const broughtIn = (piece: string): { readonly from: number; readonly to: number } | undefined => {
    const [, count, way] = scroll.exec(piece) ?? [];
    const { cursorY } = terminal.buffer.active;
    const by = Number(count) || 1;
    if (way === 'M' || way === 'S') return { from: region.bottom - by + 1, to: region.bottom };
    const from = way === 'L' ? cursorY : region.top;
    return way === undefined ? undefined : { from, to: from + by - 1 };
  };
  const read = () => Array.from({ length: rows }, (_, y) => readRow(y));
  const screen = (): Screen => {
    const { cursorX, cursorY } = terminal.buffer.active;
    return {
      cells: read(),
      cursor: { row: cursorY, column: cursorX < columns ? cursorX : undefined },
      pen: lookOf(pen.buffer.active.getLine(0)?.getCell(0) as IBufferCell, looks),
    };
  };
  pen.write('x');

  return {
    screen,
    async take(bytes) {
      const before = read();
      /** Cells that showed something else meanwhile, as `row * columns + column`. */
      const strayed = new Map<number, ScreenCell>();
      const compare = (y: number) => {
        for (const [x, cell] of readRow(y).entries()) {
          const was = before[y]?.[x] as ScreenCell;
          if (!isSame(cell, was)) strayed.set(y * columns + x, was);
        }
      };
      const startAnew = (y: number) => {
        before[y] = readRow(y);
        for (let x = 0; x < columns; x += 1) strayed.delete(y * columns + x);
      };
      const pieces = bytes.match(command) ?? [];
      for (const piece of pieces) {
        if (isStyle.test(piece)) pen.write(`${piece}\rx`);
        const isText = piece >= ' ';
        terminal.write(piece, () => {
          if (isQuiet.test(piece)) return;
          if (isText || /^\u001B\[\d*[XKb]$/.test(piece)) compare(terminal.buffer.active.cursorY);
          else {
            const [isMargins, top, bottom] = margins.exec(piece) ?? [];
            if (isMargins) Object.assign(region, { top: (Number(top) || 1) - 1, bottom: (Number(bottom) || rows) - 1 });
            const fresh = broughtIn(piece);
            for (let y = 0; y < rows; y += 1)
              if (fresh && y >= fresh.from && y <= fresh.to) startAnew(y);
              else compare(y);
          }
        });
      }
      await Promise.all([settled(terminal), settled(pen)]);
      const after = read();
      const isBack = (place: number, was: ScreenCell) =>
        isSame(after[Math.floor(place / columns)]?.[place % columns] as ScreenCell, was);
      return [...strayed].filter(([place, was]) => isBack(place, was)).length;
    },
    dispose() {
      terminal.dispose();
      pen.dispose();
    },
  };
}

const settled = (terminal: Terminal) => new Promise<void>((done) => terminal.write('', done));

const isSame = (one: ScreenCell, other: ScreenCell): boolean => one.text === other.text && one.look === other.look;
