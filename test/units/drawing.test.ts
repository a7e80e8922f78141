import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { Context } from '../../src/describe/context.ts';
import { paint } from '../../src/lib/paint.ts';
import { headerLine } from '../../src/scene/edge-lines.ts';
import { layoutColumns } from '../../src/scene/list-lines.ts';
import { framedLines } from '../../src/scene/scene.ts';
import { typing } from '../../src/scene/span.ts';
import { detailFoot } from '../../src/shell/detail-block.ts';
import { freshSpans, profileSpans, tabStrip } from '../../src/shell/header.ts';
import { tableRow } from '../../src/shell/list-block.ts';
import { underWayBlocks } from '../../src/shell/scene.ts';
import { strip, textOf, textsOf, theme } from '../support/line-examples.ts';
import { runs } from '../support/runs.ts';

describe('a table', () => {
  const shape = fc.record({
    min: fc.integer({ min: 1, max: 20 }),
    extra: fc.nat(30),
    content: fc.nat(60),
    priority: fc.integer({ min: 1, max: 6 }),
  });
  const shapes = fc
    .tuple(fc.array(shape, { minLength: 1, maxLength: 10 }), fc.nat(9))
    .map(([all, at]) =>
      all.map(({ extra, ...column }, index) => ({ ...column, max: column.min + extra, flex: index === at })),
    );

  test('its columns fit into the width, none of them wider than it needs but the flex column', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 250 }), fc.nat(12), (all, width, hscroll) => {
        const placed = layoutColumns(all, width, hscroll);
        const total = placed.reduce((sum, { width, gap }) => sum + width + gap, 0);
        expect(total).toBeLessThanOrEqual(width);
        for (const { index, width, gap } of placed) {
          const { min, max, content, flex } = all[index] as (typeof all)[number];
          expect(gap).toBe(index === placed[0]?.index ? 0 : Math.max(1, Math.min(2, gap)));
          // Over its `max` only where the flex column has all that its content needs.
          const hasAll = placed.some(({ index, width }) => all[index]?.flex && width >= (all[index]?.content ?? 0));
          if (!flex) expect(width).toBeLessThanOrEqual(Math.max(1, hasAll ? content : Math.min(max, content)));
          else expect(width).toBeLessThanOrEqual(Math.max(44, min, max, content + 24));
        }
      }),
    );
  });

  test('no column of it is narrower in a greater width, and none leaves', () => {
    fc.assert(
      // In less than two cells a column, columns have to leave for others.
      fc.property(shapes, fc.integer({ min: 20, max: 250 }), (all, width) => {
        const wider = new Map(layoutColumns(all, width + 1, 0).map((placed) => [placed.index, placed.width]));
        for (const { index, width: before } of layoutColumns(all, width, 0))
          expect(wider.get(index) ?? 0).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

test('a long name leaves the badge and the screens their room', () => {
  const profile = { name: 'a-name-that-is-as-long-as-a-line', environment: 'prod', production: true };
  const [name, badge] = profileSpans({ profile: { ...profile, readOnly: false, pollMs: 1 } }, theme);
  expect([name?.text, badge?.text]).toEqual([' a-name-that-is-as-long-… ', '▌PROD▐']);
});

test('rows of an earlier run are stale with their age, however young, until they have been read', () => {
  const polls = { idle: 1, slowdown: 1, refusals: 0 };
  const says = (known: object) => {
    const now = {
      state: { messages: [], underWay: [] },
      view: { read: known, list: {} },
      context: { now: 100_000, zone: 'UTC' },
    };
    const standing = { budgets: [], profile: { pollMs: 15_000 }, ...polls };
    return textOf(freshSpans(standing as never, now as never, theme));
  };
  const failed = (text: string, more: object = {}) => ({ problem: { kind: 'unreachable', text, ...more } });
  const told: readonly (readonly [known: object, text: string, more?: Partial<typeof polls>])[] = [
    [{ at: 95_000 }, '● live 15s'],
    [{ at: 40_000 }, '○ stale 1m'],
    [{ at: 95_000, value: { oldestAt: 54_000 } }, '● live 15s, rest 46s'],
    [{ at: 95_000, value: { oldestAt: 55_000 } }, '● live 15s'],
    [{ at: 95_000, value: { everyMs: 34_000 } }, '● live 34s'],
    // Polls are rarer while nobody presses a key, and rows no staler for it.
    [{ at: 40_000 }, '● live 1m', { idle: 4 }],
    // Nor where many share the rate limit.
    [{ at: 40_000 }, '● live 45s', { idle: 1, slowdown: 3 }],
    [{ at: 95_000, isFromSnapshot: true }, '○ stale 5s', { slowdown: 1 }],
    // What answered is not offline, and one word is said once.
    [failed('a (connection refused)'), '✗ offline: connection refused'],
    [{ at: 95_000, ...failed('a broke (UND_ERR_SOCKET): b') }, '✗ offline: connection broke 5s'],
    [failed('a broke (ECONNRESET): b'), '✗ offline: connection broke'],
    [failed('b', { status: 503 }), '✗ server error 503'],
    [failed('b', { status: 302 }), '✗ redirected 302'],
    [failed('c', { kind: 'tooMany' }), '✗ throttled 6x', { refusals: 6 }],
    [{ at: 95_000, nextAt: 112_000, ...failed('c', { kind: 'tooMany' }) }, '✗ throttled 6x 5s, next 00:01:52'],
    [{ at: 95_000 }, '● live 15s throttled 6x'],
  ];
  for (const [known, text, more] of told) {
    Object.assign(polls, more);
    expect(says(known)).toBe(` ${text} `);
  }
});

test('the foot of a detail says why it is old, but not again what the message below says', () => {
  const says = (problem: object, flash?: object) => {
    const known = { problem: { kind: 'unreachable', text: 'broke (ECONNRESET): check the network' } };
    const now = { view: { read: known, listState: {} }, state: { flash } };
    return detailFoot(now as never, { whole: { problem, value: {} } } as never, theme).map(({ text }) => text);
  };
  expect(says({ kind: 'unreachable', text: 'broke: check the network' })).toEqual(['Details as last read']);
  expect(says({ kind: 'forbidden', text: 'Forbidden' })).toEqual(['Not refreshed: Forbidden']);
  expect(says({ kind: 'forbidden', text: 'Forbidden' }, { text: 'Forbidden' })).toEqual(['Details as last read']);
  expect(says({ kind: 'unreachable', text: 'broke' }, { text: 'Muted Disk' })).toEqual(['Not refreshed: broke']);
});

test('a field shows its cursor at any position, in exactly its width', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(anyText, fc.nat(45), fc.integer({ min: 1, max: 50 }), (text, cursor, width) => {
      const spans = typing({ text, cursor }, width, theme);
      return (
        spans.filter((span) => span.inverse).length === 1 &&
        spans.reduce((sum, span) => sum + stringWidth(span.text), 0) === width
      );
    }),
    { numRuns: runs(3000) },
  );
});

test('a row that is no longer listed says so in words: under the cursor no theme draws it dim', () => {
  const shape = [
    { id: 'st', title: 'ST', min: 3, priority: 1, text: () => 'OPN' },
    { id: 'name', title: 'NAME', min: 20, priority: 1, text: () => 'E01' },
  ];
  const drawn = (more: { readonly gone?: boolean; readonly watched?: boolean }) =>
    tableRow({}, 'e01', shape, {} as Context, { ...marks, ...more }).cells;
  const marks = { cursor: true, marked: false, fresh: false, pending: false };
  expect(drawn({})).toEqual(['OPN', 'E01']);
  expect(drawn({ gone: true })).toEqual(['OPN', '[gone] E01']);
  expect(drawn({ gone: true, watched: true })).toEqual(['OPN', '[gone] [w] E01']);
});

test('of all screens monitors alone notify', () => {
  const counts = () => ({ total: 1, needPerson: 1, fresh: 0, freshNeeds: 0 });
  const told = tabStrip({ screens }, { view: { screen: screens[0] }, counts } as never);
  expect(told.flatMap(({ name, notifies }) => (notifies ? [name] : []))).toEqual(['monitors']);
});

test('a screen that is polled at another pace moves no name of the strip', () => {
  const profile = [{ text: paint(' acme '), keep: true }];
  const namesBefore = (fresh: string, width: number) => {
    const right = [{ text: paint(` ${fresh} `) }];
    const drawn = textOf(headerLine({ profile, screens: strip, right, width, theme, host: paint('') }));
    return drawn.slice(0, drawn.indexOf(fresh)).trimEnd();
  };
  for (let width = 60; width < 120; width += 1)
    for (const fresh of ['● live 1m', '○ loading'])
      expect(namesBefore(fresh, width), `${width}`).toBe(namesBefore('● live 15s', width));
});

describe('the box of an edit that takes long', () => {
  const box = (edit: object, now = 4_000) => {
    const moment = { state: { underWay: [{ rows: 1, ended: 0, since: 0, ...edit }] }, context: { now } };
    const [block] = underWayBlocks(moment as never, { x: 0, y: 0, width: 60, height: 20 }, theme);
    return block && { y: block.y, lines: textsOf(framedLines(block, theme)) };
  };
  const rowsOf = { title: 'Resolve 6 issues', rows: 6, ended: 3 };
  const requests = { title: 'Create role', requests: ['create a role', 'grant a permission'] };

  test('says how far it is, how fast, and what its key does, at the foot of the body', () => {
    const shown = box(rowsOf);
    expect(shown?.y).toBe(16);
    expect(shown?.lines[0]).toMatch(/Resolve 6 issues ─+ 4s ┐/);
    expect(shown?.lines[1]).toMatch(/^│ {2}█{6}░{6} 50% {2}3 of 6, 45\/min, 4s left +│$/);
    expect(box({ ...rowsOf, ended: 5 })?.lines[1]).toContain('5 of 6, 1/s, 1s left');
    expect(shown?.lines[2]).toContain('Ctrl-X stops');
    expect(box({ ...rowsOf, isStopping: true })?.lines[2]).toContain('Stopping: waiting for rows already sent');
    expect(box({ ...rowsOf, ended: 0 })?.lines[1]).toMatch(/0 of 6 +│$/);
  });

  test('marks the requests of one edit that were answered, and the one under way', () => {
    expect(box(requests)?.lines.slice(1, 3)).toEqual([
      expect.stringMatching(/^│ {2}✓ create a role +│$/),
      expect.stringMatching(/^│ {2}▸ grant a permission +│$/),
    ]);
  });

  test('is not there for one request, nor for what is over within a second', () => {
    expect([box(rowsOf, 999), box({ title: 'Mute', requests: ['mute'] }), box({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
