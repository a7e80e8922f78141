import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
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
