import * as v from 'valibot';
import { call, type ResponseOf } from '../api/endpoint.ts';
import { type Problem, problemResult, type Result, toResult } from '../api/problem.ts';
import { createTable, createUpload, getTable, isFinal, listTables, normalName, updateTable } from '../api/tables.ts';
import type { Client } from '../client/client.ts';
import { sleep } from '../client/hold-back.ts';
import { plural } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { byteText, durationText, type UploadPlan } from './upload-plan.ts';

/** What a person asks for: a local CSV file as a new table, or as the new data of one. */
export const uploadRequest = v.object({
  /** `~/` is the home directory. */
  file: v.pipe(v.string(), v.trim(), v.nonEmpty('a file is required')),
  /** Name of the table. */
  table: v.pipe(v.string(), v.trim(), v.nonEmpty('a name for the table is required')),
  /** Id of the table whose data is replaced; key and columns are those of that table. */
  id: v.optional(v.string()),
  /** The column of the primary key; the first column when absent. */
  key: v.optional(v.string()),
  /** Columns that hold numbers: `INT32`. */
  types: v.optional(v.record(v.string(), v.string())),
  description: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
});
export type UploadRequest = v.InferOutput<typeof uploadRequest>;

/** The table that an upload is for. */
export interface TableRequest {
  readonly name: string;
  /** Id of the table whose data is replaced; absent = a new table. */
  readonly id?: string;
  readonly key: string;
  /** Columns that hold numbers: `INT32`; all others are `STRING`. */
  readonly types?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly tags?: readonly string[];
}

/** A table as it was seen last. */
export interface TableState {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly rows: number;
  readonly updated: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly key: string;
  /** Rows that were refused, and what went wrong. */
  readonly refused: number;
  readonly error: string;
}

/** What following a table needs. */
export interface TableContext {
  readonly client: Pick<Client, 'send'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What the requests of one upload share in the journal. */
  readonly group: string;
}

/** What the journal says of a request that makes a table or replaces its rows. */
const uploadPurpose = ({ group }: TableContext, { id, name }: Pick<TableRequest, 'id' | 'name'>) => ({
  action: id === undefined ? 'tables.upload-file' : 'tables.reload',
  target: { id: id ?? name, name },
  group,
});

/**
 * Finds a table by its exact name; undefined when there is none. One page is enough where the filter is not known, too: the newest
 * come first, and the service itself refuses a name that is taken.
 */
export async function findTable(
  { client, signal }: TableContext,
  name: string,
): Promise<Result<TableState | undefined>> {
  const asked = call(listTables, { query: { 'filter[table_name][exact]': name, 'page[limit]': 100 } });
  const answer = await client.send(asked, { signal });
  if (!answer.ok) return answer;
  const found = answer.value.data.map(seen).find((table) => table?.name === name);
  return { ...answer, value: found };
}

/** Reads a table by its id. */
export async function readTable(
  { client, signal }: Pick<TableContext, 'client' | 'signal'>,
  id: string,
): Promise<Result<TableState>> {
  const answer = await client.send(call(getTable, { id }), { signal });
  if (!answer.ok) return answer;
  const table = seen(answer.value.data);
  return table ? { ...answer, value: table } : problemResult('unreadable', 'the table that came back has no id');
}

/** Creates the table or replaces its data. The response is empty (docs/contract/reference-tables.md#operations). Cannot be canceled. */
export function requestTable(means: TableContext, table: TableRequest, upload: string, headers: readonly string[]) {
  const { name, id, key, types = {}, description, tags } = table;
  const typed = new Map(Object.entries(types));
  const fields = headers.map((column) => ({ name: column, type: typed.get(column) ?? 'STRING' }));
  const schema = { fields, primary_keys: [key] };
  const more = {
    file_metadata: { upload_id: upload },
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: [...tags] }),
  };
  const purpose = uploadPurpose(means, table);
  if (id === undefined) {
    const attributes = { table_name: name, schema, source: 'LOCAL_FILE', ...more };
    return means.client.send(call(createTable, { body: { data: { type: 'reference_table', attributes } } }), {
      purpose,
    });
  }
  const attributes = { schema, ...more };
  return means.client.send(call(updateTable, { id, body: { data: { type: 'reference_table', attributes } } }), {
    purpose,
  });
}

/** A table appears in the list some time after it was asked for. Milliseconds. */
const findingMs = 60_000;
/** What is read for so long after a request may be from before it. */
const settlingMs = 30_000;
/** The service may read a large file for so long (docs/contract/reference-tables.md#upload). */
const readingMs = 600_000;
const shortest = 2000;
const longest = 10_000;

/** Looks for a new table by its name until it is there. */
export async function awaitTable(means: TableContext, name: string): Promise<Result<TableState>> {
  const begun = means.clock.now();
  for (let wait = shortest; ; wait = Math.min(longest, wait * 1.5)) {
    const found = await findTable(means, normalName(name) ?? name);
    if (found.ok && found.value) return { ...found, value: found.value };
    if (means.signal.aborted) return calledOff(name);
    if (!found.ok && !isPassing(found.problem.kind)) return untold(name, found.problem);
    if (means.clock.now() - begun + wait > findingMs)
      return problemResult('unknown', `the service took the table ${name}, but does not show it yet: look again later`);
    if (!(await sleep(means.clock, wait, means.signal))) return calledOff(name);
  }
}

/**
 * Follows a table until its state is final, every two seconds at first and then slower; ten minutes at most, and then
 * it is given back as it is. `past`: its `updated_at` before it got new data; until that changes, or rows are read, no state
 * counts.
 */
export async function followTable(
  means: TableContext,
  first: TableState,
  onTable: (table: TableState) => void,
  past?: string,
): Promise<Result<TableState>> {
  const begun = means.clock.now();
  let table = first;
  let isOld = past !== undefined;
  for (let wait = shortest; ; wait = Math.min(longest, wait * 1.25)) {
    onTable(table);
    const spent = means.clock.now() - begun;
    const isRead = isFinal(table.status);
    isOld &&= isRead && table.updated === past;
    if (isOld && spent >= settlingMs)
      return problemResult(
        'unknown',
        `the service took the rows of ${table.name}, but does not show them yet: look again later`,
      );
    if ((isRead && !isOld) || spent + wait > readingMs) return toResult(table);
    if (!(await sleep(means.clock, wait, means.signal))) return calledOff(table.name);
    const next = await readTable(means, table.id);
    if (means.signal.aborted) return calledOff(table.name);
    if (next.ok) table = next.value;
    else if (next.problem.kind === 'notFound' && means.clock.now() - begun >= settlingMs)
      return problemResult('notFound', `the table ${table.name} no longer exists`);
    else if (!isPassing(next.problem.kind)) return untold(table.name, next.problem);
  }
}

const isPassing = (kind: string): boolean => kind === 'unreachable' || kind === 'tooMany' || kind === 'notFound';

/** The request for a table was taken, and what became of it cannot be read. */
export const untold = (name: string, { kind, text }: Problem) =>
  kind === 'canceled'
    ? calledOff(name)
    : problemResult('unknown', `the service took the table ${name}, but it cannot be read: ${text}; look again later`);

const calledOff = (name: string) =>
  problemResult('canceled', `no longer watched: the service continues with the table ${name}`);

function seen(told: ResponseOf<typeof getTable>['data']): TableState | undefined {
  if (told?.id == null) return undefined;
  const { table_name, status, row_count, updated_at, schema, file_metadata: file } = told.attributes ?? {};
  return {
    id: String(told.id),
    name: table_name ?? '',
    status: status ?? '',
    rows: Number(row_count ?? 0),
    updated: String(updated_at ?? ''),
    columns: (schema?.fields ?? []).map(({ name, type }) => ({ name: name ?? '', type: type ?? '' })),
    key: schema?.primary_keys?.[0] ?? '',
    refused: Number(file?.error_row_count ?? 0),
    error: [file?.error_type, file?.error_message].filter(Boolean).join(': '),
  };
}

/** An upload created on the service. */
export interface StartedUpload {
  readonly id: string;
  /** One for each part, in order. */
  readonly urls: readonly string[];
  /** When they expire, epoch milliseconds: counted from before the request, less a margin. */
  readonly until: number;
}

const margin = 2000;
const mostTries = 3;

/** Creates an upload. Repeats after an unknown outcome: an unused upload has no effect. */
export async function startUpload(
  means: TableContext,
  plan: UploadPlan,
  table: TableRequest,
  livesMs: number,
): Promise<Result<StartedUpload>> {
  const { partCount, partSize, headers } = plan;
  const attributes = { table_name: table.name, headers: [...headers], part_count: partCount, part_size: partSize };
  const asked = call(createUpload, { body: { data: { type: 'upload', attributes } } });
  const purpose = uploadPurpose(means, table);
  for (let tries = 1; ; tries++) {
    const before = means.clock.now();
    const answer = await means.client.send(asked, { signal: means.signal, purpose });
    if (!answer.ok) {
      if (answer.problem.kind === 'unknown' && tries < mostTries && !means.signal.aborted) continue;
      return answer;
    }
    const resource = answer.value?.data;
    const urls = resource?.attributes?.part_urls ?? [];
    if (resource?.id === null || resource?.id === undefined || urls.length !== partCount)
      return problemResult(
        'unreadable',
        `the service gave ${plural(urls.length, 'address')} for ${plural(partCount, 'part')}`,
      );
    return { ...answer, value: { id: String(resource.id), urls, until: before + livesMs - margin } };
  }
}

/** Adds to a problem that no table was created. */
export const withNoTable = (problem: Problem): Problem => ({
  ...problem,
  text: `${problem.text}; no table was created`,
});

/**
 * Why new addresses would not help once the first have died; undefined when they may. `rate` is the average in bytes a
 * second, absent in the first one; `arrived` is how many parts have arrived, `livesMs` how long addresses live.
 */
export function tooSlowProblem(
  last: Problem,
  size: number,
  { rate, arrived }: { readonly rate?: number | undefined; readonly arrived: number },
  livesMs: number,
): Problem | undefined {
  if (rate === undefined && arrived > 0) return undefined;
  if (rate === undefined)
    return withNoTable({ ...last, kind: 'unreachable', text: `nothing could be sent: ${last.text}` });
  const needed = (size / rate) * 1000;
  if (needed <= livesMs) return undefined;
  const why = `${byteText(size)} at ${byteText(rate)}/s take ${durationText(needed)}, and the addresses are valid for ${durationText(livesMs)}`;
  const text = `the connection is too slow, no table was created: ${why}; split the file, or put it into cloud storage`;
  return { ...last, kind: 'unreachable', text };
}
