import { constants } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import { fileRefusal, makePrivateDirectory, openPrivateFile, underLock } from '../lib/private-file.ts';
import { plural } from '../lib/text.ts';
import { type Clock, readEpoch } from '../lib/time.ts';
import { at, isObject, isSameJson, present, redactTexts } from '../lib/values.ts';
import {
  type Entry,
  type FollowUp,
  type Intent,
  readEntryLine,
  type SavedCall,
  toEntries,
  undoGroup,
} from './journal-entry.ts';

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
async function append(file: FileHandle, lines: readonly (Intent | FollowUp)[]): Promise<{ size: number }> {
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
async function syncDirectory(path: string): Promise<void> {
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
async function readLines(
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
const fileSize = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/**
 * What a rotation carries over: intents without a known outcome, unknown outcomes, and those intents whose outcome stands in
 * an older file, which would leave the files that are read first. Read line by line, so memory grows with the number
 * of edits only.
 */
async function openEditLines(path: string): Promise<(Intent | FollowUp)[]> {
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
 * Rotates a large journal: it becomes a part, and a new one with `carried` takes its place, which is on the disk before; not where these
 * are most of it, which would rotate it again at once. Others may write meanwhile: readers join the lines of the last parts by id,
 * in any order.
 */
async function rotate(path: string, now: number, carried: readonly (Intent | FollowUp)[]): Promise<void> {
  const text = textOf(carried);
  if (text.length * 2 > (await fileSize(path))) return;
  const next = `${path}.new`;
  // One that was cut off may have left it.
  await rm(next, { force: true });
  const file = await openJournalFile(next);
  try {
    await append(file, carried);
  } finally {
    await file.close();
  }
  const time = new Date(now).toISOString().replace(/[-:.]/g, '');
  const part = join(dirname(path), `journal-${time}-${process.pid}.jsonl`);
  // Not every disk gives a file two names, by which there is a journal at each moment.
  await link(path, part).catch(() => rename(path, part));
  await rename(next, path);
  await syncDirectory(path);
  for (const old of (await parts(path)).slice(partsKept)) await rm(old, { force: true });
}

/**
 * The edits with the ids that things have now. What an undo has created again has another id than what was deleted: older
 * edits of it, and edits that name it (a member, a place in an order), are checked and undone at the new one. Ids stand in
 * parameters and in members called `id`, `…_id`, `…_ids` and `restricted_roles`; queries and other texts stay as they are.
 * An edit that has its way back at a thing that was deleted and is not there again (its creation, a mute, a member) says that it
 * is not undone, and why.
 */
export function withIdsNow(entries: readonly Entry[]): Entry[] {
  const ids = restoredIds(entries);
  const gone = goneThings(entries, ids);
  if (ids.size === 0 && gone.size === 0) return [...entries];
  const idNow = (domain: string, id: string, before: readonly string[] = []): string => {
    const next = ids.get(keyOf(domain, id));
    return next === undefined || before.includes(next) ? id : idNow(domain, next, [...before, id]);
  };
  const memberNow = (value: unknown, name: string, domain: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => memberNow(item, name, domain));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, memberNow(one, inner, domain)]));
    if (!/^id$|_ids?$|^restricted_roles$/.test(name) || !['string', 'number', 'bigint'].includes(typeof value))
      return value;
    const now = idNow(domainOfName(name) ?? domain, String(value));
    if (now === String(value)) return value;
    return typeof value === 'string' ? now : Number.isSafeInteger(Number(now)) ? Number(now) : BigInt(now);
  };
  const callNow = (call: SavedCall): SavedCall => {
    const named = (value: unknown) => memberNow(value, '', domainOf(call));
    const { body } = call;
    return {
      ...call,
      params: named(call.params) as SavedCall['params'],
      ...(body !== undefined && { body: named(body) }),
    };
  };
  const isUndo = ({ action, outcome }: Entry) => action === 'undo' && outcome?.state === 'applied';
  const undos = Map.groupBy(entries.filter(isUndo), ({ group }) => group);
  return entries.map((entry) => {
    const undo = entry.undo.map(callNow);
    const begun = undos.get(undoGroup(entry.id))?.map(({ call }) => call.endpoint);
    // Every request would be about what is not there.
    const lost = undo.map((call) =>
      idsOf(call)
        .map((id) => gone.get(`${entry.origin} ${id}`))
        .find(Boolean),
    );
    const isLost = lost[0] !== undefined && !lost.includes(undefined);
    return {
      ...entry,
      target: { ...entry.target, id: idNow(domainOf(entry.call), entry.target.id) },
      call: callNow(entry.call),
      undo,
      ...(isLost ? { undo: [], notUndone: `${lost[0]} was deleted since` } : present({ begun })),
      ...(isSameJson(undo, entry.undo) ? {} : { hasNewIds: true }),
    };
  });
}

/** An edit without those requests of its undo that would bring back a mute whose end has passed: services refuse such an end. */
function withLiveUndo(entry: Entry, now: number): Entry {
  const undo = entry.undo.filter(({ body }) => {
    const end = readEpoch(at(body, 'data.attributes.schedule.end') ?? at(body, 'end'), 's');
    return end === undefined || end > now;
  });
  // Of one that has begun, all are counted.
  if (entry.undone || entry.begun || undo.length === entry.undo.length) return entry;
  return { ...entry, undo, ...(undo.length === 0 && { notUndone: 'the former end of the mute has passed' }) };
}

/** The names of the things that were deleted and not created again, by deployment and id: deployments may use the same numbers. */
function goneThings(entries: readonly Entry[], restored: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const gone = new Map<string, string>();
  for (const { call, target, outcome, undone, origin } of entries) {
    const [id, ...others] = Object.values(call.params);
    // What ends a mute deletes a downtime, and is about a monitor.
    const isOfTarget = id !== undefined && id === target.id && others.length === 0;
    const isDelete = /\.delete(?!-rows)/.test(call.endpoint) && outcome?.state === 'applied' && !undone;
    const key = keyOf(domainOf(call), id ?? '');
    if (isOfTarget && isDelete && !restored.has(key)) gone.set(`${origin} ${key}`, target.name || id);
  }
  return gone;
}

/** What a request is about: the ids of its path, and those that its body calls `monitor_id` and the like. */
function idsOf(call: SavedCall): readonly string[] {
  const inBody = (value: unknown): readonly string[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) =>
          name.endsWith('_id') ? keyOf(domainOfName(name) ?? '', String(one)) : inBody(one),
        )
      : [];
  return [...Object.values(call.params).map((id) => keyOf(domainOf(call), id)), ...inBody(call.body)];
}

/** Of each thing that was deleted and created again by an undo, the old id and the new one. */
function restoredIds(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const edits = new Map(entries.map((entry) => [undoGroup(entry.id), entry]));
  const ids = new Map<string, string>();
  for (const { action, group = '', call, outcome } of entries) {
    const edit = action === 'undo' ? edits.get(group) : undefined;
    const [id, ...others] = Object.values(edit?.call.params ?? {});
    const isSame = edit !== undefined && domainOf(edit.call) === domainOf(call);
    if (isSame && outcome?.made !== undefined && id !== undefined && others.length === 0 && id !== outcome.made)
      ids.set(keyOf(domainOf(call), id), outcome.made);
  }
  return ids;
}

/** `mappings` of `mappings.delete`; both versions of downtimes are one domain. */
const domainOf = ({ endpoint }: SavedCall): string => endpoint.replace(/(-v\d)?\..*/, '');

/** `monitors` of `monitor_id`; none of `id`, which is of what the request is about. */
const domainOfName = (name: string): string | undefined => /^(.+)_ids?$/.exec(name)?.[1]?.concat('s');

/** Numbers are ids of one domain alone: others may have the same. */
const keyOf = (domain: string, id: string): string => (/^\d+$/.test(id) ? `${domain} ${id}` : id);

/** Reads and writes of the journal's file, one after the other, so that an outcome never precedes its intent. */
export function createJournalTurns(options: {
  readonly path: string;
  readonly clock: Clock;
  /** Removes known secrets from a text. */
  readonly redact: (text: string) => string;
  /** Size in bytes at which the file is rotated; open edits are carried over. */
  readonly rotateAt: number;
  readonly open: (path: string) => Promise<FileHandle>;
}) {
  const { path, clock, redact, rotateAt, open } = options;
  const state = { turn: Promise.resolve() as Promise<unknown>, skipped: undefined as string | undefined, made: false };
  /** The reads that wait for their turn, with nothing to be written between them and what comes next. */
  const reading: { [R in Reach]?: Promise<Entry[]> } = {};

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    delete reading.whole;
    delete reading.recent;
    const next = state.turn.then(work, work);
    state.turn = next.catch(() => undefined);
    return next;
  }

  async function write(line: Intent | FollowUp): Promise<void> {
    const file = await open(path);
    let size: number;
    try {
      ({ size } = await append(file, [redactTexts(line, redact) as typeof line]));
    } finally {
      await file.close();
    }
    if (!state.made) await syncDirectory(path);
    state.made = true;
    if (size > rotateAt) await rotateOnce();
  }

  /** Rotates the journal, unless another process does or did. Otherwise, and after a failure, the file only stays long for a while. */
  const rotateOnce = async () => {
    await underLock(path, clock.now(), async () => {
      if ((await fileSize(path)) > rotateAt) await rotate(path, clock.now(), await openEditLines(path));
    }).catch(() => undefined);
  };

  async function read(reach: Reach): Promise<Entry[]> {
    if ((await fileSize(path)) > rotateAt) await rotateOnce();
    const { lines, skipped } = await readLines(path, reach);
    state.skipped = skippedText(skipped);
    return withIdsNow(toEntries(lines)).map((entry) => withLiveUndo(entry, clock.now()));
  }

  return {
    /** Throws where the line is not on the disk. */
    write: (line: Intent | FollowUp) => inTurn(() => write(line)),
    /** Reads that are asked for at once are one. */
    read(reach: Reach): Promise<Entry[]> {
      const shared =
        reading[reach] ??
        inTurn(() => {
          // What is asked for from now on may be written after it.
          delete reading[reach];
          return read(reach);
        });
      reading[reach] = shared;
      return shared;
    },
    /** Resolves when every write so far has succeeded or failed. */
    async ended(): Promise<void> {
      await state.turn;
    },
    /** Which lines the last read has left out, as a sentence. */
    skipped: () => state.skipped,
  };
}

function skippedText(skipped: ReadonlyMap<string, number>): string | undefined {
  if (skipped.size === 0) return undefined;
  const each = [...skipped].map(([path, count]) => `${plural(count, 'line')} of ${path}`).join(' and ');
  return `Left out, because they cannot be read as edits: ${each}`;
}
