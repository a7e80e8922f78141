import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../../src/api/problem.ts';
import { createCache } from '../../../src/cache/cache.ts';
import { type CachedRead, createUses, longestUnwatched, mostUnwatched } from '../../../src/cache/entries.ts';
import { runs } from '../../support/runs.ts';
import { createSteppedClock, settled } from '../../support/steppedclock.ts';

interface Thing {
  readonly id: string;
  readonly count: number;
}
type Things = readonly Thing[];

/** A pending read of the cache. */
interface Read {
  readonly key: string;
  readonly signal: AbortSignal;
  partial(rows: Things): void;
  answer(rows: Things): Promise<void>;
  refuse(text: string): Promise<void>;
}

const ok = <T>(value: T): Result<T> => ({ ok: true, value, status: 200, unread: [] });

/** A cache whose reads the test answers, on a stopped clock. */
function cacheByHand(random = 0.5) {
  const clock = createSteppedClock();
  const reads: Read[] = [];
  const budget = { holdBack: 0 };
  /** What the wall clock was moved by; timers do not know of it. */
  const moved = { ms: 0 };
  const cache = createCache({
    clock: { ...clock, now: () => clock.now() + moved.ms },
    random: () => random,
    holdBack: () => budget.holdBack,
    slowdown: () => 1,
    run: (plan, { signal, partial }) =>
      new Promise((resolve) => {
        const end = (result: unknown) => {
          resolve(result as never);
          return settled();
        };
        reads.push({
          key: (plan.next().value as { readonly partial: string }).partial,
          signal,
          partial: (rows) => partial(rows as never),
          answer: (rows) => end(ok(rows)),
          refuse: (text) => end(problemResult('unreachable', text)),
        });
      }),
  });
  const shown = (key = 'things') =>
    cache.overlays.over(key, ['things'], cache.known<Things>(key).value ?? [], (row) => row.id);
  return { cache, clock, moved, reads, budget, shown, last: () => reads.at(-1) as Read };
}

/** A question about things; its plan yields its key. */
const question = (key = 'things', of = ['thing']): CachedRead<Things> => ({
  key,
  of,
  *plan(): Plan<Result<Things>, Things> {
    yield { partial: key as never };
    return ok([]);
  },
});

const one = (count: number): Things => [{ id: 'a', count }];
const watching = (by: ReturnType<typeof cacheByHand>, everyMs = 15_000) =>
  by.cache.watch(question(), { everyMs }, () => {});

test('a watched question is read at once and then polled until its last watcher stops', async () => {
  const by = cacheByHand();
  const stop = watching(by);
  expect(by.reads).toHaveLength(1);
  await by.last().answer(one(1));
  await by.clock.passes(14_999);
  expect(by.reads).toHaveLength(1);
  await by.clock.passes(1);
  expect(by.reads).toHaveLength(2);
  await by.last().answer(one(2));
  expect(by.shown()).toEqual(one(2));
  stop();
  expect(by.clock.waiting()).toBe(0);
  await by.clock.passes(600_000);
  expect(by.reads).toHaveLength(2);
  expect(by.clock.waiting()).toBe(0);
});

test.each([3_600_000, -3_600_000, -1000])(
  'a wall clock that is moved by %i ms while it runs stops no poll',
  async (ms) => {
    const by = cacheByHand();
    watching(by);
    await by.last().answer(one(1));
    by.moved.ms = ms;
    // Forward, it looks as if nobody had pressed a key for long.
    by.cache.pace.touch();
    for (const count of [2, 3, 4]) {
      await by.clock.passes(15_000);
      expect(by.reads).toHaveLength(count);
      await by.last().answer(one(count));
    }
  },
);

test('a question with a read under way is not read a second time', async () => {
  const by = cacheByHand();
  watching(by);
  watching(by);
  by.cache.refresh();
  const asked = by.cache.ask(question());
  await settled();
  expect(by.reads).toHaveLength(1);
  await by.last().answer(one(1));
  expect((await asked).value).toEqual(one(1));
});

test('a question that is left and asked again while it is read is polled once', async () => {
  const by = cacheByHand();
  watching(by)();
  const stop = watching(by);
  await by.last().answer(one(1));
  expect(by.clock.waiting()).toBe(1);
  stop();
  expect(by.clock.waiting()).toBe(0);
});

test('opening a screen reads an entry again only when that is 3 seconds old', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6_000 }), async (ageMs) => {
      const by = cacheByHand();
      const stop = watching(by);
      await by.last().answer(one(1));
      stop();
      await by.clock.passes(ageMs);
      watching(by);
      await settled();
      expect(by.reads).toHaveLength(ageMs < 3_000 ? 1 : 2);
    }),
    { numRuns: runs(40), examples: [[2_999], [3_000]] },
  );
});

test('the first read shows pages as they arrive; a later read changes nothing until it is complete', async () => {
  const by = cacheByHand();
  watching(by);
  by.last().partial(one(1));
  expect(by.shown()).toEqual(one(1));
  expect(by.cache.known('things')).toMatchObject({ partial: true, at: by.clock.now() });
  by.last().partial([...one(1), { id: 'b', count: 1 }]);
  expect(by.shown()).toHaveLength(2);
  await by.last().answer([...one(1), { id: 'b', count: 1 }, { id: 'c', count: 1 }]);
  expect(by.cache.known('things').partial).toBe(false);
  await by.clock.passes(15_000);
  by.last().partial(one(9));
  expect(by.cache.known('things').partial).toBe(false);
  expect(by.shown().map((row) => row.id)).toEqual(['a', 'b', 'c']);
  await by.last().answer(one(9));
  expect(by.shown()).toEqual(one(9));
});

test('rows that an edit has told are not read for it where all of them are read, and show it until the next poll', async () => {
  const by = cacheByHand();
  by.cache.watch({ ...question(), allOf: 'things' }, { everyMs: 15_000 }, () => {});
  by.cache.watch(question('part'), { everyMs: 15_000 }, () => {});
  await by.reads[0]?.answer(one(1));
  await by.reads[1]?.answer(one(1));
  const token = by.cache.overlays.lay('things', 'a', () => ({ id: 'a', count: 2 }));
  by.cache.overlays.settle(token, () => ({ id: 'a', count: 2 }));
  by.cache.changed(['thing'], 'things');
  await settled();
  expect(by.reads.map(({ key }) => key)).toEqual(['things', 'part', 'part']);
  expect(by.shown()).toEqual(one(2));
  by.cache.changed(['thing'], 'others');
  await settled();
  expect(by.reads.slice(3).map(({ key }) => key)).toEqual(['things', 'part']);
  await by.reads[3]?.answer(one(3));
  expect(by.shown()).toEqual(one(3));
});

test('a read is given the whole value of the last one of this run, and no first pages', async () => {
  const by = cacheByHand();
  const given: unknown[] = [];
  const { plan, ...asked } = question();
  by.cache.seed('things', one(9), 1);
  const noted = (before?: Things) => {
    given.push(before);
    return plan();
  };
  by.cache.watch({ ...asked, plan: noted }, { everyMs: 15_000 }, () => {});
  by.last().partial(one(1));
  await by.last().refuse('gone');
  await by.clock.passes(60_000);
  await by.last().answer(one(2));
  await by.clock.passes(15_000);
  expect(given).toEqual([undefined, undefined, one(2)]);
});

test('a list of all rows is read with what edits have told since, and anew where more may have changed or a person asks', async () => {
  const by = cacheByHand();
  const given: unknown[] = [];
  const { plan, ...asked } = question();
  const noted = (before?: Things, edited?: ReadonlySet<string>) => {
    given.push(before && [...(edited ?? [])]);
    return plan();
  };
  const edit = (list: string, id: string) => {
    const token = by.cache.overlays.lay(list, id, (row) => row);
    return () => by.cache.overlays.settle(token, (row) => row);
  };
  by.cache.watch({ ...asked, allOf: 'things', plan: noted }, { everyMs: 15_000 }, () => {});
  await by.last().answer(one(1));
  for (const settle of [edit('things', 'a'), edit('others', 'b')]) settle();
  const settleLater = edit('things', 'c');
  await by.clock.passes(15_000);
  settleLater();
  by.cache.refresh('whole');
  await by.last().answer(one(1));
  expect(given.splice(0)).toEqual([undefined, ['a']]);
  // It was asked for while a part was read.
  await by.clock.passes(15_000);
  await by.last().answer(one(1));
  await by.clock.passes(15_000);
  await by.last().answer(one(1));
  expect(given.splice(0)).toEqual([undefined, []]);
  by.cache.changed(['thing']);
  await settled();
  await by.last().answer(one(1));
  by.cache.refresh();
  await by.last().answer(one(1));
  expect(given).toEqual([undefined, []]);
});

test('pages of a canceled read are not shown', async () => {
  const by = cacheByHand();
  watching(by);
  const dropped = by.last();
  by.cache.changed(['thing']);
  await settled();
  expect(by.reads).toHaveLength(2);
  dropped.partial(one(1));
  expect(by.shown()).toEqual([]);
  await dropped.answer(one(1));
  expect(by.shown()).toEqual([]);
  await by.last().answer(one(2));
  expect(by.shown()).toEqual(one(2));
});

test('a failed read keeps the old value, sets the problem, and is retried more slowly', async () => {
  const by = cacheByHand();
  watching(by);
  await by.last().answer(one(1));
  const { at = 0 } = by.cache.known('things');
  await by.clock.passes(15_000);
  await by.last().refuse('no answer');
  expect(by.shown()).toEqual(one(1));
  const problem = { text: 'no answer', at: at + 15_000 };
  expect(by.cache.known('things')).toMatchObject({ at, problem, asking: false });
  await by.clock.passes(22_499);
  expect(by.reads).toHaveLength(2);
  await by.clock.passes(1);
  expect(by.reads).toHaveLength(3);
  await by.last().answer(one(2));
  expect(by.cache.known('things').problem).toBeUndefined();
});

test('a read that has failed says when it is tried again, and why it failed until that has ended', async () => {
  const by = cacheByHand();
  const known = () => by.cache.known('things');
  watching(by);
  expect(known()).toMatchObject({ asking: true, askedAt: by.clock.now() });
  await by.last().refuse('no answer');
  const failed = { problem: { text: 'no answer' }, nextAt: by.clock.now() + 22_500 };
  expect(known()).toMatchObject({ ...failed, asking: false });
  expect(known().askedAt).toBeUndefined();
  await by.clock.passes(22_500);
  expect(known()).toMatchObject({ problem: failed.problem, asking: true, askedAt: by.clock.now() });
  expect(known().nextAt).toBeUndefined();
  await by.last().answer(one(1));
  expect(known()).not.toHaveProperty('problem');
  await by.clock.passes(15_000);
  expect(known()).not.toHaveProperty('askedAt');
  await by.last().refuse('gone');
  await by.clock.passes(22_500);
  // The rows stand there: that they are read again is no news.
  expect(known()).not.toHaveProperty('askedAt');
});

test('no poll is sent while polling is paused or the rate limit holds it back', async () => {
  const by = cacheByHand();
  watching(by);
  await by.last().answer(one(1));
  by.cache.pause(true);
  await by.clock.passes(120_000);
  expect(by.reads).toHaveLength(1);
  by.cache.pause(false);
  await settled();
  expect(by.reads).toHaveLength(2);
  await by.last().answer(one(1));
  by.budget.holdBack = 1;
  await by.clock.passes(120_000);
  expect(by.reads).toHaveLength(2);
  by.budget.holdBack = 0;
  await by.clock.passes(60_000);
  expect(by.reads).toHaveLength(3);
});

test('an edit makes questions of its kinds stale, watched or not, and no others', async () => {
  const by = cacheByHand();
  watching(by);
  by.cache.watch(question('others', ['other']), { everyMs: 15_000 }, () => {});
  const away = by.cache.ask(question('away'));
  for (const read of [...by.reads]) if (read.key !== 'others') await read.answer(one(1));
  await away;
  const { at } = by.cache.known('away');
  by.cache.changed(['thing']);
  await settled();
  // It is as old as it was: a time of its own would be that of no read.
  expect(by.cache.known('away').at).toBe(at);
  expect(at).toBe(by.clock.now());
  expect(by.reads.map((read) => read.key)).toEqual(['things', 'others', 'away', 'things']);
  expect(by.reads[1]?.signal.aborted).toBe(false);
  await by.reads[1]?.answer(one(1));
  void by.cache.ask(question('away'));
  expect(by.last().key).toBe('away');
});

test('what becomes stale again while it is read is read once more', async () => {
  const by = cacheByHand();
  const reads = async () => {
    void by.cache.ask(question('away'));
    await by.last().answer(one(1));
    return by.reads.length;
  };
  expect(await reads()).toBe(1);
  by.cache.changed(['thing']);
  void by.cache.ask(question('away'));
  by.cache.changed(['thing']);
  expect([await reads(), await reads(), await reads()]).toEqual([2, 3, 3]);
});

test('an overlay changes the version, watched rows or not', () => {
  const { cache } = cacheByHand();
  const before = cache.version();
  cache.overlays.lay('things', 'a', () => undefined);
  expect(cache.version()).not.toBe(before);
});

test('a plan that throws fails its read with a sentence', async () => {
  const by = cacheByHand();
  const broken: CachedRead<Things> = {
    key: 'broken',
    of: [],
    plan: () => {
      throw new Error('no such field');
    },
  };
  const { problem, value } = await by.cache.ask(broken);
  expect(problem?.text).toMatch(/cannot be read.*no such field/);
  expect(value).toBeUndefined();
});

test('watchers are told when a first read begins, of its pages and its end, and of overlays, until the cache closes', async () => {
  const by = cacheByHand();
  const count = { told: 0 };
  by.cache.watch(question(), { everyMs: 15_000 }, () => {
    count.told += 1;
  });
  const told = async (act: () => unknown) => {
    const before = count.told;
    await act();
    return count.told - before;
  };
  expect(await told(() => by.last().partial(one(1)))).toBe(1);
  expect(await told(() => by.last().answer(one(1)))).toBe(1);
  expect(await told(() => by.cache.overlays.lay('things', 'a', () => undefined))).toBe(1);
  // Rows that are there are read again in silence: each poll would be one more frame.
  expect(await told(() => by.clock.passes(15_000))).toBe(0);
  expect(await told(() => by.last().answer(one(2)))).toBe(1);
  by.cache.close();
  expect(by.clock.waiting()).toBe(0);
  expect(await told(() => by.cache.overlays.lay('things', 'a', () => undefined))).toBe(0);
});

test('what an earlier run knew is shown as such until the first page arrives, and not kept for ever', async () => {
  const by = cacheByHand();
  const versions = [by.cache.version()];
  for (const key of ['things', 'unused']) by.cache.seed(key, one(1), 5);
  versions.push(by.cache.version());
  by.cache.changed([]);
  versions.push(by.cache.version());
  expect(new Set(versions).size).toBe(3);
  by.cache.seed('things', one(9), 6);
  expect(by.cache.known('things')).toMatchObject({ value: one(1), at: 5, isFromSnapshot: true, partial: false });
  watching(by);
  by.last().partial(one(2));
  expect(by.cache.known('things').isFromSnapshot).toBeUndefined();
  by.cache.seed('things', one(3), 6);
  await by.last().answer(one(2));
  expect(by.shown()).toEqual(one(2));
  await by.clock.passes(longestUnwatched);
  await by.last().answer(one(2));
  expect(by.cache.known('unused').value).toBeUndefined();
});

test('two watchers of a question share its polls: as often as either wants, until both have stopped', async () => {
  const by = cacheByHand();
  const stops = [watching(by, 60_000), watching(by, 30_000), watching(by, 60_000)];
  await by.last().answer(one(1));
  await by.clock.passes(30_000);
  expect(by.reads).toHaveLength(2);
  await by.last().answer(one(1));
  stops[0]?.();
  stops[2]?.();
  await by.clock.passes(30_000);
  expect(by.reads).toHaveLength(3);
  await by.last().answer(one(1));
  // A refresh, and an edit of its kind, begin the wait anew: one timer stays.
  by.cache.refresh();
  await by.last().answer(one(1));
  by.cache.changed(['thing']);
  await settled();
  await by.last().answer(one(1));
  expect([by.reads.length, by.clock.waiting()]).toEqual([5, 1]);
  await by.clock.passes(30_000);
  expect(by.reads).toHaveLength(6);
  await by.last().answer(one(1));
  stops[1]?.();
  expect(by.clock.waiting()).toBe(0);
});

test('an unused entry is taken out once', () => {
  const clock = { now: 0 };
  const uses = createUses(() => clock.now);
  uses.touch('a');
  clock.now = longestUnwatched;
  expect([uses.expired(() => false), uses.expired(() => false)]).toEqual([['a'], []]);
});

/** Events of a row when polls and edits overlap. */
const step = fc.oneof(
  fc.constant({ do: 'edit' as const }),
  fc.constant({ do: 'applied' as const }),
  fc.record({ do: fc.constant('confirmed' as const), isTold: fc.boolean() }),
  fc.constant({ do: 'refused' as const }),
  fc.record({ do: fc.constant('answer' as const), isOld: fc.boolean() }),
  fc.record({ do: fc.constant('passes' as const), ms: fc.integer({ min: 10_000, max: 40_000 }) }),
);

test('in any order of polls and edits, a row shows the last edit and never an older value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const by = cacheByHand();
      watching(by);
      await by.last().answer(one(0));
      /** The service's value, its value when the pending read began, and the pending edit. */
      const service = { count: 0, atBegin: 0, reads: 1 };
      let edit: { readonly token: number; readonly to: number; isApplied: boolean } | undefined;
      let next = 0;
      for (const event of steps) {
        if (event.do === 'edit' && !edit) {
          next += 1;
          const to = next;
          edit = {
            token: by.cache.overlays.lay('things', 'a', (row) => ({ ...(row as Thing), count: to })),
            to,
            isApplied: false,
          };
        }
        if (event.do === 'applied' && edit) {
          edit.isApplied = true;
          service.count = edit.to;
        }
        if (event.do === 'confirmed' && edit?.isApplied) {
          const { to } = edit;
          by.cache.overlays.settle(edit.token, (row) => ({ ...(row as Thing), count: to }));
          edit = undefined;
          if (event.isTold) by.cache.changed(['thing']);
          await settled();
        }
        if (event.do === 'refused' && edit && !edit.isApplied) {
          by.cache.overlays.lift(edit.token);
          edit = undefined;
        }
        if (event.do === 'answer' && by.cache.known('things').asking)
          await by.last().answer(one(event.isOld ? service.atBegin : service.count));
        if (event.do === 'passes') await by.clock.passes(event.ms);
        if (by.reads.length > service.reads) Object.assign(service, { reads: by.reads.length, atBegin: service.count });
        expect(by.shown()).toEqual(one(edit?.to ?? service.count));
      }
    }),
    { numRuns: runs(300) },
  );
});

test('an unwatched entry is removed after half an hour without use, or when 60 others were used since', async () => {
  const by = cacheByHand();
  const has = (key: string) => by.cache.known(key).value !== undefined;
  const open = async (key: string) => {
    const asked = by.cache.ask(question(key));
    await by.last().answer(one(1));
    await asked;
  };
  by.cache.pause(true);
  const stop = by.cache.watch(question('kept'), { everyMs: 15_000 }, () => {});
  await by.last().answer(one(1));
  await open('first');
  for (let at = 1; at < mostUnwatched; at += 1) await open(`detail ${at}`);
  expect([has('kept'), has('detail 1'), has('first')]).toEqual([true, true, true]);
  await open('one more');
  expect([has('detail 1'), has('detail 2'), has('first'), has('kept')]).toEqual([true, false, true, true]);
  // Nothing of it is left, not even when it was read.
  expect(by.cache.known('detail 2')).toEqual({ asking: false, partial: false });

  await by.clock.passes(longestUnwatched - 1);
  expect(has('first')).toBe(true);
  await by.clock.passes(1);
  await open('another');
  expect([has('first'), has('one more'), has('kept')]).toEqual([true, false, true]);

  stop();
  await by.clock.passes(longestUnwatched);
  await open('the last');
  expect([has('kept'), has('first')]).toEqual([false, false]);
  void by.cache.ask(question('kept'), 3_600_000);
  expect(by.last().key).toBe('kept');
});

test('a poll that tells the same keeps the answer; one that changes a row keeps the others', async () => {
  const by = cacheByHand();
  watching(by);
  const rows = (count: number) => [
    { id: 'a', count },
    { id: 'b', count: 1 },
  ];
  const value = () => by.cache.known<Things>('things').value;
  await by.last().answer(rows(1));
  const first = value();
  await by.clock.passes(15_000);
  await by.last().answer(rows(1));
  expect(by.reads).toHaveLength(2);
  expect(value()).toBe(first);
  await by.clock.passes(15_000);
  await by.last().answer(rows(2));
  expect(value()).toStrictEqual(rows(2));
  expect(value()?.[1]).toBe(first?.[1]);
  // A new row on top moves them, and they are still the same.
  const [a, b] = value() ?? [];
  await by.clock.passes(15_000);
  await by.last().answer([{ id: 'new', count: 1 }, ...rows(2)]);
  expect([value()?.[1] === a, value()?.[2] === b]).toEqual([true, true]);
});

test('keys have their turn while a large answer is compared', async () => {
  const by = cacheByHand();
  watching(by);
  const rows = (count: number) => Array.from({ length: 40_000 }, (_, at) => ({ id: String(at), count }));
  await by.last().answer(rows(1));
  await by.clock.passes(15_000);
  const seen: (number | undefined)[] = [];
  const look = () => seen.push(by.cache.known<Things>('things').value?.[0]?.count);
  setImmediate(look);
  await by.last().answer(rows(2));
  await expect.poll(() => by.cache.known<Things>('things').value?.[0]?.count).toBe(2);
  expect(seen).toStrictEqual([1]);
});
