import { describe, expect, test } from 'vitest';
import type { MonitorRow } from '../../screens/monitors/row.ts';
import { pollsAMinute, rest, restRows, whilePolled } from '../support/polled-list.ts';

describe('a list of more than two pages', () => {
  test('shows with the next poll what alerts, and what is OK again, although their pages are not read', () =>
    whilePolled({}, async ({ service, ids, polls, stateOf, rows }) => {
      const before = rows();
      const [one, other] = [ids.at(-1), ids.at(-2)] as [string, string];
      service.turns(one, 'Alert');
      service.turns(other, 'No Data');
      expect(await polls()).toEqual(['search', 1, 1, rest(2)]);
      expect([one, other].map(stateOf)).toEqual(['Alert', 'No Data']);
      expect(rows().filter((row, at) => row !== before[at])).toHaveLength(2);
      service.turns(one, 'OK');
      expect(await polls()).toEqual(['search', 1, rest(1)]);
      expect([one, other].map(stateOf)).toEqual(['OK', 'No Data']);
      expect(await polls()).toEqual(['search', rest(1)]);
    }));

  test('asks for 8 pages and no more than 1,200 rows a minute, and tells how old the oldest rows are', () =>
    whilePolled({}, async ({ polls, known }) => {
      const readAt = known().at as number;
      const asked = await polls(pollsAMinute);
      expect(asked).toEqual(Array.from({ length: pollsAMinute }, () => ['search', restRows]).flat());
      expect(known().value?.oldestAt).toBe(readAt);
      await polls(2 * pollsAMinute);
      expect(known().value?.oldestAt).toBeGreaterThan(readAt);
    }));

  test('loses with the rotation what was deleted, at once where it alerted, and has what was made', () =>
    whilePolled({}, async ({ service, ids, polls, stateOf, rows }) => {
      const [first, middle, alerting] = [ids[3], ids[1200], ids[2000]] as [string, string, string];
      service.turns(alerting, 'Alert');
      await polls();
      expect(stateOf(alerting)).toBe('Alert');
      for (const id of [first, middle, alerting]) service.org.monitors.delete(id);
      const made = service.has('monitor', { id: Number(ids.at(-1)) + 1, name: 'Made', overall_state: 'OK' });
      service.turns(made, 'OK');
      await polls();
      expect([first, middle, alerting].map(stateOf)).toEqual(['OK', 'OK', undefined]);
      await polls(Math.ceil((2 * 2005) / restRows));
      expect([first, middle, alerting].map(stateOf)).toEqual([undefined, undefined, undefined]);
      expect(stateOf(made)).toBe('OK');
      expect(
        rows()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual([...service.org.monitors.keys()].toSorted());
    }));

  test('shows of many that alert or are OK at once the state that the search tells, and reads ten a poll', () =>
    whilePolled({}, async ({ service, ids, polls, stateOf, rows }) => {
      const many = ids.slice(-25);
      for (const id of many) service.turns(id, 'Alert');
      expect(await polls()).toEqual(['search', ...Array(10).fill(1), rest(25)]);
      expect(many.map(stateOf)).toEqual(many.map(() => 'Alert'));
      const isWhole = ({ id, groups }: MonitorRow) => many.includes(id) && groups.red.length > 0;
      expect(rows().filter(isWhole)).toHaveLength(10);
      await polls(6);
      expect(rows().filter(isWhole)).toHaveLength(25);
      expect((await polls()).filter((size) => size === 1)).toEqual([]);
      await polls(pollsAMinute);
      for (const id of many) service.turns(id, 'OK');
      expect(await polls()).toEqual(['search', ...Array(10).fill(1), 'search', restRows]);
      expect(many.map(stateOf)).toEqual(many.map(() => 'OK'));
      await polls(6);
      expect(rows().filter(isWhole)).toEqual([]);
    }));

  test('is polled less often while so many alert that the search alone takes what a minute may', () =>
    whilePolled({}, async ({ service, ids, polls, stateOf, rows }) => {
      const storm = ids.slice(0, 950);
      for (const id of storm) service.turns(id, 'Alert');
      await polls();
      expect(storm.map(stateOf)).toEqual(storm.map(() => 'Alert'));
      const asked = await polls(4 * pollsAMinute);
      const searches = asked.filter((size) => size === 'search').length;
      const listed = asked.reduce<number>((sum, size) => sum + (size === 'search' ? 0 : size), 0);
      expect(searches).toBe(8);
      expect(searches * 950 * 700 + listed * 1750).toBeLessThan(4 * 2_000_000);
      // What a poll reads beyond its share is not read again by the next one: each page is the smallest.
      expect(new Set(asked.filter((size) => size !== 'search' && size > 1))).toEqual(new Set([100]));
      // What earlier minutes have left comes on top.
      expect(asked.length).toBeLessThanOrEqual(5 * 20);
      expect(rows()).toHaveLength(2005);
      for (const id of storm) service.turns(id, 'OK');
      // The search is asked for a hundred at a time that have left it.
      await polls(4 * pollsAMinute);
      expect(storm.map(stateOf)).toEqual(storm.map(() => 'OK'));
      expect((await polls(pollsAMinute)).filter((size) => size === 'search')).toHaveLength(pollsAMinute);
    }));

  test('reads once what has changed on the page that is next anyway', () =>
    whilePolled({}, async ({ service, ids, polls }) => {
      const all = [...service.org.monitors.values()];
      const isMember = (id: string) => all.some(({ type, query }) => type === 'composite' && query.includes(id));
      const next = ids.slice(0, 200).filter((id) => !isMember(id));
      for (const id of next.slice(0, 25)) service.turns(id, 'Alert');
      expect(await polls()).toEqual(['search', ...Array(10).fill(1), rest(25)]);
      expect(await polls()).toEqual(['search', rest(25)]);
    }));

  test('reads alone what an edit has told, and everything where a person asks or an edit is about more', () =>
    whilePolled({}, async ({ service, cache, ids, polls, answered, rows }) => {
      const id = ids.at(-1) as string;
      const edit = () =>
        cache.overlays.settle(
          cache.overlays.lay('monitors', id, (row) => row),
          (row) => row,
        );
      edit();
      cache.changed(['monitor'], 'monitors');
      const named = service.org.monitors.get(id) as { name: string };
      named.name = 'Renamed';
      expect(await polls()).toEqual(['search', 1, restRows]);
      expect(rows().find((row) => row.id === id)?.name).toBe('Renamed');
      expect(await polls()).toEqual(['search', restRows]);
      service.forgets();
      cache.changed(['downtime']);
      await answered();
      expect(service.received()).toHaveLength(3);
      expect(await polls()).toEqual(['search', restRows]);
      service.forgets();
      cache.refresh('whole');
      await answered();
      expect(service.received()).toHaveLength(3);
      service.forgets();
      cache.refresh();
      await answered();
      expect(service.received()).toHaveLength(2);
    }));
});
