import * as v from 'valibot';
import { type NotifyWay, notifyWays, readBaseUrl, type ThemeName, themeNames } from '../lib/setting-values.ts';

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
export type ProfileSettings = BasicValues & Partial<SharedValues & OtherValues>;

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
