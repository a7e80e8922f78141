import { expect, test } from 'vitest';
import { createReadRows } from '../../src/terminal/frame/read-rows.ts';
import { createPalette, type FrameRow } from '../../src/terminal/frame/row.ts';

const none: ReadonlySet<FrameRow> = new Set();

test('a line that was read of late has its row still; the oldest gives its row to another line, unless it is in use', () => {
  const read = createReadRows(createPalette(), 8, 3);
  const [one, two, three] = ['one', 'two', 'three'].map((line) => read.of(line, none));
  expect(read.of('one', none)).toBe(one);
  expect(read.of('four', new Set([two as FrameRow]))).toBe(three);
  expect(three?.text).toBe('four    ');
  expect(read.of('two', none).text).toBe('two     ');
  expect(read.of('two', none)).toBe(two);
  read.forget();
  expect(read.of('one', none)).not.toBe(one);
});
