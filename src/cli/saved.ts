import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { percentEncoded } from '../lib/percent.ts';
import { makePrivateDirectory, replacePrivateFile, writeErrorText } from '../lib/private-file.ts';
import { unreadable } from '../lib/reading.ts';
import { createProfileFile, type ProfileFile } from '../profiles/profile-file.ts';
import {
  type Drafts,
  draftsSchema,
  type SavedSession,
  type SavedView,
  type Snapshot,
  savedSessionSchema,
  savedViewsSchema,
  snapshotSchema,
} from '../session/outside/saved-session.ts';
import { sharedFile } from './shared-file.ts';
import type { Connection } from './start.ts';

/** What survives a run of the dashboard on one organisation. */
export interface Saved {
  readonly session?: SavedSession | undefined;
  readonly views?: readonly SavedView[] | undefined;
  /** What was typed into forms that were not sent. */
  readonly drafts?: Drafts | undefined;
  /** Undefined where the profile keeps none. */
  readonly snapshot?: Snapshot | undefined;
  /** Why something of the last run is not taken up, as a sentence. */
  readonly trouble?: string | undefined;
  /** Writes the session soon: many changes are one write. */
  keep(session: () => SavedSession): void;
  /** Writes the rows within so many milliseconds, and at the end; undefined: only then. Does nothing where the profile keeps none. */
  keepRows(snapshot: () => Snapshot, withinMs: number | undefined): void;
  /** Writes the drafts within a second, and at the end; tells the problem, as a sentence. */
  keepDrafts(drafts: () => Drafts, told?: (problem: string | undefined) => void): void;
  /** Writes the views now; answers with the problem, as a sentence. */
  saveViews(views: readonly SavedView[]): Promise<string | undefined>;
  /** Writes a hand-over report into a new file (0600) of the state directory; answers with a sentence. Never rejects. */
  saveReport(text: string): Promise<{ readonly ok: boolean; readonly text: string }>;
  /** Writes what was kept last. Never rejects. */
  close(): Promise<void>;
}

/** Milliseconds from the first change to the write. */
const sessionAfterMs = 3000;
const draftsAfterMs = 1000;

/** Reads what the last run left, and keeps what this one leaves. A session that cannot be written is given up silently. */
export async function openSaved(with_: {
  readonly connection: Pick<Connection, 'directory' | 'redact'> & {
    readonly settings: Pick<Connection['settings'], 'name' | 'baseUrl' | 'snapshot'>;
  };
  readonly clock: Clock;
}): Promise<Saved> {
  const { directory, redact, settings } = with_.connection;
  const of = { directory, redact, profile: settings.name, origin: settings.baseUrl };
  const files = {
    session: createProfileFile({ ...of, what: 'session', schema: savedSessionSchema }),
    views: createProfileFile({ ...of, what: 'views', schema: savedViewsSchema }),
    drafts: createProfileFile({ ...of, what: 'drafts', schema: draftsSchema }),
    rows: createProfileFile({ ...of, what: 'snapshot', schema: snapshotSchema }),
  };
  const isKept = settings.snapshot === 'on';
  const none = { ok: true, value: undefined } as const;
  const [session, views, typed, snapshot] = await Promise.all([
    files.session.read(),
    files.views.read(),
    files.drafts.read(),
    isKept ? files.rows.read() : files.rows.remove().then(() => none),
  ]);
  const troubles = [session, views, typed, snapshot].flatMap((read) => (read.ok ? [] : [read.text]));
  const notes = [session, views, typed, snapshot].flatMap((read) => (read.ok && 'note' in read ? [read.note] : []));
  const sessions = later(files.session, with_.clock);
  const sharedDrafts = sharedFile(files.drafts, typed.ok ? typed.value : undefined, {
    named: (all) => new Map(Object.entries(all)),
    whole: (named) => Object.fromEntries(named) as Drafts,
    now: with_.clock.now,
  });
  const sharedViews = sharedFile(files.views, views.ok ? views.value : undefined, {
    named: (all) => new Map(all.map((view) => [view.name, view])),
    whole: (named) => [...named.values()] as SavedView[],
    now: with_.clock.now,
  });
  const drafts = later(sharedDrafts, with_.clock);
  const rows = later(files.rows, with_.clock);

  return {
    session: session.ok ? session.value : undefined,
    drafts: typed.ok ? typed.value : undefined,
    views: views.ok ? views.value : undefined,
    snapshot: snapshot.ok ? snapshot.value : undefined,
    trouble: troubles.length > 0 ? `starting anew: ${troubles.join('; ')}` : notes[0],
    keep: (taken) => sessions.keep(taken, sessionAfterMs),
    keepDrafts: (taken, told) => drafts.keep(taken, draftsAfterMs, told),
    keepRows: (taken, withinMs) => isKept && rows.keep(taken, withinMs),
    saveViews: (all) => sharedViews.write([...all]),
    async saveReport(text) {
      const stamp = new Date(with_.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
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
    async close() {
      await Promise.all([sessions.close(), drafts.close(), rows.close()]);
    },
  };
}

/** Writes the latest of many values when the first of them is due, and at the close. */
function later<T>(file: Pick<ProfileFile<T>, 'write'>, clock: Clock) {
  const held: {
    latest?: () => T;
    told?: ((problem: string | undefined) => void) | undefined;
    due?: { readonly at: number; cancel(): void };
    written?: Promise<unknown>;
  } = {};
  const write = async () => {
    const { latest, told } = held;
    held.due?.cancel();
    delete held.latest;
    delete held.due;
    if (latest)
      held.written = file.write(latest()).then((problem) => {
        // The end tries once more.
        if (problem !== undefined) held.latest ??= latest;
        told?.(problem);
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
