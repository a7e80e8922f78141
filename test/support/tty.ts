import { EventEmitter } from 'node:events';
import xterm, { type IBufferCell } from '@xterm/headless';
import type { Clock } from '../../src/lib/time.ts';
import { createScreen, type TerminalScreen } from '../../src/terminal/screen.ts';
import { keyWatch } from './key-watch.ts';
import { createPlainWriter } from './plain-writer.ts';
import { measureAsToday } from './widths.ts';

/** A terminal in memory: a terminal emulator interprets what the program writes, through the program's own screen. */
export interface Tty {
  readonly shown: TerminalScreen;
  /** The lines of the screen, without blanks at their ends. */
  screen(): Promise<string[]>;
  resize(columns: number, rows: number): void;
  /** Bytes written so far. */
  bytes(): number;
  /** All of them, as text. */
  output(): string;
  /** The number of cells with a foreground or background color. */
  colors(): Promise<number>;
  /** Calls back after each write that is not empty. */
  onWrite(listener: () => void): void;
  close(): void;
}

export function createTty(columns: number, rows: number, clock: Clock): Tty {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0, convertEol: true });
  measureAsToday(terminal);
  const written: Uint8Array[] = [];
  const events = new EventEmitter();
  const shown = createScreen(
    {
      write(bytes) {
        // The writer reuses nothing of what it has handed over.
        written.push(bytes);
        keyWatch().sees('the terminal of a dashboard', bytes);
        terminal.write(bytes);
        events.emit('write');
        return bytes.length;
      },
      size: () => ({ columns: terminal.cols, rows: terminal.rows }),
      onResize(then) {
        events.on('resize', then);
        return () => events.off('resize', then);
      },
    },
    clock,
    () => {},
    process.env.TEST_PLAIN_WRITER === '1' ? createPlainWriter({ rows }) : undefined,
  );
  return {
    shown,
    screen: () =>
      new Promise((done) => {
        terminal.write('', () => {
          const { active } = terminal.buffer;
          done(
            Array.from(
              { length: terminal.rows },
              (_, at) => active.getLine(active.viewportY + at)?.translateToString(true) ?? '',
            ),
          );
        });
      }),
    colors: () =>
      new Promise((done) => {
        terminal.write('', () => {
          const { active } = terminal.buffer;
          const cells = Array.from({ length: terminal.rows }, (_, y) =>
            Array.from({ length: terminal.cols }, (_, x) => active.getLine(active.viewportY + y)?.getCell(x)),
          ).flat();
          // The color of text is not seen on a blank.
          const isPlain = (cell: IBufferCell) =>
            cell.isBgDefault() && (cell.isFgDefault() || (cell.getChars().trim() === '' && !cell.isInverse()));
          done(cells.filter((cell) => cell && !isPlain(cell)).length);
        });
      }),
    resize(nextColumns, nextRows) {
      terminal.resize(nextColumns, nextRows);
      events.emit('resize');
    },
    bytes: () => written.reduce((sum, { length }) => sum + length, 0),
    output: () => Buffer.concat(written).toString('utf8'),
    onWrite: (listener) => void events.on('write', listener),
    close() {
      shown.close();
      terminal.dispose();
    },
  };
}
