import type { ParseResult } from '../lib/function-results.ts';
import type { NotifyWay } from '../lib/setting-values.ts';
import type { Clock } from '../lib/time.ts';
import { type ChildEnvironment, editText } from './editor.ts';
import { createFrameWriter } from './frame/frame-writer.ts';
import { repeatsIn } from './frame/row-diff.ts';
import { createLeave, createLend, exitCodes, type ReleaseKeys } from './leave-terminal.ts';
import { openOutput } from './output.ts';
import { createLines, createScreen, type TerminalScreen } from './screen.ts';
import { type CopyResult, copy, GIVE_BACK, LEAVE_PASTES, notification } from './sequences.ts';
import { backgroundQuery } from './terminal-capabilities.ts';
import { startWatcher, type Watcher } from './watcher.ts';

/** The terminal as the shell uses it. */
export interface Terminal extends Pick<TerminalScreen, 'stream' | 'control' | 'redraw' | 'isBehind'> {
  /**
   * Call after the first render; `again` writes lines that were left out. From here on every exit restores the terminal, and
   * so does a stop signal, which is ignored without `releaseKeys`.
   */
  drawnBy(again: () => void, releaseKeys?: ReleaseKeys): void;
  /** Resolves when the terminal has taken everything drawn so far; false where frames were left out meanwhile. */
  drained(): Promise<boolean>;
  /** Restores the terminal, writes `message` on the primary screen, finishes, exits. */
  leave(code: number, message?: string): void;
  /** Gives the terminal back after an error of the renderer, and exits with 1. */
  crash(error: unknown): void;
  /** Ctrl-Z. */
  suspend(releaseKeys: ReleaseKeys): Promise<void>;
  /** `childEnv` is the environment of the editor. */
  edit(
    text: string,
    ending: string,
    releaseKeys: ReleaseKeys,
    childEnv: ChildEnvironment,
  ): Promise<ParseResult<string>>;
  copy(text: string): Promise<CopyResult>;
  notify(way: NotifyWay, text: string): void;
  /** Asks for the color of the background; the reply comes with the keys. */
  askBackground(): void;
}

interface Needs {
  readonly process: NodeJS.Process;
  readonly clock: Clock;
  readonly watcher: Watcher;
  /** Finishes work before the exit, within 1 s. */
  finish?(code: number): void | Promise<void>;
  /** Text of an uncaught error; must hold no secret. */
  describe?(error: unknown): string;
  /** Longest time that the event loop may be blocked before the process is ended; default 10 s. */
  readonly patienceMs?: number;
  /** Lines are appended on the normal screen, and nothing is erased. */
  readonly isLines?: boolean;
}

/** Starts what restores the terminal after a kill. Begin with it: it takes milliseconds until it is ready, and nothing draws before. */
export const watchTerminal = ({ PATH, TERM }: NodeJS.ProcessEnv, isLines = false): Watcher =>
  startWatcher(PATH, isLines ? (TERM === 'dumb' ? '' : LEAVE_PASTES) : GIVE_BACK);

/**
 * Assembles the parts on the real terminal. Call it once, after `capable` said that there is one, and before the
 * renderer is started, which waits until the watcher is ready.
 */
export function createTerminal(needs: Needs): Terminal {
  const { process, clock, watcher, finish, describe, patienceMs = 10_000, isLines = false } = needs;
  const { stdin, env } = process;
  const output = openOutput(process.stdout);
  const gone = () => leave.leave(exitCodes.SIGHUP);
  const held: { again(): void; stopped(): void } = { again: () => {}, stopped: () => {} };
  const screen = isLines
    ? createLines(output, clock, { gone, again: () => held.again() })
    : createScreen(output, clock, gone, createFrameWriter(output.size(), repeatsIn(env)));
  const isDumb = env.TERM === 'dumb';
  const leave = createLeave({
    screen,
    watcher,
    finish,
    describe,
    process,
    stdin,
    cook: () => stdin.setRawMode(false),
    ...(process.stderr.isTTY
      ? { hush: () => swallow(process.stderr) }
      : { say: (text: string) => void process.stderr.write(text) }),
  });
  const lend = createLend({
    screen,
    leave,
    watcher,
    stopJob() {
      // Without a listener the signal stops this process like the others of the job.
      process.off('SIGTSTP', held.stopped);
      process.kill(0, 'SIGTSTP');
      setImmediate(() => process.on('SIGTSTP', held.stopped));
    },
    raw() {
      stdin.setRawMode(false);
      stdin.setRawMode(true);
    },
  });

  return {
    stream: screen.stream,
    control: screen.control,
    redraw: screen.redraw,
    isBehind: screen.isBehind,
    drained: () => new Promise((taken) => screen.drained(taken)),
    leave: leave.leave,
    crash: leave.crash,
    drawnBy(again, releaseKeys) {
      held.again = again;
      if (releaseKeys) held.stopped = () => lend.stopped(releaseKeys);
      process.on('SIGTSTP', held.stopped);
      watcher.guards(true);
      process.on('SIGCONT', () => {
        // A change of the window is told to the job in front alone: whoever was stopped looks for one.
        process.emit('SIGWINCH', 'SIGWINCH');
        lend.continued();
      });
      if (!process.execArgv.some((flag) => flag.startsWith('--inspect'))) watcher.endsBlocked(patienceMs);
    },
    suspend: lend.stop,
    edit: (text, ending, releaseKeys, childEnv) =>
      editText(text, ending, { env: childEnv, process, during: (work) => lend.during(releaseKeys, work) }),
    copy: (text) => copy(text, { env, send: screen.send }),
    askBackground: () => screen.send(backgroundQuery),
    notify(way, text) {
      const sequence = notification(
        isDumb && way !== 'off' ? 'bell' : way,
        text,
        env.TMUX ? 'tmux' : env.STY ? 'screen' : undefined,
      );
      if (sequence !== '') screen.send(sequence);
    },
  };
}

/**
 * The renderer's library gives the cursor back at the exit, on standard error, with a write that blocks: behind a
 * terminal that does not read, the process would never end. The cursor has been given back by then.
 */
function swallow(stream: NodeJS.WriteStream) {
  stream.write = () => true;
}
