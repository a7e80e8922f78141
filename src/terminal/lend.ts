import type { Leave } from './leave.ts';
import type { Screen } from './screen.ts';
import type { Watcher } from './watcher.ts';

/** The renderer's own suspension: stops drawing and reading, leaves the alternate screen; `resume` takes all back. */
export type SuspendTerminal = () => Promise<{ resume(): Promise<void> }>;

/** Lends the terminal to another program. */
export interface Lend {
  /** Runs `work` with the terminal in line mode on the primary screen, and restores it afterwards. */
  during<T>(suspendTerminal: SuspendTerminal, work: () => Promise<T>): Promise<T>;
  /** Ctrl-Z: stops this job until the shell continues it. */
  stop(suspendTerminal: SuspendTerminal): Promise<void>;
  /** After a SIGCONT from outside: other programs may have used the terminal. */
  continued(): void;
}

interface Needs {
  readonly screen: Screen;
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

/** One borrower at a time; a second one is refused by the renderer. */
export function createLend({ screen, leave, watcher, stopJob, raw }: Needs): Lend {
  let isLent = false;

  async function during<T>(suspendTerminal: SuspendTerminal, work: () => Promise<T>): Promise<T> {
    const lent = await suspendTerminal();
    isLent = true;
    leave.lend(true);
    screen.flush(HAND_OVER_MS);
    screen.hold(true);
    watcher?.guards(false);
    try {
      return await work();
    } finally {
      isLent = false;
      leave.lend(false);
      screen.hold(false);
      watcher?.guards(true);
      await lent.resume();
    }
  }

  return {
    during,
    stop: (suspendTerminal) =>
      during(suspendTerminal, async () => {
        stopJob();
        await new Promise((go) => setTimeout(go, STOPPED_MS));
        // The SIGCONT of our own stop is handled in this turn, so it is not taken for one from outside.
        await new Promise((go) => setImmediate(go));
      }),
    continued() {
      if (isLent) return;
      raw();
      screen.reassert();
      screen.redraw();
    },
  };
}
