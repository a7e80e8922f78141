import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import type { ParseResult } from '../lib/function-results.ts';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import {
  currentRun,
  isRunning,
  isSameRun,
  makePrivateDirectory,
  moveAway,
  processRun,
  readPrivateFile,
  replacePrivateFile,
} from '../lib/private-file.ts';
import { plural } from '../lib/text.ts';
import { fileVersion, present, storedCount, storedTime, storedVersion } from '../lib/values.ts';
import type { UploadRequest } from './upload-table.ts';

/** Progress of an upload on disk, for the next start. Holds no part URLs. */
const noted = v.object({
  version: storedVersion,
  /** The process that works on the upload; the directory may be one that several machines share. */
  run: processRun,
  origin: v.string(),
  table: v.object({
    name: v.string(),
    id: v.optional(v.string()),
    key: v.string(),
    types: v.optional(v.record(v.string(), v.string())),
    description: v.optional(v.string()),
    tags: v.optional(v.array(v.string())),
  }),
  file: v.object({ path: v.string(), size: storedCount, modified: v.string(), inode: v.string() }),
  upload: v.string(),
  parts: v.array(v.boolean()),
  /** `sending`: parts are on their way. `creating`: all arrived, and the table is asked for. */
  phase: v.picklist(['sending', 'creating']),
  /** When the URLs of the parts expire, epoch milliseconds. */
  expires: storedTime,
});
export type UploadRecord = v.InferOutput<typeof noted>;

const newer = v.object({ version: v.pipe(storedVersion, v.gtValue(fileVersion)) });

/** A note on the disk. */
export interface Note {
  readonly path: string;
  /** Replaces what it says; the disk holds the old or the new text, never half of one. Rejects when it cannot be. */
  write(record: UploadRecord): Promise<void>;
  /** Never rejects: what stays is found and removed by a later upload. */
  remove(): Promise<void>;
}

const pattern = /^upload-[0-9a-f-]{36}\.json$/;

/** A new private record in the state directory; not yet written. */
export async function newNote(directory: string): Promise<ParseResult<Note>> {
  const made = await makePrivateDirectory(directory);
  if (!made.ok) return made;
  return { ok: true, value: noteAt(join(directory, `upload-${randomUUID()}.json`)) };
}

/** The note at a path, there or not. */
export function noteAt(path: string): Note {
  const state = { last: Promise.resolve() };
  const queued = (work: () => Promise<void>): Promise<void> => {
    state.last = state.last.then(work, work);
    return state.last;
  };
  return {
    path,
    write: (record) => queued(() => replacePrivateFile(path, `${stringifyExact(record)}\n`)),
    remove: () => queued(() => rm(path).catch(() => undefined)),
  };
}

/** Notes of uploads that this process works on. */
const underWay = new Set<string>();

/** While the work is done, the note is none that was left. */
export async function whileUnderWay<T>({ path }: Note, work: () => Promise<T>): Promise<T> {
  underWay.add(path);
  return work().finally(() => underWay.delete(path));
}

/** A record without a running process. */
export interface Leftover {
  readonly note: Note;
  readonly record: UploadRecord;
}

/**
 * Notes of uploads that ended in the middle. Those under way, here or in a process that still lives, are left alone; what cannot be
 * read is moved away, and `trouble` names it, as a sentence.
 */
export async function leftovers(directory: string, now: number) {
  const found: Leftover[] = [];
  const troubles: string[] = [];
  const names = await readdir(directory).catch(() => [] as string[]);
  for (const name of names) {
    const path = join(directory, name);
    if (!pattern.test(name) || underWay.has(path)) continue;
    const text = await readPrivateFile(path, 'the note of an upload', 64 * 1024);
    const file = text.ok && text.value !== undefined ? parsedJson(text.value) : undefined;
    // A newer program has to end what it began.
    if (v.is(newer, file)) continue;
    const read = v.safeParse(noted, file);
    if (!text.ok) troubles.push(text.text);
    else if (text.value === undefined) continue;
    else if (read.success && !runsBeside(read.output, now)) found.push({ note: noteAt(path), record: read.output });
    else if (!read.success) {
      await moveAway(path).catch(() => undefined);
      troubles.push(`the note of an upload ${path} cannot be read; it is kept as a file that ends in .unread`);
    }
  }
  return { found, ...present({ trouble: troubles.length > 0 ? troubles.join('; ') : undefined }) };
}

/** Whether another process works on it still. One of another machine counts as ended ten minutes after its addresses. */
const runsBeside = ({ run, expires }: UploadRecord, now: number): boolean =>
  !isSameRun(run, currentRun()) && isRunning(run, expires, now);

/**
 * What earlier runs have left in the state directory for a deployment, newest first; `trouble` names what cannot be read, as a
 * sentence.
 */
export async function readUnfinishedUploads(directory: string, origin: string, now: number) {
  const { found, ...trouble } = await leftovers(directory, now);
  const ours = found
    .filter(({ record }) => record.origin === origin)
    .sort((a, b) => b.record.expires - a.record.expires);
  const uploads = ours.map(({ record, note }) => {
    const { name, ...table } = record.table;
    const done = record.parts.filter(Boolean).length;
    const goesOn = record.phase === 'creating';
    const far = goesOn
      ? 'all parts arrived, the table was asked for'
      : `${done} of ${plural(record.parts.length, 'part')} arrived, it has to start again`;
    const request: UploadRequest = { file: record.file.path, table: name, ...table };
    return {
      /** What it was, and how far it came. */
      says: `${basename(record.file.path)} into ${name}: ${far}`,
      /** Whether only the table is missing. Addresses of parts are on no disk: nobody can send the others to an upload of another run. */
      goesOn,
      /** The request that repeats it: it goes on, or starts again. */
      asked: request,
      /** Names it for `abandon`. */
      note: basename(note.path),
    };
  });
  return { uploads, ...trouble };
}

/** Removes the record of an earlier run; the service drops unused parts on its own. */
export async function abandon(directory: string, note: string): Promise<void> {
  await noteAt(join(directory, basename(note))).remove();
}
