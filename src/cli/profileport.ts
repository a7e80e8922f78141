import type { ParseResult } from '../lib/parse-result.ts';
import { present } from '../lib/present-members.ts';
import { capitalized } from '../lib/text.ts';
import { commandWords } from '../profiles/key-command.ts';
import { filePath } from '../profiles/keyring.ts';
import {
  type KeyName,
  type KeySource,
  keySourceText,
  keyTitles,
  type NewProfile,
  type Profile,
} from '../profiles/profile.ts';
import type { ProfileChanges } from '../profiles/profiles.ts';
import { profileSettings } from '../profiles/settings.ts';
import type { Outside } from '../session/outside/outside.ts';
import type { OpenConnection, Start } from './start.ts';

type Values = Readonly<Record<string, unknown>>;
type Port = Pick<
  Outside,
  'profiles' | 'switchProfile' | 'giveKeys' | 'testProfile' | 'removeProfile' | 'addProfile' | 'editProfile'
>;

/** Where a key comes from, without any part of it. */
const keptWhere = (source: KeySource): string =>
  'stored' in source ? 'kept in the profile file' : keySourceText(source);

/** The profile store as the session sees it. Texts only; a key typed into a form goes from here to memory or to the file and nowhere else. */
export function profilePort(with_: {
  readonly start: Start;
  /** Name of the profile in use. */
  readonly current: string;
  /** Whether the service no longer accepts its keys. */
  readonly keysRefused: () => boolean;
  readonly turn: (to: OpenConnection) => void;
}): Port {
  const { start } = with_;
  const isCurrent = (name: string) => name === with_.current;

  const open = async (
    name: string,
  ): Promise<ParseResult<OpenConnection> | { readonly ok: false; readonly text: string; readonly needsKeys: true }> => {
    const settings = await start.resolve(name);
    if (!settings.ok) return settings;
    // Typed keys that were refused are asked for again.
    if (isCurrent(name) && with_.keysRefused()) start.keyring.forget(settings.value.keyRequest.owner);
    if (!settings.value.demo && start.keyring.willAsk(settings.value.keyRequest)) {
      return { ok: false, text: `the keys of ${name} are typed at each start`, needsKeys: true };
    }
    return start.connect(settings.value);
  };

  return {
    async profiles() {
      const listing = await start.profiles.list();
      const demo = {
        name: 'demo',
        says: 'Built-in demo organization',
        current: isCurrent('demo'),
        isBuiltIn: true,
        facts: [
          ['Service', 'a simulator in this process; nothing is sent elsewhere'],
          ['Keys', 'none needed'],
        ],
      } as const;
      if (!listing.ok) return [demo, { name: '', says: listing.text, current: false }];
      return [
        ...listing.value.profiles.map((profile) => ({
          name: profile.name,
          says: [
            profile.baseUrl,
            profile.environment,
            profile.production ? 'production' : '',
            profile.readOnly ? 'read-only' : '',
          ]
            .filter((word) => word !== '')
            .join(' · '),
          current: isCurrent(profile.name),
          values: { ...profile, keys: undefined },
          facts: [
            ...Object.entries(keyTitles).map(
              ([key, title]) => [capitalized(title), keptWhere(profile.keys[key as KeyName])] as const,
            ),
            ['Polls', `every ${profile.pollSeconds}s`],
          ],
        })),
        ...listing.value.broken.map((profile) => ({
          name: profile.name,
          says: `cannot be used: ${profile.text}`,
          current: false,
        })),
        demo,
      ];
    },
    async switchProfile(name, isWanted) {
      const connection = await open(name);
      if (connection.ok) {
        if (isWanted()) with_.turn(connection.value);
        else await connection.value.close();
        return undefined;
      }
      return { text: connection.text, needsKeys: 'needsKeys' in connection };
    },
    async giveKeys(name, values) {
      const settings = await start.resolve(name);
      if (!settings.ok) return settings.text;
      const connection = await start.connect(settings.value, async (key) => text(values[key]));
      if (!connection.ok) return connection.text;
      with_.turn(connection.value);
      return undefined;
    },
    async testProfile(name) {
      const connection = await open(name);
      if (!connection.ok) return [connection.text];
      try {
        return await start.check(connection.value);
      } finally {
        if (!isCurrent(name)) await connection.value.close();
      }
    },
    async removeProfile(name) {
      const removed = await start.profiles.remove(name);
      return removed.ok ? undefined : removed.text;
    },
    async editProfile(name, values) {
      const settings = settingsOf(values);
      const words = await wordsIn(settings.vocabulary);
      if (words?.ok === false) return words;
      const edited = await start.profiles.update(name, settings);
      return edited.ok ? { ok: true, text: edited.value.says } : edited;
    },
    async addProfile(values) {
      const profile = profileOf(values);
      if (!profile.ok) return profile.text;
      const words = await wordsIn(profile.value.vocabulary);
      if (words?.ok === false) return words.text;
      const added = await start.profiles.add(profile.value);
      if (!added.ok) return added.text;
      if (values.source === 'typed') {
        const settings = await start.resolve(profile.value.name);
        if (!settings.ok) return settings.text;
        const keys = await start.keyring.read(settings.value.keyRequest, async (key) => text(values[key]));
        if (!keys.ok) return keys.text;
      }
      return undefined;
    },
  };
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
  const members = profileSettings.flatMap(([field, { typed = (typedText: string) => typedText }]) => {
    if (!Object.hasOwn(values, field)) return [];
    const value = values[field];
    if (typeof value !== 'string') return [[field, value]];
    return [[field, ['', 'shared'].includes(value.trim()) ? undefined : typed(value.trim())]];
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

/** The words of a vocabulary file, where a profile names one. */
const wordsIn = async (path: string | undefined) =>
  path === undefined ? undefined : (await import('../profiles/vocabulary-file.ts')).openVocabularyFile(path);
