import * as v from 'valibot';
import type { Translator } from '../api/vocabulary/translator.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { readBaseUrl, readOrigin } from '../lib/setting-values.ts';
import { flagName } from '../lib/text.ts';
import { present } from '../lib/values.ts';
import type { Config } from './config-file.ts';
import { type KeyRequest, keyVariables } from './keyring.ts';
import {
  type Guard,
  type KeyName,
  type KeySource,
  keySourceText,
  keyTitles,
  type Profile,
  type ProfileList,
  type ProfileSetting,
  type ProfileValues,
  type SettingName,
  settingList,
  settingTable,
} from './profile.ts';
import { findProfile } from './profiles.ts';

/** What was typed after the program's name. */
export interface Flags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly readOnly?: boolean;
  readonly theme?: string;
  readonly ascii?: boolean;
  readonly plain?: boolean;
  readonly demo?: boolean;
  readonly quiet?: boolean;
  /** Answers the question before an edit with yes. */
  readonly yes?: boolean;
  /** IANA name of the time zone. */
  readonly tz?: string;
  /** Prints the requests of edits instead of sending them. */
  readonly dryRun?: boolean;
  /** Seconds, as typed, or `off`. */
  readonly poll?: string;
  /** Path of a vocabulary file. */
  readonly vocabulary?: string;
  /** Id of the screen that the dashboard begins with. */
  readonly screen?: string;
}

/** Where a setting comes from; the first of the five that has a value wins. */
type Origin = 'flag' | 'environment' | 'profile' | 'config' | 'default';

/** A setting and who said it, by the name a person would look for: `--poll`, `ORGDECK_BASE_URL`, `profile acme`. */
export interface ResolvedSetting extends Who {
  readonly title: string;
  readonly value: string;
}

interface Who {
  readonly from: Origin;
  readonly by: string;
}

/** The settings of the table, those without a default only where somebody says them. */
type Held = Omit<ProfileValues, Bare> & Partial<Pick<ProfileValues, Bare>>;
type Bare = 'notifyPriority' | 'notifyIssues' | 'webUrl' | 'handle' | 'vocabulary';

/** What holds for one organization. Never holds a key unless it is kept in the profile. */
export interface ResolvedSettings extends Held {
  /** The profile's name; where none applies the host, or the origin where a profile is called like the host; `demo`. */
  readonly name: string;
  /** The profile that applies, if one does. */
  readonly profile?: Profile;
  readonly demo: boolean;
  /** Nobody chose the demo: there is no profile yet. */
  readonly isWelcome: boolean;
  /** Empty for the demo until it has started. */
  readonly baseUrl: string;
  /** The question before an edit has been answered by `--yes`. */
  readonly yes: boolean;
  /** Edits are printed and not sent. */
  readonly dryRun: boolean;
  /** The dashboard polls nothing until a person says so. */
  readonly isPaused: boolean;
  /** The deployment's own words, once their file has been read. */
  readonly words?: Translator;
  /** What to ask the keyring for. */
  readonly keyRequest: KeyRequest;
  /** Every setting with who said it, for `orgdeck info`. */
  readonly resolved: readonly ResolvedSetting[];
  /** True sentences a person should read once. */
  readonly notes: readonly string[];
}

const welcome = 'Demo organization · add your own with P, or: orgdeck profiles add NAME';

/** What a start says of its organization and settings. */
interface Sayings {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly listing: ProfileList;
  /** What holds for every profile that says nothing else. */
  readonly config?: Config;
  /** Whether a key variable is set; the keyring has taken them out of `env`. */
  readonly hasVariable: (name: string) => boolean;
}

/** Which organization it is, and who chose it. */
interface Chosen {
  /** Undefined for the demo, and for an address without a profile. */
  readonly profile: Profile | undefined;
  readonly isDemo: boolean;
  readonly url: string;
  /** An address that was given beside the profile. */
  readonly address: Given | undefined;
  readonly who: Who;
  /** Nobody chose, and there is no profile: the demo as a welcome. */
  readonly isWelcome: boolean;
}

/**
 * Works out what holds. Keys never change hosts: where a flag or a variable gives another address than the
 * profile's, the profile's keys are not used for it; and where no profile was named, it does not apply at all. What guards a profile
 * (production, read-only) holds at its address however that was given.
 */
export function resolveSettings(given: Sayings): ParseResult<ResolvedSettings> {
  const { flags, listing } = given;
  const found = chooseOrganization(given);
  if (!found.ok) return found;
  const { profile, isDemo, url, address } = found.value;
  const sameHost = profile === undefined || address === undefined || readOrigin(url) === readOrigin(profile.baseUrl);
  const isGuard = (one: Guard) => (one.production || one.readOnly) && readOrigin(one.baseUrl) === readOrigin(url);
  const all = [...listing.profiles, ...listing.broken.flatMap(({ guard }) => guard ?? [])];
  const guards = address && (!profile || !sameHost) ? all.filter(isGuard) : [];
  const held = resolveEach(given, profile, sameHost, guards);
  if (!held.ok) return held;
  const keys = {
    apiKey: sourceOf('apiKey', given, profile, sameHost),
    appKey: sourceOf('appKey', given, profile, sameHost),
  };
  const name = isDemo ? 'demo' : (profile?.name ?? addressName(url, listing));
  const ofProfile: Who = profile ? { from: 'profile', by: `profile ${profile.name}` } : usual;
  const resolved: ResolvedSetting[] = [
    { title: 'organization', value: name, ...found.value.who },
    {
      title: 'base URL',
      ...(isDemo ? { value: 'inside this process', ...usual } : { value: url, ...(address?.who ?? ofProfile) }),
    },
    ...held.value.resolved,
    ...(isDemo
      ? []
      : keyNames.map((key) => ({ title: keyTitles[key], value: keySourceText(keys[key].source), ...keys[key].who }))),
  ];
  const notes = [
    ...(found.value.isWelcome ? [welcome] : []),
    ...(profile ? notesOf(profile, url, address, sameHost, keys) : []),
    ...guards.map(
      (one) =>
        `${one.name} is a profile of this address, so it is ${[one.production ? 'production' : '', one.readOnly ? 'read-only' : ''].filter(Boolean).join(' and ')} here, too`,
    ),
    ...listing.broken.map((entry) => `the profile ${entry.name} cannot be used: ${entry.text}`),
  ];
  return {
    ok: true,
    value: {
      ...held.value.values,
      ...(isDemo ? { environment: 'demo' } : {}),
      ...present({ profile }),
      name,
      demo: isDemo,
      isWelcome: found.value.isWelcome,
      baseUrl: url,
      yes: flags.yes === true,
      dryRun: flags.dryRun === true,
      isPaused: flags.poll === 'off',
      keyRequest: {
        owner: isDemo ? 'demo' : `${name} at ${readOrigin(url)}`,
        sources: { apiKey: keys.apiKey.source, appKey: keys.appKey.source },
      },
      resolved,
      notes,
    },
  };
}

/** The host; the origin where a profile is called like the host, because what is kept between runs goes by the name. */
function addressName(url: string, { profiles, broken }: ProfileList): string {
  const { host, origin } = new URL(url);
  return [...profiles, ...broken].some(({ name }) => name === host) ? origin : host;
}

function chooseOrganization(sayings: Sayings): ParseResult<Chosen> {
  const { flags, env, listing } = sayings;
  const demo = { profile: undefined, isDemo: true, url: '', address: undefined, isWelcome: false };
  if (flags.demo) return { ok: true, value: { ...demo, who: { from: 'flag', by: '--demo' } } };
  const named = fromFlag(flags.profile, '--profile') ?? fromVariable(env, 'ORGDECK_PROFILE');
  const address = fromFlag(flags.baseUrl, '--base-url') ?? fromVariable(env, 'ORGDECK_BASE_URL');
  if (named?.value === 'demo') return { ok: true, value: { ...demo, who: named.who } };
  const requestedProfile = named?.value ?? (address ? undefined : listing.current);
  if (requestedProfile === undefined && !address && listing.profiles.length === 0) {
    const refused = whyNoWelcome(sayings);
    if (refused !== undefined) return unreadable(refused);
    return { ok: true, value: { ...demo, isWelcome: true, who: { from: 'default', by: 'no profile yet' } } };
  }
  const found = requestedProfile === undefined ? undefined : findProfile(listing, requestedProfile);
  if (found && !found.ok) return found;
  return atAddress(found?.value, named, address, listing);
}

/** The profile, or the address without one. */
function atAddress(
  profile: Profile | undefined,
  named: Given | undefined,
  address: Given | undefined,
  { profiles }: ProfileList,
): ParseResult<Chosen> {
  const where = address ?? (profile && { value: profile.baseUrl, who: { by: `profile ${profile.name}` } });
  if (!where) {
    const names = profiles.map(({ name }) => name).join(', ');
    return unreadable(`no profile is chosen: run  orgdeck profiles use NAME  (there are ${names})`);
  }
  const url = readBaseUrl(where.value);
  if (!url.ok) return unreadable(`${where.who.by}: ${url.text}`);
  const unnamed: Who = profile
    ? { from: 'profile', by: 'orgdeck profiles use' }
    : { from: 'default', by: `no profile was named with ${where.who.by}` };
  const who = named?.who ?? unnamed;
  return { ok: true, value: { profile, isDemo: false, url: url.url, address, who, isWelcome: false } };
}

/** Why the demo is not shown although there is no profile: keys are there without an address, or a profile is broken. */
function whyNoWelcome({ hasVariable, listing }: Sayings): string | undefined {
  const variables = Object.values(keyVariables).filter(hasVariable);
  if (variables.length > 0)
    return `${variables.join(' and ')} ${variables.length > 1 ? 'are' : 'is'} set, but no address is: set ORGDECK_BASE_URL or give --base-url (or --demo)`;
  const [first] = listing.broken;
  return first && `the profile ${first.name} cannot be used: ${first.text}`;
}

/** The value of each setting of the table, and who said it: the first of flag, variable, profile, config.json and default. */
function resolveEach(
  given: Sayings,
  profile: Profile | undefined,
  sameHost: boolean,
  guards: readonly Guard[],
): ParseResult<{ readonly values: Held; readonly resolved: readonly ResolvedSetting[] }> {
  const values: Record<string, unknown> = {};
  const resolved: ResolvedSetting[] = [];
  for (const [name, setting] of settingList) {
    const { title, shows = String } = setting;
    const read = resolveOne(name, setting, given, sameHost || !setting.isOfHost ? profile : undefined);
    if (!read.ok) return read;
    const guard = guards.find((one) => (name === 'production' || name === 'readOnly') && one[name]);
    const { value, who } = guard && read.value.value !== true ? ofGuard(guard) : read.value;
    if (value !== undefined) values[name] = value;
    if (title !== undefined) resolved.push({ title, value: value === undefined ? 'none' : shows(value), ...who });
  }
  const poll = resolved.findIndex(({ title }) => title === settingTable.pollSeconds.title);
  if (given.flags.poll === 'off') resolved[poll] = { title: 'poll', value: 'off', from: 'flag', by: '--poll' };
  return { ok: true, value: { values: values as unknown as Held, resolved } };
}

const ofGuard = ({ name }: Guard): { readonly value: unknown; readonly who: Who } => ({
  value: true,
  who: { from: 'profile', by: `profile ${name}, which has this address` },
});

function resolveOne(
  name: SettingName,
  { schema, flag, variable, usual: value, typed = (text) => text }: ProfileSetting<unknown>,
  { flags, env, config }: Sayings,
  profile: Profile | undefined,
): ParseResult<{ readonly value: unknown; readonly who: Who }> {
  const ofFlag = flag && flags[flag];
  const isFlag = ofFlag !== undefined && ofFlag !== false && !(flag === 'poll' && ofFlag === 'off');
  const settings =
    flag && isFlag
      ? { value: ofFlag, who: { from: 'flag', by: flagName(flag) } as const }
      : variable && fromVariable(env, variable);
  if (settings) {
    const read = v.safeParse(schema, typeof settings.value === 'string' ? typed(settings.value) : settings.value);
    return read.success
      ? { ok: true, value: { value: read.output, who: settings.who } }
      : unreadable(`${settings.who.by}: ${read.issues[0].message}`);
  }
  const ofProfile = (profile as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (profile && ofProfile !== undefined)
    return { ok: true, value: { value: ofProfile, who: { from: 'profile', by: `profile ${profile.name}` } } };
  const ofConfig = (config as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (ofConfig !== undefined)
    return { ok: true, value: { value: ofConfig, who: { from: 'config', by: 'config.json' } } };
  return { ok: true, value: { value, who: usual } };
}

interface Source {
  readonly source: KeySource;
  readonly who: Who;
}

function sourceOf(key: KeyName, { hasVariable }: Sayings, profile: Profile | undefined, sameHost: boolean): Source {
  const variable = keyVariables[key];
  if (hasVariable(variable)) return { source: { env: variable }, who: { from: 'environment', by: variable } };
  if (profile && sameHost)
    return { source: profile.keys[key], who: { from: 'profile', by: `profile ${profile.name}` } };
  return { source: { typed: true }, who: usual };
}

/** What a person should know where something else is used than the profile says. */
function notesOf(
  { name, baseUrl, keys: profileKeys }: Profile,
  url: string,
  address: Given | undefined,
  sameHost: boolean,
  keys: Readonly<Record<KeyName, Source>>,
): string[] {
  const elsewhere = sameHost ? '' : '; its keys are not sent there';
  const isOther = (key: KeyName): boolean => {
    const source = profileKeys[key];
    // A profile may name that very variable.
    const isThat = 'env' in source && source.env === keyVariables[key];
    return sameHost && keys[key].who.from === 'environment' && !('typed' in source) && !isThat;
  };
  return [
    ...(address && url !== baseUrl
      ? [`${address.who.by} is used instead of the address of profile ${name}${elsewhere}`]
      : []),
    ...keyNames
      .filter(isOther)
      .map((key) => `${keyVariables[key]} is used instead of the ${keyTitles[key]} of profile ${name}`),
  ];
}

interface Given {
  readonly value: string;
  readonly who: Who;
}

const usual: Who = { from: 'default', by: 'default' };
const keyNames = Object.keys(keyTitles) as KeyName[];

/** What was given, and by what; an empty variable counts as not set. */
function fromFlag(value: string | undefined, by: string): Given | undefined {
  return value === undefined ? undefined : { value, who: { from: 'flag', by } };
}

function fromVariable(env: Sayings['env'], by: string): Given | undefined {
  const value = env[by];
  return value ? { value, who: { from: 'environment', by } } : undefined;
}
