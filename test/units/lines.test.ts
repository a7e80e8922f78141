import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { drawnLine } from '../../components/Lines.tsx';
import { paint } from '../../src/lib/paint.ts';
import { themeNames } from '../../src/lib/setting-values.ts';
import { cells } from '../../src/lib/text.ts';
import { layoutBar, layoutToast, type ToastPart } from '../../src/scene/edge-lines.ts';
import type { Spans } from '../../src/scene/scene.ts';
import { cutSpans } from '../../src/scene/span.ts';
import { createTheme, type Theme } from '../../src/scene/theme.ts';
import { keyHints } from '../../src/session/state/state-changes.ts';
import {
  codes,
  columns,
  fields,
  inFrame,
  linesOfForm,
  mono,
  parts,
  plain,
  row,
  rows,
  single,
  tableLines,
  textOf,
  textsOf,
  theme,
  widths,
} from '../support/line-examples.ts';
import { runs } from '../support/runs.ts';

describe.each(widths)('at %i columns', (width) => {
  test.each(Object.keys(single))('%s fits on its line', (name) => {
    expect(stringWidth(textOf(single[name]?.(width, theme) ?? []))).toBeLessThanOrEqual(width);
  });

  test('a bar shows every choice whole, on as many lines as needed', () => {
    const hints = [...parts, ...parts, ...parts].map(({ key, title }) => ({ keys: paint(key), title: paint(title) }));
    const settings = [{ name: paint('scope'), value: paint('host:値-1') }];
    for (const input of [
      undefined,
      { label: paint('until'), text: '値'.repeat(90), cursor: 90, error: paint('type a length') },
    ]) {
      const bar = { title: paint(`mute ${'値'.repeat(90)}`), settings, hints, width, theme, ...(input && { input }) };
      const got = layoutBar(bar).map((spans) => textOf(cutSpans(spans, width)));
      const said = got.join(' ');
      for (const { title } of parts) expect(said).toContain(title);
      expect(said).toContain(input ? 'type a length' : 'scope host:値-1');
    }
  });
});

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

describe('a message', () => {
  const said = (width: number, ...parts: ToastPart[]) => {
    const drawn = layoutToast({ parts, tone: 'warn', keys: paint(keyHints.undo), width, theme: plain });
    return drawn.map((spans) => spans.map(({ text }) => text).join(''));
  };
  const consequence = { text: paint('STILL MUTED until 06:49 UTC (another mute). Ended the 4h one on ') };
  const name = { text: paint('Error rate of checkout-api is too high [prod] '.repeat(4)), isName: true };

  test('keeps its consequence and its keys on two lines, and shortens the name alone', () => {
    const text = said(80, consequence, name, { text: paint('; look at it') })
      .join(' ')
      .replace(/ +/g, ' ');
    expect(text).toContain('STILL MUTED until 06:49 UTC (another mute). Ended the 4h one on');
    expect(text).toMatch(new RegExp(`Error rate of .*~; look at it - ${keyHints.undo}`));
  });

  test('has no separator at the end of a line', () => {
    const drawn = layoutToast({
      parts: [{ text: paint('wait until they are read - ignored: 1') }],
      width: 32,
      theme: plain,
    });
    expect(
      drawn.map((spans) =>
        spans
          .map(({ text }) => text)
          .join('')
          .trim(),
      ),
    ).toEqual(['- wait until they are read', 'ignored: 1']);
  });

  test('has one line where it fits, else two, never a line that is too wide', () => {
    expect(said(120, consequence, { text: paint('Disk'), isName: true })).toHaveLength(1);
    for (let width = 20; width < 200; width += 1) {
      const lines = said(width, consequence, name);
      expect(lines.length).toBeLessThanOrEqual(2);
      expect(lines.join(' ')).toContain(keyHints.undo);
      for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(width);
    }
  });

  test('one that stays shortens its names to 16 cells before it takes a second line', () => {
    const drawn = (width: number, isStanding: boolean) =>
      layoutToast({
        parts: [{ text: paint('Mute on ') }, name, { text: paint(' ends in 4 min (22:28 UTC)') }],
        keys: paint('+ extend it'),
        isStanding,
        width,
        theme: plain,
      }).map((spans) => spans.map(({ text }) => text).join(''));
    expect(drawn(70, true)).toEqual([' - Mute on Error rate of chec~ ends in 4 min (22:28 UTC) - + extend it']);
    expect(drawn(60, true)).toHaveLength(2);
    expect(drawn(70, false)).toHaveLength(2);
  });

  test('of a refusal the permission stays, however long the words of the service are', () => {
    const text = `needs monitors_write: ${'the policy of this organization does not allow it. '.repeat(6)}`;
    for (const width of [60, 80, 120])
      expect(said(width, { text: paint(text) }).join(' ')).toContain('needs monitors_write:');
  });
});
