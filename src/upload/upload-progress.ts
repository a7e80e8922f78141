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
  beginning: 'asking for addresses',
  sending: 'sending',
  creating: 'asking for the table',
  finding: 'looking for the table',
  waiting: 'the service reads the file',
  ended: 'done',
};

/** The same in words, as a dashboard shows long work. */
export function progressText(it: UploadProgress): { step: string; part?: number; notes: string[] } {
  if (it.phase !== 'sending')
    return {
      step: it.status && it.phase === 'waiting' ? `${steps.waiting} (${it.status})` : steps[it.phase],
      notes: [...it.again],
    };
  const done = `${byteText(it.sent)} of ${byteText(it.size)}, ${it.parts.done} of ${it.parts.of} parts`;
  const pace = it.rate === undefined ? undefined : `${byteText(it.rate)}/s`;
  const left = it.leftMs === undefined ? undefined : `${durationText(it.leftMs)} left`;
  const slow =
    it.isTooSlow && it.leftMs !== undefined && it.expiresMs !== undefined
      ? [`too slow: ${durationText(it.leftMs)} more are needed, the addresses expire in ${durationText(it.expiresMs)}`]
      : [];
  return {
    step: steps.sending,
    part: it.size === 0 ? 0 : it.sent / it.size,
    notes: [[done, pace, left].filter(Boolean).join(', '), ...slow, ...it.again],
  };
}
