import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { hygieneList } from '../../screens/monitors/hygiene.ts';
import { paint } from '../../src/lib/paint.ts';
import { cells } from '../../src/lib/text.ts';
import { layoutColumns } from '../../src/scene/column-layout.ts';
import { mostCells } from '../../src/shell/column-widths.ts';
import { runs } from '../support/runs.ts';

test('no painted text is wider than its units allow', () => {
  const letters = fc.oneof(
    fc.constantFrom(
      'a',
      '決',
      '주',
      '\u0301',
      '\u0e33',
      '\u200d',
      '\u202e',
      '\ud83d',
      '👩',
      '🔥',
      '🇩',
      '\uff9e',
      '\u1100',
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

test('at 160 columns Hygiene shows in full what to do, though a few reasons are long', () => {
  const { columns } = hygieneList;
  const shapes = columns.map(({ min, max, flex, priority, sparse }) => ({
    ...{ min, priority, content: max ?? (flex ? 52 : min) },
    ...(max !== undefined && { max }),
    ...(flex && { flex }),
    ...(sparse && { sparse }),
  }));
  const widths = new Map(layoutColumns(shapes, 154, 0).map(({ index, width }) => [columns[index]?.id, width]));
  expect(widths.get('mend')).toBeGreaterThanOrEqual('edit the monitor: its form says what replaces it'.length);
});
