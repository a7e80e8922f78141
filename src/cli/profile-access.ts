import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { capitalized } from '../lib/text.ts';
import { present } from '../lib/values.ts';
import { commandWords, filePath } from '../profiles/keyring.ts';
import {
  type KeyName,
  type KeySource,
  keySourceText,
  keyTitles,
  type NewProfile,
  type Profile,
  profileSettings,
} from '../profiles/profile.ts';
import type { ProfileChanges } from '../profiles/profiles.ts';
import type { Outside, ProfileLine } from '../session/outside/outside.ts';
import type { OpenConnection, Start } from './start.ts';

/** Why a vocabulary file cannot be used; undefined where it can, and where no path is given. */
export async function vocabularyProblem(path: string | undefined): Promise<string | undefined> {
  if (!path) return undefined;
  const { openVocabularyFile } = await import('../profiles/vocabulary-file.ts');
  const words = await openVocabularyFile(path);
  return words.ok ? undefined : words.text;
}

type Values = Readonly<Record<string, unknown>>;
type Access = Required<
  Pick<
    Outside,
    | 'profiles'
    | 'watchFleet'
    | 'switchProfile'
    | 'giveKeys'
    | 'testProfile'
    | 'removeProfile'
    | 'addProfile'
    | 'editProfile'
  >
>;

/** Where a key comes from, without any part of it. */
const keptWhere = (source: KeySource): string =>
  'stored' in source ? 'kept in the profile file' : keySourceText(source);

/** What the profiles of this machine are to one session. */
interface ProfileContext {
  readonly start: Start;
  /** Name of the profile in use. */
  readonly current: string;
  /** Whether the service no longer accepts its keys. */
  readonly keysRefused: () => boolean;
  /** Ends when the other organization is in front. */
  readonly turn: (to: OpenConnection) => unknown;
}

/** The profile store as the session sees it. Texts only; a key typed into a form goes from here to memory or to the file and nowhere else. */
export function createProfileAccess(context: ProfileContext): Access {
  const { start, current, turn } = context;
  const turnIfWanted = async (to: OpenConnection, isWanted: () => boolean) => {
    await (isWanted() ? turn(to) : to.close());
  };
  return {
    profiles: () => profileLines(context),
    watchFleet(told) {
      const reading = import('./fleet.ts').then(({ watchFleet }) =>
        watchFleet(start, (name) => open(name, context), told),
      );
      return () => void reading.then((stop) => stop());
    },
    async switchProfile(name, isWanted) {
      const connection = await open(name, context);
      if (!connection.ok) return { text: connection.text, needsKeys: 'needsKeys' in connection };
      await turnIfWanted(connection.value, isWanted);
      return undefined;
    },
    async giveKeys(name, values, isWanted) {
      const settings = await start.resolve(name);
      if (!settings.ok) return settings.text;
      const connection = await start.connect(settings.value, async (key) => text(values[key]));
      if (!connection.ok) return connection.text;
      await turnIfWanted(connection.value, isWanted);
      return undefined;
    },
    async testProfile(name) {
      const connection = await open(name, context);
      if (!connection.ok) return [connection.text];
      try {
        return await start.check(connection.value);
      } finally {
        if (name !== current) await connection.value.close();
      }
    },
    async removeProfile(name) {
      const removed = await start.profiles.remove(name);
      return removed.ok ? undefined : removed.text;
    },
    async editProfile(name, values) {
      const settings = settingsOf(values);
      const problem = await vocabularyProblem(settings.vocabulary);
      if (problem !== undefined) return unreadable(problem);
      const edited = await start.profiles.update(name, settings);
      return edited.ok ? { ok: true, text: edited.value.says } : edited;
    },
    addProfile: (values) => addTypedProfile(start, values),
  };
}

async function open(
  name: string,
  { start, current, keysRefused }: ProfileContext,
): Promise<ParseResult<OpenConnection> | { readonly ok: false; readonly text: string; readonly needsKeys: true }> {
  const settings = await start.resolve(name);
  if (!settings.ok) return settings;
  // Typed keys that were refused are asked for again.
  if (name === current && keysRefused()) start.keyring.forget(settings.value.keyRequest.owner);
  if (!settings.value.demo && start.keyring.willAsk(settings.value.keyRequest)) {
    return { ok: false, text: `the keys of ${name} are typed at each start`, needsKeys: true };
  }
  return start.connect(settings.value);
}

async function profileLines({ start, current }: ProfileContext): ReturnType<Outside['profiles']> {
  const listing = await start.profiles.list();
  const demo: ProfileLine = {
    name: 'demo',
    says: 'Built-in demo organization',
    current: current === 'demo',
    isBuiltIn: true,
    facts: [
      ['Service', 'a simulator in this process; nothing is sent elsewhere'],
      ['Keys', 'none required'],
    ],
  };
  if (!listing.ok) return [demo, { name: '', says: listing.text, current: false }];
  const { profiles, broken } = listing.value;
  return [
    ...profiles.map((profile) => profileLine(profile, profile.name === current)),
    ...broken.map(({ name, text }) => ({ name, says: `cannot be used: ${text}`, current: false })),
    demo,
  ];
}

const profileLine = (profile: Profile, current: boolean): ProfileLine => ({
  name: profile.name,
  says: [
    profile.baseUrl,
    profile.environment,
    profile.production ? 'production' : '',
    profile.readOnly ? 'read-only' : '',
  ]
    .filter((word) => word !== '')
    .join(' · '),
  current,
  ...(profile.fleet ? { isOfFleet: true } : {}),
  values: { ...profile, keys: undefined },
  facts: [
    ...Object.entries(keyTitles).map(
      ([key, title]) => [capitalized(title), keptWhere(profile.keys[key as KeyName])] as const,
    ),
    ['Polls', `every ${profile.pollSeconds}s`],
  ],
});

/** Adds the profile of a form; answers with the problem, if any. */
async function addTypedProfile(start: Start, values: Values): Promise<string | undefined> {
  const profile = profileOf(values);
  if (!profile.ok) return profile.text;
  const problem = await vocabularyProblem(profile.value.vocabulary);
  if (problem !== undefined) return problem;
  const added = await start.profiles.add(profile.value);
  if (!added.ok) return added.text;
  if (values.source !== 'typed') return undefined;
  const settings = await start.resolve(profile.value.name);
  if (!settings.ok) return settings.text;
  const keys = await start.keyring.read(settings.value.keyRequest, async (key) => text(values[key]));
  return keys.ok ? undefined : keys.text;
}

function profileOf(values: Values): ParseResult<NewProfile> {
  const apiKey = sourceOf(values, 'apiKey');
  if (!apiKey.ok) return apiKey;
  const appKey = sourceOf(values, 'appKey');
  if (!appKey.ok) return appKey;
  return {
    ok: true,
    value: {
      ...present(settingsOf(values)),
      name: text(values.name),
      baseUrl: text(values.baseUrl),
      keys: { apiKey: apiKey.value, appKey: appKey.value },
    },
  };
}

/** What the fields say besides the keys; undefined where a profile says nothing. */
function settingsOf(values: Values): ProfileChanges & Pick<Profile, 'name' | 'baseUrl'> {
  const members = profileSettings.flatMap(([field, { home, typed = (typedText: string) => typedText }]) => {
    if (!Object.hasOwn(values, field)) return [];
    const value = values[field];
    if (typeof value !== 'string') return [[field, value]];
    const said = value.trim();
    const isLeft = said === '' || (home === 'shared' && said === 'shared');
    return [[field, isLeft ? undefined : typed(said)]];
  });
  const path = text(values.vocabulary);
  return {
    ...(Object.fromEntries(members) as ProfileChanges),
    name: text(values.name),
    baseUrl: text(values.baseUrl),
    snapshot: values.snapshot === false ? 'off' : 'on',
    vocabulary: path === '' ? undefined : filePath(path),
  };
}

function sourceOf(values: Values, key: KeyName): ParseResult<KeySource> {
  const given = text(values[key]);
  switch (values.source) {
    case 'stored':
      return { ok: true, value: { stored: given } };
    case 'env':
      return { ok: true, value: { env: given } };
    case 'file':
      return { ok: true, value: { file: filePath(given) } };
    case 'command': {
      const words = commandWords(given);
      return words.ok ? { ok: true, value: { command: words.value } } : words;
    }
    default:
      return { ok: true, value: { typed: true } };
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
