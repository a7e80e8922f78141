import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseExact, stringifyExact } from '../lib/json.ts';
import { fileRefusal, makePrivateDirectory, openPrivateFile } from '../lib/private-file.ts';
import { type FollowUp, type Intent, readLine } from './journal-entry.ts';

/** A refusal to write in a sentence; anything else that is thrown is the system's. */
export class Refusal extends Error {}

/** Opens for appending and nothing else: own file at 0600, made where there is none, no link, no waiting for a FIFO. */
export async function openJournalFile(path: string): Promise<FileHandle> {
  const made = await makePrivateDirectory(dirname(path));
  if (!made.ok) throw new Refusal(made.text);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const stat = await file.stat();
  const refused = fileRefusal(stat, path, 'the journal');
  if (refused === undefined) return file;
  await file.close();
  throw new Refusal(refused);
}

/**
 * Appends lines and returns when they are on the disk. Throws what the system throws. Where an earlier write was
 * torn (a full disk, a kill), a line break comes first, so that the torn line harms itself alone.
 */
export async function append(file: FileHandle, lines: readonly (Intent | FollowUp)[]): Promise<{ size: number }> {
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const text = lines.map((line) => `${stringifyExact(line)}\n`).join('');
  const bytes = Buffer.from(size > 0 && last.toString() !== '\n' ? `\n${text}` : text);
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten;
  await file.sync();
  return { size: size + bytes.length };
}

/** A new name in a directory is on the disk only after this. Systems that cannot do it do not need it. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), constants.O_RDONLY).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

/** Older parts, newest first: `journal-<time>-<pid>.jsonl` beside `journal.jsonl`. */
async function parts(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => /^journal-\d{8}T\d{9}Z-\d+\.jsonl$/.test(name))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/** Parts that are read for what is open and for the list; older ones are kept for a person to read. */
const partsRead = 2;
const partsKept = 8;

/** Of an older part, this many bytes at its end are read: what was open in it has been carried over. */
const partBytes = 8 * 1024 * 1024;
/** A journal that could not be turned over is read up to this size. */
const mostRead = 64 * 1024 * 1024;

/** All lines of the journal and its newest parts, oldest first. Torn and foreign lines are left out. A refused file is a Refusal. */
export async function readLines(path: string): Promise<(Intent | FollowUp)[]> {
  const lines: (Intent | FollowUp)[] = [];
  for (const part of (await parts(path)).slice(0, partsRead).reverse())
    for await (const line of linesOf(part, { last: partBytes })) lines.push(line);
  for await (const line of linesOf(path, { most: mostRead })) lines.push(line);
  return lines;
}

/** Bytes of the journal; 0 where there is none, or where it cannot be looked at. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/**
 * Intents without a known outcome, and unknown outcomes, of a journal of any size; read line by line, so memory grows
 * with the number of edits only.
 */
export async function openEditLines(path: string): Promise<(Intent | FollowUp)[]> {
  const settled = new Set<string>();
  const forgotten = new Set<string>();
  const doubts = new Map<string, FollowUp>();
  const files = [...(await parts(path)).slice(0, partsRead).reverse(), path];
  const each = async (then: (line: Intent | FollowUp) => void) => {
    for (const file of files)
      try {
        for await (const line of linesOf(file)) then(line);
      } catch (error) {
        // An older part that cannot be read must not keep this one from being turned over.
        if (file === path) throw error;
      }
  };
  await each((line) => {
    if (line.kind === 'forgotten') forgotten.add(line.id);
    if (line.kind !== 'outcome') return;
    if (line.outcome.state === 'unknown') {
      settled.delete(line.id);
      doubts.set(line.id, line);
    } else settled.add(line.id);
  });
  const carried = new Map<string, Intent>();
  await each((line) => {
    if (line.kind === 'intent' && !settled.has(line.id) && !forgotten.has(line.id)) carried.set(line.id, line);
  });
  return [...carried.values()].flatMap((line) => [
    line,
    ...(doubts.has(line.id) ? [doubts.get(line.id) as FollowUp] : []),
  ]);
}

/** One file's lines that can be read. `most`: a larger file is a Refusal. `last`: so many bytes at its end, the first line there left out. */
async function* linesOf(
  path: string,
  { most, last }: { readonly most?: number; readonly last?: number } = {},
): AsyncGenerator<Intent | FollowUp> {
  const opened = await openPrivateFile(path, 'the journal', most);
  if (!opened.ok) throw new Refusal(opened.text);
  if (opened.value === undefined) return;
  const { size } = await opened.value.stat();
  const start = Math.max(0, size - (last ?? size));
  for await (const line of opened.value.readLines({ start })) {
    const read = line === '' ? undefined : readLine(parsed(line));
    if (read) yield read;
  }
}

/**
 * Rotates a large journal: renames it and starts a new one with `carried`. Safe when two processes rotate at once:
 * each part has its own name and readers join lines by id, so lines may repeat but are not lost.
 */
export async function rotate(path: string, now: number, carried: readonly (Intent | FollowUp)[]): Promise<void> {
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

function parsed(line: string): unknown {
  try {
    return parseExact(line);
  } catch {
    return undefined;
  }
}
