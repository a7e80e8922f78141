import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareValues, type Printed, rendered, toYaml } from '../../src/cli/output/formats.ts';
import { pagerWords, pageThrough, styled, tableLines } from '../../src/cli/output/print.ts';
import { createProgress, withProgress } from '../../src/cli/output/progress.ts';
import { watchedChanges } from '../../src/cli/print-list.ts';
import { list } from '../../src/describe/screen.ts';
import { cells } from '../../src/lib/text.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { contextOf } from '../support/plans.ts';
import { readYaml } from '../support/read-yaml.ts';

const printed = (items: readonly Record<string, unknown>[], missing: readonly string[] = []): Printed => ({
  list: 'things',
  names: ['id', 'text', 'more'],
  items: items.map((item) => ({ id: '1', text: null, more: null, ...item })),
  missing,
});

/** Text with what formats quote: separators, quotes, line breaks, words of YAML. */
const hardText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\t', '\\', ' ', ':', '#', '-', 'a', "'", '\u001b', '\r') }),
  fc.constantFrom('yes', 'null', '1e3', '-', '2026-11-22', '~', '=1+1', ' a', 'e5', '{}', '&a', '*'),
);

test('CSV and TSV read back as they were; control characters but line breaks and tabs are visible', () => {
  fc.assert(
    fc.property(hardText, (text) => {
      const csv = rendered.csv(printed([{ text }]));
      const [head, row] = parse(csv, { trim: false }) as string[][];
      expect(head).toEqual(['id', 'text', 'more']);
      expect(row).toHaveLength(3);
      if (/^[\p{L}\p{N}",:#'\\ \n-]*$/u.test(text) && text === text.normalize()) expect(row?.[1]).toBe(text);
      expect(csv).not.toMatch(/[^\P{Cc}\r\n]/u);
      const [, line = '', ...rest] = rendered.tsv(printed([{ text }])).split('\n');
      expect(rest).toEqual(['']);
      expect(line.split('\t')).toHaveLength(3);
      const back = (line.split('\t')[1] ?? '').replace(
        /\\(.)/g,
        (_, letter) => ({ n: '\n', t: '\t' })[letter as string] ?? letter,
      );
      if (/^[\p{L}\p{N}",:#'\\ \n\t-]*$/u.test(text) && text === text.normalize()) expect(back).toBe(text);
    }),
  );
  const [, row] = parse(rendered.csv(printed([{ more: [{ a: 'x,"y"' }] }]))) as string[][];
  expect(JSON.parse(row?.[2] ?? '')).toEqual([{ a: 'x,"y"' }]);
});

test('JSON and YAML have the same object, and say why it is partial', () => {
  const some = printed([{ text: 'a' }, { id: '2', more: { b: [] } }], ['the rest was not read']);
  expect(JSON.parse(rendered.json(some))).toEqual({
    version: 1,
    list: 'things',
    items: some.items,
    partial: ['the rest was not read'],
  });
  expect(readYaml(rendered.yaml(some))).toEqual(JSON.parse(rendered.json(some)));
  expect(JSON.parse(rendered.json(printed([])))).toMatchObject({ items: [], partial: null });
  expect(
    rendered
      .jsonl(some)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(some.items);
});

test('YAML reads back as every JSON value, and no text is taken for something else', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      hardText,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(
      hardText.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  })).value;
  fc.assert(fc.property(value, (given) => void expect(readYaml(toYaml(given))).toEqual(given)));
  expect(toYaml({ a: 'yes', b: 'plain', c: ['1', []] })).toBe('a: "yes"\nb: plain\nc:\n  - "1"\n  - []\n');
});

interface Row {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}
const things = list<Row>({
  id: 'things',
  title: 'Things',
  load: () => {
    throw new Error('not read');
  },
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns: [
    { id: 'name', title: 'NAME', min: 10, flex: true, priority: 1, text: (row) => row.name, tone: () => 'bad' },
    { id: 'note', title: 'NOTE', min: 30, max: 40, priority: 5, text: (row) => row.note },
  ],
  actions: [],
  empty: '',
});
const rows: readonly Row[] = [
  { id: 'a0000000-1111-2222-3333-444444444444', name: 'web \u001b[31m is slow', note: 'n'.repeat(60) },
  { id: 'b', name: 'x', note: '' },
];
const theme = createTheme({ name: 'default', noColor: false, ascii: false });

test('a table is fitted to the width by priority and has the looks of the theme, and no control of a text', () => {
  const colorless = { ...theme, props: () => ({}) };
  const narrow = tableLines(things, rows, contextOf(), { width: 60, theme: colorless });
  expect(narrow[0]).toMatch(/^NAME +NOTE$/);
  // Cells that a long id does not get are the others'.
  const long = [{ id: rows[0]?.id ?? '', name: 'm'.repeat(90), note: '' }];
  expect(cells(tableLines(things, long, contextOf(), { width: 60, theme: colorless })[1] ?? '')).toBe(60);
  expect(tableLines(things, rows, contextOf(), { width: 120, theme: colorless })[0]).toMatch(/^ID +NAME +NOTE$/);
  // An id of ten cells stays where it takes the room of a column; a longer one leaves.
  for (const [id, heads] of [
    ['1234567890', /^ID +NAME$/],
    ['12345678901', /^NAME +NOTE$/],
  ] as const) {
    const row = { id, name: 'x', note: 'n'.repeat(60) };
    expect(tableLines(things, [row], contextOf(), { width: 45, theme: colorless })[0]).toMatch(heads);
  }
  const same = rows.map((row) => ({ ...row, name: row.id }));
  expect(tableLines(things, same, contextOf(), { width: 160, theme: colorless })[0]).toMatch(/^NAME +NOTE$/);
  for (const width of [20, 40, 60, 80, 160])
    for (const line of tableLines(things, rows, contextOf(), { width, theme: colorless }))
      expect(cells(line)).toBeLessThanOrEqual(width);
  expect(tableLines(things, rows, contextOf(), { width: 40, theme: colorless })[0]).toBe('NAME');
  const wide = tableLines(things, rows, contextOf(), { theme: colorless });
  expect(wide[1]).toContain('n'.repeat(60));
  expect(wide.join('')).not.toMatch(/\p{Cc}/u);
  expect(tableLines(things, rows, contextOf(), { width: 40, theme })[2]).toContain('\u001b[1;31mx');
  expect(styled('a', createTheme({ name: 'default', noColor: true, ascii: false }).props('bad'))).toBe(
    '\u001b[1;7ma\u001b[0m',
  );
});

test('what is unknown is sorted last in both directions', () => {
  const values = [2, null, 10, undefined, 1];
  expect(values.toSorted((a, b) => compareValues(a, b, false)).slice(0, 3)).toEqual([1, 2, 10]);
  expect(values.toSorted((a, b) => compareValues(a, b, true)).slice(0, 3)).toEqual([10, 2, 1]);
  expect(['b', 'A'].toSorted((a, b) => compareValues(a, b, false))).toEqual(['A', 'b']);
  for (const [one, other] of [
    ['a', 'A'],
    [1, 1n],
    [null, undefined],
  ])
    expect([compareValues(one, other, false), compareValues(one, other, true)].map(Math.abs)).toEqual([0, 0]);
});

test('a watch tells what was added, changed and removed; a partial read removes nothing', () => {
  const at = Date.UTC(2026, 10, 22, 9);
  const before = new Map([
    ['1', { id: '1', state: 'OK' }],
    ['2', { id: '2', state: 'OK' }],
  ]);
  const now = new Map([
    ['1', { id: '1', state: 'Alert' }],
    ['3', { id: '3', state: 'OK' }],
  ]);
  const changes = watchedChanges(before, now, { at, isWhole: true }).map((line) => JSON.parse(line));
  expect(changes).toEqual([
    { version: 1, at: '2026-11-22T09:00:00Z', change: 'changed', fields: ['state'], item: { id: '1', state: 'Alert' } },
    { version: 1, at: '2026-11-22T09:00:00Z', change: 'added', item: { id: '3', state: 'OK' } },
    { version: 1, at: '2026-11-22T09:00:00Z', change: 'removed', item: { id: '2', state: 'OK' } },
  ]);
  expect(watchedChanges(before, now, { at, isWhole: false })).toHaveLength(2);
  expect(watchedChanges(before, before, { at, isWhole: true })).toEqual([]);
});

test('the pager is that of PAGER, read without a shell', () => {
  expect(pagerWords({})).toEqual(['less']);
  expect(pagerWords({ PAGER: 'less -S "a b"; rm x' })).toEqual(['less', '-S', 'a b;', 'rm', 'x']);
  for (const PAGER of ['', 'cat', ' ']) expect(pagerWords({ PAGER })).toBeUndefined();
});

test('a text was shown by a pager that ended, and by none that cannot be started', async () => {
  expect([
    await pageThrough(['true'], 'a'.repeat(1_000_000), process.env),
    await pageThrough(['no-such-pager'], 'a', process.env),
  ]).toEqual([true, false]);
});

test('progress is a bar on a terminal, and a line for each 10% elsewhere', () => {
  const run = (stderr: boolean) => {
    const said: string[] = [];
    let now = 0;
    const line = createProgress({
      err: (text) => said.push(text),
      clock: { now: () => now, after: () => () => {} },
      isTerminal: { stdin: false, stdout: false, stderr },
    });
    for (let step = 0; step <= 100; step += 1) {
      now += 50;
      line.tell({ step: 'sending', share: step / 100, notes: ['2 MB/s'] });
    }
    line.end();
    return said;
  };
  expect(run(false)).toHaveLength(11);
  expect(run(false)[3]).toBe('sending 30%; 2 MB/s\n');
  const drawn = run(true);
  expect(drawn[0]).toMatch(/^\r\u001b\[Ksending \[\.{20}\] 0%; 2 MB\/s$/);
  expect(drawn.at(-2)).toContain(`[${'#'.repeat(20)}] 100%`);
  expect(drawn.at(-1)).toBe('\r\u001b[K');
  expect(drawn.length).toBeLessThan(40);
});

test('a list that takes long tells how far it is, also in a pipe', async () => {
  const told = async (more: readonly { readonly rows: number; readonly total?: number }[], stepMs = 3000) => {
    const said: string[] = [];
    let now = 0;
    const io = {
      err: (text: string) => void said.push(text),
      clock: { now: () => now, after: () => () => {} },
      isTerminal: { stdin: false, stdout: false },
    };
    await withProgress(io, 'Users', async (partial) => {
      for (const { rows, total } of more) {
        now += stepMs;
        partial({ rows: new Array(rows), total });
      }
    });
    return said;
  };
  const pages = Array.from({ length: 39 }, (_, at) => ({ rows: (at + 1) * 100, total: 4000 }));
  const lines = await told(pages);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('reading Users 5%; 200 of 4000 rows; 33/s; 2m left\n');
  expect(lines[4]).toMatch(/^reading Users 40%; 1600 of 4000 rows; 33\/s; 1m left\n$/);
  expect(await told(pages.map(({ rows }) => ({ rows })))).toHaveLength(10);
  expect(await told(pages.slice(0, 1), 4999)).toEqual([]);
  expect(await told(pages.slice(0, 1), 5000)).toEqual(['reading Users 2%; 100 of 4000 rows; 20/s; 3m left\n']);
});
