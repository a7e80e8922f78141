import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { present } from '../lib/values.ts';
import { commandWords, filePath } from '../profiles/keyring.ts';
import {
  type KeyName,
  type KeySource,
  keySourceText,
  keyTitles,
  profileSettings,
  readKey,
} from '../profiles/profile.ts';
import type { ProfileChange, ProfileChanges } from '../profiles/profiles.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { Ports } from './command-ports.ts';
import { askQuestion } from './edit-question.ts';
import { complain, type Exit, endWith, exits, safeJson, tell, usage } from './io.ts';
import { envelope } from './output/formats.ts';
import { vocabularyProblem } from './profile-access.ts';

/** Where each key comes from. */
type SourceFlags = { readonly [F in `${KeyName}${'Env' | 'File' | 'Command'}`]?: string };

/** What `orgdeck profiles add` takes besides the global flags and those of the settings, which have the settings' names. */
export interface AddFlags extends Flags, SourceFlags {
  /** Keys are typed now and kept in the profile file. */
  readonly storeKeys?: boolean;
}

/** What the flags say of a profile; an empty text clears what it may lack. What is wrong is told by the store. */
function settingsIn(flags: Flags): ProfileChanges {
  const given = flags as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    profileSettings.flatMap(([field, { flag = field, home, typed = filed(field) }]) => {
      const said = given[flag];
      if (typeof said !== 'string') return said === undefined ? [] : [[field, said]];
      return [[field, home !== 'profile' && said.trim() === '' ? undefined : typed(said)]];
    }),
  );
}

const filed = (field: string) => (text: string) => (field === 'vocabulary' ? filePath(text) : text.trim());

/** `orgdeck profiles add NAME --base-url URL …`. */
export async function addProfile(ports: Ports, name: string, flags: AddFlags): Promise<Exit> {
  const address = await addressOf(ports, name, flags);
  if (!address.ok) return usage(ports.io, address.text);
  const settings = settingsIn(flags);
  const profile = { ...present(settings), name, baseUrl: address.value };
  const wrong = (await vocabularyProblem(settings.vocabulary)) ?? (await ports.profiles.whyNotAdded(profile));
  if (wrong !== undefined) return usage(ports.io, wrong);
  const apiKey = await sourceOf(ports, 'apiKey', name, flags);
  if (!apiKey.ok) return usage(ports.io, apiKey.text);
  const appKey = await sourceOf(ports, 'appKey', name, flags);
  if (!appKey.ok) return usage(ports.io, appKey.text);
  const keys = { apiKey: apiKey.value, appKey: appKey.value };
  const added = await ports.profiles.add({ ...profile, keys });
  if (!added.ok) return usage(ports.io, added.text);
  const sources = (['apiKey', 'appKey'] as const).map((key) => `  ${keyTitles[key]}: ${keySourceText(keys[key])}`);
  tell(ports.io, [added.value.says, ...sources, `  test it:  orgdeck profiles test ${name}`]);
  return exits.done;
}

/** What `orgdeck profiles edit` takes: an empty text clears what is optional. */
export interface EditFlags extends Flags {
  readonly name?: string;
}

/** `orgdeck profiles edit NAME …`: changes what is given; the keys stay. */
export async function editProfile(ports: Ports, name: string, flags: EditFlags): Promise<Exit> {
  const settings = settingsIn(flags);
  const wrong = await vocabularyProblem(settings.vocabulary);
  if (wrong !== undefined) return usage(ports.io, wrong);
  const change: ProfileChanges = { ...present({ name: flags.name, baseUrl: flags.baseUrl }), ...settings };
  if (Object.keys(change).length === 0)
    return usage(ports.io, `nothing to change was given: orgdeck profiles edit --help`);
  return told(ports, await ports.profiles.update(name, change));
}

/** A terminal asks for the address that no flag says. */
async function addressOf({ io }: Ports, name: string, { baseUrl }: Flags): Promise<ParseResult<string>> {
  if (baseUrl !== undefined) return { ok: true, value: baseUrl };
  if (!io.answer) return unreadable(`--base-url says where ${name} is, such as https://api.example.test`);
  const typed = await io.answer(`base URL of ${name}, such as https://api.example.test`);
  return typed === undefined ? unreadable(nothingAdded) : { ok: true, value: typed };
}

const nothingAdded = 'nothing was added';

async function sourceOf(ports: Ports, key: KeyName, name: string, flags: AddFlags): Promise<ParseResult<KeySource>> {
  const [env, file, command] = [flags[`${key}Env`], flags[`${key}File`], flags[`${key}Command`]];
  const given = [env, file, command].filter((source) => source !== undefined);
  const flag = key === 'apiKey' ? '--api-key' : '--app-key';
  if (given.length > 1) return unreadable(`give one of ${flag}-env, ${flag}-file and ${flag}-command`);
  if (env !== undefined) return { ok: true, value: { env } };
  if (file !== undefined) return { ok: true, value: { file: filePath(file) } };
  if (command !== undefined) {
    const words = commandWords(command);
    return words.ok ? { ok: true, value: { command: words.value } } : unreadable(`${flag}-command: ${words.text}`);
  }
  if (!flags.storeKeys) return { ok: true, value: { typed: true } };
  if (!ports.ask) return unreadable('--store-keys asks for the keys, and there is no terminal to ask on');
  complain(ports.io, `the ${keyTitles[key]} will be kept in ${ports.profiles.path}, which only you can read`);
  const typed = await ports.ask(key, name);
  if (typed === undefined) return unreadable(nothingAdded);
  const value = readKey(typed, key);
  return value.ok ? { ok: true, value: { stored: value.value } } : value;
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `orgdeck profiles list`. */
export async function listProfiles(ports: Ports, asJson: boolean): Promise<Exit> {
  const { io, profiles } = ports;
  const listing = await profiles.list();
  if (!listing.ok) return endWith(io, exits.failed, listing.text);
  const { current, broken } = listing.value;
  const missing = broken.map(({ name, text }) => `the profile ${name} cannot be used: ${text}`);
  for (const text of missing) complain(io, text);
  const exit = missing.length === 0 ? exits.done : exits.partial;
  if (asJson) {
    const shown = listing.value.profiles.map(({ keys, ...rest }) => ({
      ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [snakeCase(name), value])),
      current: rest.name === current,
      keys: { api_key: keySourceText(keys.apiKey), app_key: keySourceText(keys.appKey) },
    }));
    io.out(`${safeJson(envelope(shown, { partial: missing.length === 0 ? null : missing }))}\n`);
    return exit;
  }
  if (listing.value.profiles.length + broken.length === 0)
    tell(io, ['no profiles yet: orgdeck profiles add NAME --base-url URL']);
  const width = Math.max(4, ...listing.value.profiles.map((profile) => profile.name.length));
  for (const profile of listing.value.profiles) {
    const marks = [
      profile.environment,
      profile.production ? 'PRODUCTION' : '',
      profile.readOnly ? 'read-only' : '',
    ].filter(Boolean);
    tell(io, [
      `${profile.name === current ? '*' : ' '} ${profile.name.padEnd(width)}  ${profile.baseUrl}  ${marks.join(' ')}`.trimEnd(),
    ]);
  }
  return exit;
}

/** `orgdeck profiles use NAME`. */
export async function useProfile(ports: Ports, name: string): Promise<Exit> {
  return told(ports, await ports.profiles.use(name));
}

/** `orgdeck profiles remove NAME`: asks for the name, as the dashboard does. */
export async function removeProfile(ports: Ports, name: string, { yes, dryRun }: Flags): Promise<Exit> {
  const { io, profiles } = ports;
  const listing = await profiles.list();
  const known = listing.ok ? [...listing.value.profiles, ...listing.value.broken] : [];
  // What is not there is nothing to ask about.
  if (known.some((profile) => profile.name === name)) {
    if (dryRun) return endWith(io, exits.done, `this would remove the profile ${name}; nothing was removed`);
    const question = {
      question: `Remove profile ${name}?`,
      details: [
        'Deletes its settings, and keys that are kept in it, from this machine; the organization is not changed.',
      ],
      typed: name,
    };
    const stopped = await askQuestion(io, { yes: yes === true, dryRun: false }, question, removing);
    if (stopped !== undefined) return stopped;
  }
  return told(ports, await profiles.remove(name));
}

const removing = {
  withoutTerminal: 'No terminal to ask on: nothing was removed; --yes removes it',
  yes: 'y removes it',
  no: 'nothing was removed',
};

/** `orgdeck profiles test [NAME]`: exit 4 when a key is refused. */
export async function testProfile(ports: Ports, flags: Flags): Promise<Exit> {
  return ports.with(flags, async (connection) => {
    const { settings } = connection;
    tell(ports.io, [`${settings.name} at ${settings.baseUrl}`]);
    const { accessFacts, keysFail } = await import('./access-facts.ts');
    const facts = await accessFacts(connection, ports.io.clock.now());
    (await import('./doctor.ts')).printFacts(ports.io, facts, settings);
    return keysFail(facts) ? exits.keys : exits.done;
  });
}

function told(ports: Ports, changed: ParseResult<ProfileChange>): Exit {
  if (!changed.ok) return usage(ports.io, changed.text);
  tell(ports.io, [changed.value.says]);
  return exits.done;
}
