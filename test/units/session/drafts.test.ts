import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { type AnyAction, action } from '../../../src/describe/action.ts';
import { type Fields, fileField, manyField, textField, toggleField } from '../../../src/describe/field.ts';
import {
  draftFor,
  draftKey,
  keptLabels,
  resumedDraft,
  unkeptLabels,
  withDrafts,
} from '../../../src/session/form/drafts.ts';
import { formSpeech } from '../../../src/session/form/form-speech.ts';
import { typedInto } from '../../../src/session/form/typing.ts';
import { fieldTexts } from '../../../src/session/state/form-layer.ts';
import { initial, type State } from '../../../src/session/state/state.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';
import { emptyWorld } from '../../support/empty-world.ts';
import { contextOf } from '../../support/plans.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22);
const screens = [{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }];
const empty = initial(screens, { columns: 100, rows: 30 });

const formOf = (fields: Fields, id = 'retention.edit', settings?: AnyAction['settings']) => {
  const edit = {
    ...action({ id, key: 'e', title: 'edit', help: '', uses: [], send: () => ({}) as never, done: () => '' }),
    ...(settings && { settings }),
  };
  return formLayer('', fields, { kind: 'action', pending: { action: edit, list: filterList, rows: [] } });
};
type Form = ReturnType<typeof formOf>;

/** The state after this form took the place of an untouched one. */
const after = (form: Form, state: State = empty, at = now): State =>
  withDrafts(state, { ...state, layers: [form] }, at);
const withName = (initialName: string) => formOf({ name: textField('name', initialName) });
const typed = (form: Form, text: string) => typedInto(form, text, '', 80);

test('a draft is kept for 14 days, and only the 50 newest are', () => {
  const old = { at: now - 14 * day, texts: {} };
  const young = { at: now - 14 * day + 1, texts: {} };
  const form = typed(withName(''), 'x');
  const aged = after(form, { ...empty, drafts: { old, young } });
  expect(Object.keys(aged.drafts)).toEqual(['retention.edit', 'young']);
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`d${at}`, { at: now - 60 + at, texts: {} }]));
  const { drafts } = after(form, { ...empty, drafts: many });
  expect(Object.keys(drafts)).toHaveLength(50);
  expect(Object.keys(drafts).slice(0, 2)).toEqual(['retention.edit', 'd59']);
  expect(drafts.d10).toBeUndefined();
});

test('a form without changes has no draft, and one that offers its draft does not write over it', () => {
  const form = typed(withName('a'), 'b');
  const kept = after(form);
  expect(kept.drafts['retention.edit']?.texts).toEqual({ name: { text: 'ab', from: 'a' } });
  const back = typedInto(form, '', 'backspace', 80);
  expect(after(back, kept).drafts).toEqual({});
  const offered = { ...typed(withName('a'), 'c'), draft: { at: 0, texts: {} } };
  expect(after(offered, kept).drafts).toBe(kept.drafts);
});

test('what only shows more fields is nothing to keep', () => {
  const more = { ...toggleField('more', false), aside: true as const };
  const form = formOf({ name: textField('name', ''), more });
  const opened = { ...form, touched: true, lines: { ...form.lines, more: { text: 'yes', cursor: 0 } } };
  expect(after(opened).drafts).toEqual({});
  expect(unkeptLabels(opened)).toEqual([]);
});

test('a secret is kept in no draft, whether it is one now or may become one', () => {
  const fields = {
    name: textField('name', ''),
    always: textField('always', '', { secret: true }),
    sometimes: textField('sometimes', '', { secret: ({ name }) => name === 'secret' }),
    untold: textField('untold', ''),
  };
  const settings = { untold: { label: 'untold', writeOnly: true } } as unknown as AnyAction['settings'];
  const form = formOf(fields, 'retention.edit', settings);
  const lines = Object.fromEntries(Object.keys(fields).map((name) => [name, { text: `${name}!`, cursor: 0 }]));
  const filled = { ...form, touched: true, lines };
  expect(keptLabels(filled)).toEqual(['name']);
  expect(unkeptLabels(filled)).toEqual(['always', 'sometimes', 'untold']);
  expect(JSON.stringify(after(filled).drafts)).not.toMatch(/always!|sometimes!|untold!/);
});

test('a form that was only opened leaves its draft; what was picked first has drafts of its own', () => {
  const form = withName('');
  const drafts = { 'retention.edit': { at: now, texts: { name: { text: 'x', from: '' } } } };
  expect(after(form, { ...empty, drafts }).drafts).toEqual(drafts);
  const resumed = resumedDraft({ ...form, draft: drafts['retention.edit'] });
  expect([resumed.touched, keptLabels(resumed)]).toEqual([true, ['name']]);
  const { pending } = form.for as Extract<typeof form.for, { kind: 'action' }>;
  const picked = (value?: unknown) => draftKey({ for: { kind: 'action', pending: { ...pending, picked: value } } });
  expect([picked(), picked('a'), picked({ id: 1 })]).toEqual([
    ...['retention.edit', 'retention.edit  "a"', 'retention.edit  {"id":1}'],
  ]);
});

test('a draft is offered to the form of the same action and row, where it has a field of it', () => {
  const state = after(typed(withName(''), 'x'));
  expect(draftFor(state, withName(''))?.texts).toEqual({ name: { text: 'x', from: '' } });
  expect(draftFor(state, formOf({ other: textField('other', '') }))).toBeUndefined();
  expect(draftFor(state, formOf({ name: textField('name', '') }, 'retention.create'))).toBeUndefined();
  expect(draftKey(formLayer('', {}, { kind: 'search', list: 'retention' }))).toBeUndefined();
});

test('the day and the age of a draft are heard, too', () => {
  const offered = { ...withName(''), draft: { at: now - 3 * day, texts: {} } };
  const { title } = formSpeech(offered, emptyWorld(screens, empty, { context: contextOf({ now }) }));
  expect(title).toContain('There is a draft of 2026-11-19 00:00 UTC, 3d old. Enter');
});

test('what leaving would lose, and what a review adds and removes, is heard', () => {
  const heard = (form: Form) => formSpeech(form, emptyWorld(screens, empty));
  const search = formLayer('', { name: textField('Name', '') }, { kind: 'view' });
  const lost = typedInto({ ...search, leaving: true }, 'x', '', 80);
  expect(heard({ ...lost, leaving: true }).remarks?.map(({ text }) => text)).toContain(
    'Warning: Esc again closes, loses Name',
  );
  const side = (sign: '-' | '+' | ' ', text: string) => ({ sign, text });
  const review = [
    { label: 'Query', several: true, parts: [side('-', ''), side(' ', 'a'), side('+', 'b')] },
    { label: 'Name', parts: [side('-', ''), side('+', 'x')] },
  ];
  const { title } = heard({ ...withName(''), review });
  expect(title).toContain('Query: removes an empty line, adds b');
  expect(title).toContain('Name: from nothing to x');
});

test.each([
  ['/d/own', 0, ['Tab completes: owners.csv  owns.csv']],
  ['/d/owners.csv', 0, ['1 column: id']],
  ['/d/none', 0, ['Error in File: no such file']],
  ['/d/own', 1, ['Error in File: no such file']],
  ['/d/owners.csv', 1, []],
])('what is known of the path %s is heard, with the focus on field %i', (text, focus, heard) => {
  const form = formOf({ file: fileField('File', () => ({}) as never, { limit: 1 }), other: textField('Other', '') });
  const header = { path: '/d/owners.csv', read: { ok: true as const, value: ['id'] } };
  const paths = { file: { directory: '/d/', entries: ['owners.csv', 'owns.csv', 'sub/'], header } };
  const at = { ...form, focus, paths, lines: { ...form.lines, file: { text, cursor: text.length } } };
  const { remarks = [] } = formSpeech(at, emptyWorld(screens, empty, { context: contextOf({ now }) }));
  const said = remarks.filter(({ about }) => about === 'path' || about === 'error file').map((remark) => remark.text);
  expect(said.filter((words) => words !== '')).toEqual(heard);
});

/** The form with a draft of its `name`, resumed over what is there now. */
const resumed = (from: string, text: string, there: string) =>
  resumedDraft({ ...withName(there), draft: { at: 0, texts: { name: { from, text } } } });

test('a resumed text that others changed too is marked, one that they changed to the same is not', () => {
  expect(resumed('a', 'b', 'a').errors).toEqual({});
  expect(fieldTexts(resumed('a', 'b', 'c'))).toEqual({ name: 'b' });
  expect(resumed('a', 'b', 'c').errors.name).toBe('changed by others since, from "a" to "c": this is your draft');
  expect(resumed('a', 'b', 'b').errors).toEqual({});
});

test('a resumed set keeps what others added and removed', () => {
  const options = ['a', 'b', 'c', 'd'];
  const form = formOf({ tags: manyField('tags', ['a', 'd'], options) });
  // From a,b a person made b,c; meanwhile others took b away and added d.
  const draft = { at: 0, texts: { tags: { from: 'a,b', text: 'b,c' } } };
  const set = resumedDraft({ ...form, draft });
  expect(fieldTexts(set).tags?.split(',').sort()).toEqual(['c', 'd']);
  expect(set.errors).toEqual({});
});

test('names of what was picked come with the draft, newer ones first', () => {
  const field = { ...textField('role', ''), kind: 'pick' as const, labels: { r1: 'new name' } };
  const form = formOf({ role: field });
  const draft = { at: 0, texts: { role: { from: '', text: 'r1' } }, labels: { role: { r1: 'old name', r2: 'other' } } };
  expect(resumedDraft({ ...form, draft }).labels.role).toEqual({ r1: 'new name', r2: 'other' });
});

test('a draft says what it keeps; labels are kept where there are some, and the changed text is quoted short', () => {
  const field = { ...textField('role', ''), kind: 'pick' as const, labels: { r1: 'Admin' } };
  const form = formOf({ name: textField('name', ''), role: field });
  const set = { ...form.lines, role: { text: 'r1', cursor: 0 } };
  expect(after({ ...form, touched: true, lines: set }).drafts['retention.edit']).toEqual({
    at: now,
    texts: { role: { text: 'r1', from: '' } },
    labels: { role: { r1: 'Admin' } },
  });
  const plain = { ...typed(withName(''), 'x'), labels: {} };
  expect(after(plain).drafts['retention.edit']).toEqual({ at: now, texts: { name: { text: 'x', from: '' } } });
  const [just, over] = ['y'.repeat(60), 'y'.repeat(61)];
  expect(resumed(just, 'x', over).errors.name).toBe(
    `changed by others since, from "${just}" to "${'y'.repeat(59)}…": this is your draft`,
  );
});

test('nothing is kept of an untouched form, nor of one without a name', () => {
  const form = withName('a');
  const written = { ...form, lines: { name: { text: 'b', cursor: 1 } } };
  expect(keptLabels(written)).toEqual([]);
  expect(keptLabels({ ...written, touched: true })).toEqual(['name']);
  expect(keptLabels({ ...written, touched: true, for: { kind: 'search', list: 'retention' } })).toEqual([]);
  expect(unkeptLabels({ ...written, for: { kind: 'search', list: 'retention' } })).toEqual(['name']);
  expect(unkeptLabels({ ...form, for: { kind: 'search', list: 'retention' } })).toEqual([]);
});

test('a field that is never secret is kept; one that has gone from the form is left out of the resumed draft', () => {
  const form = formOf({ name: textField('name', '', { secret: false }), key: textField('key', '', { secret: true }) });
  const lines = { name: { text: 'n', cursor: 0 }, key: { text: 'k', cursor: 0 } };
  expect(keptLabels({ ...form, touched: true, lines })).toEqual(['name']);
  const draft = {
    at: 0,
    texts: { name: { from: '', text: 'n' }, key: { from: '', text: 'k' }, gone: { from: '', text: 'g' } },
  };
  expect(fieldTexts(resumedDraft({ ...form, draft }))).toEqual({ name: 'n', key: '' });
});

test('a field that followed others and was written into follows no more when its draft is resumed', () => {
  const fields = { team: textField('team', ''), name: { ...textField('name', ''), follows: () => 'made' } };
  const draft = { at: 0, texts: { team: { from: '', text: 'x' }, name: { from: '', text: 'mine' } } };
  const form = resumedDraft({ ...formOf(fields), draft });
  expect(form.own).toEqual(['name']);
  expect(fieldTexts(typedInto(form, 'y', 'y', 80))).toEqual({ team: 'xy', name: 'mine' });
});
