import { expect, test } from 'vitest';
import { PackedTexts } from '../../src/lib/packed-texts.ts';

test('packed texts are what they were in any order, of more bundles than stay unpacked', () => {
  const rows = Array.from({ length: 5000 }, (_, at) => [
    `name ${at} größer`,
    at % 7 === 0 ? '' : `query \ud800 "${at}"\n`,
  ]);
  const texts = new PackedTexts(rows.flat(), 2);
  for (const step of [1, 37, 999])
    for (let at = 0; at < rows.length; at += 1) {
      const row = (at * step) % rows.length;
      expect([texts.at(row, 0), texts.at(row, 1)]).toEqual(rows[row]);
    }
  expect(new PackedTexts(['only'], 1).at(0, 0)).toBe('only');
});
