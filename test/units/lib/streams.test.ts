import { expect, test } from 'vitest';
import { streamLines, streamPieces, streamText } from '../../../src/lib/streams.ts';

const bytes = Buffer.from('\ufeffone\r\n\nfünf値\nsechs', 'utf8');

/** A stream in pieces of so many bytes. */
async function* piecesOf(size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

test('lines of a stream are whole wherever it is cut, and none is longer than allowed', async () => {
  for (let size = 1; size <= bytes.length; size += 1) {
    const lines = async (longest: number) => (await all(streamLines(piecesOf(size), longest))).flat();
    expect(await lines(8), `${size}`).toEqual(['one', '', 'fünf値', 'sechs']);
    expect(await lines(7), `${size}`).toEqual(['one', '', undefined, 'sechs']);
    expect(await streamText(piecesOf(size), bytes.length)).toBe('one\r\n\nfünf値\nsechs');
    expect(await streamText(piecesOf(size), bytes.length - 1)).toBeUndefined();
    expect(await streamPieces(piecesOf(size), bytes.length)).toHaveLength(Math.ceil(bytes.length / size));
  }
});

test('each piece gives its lines at once, and one without a line end gives none', async () => {
  const groups = await all(streamLines(piecesOf(9), 99));
  expect(groups).toEqual([['one', ''], ['fünf値'], ['sechs']]);
});
