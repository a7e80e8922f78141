import type { TerminalScreen } from './screen.ts';
import { stripSequences } from './sequences.ts';
import type { Watcher } from './watcher.ts';

/** Exit codes: 128 and the number of the signal, as shells count; 1 for a crash. */
export const exitCodes = { crash: 1, SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
type Ending = 'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGTERM';
const ENDINGS: readonly Ending[] = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];

/** The only way to exit. */
interface Leave {
  /** Restores the terminal, writes `message` on the primary screen, finishes, exits. Only the first call counts. */
  leave(code: number, message?: string): void;
  /** Leaves because of an uncaught error: writes it on the primary screen and exits with 1. */
  crash(error: unknown): void;
  /** Ctrl-C and Ctrl-\ belong to another program for now (an editor), which has the terminal. */
  lend(isLent: boolean): void;
}

interface LeaveNeeds {
  readonly screen: TerminalScreen;
  readonly watcher?: Watcher;
  /** Puts the keyboard back into line mode. */
  cook(): void;
  /** Stops all other writes to the terminal, which could block forever. */
  hush?(): void;
  /** Finishes the journal and edits in flight, within 1 s; must send nothing new. */
  readonly finish?: ((code: number) => void | Promise<void>) | undefined;
  /** The text of an error, without secrets. Painted here. */
  readonly describe?: ((error: unknown) => string) | undefined;
  readonly process: Pick<NodeJS.Process, 'on' | 'exit'>;
  readonly stdin: Pick<NodeJS.ReadableStream, 'on'>;
  /** Where the message goes when it is not for the terminal's own screen: standard error sent elsewhere. */
  say?(text: string): void;
}

const FINISH_MS = 1000;

/**
 * Handles every way to end: signals, a hang-up, uncaught errors, `process.exit` by others. Only the first counts,
 * because some libraries send a signal again after handling it (docs/design/reliability.md#process). The order is: terminal,
 * message, finish, exit.
 */
export function createLeave(needs: LeaveNeeds): Leave {
  const { screen, watcher, process, stdin } = needs;
  let isLeaving = false;
  let isLent = false;

  function restore(last = '') {
    const isGivenBack = screen.close(last);
    quietly(needs.cook);
    needs.hush?.();
    // Where the terminal did not take the sequences, the watcher writes them later.
    if (isGivenBack) watcher?.dismiss('ending');
  }

  function leave(code: number, message = '') {
    if (isLeaving) return;
    isLeaving = true;
    const text = message === '' ? '' : `${stripSequences(message).trimEnd()}\n`;
    restore(needs.say ? '' : text);
    quietly(() => needs.say?.(text));
    const exit = () => {
      clearTimeout(late);
      process.exit(code);
    };
    const late = setTimeout(exit, FINISH_MS);
    Promise.resolve()
      .then(() => needs.finish?.(code))
      .catch(() => undefined)
      .finally(exit);
  }

  const crash = (error: unknown) => leave(exitCodes.crash, (needs.describe ?? mistakeText)(error));
  const hungUp = () => leave(exitCodes.SIGHUP);
  for (const signal of ENDINGS)
    process.on(signal, () => {
      const isTheirs = isLent && (signal === 'SIGINT' || signal === 'SIGQUIT');
      if (!isTheirs) leave(exitCodes[signal]);
    });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  process.on('exit', () => restore());
  stdin.on('end', hungUp);
  stdin.on('error', hungUp);

  return {
    leave,
    crash,
    lend: (lent) => {
      isLent = lent;
    },
  };
}

/** Lines of an error and its stack that are told: more would scroll the sentence off a screen of 24 lines. */
const mostLines = 8;

/** Tells a mistake of our own, with where it was made. */
export function mistakeText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  return `orgdeck stopped because of an internal error:\n${text.split('\n').slice(0, mostLines).join('\n')}`;
}

function quietly(act: () => void) {
  try {
    act();
  } catch {
    // The terminal may be gone: nothing can show the error.
  }
}

/** Releases the keyboard, and the modes that belong to it; the result takes them back. */
export type ReleaseKeys = () => () => void;

/** Lends the terminal to another program. */
interface Lend {
  /** Runs `work` with the terminal in line mode on the primary screen, and restores it afterward. */
  during<T>(releaseKeys: ReleaseKeys, work: () => Promise<T>): Promise<T>;
  /** Ctrl-Z: stops this job until the shell continues it. */
  stop(releaseKeys: ReleaseKeys): Promise<void>;
  /** A SIGTSTP from outside, or from the program that has the terminal. */
  stopped(releaseKeys: ReleaseKeys): void;
  /** After a SIGCONT from outside: other programs may have used the terminal. */
  continued(): void;
}

interface LendNeeds {
  readonly screen: TerminalScreen;
  readonly leave: Pick<Leave, 'lend'>;
  readonly watcher?: Watcher;
  /** Sends SIGTSTP to the whole job, so that a wrapper such as npm stops too and the shell gets the terminal. */
  stopJob(): void;
  /** Sets the keyboard to raw mode, even if it is set already. */
  raw(): void;
}

const HAND_OVER_MS = 300;
/** A stop takes effect at once; where it is refused (no shell behind us), we go on after this. */
const STOPPED_MS = 60;

/** One borrower at a time; a second one is refused. */
export function createLend({ screen, leave, watcher, stopJob, raw }: LendNeeds): Lend {
  let isLent = false;

  async function during<T>(releaseKeys: ReleaseKeys, work: () => Promise<T>): Promise<T> {
    if (isLent) throw new Error('another program has the terminal');
    isLent = true;
    const takeKeys = releaseKeys();
    leave.lend(true);
    screen.hold(true);
    screen.flush(HAND_OVER_MS);
    watcher?.guards(false);
    try {
      return await work();
    } finally {
      isLent = false;
      leave.lend(false);
      // First, because it stops a job that is continued behind the shell (SIGTTOU), whose screen would be written on.
      raw();
      screen.hold(false);
      watcher?.guards(true);
      takeKeys();
    }
  }

  const stop = (releaseKeys: ReleaseKeys) =>
    during(releaseKeys, async () => {
      stopJob();
      await new Promise((go) => setTimeout(go, STOPPED_MS));
      // The SIGCONT of our own stop is handled in this turn, so it is not taken for one from outside.
      await new Promise((go) => setImmediate(go));
    });

  return {
    during,
    stop,
    stopped(releaseKeys) {
      if (isLent) stopJob();
      else void stop(releaseKeys);
    },
    continued() {
      if (isLent) return;
      raw();
      screen.reassert();
      screen.redraw();
    },
  };
}
