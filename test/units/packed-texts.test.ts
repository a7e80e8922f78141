import { expect, test } from 'vitest';
import { PackedTexts } from '../../screens/monitors/packed-texts.ts';

const queries = Array.from({ length: 5000 }, (_, at) => `avg(last_5m):avg:system.load.1{host:web-${at}} > ${at % 9}`);

test('packed texts are what they were in any order, of more bundles than stay unpacked', () => {
  const packed = new PackedTexts(queries);
  const places = queries.map((_, at) => (at * 1777) % queries.length);
  expect(places.map((at) => packed.at(at))).toEqual(places.map((at) => queries[at]));
  expect(queries.map((_, at) => packed.at(at))).toEqual(queries);
});

test('packed texts may be empty, longer than a bundle, of any script and half of a surrogate pair', () => {
  for (const texts of [
    [],
    ['', '', 'a', ''],
    ['ü', 'x'.repeat(100_000), '', '漢字 🙂', 'b'],
    ['a\ud83d', '🙂', '\udc00b'],
  ]) {
    const packed = new PackedTexts(texts);
    expect(texts.map((_, at) => packed.at(at))).toEqual(texts);
  }
});

test('packed texts take a fifth of their bytes, outside the heap', () => {
  expect(new PackedTexts(queries).bytes).toBeLessThan(queries.join('').length / 5);
});
