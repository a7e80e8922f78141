import { test } from 'vitest';
import type { Tone } from '../../src/describe/column.ts';
import { paint } from '../../src/lib/paint.ts';
import { plain } from '../../src/lib/painted.ts';
import { controlLines, type EditorView, editorRemarks, editorRows, offerLines } from '../../src/scene/form-controls.ts';
import {
  type FormField,
  type FormProps,
  fieldsSeen,
  formLines,
  layoutForm,
  linesSeen,
  scrolled,
} from '../../src/scene/form-lines.ts';
import { remarkRows, reviewRows } from '../../src/scene/form-rows.ts';
import { layoutColumns, listLines, type TableColumn, type TableRow } from '../../src/scene/list-lines.ts';
import { paintedText } from '../../src/scene/span.ts';
import { columns, row, tableLines, theme } from '../support/line-examples.ts';
import { spansOf, storedAs, sweep, upTo, writtenLines } from '../support/sweeps.ts';

const optionsOf = (labels: string) => labels.split(', ').map((label) => ({ value: label, label: paint(label) }));
const field = (name: string, more: Partial<FormField> = {}): FormField => ({
  ...{ name, label: paint(name), kind: 'text', text: '', cursor: 0 },
  ...more,
});
const view = (text: string, more: Partial<EditorView> = {}): EditorView => ({
  ...{ text, cursor: 0, width: 30, marks: [], remarks: [] },
  ...more,
});
const mark = (start: number, end: number, tone: Tone = 'warn') => ({ start, end, tone });
const written = (name: string, query: EditorView, more: Partial<FormField> = {}) =>
  field(name, { kind: 'query', query, hint: paint('a hint'), ...more });
const query = 'avg(last_5m):avg:disk.used{host:web-1,env:prod} by {host} > 90 and "a text" || not b\n\nthe last row é';
const items = optionsOf('host, env, region of it, a, b, c, d, e').map(({ label }) => ({
  label,
  hint: plain`what ${label} is`,
}));
const offers = { items, cursor: 1 };
const remarks = spansOf(
  '{info:required by all}{bad:the unit is unknown}{warn:a long warning of the query that is wrapped over two lines}',
).map(({ text, tone = 'plain' }) => ({ text, tone }));
const [yesNo, hint, required] = [
  optionsOf('yes, no'),
  paint('at most 80 characters, and never the name of another one'),
  true,
];

const fields: readonly FormField[] = [
  field('Name', { text: 'checkout \u001b[31m errors', cursor: 3, required, hint }),
  field('Key', { text: 'hunter2-secret', secret: true, cells: 20 }),
  field('Span rate', { text: '1', cells: 14, error: paintedText('rate must be 0 to 1\nor empty') }),
  field('Trace rate', { placeholder: paint('0.5'), cells: 14, required, hint: paint('0 to 1') }),
  field('Enabled', { kind: 'toggle', text: 'no', options: yesNo }),
  field('On', { kind: 'choice', text: 'show OK', options: optionsOf('default, show OK, notify') }),
  written('Query', view(query, { remarks, marks: [mark(60, 62, 'bad')] })),
  field('More options', { kind: 'toggle', text: 'no', options: yesNo, further: 12 }),
  field('States', {
    kind: 'many',
    text: 'ok, warn',
    cursor: 1,
    options: optionsOf('ok, warn, alert, no data'),
    doubt: paint('a doubt'),
  }),
  written('Text', view('for people @robin {{value}}', { isProse: true }), { error: paint('required') }),
];
const long = written('Long', view(`${query}\n`.repeat(3), { remarks }), { error: paint('required') });
const form = (props: Partial<FormProps>) => {
  const whole = { fields, focus: 0, width: 78, height: 30, theme, ...props };
  const lines = formLines(whole, layoutForm(whole)).map(
    ({ spans, role, isCursor }) =>
      `${writtenLines([spans])}${isCursor ? '  <' : ''}${role === 'field' ? '' : `  ${role}`}`,
  );
  return lines.join('\n').trimEnd();
};

test('forms are laid out at each size as was reviewed', async () => {
  const some = (...names: string[]) => fields.filter(({ name }) => names.includes(name));
  const outlook = {
    title: paint('What it would do now'),
    lines: ['valid', '', 'alerts', 'and more', 'end'].map(spansOf),
  };
  const withOffers = fields.map((one) =>
    one.name === 'Query' && one.query ? { ...one, query: { ...one.query, offers, cursor: 70 } } : one,
  );
  const few = some('Name', 'Enabled');
  const doubts = ['it notifies at once '.repeat(12), 'a second one'].map(paint);
  const said = {
    title: paint('Changed'),
    problem: paint(`403: no: ${'a b c '.repeat(60)}`),
    doubts,
    busy: paint('Saving'),
  };
  const alike = (names: string, more: Partial<FormField> = {}) =>
    names.split(', ').map((name) => field(name, { text: '1', cells: 14, ...more }));
  const cases = [
    sweep('focus', upTo(-1, 9), (focus) => form({ focus })),
    sweep('widths', [20, 34, 45, 58, 67, 68, 69, 73, 80, 100, 130], (width) =>
      form({ width, focus: 3, height: 24, fields: fields.slice(0, 6) }),
    ),
    ...[0, 2, 6, 9].map((focus) =>
      sweep(`heights, focus ${focus}`, [1, 2, 5, 8, 9, 13, 18, 22, 26], (height) => form({ height, focus })),
    ),
    ...[-1, 6, 10].map((focus) =>
      sweep(`lines of each field, focus ${focus}`, upTo(0, 48), (height) => {
        const laid = layoutForm({
          fields: [...fields, long, written('Bare', view('a'), { kind: 'query' })],
          focus,
          width: 78,
          height,
          theme,
        });
        const rows = [...Map.groupBy(laid.shown, ({ place }) => place)].map(([place, all]) => `${place}:${all.length}`);
        return `${rows.join(' ')} ${laid.shown.length === laid.room} ${fieldsSeen(laid)}`;
      }),
    ),
    sweep('offers', [8, 14, 20, 30], (height) => form({ height, focus: 6, fields: withOffers })),
    sweep('open', [0, 1], (focus) =>
      form({ focus, height: 4, fields: [{ ...fields[7], text: 'yes' } as FormField, ...few] }),
    ),
    sweep('outlook', upTo(0, 12), (height) =>
      form({ height, outlook, fields: few, focus: -1, title: paint('Changed') }),
    ),
    sweep('short outlook', upTo(2, 8), (height) =>
      form({ height, outlook: { ...outlook, lines: outlook.lines.slice(2, 4) }, fields: few }),
    ),
    sweep('remarks', upTo(1, 14), (height) => form({ height, fields: few, ...said })),
    // The labels on the right are as wide as the longest.
    sweep('pairs', upTo(68, 92), (width) =>
      form({ width, height: 9, fields: alike('a, b, c, a much longer label, e') }),
    ),
    sweep('a label without room', [78, 90], (width) =>
      form({
        width,
        height: 9,
        focus: 1,
        fields: alike('a, b, a label that is so long that no other field has room, c', { hint }),
      }),
    ),
    sweep('pairs of choices', [70, 90, 110], (width) =>
      form({ width, height: 9, fields: some('Enabled', 'On', 'States', 'Trace rate') }),
    ),
  ];
  await storedAs('scene/forms', cases);
});

test('controls and editors are drawn at each size as was reviewed', async () => {
  const options = optionsOf('default, show OK, notify, alert, keep last state');
  const control = (title: string, widths: readonly number[], more: Partial<FormField>) =>
    sweep(title, widths, (width) =>
      [false, true].flatMap((is) => controlLines(field('x', { kind: 'choice', ...more }), is, width, theme)),
    );
  const controls = [
    control('empty', [5, 12], {}),
    control('a value without options', [6, 10, 20], { text: 'a value', placeholder: paint('any') }),
    control('a placeholder', [8], { placeholder: paint('any') }),
    ...['default', 'keep last state', 'unknown', ''].map((text) =>
      control(`choice "${text}"`, upTo(6, 62), { text, options }),
    ),
    control('short choice', [4, 6, 12], { text: 'b', options: optionsOf('a, b, c') }),
    control('many', upTo(10, 70), { kind: 'many', text: 'alert, notify', cursor: 2, options }),
  ];
  type Drawn = readonly [view: EditorView, isFocused: boolean, most: number];
  const drawn = (title: string, numbers: readonly number[], say: (at: number) => Drawn) =>
    sweep(title, numbers, (at) => editorRows(...say(at), theme));
  const of = (more: Partial<EditorView>) => view(query, more);
  const marks = [mark(60, 62, 'bad'), mark(5, 5)];
  const editors = [
    drawn('cursor', [0, 1, 29, 30, 58, 59, 84, 85, 86, 100, 101], (cursor) => [of({ cursor, marks }), true, 3]),
    drawn('no mark', upTo(1, 7), (most) => [of({ cursor: 60 }), most % 2 === 0, most]),
    ...[0, 40, 99].map((at) =>
      drawn(`mark at ${at}`, upTo(1, 7), (most) => [
        of({ cursor: 60, marks: [mark(at, at + 1)] }),
        most % 2 === 0,
        most,
      ]),
    ),
    drawn('a mark over rows', upTo(1, 4), (most) => [of({ marks: [mark(20, 70)], cursor: 40 }), most > 2, most]),
    drawn('characters', [0, 1, 2, 3, 8, 10, 11, 14], (cursor) => [
      view('a値 👩‍🚒e\u0301 b\u0301\u0301', { cursor, width: 7 }),
      true,
      4,
    ]),
    drawn('at rest', upTo(1, 6), (most) => [of({ marks }), false, most]),
    drawn('mark of the end', upTo(98, 103), (start) => [of({ marks: [mark(start, 103)] }), false, 9]),
    drawn('prose', [10, 30], (width) => [
      view('Hi @robin.v and a@b.c: {{value}} { {x}} é', { isProse: true, width }),
      false,
      9,
    ]),
    drawn('empty', [0, 1], (focused) => [view('', { marks: marks.slice(1) }), focused === 1, 3]),
    sweep('remarks', upTo(1, 40), (width) => [editorRemarks(view('', { remarks, width }), 4)]),
    sweep('completions', upTo(12, 40), (width) =>
      offerLines(view('', { width, offers: { items, cursor: width % 8 } }), 4, theme),
    ),
    sweep('completions in room', upTo(0, 9), (room) => offerLines(view('', { offers }), room, theme)),
  ];
  await storedAs('scene/controls', [...controls, ...editors]);
});

test('reviews and remarks are as was reviewed', async () => {
  const parts = (...texts: string[]) =>
    texts.map((text) => ({ sign: paint(text.slice(0, 1)), text: paintedText(text.slice(1)) }));
  const review = [
    { label: paint('Rate'), parts: parts('-1', '+') },
    { label: paint('Text'), parts: parts(' stays', '-one word and another one of them', '+two\n'), several: true },
  ];
  const rows = sweep('review', upTo(1, 40), (width) => reviewRows(review, width).map(({ spans }) => spans));
  const outlook = { title: paint('What is sent'), lines: [[{ text: paint('PUT') }]] };
  const reviews = [0, 3, 99].map((reviewTop) =>
    sweep(`review from ${reviewTop}`, [1, 4, 9, 14, 20], (height) =>
      form({ review, reviewTop, height, width: height + 20, outlook, problem: paint('refused') }),
    ),
  );
  const seen = upTo(-1, 6).map((top) => {
    const all = [
      scrolled([...'abcd'], top, 2),
      scrolled([...'ab'], top, top),
      scrolled(['a'], top, -1),
      scrolled([...'ab'], undefined, 1),
    ];
    return JSON.stringify([...all, ...all.map(linesSeen)]);
  });
  const said = [1, 2, 3].map((most) =>
    sweep(`remark on ${most}`, upTo(1, 50), (width) =>
      remarkRows(paint('a remark of several words, which is wrapped'), paint('!'), 'warn', most, width, paint('…')),
    ),
  );
  await storedAs('scene/reviews', [rows, JSON.stringify(reviewRows([], 20)), ...reviews, seen.join('\n'), ...said]);
});

test('lists are laid out and drawn at each width as was reviewed', async () => {
  const name = { min: 24, max: 56, flex: true, content: 60, priority: 1 };
  const count = { min: 5, content: 5, align: 'right', priority: 1 } as const;
  const text = { min: 8, content: 8, priority: 2 };
  const sparse = { min: 8, max: 24, content: 23, priority: 2, sparse: true };
  const sets = {
    'the columns of an example': columns,
    'one long cell': [name, { ...sparse, sparse: false }],
    'a sparse column': [name, sparse, { min: 12, max: 24, content: 15, priority: 5 }],
    'spare cells': [
      { ...name, max: undefined, content: 20 },
      { min: 10, max: 12, content: 40, priority: 3 },
    ] as typeof columns,
    'gaps between texts that meet': [count, { ...name, max: undefined, content: 80 }, count, text] as typeof columns,
    'a late flex column': [count, text, { ...name, priority: 4 }, sparse],
    'short titles': [name, { ...text, min: 4, priority: 5, shortTitle: paint('T') }, { ...sparse, priority: 6 }],
    'of one priority': [1, 2, 4, 4, 4].map((priority) => ({ min: 8, max: 8, content: 8, priority })),
    'no flex column': [count, text, count],
    'nothing measured': [30, 10, 9].map((min, at) => ({ min, flex: at === 1, priority: at + 1 })),
    narrow: [1, 1, 30].map((min) => ({ min, priority: 1 })),
    none: [],
  };
  const placed = (some: Parameters<typeof layoutColumns>[0], width: number, hscroll: number) =>
    layoutColumns(some, width, hscroll)
      .map(({ index, width, gap }) => `${gap > 1 ? '+' : ''}${index}:${width}`)
      .join(' ');
  const layouts = Object.entries(sets).map(([title, some]) =>
    sweep(title, upTo(1, 170), (width) => placed(some, width, 0)),
  );
  const scrolls = sweep('scrolled', upTo(-1, 9), (hscroll) => placed(columns, 90, hscroll));
  const titled: TableColumn[] = columns.map((column, at) =>
    at === 3 ? { ...column, shortTitle: paint('SVC') } : at === 5 ? { ...column, sorted: 'up' } : column,
  );
  const cells = ['OPN', '9124', '812', 'checkout-api', 'TypeError', 'cannot read 値', '2m'];
  const rows: TableRow[] = [
    row('a', cells, { cursor: true }),
    row('b', cells, {
      marked: true,
      fresh: true,
      pending: true,
      shorts: columns.map((_, at) => (at === 3 ? paint('co') : undefined)),
    }),
    row('c', cells.slice(0, 6), { fresh: true, tones: ['bad'] }),
    row('d', cells, { pending: true, cursor: true }),
  ];
  const highlight = (cell: string) =>
    Array.from(cell.matchAll(/cann|out|9/g), ({ index, 0: found }) => ({ start: index, end: index + found.length }));
  const drawn = [false, true].map((active) =>
    sweep(`rows, ${active}`, [1, 2, 3, 4, 10, 24, 41, 60, 90, 140], (width) =>
      tableLines({ columns: titled, rows, width, height: 6, theme, active, ...(active && { highlight }) }),
    ),
  );
  const rest = { columns: titled, theme, hscroll: 0, loading: false, empty: paint('nothing is red here') };
  const heights = sweep('heights', upTo(0, 6), (height) => {
    const drawnAt = listLines({ ...rest, rows: rows.slice(0, height === 6 ? 1 : 9), width: 30, height });
    return drawnAt.map(({ spans }) => spans);
  });
  const emptied = [{}, { loading: true }, { failed: true }, { next: paint('press R to read again') }].map((more) =>
    sweep(JSON.stringify(more), [3, 20, 60], (width) =>
      tableLines({ ...rest, columns: titled.slice(0, 2), rows: [], width, height: 8, ...more }),
    ),
  );
  await storedAs('scene/lists', [...layouts, scrolls, ...drawn, heights, ...emptied]);
});
