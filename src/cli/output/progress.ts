import type { Rows } from '../../describe/context.ts';
import type { Progress } from '../../describe/job.ts';
import { paint } from '../../lib/paint.ts';
import { cut, formatCount } from '../../lib/text.ts';
import { spans } from '../../lib/time.ts';
import { exitCodes } from '../../terminal/leave-terminal.ts';
import { complain, type Exit, type Io } from '../io.ts';

const bar = 20;
/** Least milliseconds between two drawings of the bar. */
const everyMs = 200;
/** Milliseconds between two lines about work of unknown length. */
const lineEveryMs = 10_000;

/** Tells how far long work is, on stderr: on a terminal one line with a bar, drawn again and again; elsewhere one line for each step and each further 10 %; every ten seconds where nobody knows how much there is. */
export function createProgress(io: Pick<Io, 'err' | 'clock' | 'isTerminal' | 'size'>) {
  const state = { step: '', tenth: -1, at: Number.NEGATIVE_INFINITY, isDrawn: false };
  const isTerminal = io.isTerminal.stderr ?? false;
  return {
    tell({ step, share, notes }: Progress): void {
      const tenth = share === undefined ? -1 : Math.floor(share * 10);
      const percent = share === undefined ? '' : ` ${Math.floor(share * 100)}%`;
      const now = io.clock.now();
      if (isTerminal) {
        if (step === state.step && now - state.at < everyMs && share !== 1) return;
        Object.assign(state, { step, at: now, isDrawn: true });
        const full = Math.round((share ?? 0) * bar);
        const drawn = share === undefined ? '' : ` [${'#'.repeat(full)}${'.'.repeat(bar - full)}]${percent}`;
        const line = cut(paint([`${step}${drawn}`, ...notes].join('; ')), (io.size?.().columns ?? 80) - 1);
        io.err(`\r\u001b[K${line}`);
        return;
      }
      const isSoon = share !== undefined || now - state.at < lineEveryMs;
      if (step === state.step && tenth <= state.tenth && isSoon) return;
      Object.assign(state, { step, tenth, at: now });
      io.err(`${paint([`${step}${percent}`, ...notes].join('; '))}\n`);
    },
    /** Takes the bar away, so that what is said next stands on a line of its own. */
    end(): void {
      if (state.isDrawn) io.err('\r\u001b[K');
      state.isDrawn = false;
    },
  };
}

/** Seconds after which a read tells how far it is: on a terminal, where the line goes again, and elsewhere. */
const longSeconds = { terminal: 1, elsewhere: 5 };

/** Reads a list; once that takes long, stderr says how many rows there are, how fast they come, and how long it will take. */
export async function withProgress<T>(
  io: Parameters<typeof createProgress>[0],
  title: string,
  read: (partial: (shown: Rows<unknown>) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(io);
  const began = io.clock.now();
  const result = await read(({ rows: { length }, total = 0 }) => {
    const seconds = (io.clock.now() - began) / 1000;
    if (seconds < longSeconds[io.isTerminal.stderr ? 'terminal' : 'elsewhere']) return;
    const rate = length / seconds;
    const isKnown = total > length && length > 0;
    const notes = [
      isKnown ? `${formatCount(length)} of ${formatCount(total)} rows` : `${formatCount(length)} rows`,
      `${formatCount(Math.round(rate))}/s`,
      ...(isKnown ? [`${spans(((total - length) / rate) * 1000)} left`] : []),
    ];
    progress.tell({ step: `reading ${title}`, notes, ...(isKnown && { share: length / total }) });
  });
  progress.end();
  return result;
}

const endings = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Calls work off at the first signal that would end the program, until `end`; a second one ends the program. `exit`: the exit code of
 * the signal that came, undefined while none has.
 */
export function stopOnSignals() {
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

/**
 * Sends edits. After the first signal that would end the program none is begun any more: what was sent is told, and the exit
 * code is that of the signal. A second one ends the program.
 */
export async function untilSignal(io: Pick<Io, 'err'>, send: (stop: AbortSignal) => Promise<Exit>): Promise<Exit> {
  const stopping = stopOnSignals();
  stopping.signal.addEventListener('abort', () => complain(io, 'stopping: waiting for requests already sent'));
  try {
    const exit = await send(stopping.signal);
    return stopping.exit() ?? exit;
  } finally {
    stopping.end();
  }
}
