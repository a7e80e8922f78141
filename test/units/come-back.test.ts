import { describe, expect, test } from 'vitest';
import { detailLines } from '../../components/Detail.tsx';
import { listLines, type TableRow } from '../../components/Table.tsx';
import { createTheme } from '../../components/theme.ts';
import { section, type Tone, text } from '../../src/describe/column.ts';
import type { Screen } from '../../src/describe/screen.ts';
import { layoutPage } from '../../src/lib/detail-page.ts';
import { finder } from '../../src/lib/matches.ts';
import { paint } from '../../src/lib/paint.ts';
import { present } from '../../src/lib/present.ts';
import { createTabs } from '../../src/session/list/detail-view.ts';
import type { Now } from '../../src/session/now.ts';
import type { Session } from '../../src/session/session.ts';
import type { View } from '../../src/session/view.ts';
import { tableColumns } from '../../src/shell/column-widths.ts';
import { createStrip } from '../../src/shell/header.ts';
import { previewBlock } from '../../src/shell/preview-block.ts';
import { contextOf } from '../support/plans.ts';

// What is left and comes back has the same lines: others would be made, drawn and compared again in the frame of a key.
const theme = createTheme({ name: 'default', noColor: false, ascii: false });
const edition = {};

test('a detail says its tabs once in an edition, and anew of another row, with what was read and in another edition', () => {
  let said = 0;
  const sections = () => {
    said += 1;
    return [section('a', '', [text('one')])];
  };
  const detail = { sections };
  const [row, other] = [{ id: 'a' }, { id: 'b' }];
  const tabs = createTabs();
  const context = contextOf();
  const first = tabs(detail, row, undefined, context, edition);
  expect(tabs(detail, row, undefined, contextOf(), edition)).toBe(first);
  const others = [
    tabs(detail, other, undefined, context, edition),
    tabs(detail, row, 'read', context, edition),
    tabs(detail, row, 'read', context, {}),
    tabs(detail, row, 'read', { ...context, subRowId: 'c' }, {}),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
  expect(said).toBe(5);
});

test('the lines of a page stay the same until it is scrolled, searched, or as wide as another', () => {
  const page = layoutPage<Tone>([section('a', 'A', [text('one'), text('two')])], 40, 10);
  const tabs = [{ id: 'page', title: paint('Overview') }];
  const found: never[] = [];
  const props = { tabs, tab: 0, page, top: 0, found, foundAt: -1, width: 40, height: 10, theme };
  const lines = detailLines(props);
  expect(detailLines({ ...props })).toBe(lines);
  for (const change of [
    { top: 1 },
    { found: [{ spots: [] }] },
    { width: 30 },
    { theme: createTheme({ name: 'light', noColor: false, ascii: false }) },
  ])
    expect(detailLines({ ...props, ...change })).not.toBe(lines);
});

describe('a list that comes back', () => {
  const shown = [
    { id: 'name', title: 'NAME', min: 4, priority: 1, flex: true, text: ({ id }: { id: string }) => id },
    { id: 'age', title: 'AGE', min: 3, priority: 1, text: () => '3m' },
  ];
  const list = { columns: shown, shown };
  const rows = new Map([['one', { id: 'one' }]]);
  const view = { list, own: {}, order: { key: '', ids: ['one'] }, rows } as unknown as View;
  const sorted = (by: string) => ({ ...view, own: { sort: { by, down: true } } }) as View;

  test('has the same columns, and others when it is sorted', () => {
    const columns = tableColumns(view, contextOf());
    expect(tableColumns({ ...view }, contextOf())).toBe(columns);
    expect(tableColumns(sorted('age'), contextOf()).map((column) => column.sorted)).toEqual([undefined, 'down']);
    expect(tableColumns(sorted('name'), contextOf()).map((column) => column.sorted)).toEqual(['down', undefined]);
  });

  test('has the same lines of its rows, and others in another width', () => {
    const row: TableRow = {
      id: 'one',
      cells: [paint('one'), paint('3m')],
      tones: ['plain', 'plain'],
      cursor: false,
      marked: false,
      fresh: false,
      pending: false,
    };
    const lines = (width: number, highlight?: ReturnType<typeof finder>) =>
      listLines({
        ...present({ highlight }),
        columns: tableColumns(view, contextOf()),
        rows: [row],
        width,
        height: 5,
        theme,
        hscroll: 0,
        loading: false,
        empty: paint(''),
      });
    const [, first] = lines(40);
    expect(lines(40)[1]).toBe(first);
    const [o, on] = [finder('o'), finder('on')];
    const [, marked] = lines(40, o);
    expect(lines(40, on)[1]).not.toBe(marked);
    // A letter of the filter is taken back, then the filter is closed.
    expect(lines(40, o)[1]).toBe(marked);
    expect(lines(40)[1]).toBe(first);
    expect(lines(30)[1]).not.toBe(first);
  });
});

test('the preview of the last eight rows is made once in an edition', () => {
  const made: string[] = [];
  const rows = Array.from({ length: 9 }, (_, at) => ({ id: `${at}` }));
  const list = {
    nameOf: ({ id }: { readonly id: string }) => id,
    detail: {
      preview({ id }: { readonly id: string }) {
        made.push(id);
        return [text(`row ${id}`)];
      },
    },
  };
  const line = (at: number, edition: object) => {
    const now = { view: { row: rows[at], list, room: { previewRows: 0 }, known: {} }, context: {}, edition };
    return previewBlock({ now: now as unknown as Now, width: 30, height: 5, theme, active: true }).lines[1];
  };
  const lines = rows.slice(0, 8).map((_, at) => line(at, edition));
  expect(rows.slice(0, 8).map((_, at) => line(at, edition))).toEqual(lines);
  expect(line(0, edition)).toBe(lines[0]);
  expect(made.join('')).toBe('01234567');
  line(8, edition);
  line(0, edition);
  line(8, {});
  expect(made.join('')).toBe('01234567808');
});

test('the strip of a screen is the same when a person comes back to it, until it counts something else', () => {
  const strip = createStrip();
  const screens = ['Issues', 'Monitors'].map((title, at) => ({
    title,
    key: `${at + 1}`,
    showsTotal: true,
  })) as unknown as Screen[];
  const session = { screens } as unknown as Session;
  const counted = { total: 3 };
  const now = (place: number, edition: object) =>
    ({
      edition,
      view: { screen: screens[place] },
      context: { now: 0 },
      state: { lists: {} },
      counts: () => ({ ...counted, needPerson: 0 }),
    }) as unknown as Now;
  const issues = strip(session, now(0, edition));
  const monitors = strip(session, now(1, edition));
  expect(monitors).not.toBe(issues);
  expect([strip(session, now(0, edition)), strip(session, now(1, edition))]).toEqual([issues, monitors]);
  expect(strip(session, now(0, edition))).toBe(issues);
  expect(strip(session, now(1, {}))).toBe(monitors);
  counted.total = 4;
  expect(strip(session, now(1, {}))[0]?.count).toBe('4');
});
