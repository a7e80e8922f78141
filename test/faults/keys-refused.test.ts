import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { createProfileAccess } from '../../src/cli/profile-access.ts';
import type { Start } from '../../src/cli/start.ts';
import { nextTurn } from '../../src/lib/slices.ts';
import { createKeyring, type KeyRequest } from '../../src/profiles/keyring.ts';
import { clientOf, keys, listThings, setThing } from '../support/calls.ts';
import { json, serve } from '../support/scripted-server.ts';

const list = call(listThings);
const edit = (id: string) =>
  call(setThing, { thing_id: id, body: { data: { id, type: 'thing', attributes: { name: 'new' } } } });
const things = { data: [{ id: 'a', type: 'thing', attributes: { name: 'one' } }] };

test('after the first 401 at most two more requests are sent, then no read, edit or journal entry', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 401, { errors: ['Unauthorized'] }));
  const { client, recorder } = clientOf(origin);
  await client.send(list);
  expect(received).toHaveLength(1);
  for (let at = 0; at < 15; at += 1) {
    await client.send(edit(String(at)));
    await client.send(list);
  }
  expect(received).toHaveLength(3);
  expect(client.keysRefused()).toBe(true);
  // Only the edit that was sent is in the journal, with its outcome.
  expect(recorder.lines).toEqual(['intent things.set', 'outcome entry-1 refused']);
  const last = await client.send(edit('x'));
  expect(last).toMatchObject({ ok: false, problem: { kind: 'forbidden', operation: 'things.set' } });
  expect(!last.ok && last.problem.text).toMatch(/^not sent: the keys are not accepted.*P and Enter/);
});

test('an edit that waits for a retry is not sent either', async () => {
  const { origin, received } = await serve((request, answer) =>
    request.method === 'GET'
      ? json(answer, 401, { errors: ['Unauthorized'] })
      : json(answer, 429, {}, { 'retry-after': '30' }),
  );
  const waits: (() => void)[] = [];
  const clock = {
    now: () => 0,
    after(_: number, then: () => void) {
      waits.push(then);
      return () => {};
    },
  };
  const { client } = clientOf(origin, { clock });
  const edited = client.send(edit('a'));
  await expect.poll(() => waits.length).toBeGreaterThan(0);
  for (let at = 0; at < 5; at += 1) await client.send(list);
  expect(received).toHaveLength(4);
  for (const go of waits.splice(0)) go();
  expect(await edited).toMatchObject({ ok: false, problem: { kind: 'forbidden' } });
  expect(received).toHaveLength(4);
});

test('new keys lift the block; other clients are not affected', async () => {
  let good = false;
  const { origin, received } = await serve((_, answer) =>
    good ? json(answer, 200, things) : json(answer, 401, { errors: ['Unauthorized'] }),
  );
  const current = { keys };
  const { client } = clientOf(origin, { keys: () => current.keys });
  for (let at = 0; at < 5; at += 1) await client.send(list);
  expect(client.keysRefused()).toBe(true);
  good = true;
  expect(await client.send(list)).toMatchObject({ ok: false });
  expect(await clientOf(origin).client.send(list)).toMatchObject({ ok: true });
  current.keys = { ...keys, appKey: `${keys.appKey.slice(0, -1)}e` };
  expect(await client.send(list)).toMatchObject({ ok: true });
  expect(client.keysRefused()).toBe(false);
  expect(received).toHaveLength(5);
});

test('refused typed keys are asked for again when the profile is chosen again', async () => {
  const keyring = createKeyring({ env: {} });
  const keyRequest = {
    owner: 'https://api.example.test prod',
    sources: { apiKey: { typed: true }, appKey: { typed: true } },
  };
  await keyring.read(keyRequest as KeyRequest, async (key) => keys[key]);
  const given: string[] = [];
  const start = {
    keyring,
    resolve: async () => ({ ok: true, value: { demo: false, keyRequest } }),
    connect: async () => ({ ok: true, value: {} }),
  } as unknown as Start;
  // Until the other organization is in front, keys must not act on this one.
  const turn = async () => {
    await nextTurn();
    given.push('turned');
  };
  const port = (isRefused: boolean) =>
    createProfileAccess({ start, current: 'prod', keysRefused: () => isRefused, turn });
  expect(await port(false).switchProfile('prod', () => true)).toBeUndefined();
  expect(await port(true).switchProfile('other', () => true)).toBeUndefined();
  expect(await port(true).switchProfile('prod', () => true)).toMatchObject({ needsKeys: true });
  expect(given).toHaveLength(2);
  expect(await port(true).giveKeys('prod', {}, () => true)).toBeUndefined();
  expect(given).toHaveLength(3);
});

test('a profile that is not wanted any more when its keys are read is closed and not turned to', async () => {
  const given: string[] = [];
  const start = {
    keyring: { willAsk: () => false, forget() {} },
    resolve: async () => ({ ok: true, value: { demo: false, keyRequest: {} } }),
    connect: async () => ({ ok: true, value: { close: async () => void given.push('closed') } }),
  } as unknown as Start;
  const port = createProfileAccess({
    start,
    current: 'other',
    keysRefused: () => false,
    turn: () => given.push('turned'),
  });
  expect(await port.switchProfile('slow', () => false)).toBeUndefined();
  expect(await port.giveKeys('slow', {}, () => false)).toBeUndefined();
  expect(given).toEqual(['closed', 'closed']);
});
