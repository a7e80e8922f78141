import fc from 'fast-check';
import { expect, test } from 'vitest';
import { following, numberField, queryField, shownWhen, textField, toggleField } from '../../src/describe/field.ts';
import { formLayer } from '../../src/session/change.ts';
import { judged } from '../../src/session/form/derived.ts';
import { editorOf, namesOf, textsOf } from '../../src/session/form/fields.ts';
import { option } from '../../src/session/form/form.ts';
import { differences } from '../../src/session/form/review.ts';
import { focus, nextFinding, offer, stepRow, tookOffer, typedInto } from '../../src/session/form/typing.ts';
import { smallLanguage } from '../support/test-screen.ts';

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
  return judged({ ...form, written: { query: { findings: [], language: smallLanguage() } } });
}

const typed = (form: Form, text: string) =>
  [...text].reduce((form, letter) => typedInto(form, letter, letter, 80), form);
const key = (form: Form, name: string) => typedInto(form, '', name, 80);
const textOf = (form: Form, name: string) => form.lines[name]?.text;

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
  fc.constantFrom(tookOffer, nextFinding, (form: Form) => option(form, 1)),
);

test('after any change of a form, diagnostics and suggestions are about its current texts', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let form = focus(opened(), -1);
      for (const one of steps) {
        form = one(form);
        const texts = textsOf(form);
        const { about, offers, findings } = form.written.query ?? { findings: [] };
        const { text, cursor } = editorOf(form, 'query');
        expect(form.focus).toBeGreaterThanOrEqual(0);
        expect(form.focus).toBeLessThan(namesOf(form).length);
        expect(about).toEqual(texts);
        expect(findings).toEqual(smallLanguage().check(text, texts));
        if (offers) {
          expect(namesOf(form)[form.focus]).toBe('query');
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
