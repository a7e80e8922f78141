import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { hygieneList } from '../../screens/monitors/hygiene.ts';
import { paint } from '../../src/lib/paint.ts';
import { cells } from '../../src/lib/text.ts';
import { layoutColumns } from '../../src/scene/list-lines.ts';
import { mostCells } from '../../src/shell/list-block.ts';
import { runs } from '../support/runs.ts';

test('no painted text is wider than its units allow', () => {
  const letters = fc.oneof(
    fc.constantFrom(
      ...['a', '決', '주', '\u0301', '\u0e33', '\u200d', '\u202e', '\ud83d', '👩', '🔥', '🇩', '\uff9e', '\u1100'],
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const text = fc.string({ unit: letters, maxLength: 30 });
  fc.assert(
    fc.property(text, (given) => cells(paint(given)) <= mostCells(given)),
    { numRuns: runs(5000) },
  );
  expect(mostCells('plain')).toBe(5);
});

test('what the demo shows first asks for no tables of ICU', () => {
  const segmenter = vi.spyOn(Intl, 'Segmenter');
  for (const text of ['line one\nline two\r\n', 'Re\u0301gion (cafe\u0301)', '\u202egnp.exe\u202c \u200b', '\u001b[2J'])
    expect(cells(paint(text))).toBe(paint(text).length);
  expect(paint('Re\u0301gion')).toBe('Région');
  expect(paint('a\r\nb\u202e')).toBe('a␍␊b␦');
  expect(segmenter).not.toHaveBeenCalled();
});

test('in Hygiene names come before a few long reasons, and from 160 columns what to do does, too', () => {
  const { columns } = hygieneList;
  // As long as any text of theirs in the demo.
  const content: Readonly<Record<string, number>> = { name: 58, why: 70, mend: 48 };
  const shapes = columns.map((column) => ({ ...column, content: content[column.id] ?? column.min }));
  const widths = (width: number) =>
    Object.fromEntries(layoutColumns(shapes, width, 0).map((placed) => [columns[placed.index]?.id, placed.width]));
  expect(widths(115)).toMatchObject({ name: 52, why: 22 });
  expect(widths(155)).toMatchObject({ name: 52, why: 22, mend: 41 });
  expect(widths(225)).toMatchObject({ why: 70, mend: 48 });
});
