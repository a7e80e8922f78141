import { expect, test } from 'vitest';
import type { Cache, Known } from '../../../src/cache/cache.ts';
import type { Derivation, Feed } from '../../../src/describe/derived.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import { createFeeding } from '../../../src/session/derived/feeding.ts';
import { contextOf } from '../../support/plans.ts';

const context = contextOf();

/** A feed with this key, which reads nothing. */
const feed = (key: string, more: Partial<Feed> = {}): Feed => ({
  source: () => ({ key, of: [], plan: never }),
  ...more,
});
const never = () => {
  throw new Error('nothing is read here');
};
const feeds = { main: feed('main'), first: feed('first', { spare: true }), second: feed('second', { spare: true }) };
const derivation: Derivation<unknown> = { feeds, rows: () => [] };

/** The feeding over a cache that holds these entries. */
function feeding(entries: Record<string, Partial<Known<unknown>>>, hasRoom = true) {
  const known = (key: string) => ({ asking: false, partial: false, ...entries[key] });
  return createFeeding({
    cache: { known } as unknown as Cache,
    hasRoom: () => hasRoom,
    journal: async () => [],
    now: () => 500,
    changed: () => {},
  });
}
const due = (entries: Record<string, Partial<Known<unknown>>>, hasRoom?: boolean) =>
  feeding(entries, hasRoom)
    .due(derivation, context)
    .map(([name]) => name);
const read = { value: { rows: [] } };

test('what can wait is read after the main feeds, one after the other, also where one fails', () => {
  expect(due({})).toEqual(['main']);
  expect(due({ main: { ...read, partial: true } })).toEqual(['main']);
  expect(due({ main: read })).toEqual(['main', 'first']);
  expect(due({ main: read, first: { problem: { kind: 'forbidden', text: 'no', messages: [] } } })).toEqual([
    'main',
    'first',
    'second',
  ]);
});

test('while the rate limits are tight, what can wait waits', () => {
  expect(due({ main: read }, false)).toEqual(['main']);
});

test('what two reads in a row show to have changed is kept, newest first', () => {
  const list = { id: 'home' } as AnyList;
  const entries: Record<string, Partial<Known<unknown>>> = {};
  const place = { list: 'monitors' };
  const watched = feed('main', {
    changes: (before, after) => [
      { what: `${before[0]}-${after[0]}`, name: 'm', place, at: after[0] === 3 ? 400 : undefined },
    ],
  });
  const { follow, changes } = feeding(entries);
  for (const row of [1, 2, 3]) {
    entries.main = { value: { rows: [row] } };
    follow(list, 'main', watched, context);
    // The same rows again are no change.
    follow(list, 'main', watched, context);
  }
  expect(changes('home').map(({ what, at }) => [what, at])).toEqual([
    ['1-2', 500],
    ['2-3', 400],
  ]);
});
