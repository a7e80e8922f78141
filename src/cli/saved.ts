import type { Clock } from '../lib/clock.ts';
import { createProfileFile } from '../profiles/profile-file.ts';
import { type SavedSession, type SavedView, savedSessionSchema, savedViewsSchema } from '../session/saved-session.ts';
import type { Connection } from './start.ts';

/** What survives a run of the dashboard on one organisation. */
export interface Saved {
  readonly session?: SavedSession | undefined;
  readonly views?: readonly SavedView[] | undefined;
  /** Why something of the last run is not taken up, as a sentence. */
  readonly trouble?: string | undefined;
  /** Writes the session soon: many changes are one write. */
  keep(session: () => SavedSession): void;
  /** Writes the views now; answers with the problem, as a sentence. */
  saveViews(views: readonly SavedView[]): Promise<string | undefined>;
  /** Writes what was kept last. Never rejects. */
  close(): Promise<void>;
}

/** Milliseconds from the first change to the write. */
const writeAfterMs = 3000;

/** Reads what the last run left, and keeps what this one leaves. A session that cannot be written is given up silently. */
export async function openSaved(with_: {
  readonly connection: Pick<Connection, 'directory' | 'redact'> & {
    readonly settings: Pick<Connection['settings'], 'name' | 'baseUrl'>;
  };
  readonly clock: Clock;
}): Promise<Saved> {
  const { directory, redact, settings } = with_.connection;
  const of = { directory, redact, profile: settings.name, origin: settings.baseUrl };
  const files = {
    session: createProfileFile({ ...of, what: 'session', schema: savedSessionSchema }),
    views: createProfileFile({ ...of, what: 'views', schema: savedViewsSchema }),
  };
  const [session, views] = await Promise.all([files.session.read(), files.views.read()]);
  const troubles = [session, views].flatMap((read) => (read.ok ? [] : [read.text]));
  const held: { latest?: () => SavedSession; cancel?: () => void; written?: Promise<unknown> } = {};

  const write = async () => {
    const { latest } = held;
    held.cancel?.();
    delete held.latest;
    delete held.cancel;
    if (latest) held.written = files.session.write(latest());
    await held.written;
  };

  return {
    session: session.ok ? session.value : undefined,
    views: views.ok ? views.value : undefined,
    trouble: troubles.length > 0 ? `starting anew: ${troubles.join('; ')}` : undefined,
    keep(session) {
      held.latest = session;
      held.cancel ??= with_.clock.after(writeAfterMs, () => void write());
    },
    saveViews: (views) => files.views.write([...views]),
    close: write,
  };
}
