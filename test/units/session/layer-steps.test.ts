import { describe, expect, test } from 'vitest';
import { checksField, choiceField, queryField, textField } from '../../../src/describe/field.ts';
import type { Pick } from '../../../src/describe/picks.ts';
import { createTheme } from '../../../src/scene/theme.ts';
import { rescue } from '../../../src/session/keys/bindings.ts';
import { layerKindOf } from '../../../src/session/layers/index.ts';
import { takeRows } from '../../../src/session/layers/pick.ts';
import { shiftTitle } from '../../../src/session/layers/timeline.ts';
import type { FleetStanding } from '../../../src/session/outside/outside.ts';
import { update } from '../../../src/session/session.ts';
import { confirmLayer, randomCode } from '../../../src/session/stack/confirm.ts';
import type { Message } from '../../../src/session/state/message.ts';
import type { Moment } from '../../../src/session/state/moment.ts';
import type { Layer, LayerOf, State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { bareLayer, reportOf } from '../../support/bare-layer.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';
import { smallLanguage } from '../../support/test-screen.ts';
import { thingsNamed, turn, turning } from '../../support/things.ts';

/** What each layer makes of its messages: the state that follows, and what it asks for. */

const things = thingsNamed((row) => row.id);
const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
const row = { id: 'a' };
const pending = { action: turn, list: things, rows: [row] };
const production = contextOf({ profile: { name: 'prod', production: true, readOnly: false } });
const line = (text = '') => ({ text, cursor: text.length });
const below: Layer = { kind: 'text', title: 'below', lines: [], top: 0 };

/** The state after messages to this layer, over another one; and what the last message asked for. */
function steps(
  layer: Layer,
  messages: Message | readonly Message[],
  more: Partial<Moment> = {},
  base: Partial<State> = {},
) {
  let next: ReturnType<typeof update> = { state: { ...emptyState(screens), ...base, layers: [below, layer] } };
  for (const message of [messages].flat() as Message[])
    next = update(next.state, message, emptyWorld(screens, next.state, more));
  const { state, effects } = next;
  return { state, effects, top: state.layers.at(-1), depth: state.layers.length };
}
const types = (text: string): Message => ({ type: 'typeKey', key: { name: text, text, alone: true } });
const chooses = { type: 'choose' } as const;

test('keys without a binding are text for those layers alone that have a line', () => {
  const takes = (layer: Layer) => layerKindOf(layer).takesText(layer);
  const form = formLayer(
    '',
    { name: textField('Name', ''), color: choiceField('Color', 'a', ['a', 'b']) },
    { kind: 'view' },
  );
  const texts: readonly Layer[] = [
    form,
    { ...bar, input: { name: 'until', line: line() } },
    { ...confirm, confirm: { question: '', typed: 'yes' } },
    bareLayer('find'),
    bareLayer('filter'),
    { ...help, searching: true },
    bareLayer('palette'),
    pickLayer(),
    takeLayer(),
    journal({ asking: { for: 'since', line: line() } }),
  ];
  expect(texts.filter((layer) => !takes(layer))).toEqual([]);
  const silent: readonly Layer[] = [
    { ...form, focus: 1 },
    { ...form, review: [] },
    { ...form, draft: { at: 1, texts: {} } },
    ...(['wait', 'job', 'menu', 'results'] as const).map((kind) => bareLayer(kind)),
    bar,
    confirm,
    help,
    secret,
    below,
    profiles(),
    journal({}),
  ];
  expect(silent.filter(takes)).toEqual([]);
});

const until = textField('Until', 'soon', { check: (text) => text !== 'never' || 'it must end' });
const bar: LayerOf<'bar'> = {
  kind: 'bar',
  bar: {
    title: 'mute',
    choices: [{ key: '1', title: '1h', values: { hours: 1 } }],
    inputs: [
      { key: 'w', name: 'why', field: textField('Why', 'because'), ends: false },
      { key: 'u', name: 'until', field: until, ends: true },
    ],
    cycles: [
      { key: 's', name: 'scope', title: 'scope', options: ['all', 'one'].map((value) => ({ value, label: value })) },
      { key: 'e', name: 'empty', title: 'empty', options: [] },
    ],
    values: { scope: 'all' },
  },
  values: { scope: 'all' },
  pending,
};
const presses = (key: string): Message => ({ type: 'pressBarKey', key });

describe('a bar', () => {
  test('ends with a choice and the values so far', () => {
    const { effects, depth } = steps(bar, [presses('s'), presses('1')]);
    expect(effects).toMatchObject([{ ask: 'perform', pending: { values: { scope: 'one', hours: 1 } } }]);
    expect(depth).toBe(1);
    expect(steps(bar, presses('x')).top).toBe(bar);
  });
});

const confirm = bareLayer('confirm');

test('a question goes on with y, or with the text that is to be typed', () => {
  const yes = { type: 'answerYes' } as const;
  const later = [{ ask: 'later', ms: 0, message: { type: 'refresh' } }];
  expect(steps(confirm, yes)).toMatchObject({ top: below, effects: later });
  const typed = { ...confirm, confirm: { question: 'Sure?', typed: 'web 1' } };
  const no = steps(typed, [types('web'), yes]);
  expect([no.effects, no.state.flash?.text, no.depth]).toEqual([undefined, 'Type web 1 to confirm, or Esc', 2]);
  expect(steps(typed, [{ type: 'pasteText', text: ' web 1 ' }, yes])).toMatchObject({ top: below, effects: later });
  expect(layerKindOf(typed).question?.(typed)).toBe(typed.confirm);
});

const entry = { id: 'e', at: 1, operation: turn.id, target: 'web', text: '', undoable: false, checkable: false };
const journal = (more: Partial<LayerOf<'timeline'>>) => bareLayer('timeline', more);
const edits = (more: Partial<LayerOf<'timeline'>>) => journal({ view: 'edits', ...more });
const isLine = <T>(value: T) => value as never;

describe('the journal', () => {
  const open = edits({ entries: [isLine({ ...entry, outcome: 'open', targetId: 'a' })] });
  const does = (
    what: 'check' | 'repeat' | 'forget' | 'undo',
    layer: Layer = open,
    more: Partial<Moment> = {},
    sure = false,
  ) => steps(layer, { type: 'runOnEntry', what, ...(sure ? { sure } : {}) }, more);

  test('what is done about an edit is asked for in production, where it sends something', () => {
    expect(does('repeat').effects).toEqual([{ ask: 'entry', id: 'e', what: 'repeat', name: 'turned on web' }]);
    const asked = does('repeat', open, { context: production });
    expect(asked.effects).toBeUndefined();
    expect(asked.top).toMatchObject({
      confirm: { question: 'Send again in production (prod): turned on web?' },
      typed: line(),
      yes: { type: 'runOnEntry', what: 'repeat', sure: true },
    });
    for (const what of ['check', 'forget'] as const)
      expect(does(what, open, { context: production }).effects).toMatchObject([{ what }]);
    expect(does('repeat', open, { context: production }, true).effects).toMatchObject([{ what: 'repeat' }]);
    const undoable = edits({ entries: [isLine({ ...entry, outcome: 'applied', undoable: true })] });
    expect(does('undo', undoable, { context: production }).top).toMatchObject({
      confirm: { question: 'Undo in production (prod): turned on web?' },
    });
    const undo = does('undo', undoable);
    expect([undo.effects, undo.top]).toMatchObject([undefined, { confirm: { question: 'Undo: turned on web?' } }]);
    expect(does('undo', undoable, {}, true).effects).toMatchObject([{ what: 'undo' }]);
    expect(does('undo')).toMatchObject({ top: open });
    expect(does('undo').effects).toBeUndefined();
  });

  test('acts on the newest of the edits of a line that it can be done about', () => {
    const entries = ['1', '2', '3'].map((id) => isLine({ ...entry, id, outcome: id === '3' ? 'applied' : 'unknown' }));
    const layer = journal({ entries, report: reportOf(['1', '2', '3', 'gone']) });
    expect(does('check', layer).effects).toMatchObject([{ id: '2' }]);
    expect(does('check', { ...layer, view: 'edits' }).effects).toMatchObject([{ id: '1' }]);
    expect(does('check', { ...layer, view: 'edits', cursor: 2 }).effects).toBeUndefined();
    const again = edits({ entries: [isLine({ ...entry, outcome: 'refused', repeatable: true })] });
    const done = edits({ entries: [isLine({ ...entry, outcome: 'unknown', isDismissed: true })] });
    expect((['repeat', 'forget', 'check'] as const).map((what) => does(what, done).effects?.length)).toEqual([
      undefined,
      undefined,
      1,
    ]);
    expect(does('repeat', again).effects).toMatchObject([{ what: 'repeat' }]);
    expect(does('check', again).effects).toBeUndefined();
  });

  test('the cursor stays on its line when the journal is read again', () => {
    const entries = (...ids: readonly string[]) => ids.map((id) => ({ ...entry, id, outcome: 'open' as const }));
    const at = (layer: LayerOf<'timeline'>, ...ids: readonly string[]) => {
      return steps(layer, { type: 'journalRead', entries: entries(...ids), unsettled: false }).top;
    };
    const before = edits({ entries: entries('c', 'b', 'a'), cursor: 1 });
    expect(at(before, 'd', 'c', 'b', 'a')).toMatchObject({ cursor: 2 });
    expect(at(before, 'c', 'a')).toMatchObject({ cursor: 1 });
    expect(at(before, 'c')).toMatchObject({ cursor: 0 });
    expect(at(edits({ isLoading: true }), 'c', 'b')).toMatchObject({ cursor: 0 });
  });

  test('Tab turns from the handover to all events, edits, changes, messages and back; the handover is saved', () => {
    const layer = journal({ cursor: 3, report: reportOf([]) });
    const turned = (by: 1 | -1, of: Layer = layer) => steps(of, { type: 'moveView', by }).top as LayerOf<'timeline'>;
    expect(turned(1)).toEqual({ ...layer, view: 'all', cursor: 0 });
    const views = [turned(1)];
    for (let at = 0; at < 4; at += 1) views.push(turned(1, views.at(-1)));
    expect(views.map(({ view }) => view)).toEqual(['all', 'edits', 'changes', 'messages', 'handover']);
    expect(turned(-1).view).toBe('messages');
    expect(steps(layer, { type: 'saveReport' }).effects).toEqual([
      { ask: 'saveReport', text: expect.stringContaining('# Handover') },
    ]);
    const menu = steps(layer, { type: 'openShiftMenu' }).top as LayerOf<'menu'>;
    expect(menu.items.map(({ key, label, hint }) => [key, label, hint])).toEqual([
      ['1', 'last 8h', 'current'],
      ['2', 'last 12h', undefined],
      ['3', 'last 24h', undefined],
      ['4', 'last week', undefined],
      ['t', 'since…', '22:00, yesterday 22:00 or 6h'],
    ]);
    expect(steps(layer, menu.items[1]?.run ?? chooses).effects).toEqual([{ ask: 'journal', shift: { hours: 12 } }]);
    expect([
      shiftTitle(layer),
      shiftTitle({ ...layer, shift: { hours: 12 } }),
      shiftTitle({ ...layer, shift: { since: 1 } }),
    ]).toEqual([...['last 8h', 'last 12h', undefined]]);
  });

  test('a note for the next shift is typed, kept with its time, and removed where it is emptied', () => {
    const typed = steps(journal({}), [{ type: 'openNote' }, types('cable'), chooses]);
    expect(typed.state.note).toEqual({ at: contextOf().now, text: 'cable' });
    expect([typed.effects, typed.top]).toMatchObject([
      [{ ask: 'journal', shift: { hours: 8 } }],
      { asking: undefined },
    ]);
    const asks = steps(journal({}), { type: 'openNote' }, {}, { note: { at: 1, text: 'old' } }).top;
    expect(asks).toMatchObject({ asking: { for: 'note', line: { text: 'old' } } });
    expect(steps(journal({}), [{ type: 'openNote' }, types('x'), { type: 'closeLayer' }]).state.note).toBeUndefined();
    const emptied = journal({ asking: { for: 'note', line: line() } });
    expect(steps(emptied, chooses, {}, { note: { at: 1, text: 'old' } }).state.note).toBeUndefined();
  });

  test('all events are those of the journal, what the reads have shown, and the warnings, the newest first', () => {
    const change = { at: 3, id: 'b', name: 'b', list: 'things', from: isLine({}), to: isLine({}) };
    const said = [
      { text: 'no', tone: 'bad', at: 4 },
      { text: 'done', tone: 'good', at: 2 },
    ] as const;
    const all = journal({
      view: 'all',
      entries: [isLine({ ...entry, outcome: 'open', targetId: 'a' })],
      changes: [change],
    });
    const at = (cursor: number) => steps({ ...all, cursor }, { type: 'openEntry' }, {}, { messages: said });
    expect(at(0).top).toMatchObject({
      kind: 'text',
      title: 'Message',
      lines: ['no', '', 'Time       1970-01-01 00:00:00 UTC'],
    });
    expect([1, 2, 3].map((cursor) => at(cursor).state.lists.things?.detail?.id)).toEqual(['b', 'a', undefined]);
    const down = { type: 'moveInLayer', by: 9 } as const;
    expect(steps(all, down, {}, { messages: said }).top).toMatchObject({ cursor: 2 });
    expect(steps({ ...all, view: 'changes', cursor: 0 }, { type: 'openEntry' }).state.lists.things?.detail?.id).toBe(
      'b',
    );
  });

  test('what was read takes its place in the open journal, with the cursor on a line; that of an earlier run opens it', () => {
    const entries = ['1', '2'].map((id) => isLine({ ...entry, id, outcome: 'open' }));
    const read = { type: 'journalRead', entries, unsettled: false } as const;
    const now = (layer: Layer, message: Message = read) => steps(layer, message).top;
    expect(now(edits({ cursor: 9, asking: { for: 'since', line: line('x') } }))).toMatchObject({
      ...{ entries, cursor: 1, view: 'edits', asking: { line: { text: 'x' } }, shift: { hours: 8 } },
    });
    expect(now(edits({ cursor: 1 }))).toMatchObject({ cursor: 1, view: 'edits' });
    const both = journal({ entries, report: reportOf([]) });
    const down = { type: 'moveInLayer', by: 9 } as const;
    expect([now(both, down), now({ ...both, view: 'edits' }, down)]).toMatchObject([{ cursor: 0 }, { cursor: 1 }]);
    expect(now(journal({ cursor: 1 }), { ...read, entries: [] })).toMatchObject({ cursor: 0 });
    expect(now(journal({ cursor: 5 }), { ...read, report: reportOf([]) })).toMatchObject({ cursor: 0 });
    expect(now(help)).toBe(help);
    expect(steps(help, { ...read, unsettled: true })).toMatchObject({
      depth: 3,
      top: { kind: 'timeline', view: 'edits', cursor: 0, unsettled: true },
    });
  });
});

const pickLayer = (more: Partial<LayerOf<'pick'>> = {}) => bareLayer('pick', { pending, ...more });
const [ann, ben, cid]: readonly Pick[] = ['Ann', 'Ben', 'Cid'].map((label) => ({ id: label.toLowerCase(), label }));
const people = [ann, ben, cid].flatMap((one) => one ?? []);
const answered = { picks: () => people };

describe('a pick', () => {
  test('is the value of the action, and remembered', () => {
    const { effects, state } = steps(pickLayer({ cursor: 1 }), chooses, answered);
    expect(effects).toMatchObject([{ ask: 'perform', pending: { values: { who: 'ben' } } }]);
    expect(state.recent).toEqual([ben]);
    const many = Array.from({ length: 8 }, (_, at) => ({ id: `p${at}`, label: '' }));
    const again = steps(pickLayer(), chooses, answered, { recent: [...many.slice(0, 7), { id: 'ann', label: 'old' }] });
    expect(again.state.recent.map(({ id }) => id)).toEqual(['ann', ...many.slice(0, 7).map(({ id }) => id)]);
    expect(steps(pickLayer(), chooses, answered, { recent: many }).state.recent).toHaveLength(8);
    expect(steps(pickLayer({ cursor: 9 }), chooses, answered).effects).toBeUndefined();
    const kinds = pickLayer({ picker: { ...pickLayer().picker, things: true } });
    expect(steps(kinds, chooses, answered).state.recent).toEqual([]);
  });

  test('the cursor moves over all rows', () => {
    expect(steps(pickLayer(), { type: 'moveInLayer', by: 9 }, answered).top).toMatchObject({ cursor: 2 });
    expect(steps(pickLayer({ waitsForMe: true }), { type: 'moveInLayer', by: 1 }, answered).top).toMatchObject({
      waitsForMe: false,
      cursor: 1,
    });
    const last = pickLayer({ cursor: 9 });
    const world = { ...emptyWorld(screens, emptyState(screens)), ...answered };
    const room = { width: 40, height: 9, theme: createTheme({ name: 'mono', noColor: true, ascii: false }) };
    const { lines } = layerKindOf(last).lines(last, world, room);
    expect(lines.findLast(({ isCursor }) => isCursor)?.spans[0]?.text).toContain('Cid');
    expect(layerKindOf(last).rowKeys?.(last, world)).toEqual(people.map(({ id }) => id));
  });
});

test('what an item of a menu edits must have been seen, what only shows may be known', () => {
  const run = { type: 'valuesChosen', pending } as const;
  const choice = (...items: LayerOf<'menu'>['items']) => {
    const menu = bareLayer('menu', { items });
    return layerKindOf(menu).choice?.(menu, {} as never) === items;
  };
  const shows = { id: 'a', label: 'a', run: { type: 'refresh' } } as const;
  expect([choice(shows), choice(shows, { ...shows, run })]).toEqual([false, true]);
});

const takeLayer = (more: Partial<LayerOf<'take'>> = {}) => bareLayer('take', { several: true, ...more });

describe.each([
  ['a pick', pickLayer],
  ['the values of a field', takeLayer],
] as const)('the search of %s', (_, layerOf) => {
  const due = { type: 'searchDue', typed: 'b' } as const;

  test('is asked for after a pause in typing', () => {
    const typed = steps(layerOf({ cursor: 2 }), types('b'), answered);
    expect(typed.top).toMatchObject({ typing: true, cursor: 0, query: { text: 'b' } });
    expect(typed.effects).toEqual([{ ask: 'later', ms: 250, message: due }]);
    const left: Message = { type: 'typeKey', key: { name: 'left', alone: true } };
    const moved = steps(layerOf({ query: line('b'), cursor: 2 }), left);
    expect([moved.top, moved.effects]).toMatchObject([
      { query: { text: 'b', cursor: 0 }, typing: false, cursor: 2 },
      undefined,
    ]);
    expect(steps(layerOf(), { type: 'startTyping' }).top).toMatchObject({ typing: true });
    expect(steps(layerOf({ query: line('c'), cursor: 2 }), due).top).toMatchObject({ asked: '', cursor: 2 });
    expect(layerKindOf(layerOf()).reads?.(layerOf({ asked: 'x' }))).toEqual({ key: 'x' });
  });

  test('leaves a cursor that was moved on its row, among the rows that were there until it is answered', () => {
    const bob = { id: 'bob', label: 'Bob' };
    const searched = (cursor: number, found: (layer: LayerOf<'pick' | 'take'>) => readonly Pick[]) => {
      const world = { picks: (of: LayerOf<'pick' | 'take'>) => (of.asked === 'b' ? found(of) : [...people, bob]) };
      const layer = steps(layerOf({ query: line('b'), cursor }), due, world).top as ReturnType<typeof layerOf>;
      return [layer.cursor, ...(layerKindOf(layer).rowKeys?.(layer, world as never) ?? [])];
    };
    expect(searched(1, ({ before = [] }) => before)).toEqual([1, 'ben', 'bob']);
    expect(searched(1, () => [bob, ...people])).toEqual([0, 'bob', 'ben', 'ann', 'cid']);
  });

  test('keeps the rows that were there until it is answered, and a cursor that was not moved on the first', () => {
    const world = { picks: () => people };
    const layer = steps(layerOf({ query: line('b') }), due, world).top as ReturnType<typeof layerOf>;
    expect([layer.cursor, layer.before?.map(({ id }) => id)]).toEqual([0, ['ben']]);
  });
});

describe('the values of a field', () => {
  const ids = (layer: LayerOf<'take'>, answer: readonly Pick[] = people) => takeRows(layer, answer).map(({ id }) => id);
  const zoe = { id: 'zoe', label: 'Zoe' };
  const whole = () => ({ key: '', whole: true }) as never;

  test('those taken stand first, then what the service answers, each once; of one value none is taken', () => {
    expect(ids(takeLayer({ taken: [zoe, people[1] as Pick] }))).toEqual(['zoe', 'ben', 'ann', 'cid']);
    expect(ids(takeLayer({ several: false, taken: [zoe] }))).toEqual(['ann', 'ben', 'cid']);
  });

  test('where all is answered at once the rows stay in their places, those taken at the opening first', () => {
    const layer = takeLayer({ picks: whole, taken: [zoe, people[0] as Pick], opened: ['cid'] });
    expect(ids(layer)).toEqual(['zoe', 'cid', 'ann', 'ben']);
  });

  test('what matches the text by name, hint or id is shown until the service has answered it', () => {
    const typed = (text: string, more: Partial<LayerOf<'take'>> = {}) => takeLayer({ query: line(text), ...more });
    const hinted = [...people, { id: 'x9', label: 'Xen', hint: 'benign' }];
    expect([ids(typed('be'), hinted), ids(typed('x9'), hinted)]).toEqual([['ben', 'x9'], ['x9']]);
    expect(ids(typed('be', { asked: 'be' }), hinted)).toEqual(['ben', 'ann', 'cid', 'x9']);
    expect(ids(typed('zo', { taken: [zoe, people[0] as Pick] }))).toEqual(['zoe']);
  });

  test('a word that is not offered may be taken where the field is free', () => {
    const typed = (text: string, free = true) => takeLayer({ query: line(text), free, asked: text });
    expect(takeRows(typed(' own '), people).at(-1)).toEqual({ id: 'own', label: 'own', hint: 'as typed' });
    expect([ids(typed('own', false)).length, ids(typed('')).length, ids(typed('ben')).length]).toEqual([3, 3, 3]);
    expect(takeRows({ ...typed('zoe'), taken: [zoe] }, []).map(({ id }) => id)).toEqual(['zoe']);
  });

  test('Space takes the row under the cursor, or leaves it; the cursor stays on the row, or at its place', () => {
    const toggle = { type: 'toggleChoice' } as const;
    const took = steps(takeLayer({ cursor: 1 }), toggle, answered).top;
    expect(took).toMatchObject({ taken: [ben], cursor: 0 });
    expect(steps(takeLayer({ cursor: 1, taken: [ann as Pick, cid as Pick] }), toggle, answered).top).toMatchObject({
      taken: [ann],
      cursor: 1,
    });
    expect(steps(takeLayer({ cursor: 0, taken: [zoe] }), toggle, { picks: () => [] }).top).toMatchObject({
      taken: [],
      cursor: 0,
    });
    expect(steps(takeLayer({ cursor: 0, taken: [ann as Pick] }), toggle, answered).top).toMatchObject({
      taken: [],
      cursor: 0,
    });
    expect(
      steps(takeLayer({ cursor: 2, taken: [zoe, ann as Pick, ben as Pick] }), toggle, { picks: () => [] }).top,
    ).toMatchObject({ cursor: 1 });
    const inPlace = takeLayer({ cursor: 2, picks: whole });
    expect(steps(inPlace, [toggle, toggle], answered).top).toMatchObject({ taken: [], cursor: 2 });
    for (const layer of [takeLayer({ several: false }), takeLayer({ cursor: 9 })])
      expect(steps(layer, toggle, answered).top).toEqual(layer);
  });

  test('Return writes them into the form below', () => {
    const form = formLayer('', { who: checksField('Who', [], () => ({}) as never) }, { kind: 'view' });
    const chosen = (layer: LayerOf<'take'>, more: Partial<Moment> = answered) => {
      const state: State = { ...emptyState(screens), layers: [below, form, layer] };
      const { layers } = update(state, chooses, emptyWorld(screens, state, more)).state;
      const top = layers.at(-1);
      return [layers.length, top?.kind === 'form' ? top.lines.who?.text : top?.kind];
    };
    expect(chosen(takeLayer({ taken: [ann as Pick, zoe] }))).toEqual([2, 'ann,zoe']);
    expect(chosen(takeLayer())).toEqual([2, '']);
    expect(chosen(takeLayer({ several: false, cursor: 1 }))).toEqual([2, 'ben']);
    expect(chosen(takeLayer({ several: false }), {})).toEqual([3, 'take']);
    expect(steps(takeLayer(), chooses, answered).depth).toBe(2);
  });
});

const profiles = (more: Partial<LayerOf<'profiles'>> = {}): LayerOf<'profiles'> => ({
  kind: 'profiles',
  items: ['a', 'b', 'c'].map((name) => ({
    name,
    says: '',
    current: name === 'b',
    ...(name === 'a' ? { values: { name } } : {}),
  })),
  cursor: 0,
  ...more,
});

describe('the fleet', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    name,
    says: `at ${name}`,
    current: false,
    isOfFleet: name !== 'a',
  }));
  const read = (name: string, standing: FleetStanding): Message => ({ type: 'fleetRead', name, standing });
  const told = [
    read('b', { alerting: 0, issues: '7' }),
    read('c', { problem: 'Keys refused' }),
    read('e', {
      alerting: 2,
      issues: '100+',
      muteEnds: emptyWorld(screens, emptyState(screens)).context.now + 60_000,
      quota: 0.5,
    }),
  ];

  test('has the worst organization first, and the cursor stays on its profile', () => {
    const { top } = steps(profiles({ items, cursor: 1 }), told);
    const { items: sorted, cursor } = top as LayerOf<'profiles'>;
    expect(sorted.map(({ name }) => name)).toEqual(['e', 'c', 'd', 'b', 'a']);
    expect(sorted[cursor]?.name).toBe('b');
  });

  test('has columns below heads, and says their words where it is heard', () => {
    const { top } = steps(profiles({ items }), told);
    const theme = createTheme({ name: 'mono', noColor: true, ascii: false });
    const world = emptyWorld(screens, emptyState(screens));
    const { lines, speech } = layerKindOf(top as Layer).lines(top as Layer, world, { width: 78, height: 12, theme });
    expect(
      lines.map(({ spans }) =>
        spans
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      ),
    ).toEqual([
      '    PROFILE  ALERTING  ISSUES  MUTE ENDS  QUOTA  SERVICE',
      '    e        2         100+    1m         50%    at e',
      '    c        Keys refused                        at c',
      '    d        reading                             at d',
      '    b        0         7                         at b',
      '>   a                                            at a',
      '',
    ]);
    expect(speech?.().rows?.texts).toContain('e, 2 alerting, 100+ issues, mute ends 1m, quota 50%, at e');
  });
});

describe('the profiles', () => {
  const does = (what: 'use' | 'new' | 'edit' | 'test' | 'remove', more: Partial<LayerOf<'profiles'>> = {}) =>
    steps(profiles(more), { type: 'runOnProfile', what });

  test('one is used', () => {
    const used = does('use', { cursor: 1 });
    expect(used).toMatchObject({ effects: [{ ask: 'useProfile', name: 'b' }], depth: 1 });
    // No key acts on the rows of the old one while its keys are read.
    expect(used.top).toEqual({ kind: 'wait', title: 'Opening b' });
    for (const what of ['use', 'edit', 'test', 'remove'] as const)
      expect(does(what, { items: [] }).effects).toBeUndefined();
  });

  test('another one is opened after a question where something would be lost, or end without a word', () => {
    const use = { type: 'runOnProfile', what: 'use' } as const;
    const asked = steps(profiles({ cursor: 1 }), use, {}, { underWay: [turning] });
    expect(asked).toMatchObject({
      effects: undefined,
      top: {
        confirm: {
          question: 'An edit is still being sent. Change to b now?',
          details: ['Only the journal of test records its outcome'],
        },
        yes: { type: 'useProfile', name: 'b', sure: true },
      },
    });
    const sure = { type: 'useProfile', name: 'c', sure: true } as const;
    expect(steps(profiles(), sure, {}, { underWay: [turning] })).toMatchObject({
      depth: 1,
      effects: [{ ask: 'useProfile', name: 'c' }],
    });
    const moving = { lists: { things: { ...emptyState(screens).lists.things, moving: ['a'] } } } as never;
    expect(steps(profiles(), { type: 'useProfile', name: 'b' }, {}, moving).top).toMatchObject({
      confirm: { question: 'Unsaved order of Things (Ctrl-S saves it). Change to b now?', details: [] },
    });
  });

  test('the one that is built in is neither edited nor removed, and the footer does not offer that', () => {
    const keysOf = (isBuiltIn: boolean) => {
      const layer = profiles({ items: [{ name: 'demo', says: '', current: true, isBuiltIn }] });
      return layerKindOf(layer)
        .keys(layer, {} as never, [], contextOf())
        .filter(({ keys }) => keys.includes('e') || keys.includes('d'))
        .map(({ refused, hint }) => [refused, hint]);
    };
    expect(keysOf(true)).toEqual(Array(2).fill(['demo is built in', undefined]));
    expect(keysOf(false)).toEqual([
      [undefined, 4],
      [undefined, 6],
    ]);
  });

  test('one is made, edited, tested or removed after its name is typed', () => {
    expect(does('new').top).toMatchObject({ kind: 'form', title: 'New profile', for: { kind: 'profile' } });
    expect(does('new', { items: [] }).top).toMatchObject({ kind: 'form' });
    expect(does('edit').top).toMatchObject({
      kind: 'form',
      title: 'Edit profile a',
      for: { kind: 'profile', name: 'a' },
    });
    expect(does('edit', { cursor: 1 })).toMatchObject({ depth: 2, state: { flash: { text: 'b cannot be edited' } } });
    expect(does('test')).toMatchObject({
      effects: [{ ask: 'testProfile', name: 'a' }],
      state: { flash: { text: 'Testing a' } },
    });
    expect(does('remove').top).toMatchObject({
      kind: 'confirm',
      confirm: { question: 'Remove profile a?', destructive: true, typed: 'a' },
      yes: { type: 'removeProfile', name: 'a' },
    });
    expect(steps(profiles(), { type: 'removeProfile', name: 'a' })).toMatchObject({
      depth: 2,
      effects: [{ ask: 'removeProfile', name: 'a' }],
    });
    expect(steps(profiles(), { type: 'useProfile', name: 'a' })).toMatchObject({
      depth: 1,
      effects: [{ ask: 'useProfile', name: 'a' }],
    });
    expect(steps(profiles(), { type: 'askKeys', name: 'a' }).top).toMatchObject({
      kind: 'form',
      title: 'Keys of a',
      for: { kind: 'keys', name: 'a' },
    });
  });

  test('those that were read take the place of the list, or of the form that made one, with the cursor on it', () => {
    const { items } = profiles();
    const read = (layer: Layer, at?: string) =>
      steps(layer, { type: 'profilesRead', items, ...(at === undefined ? {} : { at }) });
    expect(read(profiles())).toMatchObject({ depth: 2, top: { cursor: 1 } });
    expect(read(profiles(), 'c').top).toMatchObject({ cursor: 2 });
    expect(read(profiles(), 'gone').top).toMatchObject({ cursor: 0 });
    const form = (kind: 'profile' | 'view') => formLayer('', {}, { kind });
    expect(read(form('profile'))).toMatchObject({ depth: 2, top: { kind: 'profiles' } });
    // They open over no other form that was opened meanwhile.
    expect(read(form('view'))).toMatchObject({ depth: 2, top: { kind: 'form' } });
    expect(read(help)).toMatchObject({ depth: 3, top: { kind: 'profiles' } });
  });

  test('why one cannot be saved stands in its form, else above the hints', () => {
    const form = { ...formLayer('', {}, { kind: 'profile' }), busy: true };
    const failed = { type: 'profileFailed', of: form.for, text: 'no such host' } as const;
    expect(steps(form, failed).top).toMatchObject({ busy: false, problem: 'no such host' });
    // No other form shows it, or is free to be sent twice.
    const other = { ...form, for: { ...form.for } };
    expect(steps(other, failed)).toMatchObject({ top: other, state: { flash: { text: 'No such host', tone: 'bad' } } });
  });
});

describe('a job', () => {
  const job = bareLayer('job', { id: 'things.turn 1' });
  const ended = { type: 'jobDone', id: job.id, ok: true, text: 'done' } as const;
  const other = { ...job, id: 'other' };
  const progress = { step: 'sent', share: 0.5, notes: [] };

  test('goes on behind while another profile is opened, which may fail or be left', () => {
    expect(steps(job, { type: 'useProfile', name: 'b' }).state).toMatchObject({
      layers: [{ kind: 'wait', title: 'Opening b' }],
      behind: [job],
    });
  });

  test('tells its progress on its layer wherever it is, or behind', () => {
    const moved = { type: 'jobProgressed', id: job.id, progress } as const;
    expect(steps(job, moved).top).toEqual({ ...job, progress });
    expect(steps(other, moved).top).toBe(other);
    expect(steps(below, moved, {}, { behind: [other, job] }).state.behind).toEqual([other, { ...job, progress }]);
    const under = { ...emptyState(screens), layers: [job, bareLayer('results')] };
    expect(update(under, moved, emptyWorld(screens, under)).state.layers[0]).toEqual({ ...job, progress });
  });

  test('that was left last is opened first, with what it printed once it has ended', () => {
    const open = { type: 'openJobs' } as const;
    expect(steps(below, open, {}, { behind: [other, job] })).toMatchObject({ top: job, state: { behind: [other] } });
    const printed = { ...job, lines: ['one'] };
    expect(steps(below, open, {}, { behind: [printed] }).top).toMatchObject({ kind: 'text', lines: ['one'], top: 0 });
    expect(steps(below, open)).toMatchObject({ depth: 2, top: below });
  });

  test('that has ended says so on its layer wherever it is, else above the hints', () => {
    expect(steps(job, ended)).toMatchObject({
      top: { ended: { ok: true, text: 'done' } },
      state: { flash: { text: 'done', tone: 'good' } },
    });
    expect(steps(job, { ...ended, ok: false }).state.flash?.tone).toBe('bad');
    const under = { ...emptyState(screens), layers: [other, job, help] };
    const world = emptyWorld(screens, under);
    const { state } = update(under, ended, world);
    const { now: at } = world.context;
    expect(state.layers).toEqual([other, { ...job, ended: { at, ok: true, text: 'done' } }, help]);
    expect(steps(below, ended, {}, { behind: [other, job] }).state.behind).toEqual([other]);
  });

  test('of which nothing came leaves what was typed for it as the draft of its form', () => {
    const draft = { at: 1, texts: { name: { text: 'x', from: '' } } };
    const begun = { ...job, typed: ['f', draft] as const };
    const failed = { ...ended, ok: false };
    expect(steps(begun, failed).state.drafts).toEqual({ f: draft });
    expect(steps(below, failed, {}, { behind: [begun] }).state.drafts).toEqual({ f: draft });
    const later = { at: 2, texts: {} };
    expect(steps(begun, failed, {}, { drafts: { f: later } }).state.drafts).toEqual({ f: later });
    for (const message of [ended, { ...failed, made: 'new' }]) expect(steps(begun, message).state.drafts).toEqual({});
  });

  test('the row that it made is shown once it is read, under the cursor from its own layer alone', () => {
    const made = { ...ended, made: 'new' };
    expect(steps(job, made).state.lists.things).toMatchObject({ cursor: 'new', made: ['new'] });
    const goneOn = steps(below, made, {}, { behind: [job] }).state.lists.things;
    expect([goneOn?.made, goneOn?.cursor]).toEqual([['new'], undefined]);
    expect(steps(job, ended).state.lists.things?.cursor).toBeUndefined();
    expect(steps(job, { ...made, id: 'things.other 1' }).state.lists.things?.cursor).toBeUndefined();
  });
});

const help = bareLayer('help');

const secret = bareLayer('secret');

test('texts scroll to their last line; layers open at their beginning', () => {
  const { columns, rows } = emptyState(screens).size;
  const top = (lines: readonly string[], by: number, from = 0) =>
    (steps({ kind: 'text', title: '', lines, top: from }, { type: 'moveInLayer', by }).top as LayerOf<'text'>).top;
  const short = Array.from({ length: rows }, () => 'x');
  expect([top(short, 1), top(short, 99), top(short, -1), top(short, -1, 2), top(['x'], 1)]).toEqual([1, 5, 0, 1, 0]);
  // A line that takes two rows counts as two, also where it is heard.
  expect(top([...short, 'x'.repeat(columns + 1)], 99)).toBe(7);
  const state = emptyState(screens);
  const wide = { kind: 'text', title: '', lines: ['x'.repeat(columns + 1), 'y'], top: 2 } as const;
  const { speech } = layerKindOf(wide).lines(wide, emptyWorld(screens, state), { width: 1000, height: 9 } as never);
  expect(speech?.().remarks).toMatchObject([{ text: 'y' }]);
  expect(steps(below, { type: 'showText', title: 'T', lines: ['a'] }).top).toEqual({
    kind: 'text',
    title: 'T',
    lines: ['a'],
    top: 0,
  });
  // What is shown to be copied by hand was not copied.
  const byHand = steps({ ...secret, copied: true }, { type: 'showText', title: 'T', lines: ['a'] }).state.layers;
  expect(byHand.slice(1)).toMatchObject([{ kind: 'secret', copied: false }, { kind: 'text' }]);
  expect(steps(below, { type: 'openHelp' }).top).toEqual(help);
  expect(steps(below, { type: 'openPalette' }).top).toEqual({ kind: 'palette', query: line(), cursor: 0 });
  const flash = { text: 'said', tone: 'info', at: 1 } as const;
  const messages = [{ ...flash, text: 'other' }, flash];
  const open = { type: 'openTimeline', view: 'messages' } as const;
  expect(steps(below, open, { messages }, { flash }).top).toMatchObject({ view: 'messages', cursor: 1 });
  expect(steps(below, open, { messages }).top).toMatchObject({ view: 'messages', cursor: 0 });
  expect(steps(below, open, {}, { flash }).top).toMatchObject({ view: 'messages', cursor: 0 });
  const shown = (cursor: number) => bareLayer('timeline', { view: 'messages', cursor });
  const opened = steps(shown(1), { type: 'openEntry' }, { messages }).top;
  expect(opened).toMatchObject({ kind: 'text', title: 'Message', top: 0, lines: expect.arrayContaining(['said']) });
  expect(steps(shown(5), { type: 'openEntry' }, { messages }).depth).toBe(2);
});

describe('a form', () => {
  const fields = { name: textField('Name', 'x'), color: choiceField('Color', 'a', ['a', 'b']) };
  const form = formLayer('', fields, { kind: 'action', pending });

  test('with a draft goes on with it or starts anew', () => {
    const draft = { at: 1, texts: { name: { text: 'mine', from: 'x' } } };
    const state = { drafts: { 'things.turn a': draft } };
    const taken = steps({ ...form, draft }, { type: 'answerDraft', take: true }, {}, state);
    expect([taken.top, Object.keys(taken.state.drafts)]).toMatchObject([
      { lines: { name: { text: 'mine' } } },
      ['things.turn a'],
    ]);
    expect(taken.top).not.toHaveProperty('draft');
    const fresh = steps({ ...form, draft }, { type: 'answerDraft', take: false }, {}, state);
    expect([fresh.top, fresh.state.drafts]).toMatchObject([{ lines: { name: { text: 'x' } } }, {}]);
    expect(fresh.top).not.toHaveProperty('draft');
  });

  test('is left by steps: the completions, the review, the wait, then the form, with a warning where text would be lost', () => {
    const leave = (layer: LayerOf<'form'>, times = 1) =>
      steps(
        layer,
        Array.from({ length: times }, () => ({ type: 'closeLayer' }) as const),
      ).top;
    const search = formLayer('', fields, { kind: 'search', list: 'things' });
    const typed = { ...search, touched: true, lines: { ...search.lines, name: line('typed') } };
    expect(leave(search)).toBe(below);
    expect(leave(typed)).toMatchObject({ leaving: true });
    expect(leave(typed, 2)).toBe(below);
    expect(leave({ ...form, review: [] })).toMatchObject({ kind: 'form', review: undefined });
    const waiting = { ...form, busy: true, isChecking: true };
    expect(leave(waiting)).toMatchObject({ busy: false, isChecking: false });
  });

  test('while it is sent or checked, its keys move and leave, the others say why they do nothing, and no letter is taken', () => {
    const kind = layerKindOf(form);
    const size = { columns: 80, rows: 24 };
    const keysOf = (layer: LayerOf<'form'>) => layerKindOf(layer).keys(layer, { size } as never, [], contextOf());
    const refusals = (layer: LayerOf<'form'>) => new Map(keysOf(layer).map(({ keys, refused }) => [keys[0], refused]));
    expect([...refusals(form).values()].filter((refused) => refused !== undefined)).toEqual([]);
    const sent = refusals({ ...form, busy: true });
    expect([sent.get('ctrl+s'), sent.get('return'), sent.get('ctrl+e')]).toEqual(
      Array(3).fill('the form is being sent; Esc goes back without canceling it'),
    );
    expect([sent.get('tab'), sent.get('esc')]).toEqual([undefined, undefined]);
    expect(refusals({ ...form, busy: true, isChecking: true }).get('ctrl+s')).toMatch(/being checked; Esc cancels/);
    expect(refusals({ ...form, review: [], busy: true }).get('return')).toMatch(/being sent/);
    expect([form, { ...form, busy: true }].map((layer) => kind.takesText(layer))).toEqual([true, false]);
  });
});

test('bindings that cannot be made leave a way back and out', () => {
  const state = emptyState(screens);
  const keys = (of: State) =>
    rescue(of, 'broken').map(({ keys, run, help, hint }) => ({ keys, run: run.type, help, hint }));
  expect(keys(state)[0]).toEqual({ keys: ['esc', 'q'], run: 'goBack', help: 'broken', hint: 91 });
  expect(keys({ ...state, layers: [below] })[0]?.run).toBe('closeLayer');
  expect(
    keys(state)
      .slice(1)
      .map(({ run }) => run),
  ).toEqual(['interrupt', 'redraw', 'suspend']);
});

test('an earlier search comes back in all fields, and the next Up brings the one before it', () => {
  const fields = { query: textField('Query', 'c'), team: textField('Team', 'z') };
  const searches = {
    things: [
      { query: 'b', team: 'y' },
      { query: 'a', team: 'x' },
    ],
  };
  const up = { type: 'recall', by: 1 } as const;
  const form = formLayer('', fields, { kind: 'search', list: 'things' });
  const { top } = steps(form, [up, up], {}, { searches });
  expect(top).toMatchObject({ focus: 0, recalled: 2, lines: { query: { text: 'a' }, team: { text: 'x' } } });
});

test('a form completes a path and goes to the next diagnostic', () => {
  const fields = {
    path: textField('Path', '/d/a', { isPath: true }),
    query: queryField('Query', 'zap zap', async () => smallLanguage()),
  };
  const begun = formLayer('', fields, { kind: 'action', pending });
  const form = {
    ...begun,
    paths: { path: { directory: '/d/', entries: ['ab'] } },
    written: { query: { diagnostics: [], language: smallLanguage() } },
  };
  expect(steps(form, { type: 'completePath' }).top).toMatchObject({ lines: { path: { text: '/d/ab' } } });
  const judged = steps(form, [types('b'), { type: 'moveField', by: 1 }]).top as LayerOf<'form'>;
  expect(judged.lines.query?.cursor).toBe(7);
  expect(steps(judged, { type: 'nextDiagnostic' }).top).toMatchObject({ lines: { query: { cursor: 0 } } });
});

test('what a form has asked for is for it alone, also where another layer covers it', () => {
  const fields = {
    path: textField('Path', '/d/a', { isPath: true }),
    query: queryField('Query', 'a', async () => smallLanguage()),
  };
  const form = { ...formLayer('', fields, { kind: 'action', pending }), busy: true };
  const { for: of } = form;
  const read = { type: 'csvHeadRead', of, name: 'path', path: '/d/a', read: { ok: true, value: ['id'] } } as const;
  const path = { directory: '/d/', entries: ['a'] };
  for (const [message, more] of [
    [{ type: 'fileRead', of, name: 'path', path: '/d/a' }, { errors: { path: 'the file could not be read' } }],
    [{ type: 'editorDone', of, name: 'query', text: 'b' }, { lines: { query: { text: 'b' } } }],
    [
      { type: 'profileFailed', of, text: 'no' },
      { busy: false, problem: 'no' },
    ],
    [{ type: 'directoryRead', of, name: 'path', path }, { paths: { path } }],
    [[{ type: 'directoryRead', of, name: 'path', path }, read], { paths: { path: { header: { path: '/d/a' } } } }],
    [{ type: 'languageRead', of, name: 'query', language: smallLanguage() }, { written: { query: { about: {} } } }],
  ] as const) {
    const after = (...layers: Layer[]) => {
      const base: State = { ...emptyState(screens), layers };
      return [message].flat().reduce((state, one) => update(state, one, emptyWorld(screens, state)).state, base).layers;
    };
    expect(after(form, below)).toMatchObject([more, below]);
    const other = { ...form, for: { ...of } };
    expect(after(other)).toEqual([other]);
  }
  // A form that waits to be saved is saved in its place.
  const checking = { ...form, isChecking: true };
  const saved = { ...emptyState(screens), layers: [checking, below] };
  const loaded = { type: 'languageRead', of, name: 'query', language: smallLanguage() } as const;
  expect(update(saved, loaded, emptyWorld(screens, saved)).state.layers).toMatchObject([{ busy: false }, below]);
});

test('a text that a keyboard may not have is confirmed by a code of this moment', () => {
  const wanted = (typed: string) =>
    confirmLayer({ question: '', typed }, { type: 'refresh' }, { code: () => 'qxmt' }).confirm.typed;
  const typeable = ['web', 'web 1', 'x'.repeat(24)];
  expect(typeable.map(wanted)).toEqual(typeable);
  for (const text of ['', ' web', 'web  1', 'x'.repeat(25), 'wéb']) expect(wanted(text), text).toBe('qxmt');
  const letters = [0, 0.999, 0, 0.999];
  expect(randomCode(() => letters.pop() ?? 0)).toBe('zaza');
});
