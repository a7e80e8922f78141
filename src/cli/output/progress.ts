import type { Progress } from '../../describe/job.ts';
import { paint } from '../../lib/paint.ts';
import { cut } from '../../lib/text.ts';
import type { Io } from '../io.ts';

/** Tells how far long work is, on stderr. */
interface ProgressLine {
  tell(progress: Progress): void;
  /** Takes the bar away, so that what is said next stands on a line of its own. */
  end(): void;
}

const bar = 20;
/** Least milliseconds between two drawings of the bar. */
const everyMs = 200;

/** On a terminal one line with a bar, drawn again and again; elsewhere one line for each step and each further 10 %. */
export function createProgress(io: Pick<Io, 'err' | 'clock' | 'isTerminal' | 'size'>): ProgressLine {
  const state = { step: '', tenth: -1, at: Number.NEGATIVE_INFINITY, isDrawn: false };
  const isTerminal = io.isTerminal.stderr ?? false;
  return {
    tell({ step, part, notes }) {
      const tenth = part === undefined ? -1 : Math.floor(part * 10);
      const percent = part === undefined ? '' : ` ${Math.floor(part * 100)}%`;
      if (isTerminal) {
        const now = io.clock.now();
        if (step === state.step && now - state.at < everyMs && part !== 1) return;
        Object.assign(state, { step, at: now, isDrawn: true });
        const full = Math.round((part ?? 0) * bar);
        const drawn = part === undefined ? '' : ` [${'#'.repeat(full)}${'.'.repeat(bar - full)}]${percent}`;
        const line = cut(paint([`${step}${drawn}`, ...notes].join('; ')), (io.size?.().columns ?? 80) - 1);
        io.err(`\r\u001b[K${line}`);
        return;
      }
      if (step === state.step && tenth <= state.tenth) return;
      Object.assign(state, { step, tenth });
      io.err(`${paint([`${step}${percent}`, ...notes].join('; '))}\n`);
    },
    end() {
      if (state.isDrawn) io.err('\r\u001b[K');
      state.isDrawn = false;
    },
  };
}
