import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DetailLine, section, textLine } from '../../src/describe/column.ts';
import { layoutPage, pageAnchor, pageGap, pageTop } from '../../src/lib/detail-page.ts';
import { cells } from '../../src/lib/text.ts';
import { finder, matchesOn } from '../../src/lib/text-matches.ts';

const part = (id: string, count: number) =>
  section(
    id,
    id,
    Array.from({ length: count }, (_, at) => textLine(`${id}${at}`)),
  );
const ids = (page: ReturnType<typeof layoutPage>) => page.columns.map(({ sections }) => sections.map(({ id }) => id));

test('sections that fit are in one column; else in the fewest that show the short ones', () => {
  const parts = [part('a', 9), part('b', 9), part('c', 9)];
  expect(ids(layoutPage([...parts], 118, 34))).toEqual([['a', 'b', 'c']]);
  expect(ids(layoutPage([...parts], 118, 22))).toEqual([['a', 'b'], ['c']]);
  expect(ids(layoutPage([...parts], 78, 22))).toEqual([['a', 'b', 'c']]);
  expect(ids(layoutPage([...parts], 198, 12))).toEqual([['a'], ['b'], ['c']]);
});

test('a wide terminal shows a long column as two, though one has room', () => {
  const parts = [part('a', 9), part('b', 9), part('c', 9)];
  expect(ids(layoutPage([...parts], 148, 44))).toEqual([['a', 'b', 'c']]);
  expect(ids(layoutPage([...parts], 158, 44))).toEqual([['a', 'b'], ['c']]);
  // 24 lines are no long column, 25 are.
  expect(ids(layoutPage([part('a', 11), part('b', 10)], 158, 44))).toEqual([['a', 'b']]);
  expect(ids(layoutPage([part('a', 11), part('b', 11)], 158, 44))).toEqual([['a'], ['b']]);
});

test('columns beside each other are even where that hides nothing: none is empty beside a long one', () => {
  const parts = [part('a', 9), part('b', 9), part('c', 9), part('d', 4)];
  expect(ids(layoutPage([...parts], 118, 34))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  // 24 lines are too few for them.
  expect(ids(layoutPage([part('a', 9), part('b', 20), part('c', 22), part('d', 4)], 118, 34))).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('a page that two columns would only make longer stays one', () => {
  const long = section(
    'long',
    'long',
    Array.from({ length: 20 }, () => textLine('word '.repeat(30))),
  );
  expect(ids(layoutPage([part('a', 9), long], 158, 44))).toEqual([['a', 'long']]);
});

test('a long section hides no short one that has room beside it', () => {
  expect(ids(layoutPage([part('a', 3), part('long', 90), part('c', 9), part('d', 20)], 118, 34))).toEqual([
    ['a', 'long'],
    ['c', 'd'],
  ]);
});

test('what stands aside has the last of several columns, or what the page leaves of it, and hides nothing of the page', () => {
  const aside = [part('x', 9), part('none', 0), part('y', 9)];
  const page = [part('a', 9), part('b', 9), part('c', 9)];
  const lay = (width: number, rows: number, beside = aside) => layoutPage([...page], width, rows, beside);
  const lengths = (laid: ReturnType<typeof layoutPage>) => laid.columns.map(({ lines }) => lines.length);
  expect(ids(lay(118, 34))).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ]);
  // The page needs the last column, too: of what stands aside there is as much as fits above.
  expect(ids(lay(118, 24))).toEqual([
    ['a', 'b'],
    ['x', 'y', 'c'],
  ]);
  expect(lengths(lay(118, 24))).toEqual([21, 24]);
  expect(ids(lay(118, 13))).toEqual([
    ['a', 'b'],
    ['x', 'c'],
  ]);
  // A long column is shared out where that makes the page lower.
  expect(ids(lay(118, 34, [part('x', 4)]))).toEqual([
    ['a', 'b'],
    ['x', 'c'],
  ]);
  // A title alone is not worth its line.
  expect(ids(lay(118, 12))).toEqual([['a', 'b'], ['c']]);
  // A section of one line needs that line.
  const line = [section('x', '', [textLine('x')])];
  expect([11, 12].map((rows) => ids(lay(118, rows, line)).at(-1))).toEqual([['c'], ['x', 'c']]);
  expect(ids(lay(198, 12))).toEqual([['a'], ['b'], ['c']]);
  expect(ids(lay(198, 23))).toEqual([['a', 'b'], ['c'], ['x', 'y']]);
  // In one column there is no place beside the page.
  expect(ids(lay(78, 34))).toEqual([['a', 'b', 'c']]);
  expect(ids(lay(118, 34, []))).toEqual([['a', 'b', 'c']]);
});

test('what is wrapped in a section that stands aside is shown to its end, or not at all', () => {
  const issues = section('issues', 'issues', [
    textLine('first'),
    textLine('word '.repeat(20).trim()),
    textLine('last'),
  ]);
  const asideOf = (rows: number) => {
    const page = layoutPage([part('a', 9), part('b', 9)], 118, rows, [issues]);
    return page.columns.at(-1)?.lines.map((line) => line.map(({ text }) => text.slice(0, 5)).join(''));
  };
  expect(asideOf(15)?.slice(0, 5)).toEqual(['issue', 'first', 'word ', 'word ', '']);
  expect(asideOf(14)?.slice(0, 3)).toEqual(['issue', 'first', '']);
});

test('a section without lines is left out, with its title', () => {
  expect(ids(layoutPage([part('a', 2), part('b', 0)], 118, 34))).toEqual([['a']]);
});

test('long labels of a section are its own; shorter ones share a column', () => {
  const pairOf = (label: string): DetailLine => ({ kind: 'pair', label, value: 'x' });
  const of = (label: string) => section(label, '', [pairOf(label)]);
  const page = layoutPage([of('ID'), of('Last sign-in'), of('Case and Incident Management')], 78, 20);
  const said = page.columns.flatMap(({ lines }) => lines.map((line) => line.map(({ text }) => text).join('')));
  expect(said).toEqual(['ID            x', '', 'Last sign-in  x', '', 'Case and Incident Management  x']);
});

const lines = fc.array(fc.string({ maxLength: 80 }).map(textLine), { maxLength: 12 });
const sections = fc
  .array(lines, { minLength: 1, maxLength: 6 })
  .map((all) => all.map((lines, at) => section(`s${at}`, at === 0 ? '' : `S${at}`, lines)));

test('a page has every section once, in order and within its columns, and a place survives as an anchor', () => {
  fc.assert(
    fc.property(sections, fc.integer({ min: 40, max: 200 }), fc.integer({ min: 3, max: 40 }), (all, width, rows) => {
      const page = layoutPage(all, width, rows);
      expect(ids(page).flat()).toEqual(all.filter((one) => one.lines.length > 0).map((one) => one.id));
      expect(page.width * page.columns.length + pageGap * (page.columns.length - 1)).toBeLessThanOrEqual(width);
      for (const { lines } of page.columns)
        for (const line of lines)
          expect(line.reduce((sum, { text }) => sum + cells(text), 0)).toBeLessThanOrEqual(page.width);
      for (let line = 0; line <= page.height - rows; line += 1)
        expect(pageTop(page, pageAnchor(page, line), rows)).toBe(line);
    }),
  );
});

test('a match that is wrapped over lines has a spot on each', () => {
  const long: DetailLine = { kind: 'pair', label: 'query', value: `${'x'.repeat(30)}needle${'y'.repeat(30)} NEEDLE` };
  const page = layoutPage([section('q', '', [long, textLine('a needle')])], 40, 10);
  const found = matchesOn(page, 'needle').map((spots) =>
    spots.map(({ column, line, piece, start, end }) =>
      page.columns[column]?.lines[line]?.[piece]?.text.slice(start, end),
    ),
  );
  expect(found.map((parts) => parts.join('').toLowerCase())).toEqual(['needle', 'needle', 'needle']);
  expect(found[0]?.length).toBe(2);
});

test('what is searched for is no pattern, and no character is split', () => {
  expect(finder('.')('a.b axb')).toEqual([{ start: 1, end: 2 }]);
  expect(finder('[a]')('(a) [a]')).toEqual([{ start: 4, end: 7 }]);
  expect(finder('\ud83d')('😀')).toEqual([]);
  expect(finder('')('abc')).toEqual([]);
});
