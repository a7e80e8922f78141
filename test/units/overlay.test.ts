import { expect, test } from 'vitest';
import { createOverlays } from '../../src/cache/overlay.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

function overlays() {
  const begun = new Map<string, number>();
  const it = createOverlays({ begun: (key) => begun.get(key) ?? 0, changed: () => {} });
  const rows: readonly Row[] = [
    { id: 'a', state: 'OPEN' },
    { id: 'b', state: 'OPEN' },
  ];
  const seen = (from = rows) =>
    it.over('list', ['issues'], from, (row) => row.id).map((row) => `${row.id}:${row.state}`);
  const as = (state: string) => (row: unknown) => ({ ...(row as Row), state });
  return { it, rows, seen, as, begun };
}

test('an edit shows at once and is gone when it did not happen', () => {
  const { it, seen, as } = overlays();
  const token = it.lay('issues', 'a', as('RESOLVED'));
  expect(seen()).toEqual(['a:RESOLVED', 'b:OPEN']);
  expect([...it.pending()]).toEqual(['a']);
  it.lift(token);
  expect(seen()).toEqual(['a:OPEN', 'b:OPEN']);
});

test('a read that began before the confirmation cannot bring the old row back; a later one brings the truth', () => {
  const { it, seen, as, begun } = overlays();
  const early = it.turn();
  const token = it.lay('issues', 'a', as('RESOLVED'));
  it.settle(token, as('RESOLVED'));
  begun.set('list', early);
  expect(seen()).toEqual(['a:RESOLVED', 'b:OPEN']);
  begun.set('list', it.turn());
  expect(seen()).toEqual(['a:OPEN', 'b:OPEN']);
});

test('a removed row leaves; other lists are not touched; unchanged rows stay the same objects', () => {
  const { it, rows, seen } = overlays();
  it.lay('issues', 'a', () => undefined);
  expect(seen()).toEqual(['b:OPEN']);
  expect(it.over('other', ['monitors'], rows, (row) => row.id)).toBe(rows);
  const once = it.over('list', ['issues'], rows, (row) => row.id);
  expect(once[0]).toBe(rows[1]);
  expect(it.over('list', ['issues'], rows, (row) => row.id)).toBe(once);
});

test('confirmed edits of one row add up until a read knows them', () => {
  const { it, rows } = overlays();
  const seen = () => it.over('list', ['issues'], rows, (row) => row.id)[0];
  for (const change of [{ state: 'RESOLVED' }, { who: 'kim' }]) {
    const look = (row: unknown) => ({ ...(row as Row), ...change });
    it.settle(it.lay('issues', 'a', look), look);
  }
  expect(seen()).toEqual({ id: 'a', state: 'RESOLVED', who: 'kim' });
});

test('a row that is gone for good is known as such', () => {
  const { it, seen } = overlays();
  it.settle(
    it.lay('issues', 'a', () => undefined),
    undefined,
  );
  expect(seen()).toEqual(['b:OPEN']);
  expect([...it.removed('issues')]).toEqual(['a']);
  expect([...it.removed('monitors')]).toEqual([]);
});
