import { join } from 'node:path';
import * as v from 'valibot';
import type { Problem } from '../api/problem.ts';
import { normalName, plainName } from '../api/tables.ts';
import type { Client } from '../client/client.ts';
import { setUpErrorText } from '../client/connection.ts';
import { sleep } from '../client/hold-back.ts';
import type { Environment } from '../client/transport.ts';
import { createParts, type PartUploader } from '../client/upload-parts.ts';
import { plural } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { upload } from './upload.ts';
import { byteText, csvProblemLines, planUpload, type UploadPlan } from './upload-plan.ts';
import { type Phase, progressText } from './upload-progress.ts';
import { readTable, type TableState, type UploadRequest, uploadRequest } from './upload-table.ts';

/** A part of the work, with what is known of it. */
type Stage = readonly [name: string, says: string];

/** What the work needs of the program. */
export interface JobContext {
  readonly client: Pick<Client, 'send' | 'origin'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly environment: Environment;
  /** The state directory. */
  readonly directory: string;
  /** The home directory, for `~/`. */
  readonly home: string;
  readonly signal: AbortSignal;
  progress(state: ReturnType<typeof progressText> & { stages: readonly Stage[]; stagesDone: number }): void;
  /** For tests: the way to the object store. */
  readonly parts?: PartUploader;
}

/** The outcome of a job, as a sentence. */
export interface JobResult {
  readonly ok: boolean;
  readonly text: string;
  /** Id of the table, once there is one. */
  readonly made?: string;
}

const shownFaults = 5;

/** Checks a file, sends it, makes the table and waits until the service has read it. Never throws. */
export async function runUpload(values: unknown, means: JobContext): Promise<JobResult> {
  const read = v.safeParse(uploadRequest, values);
  if (!read.success) return failed(read.issues.map((issue) => issue.message).join('; '));
  const request = read.output;
  if (request.id === undefined && !plainName.test(request.table)) return failed(wrongName(request.table));
  let parts: PartUploader;
  try {
    parts = means.parts ?? createParts({ ...means, origin: means.client.origin });
  } catch (error) {
    return failed(setUpErrorText(error));
  }
  try {
    const known = request.id === undefined ? undefined : await readTable(means, request.id);
    if (known && !known.ok) return broken(known.problem);
    return await checkAndSend(request, known?.value, means, parts);
  } finally {
    await parts.close();
  }
}

async function checkAndSend(
  request: UploadRequest,
  knownTable: TableState | undefined,
  means: JobContext,
  parts: PartUploader,
): Promise<JobResult> {
  const path = request.file.startsWith('~/') ? join(means.home, request.file.slice(2)) : request.file;
  const types = knownTable
    ? Object.fromEntries(knownTable.columns.map((column) => [column.name, column.type]))
    : request.types;
  const chosen = knownTable?.key ?? request.key;
  const name = knownTable?.name ?? request.table;
  const planned = await planUpload(path, {
    ...(chosen !== undefined ? { key: chosen } : { firstKey: true }),
    ...(types && { types }),
    signal: means.signal,
    progress: (share) =>
      means.progress({ step: 'checking the file', share, notes: [], stages: stagesOf(name), stagesDone: 0 }),
  });
  if (means.signal.aborted) return failed('canceled; nothing was sent');
  if (!planned.ok) {
    const lines = csvProblemLines(planned.faults);
    const more = lines.length > shownFaults ? [`and ${lines.length - shownFaults} more`] : [];
    return failed(`nothing was sent: ${[...lines.slice(0, shownFaults), ...more].join('; ')}`);
  }
  const { plan } = planned;
  const key = chosen ?? plan.headers[0] ?? '';
  const work = upload({
    plan,
    table: {
      name,
      key,
      ...(request.id !== undefined && { id: request.id }),
      ...(types && { types }),
      ...(request.description && { description: request.description }),
      ...(request.tags && { tags: request.tags }),
    },
    client: means.client,
    parts,
    clock: means.clock,
    directory: means.directory,
  });
  const watching = new AbortController();
  const show = (): void => {
    const now = work.now();
    const text = progressText(now);
    const stages = stagesOf(name, plan, key);
    means.progress({ ...text, notes: [...plan.notes, ...text.notes], stages, stagesDone: stagesDone[now.phase] });
  };
  work.subscribe(show);
  // Reports regularly, so that an upload that stands still is seen to.
  const beat = async (): Promise<void> => {
    while (await sleep(means.clock, 1000, watching.signal)) show();
  };
  void beat();
  means.signal.addEventListener('abort', work.cancel);
  if (means.signal.aborted) work.cancel();
  const ended = await work.done;
  watching.abort();
  means.signal.removeEventListener('abort', work.cancel);
  return ended.ok ? { ...told(ended.value), made: ended.value.id } : broken(ended.problem);
}

/** What an upload goes through, with what is known of it once it is over. */
const stagesOf = (table: string, plan?: UploadPlan, key = ''): readonly Stage[] => [
  ['file', plan ? `${plural(plan.rows, 'row')}, ${plural(plan.headers.length, 'column')}, key ${key}` : ''],
  ['parts', plan ? `${plural(plan.partCount, 'part')}, ${byteText(plan.size)}` : ''],
  ['table', table],
  ['rows', ''],
];

/** How many of its stages have ended. */
const stagesDone: Readonly<Record<Phase, number>> = {
  beginning: 1,
  sending: 1,
  creating: 2,
  finding: 2,
  waiting: 3,
  ended: 4,
};

/** What became of the table. */
function told({ name, status, rows, refused, error }: TableState): JobResult {
  const held = `table ${name} has ${plural(rows, 'row')}`;
  if (status === 'DONE') return { ok: true, text: `${held} and is ready` };
  if (status === 'DONE_WITH_ERRORS')
    return {
      ok: false,
      text: `${held}; ${plural(refused, 'row')} of the file ${refused === 1 ? 'was' : 'were'} refused`,
    };
  if (status === 'ERROR') return failed(`the service could not read the file into ${name}${error ? `: ${error}` : ''}`);
  if (status === 'INITIALIZED' || status === 'PROCESSING')
    return { ok: true, text: `the service still reads the file into ${name}: look again later` };
  return { ok: true, text: `${held}; the service calls its state ${status}` };
}

const failed = (text: string): JobResult => ({ ok: false, text });

/** Read where the upload is no longer in sight, so a failure names itself; what is planned, canceled or in doubt has not failed. */
const broken = ({ kind, text }: Problem): JobResult =>
  kind === 'dryRun'
    ? { ok: true, text: 'nothing was sent; what follows depends on the answer' }
    : failed(kind === 'canceled' || kind === 'unknown' ? text : `upload failed: ${text}`);

function wrongName(name: string): string {
  const normal = normalName(name);
  return normal === undefined
    ? `the service cannot keep the table name "${name}": use letters, digits and _, 56 at most`
    : `the service would call the table ${normal}: write it so`;
}
