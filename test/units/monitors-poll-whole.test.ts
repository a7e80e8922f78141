import { describe, expect, test } from 'vitest';
import { type Found, rest, restRows, whilePolled } from '../support/polled-list.ts';

const wholeRead = [1000, 1000, 1000];

describe('the whole list is polled', () => {
  test('where it has two pages', () =>
    whilePolled({ monitors: 2000 }, async ({ polls }) => {
      const [whole, next] = [await polls(), await polls()];
      expect(whole).toEqual(next);
      expect(whole.slice(0, 2)).toEqual([1000, 1000]);
    }));

  test('where there is no search', () =>
    whilePolled({ from: (service) => service.withdraws(['monitors.search']) }, async ({ polls }) => {
      expect(await polls()).toEqual(['search', ...wholeRead]);
      expect(await polls(2)).toEqual([...wholeRead, ...wholeRead]);
    }));

  test('where the search refuses, for ten minutes', () =>
    whilePolled(
      { from: (service) => service.refuses(400, { match: 'monitors.search', times: 99 }) },
      async ({ service, polls }) => {
        expect(await polls()).toEqual(['search', ...wholeRead]);
        expect(await polls()).toEqual(wholeRead);
        service.recovers();
        await polls(1, 10 * 60_000);
        expect(await polls()).toEqual(wholeRead);
        expect(await polls()).toEqual(['search', restRows]);
      },
    ));

  test('where the search lacks what alerts, twice', async () => {
    const found = { now: (body: Found) => body };
    await whilePolled({ finds: (body) => found.now(body) }, async ({ service, ids, polls, stateOf }) => {
      const id = ids.at(-1) as string;
      service.turns(id, 'Alert');
      await polls();
      found.now = () => ({ monitors: [], metadata: { total_count: 0 } });
      expect(await polls()).toEqual(['search', 1, restRows]);
      found.now = (body) => body;
      expect(await polls()).toEqual(['search', rest(1)]);
      found.now = () => ({ monitors: [], metadata: { total_count: 0 } });
      expect(await polls(2)).toEqual(['search', 1, restRows, 'search', 1, ...wholeRead]);
      expect(await polls()).toEqual(wholeRead);
      expect(stateOf(id)).toBe('Alert');
    });
  });

  test('not where a poll could not reach the service', () =>
    whilePolled({}, async ({ service, polls, known }) => {
      service.refuses(503, { match: 'monitors.search', times: 9 });
      await polls();
      expect(known()).toMatchObject({ problem: { kind: 'unreachable' } });
      expect(service.received('GET', 'monitor?')).toEqual([]);
      service.recovers();
      await polls(2);
      expect(known().problem).toBeUndefined();
    }));
});
