import * as v from 'valibot';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { readBaseUrl } from '../lib/setting-values.ts';
import { isObject } from '../lib/values.ts';
import { type ProfileSettings, profileSettings } from './settings.ts';

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

/** The most of a key that may be shown: four characters, and only of one long enough for them to say little. */
export function lastFour(key: string): string {
  return key.length >= 16 ? `ends in ${key.slice(-4)}` : 'hidden';
}
