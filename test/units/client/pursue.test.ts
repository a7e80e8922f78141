import * as v from 'valibot';
import { expect, test } from 'vitest';
import { findEndpoint } from '../../../src/api/all-endpoints.ts';
import { type Call, call, findReadBack } from '../../../src/api/endpoint.ts';
import { problemResult, toResult } from '../../../src/api/problem.ts';
import { addRoleUser } from '../../../src/api/roles.ts';
import {
  appliedResult,
  canceledProblem,
  conflictProblem,
  type DeliveryContext,
  deliver,
  unknownProblem,
} from '../../../src/client/deliver.ts';
import type { Attempt } from '../../../src/client/response-result.ts';
import { addThing, dropThing, getThing, listThings, orderThings, setThing } from '../../support/calls.ts';
import { fastClock } from '../../support/scripted-server.ts';

const rename = call(setThing, { thing_id: 'x', body: { data: { attributes: { name: 'new' } } } });
const drop = call(dropThing, { thing_id: 'x' });
const before = { attributes: { name: 'old' } };
/** An attempt without any useful response. */
const late: Attempt = { seen: { kind: 'doubt', isLate: true }, result: problemResult('unreachable', 'late') };
const not = (kind: 'notFound' | 'notOffered'): Attempt => ({
  seen: { kind: 'final' },
  result: problemResult(kind, kind),
});
const failed = (kind: 'doubt' | 'final' | 'refused', waitMs?: number): Attempt => ({
  seen: kind === 'refused' ? { kind, waitMs } : { kind },
  result: problemResult(kind === 'final' ? 'invalid' : kind === 'refused' ? 'tooMany' : 'unreachable', kind, {
    ...(waitMs === undefined ? {} : { waitMs }),
  }),
});
const shows = (name: string): Attempt => ({
  seen: { kind: 'final' },
  result: { ok: true, value: { data: { id: 'x', attributes: { name } } }, status: 200, unread: [] },
});

interface Way {
  readonly sent?: Call;
  readonly find?: DeliveryContext['find'];
  readonly random?: number;
  readonly readTotal?: number;
  readonly mayRetry?: DeliveryContext['mayRetry'];
}

/** Delivers an edit with these responses to the edit and to the read, in order; the last one repeats. */
async function followed(edits: readonly Attempt[], reads: readonly Attempt[], way: Way = {}) {
  const { sent = rename, find = () => getThing, random = 1, readTotal = 20_000, mayRetry = () => true } = way;
  const clock = fastClock();
  const asked: string[] = [];
  const totals: number[] = [];
  const arriving: (number | undefined)[] = [];
  const count = { edits: 0, reads: 0 };
  const means: DeliveryContext = {
    clock,
    random: () => random,
    totals: { read: readTotal, arriving: 300_000, edit: 30_000 },
    mayRetry,
    find,
    async attempt({ endpoint }, limits) {
      asked.push(endpoint.method);
      totals.push(limits.totalMs);
      arriving.push(limits.arrivingMs);
      const all = endpoint.method === 'GET' ? reads : edits;
      const at = endpoint.method === 'GET' ? count.reads++ : count.edits++;
      return all[Math.min(at, all.length - 1)] as Attempt;
    },
  };
  const end = await deliver(sent, before, means, new AbortController().signal);
  return { ...end, asked, totals, arriving, waits: clock.waits };
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
  // At 0.5 s, and three times after 29.875 s; the next one would come at 120 s.
  expect(await reads(failed('refused', 29_875))).toBe(4);
  expect(await reads(failed('final'))).toBe(1);
  const { asked } = await followed([failed('doubt')], [failed('doubt')], { random: 0 });
  expect(asked).toHaveLength(1 + 8 * 3);
});

test('an edit that was applied in the end is in no doubt', async () => {
  const applied = { result: { ok: true }, inDoubt: false };
  expect(await followed([failed('doubt'), shows('new')], [shows('old')])).toMatchObject(applied);
  expect(await followed([failed('doubt')], [shows('new')])).toMatchObject(applied);
});

test('where the service may be at work on it still, a later refusal proves nothing', async () => {
  const end = await followed([late, failed('final')], [shows('old')]);
  expect(end).toMatchObject({ result: { problem: { kind: 'unknown' } }, inDoubt: true });
});

test.each<[string, Call, readonly Attempt[], object, boolean]>([
  ['a repeated delete finds nothing', drop, [failed('doubt'), not('notFound')], { ok: true, status: 404 }, false],
  ['the first delete finds nothing', drop, [not('notFound')], { problem: { kind: 'notFound' } }, false],
  ['a repeated delete is refused', drop, [failed('doubt'), failed('final')], { problem: { kind: 'unknown' } }, true],
  [
    'a repeated change finds nothing',
    rename,
    [failed('doubt'), not('notFound')],
    { problem: { kind: 'notFound' } },
    false,
  ],
])('what is told where %s', async (_, sent, edits, result, inDoubt) => {
  expect(await followed(edits, [shows('old')], { sent })).toMatchObject({ result, inDoubt });
});

test('a replacement in doubt is read once, shown beside what was read, and not sent again', async () => {
  const replace = call(orderThings, { body: { data: { attributes: { name: 'new' } } } });
  const doubt = { ours: replace.body, theirs: { data: { attributes: { name: 'theirs' } } } };
  const end = (reads: Attempt, edit = failed('doubt'), find: Way['find'] = () => listThings) =>
    followed([edit], [reads], { sent: replace, find });
  expect(await end(shows('theirs'))).toMatchObject({
    result: { problem: { kind: 'unknown', doubt } },
    asked: ['PUT', 'GET'],
  });
  const blind = await end(failed('final'));
  expect(blind).toMatchObject({ result: { problem: { kind: 'unknown' } }, asked: ['PUT', 'GET'] });
  expect(!blind.result.ok && blind.result.problem.doubt).toEqual({ ours: replace.body });
  expect(await end(shows('theirs'), failed('refused', 1))).toMatchObject({ asked: ['PUT'] });
  expect(await end(shows('theirs'), failed('doubt'), () => undefined)).toMatchObject({ asked: ['PUT'] });
});

test('where the deployment lacks the read-back, an edit is sent again for ten seconds', async () => {
  const { asked, result } = await followed([failed('doubt')], [not('notOffered')]);
  expect(asked).toEqual(['PATCH', 'GET', 'PATCH', 'PATCH', 'PATCH', 'PATCH']);
  expect(result).toMatchObject({ problem: { kind: 'unknown' } });
});

test('an attempt of an edit may take its whole time, one of a read what is left of all', async () => {
  const list = await followed([], [failed('doubt')], { sent: call(listThings), readTotal: 600 });
  expect(list).toMatchObject({ totals: [600, 100, 1], waits: [500, 1000] });
  expect(list.arriving).toEqual([300_000, 300_000, 300_000]);
  const edit = await followed([failed('doubt'), failed('doubt'), shows('')], [], { sent: drop });
  expect(edit).toMatchObject({ totals: [30_000, 30_000, 30_000], waits: [500, 1000] });
  expect(await followed([failed('refused'), failed('refused'), shows('')], [], { sent: drop })).toMatchObject({
    waits: [1000, 2000],
  });
});

test('an edit has one total, and so has the read of what became of it, however its bytes arrive', async () => {
  const { asked, arriving } = await followed([failed('doubt')], [shows('new')]);
  expect([asked, arriving]).toEqual([
    ['PATCH', 'GET'],
    [undefined, 20_000],
  ]);
});

test('retries of reads and of edits are counted apart', async () => {
  const asked: string[] = [];
  const mayRetry = (as: string) => asked.push(as) > 1;
  await followed([failed('doubt')], [], { sent: drop, mayRetry });
  await followed([], [failed('doubt')], { sent: call(listThings), mayRetry });
  expect(asked.slice(0, 2)).toEqual(['edit', 'read']);
});

test('an unknown outcome shows what was sent and what was read, without secrets', () => {
  const secret = { data: { attributes: { name: 'a', secret: 'fake-secret' } } };
  const hidden = { data: { attributes: { name: 'a', secret: '(hidden)' } } };
  const last = problemResult('unreachable', 'no response').problem;
  const add = call(addThing, { body: secret });
  expect(unknownProblem(add, last, secret).doubt).toEqual({ ours: hidden, theirs: hidden });
  expect(unknownProblem(add, last).doubt).toEqual({ ours: hidden });
  expect(conflictProblem(add, secret)).toMatchObject({ kind: 'conflict', doubt: { ours: hidden, theirs: hidden } });
  expect(unknownProblem(drop, last).doubt).toEqual({ ours: undefined });
  expect(unknownProblem(call(listThings, { query: { filter: 'x' } }), last).doubt).toEqual({ ours: { filter: 'x' } });
  expect(canceledProblem(drop)).toMatchObject({ kind: 'canceled', operation: 'things.drop' });
});

test('of the read that shows an edit as applied, what fits its response is its value', () => {
  const tagged = {
    ...rename,
    endpoint: { ...setThing, response: v.looseObject({ tags: v.nullish(v.array(v.string())) }) },
  };
  expect(appliedResult(tagged, { id: 'x', tags: 'none' })).toEqual(toResult({ id: 'x' }));
  expect(appliedResult(rename, 'nothing')).toEqual(toResult(undefined));
});

test('the read-back is of the same object, with a page that holds what was sent', () => {
  const edit = call(addRoleUser, { role_id: 'r1', body: { data: { type: 'users', id: 'u1' } } });
  expect(findReadBack(edit, findEndpoint)).toMatchObject({
    endpoint: { id: 'roles.users' },
    params: { role_id: 'r1' },
    query: { 'page[size]': 100 },
  });
});
