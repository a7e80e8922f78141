import { expect, test } from 'vitest';
import { findEndpoint } from '../../../src/api/all-endpoints.ts';
import { call, readBackOf } from '../../../src/api/endpoint.ts';
import { refusal } from '../../../src/api/problem.ts';
import { addRoleUser } from '../../../src/api/roles.ts';
import { type DeliveryContext, deliver } from '../../../src/client/deliver.ts';
import type { Attempt } from '../../../src/client/response-result.ts';
import { getThing, setThing } from '../../support/calls.ts';
import { fastClock } from '../../support/scripted-server.ts';

const rename = call(setThing, { thing_id: 'x', body: { data: { attributes: { name: 'new' } } } });
const before = { attributes: { name: 'old' } };
const failed = (kind: 'doubt' | 'final' | 'refused', waitMs?: number): Attempt => ({
  seen: kind === 'refused' ? { kind, waitMs } : { kind },
  result: refusal(kind === 'final' ? 'invalid' : kind === 'refused' ? 'tooMany' : 'unreachable', kind, {
    ...(waitMs === undefined ? {} : { waitMs }),
  }),
});
const shows = (name: string): Attempt => ({
  seen: { kind: 'final' },
  result: { ok: true, value: { data: { id: 'x', attributes: { name } } }, status: 200, unread: [] },
});

/** Delivers an edit with these responses to the edit and to the read, in order; the last one repeats. */
async function followed(edits: readonly Attempt[], reads: readonly Attempt[]) {
  const clock = fastClock();
  const asked: string[] = [];
  const count = { edits: 0, reads: 0 };
  const means: DeliveryContext = {
    clock,
    random: () => 1,
    totals: { read: 20_000, edit: 30_000 },
    mayRetry: () => true,
    find: () => getThing,
    async attempt({ endpoint }) {
      asked.push(endpoint.method);
      const all = endpoint === getThing ? reads : edits;
      const at = endpoint === getThing ? count.reads++ : count.edits++;
      return all[Math.min(at, all.length - 1)] as Attempt;
    },
  };
  return { ...(await deliver(rename, before, means, new AbortController().signal)), asked };
}

test('a refusal after a read of the previous values is a refusal', async () => {
  expect(await followed([failed('doubt'), failed('final')], [shows('old')])).toMatchObject({
    result: { ok: false, problem: { kind: 'invalid' } },
    inDoubt: false,
    attempts: 2,
    asked: ['PATCH', 'GET', 'PATCH'],
  });
});

test('without such a read the outcome stays unknown', async () => {
  const { result } = await followed([failed('doubt')], [failed('final')]);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unknown' } });
});

test('a read-back waits longer than other reads may', async () => {
  const { result, asked } = await followed([failed('doubt')], [failed('refused', 25_000), shows('new')]);
  expect(result).toMatchObject({ ok: true });
  expect(asked.filter((text) => text === 'PATCH')).toHaveLength(1);
});

test('a read-back is repeated where the service is busy or unreachable, within two minutes, and not where it refuses', async () => {
  const reads = async (...answers: Attempt[]) =>
    (await followed([failed('doubt')], answers)).asked.filter((method) => method === 'GET').length;
  expect(await reads(failed('doubt'))).toBe(24);
  expect(await reads(failed('refused', 30_000))).toBe(4);
  expect(await reads(failed('final'))).toBe(1);
});

test('the read-back is of the same object, with a page that holds what was sent', () => {
  const edit = call(addRoleUser, { role_id: 'r1', body: { data: { type: 'users', id: 'u1' } } });
  expect(readBackOf(edit, findEndpoint)).toMatchObject({
    endpoint: { id: 'roles.users' },
    params: { role_id: 'r1' },
    query: { 'page[size]': 100 },
  });
});
