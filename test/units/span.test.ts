import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areSame, keptLines, markedSpans, type Span, underCursor } from '../../components/span.ts';
import { createTheme } from '../../components/theme.ts';
import { paint } from '../../src/lib/paint.ts';

const flag = fc.constantFrom(undefined, true, false);
const span: fc.Arbitrary<Span> = fc.record({
  text: fc.constantFrom('', 'a', 'b'),
  tone: fc.constantFrom('plain', 'bad', undefined),
  inverse: flag,
  bold: flag,
  underline: flag,
  keep: flag,
}) as fc.Arbitrary<Span>;
const line = fc.array(span, { maxLength: 3 });

test('of lines drawn again those that are alike are the same arrays, each in its place', () => {
  const lineOf = (text: string): Span[] => [{ text: paint(text) }];
  const [pane, other] = [{}, {}];
  const first = ['a', 'b', 'c'].map(lineOf);
  expect(keptLines(pane, first)).toEqual(first);
  const second = ['a', 'x', 'c', 'd'].map(lineOf);
  const kept = keptLines(pane, second);
  expect(kept).toEqual(second);
  expect(kept.map((line, at) => line === first[at])).toEqual([true, false, true, false]);
  expect(keptLines(other, ['a'].map(lineOf))[0]).not.toBe(first[0]);
  expect(keptLines(pane, ['b', 'x'].map(lineOf)).map((line, at) => line === kept[at])).toEqual([false, true]);
});

test('lines are equal when text and style of every span are', () => {
  fc.assert(
    fc.property(line, line, (one, other) => {
      const textOf = (list: readonly Span[]) =>
        list.map(({ text, tone, inverse, bold, underline, keep }) =>
          [text, tone, inverse, bold, underline, keep].join(),
        );
      expect(areSame(one, other)).toBe(textOf(one).join('|') === textOf(other).join('|'));
      expect(areSame(one, structuredClone(one))).toBe(true);
    }),
  );
});

test('every member of a span is compared', () => {
  const whole: Required<Span> = {
    text: paint('a'),
    tone: 'plain',
    inverse: false,
    bold: false,
    underline: false,
    keep: false,
  };
  const others: Required<Span> = {
    text: paint('b'),
    tone: 'bad',
    inverse: true,
    bold: true,
    underline: true,
    keep: true,
  };
  for (const name of Object.keys(whole)) {
    expect(areSame([whole], [{ ...whole, [name]: others[name as keyof Span] }]), name).toBe(false);
  }
});

test.each(['dim', 'quiet', 'label'] as const)(
  'what a search has found is never %s: inverse, it could not be read',
  (tone) => {
    expect(markedSpans({ text: paint('Errors'), tone }, [{ start: 0, end: 5 }])).toEqual([
      { text: 'Error', tone: 'plain', bold: true, underline: true },
      { text: 's', tone },
    ]);
    expect(markedSpans({ text: paint('no'), tone: 'bad' }, [{ start: 0, end: 2 }])[0]?.tone).toBe('bad');
  },
);

test('the line under the cursor keeps the colour of its state, but not while an edit of it is pending', () => {
  const theme = createTheme({ name: 'default', noColor: false, ascii: false });
  const spans: Span[] = [
    { text: paint('>'), tone: 'info' },
    { text: paint('ALERT '), tone: 'bad' },
    { text: paint('name'), tone: 'strong' },
    { text: paint('2/2'), tone: 'bad' },
  ];
  const look = { inverse: true, bold: false };
  expect(underCursor(spans, theme, false)).toEqual([
    { text: '>', ...look },
    { text: 'ALERT', tone: 'bad', ...look },
    { text: ' name2/2', ...look },
  ]);
  expect(underCursor(spans, theme, true)).toEqual([{ text: '>ALERT name2/2', ...look }]);
});
