import { expect, test } from 'vitest';
import { textField } from '../../../src/describe/field.ts';
import { formLayer } from '../../../src/session/change.ts';
import { editorEffect, withEditorText } from '../../../src/session/form/external.ts';

const form = () =>
  formLayer('Edit', { name: textField('Name', 'checkout'), team: textField('Team', 'web') }, { kind: 'profile' });

const back = (text: string | undefined) => withEditorText(form(), { do: 'edited', text });
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

test.each([
  ['{"name": "search", "colour": "red"}', 'colour is not a field of this form; nothing was changed'],
  ['["search"]', 'the text is not a JSON object; nothing was changed'],
  ['{"name": ', 'nothing was changed'],
  [undefined, 'The editor failed; nothing was changed'],
])('the text %s changes nothing and the form says why', (text, problem) => {
  const after = back(text);
  expect(after.problem).toContain(problem);
  expect(texts(after)).toEqual({ name: 'checkout', team: 'web' });
});
