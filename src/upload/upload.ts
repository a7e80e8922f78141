import { randomUUID } from 'node:crypto';
import { type Problem, problemResult, type Result, toResult } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import type { PartUploader } from '../client/upload-parts.ts';
import { currentRun, writeErrorText } from '../lib/private-file.ts';
import { plural } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { type FileSource, identityDifference, openSource } from './csv-records.ts';
import { partRange, type UploadPlan } from './upload-plan.ts';
import { createProgressTracker, type PartState, type ProgressTracker, type UploadProgress } from './upload-progress.ts';
import { type Leftover, leftovers, type Note, newNote, type UploadRecord, whileUnderWay } from './upload-record.ts';
import {
  awaitTable,
  findTable,
  followTable,
  readTable,
  requestTable,
  type StartedUpload,
  startUpload,
  type TableContext,
  type TableRequest,
  type TableState,
  tooSlowProblem,
  untold,
  withNoTable,
} from './upload-table.ts';

/** How many parts are on their way at the same time. */
const parallelParts = 4;

/** Result of sending all parts. `expired`: the URLs expired first, so stored parts are useless. */
type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'expired' | 'failed' | 'canceled'; readonly problem: Problem };

interface SendOptions {
  readonly plan: UploadPlan;
  readonly source: FileSource;
  readonly urls: readonly string[];
  /** When the URLs expire, epoch milliseconds. */
  readonly until: number;
  readonly parts: PartUploader;
  /** Told of every change; sending updates `parts`. */
  readonly watch: Pick<ProgressTracker, 'parts' | 'meter' | 'partsChanged' | 'remark'>;
  readonly signal: AbortSignal;
  /** Notes on the disk that a part has arrived. Only then is it shown: a kill loses nothing that somebody has seen. */
  stored(part: number): Promise<void>;
}

/**
 * Sends the parts of a file, four at a time, straight from the disk. The first that cannot be sent ends the others. The
 * file is looked at before and after each part: one that changed is not sent on (docs/contract/reference-tables.md#upload).
 */
async function sendParts(options: SendOptions): Promise<SendResult> {
  const { plan, source, urls, signal, watch } = options;
  const stop = new AbortController();
  const ending = AbortSignal.any([signal, stop.signal]);
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
          watch.meter.add(Math.max(0, bytes - state.sent));
          state.sent = bytes;
          watch.partsChanged();
        },
        again: (why) => watch.remark(`part ${part + 1} again: ${why}`),
      },
      ending,
    );
    const changed = await source.changed();
    if (changed !== undefined) return finish({ kind: 'failed', problem: fileChanged(changed) });
    if (result.kind === 'source') return finish({ kind: 'failed', problem: fileChanged('it cannot be read any more') });
    if (result.kind !== 'stored') return finish(result);
    await options.stored(part);
    state.isStored = true;
    state.sent = end - begin;
    watch.partsChanged();
  }

  const worker = async (): Promise<void> => {
    while (!ending.aborted && next < urls.length) {
      next += 1;
      // A part that arrived in an earlier try stays.
      if (!watch.parts[next - 1]?.isStored) await sendOne(next - 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallelParts, urls.length) }, worker));
  } finally {
    // Where a part could not be noted, the others are still on their way.
    stop.abort();
  }
  if (signal.aborted) return { kind: 'canceled', problem: { kind: 'canceled', text: 'canceled', messages: [] } };
  return ended.end ?? { kind: 'sent' };
}

/** Problem of a file that changed since it was checked. */
const fileChanged = (how: string): Problem => ({
  kind: 'conflict',
  text: `the file changed while it was sent, so no table was created from it: ${how}`,
  messages: [],
});

/** An upload in progress. */
export interface Uploading {
  /** Calls back at each change, for bytes ten times a second at most; returns what ends that. */
  subscribe(listener: (progress: UploadProgress) => void): () => void;
  now(): UploadProgress;
  /** Stops sending, or watching. What the service has begun it goes on with. */
  cancel(): void;
  /** The table when its state is final, or after ten minutes as it is then. Never rejects. */
  readonly done: Promise<Result<TableState>>;
}

export interface UploadOptions {
  readonly plan: UploadPlan;
  readonly table: TableRequest;
  readonly client: Pick<Client, 'send' | 'origin'>;
  readonly parts: PartUploader;
  readonly clock: Clock;
  /** Where the note of what is under way lies: the state directory. */
  readonly directory: string;
  /** How long the addresses of parts live; 5 minutes. */
  readonly livesMs?: number;
}

/**
 * Addresses live 5 minutes from the moment the service made them, which is before we hear of them
 * (docs/contract/reference-tables.md#upload).
 */
const fiveMinutes = 300_000;
const aDay = 86_400_000;
const otherKey = (key: string) =>
  problemResult('invalid', `the primary key of the table is ${key}, it cannot be changed`);
/** The first addresses, and two new sets. */
const mostRounds = 3;

/**
 * Sends a checked file in parts, makes a table from it and follows that to its end (docs/contract/reference-tables.md#upload).
 * A part that fails is sent again while its address lives; when the addresses expire, everything begins again with new
 * ones, unless the line is too slow for that. An upload that was interrupted after its last part goes on with the
 * table; one that a part ended goes on in this process while its addresses live; any other starts again.
 */
export function upload(options: UploadOptions): Uploading {
  const { plan, clock } = options;
  const stop = new AbortController();
  const tracker = createProgressTracker(plan, clock);
  const means = { client: options.client, clock, signal: stop.signal, group: randomUUID() };
  const done = run({ options, means, tracker })
    .catch(
      (error: unknown): Result<TableState> => problemResult('unrecorded', writeErrorText(error, options.directory)),
    )
    .finally(() => tracker.enter('ended'));
  return { subscribe: tracker.subscribe, now: tracker.now, cancel: () => stop.abort(), done };
}

/** An upload of which parts have arrived, and its addresses. */
interface Kept {
  readonly begun: StartedUpload;
  readonly stored: readonly boolean[];
}

/** Uploads that a part ended, by what they were to send where: addresses are secrets, which no disk holds, so only this process goes on. */
const keptUploads = new Map<string, Kept>();

const keptName = ({ plan, table, client }: UploadOptions): string =>
  JSON.stringify([client.origin, table.id ?? null, table.name, plan.file, plan.partSize]);

/** What an earlier try of this process has left, while its addresses live; each is taken once. */
function takeKept({ options }: Job): Kept | undefined {
  const name = keptName(options);
  const kept = keptUploads.get(name);
  keptUploads.delete(name);
  return kept && options.clock.now() < kept.begun.until ? kept : undefined;
}

/** Keeps what arrived of an upload that a part has ended, for another try. */
function keep({ options, tracker }: Job, begun: StartedUpload): void {
  const stored = tracker.parts.map((part) => part.isStored);
  if (stored.includes(true)) keptUploads.set(keptName(options), { begun, stored });
}

/** The addresses that are left of an earlier try, or new ones. */
async function beginUpload(job: Job): Promise<Result<StartedUpload>> {
  const { options, means, tracker } = job;
  const { plan, table, livesMs = fiveMinutes } = options;
  const earlier = takeKept(job);
  tracker.restart(earlier?.stored);
  tracker.enter('beginning');
  if (!earlier) return startUpload(means, plan, table, livesMs);
  tracker.remark(`${arrivedOf(earlier.stored)} arrived before: the others are sent now`);
  return toResult(earlier.begun);
}

/** An upload under way. */
interface Job {
  readonly options: UploadOptions;
  readonly means: TableContext;
  readonly tracker: ProgressTracker;
}

async function run(job: Job): Promise<Result<TableState>> {
  const { plan, table } = job.options;
  const opened = await openSource(plan.file.path);
  if (!opened.ok) return problemResult('invalid', opened.text);
  const source = opened.value;
  try {
    const changed = identityDifference(plan.file, source.identity);
    if (changed !== undefined) return { ok: false, problem: fileChanged(changed) };
    return table.id === undefined ? await intoNew(job, source) : await intoOld(job, source, table.id);
  } finally {
    await source.close().catch(() => undefined);
  }
}

async function intoNew(job: Job, source: FileSource): Promise<Result<TableState>> {
  const { table } = job.options;
  const earlier = await takeUp(job);
  if (!earlier.ok) return earlier;
  const found = await findTable(job.means, table.name);
  // Without a list operation this cannot be checked; the service refuses a taken name on its own.
  if (!found.ok && found.problem.kind !== 'notOffered') return found;
  const there = found.ok ? found.value : undefined;
  if (!earlier.value) {
    if (!there) return sendAndMake(job, source);
    const text = `there is a table ${table.name} already: replace its rows, or choose another name`;
    return problemResult('conflict', text);
  }
  // The earlier run may have created the table just before it ended.
  if (there) return there.key === table.key ? follow(job, there, earlier.value.note) : otherKey(there.key);
  return (await resume(job, earlier.value)) ?? sendAndMake(job, source);
}

async function intoOld(job: Job, source: FileSource, id: string): Promise<Result<TableState>> {
  const { plan, table } = job.options;
  const earlier = await takeUp(job);
  if (!earlier.ok) return earlier;
  const before = await readTable(job.means, id);
  if (!before.ok) return before;
  const { columns, key, updated } = before.value;
  const gone = columns.find((column) => !plan.headers.includes(column.name));
  if (gone)
    return problemResult(
      'invalid',
      `the table has the column ${gone.name}, the file does not: columns cannot be removed`,
    );
  if (key !== table.key) return otherKey(key);
  const resumed = earlier.value && (await resume(job, earlier.value, updated));
  return resumed ?? sendAndMake(job, source, updated);
}

/** The record of an earlier run for the same file, table and deployment, where only the table is missing. */
async function takeUp({ options, tracker }: Job): Promise<Result<Leftover | undefined>> {
  const { plan, table, clock } = options;
  const left = await leftovers(options.directory, clock.now());
  if (left.trouble !== undefined) tracker.remark(left.trouble);
  const isForTable = ({ record }: Leftover): boolean =>
    record.origin === options.client.origin && record.table.name === table.name && record.table.id === table.id;
  const isOurs = (one: Leftover): boolean =>
    isForTable(one) && identityDifference(one.record.file, plan.file) === undefined;
  const resumable = left.found.find((one) => isOurs(one) && one.record.phase === 'creating');
  for (const leftover of left.found) {
    const { record, note } = leftover;
    // Another run may still continue a record whose parts have all arrived, or be asked for a table that this one is not for.
    const isOther = record.phase === 'creating' ? !isOurs(leftover) : !isForTable(leftover);
    if (leftover === resumable || (isOther && clock.now() < record.expires + aDay)) continue;
    if (isOurs(leftover)) tracker.remark(`an earlier run ended after ${arrivedOf(record.parts)}: it starts again`);
    await note.remove();
  }
  return toResult(resumable);
}

/** `2 of 5 parts`. */
const arrivedOf = (stored: readonly boolean[]): string =>
  `${stored.filter(Boolean).length} of ${plural(stored.length, 'part')}`;

/** Goes on where all parts had arrived; undefined when the service does not take them any more. */
async function resume(job: Job, { record, note }: Leftover, past?: string): Promise<Result<TableState> | undefined> {
  return whileUnderWay(note, async () => {
    const created = await askForTable(job, record.upload, note);
    if (created.ok || created.problem.kind !== 'invalid') return seeTable(job, created, note, past);
    job.tracker.remark('the upload that was interrupted is not accepted any more: it starts again');
    return undefined;
  });
}

async function sendAndMake(job: Job, source: FileSource, past?: string): Promise<Result<TableState>> {
  const made = await newNote(job.options.directory);
  if (!made.ok) return problemResult('unrecorded', made.text);
  return whileUnderWay(made.value, () => sendInRounds(job, source, made.value, past));
}

async function sendInRounds(job: Job, source: FileSource, note: Note, past?: string): Promise<Result<TableState>> {
  const { options, means, tracker } = job;
  const { plan, directory, livesMs = fiveMinutes } = options;
  for (let round = 1; ; round++) {
    const begun = await beginUpload(job);
    if (!begun.ok) return means.signal.aborted ? { ok: false, problem: withNoTable(begun.problem) } : begun;
    try {
      const end = await sendNoted(job, source, begun.value, note);
      if (end.kind === 'sent') return await seeTable(job, await askForTable(job, begun.value.id, note), note, past);
      await note.remove();
      if (end.kind === 'failed') keep(job, begun.value);
      if (end.kind !== 'expired') return { ok: false, problem: withNoTable(end.problem) };
      const went = { rate: tracker.meter.average(), arrived: tracker.now().parts.done };
      const slow = tooSlowProblem(end.problem, plan.size, went, livesMs);
      if (slow || round === mostRounds) return { ok: false, problem: slow ?? withNoTable(end.problem) };
      tracker.remark(`new addresses are asked for: ${end.problem.text}`);
    } catch (error) {
      // Only the note is written here.
      await note.remove().catch(() => undefined);
      return problemResult('unrecorded', `${writeErrorText(error, directory)}; no table was created`);
    }
  }
}

/** Sends the parts, and notes on the disk which of them have arrived. */
async function sendNoted(
  { options, means, tracker }: Job,
  source: FileSource,
  { id, urls, until }: StartedUpload,
  note: Note,
): ReturnType<typeof sendParts> {
  const { plan, parts } = options;
  const { tags, ...rest } = options.table;
  const table = { ...rest, ...(tags && { tags: [...tags] }) };
  const { origin } = options.client;
  const noted = { version: 1, run: currentRun(), origin, table, file: plan.file, upload: id, expires: until } as const;
  const arrived = tracker.parts.map((part) => part.isStored);
  const write = (phase: UploadRecord['phase']): Promise<void> => note.write({ ...noted, phase, parts: [...arrived] });
  await write('sending');
  tracker.expires(until);
  tracker.enter('sending');
  const { signal } = means;
  const stored = (part: number) => {
    arrived[part] = true;
    return write('sending');
  };
  const end = await sendParts({ plan, source, urls, until, signal, parts, watch: tracker, stored });
  if (end.kind === 'sent') await write('creating');
  return end;
}

/** Asks for the table. The note stays until a new one is found, and after an unknown outcome: rows that were taken are not asked for again. */
async function askForTable({ means, tracker, options }: Job, id: string, note: Note): Promise<Result<unknown>> {
  if (means.signal.aborted) {
    await note.remove();
    return { ok: false, problem: withNoTable({ kind: 'canceled', text: 'canceled', messages: [] }) };
  }
  tracker.enter('creating');
  const created = await requestTable(means, options.table, id, options.plan.headers);
  const isOpen = created.ok ? options.table.id === undefined : created.problem.kind === 'unknown';
  if (!isOpen) await note.remove();
  return created;
}

/** Looks for the table that was asked for, and follows it. */
async function seeTable(job: Job, created: Result<unknown>, note: Note, past?: string): Promise<Result<TableState>> {
  const { means, tracker } = job;
  const { table } = job.options;
  if (!created.ok && created.problem.kind !== 'unknown') return created;
  tracker.enter('finding');
  const found = table.id === undefined ? await awaitTable(means, table.name) : await readTable(means, table.id);
  if (!found.ok && !created.ok) return created;
  if (!found.ok) return table.id === undefined ? found : untold(table.name, found.problem);
  if (created.ok || past === undefined) return follow(job, found.value, note, past);
  const seen = await follow(job, found.value, undefined, past);
  // As it was, it may yet take its new rows, or never: a later run asks again.
  if (!seen.ok) return created;
  await note.remove();
  return seen;
}

/** The service continues on its own from here, unless the note stays. */
async function follow(job: Job, first: TableState, note?: Note, past?: string): Promise<Result<TableState>> {
  await note?.remove();
  job.tracker.enter('waiting');
  return followTable(job.means, first, (seen) => job.tracker.status(seen.status), past);
}
