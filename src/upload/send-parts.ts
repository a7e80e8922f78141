import type { Problem } from '../api/problem.ts';
import type { PartUploader } from '../client/upload-parts.ts';
import type { FileSource } from './file-source.ts';
import { partRange } from './part-layout.ts';
import type { PartState, ProgressTracker } from './progress-tracker.ts';
import type { UploadPlan } from './upload-plan.ts';

/** How many parts are on their way at the same time. */
const parallelParts = 4;

/** Result of sending all parts. `expired`: the URLs expired first, so stored parts are useless. */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'expired' | 'failed' | 'canceled'; readonly problem: Problem };

export interface SendOptions {
  readonly plan: UploadPlan;
  readonly source: FileSource;
  readonly urls: readonly string[];
  /** When the URLs die, wall clock. */
  readonly until: number;
  readonly parts: PartUploader;
  /** Told of every change; sending updates `parts`. */
  readonly watch: Pick<ProgressTracker, 'parts' | 'pace' | 'moved' | 'again'>;
  readonly signal: AbortSignal;
  /** Notes in the progress that one more part has arrived. */
  stored(): Promise<void>;
}

/**
 * Sends the parts of a file, four at a time, straight from the disk. The first that cannot be sent ends the others. The
 * file is looked at before and after each part: one that changed is not sent on (docs/contract/reference-tables.md#upload).
 */
export async function sendParts(options: SendOptions): Promise<SendResult> {
  const { plan, source, urls, signal, watch } = options;
  const stop = new AbortController();
  const call = () => stop.abort();
  signal.addEventListener('abort', call);
  if (signal.aborted) call();
  const ended: { end?: Exclude<SendResult, { kind: 'sent' }> } = {};
  const finish = (end: Exclude<SendResult, { kind: 'sent' }>): void => {
    ended.end ??= end;
    stop.abort();
  };
  let next = 0;

  async function sendOne(part: number): Promise<void> {
    const state = watch.parts[part] as PartState;
    const { begin, end } = partRange(plan, plan.size, part);
    const result = await options.parts.send(
      {
        url: urls[part] as string,
        length: end - begin,
        until: options.until,
        bytes: () => source.bytes(plan.skip + begin, plan.skip + end),
        sent(bytes) {
          watch.pace.went(Math.max(0, bytes - state.sent));
          state.sent = bytes;
          watch.moved();
        },
        again: (why) => watch.again(`part ${part + 1} again: ${why}`),
      },
      stop.signal,
    );
    const changed = await source.changed();
    if (changed !== undefined) return finish({ kind: 'failed', problem: fileChanged(changed) });
    if (result.kind === 'source') return finish({ kind: 'failed', problem: fileChanged('it cannot be read any more') });
    if (result.kind !== 'stored') return finish(result);
    state.isStored = true;
    state.sent = end - begin;
    await options.stored();
    watch.moved();
  }

  const worker = async (): Promise<void> => {
    while (!stop.signal.aborted && next < urls.length) {
      next += 1;
      // A part that arrived in an earlier try stays.
      if (!watch.parts[next - 1]?.isStored) await sendOne(next - 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallelParts, urls.length) }, worker));
  } finally {
    signal.removeEventListener('abort', call);
  }
  if (signal.aborted) return { kind: 'canceled', problem: { kind: 'canceled', text: 'canceled', messages: [] } };
  return ended.end ?? { kind: 'sent' };
}

/** Problem of a file that changed since it was checked. */
export const fileChanged = (how: string): Problem => ({
  kind: 'conflict',
  text: `the file changed while it was sent, so no table was created from it: ${how}`,
  messages: [],
});
