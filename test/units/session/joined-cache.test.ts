import { expect, test } from 'vitest';
import type { Plan } from '../../../src/api/plan.ts';
import { type Result, refusal } from '../../../src/api/problem.ts';
import { type Cache, createCache, type Question } from '../../../src/cache/cache.ts';
import { createOrganisation, joinedKey, keyOf, readKeys, type Tagged } from '../../../src/describe/organisation.ts';
import type { Rows } from '../../../src/describe/source.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { joinCaches } from '../../../src/session/organisations/joined-cache.ts';
import { createTestClock } from '../../support/clock.ts';
import { settled } from '../../support/steppedclock.ts';

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
const cacheOf = (answer: () => Answer, clock: Clock): Cache =>
  createCache({
    run: (async () => answer()()) as unknown as Parameters<typeof createCache>[0]['run'],
    clock,
    random: () => 0.5,
    holdBack: () => 0,
    slowdown: () => 1,
  });

function two(acmeAnswer: Answer, betaAnswer: Answer) {
  const now = { acme: acmeAnswer, beta: betaAnswer };
  const clock = createTestClock();
  const acme = { organisation: createOrganisation('acme', (base) => base), cache: cacheOf(() => now.acme, clock) };
  const beta = { organisation: createOrganisation('beta', (base) => base), cache: cacheOf(() => now.beta, clock) };
  const joined = joinCaches([acme, beta]);
  const questionOf = (key: string): Question<unknown> => ({
    key,
    of: ['thing'],
    plan: () => [] as unknown as Plan<Result<unknown>, unknown>,
  });
  const keys = [keyOf('acme', 'things'), keyOf('beta', 'things')];
  const key = joinedKey(keys);
  const watch = () => joined.watch({ ...questionOf(key), parts: keys.map(questionOf) }, { everyMs: 60_000 }, () => {});
  return { clock, acme, beta, joined, questionOf, keys, key, watch, now };
}

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
  const again = two(answers('1'), fails);
  again.watch();
  await settled();
  again.now.beta = answers('2');
  again.joined.refresh();
  await settled();
  const well = again.joined.known<Rows<unknown>>(again.key);
  expect([well.problem, well.failed, ids(well.value?.rows)]).toEqual([undefined, undefined, ['acme 1', 'beta 2']]);

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

test('of several failed reads the causes are told, of one what to do as well', async () => {
  const broken: Answer = async () =>
    refusal('unreachable', 'cannot connect to a:1 (refused): check the port, and more');
  const text = async (one: Answer, other: Answer) => {
    const { joined, key, watch } = two(one, other);
    watch();
    await settled();
    return joined.known(key).problem?.text;
  };
  expect(await text(broken, broken)).toBe(
    'acme: cannot connect to a:1 (refused) · beta: cannot connect to a:1 (refused)',
  );
  expect(await text(answers('1'), broken)).toBe('beta: cannot connect to a:1 (refused): check the port, and more');
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

test('what is done to the polls is done to those of all', async () => {
  const { clock, acme, beta, joined, watch, now, key } = two(answers('1'), answers('2'));
  const read = { acme: 0, beta: 0 };
  const counted =
    (name: keyof typeof read): Answer =>
    () => {
      read[name] += 1;
      return answers('1')();
    };
  Object.assign(now, { acme: counted('acme'), beta: counted('beta') });
  const each = <T>(of: (cache: Cache) => T) => [of(acme.cache), of(beta.cache)];
  const stop = watch();
  await settled();
  const version = joined.version();
  beta.cache.changed([]);
  expect(joined.version()).toBe(version + 1);
  joined.pause(true);
  expect(each(({ pace }) => pace.paused())).toEqual([true, true]);
  await clock.passes('11m');
  joined.pace.touch();
  expect(each(({ pace }) => pace.idle())).toEqual([1, 1]);
  expect(read).toEqual({ acme: 1, beta: 1 });
  // An edit by the joined session itself is of the first.
  joined.changed(['thing']);
  await settled();
  expect(read).toEqual({ acme: 2, beta: 1 });
  stop();
  joined.refresh();
  await settled();
  expect(read).toEqual({ acme: 2, beta: 1 });
  joined.close();
  expect(joined.known(key).value).toBeUndefined();
});

test('what could not be read is told with the organisation that it is of, and the oldest read counts', async () => {
  const missing: Answer = async () => ({
    ...{ ok: true, status: 200, unread: [] },
    value: { rows: [], missing: ['one row'], unread: ['/data/0'] },
  });
  const { joined, key, beta, watch } = two(answers('1'), missing);
  beta.cache.seed('things', { rows: [] }, 1);
  expect(joined.known(key).at).toBe(1);
  watch();
  await settled();
  expect(joined.known(key).value).toMatchObject({ missing: ['beta: one row'], unread: ['beta: /data/0'] });
});
