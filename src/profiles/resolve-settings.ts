import type { Translator } from '../api/vocabulary/translator.ts';
import { originOf, readBaseUrl } from '../lib/base-url.ts';
import type { NotifyWay } from '../lib/notify-way.ts';
import { present } from '../lib/present.ts';
import { type Reading, unreadable } from '../lib/reading.ts';
import { type ThemeName, themeNames } from '../lib/theme-names.ts';
import type { Config } from './config-file.ts';
import { type KeyRequest, keyVariables } from './keyring.ts';
import { type KeyName, type KeySource, keyTitles, type Profile, pollLimits, readPoll, sourceText } from './profile.ts';
import type { Listing } from './profile-contents.ts';
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

/** What holds for one organisation: flag, else environment, else profile, else config.json, else default. Never holds a key unless it is kept in the profile. */
export interface Settings {
  /** The profile's name; the host where none applies; `demo`. */
  readonly name: string;
  /** The profile that applies, if one does. */
  readonly profile?: Profile;
  readonly demo: boolean;
  /** Empty for the demo until it has started. */
  readonly baseUrl: string;
  readonly environment: string;
  readonly production: boolean;
  readonly readOnly: boolean;
  /** The question before an edit has been answered by `--yes`. */
  readonly yes: boolean;
  /** Edits are printed and not sent. */
  readonly dryRun: boolean;
  readonly pollSeconds: number;
  /** The dashboard polls nothing until a person says so. */
  readonly isPaused: boolean;
  readonly theme: ThemeName;
  readonly notify: NotifyWay;
  /** Wheel and clicks act from the start. */
  readonly mouse: boolean;
  readonly notifyPriority?: number;
  readonly notifyIssues?: number;
  readonly snapshot: 'on' | 'off';
  readonly webUrl?: string;
  readonly ascii: boolean;
  /** Lines instead of a screen. */
  readonly plain: boolean;
  readonly handle?: string;
  /** Path of the file with the deployment's own words. */
  readonly vocabulary?: string;
  /** Those words, once the file has been read. */
  readonly words?: Translator;
  /** What to ask the keyring for. */
  readonly keyRequest: KeyRequest;
  /** Every setting with who said it, for `orgdeck info`. */
  readonly resolved: readonly ResolvedSetting[];
  /** True sentences a person should read once. */
  readonly notes: readonly string[];
}

const welcome = 'Demo organisation · add your own with P, or: orgdeck profiles add NAME';

/**
 * Works out what holds. Keys never change hosts: where a flag or a variable gives another address than the
 * profile's, the profile's keys are not used for it; and where no profile was named, it does not apply at all.
 */
export function resolveSettings(given: {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly listing: Listing;
  /** What holds for every profile that says nothing else. */
  readonly config?: Config;
  /** Whether a key variable is set; the keyring has taken them out of `env`. */
  readonly hasVariable: (name: string) => boolean;
}): Reading<Settings> {
  const { flags, env, listing, config, hasVariable } = given;
  const chosen = fromFlag(flags.profile, '--profile') ?? fromVariable(env, 'ORGDECK_PROFILE');
  const address = flags.demo
    ? undefined
    : (fromFlag(flags.baseUrl, '--base-url') ?? fromVariable(env, 'ORGDECK_BASE_URL'));

  const asked = chosen?.value ?? (address ? undefined : listing.current);
  const isDemo =
    flags.demo === true ||
    asked === 'demo' ||
    (asked === undefined && address === undefined && listing.profiles.length === 0);
  let profile: Profile | undefined;
  if (!isDemo && asked !== undefined) {
    const found = findProfile(listing, asked);
    if (!found.ok) return found;
    profile = found.value;
  }
  const variables = Object.values(keyVariables).filter(hasVariable);
  if (isDemo && !flags.demo && asked !== 'demo' && variables.length > 0)
    return unreadable(
      `${variables.join(' and ')} ${variables.length > 1 ? 'are' : 'is'} set, but no address is: set ORGDECK_BASE_URL or give --base-url (or --demo)`,
    );
  if (isDemo && !flags.demo && asked === undefined && listing.broken.length > 0)
    return unreadable(`the profile ${listing.broken[0]?.name} cannot be used: ${listing.broken[0]?.text}`);
  if (!isDemo && profile === undefined && address === undefined)
    return unreadable(
      `no profile is chosen: run  orgdeck profiles use NAME  (there are ${listing.profiles.map((profile) => profile.name).join(', ')})`,
    );

  const url = isDemo ? { ok: true as const, url: '' } : readBaseUrl(address?.value ?? profile?.baseUrl ?? '');
  if (!url.ok) return unreadable(`${address?.who.by ?? `profile ${profile?.name}`}: ${url.text}`);
  const theme = flags.theme ?? profile?.theme ?? config?.theme ?? 'default';
  const notify = profile?.notify ?? config?.notify ?? 'bell';
  const mouse = profile?.mouse ?? config?.mouse ?? false;
  const themeName = themeNames.find((themeName) => themeName === theme);
  if (themeName === undefined) return unreadable(`--theme is one of ${themeNames.join(', ')}: got "${theme}"`);
  const isPaused = flags.poll === 'off';
  const poll = readPoll((isPaused ? undefined : flags.poll) ?? profile?.pollSeconds ?? pollLimits.usual);
  if (!poll.ok) return unreadable(`--poll: ${poll.text}`);

  const sameHost = profile === undefined || address === undefined || originOf(url.url) === originOf(profile.baseUrl);
  const source = (key: KeyName): { source: KeySource; who: Who } => {
    const variable = keyVariables[key];
    if (hasVariable(variable)) return { source: { env: variable }, who: { from: 'environment', by: variable } };
    if (profile && sameHost)
      return { source: profile.keys[key], who: { from: 'profile', by: `profile ${profile.name}` } };
    return { source: { typed: true }, who: usual };
  };
  const keys = { apiKey: source('apiKey'), appKey: source('appKey') };
  const vocabulary =
    fromFlag(flags.vocabulary, '--vocabulary') ?? fromVariable(env, 'ORGDECK_VOCABULARY') ?? wordsOf(profile, sameHost);
  if (vocabulary?.value === '') return unreadable(`${vocabulary.who.by} must be the path of a file`);
  const name = isDemo ? 'demo' : (profile?.name ?? new URL(url.url).host);
  const isPlain = flags.plain === true || profile?.plain === true;
  const readOnly = flags.readOnly === true || profile?.readOnly === true;

  const ofProfile: Who = profile ? { from: 'profile', by: `profile ${profile.name}` } : usual;
  const shared = (name: 'theme' | 'notify' | 'mouse'): Who =>
    profile?.[name] === undefined && config?.[name] !== undefined ? { from: 'config', by: 'config.json' } : ofProfile;
  const who = (flag: string | boolean | undefined, by: string, otherwise: Who): Who =>
    flag !== undefined && flag !== false ? { from: 'flag', by } : otherwise;
  const said: ResolvedSetting[] = [
    { title: 'organisation', value: name, ...whoPicked(flags, chosen, address, profile) },
    {
      title: 'base URL',
      value: isDemo ? 'inside this process' : url.url,
      ...(isDemo ? usual : (address?.who ?? ofProfile)),
    },
    { title: 'environment', value: profile?.environment || 'none', ...ofProfile },
    { title: 'production', value: profile?.production ? 'yes' : 'no', ...ofProfile },
    { title: 'read-only', value: readOnly ? 'yes' : 'no', ...who(flags.readOnly, '--read-only', ofProfile) },
    { title: 'poll', value: isPaused ? 'off' : `${poll.value}s`, ...who(flags.poll, '--poll', ofProfile) },
    { title: 'theme', value: themeName, ...who(flags.theme, '--theme', shared('theme')) },
    { title: 'notify', value: notify, ...shared('notify') },
    { title: 'mouse', value: mouse ? 'on' : 'off', ...shared('mouse') },
    { title: 'snapshot', value: profile?.snapshot ?? 'on', ...ofProfile },
    { title: 'web address', value: (sameHost ? profile?.webUrl : undefined) ?? 'none', ...ofProfile },
    { title: 'vocabulary', value: vocabulary?.value ?? 'none', ...(vocabulary?.who ?? usual) },
    { title: 'ascii', value: flags.ascii ? 'yes' : 'no', ...who(flags.ascii, '--ascii', usual) },
    {
      title: 'plain',
      value: isPlain ? 'yes' : 'no',
      ...who(flags.plain, '--plain', profile?.plain ? ofProfile : usual),
    },
  ];
  if (!isDemo)
    for (const [key, title] of Object.entries(keyTitles) as [KeyName, string][])
      said.push({ title, value: sourceText(keys[key].source), ...keys[key].who });

  const notes: string[] = [];
  if (isDemo && !flags.demo && asked === undefined) notes.push(welcome);
  if (profile && address && url.url !== profile.baseUrl)
    notes.push(
      `${address.who.by} is used instead of the address of profile ${profile.name}${sameHost ? '' : '; its keys are not sent there'}`,
    );
  for (const [key, title] of Object.entries(keyTitles) as [KeyName, string][]) {
    const own = profile?.keys[key];
    // A profile may name that very variable.
    const isOther = own && !('typed' in own) && !('env' in own && own.env === keyVariables[key]);
    if (sameHost && keys[key].who.from === 'environment' && isOther)
      notes.push(`${keyVariables[key]} is used instead of the ${title} of profile ${profile?.name}`);
  }
  for (const entry of listing.broken) notes.push(`the profile ${entry.name} cannot be used: ${entry.text}`);

  return {
    ok: true,
    value: {
      name,
      ...(profile ? { profile } : {}),
      demo: isDemo,
      baseUrl: url.url,
      environment: isDemo ? 'demo' : (profile?.environment ?? ''),
      production: profile?.production ?? false,
      readOnly,
      yes: flags.yes === true,
      dryRun: flags.dryRun === true,
      pollSeconds: poll.value,
      isPaused,
      theme: themeName,
      notify,
      mouse,
      ...present({
        notifyPriority: profile?.notifyPriority ?? config?.notifyPriority,
        notifyIssues: profile?.notifyIssues ?? config?.notifyIssues,
      }),
      snapshot: profile?.snapshot ?? 'on',
      ...(profile?.webUrl && sameHost ? { webUrl: profile.webUrl } : {}),
      ascii: flags.ascii === true,
      plain: isPlain,
      ...(profile?.handle ? { handle: profile.handle } : {}),
      ...(vocabulary ? { vocabulary: vocabulary.value } : {}),
      keyRequest: {
        owner: isDemo ? 'demo' : `${name} at ${originOf(url.url)}`,
        sources: { apiKey: keys.apiKey.source, appKey: keys.appKey.source },
      },
      resolved: said,
      notes,
    },
  };
}

interface Given {
  readonly value: string;
  readonly who: Who;
}

const usual: Who = { from: 'default', by: 'default' };

/** A setting that was given, and by what; an empty variable counts as not set. */
function fromFlag(value: string | undefined, by: string): Given | undefined {
  return value === undefined ? undefined : { value, who: { from: 'flag', by } };
}

function fromVariable(env: Readonly<Record<string, string | undefined>>, by: string): Given | undefined {
  const value = env[by];
  return value ? { value, who: { from: 'environment', by } } : undefined;
}

/** The words of a profile are those of its own deployment: another host may have others. */
function wordsOf(profile: Profile | undefined, sameHost: boolean): Given | undefined {
  if (!profile?.vocabulary || !sameHost) return undefined;
  return { value: profile.vocabulary, who: { from: 'profile', by: `profile ${profile.name}` } };
}

/** Source of the choice of the organisation. */
function whoPicked(
  flags: Flags,
  chosen: Given | undefined,
  address: Given | undefined,
  profile: Profile | undefined,
): Who {
  if (flags.demo) return { from: 'flag', by: '--demo' };
  if (chosen) return chosen.who;
  if (profile) return { from: 'profile', by: 'orgdeck profiles use' };
  return { from: 'default', by: address ? `no profile was named with ${address.who.by}` : 'no profile yet' };
}
