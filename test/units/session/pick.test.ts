import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import type { Person, Source } from '../../../src/describe/context.ts';
import type { Pick } from '../../../src/describe/picks.ts';
import { ownerRead, pick, pickRows } from '../../../src/session/layers/pick.ts';
import type { Moment } from '../../../src/session/state/moment.ts';
import { initial, type LayerOf, type State } from '../../../src/session/state/state.ts';
import { createViewer } from '../../../src/session/state/view.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { contextOf } from '../../support/plans.ts';
import { turn } from '../../support/things.ts';

const people: readonly Pick[] = [
  { id: 'ann', label: 'Ann', hint: 'ann@example.test' },
  { id: 'ben', label: 'Ben' },
];
const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const empty = initial(screens, { columns: 100, rows: 30 });
const pickLayer = (text: string, more: Partial<LayerOf<'pick'>> = {}) => {
  const picker = { title: 'to whom', first: [people[0] as Pick], load: () => ({}) as Source<Pick>, values: () => ({}) };
  const pending = { action: turn, list: filterList, rows: [] };
  return bareLayer('pick', { picker, query: { text, cursor: text.length }, asked: text, pending, ...more });
};
const world = { picks: () => people } as unknown as Moment;
const ids = (layer: LayerOf<'pick'>, answered: readonly Pick[]) => pickRows(layer, answered).map(({ id }) => id);

test('fixed rows stand first where they match, by name or hint, and each row once', () => {
  expect(ids(pickLayer(''), people)).toEqual(['ann', 'ben']);
  expect(ids(pickLayer('example'), people)).toEqual(['ann', 'ben']);
  expect(ids(pickLayer('ben'), people.slice(1))).toEqual(['ben']);
});

test('kinds that match by their name stand before those that match by what they do', () => {
  const kinds: readonly Pick[] = [
    { id: 'outlier', label: 'outlier', hint: 'unlike the others' },
    { id: 'whole', label: 'other kind' },
  ];
  const layer = pickLayer('other', { isFirst: true });
  expect(ids({ ...layer, picker: { ...layer.picker, first: kinds } }, [])).toEqual(['whole', 'outlier']);
});

test('an exact name stands first, then names that begin with the query, names that have it, and hints', () => {
  const permissions = ['audit_logs_write', 'logs_write_archives', 'logs_write'].map((id) => ({ id, label: id }));
  const hinted = { id: 'other', label: 'other', hint: 'logs_write' };
  expect(ids(pickLayer('Logs_write'), [hinted, ...permissions])).toEqual([
    'logs_write',
    'logs_write_archives',
    'audit_logs_write',
    'other',
  ]);
});

test('until the service has answered the text, its last answer is filtered here; then it is shown as it is', () => {
  expect(ids(pickLayer('zoe', { asked: '' }), people)).toEqual([]);
  expect(ids(pickLayer('be', { asked: '' }), people)).toEqual(['ben']);
  // The service may match by what is not shown.
  expect(ids(pickLayer('zoe'), people)).toEqual(['ann', 'ben']);
  // You are no row of an earlier answer: whose keys these are may have been read since.
  const asksMe = pickLayer('you', { picker: { ...pickLayer('').picker, asksMe: true } });
  expect(ids(pickLayer('you'), pickRows(asksMe, []))).toEqual([]);
});

const nothing = { asking: false, partial: false };
const reads = {
  rows: () => ({ key: '', known: nothing, rows: [], removed: new Set<string>() }),
  whole: () => nothing,
};
const me: Person = { id: 'ben', name: 'Ben' };

/** The world once the owner of the keys is known. */
function worldOf(state: State): Moment {
  const context = { ...contextOf(), me };
  return { ...world, context, screens, view: createViewer()(state, screens, reads, () => context) };
}

/** A picker that waits for its owner, of an action that lists everybody once they are known. */
function waiting(more: Partial<LayerOf<'pick'>> = {}) {
  const known = pickLayer('').picker;
  const layer = pickLayer('', { picker: { ...known, first: [], asksMe: true }, waitsForMe: true, ...more });
  const pending = {
    ...layer.pending,
    action: { ...turn, pick: () => ({ ...known, first: people }) },
    rows: [{ id: 'f', attributes: { name: 'F' } }],
  };
  return { ...layer, pending };
}
const read = (layer: LayerOf<'pick'>, more: Partial<State> = {}) => {
  const state = { ...empty, ...more, layers: [layer] };
  return ownerRead(state, { type: 'ownerRead' }, worldOf(state));
};

test('rows from before a sleep are not edited by a pick that waited', () => {
  const { state, effects } = read(waiting(), { wokeAt: contextOf().now });
  expect([effects, state.layers.at(-1)?.kind]).toEqual([undefined, 'pick']);
});

test('the first pick of an action is made again for its row, and waits no longer', () => {
  const layer = waiting({ isFirst: true, cursor: 1 });
  const first = (row: { readonly id: string }) => ({ ...layer.picker, first: [{ id: 'ben', label: row.id }] });
  const { state } = read({
    ...layer,
    waitsForMe: false,
    pending: { ...layer.pending, action: { ...turn, first } } as never,
  });
  expect(state.layers.at(-1)).toMatchObject({ picker: { first: [{ label: 'f' }] }, cursor: 2 });
  const unknown = waiting();
  const nobody = { ...empty, layers: [unknown] };
  const left = ownerRead(nobody, { type: 'ownerRead' }, { ...worldOf(nobody), context: contextOf() });
  expect([left.effects, left.state.flash?.text]).toEqual([
    ...[undefined, 'Nothing was done: the service does not report who you are'],
  ]);
  expect(left.state.layers.at(-1)).toMatchObject({ waitsForMe: false, cursor: 0 });
});

test('Enter says that nothing is chosen: the search has not ended, or nothing matches', () => {
  const pressed = (layer: LayerOf<'pick'>, asking: boolean, problem?: object) => {
    const now = {
      ...world,
      picks: () => [],
      pickRead: () => ({ asking, problem }),
      context: contextOf(),
    } as unknown as Moment;
    return pick.update.choose?.({ ...empty, layers: [layer] }, layer, { type: 'choose' }, now)?.state.flash?.text;
  };
  const text = 'Nothing is chosen: the search has not ended';
  expect(pressed(pickLayer('zoe', { asked: '' }), false)).toBe(text);
  expect(pressed(pickLayer('zoe'), true)).toBe(text);
  expect(pressed(pickLayer('zoe'), false)).toBe('Nothing matches what is typed: change it, or Esc');
  // The list shows why it has no rows.
  expect(pressed(pickLayer('zoe'), false, {})).toBeUndefined();
});
