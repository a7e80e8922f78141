import { byteText, durationText } from './units.ts';

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
