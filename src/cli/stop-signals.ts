import { exitCodes } from '../terminal/leave-terminal.ts';
import type { Exit } from './io.ts';

const endings = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** What calls long work off. */
interface Stopping {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came; undefined while none has. */
  exit(): Exit | undefined;
  /** Listens no longer. */
  end(): void;
}

/** Calls work off at the first signal that would end the program; a second one ends it. */
export function stopOnSignals(): Stopping {
  const stop = new AbortController();
  const came: { exit?: Exit } = {};
  const hear = (name: (typeof endings)[number]) => {
    came.exit = exitCodes[name];
    stop.abort();
    end();
  };
  const end = () => {
    for (const name of endings) process.off(name, hear);
  };
  for (const name of endings) process.on(name, hear);
  return { signal: stop.signal, exit: () => came.exit, end };
}
