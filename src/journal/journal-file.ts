import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import { fileRefusal, makePrivateDirectory, openPrivateFile } from '../lib/private-file.ts';
import { type FollowUp, type Intent, readEntryLine } from './journal-entry.ts';

/** Version of a line. Each says its own, and keeps it when it is carried over; lines of version 0 said none. */
const version = 1;

/** A refusal to use the journal's file, as a sentence; any other error is the system's. */
export class Refusal extends Error {}

/** Opens the file for appending; creates it at 0600. Refuses links and other people's files; never blocks on a FIFO. */
export async function openJournalFile(path: string): Promise<FileHandle> {
  const directory = await makePrivateDirectory(dirname(path));
  if (!directory.ok) throw new Refusal(directory.text);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const stat = await file.stat();
  const refused = fileRefusal(stat, path, 'the journal');
  if (refused === undefined) return file;
  await file.close();
  throw new Refusal(refused);
}

/**
 * Appends lines and returns when they are on the disk. Throws what the system throws. After a torn write (a full disk, a
 * kill) a line break comes first, so that only the torn line is lost.
 */
export async function append(file: FileHandle, lines: readonly (Intent | FollowUp)[]): Promise<{ size: number }> {
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const text = textOf(lines);
  const bytes = Buffer.from(size > 0 && last.toString() !== '\n' ? `\n${text}` : text);
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten;
  await file.sync();
  return { size: size + bytes.length };
}

const textOf = (lines: readonly (Intent | FollowUp)[]): string =>
  lines.map((line) => `${stringifyExact({ version, ...line })}\n`).join('');

/** Syncs the directory, so that a new file's name is on the disk too. Ignored where the system does not support it. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), constants.O_RDONLY).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

/** Paths of the rotated parts, newest first: `journal-<time>-<pid>.jsonl` beside `journal.jsonl`. */
async function parts(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => /^journal-\d{8}T\d{9}Z-\d+\.jsonl$/.test(name))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/** Number of parts that are kept for a person to read. */
const partsKept = 8;

/** How many of the newest parts are read, and how many bytes at the end of each: their open edits were carried over when they were rotated. */
const reach = { whole: { parts: 2, bytes: 8 * 1024 * 1024 }, recent: { parts: 1, bytes: 256 * 1024 } } as const;
/** How much of the journal is read: all that is listed; or the present file and the end of the one before, with every open edit. */
export type Reach = keyof typeof reach;
/** Largest journal that is read, in bytes; it only grows so far where it cannot be rotated. */
const mostRead = 64 * 1024 * 1024;

/** The lines of the newest parts and the journal, oldest first; torn and unknown lines are left out, and counted by file. Throws Refusal. */
export async function readLines(
  path: string,
  how: Reach,
): Promise<{ lines: (Intent | FollowUp)[]; skipped: Map<string, number> }> {
  const lines: (Intent | FollowUp)[] = [];
  const skipped = new Map<string, number>();
  const skip = (file: string) => skipped.set(file, (skipped.get(file) ?? 0) + 1);
  for (const part of (await parts(path)).slice(0, reach[how].parts).reverse())
    for await (const line of linesOf(part, { last: reach[how].bytes, skip })) lines.push(line);
  for await (const line of linesOf(path, { most: mostRead, skip })) lines.push(line);
  return { lines, skipped };
}

/** Size of the journal in bytes; 0 where there is none, or where it cannot be read. */
export const fileSize = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/**
 * What a rotation carries over: intents without a known outcome, unknown outcomes, and those intents whose outcome stands in
 * an older file, which would leave the files that are read first. Read line by line, so memory grows with the number
 * of edits only.
 */
export async function openEditLines(path: string): Promise<(Intent | FollowUp)[]> {
  const ended = new Map<string, { readonly line: FollowUp; readonly file: number }>();
  const doubts = new Map<string, FollowUp>();
  const files = [...(await parts(path)).slice(0, reach.whole.parts).reverse(), path];
  const each = async (then: (line: Intent | FollowUp, file: number) => void) => {
    for (const [index, file] of files.entries())
      try {
        for await (const line of linesOf(file)) then(line, index);
      } catch (error) {
        // An older part that cannot be read must not prevent the rotation.
        if (file === path) throw error;
      }
  };
  await each((line, file) => {
    // In whatever order they were written: a carried doubt follows an outcome that another process wrote meanwhile.
    if (line.kind === 'outcome' && line.outcome.state === 'unknown') doubts.set(line.id, line);
    else if (line.kind === 'outcome' || line.kind === 'forgotten') ended.set(line.id, { line, file });
  });
  const carried = new Map<string, readonly (Intent | FollowUp)[]>();
  await each((line, file) => {
    if (line.kind !== 'intent') return;
    const end = ended.get(line.id);
    const doubt = doubts.get(line.id);
    if (end === undefined) carried.set(line.id, doubt ? [line, doubt] : [line]);
    else if (end.file < file) carried.set(line.id, [line, end.line]);
  });
  return [...carried.values()].flat();
}

/**
 * The readable lines of one file. `most`: a larger file throws Refusal. `last`: only this many bytes at its end, where a
 * torn first line is left out. `skip` is told of each line that cannot be read.
 */
async function* linesOf(
  path: string,
  {
    most,
    last,
    skip = () => {},
  }: { readonly most?: number; readonly last?: number; readonly skip?: (path: string) => void } = {},
): AsyncGenerator<Intent | FollowUp> {
  const opened = await openPrivateFile(path, 'the journal', most);
  if (!opened.ok) throw new Refusal(opened.text);
  if (opened.value === undefined) return;
  const { size } = await opened.value.stat();
  const start = Math.max(0, size - (last ?? size));
  let isFirst = true;
  for await (const line of opened.value.readLines({ start })) {
    const isCut = isFirst && start > 0;
    isFirst = false;
    if (line === '') continue;
    const read = readEntryLine(parsedJson(line));
    if (read) yield read;
    else if (!isCut) skip(path);
  }
}

/**
 * Rotates a large journal: renames it and starts a new one with `carried`; not where these are most of it, which would
 * rotate it again at once. Others may write meanwhile: readers join the lines of the last parts by id, in any order.
 */
export async function rotate(path: string, now: number, carried: readonly (Intent | FollowUp)[]): Promise<void> {
  const text = textOf(carried);
  if (text.length * 2 > (await fileSize(path))) return;
  const time = new Date(now).toISOString().replace(/[-:.]/g, '');
  await rename(path, join(dirname(path), `journal-${time}-${process.pid}.jsonl`));
  const file = await openJournalFile(path);
  try {
    await append(file, carried);
  } finally {
    await file.close();
  }
  await syncDirectory(path);
  for (const old of (await parts(path)).slice(partsKept)) await rm(old, { force: true });
}
