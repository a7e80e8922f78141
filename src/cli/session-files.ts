import { join } from 'node:path';
import * as v from 'valibot';
import type { Unfinished } from '../describe/job.ts';
import type { AnyList } from '../describe/screen.ts';
import { unreadable } from '../lib/function-results.ts';
import { percentEncoded } from '../lib/paint.ts';
import { makePrivateDirectory, replacePrivateFile, writeErrorText } from '../lib/private-file.ts';
import { capitalized } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { merge, storedTime } from '../lib/values.ts';
import { createProfileFile } from '../profiles/profile-file.ts';
import type { ResolvedSettings } from '../profiles/resolve-settings.ts';
import {
  type SavedSession,
  type Snapshot,
  savedSessionSchema,
  snapshotSchema,
} from '../session/outside/saved-session.ts';
import type { OpenConnection } from './start.ts';

/** What survives a run of the dashboard on one organization. */
export type Saved = Awaited<ReturnType<typeof openSaved>>;

/** Milliseconds from the first change to the write. */
const sessionAfterMs = 1000;

interface Place {
  readonly directory: string;
  readonly redact: (text: string) => string;
  readonly settings: Pick<ResolvedSettings, 'name' | 'baseUrl'>;
}

const filesOf = ({ directory, redact, settings: { name, baseUrl } }: Place) => ({
  directory,
  redact,
  profile: name,
  origin: baseUrl,
});

/** The file of what dashboards of a profile keep together. */
export const sessionFile = (place: Place) =>
  createProfileFile({ ...filesOf(place), what: 'state', schema: savedSessionSchema, depth: 2, isTyped });

/** The file of the last rows. */
export const snapshotFile = (place: Place) =>
  createProfileFile({ ...filesOf(place), what: 'snapshot', schema: snapshotSchema, depth: 1 });

/** Whether the value of a file has views or drafts: a place alone is written anew for another address, else each change would leave a file. */
const isTyped = (value: unknown): boolean => {
  const { views, drafts } = Object(value) as { readonly views?: unknown; readonly drafts?: unknown };
  return [views, drafts].some((typed) => Object.keys(Object(typed)).length > 0);
};

/** Reads what the last run left, and keeps what this one leaves. */
export async function openSaved(with_: {
  readonly connection: Pick<OpenConnection, 'directory' | 'redact'> & {
    readonly settings: Pick<OpenConnection['settings'], 'name' | 'baseUrl' | 'snapshot'>;
  };
  readonly clock: Clock;
}) {
  const { clock, connection } = with_;
  const { directory, redact, settings } = connection;
  const files = { session: sessionFile(connection), rows: snapshotFile(connection) };
  const isKept = settings.snapshot === 'on';
  const none = { ok: true, value: undefined } as const;
  const [session, snapshot] = await Promise.all([
    files.session.read(),
    isKept ? files.rows.read() : files.rows.remove().then(() => none),
  ]);
  const reads = [session, snapshot];
  const troubles = reads.flatMap((read) => (read.ok ? [] : [read.text]));
  const notes = reads.flatMap((read) => (read.ok && 'note' in read ? [read.note] : []));
  const reported = troubles.length > 0 ? [`starting anew: ${troubles.join('; ')}`, ...notes] : notes;

  const lastWritten = { last: session.ok ? session.value : undefined };
  const writeSession = async (mine: SavedSession) => {
    const merged = (there: SavedSession | undefined) =>
      there === undefined ? mine : (merge(lastWritten.last ?? {}, mine, there).value as SavedSession);
    const problem = await files.session.change(merged, clock.now());
    if (problem === undefined) lastWritten.last = mine;
    return problem;
  };
  const sessions = later(writeSession, clock);
  const rows = later(files.rows.write, clock);

  return {
    session: session.ok ? session.value : undefined,
    /** Undefined where the profile keeps none. */
    snapshot: snapshot.ok ? snapshot.value : undefined,
    /** What of the last run is not taken up, as a sentence. */
    trouble: reported.length > 0 ? capitalized(reported.join('; ')) : undefined,
    /** Writes the session within a second, and at the end; tells the problem, as a sentence. */
    keep: (taken: () => SavedSession, told?: (problem: string | undefined) => void): void =>
      sessions.keep(taken, sessionAfterMs, told),
    /** Writes the rows within so many milliseconds, and at the end; undefined: only then. Does nothing where the profile keeps none. */
    keepRows: (taken: () => Snapshot, withinMs: number | undefined): void => {
      if (isKept) rows.keep(taken, withinMs);
    },
    /** Writes a handover report into a new file (0600) of the state directory; answers with a sentence. Never rejects. */
    async saveReport(text: string): Promise<{ readonly ok: boolean; readonly text: string }> {
      const stamp = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
      const path = join(directory, `handover-${percentEncoded(settings.name)}-${stamp}.md`);
      const made = await makePrivateDirectory(directory);
      if (!made.ok) return made;
      try {
        await replacePrivateFile(path, `${redact(text)}\n`);
        return { ok: true, text: `saved as ${path}` };
      } catch (error) {
        return unreadable(writeErrorText(error, path));
      }
    },
    /** Writes what was kept last. Never rejects. */
    async close(): Promise<void> {
      await Promise.all([sessions.close(), rows.close()]);
    },
  };
}

/** Writes the latest of many values when the first of them is due, and at the close. */
function later<T>(writes: (value: T) => Promise<string | undefined>, clock: Clock) {
  const held: {
    latest?: () => T;
    told?: ((problem: string | undefined) => void) | undefined;
    due?: { readonly at: number; cancel(): void };
    written?: Promise<unknown>;
  } = {};
  const write = async () => {
    const { latest, told: reported } = held;
    held.due?.cancel();
    delete held.latest;
    delete held.due;
    if (latest)
      held.written = writes(latest()).then((problem) => {
        // The end tries once more.
        if (problem !== undefined) held.latest ??= latest;
        reported?.(problem);
      });
    await held.written;
  };
  return {
    keep(value: () => T, withinMs: number | undefined, told?: (problem: string | undefined) => void) {
      held.latest = value;
      held.told = told;
      const at = clock.now() + (withinMs ?? Number.POSITIVE_INFINITY);
      if (withinMs === undefined || (held.due && held.due.at <= at)) return;
      held.due?.cancel();
      held.due = { at, cancel: clock.after(withinMs, () => void write()) };
    },
    close: write,
  };
}

/** Work of earlier runs that was never ended, as the dashboard offers it. */
export type Left = ReturnType<typeof createLeft>;

/** Looks for uploads to this organization; empty until it has looked. */
export function createLeft({ directory, client }: Pick<OpenConnection, 'directory' | 'client'>, clock: Clock) {
  const held: { found: readonly Unfinished[] } = { found: [] };
  return {
    /** As it was when it was last looked for. */
    now: () => held.found,
    /** Looks on the disk again; answers with what of it cannot be read, as a sentence. */
    async look(): Promise<string | undefined> {
      const { readUnfinishedUploads: unfinished } = await import('../upload/upload-record.ts');
      const { uploads, trouble } = await unfinished(directory, client.origin, clock.now());
      held.found = uploads.map(({ says, goesOn, asked, note }) => ({
        says,
        goesOn,
        resume: { kind: 'upload', title: `upload ${asked.file} as ${asked.table}`, values: asked },
        abandon: { kind: 'abandon-upload', title: `discard the upload into ${asked.table}`, values: { note } },
      }));
      return trouble;
    },
  };
}

/** Ids and names of the rows of lists, as commands read them last. Schema of their file. */
export const keptNamesSchema = v.record(
  v.string(),
  v.object({ at: storedTime, rows: v.array(v.tuple([v.string(), v.string()])) }),
);

/** The file of one organization. */
export const keptNamesFile = (place: Place) =>
  createProfileFile({ ...filesOf(place), what: 'names', schema: keptNamesSchema, depth: 1 });

/** Keeps the names of a whole list for completion, unless the profile keeps no lists. A failure changes nothing. */
export async function keepNames(
  connection: OpenConnection,
  list: AnyList,
  rows: readonly unknown[],
  index: number,
): Promise<void> {
  const { settings } = connection;
  if (settings.demo) return;
  const file = keptNamesFile(connection);
  if (settings.snapshot !== 'on') return file.remove();
  const before = await file.read();
  const names = rows.map((row): [string, string] => [list.idOf(row), list.nameOf(row)]);
  await file.write({ ...(before.ok ? before.value : {}), [list.id]: { at: index, rows: names } });
}
