import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filterList } from '../../screens/retention.ts';
import { createProfileAccess } from '../../src/cli/profile-access.ts';
import type { Start } from '../../src/cli/start.ts';
import { nextTurn } from '../../src/lib/slices.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createKeyring } from '../../src/profiles/keyring.ts';
import type { KeySource } from '../../src/profiles/profile.ts';
import { createProfiles } from '../../src/profiles/profiles.ts';
import { readFields } from '../../src/session/form/request.ts';
import { update } from '../../src/session/session.ts';
import { keys } from '../support/calls.ts';
import { emptyState, emptyWorld } from '../support/empty-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Context = Parameters<typeof createProfileAccess>[0];
const portOf = (start: unknown, more: Partial<Context> = {}) =>
  createProfileAccess({ start: start as Start, current: 'acme', keysRefused: () => false, turn: () => {}, ...more });

test('e in the list of profiles opens a form of what the profile says, without keys; saved, the keys stay', async () => {
  const directory = temporaryFolder();
  const profiles = createProfiles({ directory, clock: systemClock });
  const keys = { apiKey: { stored: 'a'.repeat(32) }, appKey: { env: 'APP' } };
  const given = { environment: 'shared', theme: 'light', notifyPriority: 3, keys } as const;
  await profiles.add({ name: 'acme', baseUrl: 'https://api.acme.test', ...given });
  const port = portOf({ profiles });
  const items = await port.profiles();
  expect(JSON.stringify(items)).not.toContain('aaaa');
  expect(items).toEqual([
    {
      name: 'acme',
      says: 'https://api.acme.test · shared',
      current: true,
      values: expect.objectContaining({ name: 'acme', keys: undefined }),
      facts: [
        ['API key', 'kept in the profile file'],
        ['Application key', 'environment variable APP'],
        ['Polls', 'every 15s'],
      ],
    },
    {
      name: 'demo',
      says: 'Built-in demo organization',
      current: false,
      isBuiltIn: true,
      facts: [
        ['Service', 'a simulator in this process; nothing is sent elsewhere'],
        ['Keys', 'none required'],
      ],
    },
  ]);

  const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
  const state = {
    ...emptyState(screens),
    layers: [{ kind: 'profiles' as const, items, cursor: 0 }],
  };
  const world = emptyWorld(screens, state);
  const form = update(state, { type: 'runOnProfile', what: 'edit' }, world).state.layers.at(-1);
  if (form?.kind !== 'form') throw new Error('no form');
  expect(Object.keys(form.fields)).not.toContain('apiKey');
  const { values, errors } = readFields(form);
  expect({ values, errors }).toMatchObject({ values: { name: 'acme', theme: 'light', notifyPriority: 3 }, errors: {} });
  const saved = { ...values, theme: 'shared', webUrl: 'https://web.test', notifyPriority: undefined };
  expect(await port.editProfile('acme', saved)).toEqual({ ok: true, text: 'profile acme saved' });
  const after = await profiles.get('acme');
  expect(after).toMatchObject({
    ok: true,
    value: { environment: 'shared', webUrl: expect.stringContaining('web.test'), keys },
  });
  if (after.ok)
    for (const gone of ['theme', 'notifyPriority', 'vocabulary']) expect(after.value).not.toHaveProperty(gone);
});

test('the demo is listed as the current one; where the profiles cannot be read, the reason is a line', async () => {
  const directory = temporaryFolder();
  const profiles = createProfiles({ directory, clock: systemClock });
  const sure = { environment: 'eu', production: true, readOnly: true, fleet: true };
  await profiles.add({ name: 'acme', baseUrl: 'https://api.acme.test', ...sure });
  const port = portOf({ profiles }, { current: 'demo' });
  expect(await port.profiles()).toMatchObject([
    { name: 'acme', says: 'https://api.acme.test · eu · production · read-only', current: false, isOfFleet: true },
    { name: 'demo', current: true },
  ]);
  chmodSync(join(directory, 'profiles.json'), 0o644);
  expect(await port.profiles()).toEqual([
    expect.objectContaining({ name: 'demo', current: true }),
    { name: '', says: expect.stringContaining('can be opened by others (mode 0644)'), current: false },
  ]);
});

/** Keys of a profile that are typed, and asked for until then. */
const typedKeys = {
  owner: 'https://api.acme.test acme',
  sources: { apiKey: { typed: true }, appKey: { typed: true } },
} as const;

test('refused typed keys are asked for again when the profile is chosen again', async () => {
  const keyring = createKeyring({ env: {} });
  await keyring.read(typedKeys, async (key) => keys[key]);
  const given: string[] = [];
  const start = {
    keyring,
    resolve: async () => ({ ok: true, value: { demo: false, keyRequest: typedKeys } }),
    connect: async () => ({ ok: true, value: {} }),
  };
  // Until the other organization is in front, keys must not act on this one.
  const turn = async () => {
    await nextTurn();
    given.push('turned');
  };
  const port = (isRefused: boolean) => portOf(start, { keysRefused: () => isRefused, turn });
  expect(await port(false).switchProfile('acme', () => true)).toBeUndefined();
  expect(await port(true).switchProfile('other', () => true)).toBeUndefined();
  expect(await port(true).switchProfile('acme', () => true)).toMatchObject({ needsKeys: true });
  expect(given).toHaveLength(2);
  expect(await port(true).giveKeys('acme', {}, () => true)).toBeUndefined();
  expect(given).toHaveLength(3);
});

test('a profile that is not wanted any more when its keys are read is closed and not turned to', async () => {
  const given: string[] = [];
  const start = {
    keyring: { willAsk: () => false, forget() {} },
    resolve: async () => ({ ok: true, value: { demo: false, keyRequest: {} } }),
    connect: async () => ({ ok: true, value: { close: async () => void given.push('closed') } }),
  };
  const port = portOf(start, { turn: () => given.push('turned') });
  expect(await port.switchProfile('slow', () => false)).toBeUndefined();
  expect(await port.giveKeys('slow', {}, () => false)).toBeUndefined();
  expect(given).toEqual(['closed', 'closed']);
});

test('keys that are typed for a new profile are kept in memory, and not in the file', async () => {
  const directory = temporaryFolder();
  const profiles = createProfiles({ directory, clock: systemClock });
  const keyring = createKeyring({ env: {} });
  const resolve = async () => ({ ok: true, value: { keyRequest: typedKeys } });
  const port = portOf({ profiles, keyring, resolve });
  const given = { name: 'acme', baseUrl: 'https://api.acme.test', source: 'typed', apiKey: ` ${keys.apiKey} ` };
  expect(await port.addProfile({ ...given, appKey: keys.appKey })).toBeUndefined();
  expect(await keyring.read(typedKeys)).toEqual({ ok: true, value: keys });
  const file = readFileSync(join(directory, 'profiles.json'), 'utf8');
  for (const key of Object.values(keys)) expect(file).not.toContain(key);
});

test.each<[source: string, typed: string, kept: KeySource]>([
  ['stored', ` ${keys.apiKey} `, { stored: keys.apiKey }],
  ['env', 'ACME_KEY', { env: 'ACME_KEY' }],
  ['file', '/keys/acme', { file: '/keys/acme' }],
  ['command', 'pass show "my acme"', { command: ['pass', 'show', 'my acme'] }],
])('keys of a new profile come from where the form says: %s', async (source, typed, kept) => {
  const profiles = createProfiles({ directory: temporaryFolder(), clock: systemClock });
  const port = portOf({ profiles });
  const given = { name: 'acme', baseUrl: 'https://api.acme.test', source, apiKey: typed, appKey: typed };
  expect(await port.addProfile(given)).toBeUndefined();
  expect(await profiles.get('acme')).toMatchObject({ value: { keys: { apiKey: kept, appKey: kept } } });
  expect(await port.addProfile(given)).toContain('exists already');
  for (const key of ['apiKey', 'appKey'])
    expect(await port.addProfile({ ...given, source: 'command', apiKey: 'a', appKey: 'a', [key]: '"a' })).toContain(
      'not closed',
    );
  expect(await port.removeProfile('acme')).toBeUndefined();
  expect(await port.removeProfile('acme')).toContain('no profile is called "acme"');
});

test('a profile is tested over a connection of its own; one that cannot be used says why', async () => {
  const closed: string[] = [];
  const start = {
    keyring: { willAsk: () => false },
    resolve: async (name: string) =>
      name === 'gone' ? { ok: false, text: 'no such profile' } : { ok: true, value: { name, keyRequest: {} } },
    connect: async ({ name }: { readonly name: string }) =>
      name === 'shut' ? { ok: false, text: 'no key' } : { ok: true, value: { close: async () => closed.push(name) } },
    check: async () => ['fine'],
  };
  const port = portOf(start);
  const tested = await Promise.all(['acme', 'beta', 'gone'].map((name) => port.testProfile(name)));
  expect([tested, closed]).toEqual([[['fine'], ['fine'], ['no such profile']], ['beta']]);
  expect(await port.switchProfile('gone', () => true)).toEqual({ text: 'no such profile', needsKeys: false });
  expect(await port.giveKeys('gone', {}, () => true)).toBe('no such profile');
  expect(await port.giveKeys('shut', {}, () => true)).toBe('no key');
});
