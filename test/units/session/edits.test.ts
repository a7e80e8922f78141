import { describe, expect, test } from 'vitest';
import { type Problem, problemResult, toResult } from '../../../src/api/problem.ts';
import { textField } from '../../../src/describe/field.ts';
import { receipt, warning } from '../../../src/describe/receipt.ts';
import type { Entry } from '../../../src/journal/journal-entry.ts';
import type { UndoOffer } from '../../../src/journal/undo-stack.ts';
import { questionBefore } from '../../../src/session/edit/begin-edit.ts';
import { undoStep } from '../../../src/session/edit/offered-undo.ts';
import { performed, undone } from '../../../src/session/edit/update.ts';
import { type ListState, rowsById } from '../../../src/session/rows/list-state.ts';
import {
  movedOn,
  type Pending,
  type RowResult,
  setBack,
  type Undoable,
  type Undoing,
  whyNoRedo,
} from '../../../src/session/send/pending-edit.ts';
import { update } from '../../../src/session/session.ts';
import type { Message, MessageOf } from '../../../src/session/state/message.ts';
import { doubt, type Moment, whyRefused } from '../../../src/session/state/moment.ts';
import { type State, withTouched } from '../../../src/session/state/state.ts';
import { formLayer, keyHints } from '../../../src/session/state/state-changes.ts';
import { bareLayer } from '../../support/bare-layer.ts';
import { dropThing, listThings, setThing } from '../../support/calls.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';
import { thingsNamed, turn } from '../../support/things.ts';

/** The steps of an edit, from its question to its receipt and its undo, as pure functions of a state. */

const things = thingsNamed((row) => `thing ${row.id}`);
const screens = [
  { id: 'things', title: 'Things', key: '1', lists: [things] },
  { id: 'others', title: 'Others', lists: [{ ...things, id: 'others' }] },
];
const context = contextOf();
const production = contextOf({ profile: { name: 'prod', production: true, readOnly: false } });
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `r${at}` }));
const pendingOf = (count: number, more: Partial<Pending> = {}): Pending => ({
  ...{ action: turn, list: things, rows: rowsOf(count), values: {} },
  ...more,
});
const empty = emptyState(screens);
const own = (state: State, id = 'things') => state.lists[id] as ListState;
const withOwn = (more: Partial<ListState>): State => ({
  ...empty,
  lists: { ...empty.lists, things: { ...own(empty), ...more } },
});

const done = (id: string, more: Partial<RowResult> = {}): RowResult => ({
  ...{ id, name: id, row: { id }, ok: true, text: `${id} is on` },
  ...more,
});
const problem: Problem = { kind: 'conflict', text: 'changed meanwhile', messages: [] };
const failed = (id: string): RowResult => done(id, { ok: false, text: problem.text, problem });
type Ended = MessageOf<'performDone'>;
/** After an edit with these results, of rows that are marked in this state. */
const ended = (
  results: readonly RowResult[],
  { pending = pendingOf(results.length), ...more }: Partial<Ended> = {},
  state: State = empty,
): State => {
  const marked = { list: 'things', marks: own(state).marks };
  return performed(state, { type: 'performDone', pending: { marked, ...pending }, results, ...more }, context);
};
/** What ends soon, and when. */
const soon = { subject: { parts: ['a'] }, at: 1, ends: 2, end: '09:00 UTC' };
const edit: Undoable = {
  group: 'g',
  text: 'a is on; so is b',
  list: 'things',
  forward: pendingOf(1),
  steps: [{ id: 'a', name: 'a', calls: [], before: {}, after: {} }],
};

describe('after an edit', () => {
  test('of one row its receipt is shown, with undo where there is one; the warning before quitting is over', () => {
    const state = ended([done('a')], {}, { ...empty, warnedQuit: true, redo: edit });
    expect(state).toMatchObject({ flash: { text: 'a is on', tone: 'good' }, warnedQuit: false, layers: [], undo: [] });
    expect([state.flash?.keys, state.redo]).toEqual([undefined, undefined]);
    const undoable = ended([done('a')], { undo: edit });
    expect([undoable.flash?.keys, undoable.undo]).toEqual([keyHints.undo, [edit]]);
    expect(undoable.touched).toEqual([{ list: 'things', row: 'a', name: 'a' }]);
    const told = ended([done('a', { receipt: warning(receipt`only ${'half'}`) })]);
    expect(told.flash).toMatchObject({ text: 'only half', tone: 'warn' });
  });

  test('fifty can be undone', () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ ...edit, group: String(at) }));
    const { undo } = ended([done('a')], { undo: edit }, { ...empty, undo: many });
    expect([undo.length, undo[0]?.group, undo.at(-1)]).toEqual([50, '1', edit]);
  });

  test('of several rows they are counted, and those that are not as asked told; its marks go', () => {
    const rowRange = { from: 'a', rows: [], count: '' };
    const marked = withOwn({ marks: new Set(['a', 'x']), rowRange });
    const state = ended([done('a'), done('b')], {}, marked);
    expect(state.flash?.text).toBe('Turned on 2 things');
    expect(own(state)).toMatchObject({ marks: new Set(), rowRange: undefined });
    const half = done('b', { receipt: warning(receipt`b is half on`) });
    expect(ended([done('a'), half, half]).flash).toMatchObject({
      text: 'Turned on 3 things; 2 not as asked: b is half on',
      tone: 'warn',
    });
    const added = pendingOf(2, { action: { ...turn, title: 'add user', preposition: 'to' }, pickedAs: 'Ada' });
    expect(ended([done('a'), done('b')], { pending: added }).flash?.text).toBe('Added user Ada to 2 things');
    expect(ended([done('a'), done('b')], { receipt: receipt`both` }).flash?.text).toBe('both');
    // One row leaves the marks on others; where some were left out, all go.
    expect(own(ended([done('a')], {}, marked))).toMatchObject({ marks: new Set(['a', 'x']), rowRange });
    const partly = ended([done('a')], { pending: pendingOf(1, { leftOut: '1 left out: already on' }) }, marked);
    expect([own(partly), partly.flash?.text]).toMatchObject([{ marks: new Set() }, 'a is on; 1 left out: already on']);
  });

  test('of several rows of which some failed, those stay marked and stand first', () => {
    const state = ended([done('a'), failed('b'), done('c')], { problem, undo: edit });
    expect(state.flash).toMatchObject({
      text: 'Turn on: 2 done, 1 failed',
      tone: 'bad',
      keys: keyHints.undoRest,
      problem,
    });
    expect(own(state)).toMatchObject({ marks: new Set(['b']), rowRange: undefined });
    expect(state.layers).toMatchObject([{ kind: 'results', title: 'Turn on: 1 of 3 failed', cursor: 0 }]);
    const [layer] = state.layers;
    expect(layer?.kind === 'results' && layer.results.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
    expect(ended([failed('a'), failed('b')], {}, { ...empty, redo: edit })).toMatchObject({ redo: edit });
    expect(ended([failed('a'), failed('b')]).flash?.keys).toBeUndefined();
    const doubt = { ...failed('a'), problem: { ...problem, kind: 'unknown' as const } };
    const four = [doubt, failed('b'), done('c'), done('d', { ok: false, isUnsent: true })];
    const mixed = ended(four, { pending: pendingOf(4, { leftOut: '1 left out: already on' }) });
    expect(mixed.flash?.text).toBe('Turn on: 1 done, 1 unknown, 1 failed, 1 not sent; 1 left out: already on');
    expect(mixed.layers).toMatchObject([{ title: 'Turn on: 1 of 4 unknown, 1 failed, 1 not sent' }]);
  });

  test('of which rows failed, the results open over nothing that was opened meanwhile: the message has them', () => {
    const typing = { ...empty, layers: [bareLayer('help', { searching: true })] };
    const { layers, flash } = ended([done('a'), failed('b')], { problem }, typing);
    expect(layers).toBe(typing.layers);
    expect(flash).toMatchObject({ text: 'Turn on: 1 done, 1 failed', details: ['b: changed meanwhile'] });
  });

  test('what was marked while the rows were sent stays marked, and a range that was begun then goes on', () => {
    const range = { from: 'x', rows: ['x'], count: '' };
    const meanwhile = withOwn({ marks: new Set(['b', 'x']), rowRange: range });
    for (const [results, left] of [
      [[done('a'), done('b')], ['x']],
      [
        [done('a'), failed('b')],
        ['b', 'x'],
      ],
    ] as const) {
      const marked = { list: 'things', marks: new Set('ab') };
      const { marks, rowRange } = own(ended(results, { pending: pendingOf(2, { marked }) }, meanwhile));
      expect([[...marks], rowRange]).toEqual([left, range]);
    }
  });

  test('marks go where they were made: on Home those of its lines, and none of a redo', () => {
    const both = withOwn({ marks: new Set(['a', 'x']) });
    const lines = new Set(['line a', 'line b']);
    const state = { ...both, lists: { ...both.lists, others: { ...own(both, 'others'), marks: lines } } };
    const left = (marked: Pending['marked']) => {
      const next = ended([done('a'), failed('b')], { pending: pendingOf(2, { marked }) }, state);
      return [own(next), own(next, 'others')].map(({ marks }) => [...marks].join());
    };
    expect(left({ list: 'others', marks: lines })).toEqual(['a,x', '']);
    expect(left({ list: 'others', marks: new Set(['line c']) })).toEqual(['a,x', 'line a,line b']);
    expect(left(undefined)).toEqual(['a,x', 'line a,line b']);
  });

  test('that failed its problem is shown, and what may be undone stays', () => {
    const state = ended([failed('a')], { problem }, { ...empty, redo: edit });
    expect(state).toMatchObject({
      flash: { text: 'Turn on failed: changed meanwhile', keys: keyHints.messages },
      redo: edit,
      touched: [],
    });
    expect(ended([failed('a')]).flash?.text).toBe('Turn on failed: changed meanwhile');
    // What would have been made is named, not the key.
    const pending = pendingOf(1, { action: { ...turn, title: 'new user' }, values: { name: 'Ann' } });
    expect(ended([failed('a')], { pending }).flash?.text).toBe('User "Ann" was not created: changed meanwhile');
  });

  test('a row that it made is under the cursor and shown; its secret is shown once', () => {
    const secret = { title: 'Key', value: 'fake-key', notes: [] };
    const state = ended([done('')], { made: 'new', secret });
    expect(own(state)).toMatchObject({ cursor: 'new', made: ['new'] });
    expect(state.layers).toEqual([{ kind: 'secret', secret, shown: false, copied: false, leaving: false }]);
    expect(state.touched).toEqual([]);
    // It takes no key of what was opened meanwhile, also where that covers its form.
    const layer = bareLayer('secret', { secret });
    const open = [bareLayer('filter')];
    expect(ended([done('')], { secret }, { ...empty, layers: open })).toMatchObject({ layers: open, secrets: [layer] });
    const reading = { kind: 'wait', title: '', pending: pendingOf(1) } as const;
    expect(ended([done('')], { secret }, { ...empty, layers: [reading] })).toMatchObject({ layers: [reading] });
    // Another profile that is being opened gives way: its session would not have the secret.
    for (const opening of [
      { kind: 'wait', title: 'Opening b' } as const,
      formLayer('', {}, { kind: 'keys', name: 'b' }),
    ])
      expect(ended([done('')], { secret }, { ...empty, layers: [opening] }).layers).toEqual([layer]);
    const pending = pendingOf(1, { isOfForm: true });
    const form = { ...formLayer('', {}, { kind: 'action', pending }), busy: true };
    const covered = { ...empty, layers: [form, ...open] };
    expect(ended([done('')], { pending, secret }, covered)).toMatchObject({ layers: open, secrets: [layer] });
    expect(ended([failed('')], { pending }, covered).layers).toMatchObject([{ kind: 'form', busy: false }, ...open]);
    // Whoever has left its form is elsewhere by now.
    const left = ended(
      [done('')],
      { made: 'new', pending: pendingOf(1, { isOfForm: true }) },
      withOwn({ cursor: 'a' }),
    );
    expect(own(left)).toMatchObject({ cursor: 'a', made: ['new'] });
    const gone = ended([done('a')], { pending: pendingOf(1, { action: { ...turn, removes: true } }) });
    expect(gone.touched).toEqual([]);
  });

  test('that saved an order, the order is that of the service', () => {
    const ordered = { ...things, order: { column: 'at', save: turn.id } };
    const after = ['b', 'a'];
    const moving = withOwn({ moving: after });
    const pending = pendingOf(1, { list: ordered, values: { after } });
    expect(own(ended([done('a')], { pending }, moving))).toMatchObject({
      moving: undefined,
      order: { key: '', ids: [] },
    });
    expect(own(ended([failed('a')], { pending, problem }, moving))).toMatchObject({ moving: ['b', 'a'] });
    // Rows that were moved on while it was sent are still to be saved.
    const further = withOwn({ moving: ['a', 'b'] });
    expect(own(ended([done('a')], { pending }, further))).toMatchObject({ moving: ['a', 'b'], order: { key: '' } });
    expect(own(ended([done('a')], {}, moving))).toMatchObject({ moving: ['b', 'a'] });
  });

  test('its form is closed and its draft gone; refused, the form stays with the reason at its field', () => {
    const blaming = { ...turn, blames: () => 'name' };
    const fields = { other: textField('Other', ''), name: textField('Name', 'x') };
    const pending = pendingOf(1, { action: blaming, isOfForm: true });
    const form = { ...formLayer('', fields, { kind: 'action', pending }), busy: true, review: [], problem: 'old' };
    const state = { ...empty, layers: [form], drafts: { 'things.turn r0': { at: 1, texts: {} } } };
    const gone = ended([done('r0')], { pending }, state);
    expect([gone.layers, gone.drafts]).toEqual([[], {}]);
    const [refused] = ended([failed('r0')], { pending, problem }, state).layers;
    expect(refused).toMatchObject({ focus: 1, busy: false, problem: undefined, errors: { name: problem.text } });
    expect(refused).toHaveProperty('review', undefined);
    // Something else was opened over it meanwhile.
    const cover = bareLayer('palette');
    const covered = { ...state, layers: [form, cover] };
    expect(ended([done('r0')], { pending }, covered).layers).toEqual([cover]);
    expect(ended([failed('r0')], { pending, problem }, covered).layers).toMatchObject([{ busy: false }, cover]);
    // It was left before the service refused it: what was typed is there for another attempt.
    expect(ended([failed('r0')], { pending, problem }, { ...state, layers: [] }).drafts).toBe(state.drafts);
    // Of several rows some of which were edited, the results are shown, not that nothing was done.
    const both = { ...pending, rows: rowsOf(2) };
    const ofBoth = { ...state, layers: [{ ...form, for: { kind: 'action' as const, pending: both } }] };
    const several = ended([done('r0'), failed('r1')], { pending: both, problem }, ofBoth);
    expect(several.layers).toMatchObject([{ kind: 'results', title: 'Turn on: 1 of 2 failed' }]);
    const inForm = (action: Pending['action']) => {
      const asked = { ...pending, action };
      const layer = { ...form, for: { kind: 'action' as const, pending: asked } };
      return ended([failed('r0')], { pending: asked, problem }, { ...state, layers: [layer] }).layers;
    };
    const said = `Turn on failed: ${problem.text}`;
    expect(inForm(turn)).toMatchObject([{ focus: 0, busy: false, problem: said, errors: {} }]);
    const atFirst = { focus: 0, errors: { other: problem.text }, problem: undefined };
    expect(inForm({ ...turn, blames: () => 'other' })).toMatchObject([atFirst]);
    expect(inForm({ ...turn, blames: () => 'gone' })).toMatchObject([{ focus: 0, problem: said }]);
    // A form that was opened since stays as it is; the draft of the one that was sent goes, and no other.
    const other = ended([done('r0')], { pending: { ...pending, rows: rowsOf(1) } }, state);
    expect([other.layers, other.drafts]).toEqual([[form], {}]);
    // What was typed into a form that was left while it was sent stays where nothing came of it.
    expect(ended([failed('r0')], { pending, problem }, { ...state, layers: [] }).drafts).toBe(state.drafts);
    expect(ended([done('r0')], { pending: pendingOf(1, { action: blaming }) }, state).drafts).toBe(state.drafts);
  });

  test('a missing permission is remembered until the operation succeeds', () => {
    const forbidden: Problem = { ...problem, kind: 'forbidden', operation: setThing.id, permission: ['a', 'b'] };
    const state = ended([failed('a')], { problem: forbidden });
    expect(state.refused).toEqual({ [setThing.id]: 'a and b' });
    expect(doubt(turn, state.refused)).toBe('a and b was missing last time');
    expect(doubt({ ...turn, uses: [dropThing] }, state.refused)).toBeUndefined();
    const one = { ...forbidden, permission: ['a'] };
    expect(ended([failed('a')], { problem: one }).refused).toEqual({ [setThing.id]: 'a' });
    const known = { ...state, refused: { ...state.refused, other: 'c' } };
    expect(ended([done('a')], {}, known).refused).toEqual({ other: 'c' });
    expect(ended([failed('a')], { problem }, known).refused).toEqual(known.refused);
    const vague = [
      { ...forbidden, permission: [] },
      { ...forbidden, kind: 'conflict' as const },
    ];
    for (const one of vague) expect(ended([failed('a')], { problem: one }).refused).toEqual({});
    const { operation: _, ...unnamed } = forbidden;
    expect(ended([failed('a')], { problem: unnamed }).refused).toEqual({});
  });

  test('the notice of the row that it was done to goes', () => {
    const notice = { key: 'k', ...soon, list: 'things', rowId: 'a', action: turn.id };
    const others = [
      { ...notice, key: 'row', rowId: 'b' },
      { ...notice, key: 'list', list: 'others' },
      { ...notice, key: 'action', action: 'x' },
    ];
    const state = { ...empty, notices: [notice, ...others] };
    const left = (results: readonly RowResult[]) => ended(results, { problem }, state).notices.map(({ key }) => key);
    expect([left([done('a')]), left([failed('a')])]).toEqual([
      ['row', 'list', 'action'],
      ['k', 'row', 'list', 'action'],
    ]);
  });
});

describe('an undo', () => {
  const world = emptyWorld(screens, empty);
  const undoingOf = (of: Undoable = edit): Undoing => {
    const target = of.steps.map(({ id, name }) => ({ id: `e${id}`, group: of.group, target: { id, name } }));
    return { entries: target as unknown as readonly Entry[], text: 'a is on', edit: of };
  };
  const undoEnd = (state: State, undoing: Undoing, left: readonly string[] = [], world = emptyWorld(screens, empty)) =>
    undone(
      state,
      {
        ...{ type: 'undoDone', undoing, done: undoing.entries.length - left.length },
        left: left.map((id) => ({ id, name: id, text: problem.text })),
        ...(left.length > 0 && { problem }),
      },
      world,
    );

  test('is told by the first clause of its receipt, and can be taken back', () => {
    const state = undoEnd({ ...empty, undo: [edit] }, undoingOf());
    expect(state).toMatchObject({
      ...{ flash: { text: 'Undone: a is on', tone: 'good', keys: keyHints.redo }, redo: edit, undo: [] },
    });
    const gone = { ...edit, forward: pendingOf(1, { action: { ...turn, removes: true } }) };
    expect(undoEnd(empty, undoingOf(gone)).flash?.keys).toBeUndefined();
    expect(undoEnd(empty, undoingOf({ ...edit, list: 'gone' }))).toMatchObject({
      lists: empty.lists,
      redo: { list: 'gone' },
    });
    const { edit: _, ...unknown } = undoingOf();
    expect(undoEnd({ ...empty, undo: [edit] }, unknown)).toMatchObject({
      ...{ flash: { text: 'Undone: a is on' }, undo: [edit] },
    });
  });

  test('has no redo where another edit was sent before it ended: it might overwrite that one', () => {
    const last = { action: turn.id, list: 'things', values: {}, picked: undefined, title: turn.title };
    const begun = update({ ...empty, undo: [edit], last }, { type: 'undoBegun', undoing: undoingOf() }, world);
    const [effect] = begun.effects ?? [];
    if (effect?.ask !== 'undo') throw new Error('nothing is undone');
    expect(undoEnd(begun.state, effect.undoing)).toMatchObject({ redo: edit, flash: { keys: keyHints.redo } });
    const { redo, flash } = undoEnd({ ...begun.state, last: { ...last } }, effect.undoing);
    expect([redo, flash?.text, flash?.keys]).toEqual([undefined, 'Undone: a is on', undefined]);
  });

  test('that failed is known as before, but for the rows that were undone', () => {
    const first = { ...edit, group: 'first' };
    const state = undoEnd({ ...empty, undo: [first, edit] }, undoingOf(), ['a']);
    expect(state).toMatchObject({ undo: [first, edit], flash: { text: 'Undo failed: changed meanwhile' } });
    expect(state.redo).toBeUndefined();
    const step = (id: string) => ({ id, name: id, calls: [], before: {}, after: {} });
    const abc = ['a', 'b', 'c'].map((id) => ({ id }));
    const three = { ...edit, steps: abc.map(({ id }) => step(id)), forward: pendingOf(3, { rows: abc }) };
    const half = undoEnd({ ...empty, undo: [three] }, undoingOf({ ...three, steps: [step('a'), step('b')] }), ['b']);
    expect(half.flash?.text).toBe('Undo: 1 done, 1 left: b (changed meanwhile)');
    expect(half.undo.map(({ steps, forward }) => [steps.map(({ id }) => id), forward.rows])).toEqual([
      [
        ['b', 'c'],
        [{ id: 'b' }, { id: 'c' }],
      ],
    ]);
  });

  test('shows the rows that it brought back, and the order of the service where that can be changed', () => {
    const step = (id: string) => ({ id, name: id, calls: [], before: {}, after: {} });
    const state = withOwn({ order: { key: 'k', ids: ['a'] }, made: ['c'] });
    const of = { ...edit, steps: ['a', 'b', 'c', ''].map(step) };
    expect(own(undoEnd(state, undoingOf(of)))).toMatchObject({
      made: ['c', 'b'],
      order: { key: 'k' },
    });
    expect(own(undoEnd(state, undoingOf({ ...edit, steps: [step('a')] })))).toMatchObject({
      made: ['c'],
    });
    const ordered = [
      { ...screens[0], lists: [{ ...things, order: { column: 'at', save: 's' } }] },
    ] as Moment['screens'];
    const again = undoEnd(state, undoingOf(of), [], { ...world, screens: ordered });
    expect(own(again)).toMatchObject({ made: ['c'], order: { key: '', ids: [] } });
  });

  test('cannot be taken back where the row would have another id or secret', () => {
    const why = (more: object) => whyNoRedo({ ...edit, forward: pendingOf(1, { action: { ...turn, ...more } }) });
    expect([why({}), why({ removes: true }), why({ secret: () => undefined })]).toEqual([
      undefined,
      expect.stringContaining('new id'),
      expect.stringContaining('another secret'),
    ]);
  });

  test('compares and sets back objects only', () => {
    const [before, now] = [{ a: 1 }, { a: 2 }];
    for (const none of [undefined, null, 'text'])
      expect([movedOn(none, now, { a: 3 }), movedOn(before, none, { a: 3 }), movedOn(before, now, none)]).toEqual([
        false,
        false,
        false,
      ]);
    expect([setBack(undefined, before, now), setBack(now, undefined, now), setBack(now, before, undefined)]).toEqual([
      before,
      undefined,
      before,
    ]);
  });

  /** What follows where the journal offers the edits of this run, the last of them, whose receipt is shown, as `more` says. */
  const offered = (state: Partial<State>, more: object = {}, world: Partial<Moment> = {}, confirmed?: string) => {
    const full = { ...empty, lastReceipt: state.undo?.at(-1)?.group, ...state };
    const of = full.undo.at(-1) ?? edit;
    const value = { kind: 'undo', edit: undoingOf(of).entries, passed: [], isOwn: true, ...more } as UndoOffer;
    const moment = emptyWorld(screens, full, world);
    return update(full, undoStep(toResult(value), confirmed, moment), moment);
  };
  const questionOf = ({ state: { layers } }: { readonly state: State }) => {
    const top = layers.at(-1);
    return top?.kind === 'confirm' ? [top.confirm.question, top.confirm.details, top.confirm.enter] : undefined;
  };
  const edited = (more: object) =>
    ({ id: 'x', at: context.now, action: turn.id, target: { id: 'c', name: 'c' }, call: {}, ...more }) as Entry;
  const details = ['A is on; so is b'];

  test('is sent at once on its own screen; elsewhere and in production it is asked for', () => {
    const sent = offered({ undo: [edit], flash: { text: '', tone: 'good', at: 1 } });
    expect(sent).toMatchObject({
      state: { undo: [edit], flash: undefined },
      effects: [{ ask: 'undo', undoing: { text: 'a is on', edit, entries: [{ id: 'ea' }] } }],
    });
    const away = offered({ undo: [edit], screen: 'others' });
    expect([questionOf(away), away.effects]).toEqual([
      ['Undo the last edit on Things?', details, undefined],
      undefined,
    ]);
    expect(questionOf(offered({ undo: [{ ...edit, list: 'gone' }] }))?.[0]).toBe('Undo the last edit on gone?');
    expect(questionOf(offered({ undo: [edit], lastReceipt: undefined }))?.[0]).toBe('Undo the last edit?');
    const inProduction = offered({ undo: [edit] }, {}, { context: production });
    expect(questionOf(inProduction)?.[0]).toBe('Undo the last edit in production (prod)?');
  });

  test('that a person has confirmed is sent where the journal still offers it, and nothing else', () => {
    const away = { ...empty, ...{ undo: [edit], screen: 'others' } };
    const yes = update(away, { type: 'askUndo', confirmed: 'ea' }, emptyWorld(screens, away));
    expect(yes.effects).toEqual([{ ask: 'offerUndo', confirmed: 'ea' }]);
    expect(offered(away, {}, {}, 'ea').effects).toMatchObject([{ ask: 'undo' }]);
    const other = offered(away, {}, {}, 'eb');
    expect([other.effects, other.state.flash?.text]).toEqual([
      undefined,
      expect.stringMatching(/^Undo: nothing was sent/),
    ]);
  });

  test('of an edit before one that has no way back asks, and names both', () => {
    const dropped = { ...edit, group: 'd', text: 'Dropped c; it was the last', steps: [] };
    const passed = [[edited({ group: 'd' })], [edited({ group: 'e', notUndone: 'it is gone' })]];
    const question = 'The last edit cannot be undone: dropped c.';
    const rest = [`Turned on c (it is gone): cannot be undone either`];
    const state = { undo: [dropped, edit] };
    expect(questionOf(offered(state, { passed }))).toEqual([question, rest, 'undo the one before it (a is on)']);
    const away = offered({ ...state, screen: 'others' }, { passed }, { context: production });
    expect(questionOf(away)?.[2]).toBe('undo the one before it in production (prod) (a is on)');
    const none = offered(state, { kind: 'noWayBack', passed });
    expect([none.state.layers, none.state.flash?.text]).toEqual([
      [],
      'Undo: the last edit cannot be undone: dropped c',
    ]);
    const told = ended([done('c')], { undo: dropped });
    expect([told.flash?.keys, told.undo]).toEqual([undefined, [dropped]]);
  });

  test('of an edit of another run names what made it, when and where', () => {
    const more = { edit: [edited({ program: 'command' })], isOwn: false };
    const [question, said] = questionOf(offered({}, more)) ?? [];
    expect([question, said]).toEqual([
      expect.stringMatching(/^Undo what a command did at \d\d:\d\d UTC on Things\?$/),
      ['Turned on c'],
    ]);
    const passed = [[edited({ group: 'e' })]];
    expect(questionOf(offered({}, { ...more, passed }))?.[2]).toMatch(
      /^undo what a command did at .* \(turned on c\)$/,
    );
  });

  test('waits for doubt, for what is being sent, and for the journal; what else is open is not covered', () => {
    const text = (more: object) => offered({}, more).state.flash?.text;
    expect(text({ kind: 'none' })).toBe('Undo: nothing to undo');
    expect(text({ kind: 'wait' })).toMatch(/^Undo: the last edit is still being sent/);
    const check = offered({}, { kind: 'check', entry: edited({}) });
    expect(questionOf(check)?.[0]).toMatch(/^The outcome of an edit is unknown: turn on c\. Nothing is undone/);
    const yes = update(empty, { type: 'checkConfirmed', entry: 'x', name: 'n' }, emptyWorld(screens, empty));
    expect(yes.effects).toEqual([{ ask: 'entry', id: 'x', what: 'check', name: 'n' }]);
    const failed = undoStep(problemResult('unrecorded', 'no journal'), undefined, emptyWorld(screens, empty));
    expect(failed).toMatchObject({ type: 'showFlash', flash: { text: 'Undo: no journal', tone: 'warn' } });
    const form = formLayer('new', { a: textField('a', '') }, { kind: 'action', pending: pendingOf(1) });
    const busy = offered({ undo: [edit], screen: 'others', layers: [form] });
    expect([busy.state.layers, busy.state.flash?.text]).toEqual([[form], 'Undo: it asks first, press u again']);
  });

  test('says which rows have changed since', () => {
    const step = (id: string) => ({ id, name: `thing ${id}`, calls: [], before: { on: false }, after: { on: true } });
    const read = [
      { id: 'a', on: 'half' },
      { id: 'b', on: 'other' },
      { id: 'c', on: true },
    ];
    const rows = rowsById({ idOf: (row) => row.id }, read);
    const question = (...ids: string[]) => {
      const state = { ...empty, lastReceipt: edit.group, undo: [{ ...edit, steps: ids.map(step) }] };
      const { view } = emptyWorld(screens, state);
      return questionOf(offered(state, {}, { view: { ...view, rows } }))?.[0];
    };
    expect([question('a'), question('a', 'b'), question('c'), question('gone')]).toEqual([
      'thing a changed since. Undo anyway?',
      '2 things changed since. Undo anyway?',
      undefined,
      undefined,
    ]);
  });

  test('is taken back as the edit itself, with its question', () => {
    const redo = (state: State, more: Partial<Moment> = {}) =>
      update(state, { type: 'askRedo' }, emptyWorld(screens, state, more));
    const again = redo({ ...empty, redo: edit });
    expect(again).toMatchObject({
      state: { redo: undefined },
      effects: [{ ask: 'perform', pending: { ...edit.forward, redoes: edit.group } }],
    });
    expect(redo(empty)).toEqual({ state: empty });
    const sent = (pending: Pending) =>
      update({ ...empty, redo: edit }, { type: 'editConfirmed', pending }, emptyWorld(screens, empty)).state.redo;
    expect([sent(pendingOf(1)), sent(pendingOf(1, { redoes: 'g' }))]).toEqual([edit, undefined]);
    const gone = { ...edit, forward: pendingOf(1, { action: { ...turn, removes: true } }) };
    const none = redo({ ...empty, redo: gone });
    expect([none.effects, none.state.flash?.text]).toEqual([undefined, expect.stringContaining('no redo')]);
    expect(redo({ ...empty, redo: edit }, { context: production }).state.layers).toMatchObject([{ kind: 'confirm' }]);
    const elsewhere = { ...empty, screen: 'others', redo: edit };
    expect(redo(elsewhere).effects).toBeUndefined();
    // Whoever says no may ask again.
    expect(redo(elsewhere).state).toMatchObject({
      redo: edit,
      layers: [
        {
          confirm: { question: 'Redo the last edit on Things?', details: ['A is on; so is b'] },
          yes: { type: 'editConfirmed', pending: edit.forward },
        },
      ],
    });
    const asked = redo(elsewhere, { context: production }).state.layers;
    expect(asked).toMatchObject([{ confirm: { question: expect.stringContaining('in production (prod)?') } }]);
  });

  test('taken back, it is of no form: neither it nor the rows that failed drop what was typed since', () => {
    const drafts = { 'things.turn r0': { at: 1, texts: {} } };
    const pending = pendingOf(1, { isOfForm: true });
    const layer = { kind: 'results', title: '', results: [failed('r0')], cursor: 0, pending } as const;
    for (const [state, type] of [
      [{ ...empty, redo: { ...edit, forward: pending } }, 'askRedo'],
      [{ ...empty, layers: [layer] }, 'retryFailed'],
    ] as const) {
      const [effect] = update(state, { type }, emptyWorld(screens, state)).effects ?? [];
      const sent = effect?.ask === 'perform' ? effect.pending : pending;
      expect(ended([done('r0')], { pending: sent }, { ...empty, drafts }).drafts, type).toBe(drafts);
    }
  });
});

describe('the question before an edit', () => {
  const ask = (count: number, more: Partial<Pending> = {}, in_ = context) =>
    questionBefore(pendingOf(count, more), in_);

  test('is asked in production, where something is written; it names the row, or up to five', () => {
    expect([ask(1), ask(1, { action: { ...turn, uses: [listThings] } }, production)]).toEqual([undefined, undefined]);
    expect(ask(1, {}, production)).toEqual({ question: 'Turn on thing r0 in production (prod)?', details: [] });
    expect(ask(2, {}, production)).toEqual({
      question: 'Turn on 2 things in production (prod)?',
      details: ['thing r0', 'thing r1'],
    });
    expect(ask(5, {}, production)?.details).toHaveLength(5);
    expect(ask(6, {}, production)?.details?.at(-1)).toBe('and 1 more');
    expect(ask(7, {}, production)?.details?.slice(4)).toEqual(['thing r4', 'and 2 more']);
    expect(ask(0, {}, production)).toBeUndefined();
  });

  test('names with the ID what will be gone', () => {
    const removing = { ...turn, removes: true, confirm: () => ({ question: 'Delete 2 things?' }) };
    expect(ask(2, { action: removing })?.details).toEqual(['thing r0 (r0)', 'thing r1 (r1)']);
  });

  test('is asked of many rows everywhere: their number is typed', () => {
    const many = (count: number) => ask(count)?.typed;
    const least = Array.from({ length: 200 }, (_, at) => at).find((count) => many(count) !== undefined) ?? 0;
    expect([many(least - 1), many(least)]).toEqual([undefined, String(least)]);
    expect(ask(least)?.question).toBe(`Turn on ${least} things?`);
    expect(ask(least)?.details?.at(-1)).toBe(`and ${least - 5} more`);
    const own = { question: 'Really?', details: ['first'], typed: 'yes', destructive: true };
    const told = ask(least, { action: { ...turn, confirm: () => own } });
    expect(told).toMatchObject({ question: 'Really?', typed: 'yes', destructive: true });
    expect(told?.details?.slice(0, 2)).toEqual(['first', 'thing r0']);
    expect(ask(1, { action: { ...turn, confirm: () => own } })).toBe(own);
    // Few of them are named too, after what is lost.
    expect(ask(2, { action: { ...turn, confirm: () => own } })?.details).toEqual(['first', 'thing r0', 'thing r1']);
  });

  test('names what is made, by its kind and name', () => {
    const question = (more: Partial<Pending>) =>
      ask(1, { rows: [undefined], ...more }, production)?.question.split(' in ')[0];
    expect(question({ values: { name: ' cpu ' } })).toBe('Turn on cpu');
    expect(question({ values: { name: ' ' }, pickedAs: 'metric' })).toBe('Turn on metric');
    const make = { ...turn, title: 'new', noun: 'monitor' };
    expect(question({ action: make, values: { name: 'cpu' } })).toBe('New monitor cpu');
    expect(question({ action: make, pickedAs: 'metric', rows: rowsOf(1) })).toBe('New metric');
    const joins = { ...make, title: 'add row', preposition: 'to' as const };
    expect(question({ action: joins, rows: rowsOf(1) })).toBe('Add row to thing r0');
    const grant = { ...turn, title: 'grant', preposition: 'to' as const };
    expect(question({ action: grant, rows: rowsOf(2), pickedAs: 'logs_read' })).toBe('Grant logs_read to 2 things');
  });
});

test('an action is refused for its profile, its deployment, its roles and its row, in this order', () => {
  const offers = (...ids: string[]) => contextOf({ offered: (id) => ids.includes(id) });
  const two = { ...turn, uses: [listThings, setThing, dropThing] };
  const lacks = (...ids: string[]) =>
    contextOf({ lacks: (endpoint) => (ids.includes(endpoint.id) ? `${endpoint.id}_write` : undefined) });
  const row = { id: 'a' };
  const readOnly = contextOf({ profile: { name: 'p', production: false, readOnly: true } });
  expect(whyRefused(turn, row, readOnly)).toBe('profile p is read-only');
  expect(whyRefused({ ...turn, uses: [listThings] }, row, readOnly)).toBeUndefined();
  expect(whyRefused(two, row, offers(listThings.id))).toBe('not offered by this deployment');
  expect(whyRefused(two, row, offers(dropThing.id))).toBeUndefined();
  expect(whyRefused({ ...turn, uses: [listThings] }, row, offers())).toBeUndefined();
  expect(whyRefused(turn, row, lacks(setThing.id))).toBe(`needs ${setThing.id}_write, which your roles lack`);
  expect(whyRefused(two, row, lacks(setThing.id))).toBeUndefined();
  expect(whyRefused({ ...turn, uses: [] }, row, lacks(setThing.id))).toBeUndefined();
  const kiosk = contextOf({ profile: { name: 'p', production: false, readOnly: false, isKiosk: true } });
  expect([whyRefused({ ...turn, job: (() => ({})) as never }, row, kiosk), whyRefused(turn, row, kiosk)]).toEqual([
    'off in kiosk mode',
    undefined,
  ]);
  expect(whyRefused(turn, undefined, context)).toBe('no row selected');
  expect(whyRefused({ ...turn, enabled: () => 'already on' }, row, context)).toBe('already on');
  const made = { ...turn, on: 'list' as const };
  expect([
    whyRefused(made, undefined, context),
    whyRefused({ ...made, ready: () => 'full' }, undefined, context),
  ]).toEqual([undefined, 'full']);
});

test('the last twenty rows that were touched are kept, each once, of lists whose rows open', () => {
  const touch = (state: { touched: readonly { list: string; row: string; name: string }[] }, ...ids: string[]) =>
    withTouched(
      state,
      things,
      ids.map((id) => ({ id, name: id })),
    );
  const none = { touched: [] };
  const many = touch(none, ...rowsOf(20).map(({ id }) => id));
  expect(
    touch(many, 'x')
      .touched.map(({ row }) => row)
      .slice(0, 2),
  ).toEqual(['x', 'r0']);
  expect(touch(many, 'x').touched).toHaveLength(20);
  expect(
    touch(many, 'r19')
      .touched.map(({ row }) => row)
      .slice(0, 2),
  ).toEqual(['r19', 'r0']);
  const elsewhere = { touched: [{ list: 'others', row: 'a', name: 'a' }] };
  expect(touch(elsewhere, 'a').touched).toHaveLength(2);
  expect(touch(none)).toBe(none);
  expect(withTouched(none, { ...things, detail: undefined } as never, [{ id: 'a', name: 'a' }])).toBe(none);
  expect(withTouched(none, { ...things, derived: {} } as never, [{ id: 'a', name: 'a' }])).toBe(none);
});

test('the action of a notice is begun on its row, wherever the cursor is; a row that is gone is said', () => {
  const notice = { key: 'k', ...soon, list: 'things', rowId: 'a', action: turn.id };
  const state = { ...empty, notices: [notice] };
  const world = (found: boolean) =>
    emptyWorld(screens, state, {
      find: () => (found ? { list: things, row: { id: 'a' }, read: { asking: false, partial: false } } : undefined),
    });
  expect(update(state, { type: 'handleNotice' }, world(true)).effects).toMatchObject([
    { ask: 'perform', pending: { rows: [{ id: 'a' }], isOfNotice: true } },
  ]);
  const gone = update(state, { type: 'handleNotice' }, world(false));
  expect(gone.state).toMatchObject({
    notices: [],
    flash: { text: 'a ends in 1 min (09:00 UTC): the thing is no longer in the list' },
  });
  expect(update(empty, { type: 'handleNotice' }, world(true))).toEqual({ state: empty });
});

test('the rows that failed are sent again, but none whose outcome is unknown; none is left out of these', () => {
  const pending = pendingOf(2, { leftOut: '1 left out: already on' });
  const unknown = { ...failed('c'), ...problemResult('unknown', 'no answer') };
  const layer = { kind: 'results', title: '', results: [failed('a'), done('b'), unknown], cursor: 0, pending } as const;
  const state = { ...empty, layers: [layer] };
  expect(update(state, { type: 'retryFailed' }, emptyWorld(screens, state)).effects).toMatchObject([
    { ask: 'perform', pending: { rows: [{ id: 'a' }], leftOut: undefined } },
  ]);
  // Esc on a question leads back to them.
  const asked = update(state, { type: 'retryFailed' }, emptyWorld(screens, state, { context: production })).state;
  expect(asked.layers).toMatchObject([layer, { kind: 'confirm' }]);
});

test('what was done last is repeated with its values and pick', () => {
  const last = { action: turn.id, list: 'things', values: { a: 1 }, picked: 'p', title: 'turn on' };
  const state = { ...empty, last };
  const base = emptyWorld(screens, state);
  const acting = { list: things, rows: [{ id: 'a' }], subRowId: undefined };
  const world = { ...base, view: { ...base.view, acting } };
  expect(update(state, { type: 'repeatAction' }, world).effects).toMatchObject([
    { ask: 'perform', pending: { values: { a: 1 }, picked: 'p' } },
  ]);
  expect(update(empty, { type: 'repeatAction' }, world)).toEqual({ state: empty });
});

test('what is being sent is listed as it goes on, and with its rows no longer once it has ended', () => {
  const [bulk, job, later] = [{}, {}, {}];
  const changed = (of: object, change?: object) =>
    ({ type: 'sendingChanged', of, ...(change && { change }) }) as Message;
  const after = (...messages: readonly Message[]) =>
    messages.reduce((state, message) => update(state, message, emptyWorld(screens, state)).state, empty).underWay;
  const title = 'Turn on 2 things';
  const begun = [changed(bulk, { title, rows: 2, isUndoable: true }), changed(job, { title: 'Upload' })];
  const since = context.now;
  const upload = { of: job, title: 'Upload', since, rows: 1, ended: 0 };
  expect(after(...begun, changed(bulk, { ended: 1 }))).toEqual([
    { of: bulk, title, since, rows: 2, ended: 1, isUndoable: true },
    upload,
  ]);
  expect(after(...begun, changed(bulk))).toEqual([upload]);
  // Ctrl-X does not stop the rows of an edit that is begun after it.
  const stopped = after(...begun, { type: 'stopSending' }, changed(later, { rows: 2 }));
  expect(stopped.map(({ isStopping }) => isStopping)).toEqual([true, true, undefined]);
});
