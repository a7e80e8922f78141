import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/describe/context.ts';
import { textField } from '../../../src/describe/field.ts';
import type { AnyList, Screen } from '../../../src/describe/screen.ts';
import { bindings } from '../../../src/session/keys/bindings.ts';
import { actingWhole, goTo } from '../../../src/session/list/cursor.ts';
import { commandItems, copyMenu, rangeMenu, sortMenu } from '../../../src/session/list/menus.ts';
import { geometry, insideDetail, windowTop } from '../../../src/session/rows/geometry.ts';
import type { ListState } from '../../../src/session/rows/list-state.ts';
import { highlighter, matcher } from '../../../src/session/rows/visible-list.ts';
import { update } from '../../../src/session/session.ts';
import { editWords, handoverFacts } from '../../../src/session/state/journal-words.ts';
import type { Message } from '../../../src/session/state/message.ts';
import type { State } from '../../../src/session/state/state.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';
import { stepper } from '../../support/stepper.ts';
import { bareList, turn } from '../../support/things.ts';

/** What keys do to a list and to what is kept of it, as pure functions of a state. */

interface Thing {
  readonly id: string;
  readonly rank: number;
  readonly on?: boolean;
}

const things = bareList<Thing>({
  nameOf: (row) => `thing ${row.id}`,
  columns: [
    { id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.id, sort: (row) => row.id },
    {
      id: 'rank',
      title: 'Rank',
      min: 4,
      priority: 1,
      text: (row) => String(row.rank),
      sort: (row) => row.rank,
      downward: true,
    },
    { id: 'free', title: 'Free', min: 4, priority: 1, text: () => '' },
  ],
  sorted: { by: 'name', down: false },
  search: {
    form: (asked) => ({ query: textField('Query', asked.query ?? '') }),
    initial: { query: 'all' },
    says: () => '',
  },
  ranges: { options: ['1h', '1d', '1w'], initial: '1d' },
  states: [{ label: 'on', isIn: (row) => row.on === true }],
  detail: { sections: () => [] },
  actions: [turn],
});
const rows: readonly Thing[] = [...'abcdefgh'].map((id, at) => ({ id, rank: 8 - at }));
const screens: readonly Screen[] = [
  { id: 'things', title: 'Things', key: '1', lists: [things, { ...things, id: 'tab' }] },
  { id: 'others', title: 'Others', lists: [{ ...things, id: 'others', detail: undefined } as never] },
];
const empty = emptyState(screens);
const own = (state: State, id = 'things') => state.lists[id] as ListState;
const withOwn = (more: Partial<ListState>, state = empty): State => ({
  ...state,
  lists: { ...state.lists, things: { ...own(state), ...more } },
});
const step = (state: State, message: Message) => update(state, message, emptyWorld(screens, state));

/** A list of eight rows after these messages. */
function listed(...messages: readonly Message[]) {
  const session = stepper<Thing>(things);
  session.poll(rows);
  session.send(...messages);
  return session;
}
const cursor = (...messages: readonly Message[]) => listed(...messages).view().cursor;
const move = (by: number): Message => ({ type: 'moveCursor', by });

describe('keys of a list', () => {
  test('move the cursor by a row, half a page, or to an end', () => {
    expect([cursor(), cursor(move(1)), cursor(move(-1)), cursor(move(99)), cursor(move(3), move(-1))]).toEqual([
      ...'abahc',
    ]);
    const page = (rows: number, by: number) => {
      const session = stepper<Thing>(things, undefined, { columns: 100, rows });
      session.poll(Array.from({ length: 60 }, (_, at) => ({ id: String(at).padStart(2, '0'), rank: 0 })));
      session.send({ type: 'movePage', by });
      return session.view().cursorAt;
    };
    // 30 rows: three around, three of the frame; a preview has none here.
    expect([page(30, 1), page(30, 2), page(16, 1), page(5, 1)]).toEqual([12, 24, 5, 1]);
    expect(cursor({ type: 'moveToEnd', last: true })).toBe('h');
    expect(cursor({ type: 'moveToEnd', last: true }, { type: 'moveToEnd', last: false })).toBe('a');
  });

  test('a count moves a range by as many rows; it is one row without, and outside of a range', () => {
    const range: Message = { type: 'toggleRange' };
    const digits = (text: string): Message[] => [...text].map((digit) => ({ type: 'addDigit', digit }));
    expect(cursor(range, ...digits('4'), move(1))).toBe('e');
    expect(cursor(range, ...digits('0'), move(1))).toBe('b');
    expect(cursor(range, ...digits('2'), move(1), move(1))).toBe('d');
    expect(cursor(...digits('4'), move(1))).toBe('b');
    expect(cursor(range, move(1))).toBe('b');
    expect(listed(range, ...digits('123456')).view().listState.rowRange?.count).toBe('12345');
    expect(cursor(range, ...digits('2'), { type: 'movePage', by: 1 })).toBe('h');
    expect([...listed(range, ...digits('2'), move(1)).view().listState.marks]).toEqual([...'abc']);
    expect([...listed(move(3), range, move(-2)).view().listState.marks].sort()).toEqual([...'bcd']);
    expect(listed(range, range).view().listState.rowRange).toBeUndefined();
  });

  test('mark rows, one by one and all; the mark goes with a second key', () => {
    const marks = (...messages: readonly Message[]) => [...listed(...messages).view().listState.marks].join('');
    const mark: Message = { type: 'toggleMark' };
    expect([marks(mark), marks(mark, mark), marks(mark, move(-1), mark), marks({ type: 'markAll' })]).toEqual([
      'a',
      'ab',
      '',
      'abcdefgh',
    ]);
    expect(cursor(mark)).toBe('b');
    const bare = stepper<Thing>(things);
    bare.poll([]);
    bare.send(mark, { type: 'toggleRange' });
    expect(bare.view().listState).toMatchObject({ marks: new Set() });
    expect(bare.view().listState.rowRange).toBeUndefined();
  });

  test('scroll sideways within the columns', () => {
    const more = ['b', 'c', 'd'].map((id) => ({ id, title: id, min: 4, priority: 2, text: () => '' }));
    const session = stepper<Thing>({ ...things, columns: [...things.columns, ...more] });
    const scroll = (...by: readonly number[]) =>
      by.map((one) => {
        session.send({ type: 'scrollColumns', by: one });
        return session.view().listState.hscroll;
      });
    // Of the columns that leave the last one stays, and a key that scrolled nothing is not to be taken back.
    expect(scroll(-1, 1, -1, 1, 1, 1, 1, -1)).toEqual([0, 1, 0, 1, 2, 2, 2, 1]);
  });

  test('show a link; where there is none the key says so', () => {
    const link = (more: Partial<AnyList>, web?: string) => {
      const context = contextOf({ ...(web ? { web: web as never } : {}) });
      const session = stepper<Thing>({ ...things, ...more }, context);
      session.poll(rows);
      const refused = bindings(session.state(), session.view(), context, []).find(
        ({ keys }) => keys[0] === 'o',
      )?.refused;
      session.send({ type: 'showLink' });
      const [layer] = session.state().layers;
      return layer?.kind === 'text' ? layer.lines : (refused ?? session.state().flash?.text);
    };
    expect(link({ link: (row: Thing) => `https://w.test/${row.id}` })).toEqual(['https://w.test/a']);
    expect(link({})).toBe('this row has no link');
    expect(link({ link: () => undefined }, 'https://w.test')).toBe('This row has no link');
    expect(link({ link: () => undefined })).toContain('has no web address');
  });

  test('turn tabs and screens, round the ends; what was said above the hints goes', () => {
    const tab = (by: number, from = 0) =>
      step({ ...empty, tab: { things: from } }, { type: 'moveTab', by }).state.tab.things;
    expect([tab(1), tab(1, 1), tab(-1)]).toEqual([1, 0, 1]);
    const said: State = {
      ...empty,
      flash: { text: '', tone: 'info', at: 1 },
      from: { screen: 'x', tab: 0, list: 'y', filter: '' },
    };
    expect(step(said, { type: 'openScreen', id: 'others' }).state).toMatchObject({
      screen: 'others',
      flash: undefined,
      from: undefined,
    });
    expect(step(said, { type: 'openScreen', id: 'things' }).state).toBe(said);
  });

  test('search, filter and range ask anew', () => {
    expect(step(empty, { type: 'openSearch' }).state.layers).toMatchObject([
      { kind: 'form', title: 'Search things', lines: { query: { text: 'all' } } },
    ]);
    expect(step(withOwn({ filter: 'x' }), { type: 'openFilter' }).state.layers).toMatchObject([
      { kind: 'filter', line: { text: 'x', cursor: 1 } },
    ]);
    const set = step(empty, { type: 'setTimeRange', range: '1w' }).state;
    expect(own(set).asked).toEqual({ search: { query: 'all' }, range: '1w' });
    const refreshed = listed({ type: 'refresh' });
    expect(step(empty, { type: 'refresh' }).effects).toEqual([{ ask: 'refresh' }]);
    expect(refreshed.view().cursor).toBe('a');
  });

  test('move a row in an order that is local until it is saved', () => {
    const ordered = (may?: (row: Thing) => true | string) => {
      const order = { column: 'name', save: turn.id, ...(may ? { may } : {}) };
      const session = stepper<Thing>({ ...things, order } as never);
      session.poll(rows);
      return session;
    };
    const shift = (by: number): Message => ({ type: 'moveRow', by });
    const moving = (...messages: readonly Message[]) => {
      const session = ordered();
      session.send(...messages);
      const { listState, cursor, cursorAt: at } = session.view();
      return [listState.moving?.join(''), cursor, at];
    };
    expect([moving(shift(1)), moving(shift(1), shift(1)), moving(shift(1), shift(-1))]).toEqual([
      ['bacdefgh', 'a', 1],
      ['bcadefgh', 'a', 2],
      ['abcdefgh', 'a', 0],
    ]);
    expect([moving(shift(-1)), moving({ type: 'moveToEnd', last: true }, shift(1))]).toEqual([
      [undefined, 'a', 0],
      [undefined, 'h', 7],
    ]);
    expect(moving(move(1), shift(-1))).toEqual(['bacdefgh', 'b', 0]);
    const sorted = ordered();
    sorted.send({ type: 'setSort', by: 'rank' }, move(2), shift(1));
    expect(sorted.view()).toMatchObject({
      cursor: 'c',
      ids: [...'abcdefgh'],
      listState: { sort: { by: 'name', down: false } },
    });
    expect([sorted.view().listState.moving, sorted.state().flash?.text]).toEqual([
      ...[undefined, 'Now sorted by position: press again to move'],
    ]);
    const filtered = ordered();
    filtered.send({ type: 'openFilter' }, { type: 'pasteText', text: 'b' }, { type: 'choose' }, shift(1));
    expect(filtered.view().listState).toMatchObject({ filter: '', cursor: 'b' });
    expect(filtered.view().listState.moving).toBeUndefined();
    const fixed = ordered(({ id }) => id !== 'a' || 'a stays first');
    fixed.send(shift(1));
    expect([fixed.view().listState.moving, fixed.state().flash?.text]).toEqual([undefined, 'a stays first']);
    const session = ordered();
    session.send(shift(1));
    const save = (view = session.view()) =>
      update(session.state(), { type: 'saveOrder' }, { ...emptyWorld(screens, session.state()), view });
    expect(save().effects).toMatchObject([
      {
        ask: 'perform',
        pending: { values: { before: [...'abcdefgh'], after: [...'bacdefgh'], names: { a: 'thing a' } } },
      },
    ]);
    expect(save(ordered().view()).effects).toBeUndefined();
    const gone = { ...session.view(), listState: { ...session.view().listState, moving: ['a', 'z'] } };
    expect(save(gone).effects).toMatchObject([{ pending: { values: { names: { a: 'thing a', z: 'z' } } } }]);
  });

  test('open a row by its name, and list its actions and their commands', () => {
    const opened = step(empty, { type: 'openPlace', place: { list: 'things', row: 'b' } }).state;
    expect(own(opened).detail?.id).toBe('b');
    const bindings = [
      {
        keys: ['t', 'T'],
        title: 'turn on',
        help: 'on',
        group: 'write',
        run: { type: 'startAction', id: turn.id },
        refused: 'no',
      },
      { keys: ['u'], title: 'undo', group: 'write', run: { type: 'askUndo' } },
      { keys: ['j'], title: 'act', group: 'move', run: { type: 'startAction', id: 'x' } },
    ] as const;
    const verbs = update(empty, { type: 'openActionMenu' }, emptyWorld(screens, empty, { bindings })).state.layers;
    expect(verbs).toMatchObject([
      {
        kind: 'menu',
        cursor: 0,
        items: [{ key: 't', label: 'turn on', hint: 'on', refused: 'no', run: bindings[0].run }],
      },
    ]);
    expect(verbs[0]?.kind === 'menu' && verbs[0].items).toHaveLength(1);
    const session = stepper<Thing>({ ...things, actions: [{ ...turn, command: () => 'turn it' }] } as never);
    session.poll(rows);
    session.send({ type: 'openCommandMenu' });
    expect(session.state().layers).toMatchObject([
      { kind: 'menu', cursor: 0, items: [{ label: 'turn on', hint: 'turn it' }] },
    ]);
  });

  test('q goes back one step at a time, and then quits', () => {
    const back = (more: Partial<ListState>): Partial<ListState> | string | undefined => {
      const session = listed();
      const state = { ...session.state(), lists: { things: { ...own(session.state()), ...more } } } as State;
      const view = { ...session.view(), listState: own(state) };
      const next = update(state, { type: 'goBack' }, { ...emptyWorld(screens, state), view });
      return next.effects?.[0]?.ask ?? own(next.state);
    };
    const rowRange = { from: 'a', rows: [], count: '2' };
    const all = { moving: ['b', 'a'], rowRange, marks: new Set(['a']), filter: 'x' };
    expect(back(all)).toMatchObject({ ...all, moving: undefined });
    expect(back({ ...all, moving: undefined })).toMatchObject({
      rowRange: undefined,
      marks: all.marks,
      filter: 'x',
    });
    expect(back({ marks: all.marks, filter: 'x' })).toMatchObject({ marks: new Set(), filter: 'x' });
    expect(back({ filter: 'x' })).toMatchObject({ filter: '' });
    expect(back({})).toBe('quit');
  });
});

test('the window scrolls by half its height, and by more for a far row', () => {
  const topsAt = (top: number, ...at: readonly number[]) => at.map((place) => windowTop(top, place, 10, 100));
  expect([topsAt(0, 0, 14, 15, 99), topsAt(50, 49, 45, 44, 0)]).toEqual([
    [0, 5, 10, 90],
    [45, 45, 39, 0],
  ]);
  expect([topsAt(-5, 0), topsAt(200, 95)]).toEqual([[0], [90]]);
  expect([windowTop(0, 1, 1, 5), windowTop(0, 2, 2, 3), windowTop(3, 0, 5, 3)]).toEqual([1, 1, 0]);
  fc.assert(
    fc.property(fc.nat(90), fc.nat(99), fc.integer({ min: 1, max: 10 }), (top, at, height) => {
      const now = windowTop(top, at, height, 100);
      expect(now).toBeGreaterThanOrEqual(Math.max(0, at - height + 1));
      expect(now).toBeLessThanOrEqual(Math.min(at, 100 - height));
      expect(windowTop(now, at, height, 100)).toBe(now);
      if (at >= Math.min(top, 100 - height) && at < Math.min(top, 100 - height) + height)
        expect(now).toBe(Math.min(top, 100 - height));
    }),
  );
});

test('the parts of a screen have what the others leave, and one line at least', () => {
  const parts = { bodyRows: 37, listRows: 28, detailRows: 34, detailWidth: 100 };
  expect(geometry({ columns: 100, rows: 40 }, { lines: 4 })).toMatchObject(parts);
  expect(geometry({ columns: 60, rows: 1 }, { lines: 0 })).toMatchObject({ bodyRows: 1, listRows: 1, detailRows: 1 });
  expect([insideDetail(80), insideDetail(5), insideDetail(4), insideDetail(0)]).toEqual([76, 1, 1, 1]);
});

test('a filter is words that occur, words that do not, and words that nearly do', () => {
  const fits = (filter: string, text: string) => matcher(filter)?.(text);
  expect([
    fits('', 'x'),
    fits('! ~', 'x'),
    fits('WEB', 'web 1'),
    fits('web prod', 'web 1'),
    fits('web !prod', 'web prod'),
  ]).toEqual([...[undefined, undefined, true, false, false]]);
  expect([fits('web 1', 'web 1'), fits('!p', 'web'), fits('~check-out', 'checks the out')]).toEqual([true, true, true]);
  expect([fits('!prod', 'web 1'), fits('~wbe', 'web'), fits('~chekout', 'checkout'), fits('~zzz', 'checkout')]).toEqual(
    [true, true, true, false],
  );
  const marks = (filter: string, text: string) =>
    highlighter(filter)?.(text).map(({ start, end }) => text.slice(start, end));
  expect([
    marks('eb', 'web web'),
    marks('!web', 'web'),
    marks('we eb', 'web x'),
    marks('', 'x'),
    marks('~chekout', 'a checkout'),
  ]).toEqual([...[['eb', 'eb'], undefined, ['web'], undefined, ['checkout']]]);
  expect([marks('b a', 'a-b'), marks('w eb', 'web')]).toEqual([['a', 'b'], ['web']]);
});

test('menus offer ranges and columns, with the present one under the cursor', () => {
  expect(rangeMenu(things, own(empty))).toMatchObject({
    items: [
      { id: '1h', key: '1', hint: undefined },
      { id: '1d', key: '2', hint: 'current' },
      { id: '1w', key: '3', hint: undefined },
    ],
    cursor: 1,
  });
  expect(rangeMenu({ ...things, ranges: undefined } as never, own(empty))).toMatchObject({ items: [], cursor: 0 });
  const sorts = sortMenu(things, own(withOwn({ sort: { by: 'rank', down: true } })));
  expect(sorts).toMatchObject({
    items: [
      { id: 'name', key: '1' },
      { id: 'rank', key: '2', hint: expect.stringMatching(/^current, .+; again: /) },
    ],
    cursor: 1,
  });
  expect(sorts.kind === 'menu' && sorts.items[0]?.hint).not.toContain('now');
  expect(sortMenu(things, own(empty))).toMatchObject({ cursor: 0 });
  expect(sortMenu(things, own(withOwn({ sort: { by: 'gone', down: true } })))).toMatchObject({ cursor: 0 });
});

test('a view that there is not opens nothing, and says which there are; nor does one whose list is gone', () => {
  const view = (tab: number, screen = 'things') => ({ name: 'v', at: 1, screen, tab, list: {} });
  const said = (name: string, ...views: State['views']) => {
    const { screen, flash } = step({ ...empty, views }, { type: 'openView', name }).state;
    return [screen, flash?.text];
  };
  expect([said('v'), said('w', view(1)), said('v', view(0, 'others'))]).toEqual([
    ['things', 'No view is called v: b saves the first one'],
    ['things', 'No view is called w: there are v'],
    ['others', undefined],
  ]);
  const gone = ['things', 'View v is of a list that is gone: b d deletes it'];
  expect([said('v', view(2)), said('v', view(0, 'gone'))]).toEqual([gone, gone]);
});

test('the copy menu has what there is to copy', () => {
  const acting = (of: Partial<AnyList> = {}, count = 1) => ({
    list: { ...things, ...of } as AnyList,
    rows: rows.slice(0, count),
  });
  const keys = (of: Partial<AnyList> = {}, count = 1, context: Context = contextOf()) => {
    const menu = copyMenu(acting(of, count), context);
    return menu.kind === 'menu' ? menu.items.map(({ key }) => key).join('') : '';
  };
  expect([keys(), keys({ link: () => undefined }), keys({ link: () => 'https://w.test/a' })]).toEqual([
    'mrn',
    'mrnl',
    'lmrn',
  ]);
  expect(keys({ link: () => undefined }, 1, contextOf({ web: 'https://w.test' as never }))).toBe('mrn');
  const hint = (of: Partial<AnyList>, key: string) => {
    const menu = copyMenu(acting(of), contextOf());
    const item = menu.kind === 'menu' ? menu.items.find((one) => one.key === key) : undefined;
    return item?.refused ?? item?.hint;
  };
  // What cannot be is dim, with the reason, and nothing promises it.
  expect([hint({ link: () => undefined }, 'l'), hint({ link: () => undefined }, 'm')]).toEqual([
    expect.stringContaining('has no web address'),
    'name and facts, for a channel',
  ]);
  expect(hint({ link: () => 'https://w.test/a' }, 'm')).toBe('name, facts and link, for a channel');
  const text = (key: string, count: number) => {
    const menu = copyMenu(acting({ link: (row: Thing) => `https://w.test/${row.id}` }, count), contextOf());
    const run = menu.kind === 'menu' ? menu.items.find((item) => item.key === key)?.run : undefined;
    return run?.type === 'copyText' ? run.text : undefined;
  };
  expect([text('n', 2), text('l', 2)]).toEqual(['thing a\nthing b', 'https://w.test/a\nhttps://w.test/b']);
  expect([Array.isArray(JSON.parse(text('r', 2) ?? '')), Array.isArray(JSON.parse(text('r', 1) ?? ''))]).toEqual([
    true,
    false,
  ]);
  const json = copyMenu(acting(), contextOf());
  expect(json.kind === 'menu' && json.items.find(({ key }) => key === 'r')?.hint).toBe('{"id":"a","rank":8}');
  expect(keys({ command: () => 'orgdeck things get a' })).toBe('mrcn');
  const command = { ...turn, command: () => 'orgdeck things turn' };
  expect([keys({ actions: [command] }), keys({ actions: [{ ...command, enabled: () => 'off' }] })]).toEqual([
    'mrnv',
    'mrn',
  ]);
});

test('an action is copied as a command with its own values, those of the last edit, or not where it must ask', () => {
  const command = (row: Thing, values: { on?: string } = {}) =>
    row.id === 'b' ? '' : `turn ${row.id} ${values.on ?? '-'}`;
  const act = (more: object = {}) => ({ ...turn, command, ...more });
  const lines = (more: object = {}, last?: object, of = rows.slice(0, 3)) =>
    commandItems({ list: { ...things, actions: [act(more)] } as never, rows: of }, contextOf(), last as never).map(
      ({ run }) => (run.type === 'copyText' ? run.text : ''),
    );
  expect(lines()).toEqual([expect.stringContaining('turn a -')]);
  expect(lines({ command: undefined })).toEqual([]);
  expect(lines({}, undefined, rows.slice(1, 2))).toEqual([]);
  expect(lines({ enabled: () => 'off' })).toEqual([]);
  expect(lines({ form: () => ({}) })).toEqual([]);
  const last = { list: 'things', action: turn.id, values: { on: 'yes' } };
  expect(lines({ form: () => ({}) }, last)).toEqual([expect.stringContaining('turn a yes')]);
  expect(lines({ form: () => ({}) }, { ...last, list: 'others' })).toEqual([]);
  expect(lines({ form: () => ({}) }, { ...last, action: 'other' })).toEqual([]);
  expect(lines({ bar: () => ({ values: { on: 'bar' } }) })).toEqual([expect.stringContaining('turn a bar')]);
  expect(lines({ values: () => ({ on: 'own' }) })).toEqual([expect.stringContaining('turn a own')]);
});

test('what is copied of a detail is its row as it was read whole, of a line of a board that of its list', () => {
  const inside = { get: ({ row }: { row: unknown }) => row, set: () => ({}) };
  const list = { ...things, detail: { sections: () => [], inside } } as unknown as AnyList;
  const copied = (more: object) =>
    actingWhole({ list, acting: { list, rows }, detail: { whole: { value: { row: 'whole' } } }, ...more } as never);
  expect(copied({})).toEqual(['whole']);
  const others = [
    { list: things },
    { acting: { list: things, rows } },
    { detail: { whole: {} } },
    { detail: undefined },
  ];
  for (const other of others) expect(copied(other)).toBe(rows);
});

test('a place is opened on its screen and tab, with its search; back leads to where it was left from', () => {
  const go = (
    place: Parameters<typeof goTo>[1],
    state = withOwn({ marks: new Set(['x']), rowRange: { from: 'x', rows: [], count: '' } }),
  ) => goTo(state, place, screens).state;
  const opened = go({ list: 'tab', row: 'a' });
  expect(opened).toMatchObject({
    screen: 'things',
    tab: { things: 1 },
    from: { screen: 'things', tab: 0, list: 'tab', row: 'a', filter: '' },
  });
  expect(own(opened, 'tab')).toMatchObject({ cursor: 'a', detail: { id: 'a', tab: 0, top: 0 } });
  const filtered = go({ list: 'things', filter: 'f', search: { query: 'q' }, range: '1h' });
  expect(own(filtered)).toMatchObject({
    filter: 'f',
    marks: new Set(),
    rowRange: undefined,
    asked: { search: { query: 'q' }, range: '1h' },
  });
  expect(own(filtered).detail).toBeUndefined();
  const same = withOwn({ top: 5 });
  expect(own(go({ list: 'things' }, same)).top).toBe(5);
  expect(own(go({ list: 'things', range: '1w' }, same)).top).toBe(0);
  expect(own(go({ list: 'others', row: 'a' }), 'others')).toMatchObject({ cursor: 'a', detail: undefined });
  expect(go({ list: 'gone' }, same)).toBe(same);
  expect(goTo(empty, {}, screens)).toMatchObject({
    state: { layers: [{ kind: 'timeline', cursor: 0, isLoading: true }] },
    effects: [{ ask: 'journal' }],
  });
});

test('an edit of the journal is told by its receipt where somebody was picked, else by its row or how many there are', () => {
  const add = { ...turn, id: 'things.add', title: 'add user', preposition: 'to', pick: () => ({}) };
  const of = [{ id: 'things', title: 'Things', key: '1', lists: [{ ...things, actions: [turn, add] } as never] }];
  const words = (...edit: readonly object[]) =>
    editWords(
      edit.map((more) => ({
        action: turn.id,
        target: { id: 'a', name: 'thing a' },
        call: {},
        undo: [],
        ...more,
      })) as never,
      of,
    );
  const added = { action: add.id, said: 'Added user Ada to thing a; so is b' };
  const another = { target: { id: 'b', name: 'thing b' } };
  expect([
    words(),
    words({ said: 'thing a is on' }),
    words(added),
    words({ ...added, said: undefined }),
    words(added, { ...added, ...another }),
    words({}, {}),
    words({}, another),
    words({ target: { id: 'a', name: '' } }),
  ]).toEqual([
    ...['', 'turned on thing a', 'added user Ada to thing a', 'added user to thing a', 'added user to 2 rows'],
    ...['turned on thing a', 'turned on 2 rows', 'turned on a'],
  ]);
});

test('a handover says what was done where, and what is true of it now', () => {
  const context = contextOf({ web: 'https://w.test' as never });
  const described: AnyList = {
    ...things,
    link: (row: Thing) => `https://w.test/${row.id}`,
    now: (row: Thing) => `rank ${row.rank}`,
    openEnds: () => [
      { title: 'later', count: 1, named: [{ name: 'a', row: 'a' }] },
      { title: 'soon', count: 1, named: [{ name: 'z', row: 'zz' }], isUrgent: true },
    ],
    actions: [{ ...turn, handover: 'mute', settings: { rank: { label: 'Rank', path: 'attributes.rank' } } }],
  } as never;
  const of = [
    { id: 'things', title: 'Things', key: '1', lists: [described, { ...described, id: 'home', derived: {} } as never] },
  ];
  const facts = (
    shift: Parameters<typeof handoverFacts>[0] = { hours: 8 },
    known: readonly Thing[] = rows,
    in_ = context,
    isWhole = true,
  ) => handoverFacts(shift, of, in_, () => ({ rows: known, isWhole }));
  const told = (id: string, isWhole = true, in_ = context, act: string = turn.id) =>
    facts({ hours: 8 }, rows, in_, isWhole).describe({ action: act, target: { id } } as never);
  expect(facts()).toMatchObject({ profile: 'test', since: context.now - 8 * 3_600_000 });
  expect(facts({ since: 5 }).since).toBe(5);
  expect(facts().openEnds).toMatchObject([
    { title: 'soon' },
    { title: 'later', list: 'things', named: [{ list: 'things', link: 'https://w.test/a' }] },
  ]);
  expect(facts().openEnds[0]?.named[0]).not.toHaveProperty('link');
  const noted = (at: number) => handoverFacts({ since: 5 }, of, context, () => undefined, { at, text: 'cable' }).note;
  expect([noted(5), noted(4)]).toEqual(['cable', undefined]);
  expect([facts().unread, facts({ hours: 8 }, rows, context, false).unread]).toEqual([[], ['things, in part']]);
  expect(handoverFacts({ hours: 8 }, of, context, () => undefined).unread).toEqual(['things']);
  expect(told('a')).toEqual({
    verb: 'turn on',
    part: 'mute',
    list: 'things',
    link: 'https://w.test/a',
    listTitle: 'Things',
    now: 'rank 8',
  });
  expect([told('zz').now, told('zz', false).now, told('a', false).now]).toEqual([
    'not in the list',
    undefined,
    'rank 8',
  ]);
  expect(told('a', true, contextOf())).not.toHaveProperty('link');
  expect(told('a', true, context, 'x.y')).toEqual({ verb: 'x.y', part: 'change' });
});

test('a handover walks through a list once, however many of its rows it names', () => {
  const asked = { ids: 0 };
  const many = Array.from({ length: 3000 }, (_, at): Thing => ({ id: `${at}`, name: 'n', rank: at }) as Thing);
  const described: AnyList = {
    ...things,
    idOf: (row: Thing) => {
      asked.ids += 1;
      return row.id;
    },
    link: (row: Thing) => `https://w.test/${row.id}`,
    openEnds: (rows: readonly Thing[]) => [
      { title: 'Open', count: rows.length, named: rows.map(({ id }) => ({ name: id, row: id })) },
    ],
    actions: [turn],
  } as never;
  const screens = [{ id: 'things', title: 'Things', key: '1', lists: [described] }];
  const report = (web?: string) =>
    handoverFacts({ hours: 8 }, screens, contextOf({ web: web as never }), () => ({ rows: many, isWhole: true }));
  const facts = report('https://w.test');
  expect(facts.openEnds[0]?.named[2999]).toMatchObject({ link: 'https://w.test/2999' });
  for (const { id } of many) facts.describe({ action: turn.id, target: { id } } as never);
  expect(asked.ids).toBe(many.length);
  // Without an address of the web application no row is looked for.
  expect(report().openEnds[0]?.named).toHaveLength(many.length);
  expect(asked.ids).toBe(many.length);
});
