import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';
import { measureAsToday } from './widths.ts';

/** A terminal in memory: a terminal emulator interprets what the program writes. */
export interface Tty {
  readonly stdout: NodeJS.WriteStream;
  /** The lines of the screen, without blanks at their ends. */
  screen(): Promise<string[]>;
  resize(columns: number, rows: number): void;
  /** Bytes written so far. */
  bytes(): number;
  /** The number of cells with a foreground or background colour. */
  colours(): Promise<number>;
  /** Calls back after each write that is not empty. */
  onWrite(listener: () => void): void;
  close(): void;
}

export function createTty(columns: number, rows: number): Tty {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0, convertEol: true });
  measureAsToday(terminal);
  const count = { bytes: 0 };
  const written = new EventEmitter();
  const stdout = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isTTY: true,
    writable: true,
    write(chunk: string | Uint8Array, encoding?: unknown, done?: () => void) {
      count.bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
      terminal.write(chunk);
      if (chunk.length > 0) written.emit('write');
      const call = typeof encoding === 'function' ? encoding : done;
      if (call) setImmediate(call as () => void);
      return true;
    },
    end() {},
  }) as unknown as NodeJS.WriteStream;
  return {
    stdout,
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
    colours: () =>
      new Promise((done) => {
        terminal.write('', () => {
          const { active } = terminal.buffer;
          const cells = Array.from({ length: terminal.rows }, (_, y) =>
            Array.from({ length: terminal.cols }, (_, x) => active.getLine(active.viewportY + y)?.getCell(x)),
          ).flat();
          done(cells.filter((cell) => cell && !(cell.isFgDefault() && cell.isBgDefault())).length);
        });
      }),
    resize(nextColumns, nextRows) {
      Object.assign(stdout, { columns: nextColumns, rows: nextRows });
      terminal.resize(nextColumns, nextRows);
      stdout.emit('resize');
    },
    bytes: () => count.bytes,
    onWrite: (listener) => void written.on('write', listener),
    close: () => terminal.dispose(),
  };
}
