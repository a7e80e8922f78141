import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact, stringifyExact } from '../../src/lib/json.ts';
import { readJsonLines } from '../../src/lib/json-lines.ts';
import { runs } from '../support/runs.ts';

test('whole numbers beyond 2^53 keep every digit, both ways', () => {
  const text = '{"id":9223372036854775807,"small":5,"edge":9007199254740991,"minus":-9007199254740993}';
  const value = parseExact(text) as Record<string, unknown>;
  expect(value).toEqual({ id: 9223372036854775807n, small: 5, edge: 9007199254740991, minus: -9007199254740993n });
  expect(stringifyExact(value)).toBe(text);
});

test('fractions and exponents are numbers; digits in a string stay a string', () => {
  const text = '[0.1234567890123456789, 1e20, 123456789012345678901.5, "12345678901234567890"]';
  expect(parseExact(text)).toEqual(JSON.parse(text));
});

test('a number of thousands of digits is read as a number, without delay', () => {
  expect(parseExact(`[${'9'.repeat(5000)}]`)).toEqual([Number.POSITIVE_INFINITY]);
});

test.each(['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{"admin":true},"a":1}'])(
  'a member that would become a prototype is dropped: %s',
  (text) => {
    const value = parseExact(text) as object;
    expect(Object.keys(value)).toEqual(['a']);
    expect(Object.assign({}, value)).not.toHaveProperty('admin');
  },
);

test('64 levels are read, 65 are refused; brackets in strings do not count', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(() => parseExact(nested(64))).not.toThrow();
  expect(() => parseExact(nested(65))).toThrow(SyntaxError);
  expect(() => parseExact(nested(1_000_000))).toThrow(SyntaxError);
  expect(parseExact(JSON.stringify('['.repeat(500)))).toBe('['.repeat(500));
  expect(parseExact(JSON.stringify(`\\"${'['.repeat(500)}\\\\`))).toBe(`\\"${'['.repeat(500)}\\\\`);
});

test('what a person wrote is read as deep, and refused with the twenty letters before which something is missing', () => {
  const nested = (levels: number) => readJsonLines(`${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`);
  expect([nested(64).ok, nested(66)]).toMatchObject([true, { text: 'nested deeper than 64' }]);
  expect(readJsonLines(`[1 ${'x'.repeat(30)}]`)).toMatchObject({
    ...{
      line: 1,
      column: 4,
      text: `a comma or ] is missing before ${'x'.repeat(20)}`,
      missing: 'a comma or ] is missing',
    },
  });
});

test.each(['', '<html>', '{"a":', 'undefined', '{"key":"hunter2secret"'])(
  'invalid JSON is a SyntaxError that repeats none of it: %s',
  (text) => {
    try {
      parseExact(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
      expect(String(error)).not.toContain('hunter2');
    }
  },
);

test('any JSON value is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      const plain = JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
      const exact = JSON.parse(stringifyExact(parseExact(text)));
      expect(exact).toEqual(plain);
    }),
    { numRuns: runs(300), seed: 7 },
  );
});

test('a number of more digits than a double has is exact wherever it stands', () => {
  expect(parseExact('9007199254740993')).toBe(9007199254740993n);
  const [least, text] = [9007199254740993n, '123456789012345 1234567890'];
  for (let at = 0; at < 40; at += 1) {
    expect(parseExact(`${' '.repeat(at)}[${least}]`)).toEqual([least]);
    expect(parseExact(`${' '.repeat(at)}["${text}",${least}]`)).toEqual([text, least]);
  }
});
