import { describe, expect, test } from 'vitest';
import { problemResult } from '../../../src/api/problem.ts';
import type { AnySendingAction } from '../../../src/describe/action.ts';
import { textField, toggleField } from '../../../src/describe/field.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import { pickedFirst } from '../../../src/session/edit/begin-edit.ts';
import type { Acting } from '../../../src/session/rows/list-state.ts';
import type { Pending } from '../../../src/session/send/pending-edit.ts';
import { update } from '../../../src/session/session.ts';
import type { Message } from '../../../src/session/state/message.ts';
import type { State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { dropThing, setThing } from '../../support/calls.ts';
import { emptyState, emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';
import { thingsNamed, turn } from '../../support/things.ts';

/** The steps from the key of an action to its request. */

const production = contextOf({ profile: { name: 'prod', production: true, readOnly: false } });
const picker = { title: 'Who', first: [], load: () => ({ key: 'people' }) as never, values: () => ({}) };
const bar = (more = {}) => ({ title: 'Mute', choices: [], values: { a: 1 }, ...more });

/** An action begun on rows, by its message; `state` is what was before. */
function begin(
  more: Partial<AnySendingAction>,
  {
    rows = [{ id: 'a' }],
    list = {},
    world = {},
    state = {},
    message = {},
  }: {
    rows?: readonly unknown[];
    list?: Partial<AnyList>;
    world?: Partial<Parameters<typeof emptyWorld>[2]> & object;
    state?: Partial<State>;
    message?: object;
  } = {},
) {
  const action = { ...turn, ...more };
  const things: AnyList = { ...thingsNamed(({ id }) => `thing ${id}`), actions: [action], ...list };
  const others: AnyList = { ...things, id: 'others', title: 'Others' };
  const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things, others] }];
  const before: State = { ...emptyState(screens), ...state };
  const base = emptyWorld(screens, before, world);
  const acting: Acting = { list: things, rows, subRowId: undefined };
  const in_ = { ...base, view: { ...base.view, acting } };
  const next = update(before, { type: 'startAction', id: turn.id, ...message } as Message, in_);
  const after = (then: Message, from: State = next.state) =>
    update(from, then, { ...in_, ...emptyWorld(screens, from, world), view: in_.view });
  return { ...next, action, things, in_, after, before, top: next.state.layers.at(-1), said: next.state.flash?.text };
}
const sent = ({ effects }: Pick<ReturnType<typeof begin>, 'effects'>) =>
  effects?.flatMap((effect) => (effect.ask === 'perform' ? [effect.pending] : [])) ?? [];

describe('an action', () => {
  test('is refused with its reason; of several rows those that it can be done to are taken, and the others told', () => {
    const enabled = ({ id }: { id: string }) => id !== 'x' || 'already on';
    const unknown = begin({}, { message: { id: 'gone' } });
    expect([unknown.state, unknown.effects]).toEqual([unknown.before, undefined]);
    expect(begin({}, { rows: [] }).said).toBe('Turn on: no row selected');
    const none = begin({ enabled }, { rows: [{ id: 'x' }] });
    expect([none.said, none.state.flash?.tone, none.effects]).toEqual(['Turn on: already on', 'warn', undefined]);
    expect(sent(begin({ enabled }, { rows: [{ id: 'a' }] }))[0]).not.toHaveProperty('leftOut');
    const rows = [{ id: 'a' }, { id: 'x' }, { id: 'b' }];
    expect(sent(begin({ enabled }, { rows }))).toMatchObject([
      { rows: [rows[0], rows[2]], leftOut: '1 left out: already on' },
    ]);
    const asked = begin({ enabled }, { rows, world: { context: production } });
    expect(asked.top).toMatchObject({ confirm: { details: ['1 left out: already on', 'thing a', 'thing b'] } });
    expect(begin({ enabled, confirm: () => ({ question: 'Sure?' }) }, { rows }).top).toMatchObject({
      confirm: { question: 'Sure?', details: ['1 left out: already on', 'thing a', 'thing b'] },
    });
  });

  test('of the list itself is about no row', () => {
    expect(sent(begin({ on: 'list' }))).toMatchObject([{ rows: [undefined], values: {} }]);
    expect(begin({ on: 'list', ready: () => 'full' }, { rows: [] }).said).toBeUndefined();
  });

  test('is sent with the values that it is given or knows by itself', () => {
    expect(sent(begin({ values: () => ({ of: 'it' }) }))).toMatchObject([{ values: { of: 'it' } }]);
    expect(sent(begin({ values: () => ({ of: 'it' }) }, { message: { values: { of: 'us' } } }))).toMatchObject([
      { values: { of: 'us' } },
    ]);
    expect(begin({ values: () => undefined, pick: () => picker }).top).toMatchObject({
      kind: 'pick',
      picker,
      typing: false,
    });
    const onList: unknown[] = [];
    begin({ on: 'list', values: (rows: readonly unknown[]) => onList.push(rows) });
    expect(onList).toEqual([[]]);
  });

  test('goes to another list of the screen, with its search and anew', () => {
    const cursor = { search: { name: 'x' } };
    const to = begin(
      { goes: (() => ({ list: 'others', ...cursor })) as never },
      { state: { layers: [{ kind: 'menu' } as never], flash: { text: '' } as never } },
    );
    expect(to.state).toMatchObject({
      tab: { things: 1 },
      layers: [],
      flash: undefined,
      lists: { others: { asked: cursor } },
    });
    const { lists } = to.state;
    const left = { ...lists, others: { ...lists.others, detail: { id: 'a' }, marks: new Set(['a']) } } as never;
    const again = begin({ goes: (() => ({ list: 'others', ...cursor })) as never }, { state: { lists: left } });
    expect(again.state.lists.others).toMatchObject({ asked: cursor, detail: undefined, marks: new Set() });
    const gone = begin({ goes: (() => ({ list: 'gone', search: {} })) as never });
    expect(gone.state).toEqual(gone.before);
  });
});

describe('what an action asks', () => {
  test('first is picked, then read, then asked by a form that begins with what was typed', () => {
    const steps = {
      first: () => picker,
      needs: () => ({}) as never,
      form: (row: unknown, { picked }: { picked?: unknown }, known: unknown) => ({
        on: toggleField('On', false),
        name: textField('Name', ''),
        says: textField('Says', JSON.stringify([row, picked, known])),
      }),
    };
    const first = begin(steps, { message: { typed: 'cpu' } });
    expect(first.top).toMatchObject({
      kind: 'pick',
      isFirst: true,
      query: { text: 'cpu' },
      asked: 'cpu',
      typing: true,
      cursor: 0,
    });
    const { pending } = first.top as { pending: Pending };
    const read = pickedFirst(first.state, pending, 'p', first.in_);
    expect(read).toMatchObject({
      state: { layers: [{ kind: 'wait', title: 'Turn on thing a', pending: { picked: 'p' } }] },
      effects: [{ ask: 'need', pending: { picked: 'p' } }],
    });
    expect(read.state.layers).toHaveLength(1);
    const waiting = (read.state.layers[0] as { pending: Pending }).pending;
    expect(waiting).not.toHaveProperty('typed');
    const form = first.after({ type: 'needDone', pending: waiting, known: 'k' }, read.state);
    expect(form.state.layers).toMatchObject([
      { kind: 'form', title: 'Turn on thing a', lines: { name: { text: '' }, says: { text: '[{"id":"a"},"p","k"]' } } },
    ]);
    const other = first.after({ type: 'needDone', pending: { ...waiting }, known: 'k' }, read.state);
    expect(other.state.layers).toMatchObject([{ kind: 'wait' }]);
    const left = { ...read.state, layers: [] };
    expect(first.after({ type: 'needDone', pending: waiting }, left).state.layers).toEqual([]);
    const { problem } = problemResult('forbidden', 'no');
    const failed = first.after({ type: 'needDone', pending: waiting, problem }, read.state).state;
    expect([failed.layers, failed.flash?.text]).toEqual([[], 'Turn on failed: no']);
    // What is picked or known already is not asked again.
    expect(begin({ ...steps, needs: undefined as never }, { message: { values: {} } }).effects).toMatchObject([
      { ask: 'perform' },
    ]);
    const typed = begin({ form: steps.form }, { message: { typed: 'cpu' } }).top;
    const none = begin({ form: () => ({ on: toggleField('On', false) }) }, { message: { typed: 'cpu' } }).top;
    expect(none).toMatchObject({ lines: { on: { text: 'no' } } });
    expect(typed).toMatchObject({ lines: { name: { text: 'cpu' }, on: { text: 'no' } } });
  });

  test('by a bar begins with what was typed, in the text that ends it', () => {
    const inputs = [
      { key: 'n', name: 'note', field: textField('', ''), ends: false },
      { key: 'u', name: 'until', field: textField('', ''), ends: true },
    ];
    const asks = { bar: () => bar({ inputs }) };
    expect(begin(asks).top).toMatchObject({ kind: 'bar', values: { a: 1 } });
    expect(begin(asks).top).not.toHaveProperty('input');
    expect(begin(asks, { message: { typed: '2h' } }).top).toMatchObject({
      input: { name: 'until', line: { text: '2h' } },
    });
    expect(begin({ bar: () => bar() }, { message: { typed: '2h' } }).top).not.toHaveProperty('input');
  });

  test('by a form is named after what is made, or the row that it is done to', () => {
    const title = (more: Partial<AnySendingAction>, rows?: readonly unknown[]) =>
      begin({ form: () => ({}), ...more }, rows ? { rows } : {}).top as { title: string };
    expect(title({}).title).toBe('Turn on thing a');
    expect(title({ title: 'new', noun: 'monitor' }).title).toBe('New monitor');
    expect(title({ title: 'new', noun: 'monitor', on: 'list' }).title).toBe('New monitor');
    expect(title({ title: 'add row', preposition: 'to' }).title).toBe('Add row to thing a');
    expect(title({ title: 'add row', on: 'list' }).title).toBe('Add row');
    expect(title({ noun: 'thing' }, [{ id: 'a' }, { id: 'b' }]).title).toBe('Turn on 2 things');
  });

  test('by a form is offered with the draft that was kept of it', () => {
    const draft = { at: 1, texts: { name: 'x' } };
    const { top } = begin(
      { form: () => ({ name: textField('Name', '') }) },
      { state: { drafts: { 'things.turn a': draft } as never } },
    );
    expect(top).toMatchObject({ kind: 'form', draft });
  });
});

describe('an edit that is sent', () => {
  const pendingOf = ({ action, things }: ReturnType<typeof begin>): Pending => ({
    action,
    list: things,
    rows: [{ id: 'a' }],
    values: { v: 1 },
    picked: 'p',
  });

  test('closes what asked for it, but a form stays until the service has answered; it is remembered', () => {
    const base = begin({});
    const pending = pendingOf(base);
    const sentOver = (...layers: readonly object[]) =>
      base.after(
        { type: 'editConfirmed', pending },
        { ...base.before, layers: layers as never, flash: { text: '' } as never },
      );
    for (const kind of ['bar', 'pick', 'menu', 'results', 'confirm'])
      expect(sentOver({ kind: 'detail' }, { kind }).state.layers, kind).toHaveLength(1);
    expect(sentOver({ kind: 'text' }).state.layers).toHaveLength(1);
    const form = { ...formLayer('', {}, { kind: 'action', pending }), problem: 'old' };
    const { state, effects } = sentOver({ kind: 'text' }, form, { kind: 'confirm' });
    expect(state.layers).toMatchObject([{ kind: 'text' }, { kind: 'form', busy: true, problem: undefined }]);
    expect(state).toMatchObject({
      flash: undefined,
      last: { action: turn.id, list: 'things', values: { v: 1 }, picked: 'p', title: 'turn on' },
    });
    expect(effects).toMatchObject([{ ask: 'perform', pending }]);
  });

  test('of several rows notes what is marked, and ends the range that marks them', () => {
    const base = begin({});
    const listState = { ...base.before.lists.things, marks: new Set(['a', 'b']), rowRange: { from: 'a' } } as never;
    const pending = { ...pendingOf(base), rows: [{ id: 'a' }, { id: 'b' }] };
    const sent = base.after({ type: 'editConfirmed', pending }, { ...base.before, lists: { things: listState } });
    const marked = { list: 'things', marks: new Set(['a', 'b']) };
    expect(sent.effects).toMatchObject([{ pending: { marked } }]);
    const again = { ...pending, marked, redoes: 'g' };
    const redone = base.after(
      { type: 'editConfirmed', pending: again },
      { ...base.before, lists: { things: listState } },
    );
    expect(redone.effects).toMatchObject([{ pending: { marked: undefined } }]);
    expect(sent.state.lists.things).toMatchObject({ marks: new Set(['a', 'b']), rowRange: undefined });
  });

  test('that is a job runs in a layer of its own, or aside; its form and the draft of it go', () => {
    const job = (row: unknown, values: unknown) => ({
      kind: 'upload',
      title: `upload ${JSON.stringify([row, values])}`,
      values,
    });
    const touching = { ...dropThing, of: 'other', touches: ['group'] };
    const run = (more: object, ...layers: readonly object[]) => {
      const base = begin({
        job: ((row: unknown, values: unknown) => ({ ...job(row, values), ...more })) as never,
        uses: [setThing, touching],
      });
      const drafts = { 'things.turn a "p"': { at: 1, texts: {} } } as never;
      const behind = [{ kind: 'job', id: 'other' }] as never;
      const pending = pendingOf(base);
      const form = formLayer('', {}, { kind: 'action', pending });
      const state = {
        ...base.before,
        drafts,
        behind,
        layers: layers.map((layer) => ('form' in layer ? form : layer)) as never,
      };
      return { ...base.after({ type: 'editConfirmed', pending }, state), now: base.in_.context.now };
    };
    const plain = run({}, { kind: 'menu' });
    const id = `${turn.id} ${plain.now}`;
    const title = 'upload [{"id":"a"},{"v":1}]';
    expect(plain.state.layers).toEqual([{ kind: 'job', id, title, since: plain.now, stopping: false }]);
    expect(plain.effects).toMatchObject([{ ask: 'job', id, job: { title }, of: ['thing', 'other', 'group'] }]);
    expect(plain.state).toMatchObject({ behind: [{ id: 'other' }], drafts: { 'things.turn a "p"': {} } });
    expect(plain.state.last).toBeUndefined();
    const aside = run({ isAside: true, isProgram: true }, { form: true });
    expect(aside.state).toMatchObject({ layers: [], behind: [{ id: 'other' }, { id, isProgram: true }], drafts: {} });
    expect(aside.state.drafts).toEqual({});
    expect(aside.state.behind?.at(-1)).toMatchObject({ typed: ['things.turn a "p"', { at: 1 }] });
  });
});
