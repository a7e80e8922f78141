import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paint } from '../../src/lib/paint.ts';
import type { Painted } from '../../src/lib/painted.ts';
import { graphemeBoundary } from '../../src/lib/text.ts';
import { type EditorView, editorRows, offerLines } from '../../src/scene/form-controls.ts';
import { type FormField, layoutForm, linesSeen } from '../../src/scene/form-lines.ts';
import { resolveLook, spanCells } from '../../src/scene/span.ts';
import { linesOfForm, mono, plain, textsOf, theme } from '../support/line-examples.ts';

const part = 'sum:shop.errors{env:prod,host:web} by {host} + ';
const long = `avg(last_5m):${part.repeat(20)}1 > 3`;
const view = (text: string, more: Partial<EditorView> = {}): EditorView => ({
  text,
  cursor: text.length,
  width: 60,
  marks: [],
  remarks: [],
  ...more,
});
const texts = (rows: ReturnType<typeof editorRows>) => rows.map((row) => row.map((span) => span.text).join(''));

describe('the text of a query', () => {
  test('shows the rows around the cursor, with signs for more', () => {
    const rows = texts(editorRows(view(long, { cursor: 500 }), true, 5, theme));
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatch(/^\[▲/);
    expect(rows[4]).toMatch(/^\[▼/);
    expect(texts(editorRows(view(long), true, 5, theme))[4]).toMatch(/> 3 +\]$/);
  });

  test('marks the operators of a query, and of a text for people what is filled in and who is notified', () => {
    const marked = (text: string, isProse: boolean) =>
      editorRows(view(text, { isProse }), false, 5, theme)
        .flat()
        .filter(({ tone }) => tone === 'strong' || tone === 'info')
        .map((span) => span.text);
    const text = 'not by {{host.name}}: ask me@example.test or @oncall-web';
    expect(marked(text, false)).toEqual(['not', 'by', 'or']);
    expect(marked(text, true)).toEqual(['{{host.name}}', '@oncall-web']);
  });

  test('shows the fault too if there is room; without focus only the fault', () => {
    const fault = long.indexOf('host}', 600);
    const marks = [{ start: fault, end: fault + 4, tone: 'bad' as const }];
    const seen = (cursor: number, isFocused: boolean, most: number) =>
      editorRows(view(long, { cursor, marks }), isFocused, most, theme)
        .flat()
        .filter((span) => span.underline)
        .map((span) => span.text)
        .join('');
    expect(seen(500, true, 8)).toBe('host');
    expect(seen(0, true, 5)).toBe('');
    expect(seen(0, false, 5)).toBe('host');
    const rest = texts(editorRows(view(long, { marks }), false, 3, theme));
    expect(rest).toHaveLength(3);
    expect(rest[0]).toMatch(/^\[…/);
    expect(rest[2]).toMatch(/ … *\]$/);
  });

  test('a fault at the very end has its own cell, and the cursor is drawn over a fault', () => {
    const marks = [{ start: 3, end: 3, tone: 'bad' as const }];
    const [rest] = editorRows(view('sum', { marks }), false, 5, theme);
    expect(rest?.find((span) => span.underline)).toMatchObject({ text: ' ', inverse: false });
    const [row] = editorRows(view('sum', { cursor: 1, marks: [{ start: 0, end: 3, tone: 'bad' }] }), true, 5, theme);
    expect(row?.filter((span) => span.underline).map((span) => [span.text, span.inverse])).toEqual([
      ['s', false],
      ['u', true],
      ['m', false],
    ]);
  });

  test('fits its width and keeps every letter, for any text, cursor and marks', () => {
    const text = fc.array(fc.constantFrom('avg', '値', ' ', '\n', '👩‍🚒', '\t', '"', 'é', '\u202e', ','), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), fc.integer({ min: 8, max: 60 }), (some, one, other, width) => {
        const given = some.join('');
        const [start = 0, end = 0] = [one % (given.length + 1), other % (given.length + 1)].sort((a, b) => a - b);
        const shown = view(given, {
          width,
          cursor: graphemeBoundary(given, start),
          marks: [{ start, end, tone: 'bad' }],
        });
        for (const theme_ of [theme, mono, plain])
          for (const row of editorRows(shown, true, 99, theme_)) expect(spanCells(row)).toBeLessThanOrEqual(width + 4);
        const drawn = texts(editorRows(shown, true, 99, theme))
          .map((row) => row.slice(2, -1))
          .join('');
        const seen = [...'avg値👩🚒"é,'];
        const count = (where: string) => seen.map((letter) => where.split(letter).length);
        expect(count(drawn)).toEqual(count(given));
      }),
    );
  });
});

test('suggestions are drawn around the selected one, which has a sign besides its color', () => {
  const items = Array.from({ length: 20 }, (_, at) => ({ label: paint(`word${at}`), hint: paint(`hint ${at}`) }));
  const shown = offerLines(view('', { width: 40, offers: { items, cursor: 12 } }), 4, theme);
  expect(shown).toHaveLength(4);
  expect(shown.map((spans) => spans.map((one) => one.text).join('')).find((line) => line.includes('>'))).toMatch(
    /> word12 +hint 12/,
  );
});

test('a text at rest has as many rows as the form has room for, three at least, and no focus changes that', () => {
  const fields: FormField[] = [
    { name: 'name', label: paint('Name'), kind: 'text', text: 'a', cursor: 0 },
    {
      name: 'query',
      label: paint('Query'),
      kind: 'query',
      text: '',
      cursor: 0,
      query: view('one\ntwo\nthree\nfour\nfive'),
    },
    { name: 'order', label: paint('Order'), kind: 'text', text: 'b', cursor: 0 },
  ];
  const at = (focus: number, height: number) =>
    textsOf(linesOfForm({ fields, focus, width: 60, height, theme })).map((line) => line.trim());
  // Seven rows, and five for what is said of the field with the focus.
  for (const focus of [0, 2]) expect(at(focus, 12)[5]).toMatch(/^\[ five/);
  for (const focus of [0, 2]) expect(at(focus, 11)[4]).toMatch(/^\[ four +…/);
  for (const focus of [0, 2]) expect(at(focus, 9)[3]).toMatch(/^\[ three +…/);
});

test('the suggestions of a form lie over the fields below and move nothing', () => {
  const offers = { items: ['count', 'counted'].map((label) => ({ label: paint(label), hint: paint('') })), cursor: 0 };
  const form = (more: Partial<EditorView>) => {
    const fields: FormField[] = [
      { name: 'query', label: paint('Query'), kind: 'query', text: '', cursor: 0, query: view('c', more) },
      ...['a', 'b', 'c'].map((name): FormField => ({ name, label: paint(name), kind: 'text', text: name, cursor: 0 })),
    ];
    return textsOf(linesOfForm({ fields, focus: 0, width: 60, height: 14, theme }));
  };
  const before = form({});
  const open = form({ offers });
  const over = open.flatMap((line, at) => (line === before[at] ? [] : [at]));
  expect(over).toHaveLength(2);
  expect(open[over[0] ?? 0]).toContain('> count');
  expect(before[over[0] ?? 0]).toContain('a');
});

test('a mark is underlined in every theme', () => {
  const fields: FormField[] = [
    {
      name: 'query',
      label: paint('Query'),
      kind: 'query',
      text: '',
      cursor: 0,
      query: view('sum zap', { marks: [{ start: 4, end: 7, tone: 'bad' }] }),
    },
  ];
  for (const palette of [theme, mono, plain])
    expect(
      linesOfForm({ fields, focus: 1, width: 60, height: 6, theme: palette })
        .flat()
        .some(({ text, underline }) => underline && text === 'zap'),
    ).toBe(true);
});

test('the cursor is distinguishable inside a fault in every theme', () => {
  const fault = view('zap', { cursor: 1, marks: [{ start: 0, end: 3, tone: 'bad' }] });
  for (const palette of [theme, mono, plain]) {
    const [row = []] = editorRows(fault, true, 5, palette);
    expect(row.filter((one) => resolveLook(one, palette).inverse).map((one) => one.text)).toEqual(['a']);
  }
});

test('a row of a review that is broken after a blank is drawn with its last letter', () => {
  const after = paint('four five six '.repeat(9).trim());
  for (let width = 14; width < 60; width += 1) {
    const review = [{ label: paint('L'), parts: [{ sign: paint('+'), text: after }] }];
    const drawn = textsOf(linesOfForm({ fields: [], focus: 0, review, width, height: 30, theme }));
    expect(drawn.join('').replace(/[ L+]/g, ''), `${width}`).toBe('fourfivesix'.repeat(9));
  }
});

test('a long review shows what will be sent below its changes, scrolls to its end and says which lines are seen', () => {
  const review = Array.from({ length: 9 }, (_, at) => ({
    label: paint(`field ${at}`),
    parts: [
      { sign: paint('-'), text: 'one\ntwo' as Painted },
      { sign: paint('+'), text: paint('three') },
    ],
  }));
  const outlook = { title: paint('sent'), lines: [[{ text: paint('the last') }]] };
  const props = (reviewTop: number) => ({
    ...{ fields: [], focus: 0, review, reviewTop, outlook, width: 40, height: 10, theme },
  });
  const at = (reviewTop: number) => textsOf(linesOfForm(props(reviewTop))).map((line) => line.trim());
  const seen = (reviewTop: number) => {
    const laid = layoutForm(props(reviewTop));
    return laid.seen && linesSeen(laid.seen);
  };
  expect(at(0).slice(0, 4)).toEqual(['field 0', '- one', '- two', '+ three']);
  expect(at(99).slice(-4)).toEqual(['+ three', '', 'sent', 'the last']);
  expect([seen(0), seen(5), seen(99)]).toEqual(['1-10/39', '6-15/39', '30-39/39']);
  expect(linesSeen({ first: 1, last: 3, count: 3 })).toBe('');
});
