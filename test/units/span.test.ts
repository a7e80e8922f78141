import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areSame, type Span } from '../../components/span.ts';
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
