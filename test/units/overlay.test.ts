import { expect, test } from 'vitest';
import { createOverlays } from '../../src/cache/entries.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

function overlays() {
  const startedAt = new Map<string, number>();
  const overlay = createOverlays({ startedAt: (key) => startedAt.get(key) ?? 0, changed: () => {} });
  const rows: readonly Row[] = [
    { id: 'a', state: 'OPEN' },
    { id: 'b', state: 'OPEN' },
  ];
  const seen = (from = rows) =>
    overlay.over('list', ['issues'], from, (row) => row.id).map((row) => `${row.id}:${row.state}`);
  const as = (state: string) => (row: unknown) => ({ ...(row as Row), state });
  return { overlay, rows, seen, as, startedAt };
}

test('an edit is shown at once and removed when it fails', () => {
  const { overlay, seen, as } = overlays();
  const token = overlay.lay('issues', 'a', as('RESOLVED'));
  expect(seen()).toEqual(['a:RESOLVED', 'b:OPEN']);
  expect([...overlay.pending()]).toEqual(['a']);
  overlay.lift(token);
  expect(seen()).toEqual(['a:OPEN', 'b:OPEN']);
});

test('a read begun before the confirmation does not restore the old row; a later read replaces it', () => {
  const { overlay, seen, as, startedAt } = overlays();
  const early = overlay.turn();
  const token = overlay.lay('issues', 'a', as('RESOLVED'));
  overlay.settle(token, as('RESOLVED'));
  startedAt.set('list', early);
  expect(seen()).toEqual(['a:RESOLVED', 'b:OPEN']);
  startedAt.set('list', overlay.turn());
  expect(seen()).toEqual(['a:OPEN', 'b:OPEN']);
});

test('a removed row disappears; other lists and unchanged rows keep their identity', () => {
  const { overlay, rows, seen } = overlays();
  overlay.lay('issues', 'a', () => undefined);
  expect(seen()).toEqual(['b:OPEN']);
  expect(overlay.over('other', ['monitors'], rows, (row) => row.id)).toBe(rows);
  const once = overlay.over('list', ['issues'], rows, (row) => row.id);
  expect(once[0]).toBe(rows[1]);
  expect(overlay.over('list', ['issues'], rows, (row) => row.id)).toBe(once);
});

test('confirmed edits of one row accumulate until a read includes them', () => {
  const { overlay, rows } = overlays();
  const seen = () => overlay.over('list', ['issues'], rows, (row) => row.id)[0];
  for (const change of [{ state: 'RESOLVED' }, { who: 'kim' }]) {
    const look = (row: unknown) => ({ ...(row as Row), ...change });
    overlay.settle(overlay.lay('issues', 'a', look), look);
  }
  expect(seen()).toEqual({ id: 'a', state: 'RESOLVED', who: 'kim' });
});

test('a permanently removed row is known as removed', () => {
  const { overlay, seen } = overlays();
  overlay.settle(
    overlay.lay('issues', 'a', () => undefined),
    undefined,
  );
  expect(seen()).toEqual(['b:OPEN']);
  expect([...overlay.removed('issues')]).toEqual(['a']);
  expect([...overlay.removed('monitors')]).toEqual([]);
});

test('of confirmed edits that no read has included the last 5,000 are laid over, and every one that is not confirmed', () => {
  const { overlay, as } = overlays();
  const rows = Array.from({ length: 5_002 }, (_, at) => ({ id: String(at), state: 'OPEN' }));
  const open = overlay.lay('issues', '0', as('RESOLVED'));
  const settle = (id: number) => overlay.settle(overlay.lay('issues', String(id), as('RESOLVED')), as('RESOLVED'));
  const stale = () =>
    overlay
      .over('list', ['issues'], rows, ({ id }) => id)
      .filter(({ state }) => state === 'OPEN')
      .map(({ id }) => id);
  for (let id = 1; id <= 5_001; id += 1) settle(id);
  expect(stale()).toEqual([]);
  overlay.settle(open, as('RESOLVED'));
  expect(stale()).toEqual(['0', '1']);
});
