import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { clientOf, keys, listThings, setThing } from '../support/calls.ts';
import { json, serve } from '../support/scripted-server.ts';

const list = call(listThings);
const edit = (id: string) =>
  call(setThing, { thing_id: id, body: { data: { id, type: 'thing', attributes: { name: 'new' } } } });
const things = { data: [{ id: 'a', type: 'thing', attributes: { name: 'one' } }] };

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
