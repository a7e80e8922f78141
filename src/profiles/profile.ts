import * as v from 'valibot';
import { endOf } from '../api/secrets.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { type NotifyWay, notifyWays, readBaseUrl, type ThemeName, themeNames } from '../lib/setting-values.ts';
import { fileVersion, isObject, type JsonObject, newerVersion, present, storedVersion } from '../lib/values.ts';

/** What a profile always says; where its file does not, the default. */
interface BasicValues {
  /** A short label for the badge: `prod`, `staging`. Empty = no badge. */
  readonly environment: string;
  /** Every edit asks first, and the badge is red. */
  readonly production: boolean;
  /** No edit leaves the process. */
  readonly readOnly: boolean;
  readonly pollSeconds: number;
  /** Whether the last lists are kept on the disk, to be shown at the next start. */
  readonly snapshot: 'on' | 'off';
}

/** What config.json may say for every profile that does not. */
interface SharedValues {
  readonly theme: ThemeName;
  readonly notify: NotifyWay;
  /** Whether wheel and clicks act from the start. */
  readonly mouse: boolean;
  /** Least urgent priority of monitors to notify of, 1 to 5. */
  readonly notifyPriority: number;
  /** Least errors of a new issue to notify of. */
  readonly notifyIssues: number;
}

interface OtherValues {
  /** Address of the service's web pages, for links. */
  readonly webUrl: string;
  /** Who the person is, for deployments that do not tell. */
  readonly handle: string;
  /** Path of the file with the deployment's own words; without it, it has those of the specification. */
  readonly vocabulary: string;
  /** Whether the fleet board reads how the organization stands. */
  readonly fleet: boolean;
  /** Lines instead of a screen, for a screen reader. */
  readonly plain: boolean;
}

/** The settings that a profile holds. */
type ProfileSettings = BasicValues & Partial<SharedValues & OtherValues>;

/** The settings that config.json holds. */
export type SharedSettings = Partial<SharedValues>;

/** All settings by name. */
export interface ProfileValues extends BasicValues, SharedValues, OtherValues {
  readonly ascii: boolean;
}
export type SettingName = keyof ProfileValues;

/** Poll base in seconds: floor, ceiling and what holds until a person says otherwise. */
const pollLimits = { min: 10, max: 300, usual: 15 } as const;

/** One setting. The first of flag, variable, profile, config.json and default that says it wins. */
export interface ProfileSetting<T> {
  /** What it may be, and the sentence for what it may not be. */
  readonly schema: v.GenericSchema<unknown, T>;
  /** The member of the flags of every command. */
  readonly flag?: 'readOnly' | 'poll' | 'theme' | 'vocabulary' | 'ascii' | 'plain';
  readonly variable?: string;
  /** Where it may be said: by a profile, also in config.json, or by a flag alone. A profile always has those of the first kind. */
  readonly home: 'profile' | 'optional' | 'shared' | 'flag';
  /** Whether the setting belongs to the deployment of the profile, and does not hold for another one. */
  readonly isOfHost?: boolean;
  readonly usual?: T;
  /** What `orgdeck info` calls it; absent where it is not listed. */
  readonly title?: string;
  /** The value of a text that a person typed. */
  typed?(text: string): unknown;
  shows?(value: T): string;
}

const toggle = (name: string) => ({
  schema: v.boolean(`${name} is true or false`),
  usual: false,
  shows: (value: boolean): string => (value ? 'yes' : 'no'),
});
const choice = <const T extends string>(name: string, all: readonly T[], usual: T) => ({
  schema: v.picklist(all, `${name} is one of ${all.join(', ')}`),
  usual,
});
const line = (least: number, most: number, says: string) =>
  v.pipe(v.string(says), v.regex(/^[^\p{C}]*$/u, says), v.minLength(least, says), v.maxLength(most, says));
const whole = (least: number, most: number, says: string) =>
  v.pipe(v.number(says), v.integer(says), v.minValue(least, says), v.maxValue(most, says));

const environmentSays = 'the environment is one short word such as prod, at most 16 letters';
const pollSays = `the poll interval is ${pollLimits.min} to ${pollLimits.max} seconds`;

const address = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readBaseUrl(typeof dataset.value === 'string' ? dataset.value : '');
    if (read.ok) return read.url;
    addIssue({ message: `the web address: ${read.text}` });
    return NEVER;
  }),
);

/** Every setting, in the order in which they are listed: who may say it, and what it may be. */
export const settingTable: { readonly [N in SettingName]: ProfileSetting<ProfileValues[N]> } = {
  environment: {
    home: 'profile',
    title: 'environment',
    schema: v.pipe(v.string(environmentSays), v.regex(/^[\p{L}\p{N}._-]{0,16}$/u, environmentSays)),
    usual: '',
    shows: (word) => word || 'none',
  },
  production: { home: 'profile', title: 'production', ...toggle('production') },
  readOnly: { home: 'profile', title: 'read-only', flag: 'readOnly', ...toggle('readOnly') },
  pollSeconds: {
    home: 'profile',
    title: 'poll',
    flag: 'poll',
    schema: v.pipe(v.number(pollSays), v.minValue(pollLimits.min, pollSays), v.maxValue(pollLimits.max, pollSays)),
    usual: pollLimits.usual,
    typed: (text) => (text.trim() === '' ? Number.NaN : Number(text)),
    shows: (seconds) => `${seconds}s`,
  },
  theme: { home: 'shared', title: 'theme', flag: 'theme', ...choice('the theme', themeNames, 'default') },
  notify: { home: 'shared', title: 'notify', ...choice('notify', notifyWays, 'bell') },
  mouse: {
    home: 'shared',
    title: 'mouse',
    ...toggle('mouse'),
    typed: (text) => (text === 'on' ? true : text === 'off' ? false : text),
    shows: (isOn) => (isOn ? 'on' : 'off'),
  },
  notifyPriority: {
    home: 'shared',
    schema: whole(1, 5, 'the priority to notify of is a whole number from 1, the most urgent, to 5'),
  },
  notifyIssues: {
    home: 'shared',
    schema: whole(0, Number.MAX_SAFE_INTEGER, 'the errors to notify of are a whole number'),
  },
  snapshot: { home: 'profile', title: 'snapshot', ...choice('snapshot', ['on', 'off'], 'on') },
  webUrl: { home: 'optional', title: 'web address', isOfHost: true, schema: address },
  handle: { home: 'optional', schema: line(0, 200, 'the handle is one line of text, at most 200 letters') },
  vocabulary: {
    home: 'optional',
    title: 'vocabulary',
    flag: 'vocabulary',
    variable: 'ORGDECK_VOCABULARY',
    isOfHost: true,
    schema: line(1, 4096, 'the vocabulary is the path of a file'),
  },
  fleet: { home: 'optional', ...toggle('fleet') },
  ascii: { home: 'flag', title: 'ascii', flag: 'ascii', ...toggle('ascii') },
  plain: { home: 'optional', title: 'plain', flag: 'plain', ...toggle('plain') },
};

/** The table as a list. */
export const settingList = Object.entries(settingTable) as readonly (readonly [SettingName, ProfileSetting<unknown>])[];

/** The settings that a profile may hold. */
export const profileSettings = settingList.filter(([, { home }]) => home !== 'flag');

/** Where one key comes from. Only `stored` is a key itself; it is written on an explicit choice alone. */
export type KeySource =
  /** A program and its arguments, run without a shell; the key is what it prints. */
  | { readonly command: readonly string[] }
  /** Name of an environment variable. */
  | { readonly env: string }
  /** Path of a file of one's own at 0600. */
  | { readonly file: string }
  /** Typed at each start and kept in memory only. */
  | { readonly typed: true }
  /** Kept in the profile file. */
  | { readonly stored: string };

/** Which of the two keys. */
export type KeyName = 'apiKey' | 'appKey';

export const keyTitles: Readonly<Record<KeyName, string>> = { apiKey: 'API key', appKey: 'application key' };

/** A named organization: where it is, how careful to be, and where its keys come from. */
export interface Profile extends ProfileSettings {
  readonly name: string;
  readonly baseUrl: string;
  readonly keys: Readonly<Record<KeyName, KeySource>>;
}

/** What a new profile says; the rest is filled in. */
export type NewProfile = Pick<Profile, 'name' | 'baseUrl'> & Partial<Omit<Profile, 'name' | 'baseUrl'>>;

/** Reads a profile from a form, from flags or from the file. A key is never part of the sentence. */
export function readProfile(given: unknown): ParseResult<Profile> {
  if (!isObject(given)) return unreadable('a profile is an object with a name and a base URL');
  const name = readName(given.name);
  if (!name.ok) return name;
  const url = readBaseUrl(typeof given.baseUrl === 'string' ? given.baseUrl : '');
  if (!url.ok) return unreadable(url.text);
  const members: Record<string, unknown> = {};
  for (const [field, { schema, home, usual }] of profileSettings) {
    const value = given[field] ?? '';
    if (value === '' && home === 'profile') members[field] = usual;
    if (value === '') continue;
    const read = v.safeParse(schema, value);
    if (!read.success) return unreadable(read.issues[0].message);
    members[field] = read.output;
  }
  const keys = isObject(given.keys) ? given.keys : {};
  const apiKey = readSource(keys.apiKey, 'apiKey');
  if (!apiKey.ok) return apiKey;
  const appKey = readSource(keys.appKey, 'appKey');
  if (!appKey.ok) return appKey;
  return {
    ok: true,
    value: {
      name: name.value,
      baseUrl: url.url,
      ...(members as unknown as ProfileSettings),
      keys: { apiKey: apiKey.value, appKey: appKey.value },
    },
  };
}

/** Reads the name of a profile: what can be typed after `--profile` and shown in a badge. */
function readName(given: unknown): ParseResult<string> {
  if (typeof given !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(given))
    return unreadable(
      'a profile name is 1 to 40 letters, digits, dots, dashes or underscores, beginning with a letter or a digit',
    );
  if (given === 'demo') return unreadable('"demo" is the name of the built-in organization: choose another name');
  return { ok: true, value: given };
}

/** Reads a key source; a missing one is typed at each start. */
function readSource(given: unknown, key: KeyName): ParseResult<KeySource> {
  const title = keyTitles[key];
  if (given === undefined) return { ok: true, value: { typed: true } };
  const kinds = isObject(given) ? Object.keys(given) : [];
  if (!isObject(given) || kinds.length !== 1)
    return unreadable(`the ${title} has one source: command, env, file, typed or stored`);
  if ('typed' in given) return { ok: true, value: { typed: true } };
  if ('env' in given)
    return typeof given.env === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(given.env)
      ? { ok: true, value: { env: given.env } }
      : unreadable(`the ${title} must be the name of an environment variable, not its value`);
  if ('file' in given)
    return typeof given.file === 'string' && given.file !== '' && !given.file.includes('\0')
      ? { ok: true, value: { file: given.file } }
      : unreadable(`the ${title} must be the path of a file`);
  if ('stored' in given) {
    const value = readKey(given.stored, key);
    return value.ok ? { ok: true, value: { stored: value.value } } : value;
  }
  const argv: unknown = given.command;
  const words =
    Array.isArray(argv) &&
    argv.length > 0 &&
    argv[0] !== '' &&
    argv.every((word) => typeof word === 'string' && !word.includes('\0'));
  return words
    ? { ok: true, value: { command: argv as string[] } }
    : unreadable(`the ${title} must be a command as a list of words, for example ["pass", "show", "orgdeck"]`);
}

/** Reads a key as it came from somewhere: one word that can stand in a header. The sentence never repeats it. */
export function readKey(given: unknown, key: KeyName): ParseResult<string> {
  const title = keyTitles[key];
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') return unreadable(`the ${title} is empty`);
  if (text.length > 1024) return unreadable(`the ${title} is over 1024 characters, longer than any key`);
  if (!/^[\x21-\x7e]+$/.test(text))
    return unreadable(`the ${title} contains a space, a line break or a character outside ASCII, which no key does`);
  return { ok: true, value: text };
}

/** Text of a key source: never the key, nor the arguments of a command, which may hold one. */
export function keySourceText(source: KeySource): string {
  if ('command' in source) return `command ${source.command[0]}`;
  if ('env' in source) return `environment variable ${source.env}`;
  if ('file' in source) return `file ${source.file}`;
  if ('stored' in source) return `kept in the profile file (${lastFour(source.stored)})`;
  return 'typed at each start';
}

/** What is said of a key in its place. */
export const lastFour = (key: string): string => (endOf(key) === '' ? 'hidden' : `ends in ${endOf(key)}`);

/** How careful to be at an address, and which profile says so. */
export type Guard = Pick<Profile, 'name' | 'baseUrl' | 'production' | 'readOnly'>;

/** A profile in the file that cannot be used; it is kept as it is until a person mends or removes it. */
interface BrokenProfile {
  readonly name: string;
  readonly text: string;
  /** Holds all the same. */
  readonly guard?: Guard;
}

/** What the profile file says, as one value of one moment. */
export interface ProfileList {
  readonly profiles: readonly Profile[];
  readonly broken: readonly BrokenProfile[];
  /** Variables that profiles of the file name for their keys, broken ones too. */
  readonly variables: readonly string[];
  /** Name of the profile in use, which may be broken. */
  readonly current?: string;
}

/** The file as it lies on the disk: entries stay raw, so that what a newer version wrote is not lost. */
export interface Contents {
  readonly version: number;
  /** Version of the file if a newer program wrote it; such a file is never changed. */
  readonly newer?: number;
  readonly current?: string;
  readonly profiles: readonly Readonly<Record<string, unknown>>[];
}

export const emptyContents: Contents = { version: fileVersion, profiles: [] };

const contentsSchema = v.looseObject({
  version: storedVersion,
  current: v.exactOptional(v.fallback(v.string(), '')),
  profiles: v.exactOptional(v.array(v.record(v.string(), v.unknown())), []),
});

/** Reads the file's text; undefined = it is not what we write, in whole. */
export function readContents(text: string): Contents | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), contentsSchema), text.replace(/^\ufeff/, ''));
  if (!read.success) return undefined;
  return { ...read.output, ...present({ newer: newerVersion(read.output.version) }) };
}

/** The profiles of the file, those that can be used and those that cannot. */
export function toListing(contents: Contents): ProfileList {
  const profiles: Profile[] = [];
  const broken: BrokenProfile[] = [];
  const names = Map.groupBy(contents.profiles, ({ name }) => name);
  for (const entry of contents.profiles) {
    const read = readProfile(entry);
    const text = `the file has ${names.get(entry.name)?.length} profiles of this name: give each its own`;
    if (read.ok && names.get(entry.name)?.length === 1) profiles.push(read.value);
    else {
      const name = typeof entry.name === 'string' ? entry.name : '(no name)';
      broken.push({ name, text: read.ok ? text : read.text, ...present({ guard: guardOf(name, entry) }) });
    }
  }
  const { current } = contents;
  const variables = contents.profiles.flatMap(({ keys }) =>
    (isObject(keys) ? Object.values(keys) : []).flatMap(variableOf),
  );
  return { profiles, broken, variables, ...present({ current: names.has(current) ? current : undefined }) };
}

/** The variable of a raw key source. */
const variableOf = (source: unknown): string[] =>
  isObject(source) && typeof source.env === 'string' ? [source.env] : [];

/** What a raw profile guards; whatever it says there but false counts as yes. */
function guardOf(name: string, { baseUrl, production, readOnly }: JsonObject): Guard | undefined {
  const url = readBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
  if (!url.ok || !(production || readOnly)) return undefined;
  return { name, baseUrl: url.url, production: Boolean(production), readOnly: Boolean(readOnly) };
}
