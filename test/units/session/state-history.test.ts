import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isFlapping, type SeenState, seenCourse } from '../../../src/describe/context.ts';
import { snapshotSchema } from '../../../src/session/outside/saved-session.ts';
import { createStateHistory } from '../../../src/session/watch/arrivals.ts';
import { bareList } from '../../support/things.ts';

interface Lamp {
  readonly id: string;
  readonly red: number;
}
const tracks = ({ red }: Lamp): SeenState => ({ word: red > 0 ? 'ALERT' : 'OK', level: red });
const lamps = bareList<Lamp>({ id: 'lamps', nameOf: ({ id }) => `lamp ${id}`, tracks });
const minute = 60_000;
const start = Date.UTC(2026, 4, 6, 14, 57);
const lit = (red: number, id = 'a'): Lamp => ({ id, red });

test('each change of a state between two reads is kept with its time; what another read shows again is not', () => {
  const history = createStateHistory([]);
  const same = lit(3, 'b');
  history.read(lamps, 'all', [lit(0), same], start);
  history.read(lamps, 'all', [lit(2), same, lit(1, 'new')], start + minute);
  history.read(lamps, 'home', [lit(0)], start + minute);
  history.read(lamps, 'home', [lit(2)], start + 2 * minute);
  history.read(lamps, 'all', [lit(0)], start + 2 * minute);
  expect(history.of('lamps').spans).toEqual([[start, start + 2 * minute]]);
  expect(history.of('lamps').changes.map(({ at, name, from, to }) => [at - start, name, from.word, to.word])).toEqual([
    [minute, 'lamp a', 'OK', 'ALERT'],
    [2 * minute, 'lamp a', 'ALERT', 'OK'],
  ]);
});

test('nothing is said of a time without reads, and a day later nothing is left', () => {
  const history = createStateHistory([]);
  history.read(lamps, 'all', [lit(0)], start);
  history.read(lamps, 'all', [lit(1)], start + 20 * minute);
  expect(history.of('lamps')).toEqual({
    spans: [
      [start, start],
      [start + 20 * minute, start + 20 * minute],
    ],
    changes: [],
  });
  history.read(lamps, 'all', [lit(0)], start + 21 * minute);
  expect(history.of('lamps').changes).toHaveLength(1);
  history.read(lamps, 'all', [lit(1)], start + 25 * 60 * minute);
  expect(history.of('lamps')).toEqual({ spans: [[start + 25 * 60 * minute, start + 25 * 60 * minute]], changes: [] });
});

test('what was seen is kept with the snapshot and goes on after a restart', () => {
  const first = createStateHistory([]);
  first.read(lamps, 'all', [lit(0)], start);
  first.read(lamps, 'all', [lit(1)], start + minute);
  const file = [{ list: 'lamps', key: 'all', at: start, rows: [], seen: first.of('lamps') }];
  const second = createStateHistory(v.parse(snapshotSchema, JSON.parse(JSON.stringify(file))));
  expect(second.of('lamps')).toEqual(first.of('lamps'));
});

test('a course shows how many groups notify over time, with a blank where nothing was read', () => {
  const context = { now: start + 24 * minute, zone: 'UTC', ascii: true };
  const at = (after: number, from: number, to: number) => ({
    ...{ at: start + after * minute, id: 'a', name: 'a' },
    ...{ from: tracks(lit(from)), to: tracks(lit(to)) },
  });
  const seen = {
    spans: [[start, start + 9 * minute] as const, [start + 12 * minute, start + 24 * minute] as const],
    changes: [at(4, 0, 1), at(14, 1, 2)],
  };
  expect(seenCourse(seen, context)).toBe('14:57 ___=======  =########### 15:21');
  // The last place is the present one, whatever was read.
  const early = { ...seen, spans: seen.spans.slice(0, 1) };
  expect(seenCourse(early, context)).toBe('14:57 ___=======             # 15:21');
  expect(seenCourse({ ...seen, changes: [] }, context)).toBeUndefined();
});

test('four changes within an hour are flapping; three are not, nor are changes of the level alone', () => {
  const history = createStateHistory([]);
  const flips = (...reds: number[]) => {
    for (const [at, red] of reds.entries()) history.read(lamps, 'all', [lit(red)], start + at * minute);
    return isFlapping(history.of('lamps'), start + reds.length * minute);
  };
  expect(flips(0, 1, 2, 3, 4, 0, 1)).toBe(false);
  expect(isFlapping(history.of('lamps'), start + 7 * minute)).toBe(false);
  for (const [at, red] of [0, 1, 0].entries()) history.read(lamps, 'all', [lit(red)], start + (8 + at) * minute);
  expect(isFlapping(history.of('lamps'), start + 12 * minute)).toBe(true);
  expect(isFlapping(history.of('lamps'), start + 120 * minute)).toBe(false);
});
