import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { action } from '../../src/describe/action.ts';
import {
  checksField,
  choiceField,
  type FieldDiagnostic,
  type FieldLanguage,
  type Fields,
  fileField,
  following,
  isSecret,
  manyField,
  numberField,
  pickField,
  queryField,
  shownWhen,
  textField,
  toggleField,
  whenEmpty,
} from '../../src/describe/field.ts';
import { createLanguages } from '../../src/session/effects/effects.ts';
import { formPane, hiddenLines } from '../../src/session/form/form-pane.ts';
import {
  atNextDiagnostic,
  diagnosticAbout,
  diagnosticRemark,
  isOpening,
  isUnfinished,
  listWarnings,
  nearest,
  queryView,
  refusedAt,
  saveStoppedBy,
} from '../../src/session/form/query.ts';
import { contents, differences, isReviewed, previewRequest, readFields } from '../../src/session/form/request.ts';
import {
  createPaths,
  focus,
  nextDiagnostic,
  offer,
  pathHint,
  stepRow,
  tookOffer,
  typedInto,
} from '../../src/session/form/typing.ts';
import { editedLine } from '../../src/session/keyboard/editor.ts';
import { entered, fileRead, option, submit } from '../../src/session/layers/form.ts';
import { keyFields, profileFields } from '../../src/session/layers/profiles.ts';
import type { LocalFiles } from '../../src/session/outside/outside.ts';
import { update } from '../../src/session/session.ts';
import {
  fieldEditor,
  fieldHelpText,
  fieldNames,
  fieldTexts,
  furtherFields,
  judged,
  textWidth,
} from '../../src/session/state/form-layer.ts';
import type { Message } from '../../src/session/state/message.ts';
import type { State } from '../../src/session/state/state.ts';
import { formLayer } from '../../src/session/state/state-changes.ts';
import { addThing, dropThing, setThing } from '../support/calls.ts';
import { emptyState, emptyWorld } from '../support/empty-world.ts';
import { theme } from '../support/line-examples.ts';
import { contextOf } from '../support/plans.ts';
import { settled } from '../support/steppedclock.ts';
import { smallLanguage } from '../support/test-screen.ts';
import { bareList } from '../support/things.ts';

type Form = ReturnType<typeof formLayer>;

const title = (texts: Readonly<Record<string, string>>) => `${texts.team} ${texts.query?.split('\n')[0]}`.trim();
const fields = () => ({
  team: textField('Team', ''),
  name: following(title, textField('Name', '')),
  more: toggleField('More', false),
  short: shownWhen(
    ({ more }) => more === 'yes',
    following(({ name = '' }) => name.slice(0, 3), textField('Short', '')),
  ),
  query: queryField('Query', 'sum\ncount > 3', async () => smallLanguage()),
});

/** A form whose grammar has been loaded. */
function opened(): Form {
  const form = formLayer('', fields(), { kind: 'search', list: '' });
  return judged({ ...form, written: { query: { diagnostics: [], language: smallLanguage() } } });
}

const typed = (form: Form, text: string) =>
  [...text].reduce((form, letter) => typedInto(form, letter, letter, 80), form);
const key = (form: Form, name: string) => typedInto(form, '', name, 80);
const textOf = (form: Form, name: string) => form.lines[name]?.text;

test('the texts of a form are read once, however often it is asked what they say', () => {
  let reads = 0;
  const team = textField('Team', 'core');
  const read = (text: string) => {
    reads += 1;
    return team.read(text);
  };
  const form = formLayer('', { team: { ...team, read } }, { kind: 'search', list: '' });
  expect(readFields(form)).toEqual({ values: { team: 'core' }, errors: {} });
  expect([readFields(form).values, reads]).toEqual([{ team: 'core' }, 1]);
  expect(readFields(typed(form, 's')).values).toEqual({ team: 'cores' });
});

test('a field follows others, also through each other, until it is edited; emptied, it follows again', () => {
  const form = opened();
  expect(textOf(form, 'name')).toBe('sum');
  expect(textOf(form, 'short')).toBe('sum');
  const team = typed(form, 'ab');
  expect(textOf(team, 'name')).toBe('ab sum');
  expect(textOf(team, 'short')).toBe('ab ');
  expect(team.touched).toBe(true);
  const own = typed(focus(team, 1), '!');
  expect(textOf(typed(focus(own, -1), 'c'), 'name')).toBe('ab sum!');
  const emptied = key(own, 'ctrl+u');
  expect(textOf(emptied, 'name')).toBe('');
  expect(textOf(focus(emptied, 1), 'name')).toBe('ab sum');
});

test('a followed text that changes has no error any more; what is written is checked again only when a text changes', () => {
  const form = { ...opened(), errors: { name: 'wrong', more: 'stays' } };
  expect(typed(form, 'a').errors).toEqual({ more: 'stays' });
  const language = smallLanguage();
  const checked = judged({ ...form, written: { query: { diagnostics: [], language } } });
  expect(language.asked).toHaveLength(1);
  const moved = key(focus(focus(checked, 1), -1), 'left');
  expect([judged(moved).written.query?.diagnostics, language.asked.length]).toEqual([
    checked.written.query?.diagnostics,
    1,
  ]);
  expect(typed(moved, 'a').written.query?.about).toMatchObject({ team: 'a' });
  expect(language.asked).toHaveLength(2);
});

test('an initial text follows nothing', () => {
  const own = { a: textField('A', 'x'), b: following(() => 'made', textField('B', 'given')) };
  const form = formLayer('', own, { kind: 'search', list: '' });
  expect(textOf(typed(form, 'y'), 'b')).toBe('given');
});

test('a followed value is among the changes', () => {
  const form = typed(opened(), 'ab');
  expect(differences(form).map((difference) => difference.label)).toEqual(['Team', 'Name']);
});

const step = fc.oneof(
  fc
    .constantFrom('a', 'c', 'o', ' ', '(', '\n', 'zap', 'last_8d', 'maybe ')
    .map((value) => (form: Form) => typed(form, value)),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => (form: Form) => typedInto(form, text, '', 80)),
  fc
    .constantFrom('left', 'right', 'home', 'end', 'backspace', 'ctrl+w', 'ctrl+u', 'alt+u', 'alt+r', 'alt+return')
    .map((value) => (form: Form) => key(form, value)),
  fc.constantFrom<1 | -1>(1, -1).map((by) => (form: Form) => stepRow(form, by, 20)),
  fc.constantFrom(1, -1).map((by) => (form: Form) => focus(form, by)),
  fc.constantFrom(undefined, 1, -1).map((by) => (form: Form) => offer(form, by)),
  fc.constantFrom(tookOffer, nextDiagnostic, (form: Form) => option(form, 1)),
);

test('after any change of a form, diagnostics and suggestions are about its current texts', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let form = focus(opened(), -1);
      for (const one of steps) {
        form = one(form);
        const texts = fieldTexts(form);
        const { about, offers, diagnostics } = form.written.query ?? { diagnostics: [] };
        const { text, cursor } = fieldEditor(form, 'query');
        expect(form.focus).toBeGreaterThanOrEqual(0);
        expect(form.focus).toBeLessThan(fieldNames(form).length);
        expect(about).toEqual(texts);
        expect(diagnostics).toEqual(smallLanguage().check(text, texts));
        if (offers) {
          expect(fieldNames(form)[form.focus]).toBe('query');
          expect(offers.completion.items[offers.cursor]).toBeDefined();
          expect(offers.completion.end).toBe(cursor);
        }
        if (!form.own.includes('name') && texts.name !== '') expect(texts.name).toBe(title(texts));
      }
    }),
  );
});

test('a number keeps no zero in front of its digits while it is typed, and the cursor stays where it was', () => {
  const begun = formLayer('', { rate: numberField('rate', 0) }, { kind: 'search', list: '' });
  const texts = ['2', '.5', '05'].map((text) => textOf(typed(begun, text), 'rate'));
  expect(texts).toEqual(['2', '0.5', '5']);
  const front = typed(key(typed(begun, '25'), 'home'), '0');
  expect(front.lines.rate).toEqual({ text: '25', cursor: 0 });
  expect(textOf(typed(formLayer('', { at: textField('at', '0') }, { kind: 'search', list: '' }), '2'), 'at')).toBe(
    '02',
  );
});

const search = { kind: 'search', list: 'things' } as const;
const things = bareList<{ readonly id: string }>({
  search: { form: () => ({}), initial: {}, says: () => '' },
});
const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
const turn = { id: 't', key: 't', title: 'turn', help: '', uses: [], send: () => ({}) as never, done: () => '' };
const forAction = (more: object = {}) =>
  ({ kind: 'action', pending: { action: action({ ...turn, ...more }), list: things, rows: [{ id: 'a' }] } }) as const;

/** Steps of the form on top of a session in which nothing was read. */
function stepped(form: Form) {
  const state = { ...emptyState(screens), layers: [form] };
  const world = emptyWorld(screens, state);
  const formIn = ({ layers }: typeof state) => layers.at(-1) as Form;
  return { state, world, formIn, submits: () => submit(state, form, world), enters: () => entered(state, form, world) };
}
const none = () => ({}) as never;

test.each<readonly [field: Fields[string], text: string, read: unknown]>([
  [textField('Name', '', { longest: 3 }), ' abc ', 'abc'],
  [textField('Name', '', { longest: 3 }), 'abcd', 'Name: at most 3 characters'],
  [textField('Name', '', { required: true }), ' ', 'Name is required'],
  [numberField('Rate', 1), 'x', 'Rate must be a number'],
  [numberField('Rate', 1), ' 0.5 ', 0.5],
  [numberField('Rate', 1), '', undefined],
  [numberField('Rate', 1, { whole: true }), '0.5', 'Rate must be a whole number'],
  [numberField('Rate', 1, { whole: true }), 'x', 'Rate must be a whole number'],
  [numberField('Rate', 1, { whole: true }), '9007199254740991', 9_007_199_254_740_991],
  [numberField('Rate', 1, { whole: true }), '9007199254740993', 'Rate must be a whole number up to 9007199254740991'],
  [numberField('Rate', 1, { min: 1, max: 5 }), 'x', 'Rate must be a number, 1 to 5'],
  [numberField('Rate', 1, { min: 1, max: 5 }), '5', 5],
  [numberField('Rate', 1, { min: 1, max: 5 }), '6', 'Rate must be 1 to 5'],
  [numberField('Rate', 1, { min: 1 }), '1', 1],
  [numberField('Rate', 1, { min: 1 }), '0', 'Rate must be at least 1'],
  [choiceField('Color', 'x', ['red', { value: 'b', label: 'blue' }]), 'green', 'Color must be one of red, blue'],
  [toggleField('On', true), 'no', false],
  [toggleField('On', true), 'true', 'On must be one of yes, no'],
  [manyField('Days', [], ['mo', { value: 'tu', label: 'Tuesday' }]), 'mo,we', 'we is not one of mo, Tuesday'],
  [pickField('Role', undefined, none), '', undefined],
  [pickField('Role', undefined, none, { required: true }), '', 'Role is required'],
  [whenEmpty('all', pickField('Role', undefined, none)), ' ', 'all'],
  [whenEmpty('all', textField('Name', '')), '', 'all'],
  [whenEmpty('all', textField('Name', '')), 'abc', 'abc'],
  [fileField('File', (value) => ({ ok: true, value }), { limit: 9 }), '', ''],
  [fileField('File', (value) => ({ ok: true, value }), { limit: 9, required: true }), '', 'File is required'],
])('field %# of the table reads what is typed, or says what to write', (field, text, expected) => {
  const read = field.read(text);
  expect(read.ok ? read.value : read.text).toBe(expected);
});

test('a field begins with what it is given, its labels and its hint, or with what is usual', () => {
  const begins = ({ initial, labels, hint, kind, cells, placeholder }: Fields[string]) =>
    [kind, initial, labels?.r, hint, cells, placeholder].filter((part) => part !== undefined);
  const role = { id: 'r', label: 'Role' };
  expect(begins(choiceField('Color', undefined, ['red', 'blue']))).toEqual(['choice', 'red']);
  expect(begins(toggleField('On', false))).toEqual(['toggle', 'no']);
  expect(begins(numberField('Rate', 1, { min: 1, max: 5 }))).toEqual(['text', '1', '1 to 5', 14]);
  expect(begins(pickField('Role', role, none))).toEqual(['pick', 'r', 'Role', 'Enter opens the list']);
  expect(begins(checksField('Roles', [role], none))).toEqual([
    ...['checks', 'r', 'Role', 'Enter opens the list, Space toggles'],
  ]);
  const file = fileField('File', (value) => ({ ok: true, value }), { limit: 9 });
  expect(begins(file)).toEqual(['file', '', 'Path of the file', '~/…']);
});

test('an option is the next one, round its ends; of several, Space takes or leaves the one under the cursor', () => {
  const fields = {
    color: choiceField('Color', 'red', ['red', 'green', 'blue']),
    days: manyField('Days', ['mo'], ['mo', 'tu', 'we']),
    name: textField('Name', 'x'),
  };
  const form = formLayer('', fields, search);
  const color = (...by: number[]) => textOf(by.reduce(option, form), 'color');
  expect([color(1), color(1, 1), color(1, 1, 1), color(-1)]).toEqual(['green', 'blue', 'red', 'blue']);
  const odd = { ...form, lines: { ...form.lines, color: { text: 'odd', cursor: 0 } } };
  expect(textOf(option(odd, 1), 'color')).toBe('red');
  const days = (...by: number[]) => by.reduce(option, focus(form, 1)).lines.days;
  expect(days(1)).toEqual({ text: 'mo', cursor: 1 });
  expect(days(-1)).toEqual({ text: 'mo', cursor: 2 });
  expect(days(1, 1, 1)?.cursor).toBe(0);
  expect(days(1, 0)).toEqual({ text: 'mo,tu', cursor: 1 });
  expect(days(-1, 0, -1, 0)).toEqual({ text: 'mo,tu,we', cursor: 1 });
  expect(days(1, 0, -1, 0)?.text).toBe('tu');
  expect(days(0)?.text).toBe('');
  expect(option(focus(form, 2), 1)).toEqual(focus(form, 2));
});

test('a value is shown by its label, a secret as dots', () => {
  const fields = {
    color: choiceField('Color', 'r', [
      { value: 'r', label: 'red' },
      { value: 'b', label: 'blue' },
    ]),
    key: textField('Key', '', { secret: true }),
    name: textField('Name', ''),
  };
  const form = formLayer('', fields, search);
  const says = (name: string, text: string) => fieldHelpText(form, name, text);
  expect([says('color', 'b'), says('color', 'odd'), says('key', 'fake-key'), says('key', '')]).toEqual([
    ...['blue', 'odd', '••••', ''],
  ]);
  expect([says('name', 'a'), says('gone', 'b')]).toEqual(['a', 'b']);
  const drawn = (...ids: string[]) => {
    const form = formLayer(
      '',
      {
        who: checksField(
          'Who',
          ids.map((id) => ({ id, label: id })),
          none,
        ),
      },
      search,
    );
    const { lines } = formPane(form, stepped(form).world, { width: 60, height: 9, theme });
    return lines[0]?.spans.map(({ text }) => text).join('');
  };
  expect([drawn('a', 'b', 'c'), drawn('a', 'b', 'c', 'd')]).toEqual([
    expect.stringContaining(' a, b, c'),
    expect.stringContaining(' 4: a, b, c, d'),
  ]);
});

test('the first field that refuses its text has the focus and says why; a valid form is sent', () => {
  const fields = { name: textField('Name', ''), rate: numberField('Rate', 5, { max: 9 }), last: textField('Last', '') };
  const form = formLayer('', fields, forAction());
  const wrong = { ...focus(form, 2), lines: { ...form.lines, rate: { text: '10', cursor: 2 } }, problem: 'old' };
  const { state, formIn, submits, enters } = stepped({ ...wrong, files: { rate: { path: '', content: '' } } });
  const refused = formIn(submits().state as typeof state);
  expect(refused).toMatchObject({ focus: 1, problem: undefined, files: {} });
  expect(Object.keys(refused.errors)).toEqual(['rate']);
  expect(submits().effects).toBeUndefined();
  expect(enters().effects).toBeUndefined();
  expect(
    stepped({ ...form, focus: 1 })
      .enters()
      .state.layers.at(-1),
  ).toMatchObject({ focus: 2 });
  const { lines } = formPane(wrong, stepped(wrong).world, { width: 78, height: 20, theme });
  expect(lines.map(({ spans }) => spans.map(({ text }) => text).join(''))).toContain(' ✗ Rate must be at most 9');
  const sent = stepped(form).submits();
  expect(sent.effects).toMatchObject([{ ask: 'perform', pending: { values: { name: '', rate: 5 } } }]);
  expect(
    stepped({ ...form, leaving: true })
      .submits()
      .state.layers.at(-1),
  ).toMatchObject({ leaving: false });
  expect(stepped({ ...form, busy: true }).submits()).toEqual({ state: stepped({ ...form, busy: true }).state });
});

test('of a new thing everything that it will have is reviewed, unless its form shows all of it', () => {
  const fields = {
    name: textField('Name', 'a'),
    none: textField('None', ''),
    more: { ...toggleField('More', true), aside: true as const },
  };
  const form = formLayer('', fields, forAction({ reviews: 'all' }));
  const added = (text: string) => ({ parts: [{ sign: '+', text }], several: true });
  expect(contents(form)).toEqual([{ label: 'Name', ...added('a') }]);
  expect(stepped(form).submits().state.layers.at(-1)).toMatchObject({ review: contents(form) });
  expect(isReviewed(form)).toBe(true);
  const newOf = (of: Fields) => formLayer('', of, forAction({ reviews: 'all' }));
  expect(isReviewed(newOf({ name: fields.name }))).toBe(false);
  expect(isReviewed(newOf({ name: fields.name, none: fields.none }))).toBe(true);
  const nobody = { ...checksField('Who', [], none), placeholder: 'everybody' };
  expect(contents(newOf({ who: nobody, like: textField('Like', '', { placeholder: 'x' }) }))).toEqual([
    { label: 'Who', ...added('everybody') },
  ]);
});

test('the lines of a review that have no room are those of its changes with the request, or of the longer half', () => {
  const change = { label: 'Name', parts: [{ sign: '+' as const, text: 'a\nb\nc' }] };
  const hidden = (columns: number, changes: number, requests: number) => {
    const review = Array(changes).fill(change);
    const form = { ...formLayer('', {}, forAction()), review, request: Array(requests).fill('{') };
    return hiddenLines(form, { state: { ...emptyState(screens), size: { columns, rows: 24 } }, context: contextOf() });
  };
  // 19 lines: four for each change, and a blank one, the title, that it is valid, a blank one and a title above the request.
  expect([hidden(80, 3, 2), hidden(80, 3, 3), hidden(80, 4, 3)]).toEqual([0, 1, 5]);
  expect([hidden(120, 4, 16), hidden(120, 4, 17), hidden(120, 5, 0), hidden(120, 5, 20)]).toEqual([0, 1, 1, 4]);
});

test('a change of several values says those that were removed and those that were added', () => {
  const fields = {
    days: manyField('Days', ['mo', 'tu'], ['mo', 'tu', 'we']),
    who: checksField('Who', [{ id: 'a', label: 'Ann' }], none),
    same: textField('Same', 'x'),
  };
  const form = formLayer('', fields, search);
  const lines = { ...form.lines, days: { text: 'tu,we', cursor: 0 }, who: { text: 'a,b', cursor: 0 } };
  expect(differences({ ...form, lines })).toEqual([
    {
      label: 'Days',
      parts: [
        { sign: '-', text: 'mo' },
        { sign: '+', text: 'we' },
      ],
      several: true,
    },
    { label: 'Who', parts: [{ sign: '+', text: 'b' }], several: true },
  ]);
});

test('a file is read before its form is sent, once for each path', () => {
  const fields = {
    file: fileField(
      'File',
      (content) => (content === 'bad' ? { ok: false, text: 'not so' } : { ok: true, value: content }),
      {
        limit: 9,
      },
    ),
    name: textField('Name', ''),
  };
  const form = typed(formLayer('', fields, forAction()), ' ~/a ');
  const { state, world, submits } = stepped(form);
  const asks = submits();
  expect(asks.effects).toEqual([{ ask: 'readFile', of: form.for, name: 'file', path: '~/a', limit: 9 }]);
  const waiting = asks.state.layers.at(-1) as Form;
  expect(waiting.busy).toBe(true);
  const read = (content?: string) =>
    fileRead(
      state,
      waiting,
      { type: 'fileRead', name: 'file', path: '~/a', ...(content === undefined ? {} : { content }) },
      world,
    );
  expect(read('text').effects).toMatchObject([
    { ask: 'perform', pending: { values: { file: 'text' }, isOfForm: true } },
  ]);
  expect(read('bad').state.layers.at(-1)).toMatchObject({
    busy: false,
    errors: { file: 'not so' },
    files: {},
    focus: 0,
  });
  const two = {
    ...waiting,
    fields: { ...fields, other: fields.file },
    files: { other: { path: '', content: 'good' } },
  };
  const content = { type: 'fileRead', name: 'file', path: '~/a', content: 'bad' } as const;
  expect(fileRead(state, two, content, world).state.layers.at(-1)).toMatchObject({
    files: { other: { content: 'good' } },
  });
  expect(read().state.layers.at(-1)).toMatchObject({
    busy: false,
    focus: 0,
    errors: { file: 'the file could not be read' },
  });
});

test('a search, a view, a profile and keys go where they belong', () => {
  const fields = { name: textField('Name', 'mine') };
  const sent = (to: Form['for']) => stepped(formLayer('', fields, to)).submits();
  expect(sent(search).state.lists.things?.asked.search).toEqual({ name: 'mine' });
  expect(sent(search).state.layers).toEqual([]);
  expect(sent({ kind: 'view' }).state.views).toMatchObject([{ name: 'mine' }]);
  expect(sent({ kind: 'profile' }).effects).toMatchObject([{ ask: 'addProfile', values: { name: 'mine' } }]);
  expect(sent({ kind: 'profile', name: 'p' }).effects).toMatchObject([
    { ask: 'editProfile', name: 'p', values: { name: 'mine' } },
  ]);
  expect(sent({ kind: 'keys', name: 'p' }).effects).toMatchObject([
    { ask: 'giveKeys', name: 'p', values: { name: 'mine' } },
  ]);
  for (const kind of ['keys', 'profile'] as const)
    expect(sent({ kind, name: 'p' }).state.layers.at(-1)).toMatchObject({ busy: true });
});

/** A form of a query with this language, loaded or not. */
const queryForm = (text: string, language?: FieldLanguage, more: Fields = {}): Form => {
  const form = formLayer('', { query: queryField('Query', text, async () => smallLanguage()), ...more }, forAction());
  return judged({ ...form, written: { query: { diagnostics: [], ...(language ? { language } : {}) } } });
};
const withDiagnostics = (text: string, diagnostics: readonly FieldDiagnostic[], more: Fields = {}) =>
  queryForm(text, { check: () => [...diagnostics], complete: () => undefined }, more);
const diagnostic = (start: number, end: number, more: Partial<FieldDiagnostic> = {}): FieldDiagnostic => ({
  ...{ verdict: 'wrong', message: `at ${start}`, start, end },
  ...more,
});

test('a diagnostic about another field has its focus, and is told there', () => {
  const about = diagnostic(0, 1, { field: 'last', message: 'about last' });
  const doubt = diagnostic(0, 1, { field: 'last', verdict: 'doubtful' });
  const more = { name: textField('Name', ''), last: textField('Last', '') };
  const stopped = refusedAt(withDiagnostics('zap', [about], more));
  expect(stopped?.focus).toBe(2);
  expect(diagnosticAbout(withDiagnostics('zap', [doubt, about], more), 'last')).toEqual({
    diagnostic: doubt,
    isHeld: false,
  });
  expect(stopped && diagnosticAbout(stopped, 'last')).toEqual({ diagnostic: about, isHeld: true });
  expect(diagnosticAbout(withDiagnostics('zap', [about], more), 'name')).toBeUndefined();
  const told = withDiagnostics('zap', [about], more);
  expect(diagnosticRemark(told, 'last')).toEqual({ error: 'about last' });
  expect(diagnosticRemark(focus(told, 2), 'last')).toEqual({ doubt: 'about last' });
  expect(stopped && diagnosticRemark(stopped, 'last')).toEqual({ error: 'about last\nCtrl-S again: save anyway' });
  expect(refusedAt(withDiagnostics('zap', [diagnostic(0, 1, { field: 'gone' })], more))?.focus).toBe(0);
  const two = withDiagnostics('zap', [doubt], { other: queryField('Other', '', none), last: more.last });
  const both = { ...two, written: { ...two.written, other: { diagnostics: [about] } } };
  expect(diagnosticAbout(both, 'last')?.diagnostic).toBe(about);
  // The one that stopped it last; none once the text is another one.
  const first = refusedAt({ ...both, written: { ...both.written, query: { diagnostics: [diagnostic(0, 2)] } } });
  const second = first && refusedAt(first);
  expect([first, second].map((form) => form && saveStoppedBy(form)?.message)).toEqual(['at 0', about.message]);
  expect(stopped && saveStoppedBy(stopped)?.text).toBe('zap');
  expect(
    stopped && saveStoppedBy({ ...stopped, lines: { ...stopped.lines, query: editedLine('za') } }),
  ).toBeUndefined();
  const before = withDiagnostics('zap', [diagnostic(0, 1, { field: 'name' })]);
  expect(refusedAt({ ...before, fields: { name: more.name, ...before.fields }, focus: 1 })?.focus).toBe(0);
});

test('the diagnostic nearest to the cursor is told with its place; the next one is behind the cursor, round the end', () => {
  const all = [diagnostic(8, 9), diagnostic(2, 4)];
  const told = (cursor: number) => nearest(all, cursor)?.place;
  expect([told(0), told(4), told(5), told(6), told(7), told(20)]).toEqual([1, 1, 1, 2, 2, 2]);
  expect(nearest(all, 0)).toEqual({ diagnostic: all[1], place: 1, count: 2 });
  expect(nearest([diagnostic(0, 3), diagnostic(2, 9)], 3)?.diagnostic.start).toBe(0);
  expect(nearest([diagnostic(5, 9), diagnostic(2, 4)], 4)?.diagnostic.start).toBe(2);
  expect(nearest([], 0)).toBeUndefined();
  const form = withDiagnostics('0123456789', all);
  const next = (cursor: number) => {
    const lines = { query: { ...fieldEditor(form, 'query'), cursor } };
    return atNextDiagnostic({ ...form, lines }, 'query').cursor;
  };
  expect([next(0), next(2), next(7), next(8), next(10)]).toEqual([2, 8, 8, 2, 2]);
  expect(atNextDiagnostic(withDiagnostics('0123', []), 'query').cursor).toBe(4);
  expect(
    listWarnings(
      withDiagnostics(
        '0123',
        [0, 1, 2].map((at) => diagnostic(at, at + 1)),
      ),
    ),
  ).toEqual([...['Query: at 0', 'Query: at 1']]);
  // All are marked, the nearest one first.
  expect(queryView(form, 'query', 40, theme).marks.map(({ start }) => start)).toEqual([8, 2]);
});

test('a diagnostic at the end is unfinished while a person writes there', () => {
  const at = (text: string, cursor: number, end: number) =>
    isUnfinished(diagnostic(0, end), { text, cursor, past: [], future: [] });
  expect([at('sum(', 4, 4), at('sum()', 4, 5), at('sum("")', 5, 7)]).toEqual([true, true, true]);
  expect([at('sum(x', 4, 5), at('sum( x', 4, 6), at('sum(', 4, 3), at('sum  ', 5, 3)]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  const opens = ['(', '{', ':', '("', "('", '@', 'x @', 'x@', 'x', '"'];
  expect(opens.filter((text) => isOpening({ text, cursor: text.length, past: [], future: [] }))).toEqual(
    opens.slice(0, 7),
  );
  expect(isOpening({ text: '(x', cursor: 1, past: [], future: [] })).toBe(true);
});

const offersOf = (form: Form) => form.written.query?.offers?.completion.items.map(({ text }) => text);

test('completions are offered for a begun word, in an opened group, and when asked for', () => {
  const form = queryForm('', smallLanguage());
  expect(offersOf(typed(form, 'co'))).toEqual(['count', 'counted_twice']);
  expect(queryView(typed(form, 'co'), 'query', 40, theme).offers).toMatchObject({
    ...{ cursor: 0, items: [{ label: 'count', hint: 'the word count' }, {}] },
  });
  expect(offersOf(typed(form, 'co '))).toBeUndefined();
  expect(offersOf(typed(form, '('))).toHaveLength(7);
  expect(offersOf(offer(form, undefined))).toHaveLength(7);
  expect(offersOf(typed(form, 'maybe'))).toBeUndefined();
  expect(offersOf(typed(form, 'zz'))).toBeUndefined();
  expect(offersOf(typed(form, '-'))).toBeUndefined();
  expect(offersOf(typedInto(form, 'co', '', 80))).toBeUndefined();
  expect(offersOf(typedInto(typed(form, 'co'), 'u', '', 80))).toBeUndefined();
  expect(offersOf(key(typed(form, 'cou'), 'backspace'))).toEqual(['count', 'counted_twice']);
  expect(offersOf(key(typedInto(form, 'cou', '', 80), 'backspace'))).toBeUndefined();
  expect(offersOf(key(typed(form, 'co'), 'left'))).toBeUndefined();
  expect(offersOf(key(key(typed(form, 'c'), 'backspace'), 'backspace'))).toBeUndefined();
  expect(offersOf(focus(typed(form, 'co'), 1))).toBeUndefined();
  // What was taken may open a group, which is completed at once.
  const complete = (text: string, end: number) =>
    text === 'sum(' ? { start: end, end, items: [{ text: 'a' }] } : { start: 0, end, items: [{ text: 'sum(' }] };
  const opens = { check: () => [], complete };
  expect(offersOf(tookOffer(typed(queryForm('', opens), 's')))).toEqual(['a']);
  expect(offersOf(tookOffer(typed(form, 'co')))).toBeUndefined();
});

test('only a typed field takes text, and none while its form is sent or reviewed', () => {
  const fields = {
    name: textField('Name', ''),
    on: toggleField('On', false),
    query: queryField('Query', 'a\nb', none),
  };
  const form = formLayer('', fields, search);
  expect(typed({ ...form, busy: true }, 'x').lines).toBe(form.lines);
  expect(typed({ ...form, review: [] }, 'x').lines).toBe(form.lines);
  expect(typed(focus(form, 1), 'x').lines.on).toEqual(form.lines.on);
  expect(key(form, 'f5').lines.name).toEqual(form.lines.name);
  const query = focus(form, 2);
  expect(stepRow({ ...query, busy: true }, -1, 80).lines).toBe(query.lines);
  expect(stepRow(form, 1, 80)).toBe(form);
  expect(fieldEditor(stepRow(query, -1, 80), 'query').cursor).toBe(1);
  expect(stepRow(stepRow(query, -1, 80), -1, 80).focus).toBe(1);
  expect(offer({ ...query, busy: true }, undefined)).toMatchObject({ busy: true, lines: query.lines });
  expect(offer(form, undefined)).toBe(form);
  expect(nextDiagnostic(form)).toBe(form);
  expect(key(query, 'f5').lines.query?.text).toBe('a\nb');
});

test('a switch reads the words for on and off, and takes no other for either of them', () => {
  const read = (text: string) => toggleField('On', true).read(text);
  expect(['yes', 'no'].map(read)).toEqual([true, false].map((value) => ({ ok: true, value })));
  for (const text of ['true', 'Yes', '1', '']) expect(read(text).ok, text).toBe(false);
});

test('a field that is left says what is wrong with it, until it is right; a changed text has no error', () => {
  const fields = { rate: numberField('Rate', 5, { max: 9 }), name: textField('Name', '', { required: true }) };
  const left = focus(typed(formLayer('', fields, search), '0'), 1);
  expect(Object.keys(left.errors)).toEqual(['rate']);
  const back = focus({ ...left, leaving: true }, -1);
  expect([Object.keys(back.errors).sort(), back.focus, back.leaving]).toEqual([['name', 'rate'], 0, false]);
  expect(Object.keys(typed(back, '1').errors)).toEqual(['name']);
  expect(Object.keys(focus(key(back, 'backspace'), 1).errors)).toEqual(['name']);
  expect(typed({ ...back, leaving: true }, '1').leaving).toBe(false);
  expect(key({ ...back, leaving: true }, 'left')).toMatchObject({ errors: back.errors, leaving: false });
});

test('a choice that shows fields before it keeps the focus on itself', () => {
  const fields = {
    first: shownWhen(({ kind }) => kind === 'b', textField('First', '')),
    kind: choiceField('Kind', 'a', ['a', 'b']),
    more: { ...toggleField('More', false), aside: true as const },
    far: shownWhen(({ more }) => more === 'yes', textField('Far', '')),
  };
  const form = formLayer('', fields, search);
  expect([fieldNames(form)[form.focus], furtherFields(form, 'more')]).toEqual(['kind', 1]);
  const shown = option(form, 1);
  expect([shown.focus, fieldNames(shown)]).toEqual([1, ['first', 'kind', 'more']]);
  expect(option(shown, 1).focus).toBe(0);
});

test('a text on several lines has the width that the longest label leaves, with the mark of what is required', () => {
  const width = (fields: Fields, to: Form['for'] = search) => textWidth(formLayer('', fields, to), 130);
  const query = queryField('Query', '', none);
  const longer = queryField('A longer label', '', none);
  expect(width({ longer }) - width({ query })).toBe('Query'.length - 'A longer label'.length);
  expect(width({ query }) - width({ query: { ...query, required: true } })).toBe(2);
  expect(width({ query })).toBe(130 - 2 - 'Query'.length - 4 - 1 - 4);
  expect(width({ query }, forAction())).toBe(72 - 2 - 'Query'.length - 4 - 1 - 4);
});

test('a directory and the first line of a file are read once for each path; its columns are offered where they are asked for', async () => {
  const fields = {
    file: fileField('File', none, { limit: 1 }),
    key: { ...textField('Key', 'name'), columnsOf: 'file' },
    several: { ...textField('Several', 'gone, name'), columnsOf: 'file', severalColumns: true },
    words: textField('Words', '', { isPath: true }),
    name: textField('Name', '/d/a.csv'),
  };
  const asked: string[] = [];
  const files: LocalFiles = {
    async list(directory) {
      asked.push(directory);
      return directory === '/d/' ? ['a.csv', 'b.csv', 'sub/'] : [];
    },
    async header(path) {
      asked.push(`first line of ${path}`);
      return path === '/d/a.csv' ? { ok: true, value: ['id', 'name'] } : { ok: false, text: 'no CSV' };
    },
  };
  const begun = (given: LocalFiles | undefined, layers: State['layers'] = [formLayer('', fields, search)]) => {
    const held: { state: State } = { state: { ...emptyState(screens), layers } };
    const send = (message: Message) => {
      held.state = update(held.state, message, emptyWorld(screens, held.state)).state;
    };
    const follow = createPaths(given, send);
    const form = () => held.state.layers[0] as Form;
    /** What is read once this field has this text. */
    const reads = async (name: string, text: string) => {
      const lines = { ...form().lines, [name]: { text, cursor: 0 } };
      held.state = { ...held.state, layers: held.state.layers.with(0, { ...form(), lines }) };
      asked.length = 0;
      for (let turn = 0; turn < 3; turn += 1) {
        follow(held.state);
        await settled();
      }
      return [...asked];
    };
    return { held, send, form, reads };
  };
  const { held, send, form, reads } = begun(files);
  expect(await reads('file', '')).toEqual([]);
  expect(await reads('file', '/d/')).toEqual(['/d/']);
  expect(await reads('file', '/d/sub')).toEqual([]);
  expect(form().fields.key?.kind).toBe('text');
  expect(await reads('file', '/d/a.csv')).toEqual(['first line of /d/a.csv']);
  const options = ['id', 'name'].map((value) => ({ value, label: value }));
  expect(form().fields.key).toMatchObject({ kind: 'choice', options, initial: 'id' });
  expect(form().fields.several).toMatchObject({ kind: 'many', options, initial: '' });
  expect([fieldTexts(form()).key, fieldTexts(form()).several]).toEqual(['name', 'name']);
  expect(pathHint(form(), 'file')).toBe('2 columns: id, name');
  const semicolons = { path: '/d/a.csv', read: { ok: true as const, value: ['id;name'] } };
  const semicolonForm = { ...form(), paths: { file: { directory: '/d/', entries: [], header: semicolons } } };
  expect(pathHint(semicolonForm, 'file')).toBe('1 column: id;name (only commas separate columns)');
  expect(await reads('file', '/d/b.csv')).toEqual(['first line of /d/b.csv']);
  expect([pathHint(form(), 'file'), form().fields.key?.kind]).toEqual(['no CSV', 'choice']);
  // What is not there is looked for again once its text has changed.
  expect(await reads('file', '/d/c.csv')).toEqual(['/d/']);
  expect(await reads('file', '/d/c.csv')).toEqual([]);
  expect(await reads('file', '/d/sub/')).toEqual(['/d/sub/']);
  expect(await reads('words', '/d/a.csv')).toEqual(['/d/']);
  const late = {
    type: 'csvHeadRead',
    of: form().for,
    name: 'file',
    path: '/d/a.csv',
    read: { ok: true, value: ['late'] },
  };
  const before = form();
  send(late as Message);
  expect(form()).toBe(before);
  held.state = { ...held.state, layers: [{ ...before, for: { ...search } }] };
  send({ ...late, path: '/d/sub/' } as Message);
  expect(form().fields).toBe(before.fields);
  const other = { ...textField('Key', 'gone'), columnsOf: 'file' };
  const first = begun(files, [formLayer('', { ...fields, key: other, of: { ...other, columnsOf: 'words' } }, search)]);
  await first.reads('file', '/d/a.csv');
  expect([fieldTexts(first.form()).key, first.form().fields.of]).toEqual([
    'id',
    expect.objectContaining({ kind: 'text' }),
  ]);
  expect(await begun(undefined).reads('file', '/d/')).toEqual([]);
  const covered: State['layers'] = [formLayer('', fields, search), { kind: 'text', title: '', lines: [], top: 0 }];
  expect(await begun(files, covered).reads('file', '/d/')).toEqual([]);
});

test('the languages of a form are loaded once; why one cannot be loaded is told', async () => {
  const sent: Message[] = [];
  const follow = createLanguages((message) => sent.push(message));
  const language = smallLanguage();
  const fails = (why: unknown) => queryField('Query', '', () => Promise.reject(why));
  const form = formLayer(
    '',
    {
      good: queryField('Query', '', async () => language),
      bad: fails(new Error('not there')),
      odd: fails('gone'),
      name: textField('Name', ''),
    },
    search,
  );
  const layers: State['layers'] = [{ kind: 'text', title: '', lines: [], top: 0 }, form];
  for (const next of [layers, [...layers, focus(form, 1)]]) follow({ ...emptyState(screens), layers: next });
  await settled();
  const told = { type: 'languageRead', of: form.for };
  expect(sent).toEqual([
    { ...told, name: 'good', language },
    { ...told, name: 'bad', trouble: 'not there' },
    { ...told, name: 'odd', trouble: 'gone' },
  ]);
});

test('the request of a form has its method, its path and its body, and dots for what is secret', () => {
  const fields = {
    name: textField('Name', 'web'),
    rate: numberField('Rate', 5, { max: 9 }),
    key: textField('Key', 'fake-key', { secret: true }),
    none: textField('None', '', { secret: true }),
    file: { ...fileField('File', (text) => ({ ok: true, value: text }), { limit: 9 }), secret: true },
  };
  const body = { data: { attributes: { name: 'web', at: [null, 'x fake-key'], file: 'fake-file', count: 2 } } };
  const command = (sent: object) => ({ command: () => sent as never });
  const requested = (more: object, form: Partial<Form> = {}, context = contextOf()) =>
    previewRequest({ ...formLayer('', fields, forAction(more)), ...form }, context);
  const files = { file: { path: 'p', content: 'fake-file' } };
  const lines = requested(command(call(addThing, { body })), { files });
  expect(lines?.slice(0, 3)).toEqual(['POST /api/v2/things', '{', '  "data": {']);
  expect(JSON.parse(lines?.slice(1).join('') ?? '')).toEqual({
    data: { attributes: { name: 'web', at: [null, '••••'], file: '••••', count: 2 } },
  });
  const places = { thing_id: 'a' };
  const drops = { command: (row: { readonly id: string }) => call(dropThing, { thing_id: row.id }) as never };
  expect(requested(drops)).toEqual(['DELETE /api/v2/things/a']);
  const named = { ...dropThing, secrets: ['{thing_id}'] };
  expect(requested(command(call(named, places)))).toEqual(['DELETE /api/v2/things/(hidden)']);
  const secret = { ...setThing, secrets: ['data.attributes.secret'] };
  const set = call(secret, { ...places, body: { data: { attributes: { secret: 'x' } } } });
  expect(requested(command(set))?.join('')).toContain('"(hidden)"');
  expect(requested({ command: () => 'orgdeck things set' })).toBeUndefined();
  expect(requested({})).toBeUndefined();
  const wrong = { ...formLayer('', fields, search).lines, rate: { text: '10', cursor: 2 } };
  expect(requested(command(set), { lines: wrong })).toBeUndefined();
  expect(requested(command(set), { for: search })).toBeUndefined();
});

test('the form of a profile says what it is now, and refuses what it cannot be', () => {
  const texts = (now?: Readonly<Record<string, unknown>>) =>
    fieldTexts(formLayer('', profileFields(now), { kind: 'profile' }));
  expect(texts()).toMatchObject({
    ...{ name: '', production: 'no', readOnly: 'no', pollSeconds: '15', theme: 'shared', notify: 'shared' },
    ...{ mouse: 'shared', notifyPriority: '', notifyIssues: '', snapshot: 'yes', source: 'typed', fleet: 'no' },
  });
  const now = {
    name: 'p',
    production: true,
    readOnly: true,
    fleet: true,
    pollSeconds: 20,
    theme: 'light',
    notify: 'off',
  };
  const more = { mouse: false, notifyPriority: 1, notifyIssues: 5, snapshot: 'off', webUrl: 'https://w.test' };
  expect(texts({ ...now, ...more })).toMatchObject({
    ...{
      name: 'p',
      production: 'yes',
      readOnly: 'yes',
      fleet: 'yes',
      pollSeconds: '20',
      theme: 'light',
      notify: 'off',
    },
    ...{ mouse: 'off', notifyPriority: '1', notifyIssues: '5', snapshot: 'no', webUrl: 'https://w.test' },
  });
  expect(texts({ mouse: true }).mouse).toBe('on');
  const fields = profileFields();
  const refuses = (name: string, ...given: string[]) => given.map((text) => fields[name]?.read(text).ok);
  expect(refuses('pollSeconds', '9', '10', '300', '301', '10.5')).toEqual([false, true, true, false, false]);
  expect(refuses('notifyPriority', '0', '1', '5', '6', '1.5', '')).toEqual([false, true, true, false, false, true]);
  expect(refuses('notifyIssues', '-1', '0', '1.5')).toEqual([false, true, false]);
  expect(refuses('name', '', 'p')).toEqual([false, true]);
  expect(refuses('baseUrl', '', 'no', 'https://a.test')).toEqual([false, false, true]);
  expect(refuses('webUrl', '', 'no', 'https://a.test')).toEqual([true, false, true]);
  expect(refuses('apiKey', '', 'x').concat(refuses('appKey', '', 'x'))).toEqual([false, true, false, true]);
  expect(fields.vocabulary?.isPath).toBe(true);
  expect(fields.baseUrl?.required).toBe(true);
  expect(fields.baseUrl?.read('no')).toEqual({ ok: false, text: expect.any(String) });
  const secret = (source: string) => ['apiKey', 'appKey'].map((name) => isSecret(fields[name] ?? {}, { source }));
  expect(['typed', 'stored', 'env', 'file', 'command'].map(secret)).toEqual(
    [true, true, false, false, false].map((is) => [is, is]),
  );
  for (const field of Object.values(keyFields())) expect(field).toMatchObject({ secret: true, required: true });
});
