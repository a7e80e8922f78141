import type { Clock } from '../lib/clock.ts';
import { createProfileFile } from '../profiles/profile-file.ts';
import { type SavedSession, savedSessionSchema } from '../session/saved-session.ts';
import type { Connection } from './start.ts';

/** What survives a run of the dashboard on one organisation. */
export interface Saved {
  readonly session?: SavedSession;
  /** Why the last run's session is not taken up, as a sentence. */
  readonly trouble?: string;
  /** Writes the session soon: many changes are one write. */
  keep(session: () => SavedSession): void;
  /** Writes what was kept last. Never rejects. */
  close(): Promise<void>;
}

/** Milliseconds from the first change to the write. */
const writeAfterMs = 3000;

/** Reads what the last run left, and keeps what this one leaves. A write that fails is given up: nothing else waits for it. */
export async function openSaved(with_: {
  readonly connection: Pick<Connection, 'directory' | 'redact'> & {
    readonly settings: Pick<Connection['settings'], 'name' | 'baseUrl'>;
  };
  readonly clock: Clock;
}): Promise<Saved> {
  const { directory, redact, settings } = with_.connection;
  const file = createProfileFile({
    directory,
    what: 'session',
    profile: settings.name,
    origin: settings.baseUrl,
    schema: savedSessionSchema,
    redact,
  });
  const read = await file.read();
  const held: { latest?: () => SavedSession; cancel?: () => void; written?: Promise<unknown> } = {};

  const write = async () => {
    const { latest } = held;
    held.cancel?.();
    delete held.latest;
    delete held.cancel;
    if (latest) held.written = file.write(latest());
    await held.written;
  };

  return {
    ...(read.ok ? (read.value ? { session: read.value } : {}) : { trouble: `starting anew: ${read.text}` }),
    keep(session) {
      held.latest = session;
      held.cancel ??= with_.clock.after(writeAfterMs, () => void write());
    },
    close: write,
  };
}
