import { expect, test } from 'vitest';
import { choiceField, following, numberField, queryField, textField } from '../../../src/describe/field.ts';
import { editorEffect, withEditorText } from '../../../src/session/form/typing.ts';
import { formLayer } from '../../../src/session/state/state-changes.ts';

const form = () =>
  formLayer('Edit', { name: textField('Name', 'checkout'), team: textField('Team', 'web') }, { kind: 'profile' });

const back = (text: string | undefined) =>
  withEditorText(form(), { type: 'editorDone', ...(text === undefined ? { problem: 'vi is gone' } : { text }) });
const texts = (form: ReturnType<typeof back>) =>
  Object.fromEntries(Object.entries(form.lines).map(([n, l]) => [n, l.text]));

test('a form goes to the editor as JSON and comes back as it was', () => {
  const given = editorEffect(form());
  expect(given).toMatchObject({ ask: 'edit', ending: '.json' });
  const text = given.ask === 'edit' ? given.text : '';
  expect(JSON.parse(text)).toEqual({ name: 'checkout', team: 'web' });
  expect(texts(back(text))).toEqual({ name: 'checkout', team: 'web' });
});

test('changed texts are used, and the form counts as touched', () => {
  const after = back('{"name": "search"}');
  expect(texts(after)).toEqual({ name: 'search', team: 'web' });
  expect(after).toMatchObject({ touched: true, problem: undefined });
});

const languageOf = async () => ({ check: () => [], complete: () => undefined });

test('a text on several lines goes to the editor by itself, and the line break that editors end a file with is taken off', () => {
  const begun = formLayer('Edit', { query: queryField('Query', 'a\nb', languageOf) }, { kind: 'profile' });
  const opened = { ...begun, errors: { query: 'wrong' }, problem: 'old' };
  expect(editorEffect(opened)).toMatchObject({ ask: 'edit', text: 'a\nb\n', ending: '.txt', name: 'query' });
  const edited = (text: string, of = opened) => withEditorText(of, { type: 'editorDone', text, name: 'query' });
  expect(edited('a\nb\r\n')).toEqual({ ...opened, problem: undefined });
  const after = edited('c\n\n');
  expect(after).toMatchObject({ errors: {}, problem: undefined, touched: true });
  expect(after.lines.query).toMatchObject({ text: 'c\n', past: [{ text: 'a\nb' }] });
  expect(withEditorText(opened, { type: 'editorDone', text: '{"query": "d"}' }).lines.query).toMatchObject({
    text: 'd',
    past: [{ text: 'a\nb' }],
  });
});

test('as JSON an option has the word that a person writes for it, and what was written follows no more', () => {
  const fields = {
    kind: choiceField('Kind', 'm', [
      { value: 'm', label: 'Metric', word: 'metric' },
      { value: 'l', label: 'Logs' },
    ]),
    name: following(({ kind = '' }) => `a ${kind}`, textField('Name', '')),
    rate: numberField('Rate', 5),
  };
  const errors = { name: 'old', rate: 'wrong' };
  const begun: ReturnType<typeof formLayer> = { ...formLayer('Edit', fields, { kind: 'profile' }), errors };
  const given = editorEffect(begun);
  expect(given.ask === 'edit' && JSON.parse(given.text)).toEqual({ kind: 'metric', name: 'a m', rate: '5' });
  const back = (text: string, of = begun) => withEditorText(of, { type: 'editorDone', text });
  const same = back('{"kind": "metric", "name": "a m", "rate": "5"}');
  expect([texts(same), same.own, same.errors]).toEqual([texts(begun), [], errors]);
  const changed = back('{"kind": "l", "rate": 7}');
  expect(texts(changed)).toEqual({ kind: 'l', name: 'a l', rate: '7' });
  // The text that follows is another one now, and has no error any more.
  expect(changed).toMatchObject({ errors: {}, own: [] });
  const own = back('{"name": "mine"}');
  expect([own.own, own.errors, texts(back('{"kind": "l", "name": "yours"}', own))]).toEqual([
    ['name'],
    { rate: 'wrong' },
    { kind: 'l', name: 'yours', rate: '5' },
  ]);
  expect(back('{"kind": "metric"}').lines.kind?.text).toBe('m');
  expect(back('null').problem).toContain('not a JSON object');
});

test('where fields have come or gone, the focus stays on its own, or goes to the first', () => {
  const more = { shown: ({ kind }: Readonly<Record<string, string>>) => kind === 'x' };
  const fields = {
    kind: textField('Kind', 'x'),
    extra: { ...textField('Extra', ''), ...more },
    name: textField('Name', ''),
  };
  const focusOf = (focus: number) =>
    withEditorText({ ...formLayer('', fields, { kind: 'view' }), focus }, { type: 'editorDone', text: '{"kind": "y"}' })
      .focus;
  expect([focusOf(2), focusOf(1)]).toEqual([1, 0]);
});

test.each([
  ['{"name": "search", "color": "red"}', 'color is not a field of this form; nothing was changed'],
  ['["search"]', 'the text is not a JSON object; nothing was changed'],
  ['{"name": ', 'the text is not JSON (Unexpected end'],
  [undefined, 'Not edited: vi is gone'],
])('the text %s changes nothing and the form says why', (text, problem) => {
  const after = back(text);
  expect(after.problem).toContain(problem);
  expect(texts(after)).toEqual({ name: 'checkout', team: 'web' });
});
