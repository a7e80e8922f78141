import { describe, expect, test } from 'vitest';
import type { ParseResult } from '../../src/lib/function-results.ts';
import { type Profile, type ProfileList, readProfile, toListing } from '../../src/profiles/profile.ts';
import { directories, homeRefusal } from '../../src/profiles/profiles.ts';
import { type Flags, type ResolvedSettings, resolveSettings } from '../../src/profiles/resolve-settings.ts';

const stored = 'aaaaaaaabbbbbbbbccccccccdddd1111';
const profile = (given: Partial<Profile>): Profile => {
  const read = readProfile({ name: 'acme', baseUrl: 'https://api.acme.test', ...given });
  if (!read.ok) throw new Error(read.text);
  return read.value;
};
const acme = profile({
  environment: 'prod',
  production: true,
  pollSeconds: 60,
  theme: 'light',
  keys: { apiKey: { stored }, appKey: { env: 'ACME_APP' } },
});
const beta = profile({ name: 'beta', baseUrl: 'https://beta.test', readOnly: true });
const two: ProfileList = { profiles: [acme, beta], broken: [], variables: [], current: 'acme' };
const none: ProfileList = { profiles: [], broken: [], variables: [] };

function resolve(
  flags: Flags,
  env: Record<string, string> = {},
  listing: ProfileList = two,
): ParseResult<ResolvedSettings> {
  return resolveSettings({ flags, env, listing, hasVariable: (name) => env[name] !== undefined });
}
function resolved(...given: Parameters<typeof resolve>): ResolvedSettings {
  const read = resolve(...given);
  if (!read.ok) throw new Error(read.text);
  return read.value;
}
const by = (settings: ResolvedSettings, title: string) => {
  const said = settings.resolved.find((setting) => setting.title === title);
  return `${said?.value} · ${said?.from} ${said?.by}`;
};

describe('the effective settings', () => {
  test('without options and profile: the demo, and how to add a profile', () => {
    const settings = resolved({}, {}, none);
    expect(settings).toMatchObject({ name: 'demo', demo: true, baseUrl: '', production: false });
    expect(settings.notes.join()).toContain('orgdeck profiles add NAME');
    expect(by(settings, 'mouse')).toBe('off · default default');
    expect(resolved({ demo: true }).notes).toEqual([]);
    expect(resolved({ demo: true }, { ORGDECK_BASE_URL: 'nonsense' })).toMatchObject({ demo: true });
    expect(resolved({ profile: 'demo' }).demo).toBe(true);
  });

  test('lines instead of a screen by flag or profile', () => {
    const spoken: ProfileList = { profiles: [profile({ plain: true })], broken: [], variables: [], current: 'acme' };
    expect(resolved({}).plain).toBe(false);
    expect(by(resolved({ plain: true }), 'plain')).toBe('yes · flag --plain');
    expect(resolved({}, {}, spoken).plain).toBe(true);
    expect(by(resolved({}, {}, spoken), 'plain')).toBe('yes · profile profile acme');
    expect(readProfile({ name: 'acme', baseUrl: 'https://api.acme.test', plain: 'yes' })).toMatchObject({
      text: 'plain is true or false',
    });
  });

  test('flag wins over environment, environment over profile, profile over default', () => {
    const settings = resolved({});
    expect(settings).toMatchObject({
      name: 'acme',
      environment: 'prod',
      production: true,
      pollSeconds: 60,
      theme: 'light',
    });
    expect(by(settings, 'poll')).toBe('60s · profile profile acme');
    expect(by(settings, 'organization')).toBe('acme · profile orgdeck profiles use');
    expect(by(settings, 'ascii')).toBe('no · default default');
    // A theme that nobody chose may follow the background of the terminal.
    expect(by(resolved({ profile: 'beta' }), 'theme')).toBe('default · default default');
    expect(resolved({}, { ORGDECK_PROFILE: 'beta' })).toMatchObject({
      name: 'beta',
      readOnly: true,
      production: false,
    });
    expect(by(resolved({}, { ORGDECK_PROFILE: 'beta' }), 'organization')).toBe('beta · environment ORGDECK_PROFILE');
    const flagged = resolved(
      { profile: 'acme', poll: '20', theme: 'mono', readOnly: true, ascii: true },
      { ORGDECK_PROFILE: 'beta' },
    );
    expect(flagged).toMatchObject({ name: 'acme', pollSeconds: 20, theme: 'mono', readOnly: true, ascii: true });
    expect(by(flagged, 'poll')).toBe('20s · flag --poll');
    const paused = resolved({ profile: 'acme', poll: 'off' });
    expect(paused).toMatchObject({ isPaused: true, pollSeconds: 60 });
    expect([flagged.isPaused, by(paused, 'poll')]).toEqual([false, 'off · flag --poll']);
    const other = { ORGDECK_BASE_URL: 'https://env.test/' };
    expect(by(resolved({}, other), 'base URL')).toBe('https://env.test · environment ORGDECK_BASE_URL');
    expect(by(resolved({ baseUrl: 'https://flag.test' }, other), 'base URL')).toBe(
      'https://flag.test · flag --base-url',
    );
  });

  test('a flag can make a profile read-only but not writable', () => {
    expect(resolved({ profile: 'beta', readOnly: false }).readOnly).toBe(true);
  });

  test('what guards a profile holds at its address however that was given', () => {
    const settings = resolved({ baseUrl: 'https://api.acme.test/' });
    expect(settings).toMatchObject({ production: true, readOnly: false, environment: '' });
    expect(settings.profile).toBeUndefined();
    expect(by(settings, 'production')).toBe('yes · profile profile acme, which has this address');
    expect(settings.notes).toContain('acme is a profile of this address, so it is production here, too');
    expect(resolved({}, { ORGDECK_BASE_URL: 'https://beta.test' })).toMatchObject({
      readOnly: true,
      production: false,
    });
    // A profile that was named, at the address of another.
    expect(resolved({ profile: 'beta', baseUrl: 'https://api.acme.test' }).production).toBe(true);
    // One that cannot be used, by a theme that does not exist or by the guard itself, guards its address all the same.
    const odd = { name: 'odd', baseUrl: 'https://odd.test', readOnly: true, production: 'yes', theme: 'pink' };
    expect(resolved({ baseUrl: 'https://odd.test' }, {}, toListing({ version: 1, profiles: [odd] }))).toMatchObject({
      production: true,
      readOnly: true,
    });
    // Two organizations may have one address: a profile at its own has its own guards.
    const dev = profile({ name: 'dev', baseUrl: 'https://api.acme.test' });
    const three = { ...two, profiles: [...two.profiles, dev] };
    expect(resolved({ profile: 'dev' }, {}, three)).toMatchObject({ production: false });
    expect(resolved({ baseUrl: 'https://elsewhere.test' })).toMatchObject({ production: false, readOnly: false });
  });

  test('a base URL without a named profile belongs to no profile', () => {
    const settings = resolved({ baseUrl: 'http://127.0.0.1:8126' }, { ORGDECK_API_KEY: 'x', ORGDECK_APP_KEY: 'y' });
    expect(settings).toMatchObject({ name: '127.0.0.1:8126', production: false, environment: '', pollSeconds: 15 });
    expect(settings.profile).toBeUndefined();
    expect(settings.keyRequest).toEqual({
      owner: '127.0.0.1:8126 at http://127.0.0.1:8126',
      sources: { apiKey: { env: 'ORGDECK_API_KEY' }, appKey: { env: 'ORGDECK_APP_KEY' } },
    });
  });

  test('an address without a profile has the name of its host, unless a profile is called so', () => {
    const like = profile({ name: 'staging.acme.test' });
    const baseUrl = 'https://staging.acme.test/api';
    expect(resolved({ baseUrl }).name).toBe('staging.acme.test');
    for (const listing of [
      { ...none, profiles: [like] },
      { ...none, broken: [{ name: like.name, text: '' }] },
    ])
      expect(resolved({ baseUrl }, {}, listing).name).toBe('https://staging.acme.test');
    expect(resolved({ profile: like.name }, {}, { ...none, profiles: [like] }).name).toBe('staging.acme.test');
  });

  test('the keys of a profile are never used for another host', () => {
    const elsewhere = resolved({ profile: 'acme', baseUrl: 'https://evil.test' });
    expect(elsewhere.keyRequest.sources).toEqual({ apiKey: { typed: true }, appKey: { typed: true } });
    expect(elsewhere.notes.join()).toContain('its keys are not sent there');
    const scheme = resolved({ profile: 'acme', baseUrl: 'https://api.acme.test:8443' });
    expect(scheme.keyRequest.sources.apiKey).toEqual({ typed: true });
    const samePlace = resolved({ profile: 'acme', baseUrl: 'https://API.acme.test/prefix' });
    expect(samePlace.keyRequest.sources.apiKey).toEqual({ stored });
  });

  test('keys in the environment win over the profile, with a note', () => {
    const settings = resolved({}, { ORGDECK_API_KEY: 'x' });
    expect(settings.keyRequest.sources).toEqual({ apiKey: { env: 'ORGDECK_API_KEY' }, appKey: { env: 'ACME_APP' } });
    expect(settings.notes).toEqual(['ORGDECK_API_KEY is used instead of the API key of profile acme']);
    const named = profile({ keys: { apiKey: { env: 'ORGDECK_API_KEY' }, appKey: { typed: true } } });
    expect(resolved({}, { ORGDECK_API_KEY: 'x' }, { ...two, profiles: [named] }).notes).toEqual([]);
  });

  test('descriptions contain no key', () => {
    expect(JSON.stringify(resolved({}).resolved)).not.toContain(stored);
    expect(by(resolved({}), 'API key')).toBe('kept in the profile file (ends in 1111) · profile profile acme');
  });

  const broken = { name: 'old', baseUrl: 'http://old.test' };
  const oldInUse = toListing({ version: 1, current: 'old', profiles: [broken, { ...beta }] });
  test.each<[what: string, says: string, flags: Flags, env?: Record<string, string>, listing?: ProfileList]>([
    ['an unknown profile', 'no profile is called "nope": there are acme, beta', { profile: 'nope' }],
    ['a typo in the address', '--base-url: the base URL "htps://x.test" begins with', { baseUrl: 'htps://x.test' }],
    ['an empty flag', '--base-url: a base URL is required', { baseUrl: '' }],
    ['a typo in a variable', 'ORGDECK_BASE_URL: the base URL', {}, { ORGDECK_BASE_URL: 'api.x.test' }],
    ['a key without an address', 'ORGDECK_API_KEY is set, but no address is', {}, { ORGDECK_API_KEY: 'x' }, none],
    ['keys without an address', 'are set, but no address is', {}, { ORGDECK_API_KEY: 'x', ORGDECK_APP_KEY: 'y' }, none],
    ['profiles, none in use', 'orgdeck profiles use NAME', {}, {}, { ...none, profiles: [acme, beta] }],
    ['one in use that cannot be used', 'the profile old cannot be used: keys are not sent over', {}, {}, oldInUse],
    [
      'only a broken profile',
      'profile old cannot be used: bad.',
      {},
      {},
      { ...none, broken: [{ name: 'old', text: 'bad.' }] },
    ],
    ['a poll too quick', '--poll: the poll interval is 10 to 300 seconds', { poll: '5' }],
    ['a poll that is a word', '--poll', { poll: 'soon' }],
    ['an unknown theme', '--theme: the theme is one of', { theme: 'neon' }],
  ])('%s gives one message', (_, words, flags, env, listing) => {
    const read = resolve(flags, env, listing);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.text).toContain(words);
  });
});

test('a relative directory in our variable is refused: it would be another folder at each start', () => {
  expect(homeRefusal({ ORGDECK_CONFIG_DIR: './orgdeck' }, '/home/kim')).toMatch(
    /^ORGDECK_CONFIG_DIR is "\.\/orgdeck", .* give one that begins with \/$/,
  );
  expect(homeRefusal({ ORGDECK_CONFIG_DIR: '/x' }, '')).toBeUndefined();
  expect(homeRefusal({}, '/home/kim')).toBeUndefined();
  expect(homeRefusal({}, '')).toMatch(/^HOME is empty, so /);
  expect(homeRefusal({}, 'home')).toMatch(/^HOME is "home", which does not begin with \/, so /);
});

test('directories come from our variable, XDG, or the platform', () => {
  expect(directories({ ORGDECK_CONFIG_DIR: '/x' }, '/home/kim', 'linux')).toEqual({ config: '/x', state: '/x' });
  expect(directories({}, '/home/kim', 'linux')).toEqual({
    config: '/home/kim/.config/orgdeck',
    state: '/home/kim/.local/state/orgdeck',
  });
  expect(directories({ XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: 'relative' }, '/home/kim', 'linux')).toEqual({
    config: '/c/orgdeck',
    state: '/home/kim/.local/state/orgdeck',
  });
  expect(directories({}, '/Users/kim', 'darwin').config).toBe('/Users/kim/Library/Preferences/orgdeck');
});
