import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { keyHeaders } from '../../src/api/secrets.ts';
import { parseExact } from '../../src/lib/json.ts';
import {
  countValues,
  type JsonLimits,
  jsonLimits,
  longJson,
  parseInSlices,
  runAtOnce,
  runInSlices,
} from '../../src/lib/slices.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { runs } from '../support/runs.ts';
import { upTo } from '../support/sweeps.ts';

const tiny: JsonLimits = { ...jsonLimits, piece: 6 };
const parse = (text: string, limits: Partial<JsonLimits> = {}) =>
  runAtOnce(parseInSlices(Buffer.from(text), { ...tiny, ...limits }));
const whole = (text: string) => {
  try {
    return { kind: 'json', value: parseExact(text) };
  } catch {
    return { kind: 'broken' };
  }
};
/** The number of pauses while reading. */
function pauses(text: string, limits?: JsonLimits): number {
  const work = parseInSlices(Buffer.from(text), limits);
  let count = 0;
  while (!work.next().done) count++;
  return count;
}

test('valid JSON is parsed alike in pieces and as a whole', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 2, max: 40 }), fc.nat(4), (text, piece, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      for (const one of [text, spaced, ` ${spaced}\n`]) expect(parse(one, { piece })).toEqual(whole(one));
    }),
    { numRuns: runs(1000), seed: 3 },
  );
});

test('invalid JSON is refused alike in pieces and as a whole', () => {
  const bits = fc.constantFrom(
    ...['[', ']', '{', '}', ',', ':', '"a"', '"\\""', '1', ' ', 'null', '"long text"', '[1,2,3,4]', '{"a":1}'],
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 14 }), fc.integer({ min: 1, max: 12 }), (parts, piece) => {
      const text = parts.join('');
      expect(parse(text, { piece })).toEqual(whole(text));
    }),
    { numRuns: runs(5000), seed: 5 },
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.nat(), bits, (text, at, bit) => {
      const spoiled = text.slice(0, at % (text.length + 1)) + bit + text.slice((at % (text.length + 1)) + 1);
      expect(parse(spoiled)).toEqual(whole(spoiled));
    }),
    { numRuns: runs(3000), seed: 7 },
  );
});

test('long integers stay exact in every piece, and no member becomes a prototype', () => {
  const ids = Array.from({ length: 50 }, (_, nth) => `{"id":${9223372036854775000n + BigInt(nth)}}`);
  expect(parse(`{"data":[${ids.join(',')}]}`)).toEqual({
    kind: 'json',
    value: { data: ids.map((_, nth) => ({ id: 9223372036854775000n + BigInt(nth) })) },
  });
  const hostile = parse('{"__proto__":{"admin":[1,2,3,4,5,6]},"a":[1,2,3,4,5,6]}');
  expect(hostile).toEqual({ kind: 'json', value: { a: [1, 2, 3, 4, 5, 6] } });
});

test('the end of a list is told before the others are parsed', () => {
  const told: unknown[] = [];
  const tells = (text: string) => {
    const work = parseInSlices(Buffer.from(text), jsonLimits, (count, last) => told.push([count, last.trim()]));
    return runAtOnce(work).kind;
  };
  expect(tells(' [{"id":1,"a":[{"id":5},2]}, {"id":"],","b":[3,4]} ]\n')).toBe('json');
  expect(told).toEqual([[2, '{"id":"],","b":[3,4]}']]);
  for (const text of ['[]', '[{"id":1}]', '[{"id":1},{"id":2}', `[1,"${'x'.repeat(jsonLimits.piece)}"]`]) tells(text);
  expect(told).toHaveLength(1);
});

test('values are counted before any is built; one more than the limit is refused', () => {
  const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
  expect(parse(zeros(99), { values: 100 }).kind).toBe('json');
  expect(parse(zeros(100), { values: 100 }).kind).toBe('tooMuch');
  expect(parse(`[${zeros(60)},${zeros(60)}]`, { values: 100 }).kind).toBe('tooMuch');
  expect(parse(JSON.stringify(zeros(500)), { values: 100 }).kind).toBe('json');
  expect(parse(zeros(jsonLimits.values + 1), { piece: jsonLimits.piece }).kind).toBe('tooMuch');
});

test('a string, a number or white space over the limit is refused', () => {
  for (const token of [`"${'x'.repeat(200)}"`, `"${'\\"'.repeat(200)}"`, '9'.repeat(200), ' '.repeat(200)])
    for (const text of [`[1,${token},2]`, `{"a":${token}}`, `[${token}`])
      expect(parse(text, { token: 100 }).kind, text.slice(0, 20)).toBe('tooMuch');
  expect(parse(`{"${'k'.repeat(200)}":1}`, { token: 100 }).kind).toBe('tooMuch');
  // The most signs that fit: with what stands around them they are no longer than the limit.
  const mostOf = (before: string, sign: string, after: string) =>
    upTo(90, 110).findLast((count) => parse(before + sign.repeat(count) + after, { token: 100 }).kind !== 'tooMuch');
  const [number, space] = [mostOf('[1,', '9', ',2]'), mostOf('[1', ' ', ']')];
  expect([mostOf('[1,"', 'x', '"]'), number, space, mostOf('[1]', ' ', ''), mostOf('', ' ', '[1]')]).toEqual([
    ...[99, 99, 98, 99, 100],
  ]);
});

test('64 levels are read, 65 are not', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect([parse(nested(64)).kind, parse(nested(65)).kind]).toEqual(['json', 'broken']);
});

test('a long text is parsed with many pauses', () => {
  const row = JSON.stringify({ id: 1, message: 'x'.repeat(1000) });
  const rows = `[${Array(2000).fill(row).join(',')}]`;
  expect(pauses(rows)).toBeGreaterThan(25);
  expect(pauses(`{"data":${rows}}`)).toBeGreaterThan(25);
  expect(pauses(JSON.stringify(Array(20).fill('\\"'.repeat(100_000))))).toBeGreaterThan(60);
});

test('other tasks run between two slices', async () => {
  const seen: string[] = [];
  const work = (function* () {
    for (const step of ['a', 'b', 'c']) {
      seen.push(step);
      yield;
    }
    return 'end';
  })();
  const result = runInSlices(work);
  setImmediate(() => seen.push('a key'));
  expect(await result).toBe('end');
  expect(seen.indexOf('a key')).toBeLessThan(seen.indexOf('c'));
});

test('values are counted at every depth, up to the limit', () => {
  expect(countValues({ a: [1, 2, { b: null }], c: 'x' })).toBe(7);
  expect(countValues(Array(1_000_000).fill(0), 10)).toBe(11);
});

test('the list that the demo shows first is parsed without a pause', async () => {
  const simulator = createSimulator({ seed: 2026 });
  const { url, apiKey, appKey } = await simulator.start();
  onTestFinished(() => simulator.stop());
  const headers = { [keyHeaders.apiKey]: apiKey, [keyHeaders.appKey]: appKey };
  const query = 'group_states=all&with_downtimes=true&id_offset=0&page_size=1000';
  const text = await (await fetch(`${url}/api/v1/monitor?${query}`, { headers })).text();
  const bytes = Buffer.byteLength(text);
  expect(bytes).toBeGreaterThan(400_000);
  expect(bytes).toBeLessThan(longJson);
});
