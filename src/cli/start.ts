import type { Client } from '../client/client.ts';
import type { Journal } from '../journal/journal.ts';
import type { ParseResult } from '../lib/function-results.ts';
import type { Clock } from '../lib/time.ts';
import type { ConfigFile } from '../profiles/config-file.ts';
import type { AskKey, Keyring } from '../profiles/keyring.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { ResolvedSettings } from '../profiles/resolve-settings.ts';

/** What `--screen` says to begin with the list of profiles. */
export const fleetScreen = 'fleet';

/** Who edits, and in which organization, as far as known. */
export interface Author {
  readonly name: string;
  readonly organization?: string | undefined;
}

/** One organization, ready to be asked: everything that must not be shared with another one. */
export interface OpenConnection {
  /** With the base URL filled in, for the demo too. */
  readonly settings: ResolvedSettings;
  readonly client: Client;
  readonly journal: Journal;
  /** Where its journal lies, and the notes of work that takes minutes. */
  readonly directory: string;
  /** Takes the keys of this organization out of a text. */
  readonly redact: (text: string) => string;
  /** Who edits, as the journal has it. */
  actor(): string;
  /** Names the person for the journal, once known. */
  knowActor(person: Author): void;
  close(): Promise<void>;
}

/** What the dashboard is started with. It builds one session for each connection and closes it when it switches. */
export interface Start {
  /** What flags, environment and profile make of the first organization. */
  readonly settings: ResolvedSettings;
  /** Name of the view to begin with. */
  readonly view?: string | undefined;
  /** Id of the screen to begin with, or `fleetScreen`; Home when absent. */
  readonly screen?: string;
  /** Programs, files and other profiles are off. */
  readonly isKiosk?: boolean;
  /** The configuration file as it is now. */
  config(): Promise<ConfigFile>;
  /** Reads the flags and the environment with another profile, for switching to it; `demo` is such a name. */
  resolve(profile: string): Promise<ParseResult<ResolvedSettings>>;
  /** Reads the keys and opens the client and the journal. Sends nothing. */
  connect(settings: ResolvedSettings, ask?: AskKey): Promise<ParseResult<OpenConnection>>;
  /** The credential check, and which permissions fail, line by line. */
  check(connection: OpenConnection): Promise<readonly string[]>;
  readonly profiles: Profiles;
  readonly keyring: Keyring;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: () => number;
  readonly zone: string;
}
