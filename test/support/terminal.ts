import { spawn } from '@lydell/node-pty';
import type { IBufferCell, Terminal } from '@xterm/headless';
import headless from '@xterm/headless';
import { keyWatch } from './key-watch.ts';
import { measureAsToday } from './widths.ts';

/** One visible cell. Colors: `default`, `0` to `255`, or `#rrggbb`. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly foreground: string;
  readonly background: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
  readonly isUnderlined: boolean;
}

interface Exit {
  readonly code: number;
  /** Number of the signal that ended it; 0 = it ended by itself. */
  readonly signal: number;
}

/** A program in a real pseudo-terminal, with its output interpreted by a terminal emulator. */
export interface Pty {
  readonly pid: number;
  /** Rows as text, blank ends cut; always as many as the terminal has. */
  screen(): string[];
  cell(column: number, row: number): Cell;
  cursor(): { readonly column: number; readonly row: number };
  /** `alternate` while a full-screen program has it. */
  buffer(): 'normal' | 'alternate';
  /**
   * Waits until the screen shows it, and gives the moment at which its last bytes arrived, as `performance.now()`; after `within` ms
   * throws with the last frame.
   */
  sees(what: string | RegExp, how?: { readonly within?: number }): Promise<number>;
  /** Waits until the screen no longer shows it. */
  missesSoon(what: string | RegExp, how?: { readonly within?: number }): Promise<number>;
  /** Waits until nothing has been written for `quiet` ms, counted from the last key or window change at the earliest. */
  settles(quiet?: number): Promise<void>;
  /** Writes keys in one chunk; each character or named sequence counts as one key. */
  presses(keys: string): void;
  keysSent(): number;
  resize(columns: number, rows: number): Promise<void>;
  /** A position in the output for `bytesSince` and `outputSince`. */
  mark(): number;
  bytesSince(mark: number): number;
  outputSince(mark: number): string;
  /** When the last byte arrived, or the last key or window change was sent, as `performance.now()`. */
  quietSince(): number;
  /** Stops reading, like a terminal behind a dead connection; `reads(true)` resumes. */
  reads(isReading: boolean): void;
  signal(name: NodeJS.Signals): void;
  /** Closes the terminal under its program, as sshd does when the link is lost: it gets SIGHUP and SIGCONT. */
  hangsUp(): void;
  /** Waits until the program has ended; throws with the last frame where it has not after `within` ms. */
  ends(how?: { readonly within?: number }): Promise<Exit>;
  /** Ends this program only. */
  close(): Promise<void>;
}

export interface Open {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly cwd?: string | undefined;
  /** Emoji are two cells wide, as in terminals of today; the emulator's own table is that of Unicode 6. */
  readonly hasWideEmoji?: boolean;
}

/** What a terminal would have set; `CI` and our own variables are not inherited. */
const inherited = ['PATH', 'HOME', 'USER', 'SHELL', 'TMPDIR', 'XDG_CACHE_HOME'];
const PATIENCE_MS = 8000;
/** One key: a control sequence, an Alt key, or a character. */
const KEY = /\u001B\[[0-9;?]*[ -/]*[@-~]|\u001BO[A-Z]|\u001B[^\u001B]|[\s\S]/gu;

/** Starts a program at 80x24 unless told otherwise. */
export function openTerminal(open: Open): Pty {
  const columns = open.columns ?? 80;
  const rows = open.rows ?? 24;
  const base = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const env = { ...base, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...open.env };
  const known = Object.entries(env).filter(([, value]) => value !== undefined);
  const child = spawn(open.command, [...open.args], {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd: open.cwd ?? process.cwd(),
    env: Object.fromEntries(known),
    encoding: null,
  });
  const terminal: Terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  if (open.hasWideEmoji) measureAsToday(terminal);
  const chunks: Buffer[] = [];
  // The emulator's own decoder loses a character of three bytes where one of them arrives alone.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let written = 0;
  let keys = 0;
  let lastAt = performance.now();
  let isOver = false;
  const waiting = new Set<(arrivedAt: number) => void>();

  child.onData((data) => {
    // Without an encoding the chunks are bytes, contrary to the type declaration.
    const bytes = Buffer.from(data as unknown as Uint8Array);
    chunks.push(bytes);
    written += bytes.length;
    const arrivedAt = performance.now();
    lastAt = arrivedAt;
    terminal.write(decoder.decode(bytes, { stream: true }), () => {
      for (const look of waiting) look(arrivedAt);
    });
  });
  // Sends the emulator's replies to queries (device attributes, cursor position).
  terminal.onData((answer) => {
    if (!isOver) child.write(answer);
  });
  const exited = new Promise<Exit>((settle) => {
    child.onExit(({ exitCode, signal }) => {
      isOver = true;
      // The emulator may not have read the last bytes yet.
      terminal.write('', () => settle({ code: exitCode, signal: signal ?? 0 }));
    });
  });

  const signal = (name: NodeJS.Signals) => {
    try {
      if (!isOver) process.kill(child.pid, name);
    } catch (error) {
      // The process has ended, but its exit event is still pending.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };

  const screen = () => {
    const { active } = terminal.buffer;
    return Array.from(
      { length: terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    );
  };
  const framed = () =>
    screen()
      .map((line) => `│${line}`)
      .join('\n');
  const shows = (what: string | RegExp) => {
    const text = screen().join('\n');
    return typeof what === 'string' ? text.includes(what) : what.test(text);
  };

  function until(what: string | RegExp, isWanted: boolean, within: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const look = (arrivedAt: number) => {
      if (shows(what) === isWanted) end(() => resolve(arrivedAt));
    };
    const timer = setTimeout(() => {
      const verb = isWanted ? 'is not on the screen' : 'is still on the screen';
      end(() =>
        reject(
          new Error(
            `${String(what)} ${verb} after ${within} ms${isOver ? ' (the program has ended)' : ''}:\n${framed()}`,
          ),
        ),
      );
    }, within);
    const end = (settle: () => void) => {
      waiting.delete(look);
      clearTimeout(timer);
      settle();
    };
    waiting.add(look);
    look(lastAt);
    return promise;
  }

  return {
    pid: child.pid,
    screen,
    sees: (what, { within = PATIENCE_MS } = {}) => until(what, true, within),
    missesSoon: (what, { within = PATIENCE_MS } = {}) => until(what, false, within),
    cell(column, row) {
      const { active } = terminal.buffer;
      const cell = active.getLine(active.baseY + row)?.getCell(column);
      if (!cell) throw new RangeError(`no cell at ${column},${row}`);
      return {
        text: cell.getChars() || ' ',
        width: cell.getWidth(),
        foreground: color(cell, 'Fg'),
        background: color(cell, 'Bg'),
        isBold: cell.isBold() !== 0,
        isDim: cell.isDim() !== 0,
        isInverse: cell.isInverse() !== 0,
        isUnderlined: cell.isUnderline() !== 0,
      };
    },
    cursor: () => ({ column: terminal.buffer.active.cursorX, row: terminal.buffer.active.cursorY }),
    buffer: () => terminal.buffer.active.type,
    async settles(quiet = 150) {
      for (;;) {
        const rest = quiet - (performance.now() - lastAt);
        if (rest <= 0) break;
        await new Promise((go) => setTimeout(go, rest));
      }
      await new Promise<void>((go) => terminal.write('', go));
    },
    presses(text) {
      keys += text.match(KEY)?.length ?? 0;
      lastAt = performance.now();
      child.write(text);
    },
    keysSent: () => keys,
    async resize(toColumns, toRows) {
      terminal.resize(toColumns, toRows);
      child.resize(toColumns, toRows);
      lastAt = performance.now();
      await new Promise<void>((go) => terminal.write('', go));
    },
    mark: () => written,
    bytesSince: (mark) => written - mark,
    outputSince: (mark) => Buffer.concat(chunks).subarray(mark).toString('utf8'),
    quietSince: () => lastAt,
    reads: (isReading) => (isReading ? child.resume() : child.pause()),
    signal,
    async ends({ within = 2 * PATIENCE_MS } = {}) {
      const exit = await Promise.race([
        exited,
        new Promise<undefined>((go) => setTimeout(() => go(undefined), within).unref()),
      ]);
      if (exit === undefined) throw new Error(`the program has not ended after ${within} ms:\n${framed()}`);
      return exit;
    },
    hangsUp: () => (child as unknown as { destroy(): void }).destroy(),
    async close() {
      signal('SIGKILL');
      child.resume();
      await exited;
      keyWatch().sees(`the terminal of ${[open.command, ...open.args].join(' ')}`, Buffer.concat(chunks));
      terminal.dispose();
    },
  };
}

function color(cell: IBufferCell, side: 'Fg' | 'Bg'): string {
  if (side === 'Fg' ? cell.isFgDefault() : cell.isBgDefault()) return 'default';
  const value = side === 'Fg' ? cell.getFgColor() : cell.getBgColor();
  const isTrue = side === 'Fg' ? cell.isFgRGB() : cell.isBgRGB();
  return isTrue ? `#${value.toString(16).padStart(6, '0')}` : String(value);
}
