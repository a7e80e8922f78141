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
/** An attempt without a response, at which the service may still be at work. */
const late: Attempt = { seen: { kind: 'doubt', isLate: true }, result: problemResult('unreachable', 'late') };
const missing = (kind: 'notFound' | 'notOffered'): Attempt => ({
  seen: { kind: 'final' },
  result: problemResult(kind, kind),
});
const failed = (kind: 'doubt' | 'final' | 'refused', waitMs?: number): Attempt => ({
  seen: kind === 'refused' ? { kind, waitMs } : { kind },
  result: problemResult(kind === 'final' ? 'invalid' : kind === 'refused' ? 'tooMany' : 'unreachable', kind, {
    ...(waitMs === undefined ? {} : { waitMs }),
  }),
});
/** A response that has this name. */
const named = (name: string): Attempt => ({
  seen: { kind: 'final' },
  result: { ok: true, value: { data: { id: 'x', attributes: { name } } }, status: 200, unread: [] },
});

interface Setting extends Partial<Pick<DeliveryContext, 'find' | 'mayRetry'>> {
  readonly sent?: Call;
  readonly random?: number;
  /** Milliseconds that the clock is set back at the first attempt. */
  readonly setBack?: number;
  /** Milliseconds for a read with all its attempts. */
  readonly readTotal?: number;
}

/**
 * Delivers an edit with these outcomes of its attempts and of those to read it back, in order; the last one repeats. Returns what
 * became of it, and of each attempt the method and its limits in milliseconds.
 */
async function delivered(edits: readonly Attempt[], reads: readonly Attempt[], setting: Setting = {}) {
  const {
    sent = rename,
    find = () => getThing,
    random = 1,
    readTotal = 20_000,
    mayRetry = () => true,
    setBack = 0,
  } = setting;
  const clock = fastClock();
  const methods: string[] = [];
  const totals: number[] = [];
  const arriving: (number | undefined)[] = [];
  const count = { edits: 0, reads: 0 };
  const context: DeliveryContext = {
    clock: { ...clock, now: () => clock.now() - (count.edits > 0 ? setBack : 0) },
    random: () => random,
    totals: { read: readTotal, arriving: 300_000, edit: 30_000 },
    mayRetry,
    find,
    async attempt({ endpoint }, limits) {
      methods.push(endpoint.method);
      totals.push(limits.totalMs);
      arriving.push(limits.arrivingMs);
      const all = endpoint.method === 'GET' ? reads : edits;
      const at = endpoint.method === 'GET' ? count.reads++ : count.edits++;
      return all[Math.min(at, all.length - 1)] as Attempt;
    },
  };
  const end = await deliver(sent, before, context, new AbortController().signal);
  return { ...end, methods, totals, arriving, waits: clock.waits };
}

test('a refusal after a read of the previous values is a refusal', async () => {
  expect(await delivered([failed('doubt'), failed('final')], [named('old')])).toMatchObject({
    result: { ok: false, problem: { kind: 'invalid' } },
    inDoubt: false,
    attempts: 2,
    methods: ['PATCH', 'GET', 'PATCH'],
  });
});

test('an edit that always fails is sent eight times, and a last read shows that it was not applied', async () => {
  const end = await delivered([failed('doubt')], [named('old')]);
  expect(end).toMatchObject({ result: { problem: { kind: 'unreachable' } }, inDoubt: false, attempts: 8 });
  expect(end.methods).toEqual(Array(8).fill(['PATCH', 'GET']).flat());
  expect(Math.max(...end.waits)).toBe(20_000);
});

test('without such a read the outcome stays unknown', async () => {
  const { result } = await delivered([failed('doubt')], [failed('final')]);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unknown' } });
});

test('a read-back waits longer than other reads may', async () => {
  const { result, methods } = await delivered([failed('doubt')], [failed('refused', 25_000), named('new')]);
  expect(result).toMatchObject({ ok: true });
  expect(methods.filter((text) => text === 'PATCH')).toHaveLength(1);
});

test('a read-back is repeated where the service is busy or unreachable, within two minutes, and not where it refuses', async () => {
  const reads = async (...answers: Attempt[]) =>
    (await delivered([failed('doubt')], answers)).methods.filter((method) => method === 'GET').length;
  expect(await reads(failed('doubt'))).toBe(24);
  // At 0.5 s, and three times after 29.875 s; the next one would come at 120 s.
  expect(await reads(failed('refused', 29_875))).toBe(4);
  expect(await reads(failed('final'))).toBe(1);
  const { methods } = await delivered([failed('doubt')], [failed('doubt')], { random: 0 });
  expect(methods).toHaveLength(1 + 8 * 3);
});

test('an edit that was applied in the end is in no doubt', async () => {
  const applied = { result: { ok: true }, inDoubt: false };
  expect(await delivered([failed('doubt'), named('new')], [named('old')])).toMatchObject(applied);
  expect(await delivered([failed('doubt')], [named('new')])).toMatchObject(applied);
});

test('where the service may be at work on it still, a later refusal proves nothing', async () => {
  const end = await delivered([late, failed('final')], [named('old')]);
  expect(end).toMatchObject({ result: { problem: { kind: 'unknown' } }, inDoubt: true });
});

test.each<[string, Call, readonly Attempt[], object, boolean, Attempt?]>([
  ['a repeated delete finds nothing', drop, [failed('doubt'), missing('notFound')], { ok: true, status: 404 }, false],
  ['the first delete finds nothing', drop, [missing('notFound')], { problem: { kind: 'notFound' } }, false],
  ['a repeated delete is refused', drop, [failed('doubt'), failed('final')], { problem: { kind: 'unknown' } }, true],
  [
    'a repeated change finds nothing',
    rename,
    [failed('doubt'), missing('notFound')],
    { problem: { kind: 'notFound' } },
    false,
  ],
  [
    'the thing is gone when it is read back',
    rename,
    [failed('doubt')],
    { problem: { kind: 'notFound' } },
    false,
    missing('notFound'),
  ],
])('what is told where %s', async (_, sent, edits, result, inDoubt, read = named('old')) => {
  expect(await delivered(edits, [read], { sent })).toMatchObject({ result, inDoubt });
});

test('a replacement in doubt is read once, shown beside what was read, and not sent again', async () => {
  const replace = call(orderThings, { body: { data: { attributes: { name: 'new' } } } });
  const doubt = { ours: replace.body, theirs: { data: { attributes: { name: 'theirs' } } } };
  const end = (reads: Attempt, edit = failed('doubt'), find: Setting['find'] = () => listThings) =>
    delivered([edit], [reads], { sent: replace, find });
  expect(await end(named('theirs'))).toMatchObject({
    result: { problem: { kind: 'unknown', doubt } },
    methods: ['PUT', 'GET'],
  });
  const blind = await end(failed('final'));
  expect(blind).toMatchObject({ result: { problem: { kind: 'unknown' } }, methods: ['PUT', 'GET'] });
  expect(!blind.result.ok && blind.result.problem.doubt).toEqual({ ours: replace.body });
  expect(await end(named('theirs'), failed('refused', 1))).toMatchObject({ methods: ['PUT'] });
  expect(await end(named('theirs'), failed('doubt'), () => undefined)).toMatchObject({ methods: ['PUT'] });
});

test('where the deployment lacks the read-back, an edit is sent again for ten seconds, whatever the clock is set to', async () => {
  for (const setBack of [0, 3_600_000]) {
    const { methods, result } = await delivered([failed('doubt')], [missing('notOffered')], { setBack });
    expect(methods).toEqual(['PATCH', 'GET', 'PATCH', 'PATCH', 'PATCH', 'PATCH']);
    expect(result).toMatchObject({ problem: { kind: 'unknown' } });
  }
});

test('an attempt of an edit may take its whole time, one of a read what is left of all', async () => {
  const list = await delivered([], [failed('doubt')], { sent: call(listThings), readTotal: 600 });
  expect(list).toMatchObject({ totals: [600, 100, 1], waits: [500, 1000] });
  expect(list.arriving).toEqual([300_000, 300_000, 300_000]);
  const edit = await delivered([failed('doubt'), failed('doubt'), named('')], [], { sent: drop });
  expect(edit).toMatchObject({ totals: [30_000, 30_000, 30_000], waits: [500, 1000] });
  expect(await delivered([failed('refused'), failed('refused'), named('')], [], { sent: drop })).toMatchObject({
    waits: [1000, 2000],
  });
});

test('an edit has one total, and so has the read of what became of it, however its bytes arrive', async () => {
  const { methods, arriving } = await delivered([failed('doubt')], [named('new')]);
  expect([methods, arriving]).toEqual([
    ['PATCH', 'GET'],
    [undefined, 20_000],
  ]);
});

test('retries of reads and of edits are counted apart', async () => {
  const counted: string[] = [];
  const mayRetry = (as: string) => {
    counted.push(as);
    return false;
  };
  await delivered([failed('doubt')], [], { sent: drop, mayRetry });
  await delivered([], [failed('doubt')], { sent: call(listThings), mayRetry });
  expect(counted).toEqual(['edit', 'read']);
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
