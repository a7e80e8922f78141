import { test } from 'vitest';
import type { BlockColumn } from '../../src/describe/derived.ts';
import { paint } from '../../src/lib/paint.ts';
import { type BlockLine, blockHeights, blockWidths, boardBlock, wholePieces } from '../../src/scene/board-block.ts';
import * as span from '../../src/scene/span.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { theme } from '../support/line-examples.ts';
import { looksOf, spansOf, storedAs, sweep, upTo, writtenLines } from '../support/sweeps.ts';

const { ellipsis } = theme.glyphs;
const named = (count: number) => upTo(1, count).map((nth) => paint(`r${nth}`));

test('pieces of lines are cut, marked and put together as was reviewed', async () => {
  const line = spansOf('plain {bad:値値値}{warn+:KEPT}{dim: and the rest}');
  const cuts = [ellipsis, '' as const].map((sign) =>
    sweep(`cut with "${sign}"`, upTo(-1, 31), (width) => {
      const fit = writtenLines([span.fitSpans(line, width, sign)], Math.max(0, width));
      return `${looksOf(span.cutSpans(line, width, sign))} | ${fit}`;
    }),
  );
  const groups = ['x', 'one', '{bad:two} 値', 'a long group of words', 'end'].map(spansOf);
  const flows = [0, 2].map((gap) =>
    sweep(`flow, ${gap}`, upTo(1, 42), (width) => span.flow(groups, width, gap, ellipsis)),
  );
  const marked = (some: string, ...places: number[]) =>
    looksOf(
      span.markedLine(
        spansOf(some),
        places.flatMap((start, at) => (at % 2 > 0 ? [] : [{ start, end: places[at + 1] ?? 0 }])),
      ),
    );
  const written = looksOf(line);
  const ranges = upTo(0, 22).flatMap((start) =>
    [0, 1, 7].map(
      (size) => `${start}+${size}: ${marked(written, start, start + size, start + size, start + size + 1)}`,
    ),
  );
  const tones = ['dim', 'quiet', 'label', 'good', ''].map((tone) => marked(`{${tone}:one two}`, 0, 2, 4, 7));
  const themes = (['default', 'mono', 'high-contrast'] as const).map((name) =>
    createTheme({ name, noColor: false, ascii: true }),
  );
  const rows = [
    ...[' > OPN{bad:  2 of 3  9 left }{strong:name}{good:4}', ' > {bad:  }{info:ACK} x', ' > OPN{strong:name}'],
    ...['{dim: > }{warn:ALERT}', ''],
  ];
  const bars = themes.flatMap((drawnBy) =>
    rows.flatMap((row) =>
      [false, true].map(
        (is) =>
          `${drawnBy.name} ${[span.underCursor(spansOf(row), drawnBy, is), span.choosable(spansOf(row), 20, is, drawnBy)].map(looksOf).join(' | ')}`,
      ),
    ),
  );
  const looks = ['', '*', '!', '_', '*_'].flatMap((marks) =>
    themes.map(
      (drawnBy) =>
        `${marks} ${spansOf(`{warn${marks}:x}`)
          .map((one) => JSON.stringify(span.resolveLook(one, drawnBy)))
          .join()}`,
    ),
  );
  const none = `${span.flow([], 9, 1, ellipsis).length}`;
  await storedAs('scene/spans', [
    ...cuts,
    ...flows,
    none,
    ...[ranges, tones, bars, looks].map((lines) => lines.join('\n')),
  ]);
});

test('windows, fields and what is heard of rows are as was reviewed', async () => {
  const windows = [0, 0, 1, 1, 5, 5, 5, 8, 9, 9, 7, 9].flatMap((at, nth, all) =>
    nth % 2 > 0
      ? []
      : [
          sweep(
            `window of 10 at ${at} to ${all[nth + 1]}`,
            upTo(0, 11),
            (height) => `${span.windowAt(at, height, 10, all[nth + 1])}`,
          ),
        ],
  );
  const fields = ['', 'a', '値', 'abcdefgh', 'ab値値cd', 'e\u0301\u001b👩‍👩‍👧x'].flatMap((text) =>
    upTo(-1, Math.min(9, text.length + 1)).map((cursor) =>
      sweep(`"${text}" at ${cursor}`, upTo(0, 11), (width) =>
        writtenLines([span.typing({ text, cursor }, width, theme)], width),
      ),
    ),
  );
  const rest = [false, true].flatMap((focused) =>
    ['', 'why 値', '値'].map((holder) =>
      sweep(`empty, ${focused}, ${holder}`, upTo(0, 8), (width) =>
        writtenLines(
          [span.fieldSpans({ text: '', cursor: 0, placeholder: paint(holder) }, width, focused, theme)],
          width,
        ),
      ),
    ),
  );
  const secret = looksOf(span.typing({ text: 'hunter2', cursor: 3, secret: true }, 12, theme));
  const heard = [{}, { narrowedBy: 'x' }, { most: 0 }, { most: 1 }, { most: 2 }, { none: paint('nothing') }].flatMap(
    (more) =>
      [0, 1, 2, 3, 20, 21].map((count) =>
        [-1, 19].map((at) => JSON.stringify(span.rowRemarks({ texts: named(count), at, ...more }))).join('\n'),
      ),
  );
  const said = [
    span.numbered(named(3)),
    span.numbered(named(3), 2),
    span.spanText(spansOf('  one {dim:   }{bad:two}')),
  ];
  await storedAs('scene/fields', [...windows, ...fields, ...rest, secret, heard.join('\n'), ...said]);
});

const columns: readonly BlockColumn[] = [
  { id: 'profile', title: 'PROFILE', priority: 4, max: 6 },
  { id: 'state', title: 'STATE', priority: 1 },
  { id: 'name', title: 'MONITOR', flex: true, priority: 1 },
  { id: 'group', title: 'GROUP', yields: true, max: 14, least: 5, priority: 3 },
  { id: 'total', title: 'ERRORS', unit: 'errors', align: 'right', priority: 2 },
  { id: 'since', priority: 6, least: 4 },
  { id: 'runbook', title: 'RUNBOOK', isHeaded: true, priority: 7 },
  { id: 'count', title: 'COUNT', priority: 2 },
];
/** A line with its cells in the order of the columns, `-` for none. */
function lineOf(id: string, written: string, more: Partial<BlockLine> = {}): BlockLine & { readonly send: string } {
  const cells = written
    .split(' | ')
    .flatMap((cell, at) => spansOf(cell === '-' ? '' : cell).map((one) => [columns[at]?.id ?? '', one]));
  return {
    ...{ id, cursor: false, fresh: false, pending: false, send: `open ${id}` },
    cells: Object.fromEntries(cells),
    ...more,
  };
}
const named40 = 'Disk of web-1 is nearly full in production';
const [whole] = spansOf('{dim:one text over the whole width of the block}');
const lines = [
  lineOf('a', `acme | {bad:ALERT} | ${named40} | {dim:host:web-1,env:prod} | 12k | 18m ago | yes`, { fresh: true }),
  lineOf('b', `- | {bad:ALERT} | ${named40} | - | 12k | - | yes`, { marked: true }),
  lineOf('c', 'acme | {bad:ALERT} | short | {dim:host:web-1,env:prod} | - | 18m ago | yes', { pending: true }),
  lineOf('d', '- | {bad:OK} | 値値値値'),
  lineOf('e', '', whole && { cells: whole }),
];

test('columns and heights of blocks are as was reviewed', async () => {
  const sets = {
    all: columns,
    'without a flex column': columns.filter(({ flex }) => !flex),
    least: columns.map((column) => (column.flex ? { ...column, least: 9 } : column)),
  };
  const long = lineOf('long', `acme | ALERT | ${named40} | {dim:host:web-1} | 12k | ${'x'.repeat(30)} | yes | 7`);
  const head = lineOf('h', '- | STATE | MONITOR | - | ERRORS | LAST SINCE | - | COUNT');
  const widths = Object.entries(sets).flatMap(([title, some]) =>
    [lines, lines.slice(2), lines.slice(4), [long]].map((shown, at) =>
      sweep(`${title}, ${at}`, upTo(1, 110), (width) =>
        [...blockWidths(some, shown, width, at % 2 > 0 ? [head] : [])].join(' '),
      ),
    ),
  );
  const needs = [
    [3, 9],
    [2, 0],
    [4, 4],
  ].map(([least = 0, wants = 0]) => ({ least, wants }));
  const heights = [needs, needs.slice(0, 1), []].map((some) =>
    sweep(`heights of ${some.length}`, upTo(0, 24), (height) => blockHeights(some, height).join()),
  );
  const pieces = spansOf('Now{bad: 2 ALERT}{good: 9 OK}{warn: 4 WARN}{info: 8 new since 05:12} 3').map((piece) =>
    piece.tone === 'info' ? { ...piece, short: paint(' 8 new') } : piece,
  );
  const titles = [pieces, pieces.slice(0, 1), []].map((some) =>
    sweep(`title of ${some.length}`, upTo(0, 60), (room) => looksOf(wholePieces(some, room))),
  );
  await storedAs('scene/block-columns', [...widths, ...heights, ...titles]);
});

function block(width: number, height: number, more: Partial<Parameters<typeof boardBlock<string>>[0]> = {}): string {
  const drawn = boardBlock({
    ...{ x: 1, y: 2, width, height, columns, lines, isFirst: true, isLast: true, active: true, theme },
    ...{
      title: spansOf('Now{bad: 12 ALERT}{good: 9 OK}'),
      empty: paint('Nothing needs a person now, and that is good'),
    },
    ...more,
  });
  return [
    `${looksOf(drawn.title)} | ${looksOf(drawn.titleRight ?? [])} | ${drawn.border} ${drawn.active}`,
    ...drawn.lines.map(
      ({ spans, role, isCursor, send = '' }) =>
        `${writtenLines([spans], width - 2)}  <${isCursor ? '>' : ''}${role} ${send}`,
    ),
  ].join('\n');
}

test('blocks are drawn at each size as was reviewed', async () => {
  const many = upTo(0, 11).map((at) =>
    lineOf(`${at}`, `- | {bad:ALERT} | Monitor ${at} | {dim:host:web-1,env:prod} | 12k | 18m ago | yes`),
  );
  const under = (some: typeof lines, id: string) => some.map((line) => ({ ...line, cursor: line.id === id }));
  const rest = (ids: readonly string[]) => spansOf(`and ${ids.length} more: {dim:${ids.join(' ')}}`);
  const trouble = paint('monitors cannot be read: the service answered with an error, and is asked again in a minute');
  await storedAs('scene/blocks', [
    sweep('five lines', upTo(1, 10), (height) => block(60, height)),
    sweep('twelve lines and their rest', upTo(6, 16), (height) =>
      block(44, height, { lines: many, rest, isLast: false }),
    ),
    sweep('twelve lines at the ninth', [2, 3, 8, 11], (height) => block(44, height, { lines: under(many, '9'), rest })),
    sweep('twelve lines, that under the cursor gone', [2, 3, 4], (height) =>
      block(44, height, { lines: under(many, '9').map((line) => ({ ...line, gone: line.cursor })) }),
    ),
    sweep('no lines', [1, 2, 3, 6], (height) => block(24, height, { lines: [] })),
    sweep('no lines, narrow', upTo(4, 30), (width) => block(width, 6, { lines: [] })),
    sweep('trouble, narrow', upTo(4, 30), (width) => block(width, 6, { lines: [], trouble })),
    sweep('narrow', upTo(3, 24), (width) => block(width, 4)),
    sweep('no lines and trouble', upTo(1, 7), (height) => block(30, height, { lines: [], trouble })),
    sweep('trouble above lines', upTo(2, 12), (height) => block(50, height, { trouble, lines: many.slice(0, 3) })),
    ...[...'abcde'].map((id) =>
      sweep(`under the cursor ${id}`, [20, 40, 78, 100], (width) => block(width, 8, { lines: under(lines, id) })),
    ),
    sweep('not active', upTo(0, 3), (at) =>
      block(40, 5, { active: at > 2, lines: under(lines, 'a'), isFirst: at % 2 === 0, isLast: at < 2 }),
    ),
    sweep('titles', upTo(8, 44), (width) =>
      [block(width, 4, { lines: many }), block(width, 9)].map((drawn) => drawn.split('\n')[0]).join('\n'),
    ),
  ]);
});
