import type { Clock } from '../lib/time.ts';
import { present } from '../lib/values.ts';
import { byteText, durationText, type PartLayout, partRange } from './upload-plan.ts';

/** What an upload is at. */
export type Phase = 'beginning' | 'sending' | 'creating' | 'finding' | 'waiting' | 'ended';

/** How far an upload is. Milliseconds and bytes. */
export interface UploadProgress {
  readonly phase: Phase;
  readonly size: number;
  /** Handed to the network or stored; falls when a part begins again. */
  readonly sent: number;
  readonly parts: { readonly done: number; readonly of: number };
  /** Bytes per second, over the last ten seconds; absent while nothing goes. */
  readonly rate?: number;
  /** Until the last part has gone, at this rate. */
  readonly leftMs?: number;
  /** Until the addresses of the parts expire. */
  readonly expiresMs?: number;
  /** What was begun again and why, newest last. */
  readonly remarks: readonly string[];
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
export function progressText(progress: UploadProgress): { step: string; share?: number; notes: string[] } {
  const { phase, size, sent, parts, rate, leftMs, expiresMs, remarks, status } = progress;
  if (phase !== 'sending') {
    const step = status && phase === 'waiting' ? (importing[status] ?? `${steps.waiting} (${status})`) : steps[phase];
    return { step, notes: [...remarks] };
  }
  const facts = [
    `${byteText(sent)} of ${byteText(size)}, ${parts.done} of ${parts.of} parts`,
    ...(rate === undefined ? [] : [`${byteText(rate)}/s`]),
    ...(leftMs === undefined ? [] : [`${durationText(leftMs)} left`]),
  ];
  const slow =
    leftMs !== undefined && expiresMs !== undefined && leftMs > expiresMs
      ? [`too slow: ${durationText(leftMs)} more are needed, the addresses expire in ${durationText(expiresMs)}`]
      : [];
  return { step: steps.sending, share: size === 0 ? 0 : sent / size, notes: [facts.join(', '), ...slow, ...remarks] };
}

/** Measures the rate of a transfer in bytes per second; undefined before the first second, and while nothing goes. */
interface RateMeter {
  /** Starts again at 0 bytes. */
  begin(): void;
  /** Counts bytes that were sent. */
  add(bytes: number): void;
  /** Over the last ten seconds. */
  rate(): number | undefined;
  /** Since the beginning. */
  average(): number | undefined;
}

const windowMs = 10_000;
/** The shortest time that tells a rate. */
const minSpanMs = 1000;
/** Between two marks of a meter, and between two notifications of bytes. */
const minGapMs = 100;

/** Creates a meter at 0 bytes on the given clock. */
export function createRateMeter(clock: Clock): RateMeter {
  let total = 0;
  let start = { at: clock.now(), total };
  let marks = [start];
  const rateSince = (mark = start): number | undefined => {
    const spentMs = clock.now() - mark.at;
    return spentMs < minSpanMs || total <= mark.total ? undefined : ((total - mark.total) / spentMs) * 1000;
  };
  return {
    begin() {
      total = 0;
      start = { at: clock.now(), total };
      marks = [start];
    },
    add(bytes) {
      total += bytes;
      const now = clock.now();
      const last = marks.at(-1);
      if (last && marks.length > 1 && now - last.at < minGapMs) marks[marks.length - 1] = { at: last.at, total };
      else marks.push({ at: now, total });
    },
    rate() {
      // The newest mark from before the window stays, so that the window is full.
      marks = marks.slice(
        Math.max(
          0,
          marks.findLastIndex((mark) => mark.at <= clock.now() - windowMs),
        ),
      );
      return rateSince(marks[0]);
    },
    average: () => rateSince(),
  };
}

/** State of one part, updated while it is sent. */
export interface PartState {
  isStored: boolean;
  /** Bytes. */
  sent: number;
}

/** Progress of an upload and its subscribers. */
export interface ProgressTracker {
  readonly meter: RateMeter;
  /** One for each part, changed by who sends them. */
  readonly parts: readonly PartState[];
  /** Calls back at each change; returns what ends that. */
  subscribe(listener: (progress: UploadProgress) => void): () => void;
  now(): UploadProgress;
  enter(phase: Phase): void;
  /** Notifies subscribers of a change in `parts`: of bytes at most ten times a second, of a part that arrived at once. */
  partsChanged(): void;
  /** Shows why something begins again, with the two remarks before it. */
  remark(why: string): void;
  /** Begins again, but for the parts that have arrived. */
  restart(stored?: readonly boolean[]): void;
  /** The addresses expire at this moment, epoch milliseconds. */
  expires(at: number): void;
  /** The table's state. */
  status(status: string): void;
}

const maxRemarks = 3;

/** Creates a tracker at the start of an upload. */
export function createProgressTracker(plan: PartLayout & { readonly size: number }, clock: Clock): ProgressTracker {
  const meter = createRateMeter(clock);
  const parts = Array.from({ length: plan.partCount }, (): PartState => ({ isStored: false, sent: 0 }));
  const listeners = new Set<(progress: UploadProgress) => void>();
  const state: { phase: Phase; expires?: number; status?: string; remarks: readonly string[] } = {
    phase: 'beginning',
    remarks: [],
  };
  /** What subscribers were told last. */
  const notified = { at: Number.NEGATIVE_INFINITY, done: 0 };

  const countDone = (): number => parts.filter((part) => part.isStored).length;

  const now = (): UploadProgress => {
    const { phase, remarks, status, expires } = state;
    const sent = parts.reduce((sum, part) => sum + part.sent, 0);
    const isSending = phase === 'sending';
    const rate = isSending ? meter.rate() : undefined;
    return {
      phase,
      size: plan.size,
      sent,
      parts: { done: countDone(), of: plan.partCount },
      remarks,
      ...present({
        rate,
        leftMs: rate === undefined ? undefined : ((plan.size - sent) / rate) * 1000,
        expiresMs: isSending && expires !== undefined ? Math.max(0, expires - clock.now()) : undefined,
        status,
      }),
    };
  };
  const notify = (): void => {
    Object.assign(notified, { at: clock.now(), done: countDone() });
    for (const listener of listeners) listener(now());
  };

  return {
    meter,
    parts,
    now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter(phase) {
      state.phase = phase;
      if (phase === 'sending') meter.begin();
      notify();
    },
    partsChanged() {
      // Absolute, so that a clock that was set back silences nothing.
      if (countDone() !== notified.done || Math.abs(clock.now() - notified.at) >= minGapMs) notify();
    },
    remark(why) {
      state.remarks = [...state.remarks, why].slice(-maxRemarks);
      notify();
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
      notify();
    },
  };
}
