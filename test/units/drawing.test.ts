import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { drawnLine } from '../../components/Lines.tsx';
import { screens } from '../../screens/index.ts';
import type { Tone } from '../../src/describe/column.ts';
import { condensed, type DetailLine, facts, gap, head, pair, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { firstLines, layoutLines } from '../../src/lib/detail-page.ts';
import { paint, paintLines } from '../../src/lib/paint.ts';
import { joinPainted, plain } from '../../src/lib/painted.ts';
import { themeNames } from '../../src/lib/setting-values.ts';
import { boardBlock, wholePieces } from '../../src/scene/board-block.ts';
import { headerLine, hintLine, stripSpans } from '../../src/scene/edge-lines.ts';
import type { FormField, FormProps } from '../../src/scene/form-lines.ts';
import { layoutColumns } from '../../src/scene/list-lines.ts';
import { framedLines, menuRows, wholeText } from '../../src/scene/scene.ts';
import { type Span, typing } from '../../src/scene/span.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { highlighter } from '../../src/session/rows/visible-list.ts';
import { detailFoot } from '../../src/shell/detail-block.ts';
import { freshSpans, profileSpans, tabStrip } from '../../src/shell/header.ts';
import { tableRow } from '../../src/shell/list-block.ts';
import { underWayBlocks } from '../../src/shell/scene.ts';
import {
  columns,
  detail,
  fields,
  linesOfForm,
  mono,
  rows,
  single,
  strip,
  tableLines,
  textOf,
  textsOf,
  theme,
} from '../support/line-examples.ts';
import { runs } from '../support/runs.ts';

/** A detail laid out, and a form at 60x8, as texts. */
const laid = (lines: readonly DetailLine[], width: number) => textsOf(layoutLines(lines, width));
const form = (props: Partial<FormProps>) =>
  textsOf(linesOfForm({ fields, focus: 0, width: 60, height: 8, theme, ...props }));
const emptied = { rows: [], width: 60, height: 4, empty: paint('refused') };

describe('a table', () => {
  test('shows cursor, marks and new rows as text, and aligns wide characters', () => {
    const got = textsOf(tableLines({ columns, rows, width: 100, height: 6, theme }));
    expect(got[0]).toContain('COUNT▼');
    expect(got[1]).toMatch(/^ > OPN/);
    expect(got[2]).toMatch(/^\* {2}OPN/);
    expect(got[3]).toMatch(/^• {2}OPN/);
    expect(got[4]).toMatch(/^~ {2}ACK/);
    const at = (line: string | undefined, part: string) =>
      stringWidth((line ?? '').slice(0, (line ?? '').indexOf(part)));
    expect(at(got[3], '値')).toBe(at(got[1], 'cannot'));
    expect(at(got[3], '1h')).toBe(at(got[1], '2m'));
  });

  test('drops columns by priority and scrolls all but those of the first priority', () => {
    const shown = (width: number, hscroll = 0) =>
      layoutColumns(columns, width, hscroll).map((placed) => columns[placed.index]?.id);
    expect(shown(200)).toEqual(['state', 'count', 'users', 'service', 'type', 'message', 'last']);
    expect(shown(86)).toEqual(['state', 'count', 'service', 'type', 'message', 'last']);
    expect(shown(81)).toEqual(['state', 'count', 'service', 'type', 'message']);
    expect(shown(40)).toEqual(['state', 'count', 'type', 'message']);
    expect(shown(10)).toEqual(['state', 'count', 'message']);
    expect(shown(90, 1)).toEqual(['state', 'count', 'service', 'type', 'message', 'last']);
    expect(shown(200, 9)).toEqual(['state', 'count', 'message', 'last']);
  });

  test('of columns with one priority, that on the right leaves first', () => {
    const all = [1, 2, 4, 4, 4].map((priority) => ({ min: 8, max: 8, content: 8, priority }));
    const shown = (width: number) => layoutColumns(all, width, 0).map(({ index }) => index);
    expect([44, 43, 34, 25].map(shown)).toEqual([
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3],
      [0, 1, 2],
      [0, 1],
    ]);
  });

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

  test('one long cell takes no room from the names: a column beside them grows over 16 cells once they have 36', () => {
    const name = { min: 24, max: 56, flex: true, content: 60, priority: 1 };
    const muted = { min: 8, max: 24, content: 23, priority: 2 };
    const widths = (width: number) => layoutColumns([name, muted], width, 0).map((placed) => placed.width);
    expect([41, 53, 60, 80].map(widths)).toEqual([
      [24, 16],
      [36, 16],
      [36, 23],
      [56, 23],
    ]);
  });

  test('a column that is empty in most rows gets 12 cells once the names have 36, and more after them, up to 16 before others', () => {
    const name = { min: 24, max: 56, flex: true, content: 60, priority: 1 };
    const muted = { min: 8, max: 24, content: 23, priority: 2, sparse: true };
    const service = { min: 12, max: 24, content: 15, priority: 5 };
    const widths = (width: number) => layoutColumns([name, muted, service], width, 0).map((placed) => placed.width);
    expect([41, 46, 60, 73, 86, 89, 120].map(widths)).toEqual([
      [32, 8],
      [36, 9],
      [47, 12],
      [56, 16],
      [56, 16, 12],
      [56, 16, 15],
      [78, 23, 15],
    ]);
  });

  test('spare cells show what is cut beside the flex column, and do not part the cells of a row', () => {
    const name = { min: 24, flex: true, content: 20, priority: 1 };
    const query = { min: 10, max: 12, content: 40, priority: 3 };
    const widths = (width: number) => layoutColumns([name, query], width, 0).map((placed) => placed.width);
    expect([60, 70, 200].map(widths)).toEqual([
      [24, 34],
      [28, 40],
      [44, 40],
    ]);
  });

  test('a number and the text behind it are parted before a long name gets more room, and before other gaps', () => {
    const name = { min: 24, flex: true, content: 80, priority: 1 };
    const count = { min: 5, content: 5, align: 'right', priority: 1 } as const;
    const text = { min: 8, content: 8, priority: 2 };
    const gaps = (width: number) => layoutColumns([count, name, count, text], width, 0).map(({ gap }) => gap);
    expect([65, 66, 67, 75, 80].map(gaps)).toEqual([
      [0, 1, 1, 1],
      [0, 1, 1, 2],
      [0, 2, 1, 2],
      [0, 2, 1, 2],
      [0, 2, 2, 2],
    ]);
    // Cells that are too few for a column.
    expect(layoutColumns([count, name, count, text], 42, 0).map(({ gap }) => gap)).toEqual([0, 2, 2]);
  });

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

  test('shows that it loads, and why it is empty', () => {
    const empty = (loading: boolean) =>
      textsOf(tableLines({ columns, theme, ...emptied, loading, empty: paint('nothing is red') })).join('\n');
    expect(empty(true)).toContain('Loading…');
    expect(empty(false)).toContain('nothing is red');
    // Why a list could not be read is a failure; that it has no rows is none.
    const toneOf = (failed: boolean) => tableLines({ columns, theme, ...emptied, failed })[1]?.[0]?.tone;
    expect([toneOf(true), toneOf(false)]).toEqual(['bad', 'dim']);
  });
});

test('what a filter has found is marked in the cells, also under the cursor, and not by color alone', () => {
  const highlight = highlighter('chunk !x ~lod 9');
  const fixed = { columns, rows, width: 120, height: 6, theme: mono, hscroll: 0, loading: false, empty: paint('') };
  const spans = (given: typeof highlight) => tableLines({ ...fixed, highlight: given }).flat();
  const texts = (some: readonly Span[]) => some.map(({ text }) => text);
  const marked = texts(spans(highlight).filter(({ underline }) => underline));
  // The first row is under the cursor.
  expect(marked.slice(0, 2)).toEqual(['9', 'Chunk']);
  expect(marked).toContain('chunk');
  expect(texts(spans(highlight)).join('')).toBe(texts(spans(undefined)).join(''));
  expect(spans(undefined).some(({ underline }) => underline)).toBe(false);
});

test('the row under the cursor is a bar only while keys go to the list; its text mark stays', () => {
  const row = {
    id: 'a',
    cells: [paint('ALERT')],
    tones: ['bad' as const],
    marked: false,
    fresh: false,
    pending: false,
  };
  const columns = [{ id: 'st', title: paint('ST'), min: 5, priority: 1 }];
  const rest = { columns, width: 20, height: 2, theme, hscroll: 0, loading: false, empty: paint('') };
  const line = (active: boolean) => tableLines({ ...rest, rows: [{ ...row, cursor: true }], active })[1] ?? [];
  expect(line(true).every(({ inverse }) => inverse)).toBe(true);
  expect(line(false).some(({ inverse }) => inverse)).toBe(false);
  expect(line(false).every(({ bold }) => bold)).toBe(true);
  expect(textOf(line(false))).toMatch(/^ > ALERT/);
});

test('the state of the row under the cursor has its color behind its words, not behind the blanks of its column', () => {
  const given = [
    { ...rows[0], id: 'a', cells: [paint('OPN'), ...(rows[0]?.cells.slice(1) ?? [])], cursor: true },
  ] as typeof rows;
  const wide = columns.map((column, at) => (at === 0 ? { ...column, min: 9, align: 'right' as const } : column));
  const fixed = {
    columns: wide,
    rows: given,
    width: 120,
    height: 3,
    theme,
    hscroll: 0,
    loading: false,
    empty: paint(''),
  };
  const state = (given: Partial<typeof fixed>) =>
    tableLines({ ...fixed, ...given })[1]?.flatMap(({ text, tone }) => (tone === 'bad' ? [text] : []));
  expect(state({})).toEqual(['OPN']);
  // Nor does it run on into the next column, though that has the same tone.
  const left = columns.map((column, at) => (at === 0 ? { ...column, min: 9 } : column));
  const alike = given.map((row) => ({ ...row, tones: row.tones.map(() => 'bad' as const) }));
  expect(state({ columns: left, rows: alike })).toEqual(['OPN']);
});

test('a detail aligns its labels and keeps every letter of a long value', () => {
  const got = laid(detail, 40);
  expect(got.join('').match(/x/g)?.length).toBe(300);
  for (const line of got) expect(stringWidth(line)).toBeLessThanOrEqual(40);
});

test('a long label of a detail is whole where all values of its section still fit beside it', () => {
  const said = (last: string) =>
    laid([pair('host:db-13,device:/var/log', 'OK 18m'), pair('host:db-12,device:/data', last)], 36);
  expect(said('Alert 4w')).toEqual(['host:db-13,device:/var/log  OK 18m', 'host:db-12,device:/data     Alert 4w']);
  expect(said('No data 4')[0]).toBe('host:db-13,       OK 18m');
});

test('a long label of a detail is wrapped, not cut', () => {
  const lines = [
    pair('Monitored resource providers', 'none'),
    pair('Tags', 'a b '.repeat(7)),
    pair('ID', 'x'.repeat(30)),
  ];
  expect(laid(lines, 40)).toEqual([
    'Monitored           none',
    'resource providers  ',
    'Tags                a b a b a b a b a b ',
    '                    a b a b ',
    // What has no room in one piece beside its label stands under it.
    'ID',
    `  ${'x'.repeat(30)}`,
  ]);
  expect(laid([pair('ID', 'x'.repeat(40))], 40)).toEqual(['ID', 'x'.repeat(40)]);
});

test('the label of a fact is one, also where the fact is wrapped, and no theme draws it like a value', () => {
  const labeled = (width: number) =>
    layoutLines([facts({ label: 'runbook', text: 'https://runbooks.example.test/a' })], width).map((line) =>
      line.map(({ text, tone }) => (tone === 'label' ? `<${text}>` : text)).join(''),
    );
  expect(labeled(60)).toEqual(['<runbook >https://runbooks.example.test/a']);
  expect(labeled(31)).toEqual(['<runbook >', 'https://runbooks.example.test/a']);
  for (const name of themeNames) {
    const { props } = createTheme({ name, noColor: false, ascii: false });
    expect(props('label'), name).not.toEqual(props('plain'));
  }
});

test('a heading without its text is left out where lines are cut', () => {
  const lines = layoutLines(
    [textLine('ALERT 4m'), gap, head('Message'), textLine('a'), gap, head('Groups'), textLine('b')],
    40,
  );
  const shown = (room: number) => textsOf(firstLines(lines, room));
  expect(shown(3)).toEqual(['ALERT 4m']);
  expect(shown(4)).toEqual(['ALERT 4m', '', 'Message', 'a']);
  expect(shown(6)).toEqual(['ALERT 4m', '', 'Message', 'a']);
  expect(shown(7)).toHaveLength(7);
});

test('a label stands near its value, whatever labels another headed part has', () => {
  const lines = [textLine('ALERT 4m'), pair('Muted', 'until 09:00 UTC'), head('Options'), pair('Notify no data', 'no')];
  expect(laid(lines, 40)).toEqual(['ALERT 4m', 'Muted  until 09:00 UTC', 'Options', 'Notify no data  no']);
});

test('pieces of a block’s title leave whole, what needs a person last', () => {
  const span = (text: string, tone: Tone): Span => ({ text: paint(text), tone });
  const pieces = [span('Now', 'plain'), span(' 2 ALERT', 'bad'), span(' 9 OK', 'good'), span(' 4 WARN', 'warn')];
  const kept = (room: number) => textOf(wholePieces(pieces, room));
  expect([23, 22, 17, 10].map(kept)).toEqual(['Now 2 ALERT 9 OK 4 WARN', 'Now 2 ALERT 4 WARN', 'Now 2 ALERT', 'Now']);
  const fresh = { text: paint(' 8 new since 05:12'), short: paint(' 8 new'), tone: 'info' as const };
  const said = (room: number) => textOf(wholePieces([...pieces, fresh], room));
  expect([41, 36, 24].map(said)).toEqual([
    'Now 2 ALERT 9 OK 4 WARN 8 new since 05:12',
    'Now 2 ALERT 4 WARN 8 new since 05:12',
    'Now 2 ALERT 4 WARN 8 new',
  ]);
});

test('a long name leaves the badge and the screens their room', () => {
  const profile = { name: 'a-name-that-is-as-long-as-a-line', environment: 'prod', production: true };
  const [name, badge] = profileSpans({ profile: { ...profile, readOnly: false, pollMs: 1 } }, theme);
  expect([name?.text, badge?.text]).toEqual([' a-name-that-is-as-long-… ', '▌PROD▐']);
});

test('rows of an earlier run are stale with their age, however young, until they have been read', () => {
  const idle = { times: 1, refusals: 0 };
  const says = (known: object) => {
    const now = {
      state: { messages: [], editsUnderWay: 0 },
      view: { read: known, list: {} },
      context: { now: 100_000, zone: 'UTC' },
    };
    const standing = { budgets: [], refusals: idle.refusals, profile: { pollMs: 15_000 }, idle: idle.times };
    return textOf(freshSpans(standing as never, now as never, theme));
  };
  expect(says({ at: 95_000 })).toBe(' ● live 15s ');
  expect(says({ at: 40_000 })).toBe(' ○ stale 1m ');
  expect(says({ at: 95_000, value: { oldestAt: 54_000 } })).toBe(' ● live 15s, rest 46s ');
  expect(says({ at: 95_000, value: { oldestAt: 55_000 } })).toBe(' ● live 15s ');
  expect(says({ at: 95_000, value: { everyMs: 34_000 } })).toBe(' ● live 34s ');
  // Polls are rarer while nobody presses a key, and rows no staler for it.
  idle.times = 4;
  expect(says({ at: 40_000 })).toBe(' ● live 1m ');
  idle.times = 1;
  expect(says({ at: 95_000, isFromSnapshot: true })).toBe(' ○ stale 5s ');
  // What answered is not offline, and one word is said once.
  expect(says({ problem: { kind: 'unreachable', text: 'a (connection refused)' } })).toBe(
    ' ✗ offline: connection refused ',
  );
  expect(says({ at: 95_000, problem: { kind: 'unreachable', text: 'a broke (UND_ERR_SOCKET): b' } })).toBe(
    ' ✗ offline: connection broke 5s ',
  );
  expect(says({ problem: { kind: 'unreachable', text: 'a broke (ECONNRESET): b' } })).toBe(
    ' ✗ offline: connection broke ',
  );
  expect(says({ problem: { kind: 'unreachable', text: 'b', status: 503 } })).toBe(' ✗ server error 503 ');
  expect(says({ problem: { kind: 'unreachable', text: 'b', status: 302 } })).toBe(' ✗ redirected 302 ');
  idle.refusals = 6;
  expect(says({ problem: { kind: 'tooMany', text: 'c' } })).toBe(' ✗ throttled 6x ');
  expect(says({ at: 95_000, nextAt: 112_000, problem: { kind: 'tooMany', text: 'c' } })).toBe(
    ' ✗ throttled 6x 5s, next 00:01:52 ',
  );
  expect(says({ at: 95_000 })).toBe(' ● live 15s throttled 6x ');
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

test('why a block may be wrong is cut with a mark, and its words run on as they were', () => {
  const said = (trouble: string) =>
    textsOf(
      framedLines(
        boardBlock({
          ...{ x: 0, y: 0, width: 40, height: 3, theme, isFirst: true, isLast: false, active: true },
          ...{ title: [], columns: [], lines: [], empty: paint(''), trouble: paint(trouble) },
        }),
        theme,
      ),
    );
  expect(said('monitors cannot be read: '.repeat(6))[2]).toMatch(/…/);
  expect(said(`${'word '.repeat(7)}broke at ${'x'.repeat(30)}`)[2]).toMatch(/broke at x+…/);
});

test('a block has the heads of its columns where a line is free or it has six; a column that needs its head leaves with it', () => {
  const said = (height: number, count: number) =>
    textsOf(
      framedLines(
        boardBlock({
          ...{ x: 0, y: 0, width: 40, height, theme, isFirst: true, isLast: false, active: true },
          ...{ title: [], empty: paint('') },
          columns: [
            { id: 'name', title: 'MONITOR', priority: 1, flex: true },
            { id: 'value', title: 'VALUE', priority: 2 },
            { id: 'runbook', title: 'RUNBOOK', isHeaded: true, priority: 3 },
          ],
          lines: Array.from({ length: count }, (_, at) => ({
            id: `${at}`,
            cells: { name: { text: paint('Disk') }, value: { text: paint('9 > 5') }, runbook: { text: paint('yes') } },
            ...{ cursor: at === 0, fresh: false, pending: false },
          })),
        }),
        theme,
      ),
    ).map((line) => line.replaceAll('│', '').trim());
  expect(said(4, 2).slice(1)).toEqual(['MONITOR VALUE RUNBOOK', '> Disk    9 > 5 yes', 'Disk    9 > 5 yes']);
  expect(said(4, 3).slice(1)).toEqual(['> Disk 9 > 5', 'Disk 9 > 5', 'Disk 9 > 5']);
  expect(said(7, 9)[1]).toBe('MONITOR VALUE RUNBOOK');
});

test('a block that is cut says in its last lines what has no room, where it has eight or more', () => {
  const lines = [...'abcdefghij'].map((id) => ({
    ...{ id, cells: { text: paint(id) }, cursor: id === 'a', fresh: false, pending: false },
  }));
  const said = (height: number, cursor = 'a') =>
    textsOf(
      framedLines(
        boardBlock({
          ...{ x: 0, y: 0, width: 30, height, theme, isFirst: true, isLast: false, active: true },
          ...{ title: [], columns: [], empty: paint(''), rest: (ids) => [{ text: paint(`and ${ids.join('')}`) }] },
          lines: lines.map((line) => ({ ...line, cursor: line.id === cursor })),
        }),
        theme,
      ),
    ).map((line) => line.replaceAll(/[│ >]/g, ''));
  expect(said(9).slice(1)).toEqual([...'abcdefg', 'andhij']);
  expect(said(8).slice(1)).toEqual([...'abcdefg']);
  expect(said(11).slice(1)).toEqual([...'abcdefghij']);
  expect(said(9, 'j').at(-1)).toBe('j');
});

test('numbers of a block say what they count where it has no room for heads', () => {
  const said = (height: number) =>
    textsOf(
      framedLines(
        boardBlock({
          ...{ x: 0, y: 0, width: 40, height, theme, isFirst: true, isLast: false, active: true },
          ...{ title: [], empty: paint('') },
          columns: [
            { id: 'name', title: 'SERVICE', priority: 1, flex: true },
            { id: 'total', title: 'ERRORS', unit: 'errors', priority: 1 },
            { id: 'users', title: 'USERS', unit: 'users', priority: 1 },
          ],
          lines: [
            {
              ...{ id: 'a', cursor: false, fresh: false, pending: false },
              cells: { name: { text: paint('shop') }, total: { text: paint('12k') }, users: { text: paint('') } },
            },
          ],
        }),
        theme,
      ),
    ).map((line) => line.replaceAll('│', '').trim());
  expect(said(2)[1]).toBe('shop 12k errors');
  expect(said(3).slice(1, 3)).toEqual(['SERVICE ERRORS', 'shop    12k']);
});

test('the hints of a picker stay where they are while its names change', () => {
  const at = (label: string) => {
    const { rows } = menuRows([{ label: paint(label), hint: paint('a hint') }], 60, plain`…`, 20);
    return textsOf(rows)[0]?.indexOf('a hint');
  };
  expect(at('Bo')).toBe(at('Bo Somebody'));
  const cut = menuRows([{ label: paint('Bo'), hint: paint('h'.repeat(30)) }], 50, plain`…`, 20).cutHints;
  expect(cut).toEqual(['h'.repeat(30)]);
});

test('the hint of a menu’s row is said whole where its line cuts it', () => {
  const items = ['a short one', 'words that have no room there'].map((hint) => ({
    key: paint('x'),
    label: paint('mute'),
    hint: paint(hint),
  }));
  const cutHints = (width: number) => menuRows(items, width, plain`…`).cutHints;
  expect(cutHints(30)).toEqual(['', 'words that have no room there']);
  expect(cutHints(40)).toEqual(['', '']);
  const said = (width: number, cursor = 1) => wholeText(cutHints(30), cursor, width);
  expect(said(40)).toEqual({ foot: 'words that have no room there', below: [] });
  // Where the border has no room either, on lines of their own, which do not come and go with the cursor.
  expect(said(30)).toEqual({ foot: '', below: ['words that have no room ', 'there'] });
  expect(said(30, 0)).toEqual({ foot: '', below: ['', ''] });
});

describe('a field', () => {
  const shown = (text: string, cursor: number, width: number) => typing({ text, cursor }, width, theme);
  test('shows its cursor at any position, in exactly its width', () => {
    expect(shown('abc', 3, 6).map((span) => span.text)).toEqual(['abc', ' ', '  ']);
    expect(textOf(shown('abcdefghij', 10, 6))).toBe('‹ghij ');
    expect(textOf(shown('abcdefghij', 0, 6))).toBe('abcde›');
    const anyText = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(anyText, fc.nat(45), fc.integer({ min: 1, max: 50 }), (text, cursor, width) => {
        const spans = shown(text, cursor, width);
        return (
          spans.filter((span) => span.inverse).length === 1 &&
          spans.reduce((sum, span) => sum + stringWidth(span.text), 0) === width
        );
      }),
      { numRuns: runs(3000) },
    );
  });

  const field = (text: string, focused: boolean, secret = false) =>
    form({
      fields: [{ name: 'a', label: paint('A'), kind: 'text', text, cursor: 0, secret }],
      ...{ focus: focused ? 0 : -1, width: 30, height: 1 },
    })[0]
      ?.slice(7, -2)
      .trimEnd();

  test('never draws a secret', () => {
    for (const focused of [true, false]) expect(field('hunter2', focused, true)).toBe('•••••••');
  });

  test('paints pasted text', () => {
    for (const focused of [true, false]) expect(field('a\u001b[31mb', focused)).toBe('a␛[31mb');
  });
});

describe('overlays', () => {
  test('a form scrolls to the focused field and always shows the problem', () => {
    const problem = paint('403: needs monitors_write');
    const got = form({ focus: 6, problem }).join('\n');
    expect(got).toContain('> States');
    expect(got).toContain('✗ 403: needs monitors_write');
    expect(form({ height: 20 }).join('\n')).toContain('✗ rate must be 0 to 1');
  });

  test('numbers and toggles of a form share a line where it is wide enough, in the order of Tab', () => {
    const number = { kind: 'text', text: '1', cursor: 0, cells: 14 } as const;
    const options = ['yes', 'no'].map((value) => ({ value, label: paint(value) }));
    const fields: FormField[] = [
      { ...number, name: 'a', label: paint('Span rate'), required: true },
      { ...number, name: 'b', label: paint('Trace rate'), hint: paint('0 to 1') },
      { ...number, name: 'c', label: paint('Query'), cells: 60 },
      {
        name: 'd',
        label: paint('Enabled'),
        kind: 'toggle',
        text: 'no',
        cursor: 0,
        options,
        error: paint('not now'),
      },
    ];
    const drawn = (width: number, focus: number) =>
      form({ fields, focus, width })
        .map((line) => line.trimEnd())
        .filter((line) => line !== '');
    expect(drawn(78, 1)).toEqual([
      '  Span rate *  [ 1          ]          > Trace rate  [ 1          ]',
      '                                         0 to 1',
      '  Query        [ 1                                                        ]',
      '  Enabled       yes (no)',
      '               ✗ not now',
    ]);
    expect(drawn(58, 1)[1]).toBe('> Trace rate   [ 1          ]');
  });

  test('a form says below its fields what it would do, as far as there is room and no field makes way for it', () => {
    const outlook = {
      title: paint('What it would do now'),
      lines: ['valid', 'alerts'].map((text) => [{ text: paint(text) }]),
    };
    const drawn = (height: number, said = outlook) =>
      form({ fields: fields.slice(0, 3), focus: 1, height, outlook: said })
        .slice(3)
        .map((line) => line.trim());
    expect(drawn(8)).toEqual(['', 'What it would do now', 'valid', 'alerts', '']);
    expect(drawn(6)).toEqual(['', 'valid', 'alerts']);
    expect(drawn(5)).toEqual(['', 'valid']);
    expect(drawn(4)).toEqual(['']);
    const long = { ...outlook, lines: [...outlook.lines, ...outlook.lines, ...outlook.lines] };
    expect(drawn(8, long)).toEqual(['', 'What it would do now', 'valid', 'alerts', '…']);
    const gapped = { ...long, lines: [...outlook.lines.slice(0, 1), [], ...outlook.lines, ...outlook.lines] };
    expect(drawn(8, gapped)).toEqual(['', 'What it would do now', 'valid', '…', '']);
  });

  test('choices of several words are divided, so that each is told from the next', () => {
    const choice = (...labels: string[]): FormField => ({
      name: 'a',
      label: paint('On'),
      kind: 'choice',
      text: labels[0] ?? '',
      cursor: 0,
      options: labels.map((label) => ({ value: label, label: paint(label) })),
    });
    const drawn = (field: FormField, width = 60) =>
      form({ fields: [field], focus: -1, width, height: 3 })
        .map((line) => line.trim())
        .filter((line) => line !== '');
    expect(drawn(choice('default', 'show OK', 'notify'))).toEqual(['On  (default)│ show OK │ notify']);
    expect(drawn(choice('yes', 'no'))).toEqual(['On  (yes) no']);
    // No line ends with what divides.
    expect(drawn(choice('default', 'show OK', 'notify', 'alert', 'keep last state'), 44)).toEqual([
      'On  (default)│ show OK │ notify │ alert',
      'keep last state',
    ]);
  });

  test('a review shows the changes', () => {
    const part = (sign: string, text: string) => ({
      sign: paint(sign),
      text: joinPainted(paintLines(text), plain`\n`),
    });
    const rate = { label: paint('Rate'), parts: [part('-', '1'), part('+', '')] };
    const lines = [part(' ', 'stays'), part('-', 'one'), part('+', 'two\n')];
    const review = [rate, { label: paint('Text'), parts: lines, several: true }];
    expect(form({ fields: [], height: 9, review }).map((line) => line.trimEnd())).toEqual([
      ...[' Rate', '   - 1', '   + (nothing)'],
      ...[' Text', '     stays', '   - one', '   + two', '   +', ''],
    ]);
  });
});

test('a tone that is seen on blanks makes no bars of the padding of a cell; the selected row is one bar', () => {
  const spans: Span[] = [{ text: paint(' ALERT  of 3/3   '), tone: 'bad' }];
  expect(drawnLine(spans, 20, mono).text).toBe(' \u001B[1;7mALERT\u001B[0m  \u001B[1;7mof 3/3\u001B[0m   ');
  const selected: Span[] = [{ text: paint(' ALERT '), tone: 'bad', inverse: true }];
  expect(drawnLine(selected, 20, mono).text).toBe('\u001B[1;7m ALERT \u001B[0m');
  // Color alone is not seen on blanks: no sequence is spent on them.
  expect(drawnLine(spans, 20, theme).text).toBe('\u001B[1;31m ALERT  of 3/3   \u001B[0m');
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

/** Screens by name and count, which has an exclamation mark where it needs a person. */
const entries = (names: readonly string[], current: number) =>
  names.map((text, at) => {
    const [name = '', count = ''] = text.split(' ');
    const needsPerson = count.endsWith('!');
    const said = { name: paint(name), count: paint(count.replace('!', '')), needsPerson };
    return { key: paint(`${at}`), ...said, isCurrent: at === current };
  });

describe('the strip of screens', () => {
  const says = (width: number) => textOf(stripSpans(strip, width, theme));

  test('has names and counts, and the current screen in brackets', () => {
    expect(says(200)).toBe(' 0 home [1 issues 96] 2 monitors 24!  3 keys  4 値値値  5 mappings ');
  });

  test('shortens names, then leaves screens out; their counts stay as one sum', () => {
    expect(says(60)).toBe(' 0 home [1 issues 96] 2 mon 24!  3 keys  4 値値値  5 map ');
    expect(says(46)).toBe(' 0 home [1 issues 96] 2 mon 24!  3 keys  … ');
    expect(says(34)).toBe(' 0 home [1 iss 96] 2 mon 24!  … ');
    expect(says(26)).toBe('[1 iss 96] 2 mon 24!  … ');
    expect(says(20)).toBe('[1 issues 96] … 24! ');
    expect(says(16)).toBe('[1 96] … 24! ');
    for (let width = 20; width < 120; width += 1)
      expect(stringWidth(says(width)), `${width}`).toBeLessThanOrEqual(width);
    for (let width = 20; width < 120; width += 1) expect(says(width), `${width}`).toMatch(/\[1 iss.* 96\].*24!/);
  });

  test('of all screens monitors alone notify', () => {
    const counts = () => ({ total: 1, needPerson: 1, fresh: 0, freshNeeds: 0 });
    const told = tabStrip({ screens }, { view: { screen: screens[0] }, counts } as never);
    expect(told.flatMap(({ name, notifies }) => (notifies ? [name] : []))).toEqual(['monitors']);
  });

  test('what notifies is red, what else needs a person yellow', () => {
    const loud = entries(['home', 'monitors 24!', 'keys 2!', 'tables 1!'], 0).map((entry) => ({
      ...entry,
      notifies: entry.name === 'monitors',
    }));
    const tonesAt = (width: number) =>
      stripSpans(loud, width, theme).flatMap(({ text, tone }) => (text.endsWith('!') ? [[text, tone]] : []));
    const yellow = [
      ['2!', 'warn'],
      ['1!', 'warn'],
    ];
    expect(tonesAt(80)).toEqual([['24!', 'bad'], ...yellow]);
    expect(tonesAt(28)).toEqual([
      ['24!', 'bad'],
      ['3!', 'warn'],
    ]);
    expect(tonesAt(14)).toEqual([['27!', 'bad']]);
  });

  test('every screen that is drawn has its name; what the others need is added up behind the ellipsis', () => {
    const names = [
      'home',
      'issues 100',
      'monitors 24!',
      'keys 2!',
      'roles',
      'integrations 1!',
      'tables 1!',
      'archives 1!',
    ];
    const shown = (current: number, width = 55) => textOf(stripSpans(entries(names, current), width, theme));
    expect(shown(0)).toBe('[0 home] 1 issues 100  2 monitors 24!  3 keys 2!  … 3! ');
    // Between screens that are drawn only the brackets move.
    expect(shown(1)).toBe(' 0 home [1 issues 100] 2 monitors 24!  3 keys 2!  … 3! ');
    expect(shown(3)).toBe(' 0 home  1 issues 100  2 monitors 24! [3 keys 2!] … 3! ');
    expect(shown(6)).toBe(' 0 home  1 issues 100  2 monitors 24! [6 tab 1!] … 4! ');
    expect(shown(4)).toBe(' 0 home  1 iss 100  2 mon 24!  3 keys 2! [4 rol] … 3! ');
    expect(shown(0, 49)).toBe('[0 home] 1 iss 100  2 mon 24!  3 keys 2!  … 3! ');
    expect(shown(1, 35)).toBe('[1 issues 100] 2 mon 24!  … 5! ');
    expect(shown(4, 35)).toBe(' 1 iss 100  2 mon 24! [4 rol] … 5! ');
    expect(shown(7, 30)).toBe(' 2 mon 24! [7 arc 1!] … 4! ');
    names[7] = 'archives 1+!';
    expect(shown(0)).toBe('[0 home] 1 issues 100  2 mon 24!  3 keys 2!  … 3+! ');
    expect(shown(7, 30)).toBe(' 2 mon 24! [7 arc 1+!] … 4! ');
    for (let width = 20; width < 120; width += 5)
      for (let at = 0; at < names.length; at += 1) expect(shown(at, width), `${at} at ${width}`).not.toMatch(/\d \d/);
  });

  test('all names are short before a screen leaves, and the room that it left is for whole names', () => {
    const all = entries(['home', 'issues 100', 'monitors', 'roles', 'mappings', 'retention'], 2);
    const shown = (width: number) => textOf(stripSpans(all, width, theme));
    expect(shown(53)).toBe(' 0 home  1 issues 100 [2 mon] 3 roles  4 map  5 ret ');
    expect(shown(46)).toBe(' 0 home  1 issues 100 [2 mon] 3 rol  4 map  … ');
  });
});

test('a preview has its pairs one after the other, without those that say nothing', () => {
  const lines = condensed([
    textLine('Index: 1'),
    gap,
    pair('state', 'OPEN', 'warn'),
    pair('file', ''),
    pair('users', 12),
    head('scopes'),
    textLine('a'),
    textLine('b'),
  ]);
  const said = (width: number) => laid(lines, width);
  expect(said(60)).toEqual(['Index: 1', 'state OPEN · users 12', 'scopes a · b']);
  expect(said(14)).toEqual(['Index: 1', 'state OPEN', 'users 12', 'scopes a · b']);
});

describe('lines of the frame', () => {
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

  test('the header keeps the badge, the footer its last two keys', () => {
    for (const width of [24, 40, 60]) expect(textOf(single.header?.(width, theme) ?? [])).toContain('▌PROD▐');
    // The screen in front is shown whole or not at all.
    for (let width = 40; width < 60; width += 1) {
      const right = [{ text: paint(' beta offline: connection refused 12s ') }];
      const screens = [{ key: paint('0'), name: paint('home'), count: paint(''), needsPerson: false, isCurrent: true }];
      const profile = [{ text: paint(' acme '), keep: true }];
      const drawn = textOf(headerLine({ profile, screens, right, width, theme, host: paint('') }));
      expect(drawn).toMatch(/^ acme (\[0( home)?\])? +beta/);
    }
    // A cause leaves before the screen in front does.
    const right = [' ✗ beta offline', ': connection refused', ' 12s '].map((text, at) => ({
      text: paint(text),
      ...(at !== 1 && { keep: true }),
    }));
    const screens = [
      { key: paint('2'), name: paint('monitors'), count: paint('7'), needsPerson: true, isCurrent: true },
    ];
    const headed = (width: number) =>
      textOf(
        headerLine({ profile: [{ text: paint(' acme '), keep: true }], screens, right, width, theme, host: paint('') }),
      );
    expect(headed(60)).toMatch(/^ acme \[2 mon 7!\] +✗ beta offline: connection refused 12s ?$/);
    expect(headed(50)).toMatch(/^ acme \[2 monitors 7!\] +✗ beta offline 12s ?$/);
    for (const width of [40, 60])
      expect(textOf(single.hints?.(width, theme) ?? [])).toMatch(/^ a does a .*\? help {2}q back$/);
    // The first key and the one that goes back stay longest.
    expect(textOf(single.hints?.(24, theme) ?? [])).toMatch(/^ a does a {2}q back *$/);
    const hints = ['upload', 'next', 'edit in an editor', 'close'].map((title) => ({
      keys: paint('k'),
      title: paint(title),
    }));
    // What leads to the others stays before them, wherever it stands.
    const verbs = [
      ...['open', 'mute', 'unmute', 'more', 'filter', 'help', 'quit'].map((title) => ({
        keys: paint('k'),
        title: paint(title),
        keep: ['more', 'help'].includes(title),
      })),
    ];
    expect(textOf(hintLine({ hints: verbs, width: 34 }))).toMatch(/^ k open {2}k more {2}k help {2}k quit *$/);
    // The next field is worth more than an editor that has more room than it.
    for (const width of [30, 40])
      expect(textOf(hintLine({ hints: hints, width: width }))).toMatch(/^ k upload {2}k next {2}k close *$/);
  });

  test('tabs show the current one in brackets', () => {
    expect(textOf(single.tabs?.(60, theme) ?? [])).toContain('[値 20]');
  });
});

describe('the box of an edit that takes long', () => {
  const box = (rowsUnderWay: object, now = 4_000) => {
    const moment = { state: { rowsUnderWay: { all: 0, ended: 0, since: 0, ...rowsUnderWay } }, context: { now } };
    const [block] = underWayBlocks(moment as never, { x: 0, y: 0, width: 60, height: 20 }, theme);
    return block && { y: block.y, lines: textsOf(framedLines(block, theme)) };
  };
  const rowsOf = { title: 'Resolve 6 issues', all: 6, ended: 3 };
  const requests = { title: 'Create role', requests: ['create a role', 'grant a permission'] };

  test('says how far it is, how fast, and what its key does, at the foot of the body', () => {
    const shown = box(rowsOf);
    expect(shown?.y).toBe(16);
    expect(shown?.lines[0]).toMatch(/Resolve 6 issues ─+ 4s ┐/);
    expect(shown?.lines[1]).toMatch(/^│ {2}█{6}░{6} 50% {2}3 of 6, 1\/s, 4s left +│$/);
    expect(shown?.lines[2]).toContain('Ctrl-X stops');
    expect(box({ ...rowsOf, isStopping: true })?.lines[2]).toContain('Stopping: what is sent is waited for');
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
