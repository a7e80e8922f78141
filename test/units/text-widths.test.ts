import { test } from 'vitest';
import { underlined } from '../../src/cli/judge-monitor.ts';
import { condensed, facts, gap, head, pair, section, textLine } from '../../src/describe/column.ts';
import { firstLines, layoutLines, layoutPage, pageAnchor, pageTop } from '../../src/lib/detail-page.ts';
import { columnAt, placeAt, rowAt, textRows } from '../../src/lib/form-text.ts';
import { thrownText } from '../../src/lib/function-results.ts';
import { parseExact } from '../../src/lib/json.ts';
import {
  clip,
  cut,
  cutAfterPart,
  firstThree,
  fit,
  formatCount,
  graphemeAfter,
  graphemeBefore,
  graphemeBoundary,
  pastTense,
  plural,
  pluralNoun,
  sparkline,
  squeeze,
  wrap,
} from '../../src/lib/text.ts';
import { changedParts, changedWords, matchesOn } from '../../src/lib/text-matches.ts';
import { firstOf, storedAs, sweep, upTo, writtenLines } from '../support/sweeps.ts';

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? '';

/** Short and long words, wide and joined characters, breaks and what has none. */
const samples = [
  ...['Muted until 05:00 UTC, the disk of web-1: it notifies again then', 'host:web-1,env:prod,region:eu-central-1'],
  ...['a'.repeat(30), '決済サービスの遅延が大きい 🚨 now 👩‍🚒👩‍🚒 x', 'e\u0301te\u0301 cafe\u0301 na\u0308ive'],
  ...['one  two   three (four) [five] "six"; seven. Eight – nine/ten'],
  ...['a line\nand another one of them\r\n\nthe end'],
  ...['; begins with a sign, and (in brackets): goes on {x} to the end', '界a界 界 b 界界界界 c d 界'],
  ...['Delete the table; lookups stop working. You need the key to re-add it'],
  ...['runbook: https://a.test/runbooks/b (a/bcdefghijkl): x', '値\u0301\u00a0👩‍👩‍👧\u001b', ''],
];

test('texts are cut, wrapped and placed as was reviewed', async () => {
  const lines = samples.map((sample) =>
    sweep(text(sample), [0, 1, 2, 5, 9, 10, 13, 17, 18, 20, 26, 33], (width) => {
      const rows = textRows(sample, width);
      const edges = rows.map(({ start, end }) => [start, end].join('-'));
      const spots = [0, 3, 11, 24].map((at) => {
        const row = rows[rowAt(rows, at)];
        return row && [rowAt(rows, at), columnAt(sample, row, at), placeAt(sample, row, 4)].join('/');
      });
      return [
        text([cut(sample, width), cutAfterPart(sample, width), squeeze(sample, width)]),
        text([clip(sample, width), fit(sample, width), fit(sample, width, 'right', '>')]),
        text(wrap(sample, width)),
        `${edges.join(' ')} ${spots.join(' ')}`,
      ].join('\n');
    }),
  );
  const counts = [-12_345, Number.NaN, 0, 999, 1000, 9999, 10_000, 99_999, 1e6, 12_345_678, 1e9, 1e12, 10n ** 15n].map(
    formatCount,
  );
  const odd = 'a\r\nb\u007fe\u0301\n\u0301 👩‍🚒x~\u0301';
  const places = upTo(-1, odd.length + 1).map((place) =>
    [place, graphemeBefore(odd, place), graphemeAfter(odd, place), graphemeBoundary(odd, place)].join(),
  );
  const past = ['mute', 'new', 'undo', 'apply', 'enable/disable', 'add/copy/move', 'Mute', 'set x'].flatMap((title) =>
    [undefined, true, false].map((isFirst) => pastTense(title, isFirst)),
  );
  const words = ['issue', 'query', 'match', 'key', 'box', 'alias'].flatMap((one) =>
    [0, 1, 2n].map((amount) => plural(amount, one)),
  );
  const others = [
    `counts ${text(counts)}`,
    text([...words, pluralNoun(1n, 'issue')]),
    text([places, past, [2, 3, 4, 5].map((count) => firstThree([...'abcde'].slice(0, count)))]),
    ...[
      [],
      [0],
      [1, 2, 3],
      [0, 0, 9],
      [5, 5],
      [1e9, 1],
      [0, Number.NaN, 7],
      [1, 2, 3, 4, 5, 6, 7, 8],
      Array.from({ length: 30 }, (_, at) => at),
    ].map((trend) =>
      text([0, 1, 3, 8, 40].flatMap((width) => [sparkline(trend, width), sparkline(trend, width, true)])),
    ),
    sweep('underlined', upTo(3, 96), (at) =>
      text([
        underlined('a'.repeat(100), { start: at, end: at + 4 }),
        underlined('a'.repeat(at), { start: 3, end: 53 }),
      ]),
    ),
    thrownText('no error'),
    ...[159, 160, 161].map((length) => thrownText(new Error('x'.repeat(length - 'Error: '.length)))),
    ...[
      ...['1234567890123456', '[1,123456789012345]', '{"a":12345678901234567890}'],
      ...['["9999999999999999",9999999999999999]', '9'.repeat(400), '9'.repeat(401)],
    ].map((json) => text(parseExact(json))),
  ];
  await storedAs('text-widths', [...lines, ...others]);
});

test('the differences of texts are as was reviewed', async () => {
  const words = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`);
  const short = upTo(10, 85).flatMap((count) => {
    const [before, after] = ['old', 'new'].map((word) => [
      `${'a '.repeat(count)}${word}${' b'.repeat(90)}`,
      `${'a '.repeat(90)}${word}${' b'.repeat(count)}`,
      `${'c'.repeat(90)} ${word}${' c'.repeat(count)} ${word}`,
      `${word} ${'d'.repeat(count)} ${'d'.repeat(90)} ${'d'.repeat(count)} ${word}`,
    ]);
    return (before ?? []).map((one, at) => [one, after?.[at] ?? ''] as const);
  });
  const long: readonly (readonly [string, string])[] = [20, 40, 60, 90].flatMap((count) => {
    const old = words(0, count);
    const half = count / 2;
    return [
      [old, old.with(half, 'other')],
      [old, old.with(0, 'first').with(-1, 'last')],
      [old, old.toSpliced(half, 3)],
      [old, [...old, 'more']],
      [old, old.with(half, 'x'.repeat(120))],
      [old, []],
      [[old.join(' ').slice(0, 159)], ['y']],
      [[old.join(' ').slice(0, 160)], ['y']],
      [[old.join(' ').slice(0, 161)], ['y']],
      [[`${'x'.repeat(79)} ${'y'.repeat(100)}`], [`${'x'.repeat(79)} ${'y'.repeat(80)}z`]],
      [[`${'x'.repeat(99)} b ${'y'.repeat(half)}`], [`${'x'.repeat(99)} c ${'y'.repeat(half)}`]],
    ].flatMap(([before = [], after = []]) =>
      [' ', '\n', ''].map((joint) => [before.join(joint), after.join(joint)] as const),
    );
  });
  const lines = [...long, ...short].map(([before, after]) =>
    text([changedWords(before, after), changedParts(before, after).map(({ sign, text }) => sign + text)]),
  );
  await storedAs('text-changes', firstOf(lines, 34));
});

test('pages are laid out, and searched, as was reviewed', async () => {
  const parts = [3, 9, 14, 30].map((count, at) =>
    section(`s${at}`, at === 0 ? '' : `Section ${at}`, [
      ...Array.from({ length: count }, (_, line) => textLine(`line ${line} of ${at}`)),
      textLine('a long line that is wrapped where the column is narrow, and once more where it is very narrow indeed'),
    ]),
  );
  const lines = [1, 2, 3, 4].flatMap((amount) =>
    [40, 78, 118, 150, 198].map((width) =>
      sweep(`${amount} at ${width}`, upTo(8, 70), (rows) => {
        const page = layoutPage(parts.slice(0, amount), width, rows);
        const columns = page.columns.map(({ sections, lines }) => [
          sections.map(({ id }) => id).join('+'),
          lines.length,
          lines
            .at(-1)
            ?.map(({ text }) => text)
            .join(''),
        ]);
        const found = [...matchesOn(page, 'where the'), ...matchesOn(page, 'e ')].map((spots) =>
          spots.map(({ column, line, start, end }) => [column, line, start, end].join('.')),
        );
        return `${page.width}x${page.height} ${text(columns)} ${text(found)}`;
      }),
    ),
  );
  await storedAs('page-layouts', lines);
});

const details = {
  'labels of a section': [pair('host:db-13,device:/var/log', 'OK 18m'), pair('host:db-12,device:/data', 'No data 4')],
  'long labels and values': [
    pair('Monitored resource providers', 'none'),
    pair('Tags', 'a b '.repeat(7)),
    pair('メッセージ', `値が未定義です ${'x'.repeat(40)}`, 'bad'),
    pair('ID', 'x'.repeat(30)),
  ],
  'heads and texts': [
    textLine('ALERT 4m'),
    pair('Muted', 'until 09:00 UTC'),
    gap,
    head('Options of a long name'),
    pair('Notify no data', 'no'),
    pair('', 'no label'),
    textLine('two lines\nof a text', 'warn'),
  ],
  facts: [
    facts(
      { label: 'runbook', text: 'https://runbooks.example.test/a' },
      { text: 'P1', tone: 'bad' },
      { label: 'by', text: 'Robin Vale and others' },
    ),
    facts({ text: 'x'.repeat(40) }),
  ],
  'no labels': [pair('', 'x'.repeat(40)), pair('', 'short')],
  preview: condensed([
    textLine('Index: 1'),
    gap,
    pair('state', 'OPEN', 'warn'),
    pair('file', ''),
    pair('users', 12),
    head('scopes'),
    textLine('a'),
    textLine('b'),
  ]),
};

test('details are laid out as was reviewed', async () => {
  const laid = Object.entries(details).map(([title, lines]) =>
    sweep(title, upTo(3, 60), (width) => layoutLines(lines, width)),
  );
  const cut = sweep('lines with room', upTo(0, 9), (room) =>
    writtenLines(firstLines(layoutLines(details['heads and texts'], 40), room)),
  );
  const page = layoutPage([section('a', 'A', details.preview), section('b', 'B', details.facts)], 40, 3);
  const places = upTo(-1, page.height).map((line) =>
    text([
      pageAnchor(page, line),
      pageTop(page, pageAnchor(page, line), 3),
      pageTop(page, { section: 'gone', top: line }, 3),
    ]),
  );
  const aside = [8, 20, 40].flatMap((rows) =>
    [56, 115, 160, 240].map((width) =>
      sweep(`beside others in ${width}x${rows}`, upTo(1, 40), (count) => {
        const parts = upTo(1, 1 + (count % 4)).map((at) =>
          section(
            `s${at}`,
            `S ${at}`,
            upTo(1, count).map((line) => textLine(`line ${line} of ${at}`)),
          ),
        );
        const beside = [
          section('x', 'X', details.facts),
          section(
            'y',
            'Y',
            upTo(1, 12).map((line) => textLine(`beside ${line} ${'and more '.repeat(8)}`)),
          ),
          section('none', 'Z', []),
          section('one', 'One', [textLine('line')]),
        ].slice(count % 3);
        const laid = layoutPage(parts, width, rows, beside);
        return `${laid.width}x${laid.height} ${text(laid.columns.map(({ sections, lines }) => [sections.map(({ id, at, length }) => `${id}@${at}+${length}`).join(' '), lines.length]))}`;
      }),
    ),
  );
  await storedAs('details', [...laid, cut, ...places, ...aside]);
});
