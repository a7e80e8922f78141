import type { Clock } from '../lib/time.ts';
import { byteText, durationText, type PartLayout, partRange } from './upload-plan.ts';

/** What is being done. */
export type Phase = 'beginning' | 'sending' | 'creating' | 'finding' | 'waiting' | 'ended';

/** How far an upload is. Milliseconds and bytes. */
export interface UploadProgress {
  readonly phase: Phase;
  readonly size: number;
  /** Handed to the network or stored; falls when a part begins again. */
  readonly sent: number;
  readonly parts: { readonly done: number; readonly of: number };
  /** Bytes a second, over the last ten seconds. */
  readonly rate?: number;
  readonly leftMs?: number;
  /** Until the addresses of the parts expire. */
  readonly expiresMs?: number;
  /** The addresses will expire before the last part has gone, at this rate. */
  readonly isTooSlow: boolean;
  /** Why something is tried again, newest last. */
  readonly again: readonly string[];
  /** The table's state, once there is one. */
  readonly status?: string;
}

const steps: Readonly<Record<Phase, string>> = {
  beginning: 'requesting addresses',
  sending: 'sending',
  creating: 'creating the table',
  finding: 'looking for the table',
  waiting: 'importing',
  ended: 'done',
};

/** States of a table while its file is read, in words; other states stand as the service has them. */
const importing: Readonly<Record<string, string>> = {
  INITIALIZED: 'waiting for the service to import the rows',
  PROCESSING: 'importing the rows',
};

/** The progress of an upload in words, as the dashboard shows long work. */
export function progressText(progress: UploadProgress): { step: string; part?: number; notes: string[] } {
  if (progress.phase !== 'sending')
    return {
      step:
        progress.status && progress.phase === 'waiting'
          ? (importing[progress.status] ?? `${steps.waiting} (${progress.status})`)
          : steps[progress.phase],
      notes: [...progress.again],
    };
  const done = `${byteText(progress.sent)} of ${byteText(progress.size)}, ${progress.parts.done} of ${progress.parts.of} parts`;
  const pace = progress.rate === undefined ? undefined : `${byteText(progress.rate)}/s`;
  const left = progress.leftMs === undefined ? undefined : `${durationText(progress.leftMs)} left`;
  const slow =
    progress.isTooSlow && progress.leftMs !== undefined && progress.expiresMs !== undefined
      ? [
          `too slow: ${durationText(progress.leftMs)} more are needed, the addresses expire in ${durationText(progress.expiresMs)}`,
        ]
      : [];
  return {
    step: steps.sending,
    part: progress.size === 0 ? 0 : progress.sent / progress.size,
    notes: [[done, pace, left].filter(Boolean).join(', '), ...slow, ...progress.again],
  };
}

/** Transfer rate in bytes per second; undefined before there is a measurement. */
interface RateMeter {
  /** Starts measuring. */
  begin(): void;
  /** Counts bytes that were sent. */
  went(bytes: number): void;
  /** Over the last ten seconds. */
  rate(): number | undefined;
  /** Since the beginning. */
  average(): number | undefined;
}

const windowMs = 10_000;
const least = 1000;

/** Creates a meter at 0 bytes on the given clock. */
export function createRateMeter(clock: Clock): RateMeter {
  let marks: { readonly at: number; readonly total: number }[] = [{ at: clock.now(), total: 0 }];
  const state = { total: 0, begun: clock.now() };
  const since = (first: (typeof marks)[number] | undefined): number | undefined => {
    const spent = first ? clock.now() - first.at : 0;
    if (!first || spent < least || state.total <= first.total) return undefined;
    return ((state.total - first.total) / spent) * 1000;
  };
  return {
    begin() {
      Object.assign(state, { total: 0, begun: clock.now() });
      marks = [{ at: clock.now(), total: 0 }];
    },
    went(bytes) {
      state.total += bytes;
      const now = clock.now();
      // A mark for each tenth of a second is enough to tell a rate.
      const last = marks.at(-1);
      if (last && marks.length > 1 && now - last.at < 100)
        marks[marks.length - 1] = { at: last.at, total: state.total };
      else marks.push({ at: now, total: state.total });
      // One mark from before the window stays, so that the window is full.
      const first = marks.findLastIndex((mark) => mark.at <= now - windowMs);
      marks = marks.slice(Math.max(0, first));
    },
    rate: () => since(marks[0]),
    average: () => since({ at: state.begun, total: 0 }),
  };
}

/** State of one part, updated while it is sent. */
export interface PartState {
  isStored: boolean;
  sent: number;
}

/** Progress of an upload and its subscribers. */
export interface ProgressTracker {
  readonly pace: RateMeter;
  /** One for each part, changed by who sends them. */
  readonly parts: readonly PartState[];
  subscribe(listener: (progress: UploadProgress) => void): () => void;
  now(): UploadProgress;
  enter(phase: Phase): void;
  /** Notifies subscribers of a change in `parts`: of bytes at most ten times a second, of a part that arrived at once. */
  moved(): void;
  /** A step is repeated; `why` is shown. */
  again(why: string): void;
  /** The upload starts again, but for the parts that have arrived. */
  restart(stored?: readonly boolean[]): void;
  /** The addresses die at this moment, wall clock. */
  expires(at: number): void;
  /** The table's state. */
  status(status: string): void;
}

const mostNotes = 3;
const leastMs = 100;

/** Creates a tracker at the start of an upload. */
export function createProgressTracker(plan: PartLayout & { readonly size: number }, clock: Clock): ProgressTracker {
  const pace = createRateMeter(clock);
  const parts = Array.from({ length: plan.partCount }, (): PartState => ({ isStored: false, sent: 0 }));
  const listeners = new Set<(progress: UploadProgress) => void>();
  const state: {
    phase: Phase;
    expires?: number;
    status?: string;
    again: readonly string[];
    told: number;
    done: number;
  } = {
    phase: 'beginning',
    again: [],
    told: Number.NEGATIVE_INFINITY,
    done: 0,
  };

  const countDone = (): number => parts.filter((part) => part.isStored).length;

  const now = (): UploadProgress => {
    const { phase, again: restarts, status, expires } = state;
    const sent = parts.reduce((sum, part) => sum + part.sent, 0);
    const isSending = phase === 'sending';
    const rate = isSending ? pace.rate() : undefined;
    const leftMs = rate === undefined ? undefined : ((plan.size - sent) / rate) * 1000;
    const expiresMs = isSending && expires !== undefined ? Math.max(0, expires - clock.now()) : undefined;
    return {
      phase,
      size: plan.size,
      sent,
      parts: { done: countDone(), of: plan.partCount },
      isTooSlow: leftMs !== undefined && expiresMs !== undefined && leftMs > expiresMs,
      again: restarts,
      ...(rate !== undefined && { rate }),
      ...(leftMs !== undefined && { leftMs }),
      ...(expiresMs !== undefined && { expiresMs }),
      ...(status !== undefined && { status }),
    };
  };
  const tell = (): void => {
    state.told = clock.now();
    state.done = countDone();
    for (const listener of listeners) listener(now());
  };

  return {
    pace,
    parts,
    now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter(phase) {
      state.phase = phase;
      if (phase === 'sending') pace.begin();
      tell();
    },
    moved() {
      // A wall clock that jumped back must not silence us.
      if (countDone() !== state.done || Math.abs(clock.now() - state.told) >= leastMs) tell();
    },
    again(why) {
      state.again = [...state.again, why].slice(-mostNotes);
      tell();
    },
    restart(stored = []) {
      for (const [at, part] of parts.entries()) {
        const { begin, end } = partRange(plan, plan.size, at);
        const isStored = stored[at] === true;
        Object.assign(part, { isStored, sent: isStored ? end - begin : 0 });
      }
    },
    expires(at) {
      state.expires = at;
    },
    status(status) {
      state.status = status;
      tell();
    },
  };
}
