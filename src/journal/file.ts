import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseExact, stringifyExact } from '../lib/json.ts';
import { makeOwnDirectory, readOwnFile, refusedFile } from '../lib/ownfile.ts';
import { type Intent, readLine, type Sequel } from './entry.ts';

/** A refusal to write in a sentence; anything else that is thrown is the system's. */
export class Refusal extends Error {}

/** Opens for appending and nothing else: own file at 0600, made where there is none, no link, no waiting for a FIFO. */
export async function openOwn(path: string): Promise<FileHandle> {
  const made = await makeOwnDirectory(dirname(path));
  if (!made.ok) throw new Refusal(made.text);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const stat = await file.stat();
  const refused = refusedFile(stat, path, 'the journal');
  if (refused === undefined) return file;
  await file.close();
  throw new Refusal(refused);
}

/**
 * Appends lines and returns when they are on the disk. Throws what the system throws. Where an earlier write was
 * torn (a full disk, a kill), a line break comes first, so that the torn line harms itself alone.
 */
export async function append(file: FileHandle, lines: readonly (Intent | Sequel)[]): Promise<{ size: number }> {
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

/** All lines of the journal and its newest parts, oldest first. Torn and foreign lines are left out. A refused file is a Refusal. */
export async function readLines(path: string): Promise<(Intent | Sequel)[]> {
  const lines: (Intent | Sequel)[] = [];
  for (const part of [...(await parts(path)).slice(0, partsRead).reverse(), path]) {
    const text = await readOwnFile(part, 'the journal', 64 * 1024 * 1024);
    if (!text.ok) throw new Refusal(text.text);
    for (const line of (text.value ?? '').split('\n')) {
      const read = line === '' ? undefined : readLine(parsed(line));
      if (read) lines.push(read);
    }
  }
  return lines;
}

/**
 * Puts a large journal aside and begins a new one with `carried`. Two processes may do so at once: each part has
 * a name of its own and readers put lines together by id, so nothing is lost, only perhaps said twice.
 */
export async function turnOver(path: string, now: number, carried: readonly Intent[]): Promise<void> {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '');
  await rename(path, join(dirname(path), `journal-${time}-${process.pid}.jsonl`));
  const file = await openOwn(path);
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
