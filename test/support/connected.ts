import type { FileHandle } from 'node:fs/promises';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import type { Translator } from '../../src/api/vocabulary/translator.ts';
import { openCache } from '../../src/cache/cache.ts';
import { createJournalAccess } from '../../src/cli/journal-access.ts';
import { createClient } from '../../src/client/client.ts';
import { whoAmI } from '../../src/describe/picks.ts';
import type { Screen } from '../../src/describe/screen.ts';
import { createJournal, type Journal } from '../../src/journal/journal.ts';
import type { ProcessRun } from '../../src/lib/private-file.ts';
import type { Clock } from '../../src/lib/time.ts';
import { honest } from './declared-operations.ts';

/** A service's URL, and keys for it. */
export interface Place {
  readonly url: string;
  readonly apiKey: string;
  readonly appKey: string;
  /** The vocabulary of the service. */
  readonly vocabulary?: Translator | undefined;
  /** Called with every frame that the story reads. */
  readonly watch?: ((frame: string) => void) | undefined;
}

/** Client, journal and cache of one organization. `lies` are operations that were sent and not declared. */
export function connected(
  at: Place,
  how: {
    readonly name: string;
    readonly screens: readonly Screen[];
    readonly directory: string;
    readonly clock: Clock;
    readonly readOnly: boolean;
    readonly open?: ((path: string) => Promise<FileHandle>) | undefined;
    /** The process that the journal names; this one when absent. */
    readonly run?: ProcessRun;
  },
) {
  const { clock, directory, open, run } = how;
  const journal: Journal = createJournal({
    directory,
    clock,
    origin: at.url,
    profile: how.name,
    ...(open && { open }),
    ...(run && { run }),
  });
  const { client, lies } = honest(
    createClient({
      origin: at.url,
      keys: { apiKey: at.apiKey, appKey: at.appKey },
      readOnly: how.readOnly,
      recorder: journal,
      clock,
      random: Math.random,
      find: findEndpoint,
      vocabulary: at.vocabulary,
    }),
    how.screens,
  );
  const cache = openCache(client, { clock, random: () => 0.5 });
  const outside = {
    ...createJournalAccess({ journal, client }),
    remember: (...edit: Parameters<Journal['remember']>) => void journal.remember(...edit),
  };
  return { client, lies, journal, cache, outside, whoAmI };
}
