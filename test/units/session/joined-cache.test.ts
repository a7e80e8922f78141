import { expect, test } from 'vitest';
import type { Plan } from '../../../src/api/plan.ts';
import { type Result, refusal } from '../../../src/api/problem.ts';
import { type Cache, createCache, type Question } from '../../../src/cache/cache.ts';
import { createOrganisation, joinedKey, keyOf, readKeys, type Tagged } from '../../../src/describe/organisation.ts';
import type { Rows } from '../../../src/describe/source.ts';
import { joinCaches } from '../../../src/session/organisations/joined-cache.ts';
import { createTestClock } from '../../support/clock.ts';

interface Thing {
  readonly id: string;
}

type Answer = () => Promise<Result<Rows<Thing>>>;

const answers =
  (...ids: string[]): Answer =>
  async () => ({ ok: true, value: { rows: ids.map((id) => ({ id })), notes: ['a note'] }, status: 200, unread: [] });
const never: Answer = () => new Promise(() => {});
const fails: Answer = async () => refusal('unreachable', 'no connection');

/** A cache whose every read is answered in this way. */
const cacheOf = (answer: () => Answer): Cache =>
  createCache({
    run: (async () => answer()()) as unknown as Parameters<typeof createCache>[0]['run'],
    clock: createTestClock(),
    random: () => 0.5,
    holdBack: () => 0,
    slowdown: () => 1,
  });

function two(acmeAnswer: Answer, betaAnswer: Answer) {
  const now = { acme: acmeAnswer, beta: betaAnswer };
  const acme = { organisation: createOrganisation('acme', (base) => base), cache: cacheOf(() => now.acme) };
  const beta = { organisation: createOrganisation('beta', (base) => base), cache: cacheOf(() => now.beta) };
  const joined = joinCaches([acme, beta]);
  const questionOf = (key: string): Question<unknown> => ({
    key,
    of: ['thing'],
    plan: () => [] as unknown as Plan<Result<unknown>, unknown>,
  });
  const keys = [keyOf('acme', 'things'), keyOf('beta', 'things')];
  const key = joinedKey(keys);
  const watch = () => joined.watch({ ...questionOf(key), parts: keys.map(questionOf) }, { everyMs: 60_000 }, () => {});
  return { acme, beta, joined, questionOf, keys, key, watch, now };
}

const settled = () => new Promise((done) => setTimeout(done, 20));
const ids = (rows: readonly unknown[] = []) =>
  rows.map((row) => `${(row as Tagged<Thing>).organisation.name} ${(row as Tagged<Thing>).row.id}`);

test('keys of several reads are read back with their names', () => {
  expect(readKeys(joinedKey([keyOf('acme', 'a b'), keyOf('beta', 'c')]))).toEqual([
    { name: 'acme', key: 'a b' },
    { name: 'beta', key: 'c' },
  ]);
  expect(readKeys('plain')).toEqual([{ key: 'plain' }]);
});

test('a key with a name is read in its own cache, one without in the first', async () => {
  const { acme, beta, joined, questionOf, keys } = two(answers('1'), answers('2'));
  await joined.ask(questionOf(keys[1] ?? ''));
  expect(acme.cache.known('things').value).toBeUndefined();
  expect(beta.cache.known<Rows<Thing>>('things').value?.rows).toEqual([{ id: '2' }]);
  await joined.ask(questionOf('things'));
  expect(joined.known<Rows<Thing>>('things').value?.rows).toEqual([{ id: '1' }]);
});

test('a read of several has the rows of all, each with its organisation, in the same array while nothing changes', async () => {
  const { joined, key, watch } = two(answers('1', '2'), answers('1'));
  const stop = watch();
  await settled();
  const known = joined.known<Rows<unknown>>(key);
  expect(ids(known.value?.rows)).toEqual(['acme 1', 'acme 2', 'beta 1']);
  expect(known.value?.notes).toEqual(['acme: a note', 'beta: a note']);
  expect(known).toMatchObject({ asking: false, partial: false });
  expect(joined.known<Rows<unknown>>(key).value?.rows).toBe(known.value?.rows);
  stop();
});

test('one that fails or waits holds up no other, and is named', async () => {
  const failing = two(answers('1'), fails);
  failing.watch();
  await settled();
  const known = failing.joined.known<Rows<unknown>>(failing.key);
  expect(ids(known.value?.rows)).toEqual(['acme 1']);
  expect(known).toMatchObject({
    problem: { text: 'beta: no connection' },
    failed: ['beta'],
    asking: false,
    partial: false,
  });
  // Asked again, it is still the one that failed: the list of the other is not "loading".
  failing.now.beta = never;
  failing.beta.cache.refresh();
  await settled();
  expect(failing.joined.known(failing.key)).toMatchObject({ failed: ['beta'], asking: false, partial: false });

  const waiting = two(answers('1'), never);
  waiting.watch();
  await settled();
  const first = waiting.joined.known<Rows<unknown>>(waiting.key);
  expect(ids(first.value?.rows)).toEqual(['acme 1']);
  expect(first).toMatchObject({ partial: true });
});

test('when all fail, the read has failed, with the reason of each', async () => {
  const { joined, key, watch } = two(fails, fails);
  watch();
  await settled();
  const known = joined.known(key);
  expect(known.value).toBeUndefined();
  expect(known.failed).toBeUndefined();
  expect(known.problem?.text).toBe('acme: no connection · beta: no connection');
});

test('an edit on its way is laid over the row of its own organisation alone', async () => {
  const { joined, beta, key, watch } = two(answers('1'), answers('1'));
  watch();
  await settled();
  const rows = joined.known<Rows<unknown>>(key).value?.rows ?? [];
  const idOf = (row: unknown) => {
    const { organisation, row: own } = row as Tagged<Thing>;
    return organisation.id(own.id);
  };
  expect(joined.overlays.over(key, ['things'], rows, idOf)).toEqual(rows);
  beta.cache.overlays.lay('things', '1', (row) => ({ ...(row as Thing), isMuted: true }));
  const over = joined.overlays.over(key, ['things'], rows, idOf);
  expect(over.map((row) => (row as Tagged).row)).toEqual([{ id: '1' }, { id: '1', isMuted: true }]);
  expect(joined.overlays.over(key, ['things'], rows, idOf)).toBe(over);
  expect([...joined.overlays.pending()]).toEqual(['beta/1']);
});

test('rows of an earlier run are told by the names of their organisations, until their own are read', async () => {
  const { joined, key, keys, questionOf } = two(answers('1'), answers('2'));
  for (const one of keys) joined.seed(one, { rows: [{ id: 'old' }] }, 1);
  expect(joined.known(key)).toMatchObject({ old: ['acme', 'beta'], isFromSnapshot: true });
  await joined.ask(questionOf(keys[0] ?? ''));
  expect(joined.known(key)).toMatchObject({ old: ['beta'] });
  expect(joined.known(key).isFromSnapshot).toBeUndefined();
});
