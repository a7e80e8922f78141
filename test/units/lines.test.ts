import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { drawnLine } from '../../components/Lines.tsx';
import { paint } from '../../src/lib/paint.ts';
import { themeNames } from '../../src/lib/setting-values.ts';
import { layoutToast } from '../../src/scene/edge-lines.ts';
import type { Spans } from '../../src/scene/scene.ts';
import { createTheme, type Theme } from '../../src/scene/theme.ts';
import { keyHints } from '../../src/session/state/state-changes.ts';
import {
  codes,
  columns,
  fields,
  inFrame,
  linesOfForm,
  mono,
  plain,
  row,
  rows,
  single,
  tableLines,
  textsOf,
  theme,
} from '../support/line-examples.ts';
import { runs } from '../support/runs.ts';

test('hostile cells move no border and stay in their row', () => {
  const cell = fc.string({ unit: 'binary', maxLength: 30 }).map(paint);
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 7, maxLength: 7 }), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 40, max: 200 }),
      (table, width) => {
        const some = table.map((cells, at) => row(`${at}`, cells, { cursor: at === 1 }));
        const inside = tableLines({ columns, rows: some, width: width - 2, height: 4, theme });
        const got = textsOf(inFrame(inside, width, 6, theme));
        return got.length === 6 && got.every((text) => stringWidth(text) === width);
      },
    ),
    { numRuns: runs(300) },
  );
});

describe('themes', () => {
  const color = /\u001b\[(?:\d+;)*(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:;\d+)*m/;
  const drawn = (lines: readonly Spans[], width: number, drawnBy: Theme) =>
    lines.map((spans) => drawnLine(spans, width, drawnBy).text).join('\n');

  test('mono and NO_COLOR write no color, only bold, inverse and dim, and underline faults', () => {
    for (const drawnBy of [mono, createTheme({ name: 'mono', noColor: false, ascii: false })]) {
      const form = linesOfForm({ fields, focus: 0, problem: paint('refused'), width: 78, height: 22, theme: drawnBy });
      for (const body of [tableLines({ columns, rows, width: 78, height: 22, theme: drawnBy }), form]) {
        const got = drawn(inFrame(body, 80, 24, drawnBy), 80, drawnBy);
        expect(color.test(got)).toBe(false);
        const parameters = (got.match(codes) ?? []).flatMap((code) => code.slice(2, -1).split(';'));
        expect(new Set(parameters).isSubsetOf(new Set(['0', '1', '2', '4', '7']))).toBe(true);
      }
      for (const line of Object.values(single)) expect(color.test(drawn([line(80, drawnBy)], 80, drawnBy))).toBe(false);
    }
  });

  test('the other themes use only the sixteen colors', () => {
    for (const name of themeNames.filter((themeName) => themeName !== 'mono')) {
      const drawnBy = createTheme({ name, noColor: false, ascii: false });
      const got = drawn(tableLines({ columns, rows, width: 80, height: 10, theme: drawnBy }), 80, drawnBy);
      expect(color.test(got)).toBe(true);
      expect(/\u001b\[[34]8[;:]/.test(got)).toBe(false);
    }
  });

  test('ascii draws only ASCII around ASCII', () => {
    const list = tableLines({ columns, rows: rows.slice(0, 2), width: 58, height: 8, theme: plain });
    const message = layoutToast({
      parts: [{ text: paint('x'.repeat(90)) }],
      tone: 'good',
      keys: paint(keyHints.undo),
      width: 60,
      theme: plain,
    });
    for (const lines of [inFrame(list, 60, 10, plain), message])
      expect(drawn(lines, 60, plain).replaceAll(codes, '')).toMatch(/^[\x20-\x7e\n]*$/);
  });
});
