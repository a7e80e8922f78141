import { rename } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import {
  directoryRefusal,
  makePrivateDirectory,
  readPrivateFile,
  underLock,
  writeErrorText,
} from '../lib/private-file.ts';
import { shortened } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { newerFile } from '../lib/values.ts';
import {
  type Contents,
  emptyContents,
  type NewProfile,
  type Profile,
  type ProfileList,
  profileSettings,
  readContents,
  readProfile,
  toListing,
} from './profile.ts';

/** Result of a change: one sentence, and the new listing. */
export interface ProfileChange {
  readonly says: string;
  readonly listing: ProfileList;
}

/** Fields of a profile that change. */
export type ProfileChanges = { readonly [F in keyof Profile]?: Profile[F] | undefined };

/** Fields that a profile may lack. */
const optional: ReadonlySet<string> = new Set(
  profileSettings.flatMap(([field, { home }]) => (home === 'profile' ? [] : [field])),
);

/** The profile file (docs/design/reliability.md#profiles): 0600 in a directory of its own, locked around each change, never wiped. */
export interface Profiles {
  readonly directory: string;
  readonly path: string;
  /** The file, read once: never call it in a render. A file that others can open is refused with the command that mends it. */
  list(): Promise<ParseResult<ProfileList>>;
  get(name: string): Promise<ParseResult<Profile>>;
  /** Why a profile cannot be added, whatever its keys are; undefined where it can. */
  whyNotAdded(profile: Omit<NewProfile, 'keys'>): Promise<string | undefined>;
  /** The first profile added is used from then on. */
  add(profile: NewProfile): Promise<ParseResult<ProfileChange>>;
  /** Changes the given fields, `name` too; undefined clears one. A new base URL removes stored keys, unless new sources come with it. */
  update(name: string, change: ProfileChanges): Promise<ParseResult<ProfileChange>>;
  remove(name: string): Promise<ParseResult<ProfileChange>>;
  use(name: string): Promise<ParseResult<ProfileChange>>;
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** What a change makes of the file, or why it does not. */
type Change = (
  contents: Contents,
  now: ProfileList,
) => ParseResult<{ contents: Contents; says: string; renamed: Renaming | undefined }>;

/** Milliseconds that a change waits while others change the profiles. */
const lockedMs = 20_000;

/** The store of one directory. Nothing is created before the first change. A profile takes what it keeps in `state` to a new name. */
export function createProfiles(options: {
  readonly directory: string;
  readonly state?: string;
  readonly clock: Clock;
}): Profiles {
  const { directory, state = directory, clock } = options;
  const path = join(directory, 'profiles.json');

  async function read(): Promise<ParseResult<Contents | 'bad'>> {
    const refused = await directoryRefusal(path);
    if (refused !== undefined) return unreadable(refused);
    const text = await readPrivateFile(path, 'the profile file');
    if (!text.ok) return text;
    if (text.value === undefined) return { ok: true, value: emptyContents };
    return { ok: true, value: readContents(text.value) ?? 'bad' };
  }

  /** Under the lock. Puts a file that cannot be read out of the way, whole. */
  async function readOrPutAside(): Promise<ParseResult<{ contents: Contents; note: string }>> {
    const found = await read();
    if (!found.ok) return found;
    if (found.value !== 'bad') return { ok: true, value: { contents: found.value, note: '' } };
    const kept = `${path}.bad-${new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')}`;
    await rename(path, kept);
    return {
      ok: true,
      value: { contents: emptyContents, note: `; the profile file could not be read and is kept as ${kept}` },
    };
  }

  async function locked<T>(work: () => Promise<ParseResult<T>>): Promise<ParseResult<T>> {
    const made = await makePrivateDirectory(directory);
    if (!made.ok) return made;
    const ended: { as: ParseResult<T> } = {
      as: unreadable(`another orgdeck is changing the profiles: try again (its lock is ${path}.lock)`),
    };
    try {
      const working = async () => {
        ended.as = await work();
      };
      await underLock(path, clock.now(), working, lockedMs);
      return ended.as;
    } catch (error) {
      return unreadable(writeErrorText(error, path));
    }
  }

  const change = (make: Change): Promise<ParseResult<ProfileChange>> =>
    locked(async () => {
      const before = await readOrPutAside();
      if (!before.ok) return before;
      const { newer } = before.value.contents;
      if (newer !== undefined) return unreadable(newerFile(path, newer));
      const created = make(before.value.contents, toListing(before.value.contents));
      if (!created.ok) return unreadable(created.text + before.value.note);
      // Loaded at the first change only: it listens to signals from then on.
      const { default: Conf } = await import('conf');
      const store = new Conf<Record<string, unknown>>({
        cwd: directory,
        configName: 'profiles',
        configFileMode: 0o600,
        clearInvalidConfig: false,
        // It was read above, and is replaced as a whole.
        deserialize: () => ({}),
        accessPropertiesByDotNotation: false,
      });
      const { renamed } = created.value;
      // Wherever this is cut off, the name that the profile file says has everything.
      const carried =
        renamed && (await (await import('./profile-file.ts')).renameKept(state, renamed.from, renamed.to));
      store.store = { ...created.value.contents };
      await carried?.removeOld();
      return {
        ok: true,
        value: { says: created.value.says + before.value.note, listing: toListing(created.value.contents) },
      };
    });

  const list = async (): Promise<ParseResult<ProfileList>> => {
    const found = await read();
    if (!found.ok) return found;
    if (found.value !== 'bad') return { ok: true, value: toListing(found.value) };
    const aside = await locked(async () => readOrPutAside());
    if (!aside.ok) return aside;
    if (aside.value.note === '') return { ok: true, value: toListing(aside.value.contents) };
    return unreadable(`${aside.value.note.slice(2)}; fix it and move it back, or add the profiles again`);
  };

  return {
    directory,
    path,
    list,
    async get(name) {
      const found = await list();
      return found.ok ? findProfile(found.value, name) : found;
    },
    async whyNotAdded(given) {
      const found = await read();
      if (!found.ok) return found.text;
      const contents = found.value === 'bad' ? emptyContents : found.value;
      if (contents.newer !== undefined) return newerFile(path, contents.newer);
      const keys = { apiKey: { typed: true }, appKey: { typed: true } } as const;
      const added = addProfile({ ...given, keys })(contents, toListing(contents));
      return added.ok ? undefined : added.text;
    },
    add: (given) => change(addProfile(given)),
    update: (name, given) => change(updateProfile(name, given)),
    remove: (name) => change(removeProfile(name)),
    use: (name) => change(useProfile(name)),
  };
}

const addProfile =
  (given: NewProfile): Change =>
  (contents, now) => {
    const profile = readProfile(given);
    if (!profile.ok) return profile;
    const { name } = profile.value;
    if (contents.profiles.some((profile) => profile.name === name))
      return unreadable(`profile ${name} exists already: remove it first, or choose another name`);
    const current = now.current ?? name;
    return made(
      { ...contents, current, profiles: [...contents.profiles, { ...profile.value }] },
      `profile ${name} added`,
    );
  };

const updateProfile =
  (name: string, given: ProfileChanges): Change =>
  (contents, now) => {
    const before = findProfile(now, name);
    if (!before.ok) return before;
    const after = readProfile({ ...before.value, ...given });
    if (!after.ok) return after;
    const { profile, says: receipt } = forgetting(before.value, after.value, given.keys !== undefined);
    const isRenamed = profile.name !== name;
    if (isRenamed && contents.profiles.some((other) => other.name === profile.name))
      return unreadable(`profile ${profile.name} exists already: choose another name`);
    const saved = (entry: Contents['profiles'][number]) => {
      if (entry.name !== name) return entry;
      // What was cleared goes; what we do not know stays.
      const kept = Object.entries(entry).filter(([field]) => !optional.has(field));
      return { ...Object.fromEntries(kept), ...profile };
    };
    const current = contents.current === name ? { current: profile.name } : {};
    const previous = isRenamed ? `; it was ${name}` : '';
    return made(
      { ...contents, ...current, profiles: contents.profiles.map(saved) },
      `profile ${profile.name} saved${previous}${receipt}`,
      isRenamed ? { from: name, to: profile.name } : undefined,
    );
  };

const removeProfile =
  (name: string): Change =>
  (contents, now) => {
    const profiles = contents.profiles.filter((profile) => profile.name !== name);
    if (profiles.length === contents.profiles.length) return unknown(now, name);
    const { current, ...rest } = contents;
    return made({ ...rest, profiles, ...(current === name ? {} : { current }) }, `profile ${name} removed`);
  };

const useProfile =
  (name: string): Change =>
  (contents, now) => {
    const profile = findProfile(now, name);
    return profile.ok ? made({ ...contents, current: name }, `now using profile ${name}`) : profile;
  };

/** A profile of a listing by its name, or a sentence that tells the names there are. */
export function findProfile(listing: ProfileList, name: string): ParseResult<Profile> {
  const profile = listing.profiles.find((profile) => profile.name === name);
  if (profile) return { ok: true, value: profile };
  const broken = listing.broken.find((entry) => entry.name === name);
  return broken ? unreadable(`the profile ${name} cannot be used: ${broken.text}`) : unknown(listing, name);
}

const unknown = (listing: ProfileList, name: string) => {
  const names = listing.profiles.map((profile) => profile.name);
  const known =
    names.length > 0 ? `there are ${names.join(', ')}` : 'there is none yet: orgdeck profiles add NAME --base-url URL';
  return unreadable(`no profile is called "${shortened(name.replace(/\p{C}/gu, '?'), 60)}": ${known}`);
};

const made = (contents: Contents, says: string, renamed?: Renaming): ReturnType<Change> => ({
  ok: true,
  value: { contents, says, renamed },
});

/** Stored keys belong to the address they were given for. */
function forgetting(before: Profile, after: Profile, newKeys: boolean): { profile: Profile; says: string } {
  const stored = Object.values(after.keys).some((source) => 'stored' in source);
  if (newKeys || before.baseUrl === after.baseUrl || !stored) return { profile: after, says: '' };
  const forget = (source: Profile['keys']['apiKey']) => ('stored' in source ? { typed: true as const } : source);
  const keys = { apiKey: forget(after.keys.apiKey), appKey: forget(after.keys.appKey) };
  return {
    profile: { ...after, keys },
    says: '; the stored keys were removed, because they belong to the old address',
  };
}

/** Directories of this program: profiles in `config`, the journal in `state`. */
interface Directories {
  readonly config: string;
  readonly state: string;
}

/** Why nothing can be kept, as a sentence: without a home directory, or with a relative one, files would go to whatever folder this is. */
export function homeRefusal(env: NodeJS.ProcessEnv, home: string = homedir()): string | undefined {
  const configured = env.ORGDECK_CONFIG_DIR;
  if (configured && !isAbsolute(configured))
    return `ORGDECK_CONFIG_DIR is "${shortened(configured, 100)}", which would be another folder at each start: give one that begins with /`;
  const { config, state } = directories(env, home);
  if (isAbsolute(config) && isAbsolute(state)) return undefined;
  const what = home === '' ? 'empty' : `"${shortened(home, 100)}", which does not begin with /`;
  return `HOME is ${what}, so there is no place for profiles and the journal: set it, or give a directory in ORGDECK_CONFIG_DIR`;
}

/** `ORGDECK_CONFIG_DIR` for both, else the XDG variables, else what the platform does. Absolute; nothing is created. */
export function directories(
  env: NodeJS.ProcessEnv,
  home: string = homedir(),
  system: string = platform(),
): Directories {
  const configured = env.ORGDECK_CONFIG_DIR;
  if (configured) return { config: configured, state: configured };
  const xdgDirectory = (variable: string | undefined, ...usual: string[]) =>
    // XDG base directory specification: relative paths are ignored.
    join(variable?.startsWith('/') ? variable : join(home, ...usual), 'orgdeck');
  if (system === 'darwin' && !env.XDG_CONFIG_HOME)
    return {
      config: join(home, 'Library', 'Preferences', 'orgdeck'),
      state: join(home, 'Library', 'Application Support', 'orgdeck'),
    };
  return {
    config: xdgDirectory(env.XDG_CONFIG_HOME, '.config'),
    state: xdgDirectory(env.XDG_STATE_HOME, '.local', 'state'),
  };
}
