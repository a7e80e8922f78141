import { expect, test } from 'vitest';
import { section, textLine } from '../../src/describe/column.ts';
import { layoutPage } from '../../src/lib/detail-page.ts';
import { columnAt, formParts, inputParts, placeAt, rowAt, textRows } from '../../src/lib/form-text.ts';
import { thrownText } from '../../src/lib/function-results.ts';
import { parseExact } from '../../src/lib/json.ts';
import { readTypedWindow } from '../../src/lib/recurrence.ts';
import { clip, cut, cutAfterPart, fit, formatCount, sparkline, squeeze, wrap } from '../../src/lib/text.ts';
import { changedParts, changedWords, matchesOn } from '../../src/lib/text-matches.ts';
import {
  dayAndTime,
  endInWords,
  readDuration,
  readUntil,
  shortDayAndTime,
  zonedTime,
} from '../../src/lib/typed-time.ts';

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? '';

/** Short and long words, wide and joined characters, breaks and what has none. */
const samples = [
  'Muted until 05:00 UTC, the disk of web-1: it notifies again then',
  'host:web-1,env:prod,region:eu-central-1',
  'a'.repeat(30),
  '決済サービスの遅延が大きい 🚨 now 👩‍🚒👩‍🚒 x',
  'e\u0301te\u0301 cafe\u0301 na\u0308ive',
  'one  two   three (four) [five] "six"; seven. Eight – nine/ten',
  'a line\nand another one of them\n\nthe end',
  '界a界 界 b 界界界界 c d 界',
  '',
];

test('texts are cut, wrapped and placed as was reviewed', async () => {
  const lines = samples.flatMap((sample) => [
    `# ${text(sample)}`,
    ...[1, 2, 5, 9, 10, 13, 20, 33].map((width) => {
      const rows = textRows(sample, width);
      const edges = rows.map(({ start, end }) => [start, end].join('-'));
      const spots = [0, 3, 11, 24].map((at) => {
        const row = rows[rowAt(rows, at)];
        return row && [rowAt(rows, at), columnAt(sample, row, at), placeAt(sample, row, 4)].join('/');
      });
      return [
        `${width}: ${text([cut(sample, width), cutAfterPart(sample, width), squeeze(sample, width)])}`,
        text([clip(sample, width), fit(sample, width), fit(sample, width, 'right', '>')]),
        text(wrap(sample, width)),
        `${edges.join(' ')} ${spots.join(' ')}`,
      ].join('\n  ');
    }),
  ]);
  const counts = [0, 999, 1000, 9999, 10_000, 99_999, 1e6, 12_345_678, 1e9, 10n ** 15n].map(formatCount);
  const others = [
    `counts ${text(counts)}`,
    ...[[], [0], [1, 2, 3], [0, 0, 9], [5, 5], [1e9, 1], Array.from({ length: 30 }, (_, at) => at)].map((trend) =>
      text([1, 3, 8, 40].flatMap((width) => [sparkline(trend, width), sparkline(trend, width, true)])),
    ),
    ...[159, 160, 161].map((length) => thrownText(new Error('x'.repeat(length - 'Error: '.length)))),
    ...[
      '1234567890123456',
      '[1,123456789012345]',
      '{"a":12345678901234567890}',
      '["9999999999999999",9999999999999999]',
    ].map((json) => text(parseExact(json))),
  ];
  await expect(`${[...lines, ...others].join('\n')}\n`).toMatchFileSnapshot('../support/stored/text-widths.txt');
});

test('the differences of texts are as was reviewed', async () => {
  const words = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`);
  const cases: readonly (readonly [string, string])[] = [20, 40, 60, 90].flatMap((count) => {
    const old = words(0, count);
    const half = count / 2;
    return [
      [old, old.with(half, 'other')],
      [old, old.with(0, 'first').with(-1, 'last')],
      [old, old.toSpliced(half, 3)],
      [old, [...old, 'more']],
      [old, old.with(half, 'x'.repeat(120))],
    ].flatMap(([before = [], after = []]) =>
      [' ', '\n', ''].map((joint) => [before.join(joint), after.join(joint)] as const),
    );
  });
  const lines = cases.map(([before, after]) =>
    text([changedWords(before, after), changedParts(before, after).map(({ sign, text }) => sign + text)]),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../support/stored/text-changes.txt');
});

test('pages are laid out, and searched, as was reviewed', async () => {
  const parts = [3, 9, 14, 30].map((count, at) =>
    section(`s${at}`, at === 0 ? '' : `Section ${at}`, [
      ...Array.from({ length: count }, (_, line) => textLine(`line ${line} of ${at}`)),
      textLine('a long line that is wrapped where the column is narrow, and once more where it is very narrow indeed'),
    ]),
  );
  const lines = [1, 2, 3, 4].flatMap((amount) =>
    [40, 78, 118, 158, 198].flatMap((width) =>
      [8, 16, 24, 44, 70].map((rows) => {
        const page = layoutPage(parts.slice(0, amount), width, rows);
        const columns = page.columns.map(({ sections, lines }) => [
          sections.map(({ id }) => id).join('+'),
          lines.length,
          lines
            .at(-1)
            ?.map(({ text }) => text)
            .join(''),
        ]);
        const found = matchesOn(page, 'where the').map((spots) =>
          spots.map(({ column, line, start, end }) => [column, line, start, end].join('.')),
        );
        return `${amount} in ${width}x${rows}: ${page.width}x${page.height} ${text(columns)} ${text(found)}`;
      }),
    ),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../support/stored/page-layouts.txt');
});

test('typed lengths, ends and windows are read as was reviewed', async () => {
  const typed = [
    ...[
      '1s',
      '0.999s',
      '999ms',
      '45m',
      '1h30m',
      '2 days',
      '1 week and 2 days',
      '3653 days',
      '3653d 1s',
      '10',
      '1h 30',
      'h',
    ],
    ...[
      'until 07:30',
      '07:30',
      '22:00',
      'tomorrow 09:00',
      'Tue 22:00',
      '2026-05-07',
      '2026-05-07 10:00',
      '2026-02-30',
      '24:00',
    ],
    ...[
      '22:00-23:30',
      '23:30-22:00',
      'Tue 22:00 for 2h',
      'tomorrow 10:00-12:00',
      '2026-05-09 10:00 for 90m',
      'every Tue 22:00 for 2h',
    ],
    ...[
      'every weekdays 09:00-17:00',
      'every day 12:00 for 30m',
      'every month on the 1st 10:00 for 1h',
      'every month on the 31st 10:00-11:00',
    ],
    ...[
      'every Tue, Thu 22:00 for 2h until 2026-06-01',
      'every Mon 22:00 for 25h',
      'every Foo 1:00 for 1h',
      'forever',
      'now',
      '',
    ],
  ];
  const now = Date.UTC(2026, 4, 6, 12);
  const lines = typed.flatMap((each) =>
    ['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) =>
      [
        each,
        zone,
        ...[readDuration(each), readUntil(each, now, zone), readTypedWindow(each, now, zone)].map(text),
      ].join(' | '),
    ),
  );
  const moments = [-400, -7, -1, 0, 1, 2, 6, 7, 30, 364, 366].flatMap((days) =>
    [0, 1, 11, 12, 13].map((hours) => {
      const moment = now + days * 86_400_000 + hours * 3_600_000 + 1000;
      return [dayAndTime, shortDayAndTime, zonedTime, endInWords]
        .map((words) => words(moment, now, 'Europe/Berlin'))
        .join(' | ');
    }),
  );
  const forms = [20, 40, 58, 62, 70, 78, 100, 118, 119, 120, 160, 161, 200].map((columns) =>
    text([
      columns,
      formParts(columns, true),
      ...[9, 24, 30].map((label) => inputParts(['x'.repeat(label), 'y'], columns)),
    ]),
  );
  await expect(`${[...lines, ...moments, ...forms].join('\n')}\n`).toMatchFileSnapshot(
    '../support/stored/text-times.txt',
  );
});
