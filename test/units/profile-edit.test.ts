import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filterList } from '../../screens/retention.ts';
import { createProfileAccess } from '../../src/cli/profile-access.ts';
import type { Start } from '../../src/cli/start.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createProfiles } from '../../src/profiles/profiles.ts';
import { readFields } from '../../src/session/form/request.ts';
import { update } from '../../src/session/session.ts';
import { emptyState, emptyWorld } from '../support/empty-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('e in the list of profiles opens a form of what the profile says, without keys; saved, the keys stay', async () => {
  const directory = temporaryFolder();
  const profiles = createProfiles({ directory, clock: systemClock });
  const keys = { apiKey: { stored: 'a'.repeat(32) }, appKey: { env: 'APP' } };
  const given = { environment: 'shared', theme: 'light', notifyPriority: 3, keys } as const;
  await profiles.add({ name: 'acme', baseUrl: 'https://api.acme.test', ...given });
  const port = createProfileAccess({
    start: { profiles } as unknown as Start,
    keysRefused: () => false,
    current: 'acme',
    turn: () => {},
  });
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
  const port = createProfileAccess({
    start: { profiles } as unknown as Start,
    keysRefused: () => false,
    current: 'demo',
    turn: () => {},
  });
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
