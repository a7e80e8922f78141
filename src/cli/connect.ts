import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEndpoint } from '../api/all-endpoints.ts';
import { endOf } from '../api/secrets.ts';
import { createClient } from '../client/client.ts';
import { createRedactor } from '../client/redact.ts';
import type { PreviewedRequest } from '../client/send-once.ts';
import { createJournal } from '../journal/journal.ts';
import type { ParseResult } from '../lib/function-results.ts';
import type { Clock } from '../lib/time.ts';
import type { AskKey, ClientKeys, Keyring } from '../profiles/keyring.ts';
import { lastFour } from '../profiles/profile.ts';
import type { ResolvedSettings } from '../profiles/resolve-settings.ts';
import type { Author, OpenConnection } from './start.ts';

interface Parts {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: () => number;
  readonly env: NodeJS.ProcessEnv;
  /** Shows an edit in place of sending it, with `--dry-run`. */
  readonly preview: (request: PreviewedRequest) => void;
  /** Told of each edit before it is sent. */
  readonly edited: () => void;
  /** What the journal says sends the edits. */
  readonly program: 'dashboard' | 'command';
  /** The path of the journal. */
  readonly directory: string;
}

/** Opens one organization: keys, journal, client; for the demo its server too, whose journal goes with it. */
export async function connect(
  settings: ResolvedSettings,
  parts: Parts,
  ask?: AskKey,
): Promise<ParseResult<OpenConnection>> {
  if (settings.demo) return connectDemo(settings, parts);
  const keys = await parts.keyring.read(settings.keyRequest, ask);
  if (!keys.ok) return keys;
  return { ok: true, value: open(settings, keys.value, parts, parts.directory) };
}

async function connectDemo(settings: ResolvedSettings, parts: Parts): Promise<ParseResult<OpenConnection>> {
  const { startDemo } = await import('../simulator/simulator.ts');
  const demo = await startDemo({ clock: parts.clock, vocabulary: settings.words });
  const directory = await mkdtemp(join(tmpdir(), `orgdeck-demo-${process.pid}-`));
  // A reader that goes away ends the process before anything is closed.
  const sweep = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', sweep);
  const connection = open({ ...settings, baseUrl: demo.url }, demo, parts, directory);
  return {
    ok: true,
    value: {
      ...connection,
      async close() {
        await connection.close();
        await demo.stop();
        process.off('exit', sweep);
        // A lock that is being released may still come and go in it.
        await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      },
    },
  };
}

function open(
  settings: ResolvedSettings,
  { apiKey, appKey }: ClientKeys,
  parts: Parts,
  directory: string,
): OpenConnection {
  const { clock, random, env, program } = parts;
  const redact = createRedactor([apiKey, appKey]);
  let actor: Author = { name: settings.handle ?? `application key, ${lastFour(appKey)}` };
  const journal = createJournal({
    directory,
    clock,
    origin: settings.baseUrl,
    profile: settings.name,
    actor: () => actor.name,
    organization: () => actor.organization,
    key: endOf(appKey),
    program,
    redact,
  });
  const client = createClient({
    origin: settings.baseUrl,
    keys: { apiKey, appKey },
    readOnly: settings.readOnly,
    preview: settings.dryRun ? parts.preview : undefined,
    recorder: {
      intent(call, purpose) {
        parts.edited();
        return journal.intent(call, purpose);
      },
      outcome: journal.outcome,
    },
    clock,
    random,
    environment: env,
    find: findEndpoint,
    vocabulary: settings.words,
  });
  return {
    settings,
    client,
    journal,
    directory,
    redact,
    actor: () => actor.name,
    knowActor(person) {
      actor = person;
    },
    async close() {
      await client.close();
      await journal.written();
    },
  };
}
