import type { Leave } from './leave-terminal.ts';
import type { TerminalScreen } from './screen.ts';
import type { Watcher } from './watcher.ts';

/** Releases the keyboard, and the modes that belong to it; the result takes them back. */
export type ReleaseKeys = () => () => void;

/** Lends the terminal to another program. */
export interface Lend {
  /** Runs `work` with the terminal in line mode on the primary screen, and restores it afterward. */
  during<T>(releaseKeys: ReleaseKeys, work: () => Promise<T>): Promise<T>;
  /** Ctrl-Z: stops this job until the shell continues it. */
  stop(releaseKeys: ReleaseKeys): Promise<void>;
  /** A SIGTSTP from outside, or from the program that has the terminal. */
  stopped(releaseKeys: ReleaseKeys): void;
  /** After a SIGCONT from outside: other programs may have used the terminal. */
  continued(): void;
}

interface Needs {
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
export function createLend({ screen, leave, watcher, stopJob, raw }: Needs): Lend {
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
