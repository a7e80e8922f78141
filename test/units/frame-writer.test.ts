import { GCProfiler, getHeapStatistics } from 'node:v8';
import xterm, { type IBufferCell, type Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankRow, createPalette, readRow } from '../../src/terminal/frame/cells.ts';
import { createFrameWriter, drawRows } from '../../src/terminal/frame/frame-writer.ts';
import {
  across,
  acrossBytes,
  bytesOnWire,
  createRowDiff,
  penAtHome,
  repeatsIn,
} from '../../src/terminal/frame/row-diff.ts';
import { createTerminalModel } from '../bench/terminal-model.ts';
import { runs } from '../support/runs.ts';
import { storedAs, sweep, upTo } from '../support/sweeps.ts';
import { measureAsToday, measureSymbolsWide } from '../support/widths.ts';

const esc = '\u001B';
const columns = 24;
const rows = 6;

/** Pieces of a line: texts of each width, blanks, styles that end by themselves, links, and what must never act. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'a',
      'bc',
      'OK',
      ' ',
      '    ',
      '            ',
      '─│╭',
      '─'.repeat(9),
      '•●▲',
      '…',
      'x'.repeat(columns - 1),
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('漢', '字', '한', 'é', 'e\u0301', '🔥', '⚠', '🇩🇪', 'ｱ') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          '1',
          '2',
          '1;2',
          '1;31',
          '7',
          '4',
          '9',
          '38;5;12',
          '38;2;1;2;3',
          '41',
          '48;5;7;30',
          '3;92;100',
          '53',
        ),
        fc.constantFrom('x', 'yy', '  ', '漢', ' z '),
      )
      .map(([sgr, text]) => `${esc}[${sgr}m${text}${esc}[0m`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      `${esc}]8;;https://example.test/a${esc}\\link${esc}]8;;${esc}\\`,
      `${esc}]8;;javascript:x${esc}\\bad${esc}]8;;${esc}\\`,
      `${esc}]52;c;eA==\u0007`,
      `${esc}[2J`,
      `${esc}[?1049l`,
      '\u009b31m',
      '\r',
      '\u0008',
      '\u202e',
      `${esc}[1;2;31mx${esc}[22;2my${esc}[0m`,
      '\ud800',
    ),
  },
);
/** Two lines often have the same text between pieces that differ. */
const line = fc.oneof(
  fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
  fc.tuple(piece, piece, piece).map(([one, other, last]) => `${one}--------${other}        ${last}`),
);
/** Frames that share most of their lines with those before, as those of a person's keys do. */
const frames = fc
  .tuple(
    fc.array(line, { minLength: 3, maxLength: 8 }),
    fc.array(fc.array(fc.nat(7), { minLength: rows, maxLength: rows }), { minLength: 2, maxLength: 8 }),
  )
  .map(([lines, picks]) => picks.map((places) => places.map((at) => lines[at % lines.length] as string).join('\n')));

/** A pool of lines, of which each frame shows those from some place on, between a first and a last line. */
const shiftedFrames = fc
  .tuple(fc.array(line, { minLength: rows, maxLength: 12 }), fc.array(fc.nat(8), { minLength: 2, maxLength: 6 }), line)
  .map(([pool, offsets, other]) =>
    offsets.map((from) =>
      ['head', ...pool.slice(from, from + rows - 2), from % 3 === 0 ? other : 'foot'].slice(0, rows).join('\n'),
    ),
  );

/** More lines than the writer keeps rows for, some of which come back. */
const manyLines = fc
  .tuple(
    fc.array(line, { minLength: 30, maxLength: 40 }),
    fc.array(fc.array(fc.nat(39), { minLength: rows, maxLength: rows }), { minLength: 6, maxLength: 8 }),
  )
  .map(([lines, picks]) =>
    [...picks, ...picks.slice(0, 2)].map((places) => places.map((at) => lines[at % lines.length] as string).join('\n')),
  );

const open = (measure: (terminal: Terminal) => void): Terminal => {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  measure(terminal);
  return terminal;
};
const written = (terminal: Terminal, bytes: string) => new Promise<void>((done) => terminal.write(bytes, done));

/** What a person sees: text and look of each cell; the color of text does not matter on a blank. */
function seen(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, y) =>
    Array.from({ length: terminal.cols }, (_, x) => look(active.getLine(y)?.getCell(x) as IBufferCell)).join(''),
  );
}

function look(cell: IBufferCell): string {
  const text = cell.getChars() || ' ';
  const lines = [cell.isUnderline(), cell.isInverse(), cell.isStrikethrough(), cell.isOverline()].map(Number).join('');
  const color = `${cell.getBgColorMode()}:${cell.getBgColor()}`;
  const own = `${cell.isBold()}${cell.isDim()}${cell.isItalic()}:${cell.getFgColorMode()}:${cell.getFgColor()}`;
  const isBare = text === ' ' && lines === '0000';
  return `[${cell.getWidth()}${text}|${lines}|${color}|${isBare ? '' : text === ' ' ? own.slice(own.indexOf(':')) : own}]`;
}

const widths = [
  ['of today', measureAsToday],
  ['from before most emoji', () => undefined],
  ['of wide symbols', measureSymbolsWide],
] as const;

/** Letters, each in a color of its own: more than the writer has in its table. */
const colors = Array.from(
  { length: 72 },
  (_, at) => `${esc}[38;5;${at + 20}m${'abcdefg'[at % 7]}${at % columns === columns - 1 ? '\n' : ''}`,
);

/** Pairs of lines that few generated frames have. */
const pairs = [
  ['aaaaaaaaaa漢-------x', 'aaaaaaaaaa字-------y'],
  ['a⚠b', 'a⚠c'],
  ['a⚠bcd', 'axbcd'],
  ['axbcd', 'a⚠bcd'],
  ['a🔥cd', 'abbcd'],
  ['漢字漢字', ' 漢字漢'],
  [`${'x'.repeat(columns - 1)}a\nsecond`, `${'x'.repeat(columns - 1)}⚠\nsecond`],
  ['', `${'─'.repeat(columns)}\n${' '.repeat(columns - 1)}x`],
  ['', `${esc}[1;2;31mx${esc}[22;2my${esc}[0m`],
  ['a──b────c', '──────────'],
  ['abcd──────x', '──────────x'],
  ['', '~'.repeat(9)],
  ['abcdefghijklm', '       hijkLm'],
  ['', `\u0301a${esc}[1m\u0301b漢${esc}[31m\u0301c${esc}[0m`],
  ['⚠ab⚠cdefgh', '⚠aB⚠cdefgH'],
  ['', `\u1100\u1161x\u1100\u1161`],
  [colors.join(''), colors.toReversed().join('').trim()],
  ['abcdef', `${esc}[31me\u0301te\u0301${esc}[41m e\u0301 ${esc}[0m`],
] as const;

const repeats = fc.constantFrom('none', 'ascii', 'all');

test.each(widths)('frames drawn as differences look like the last one drawn afresh, with widths %s', (_, measure) =>
  fc.assert(
    fc.asyncProperty(fc.oneof(frames, shiftedFrames, manyLines), repeats, async (all, repeated) => {
      const writer = createFrameWriter({ columns, rows }, repeated);
      const afresh = createFrameWriter({ columns, rows });
      const [changed, whole] = [open(measure), open(measure)];
      for (const frame of all) await written(changed, writer.draw(frame));
      await written(whole, afresh.draw(all.at(-1) ?? ''));
      expect(seen(changed)).toEqual(seen(whole));
    }),
    { numRuns: runs(150), examples: pairs.map((pair): [string[], 'all'] => [[...pair], 'all']) },
  ),
);

test('a frame drawn afresh looks like its lines, and nothing of a line acts on the terminal', () =>
  fc.assert(
    fc.asyncProperty(frames, async ([frame = '']) => {
      const writer = createFrameWriter({ columns, rows });
      const terminal = open(measureAsToday);
      const events: string[] = [];
      terminal.onTitleChange(() => events.push('title'));
      terminal.onData(() => events.push('reply'));
      const bytes = writer.draw(frame);
      await written(terminal, bytes);
      expect(events).toEqual([]);
      expect(bytes).not.toMatch(
        /[\u0000-\u0007\u0009\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e]|\u001B\]52|\u001B\[\?/,
      );
      expect(bytes).not.toContain('javascript');
      expect(terminal.buffer.active.type).toBe('normal');
    }),
    { numRuns: runs(300) },
  ));

test('the same frame again writes nothing', () =>
  fc.assert(
    fc.property(frames, ([frame = '']) => {
      const writer = createFrameWriter({ columns, rows });
      writer.draw(frame);
      expect(writer.draw(frame)).toBe('');
    }),
    { numRuns: runs(100) },
  ));

test('after forget and after a resize the frame is drawn whole', async () => {
  const writer = createFrameWriter({ columns, rows });
  writer.draw('a\nb');
  writer.forget();
  expect(writer.draw('a\nb')).toContain(`${esc}[J`);
  writer.resize({ columns: 5, rows: 2 });
  const terminal = open(measureAsToday);
  await written(terminal, writer.draw('123456\nb\nnever'));
  expect(
    seen(terminal).map((row) =>
      [...row.matchAll(/\[\d(.)\|/gu)]
        .map((match) => match[1])
        .join('')
        .trimEnd(),
    ),
  ).toEqual(['12345', 'b', '', '', '', '']);
});

test('only changed cells are written, with the shortest move and the least styling', () => {
  const writer = createFrameWriter({ columns: 80, rows: 24 });
  const bold = (text: string) => `${esc}[1m${text}${esc}[22m`;
  writer.draw(`one\ntwo  ${bold('x')}\nthree`);
  expect(writer.draw(`one\ntwo  ${bold('y')}\nthree`)).toBe(`${esc}M${esc}[1my`);
  expect(writer.draw(`one\ntwo  ${bold('y')}\nthrfe`)).toBe(`${esc}D\b\b\b${esc}[mf`);
  expect(writer.draw(`one\ntwo  ${bold('y')}\nthrfe${'.'.repeat(40)}`)).toBe(`e${'.'.repeat(40)}`);
  expect(writer.draw(`one\ntwo  ${bold('y')}\nthrfe`)).toBe(`${esc}[6G${esc}[K`);
  expect(writer.draw(`one\ntwo  ${bold('y')}\nthrfe\na`)).toBe('\r\na');
});

/** Lines 1 to 40 of a text, and those of a frame that shows some of them from a place on. */
const text = Array.from({ length: 40 }, (_, at) => `line ${at} ${'abcdefghij'.repeat(3)} ${at * at}`);
const window = (from: number, shown = text) => ['head', ...shown.slice(from, from + 16), 'foot'].join('\n');

test('a window that has shifted is scrolled within margins', () => {
  const writer = createFrameWriter({ columns: 80, rows: 18 });
  writer.draw(window(0));
  expect(writer.draw(window(1))).toBe(`${esc}[2;17r${esc}[2H${esc}[M${esc}[r${esc}[17H${text[16]}`);
  expect(writer.draw(window(0))).toBe(`${esc}[2;17r${esc}[2H${esc}[L${esc}[r${esc}D${text[0]}`);
  expect(writer.draw(window(3))).toMatch(/^\u001B\[2;17r\u001B\[2H\u001B\[3M\u001B\[r\u001B\[15Hline/);
  writer.draw(`${window(3)}${esc}[41m x`);
  expect(writer.draw(`${window(4)}${esc}[41m x`)).toMatch(/^\u001B\[m\u001B\[2;17r/);
});

test('around a row that stays where it is two windows scroll', () => {
  const writer = createFrameWriter({ columns: 80, rows: 18 });
  const marked = (from: number) => text.with(from + 8, `> ${esc}[7m${text[from + 8]}${' '.repeat(30)}${esc}[27m`);
  writer.draw(window(0, marked(0)));
  const bytes = writer.draw(window(1, marked(1)));
  expect(bytes.match(/\u001B\[[\d;]*r/g)).toHaveLength(4);
  expect(bytes.length).toBeLessThan(400);
});

test('rows at the ends of a window move with it though a letter of them changes', () => {
  const writer = createFrameWriter({ columns: 80, rows: 18 });
  const changed = (...places: readonly number[]) =>
    text.map((line, at) => (places.includes(at) ? line.replace('line', 'lime') : line));
  writer.draw(window(0));
  const bytes = writer.draw(window(1, changed(1, 15)));
  expect(bytes).toMatch(/^\u001B\[2;17r\u001B\[2H\u001B\[M\u001B\[r/);
  expect(bytes.length).toBeLessThan(80);
});

/** Lines that take the place of one another. */
const kinds = [
  'abc',
  `a${' '.repeat(18)}bc`,
  'x'.repeat(columns),
  `${'x'.repeat(columns - 1)}⚠`,
  'a-b------c---------d----',
  '漢字 漢字 ok 漢字',
  ' 漢字漢字 ok⚠ 漢字',
  'e\u0301e\u0301e\u0301⚠⚠\u0301 🔥b',
  '─'.repeat(columns + 1),
  `─${'-'.repeat(11)}${' '.repeat(10)}─-`,
  `${esc}[7mone${esc}[27m  ${esc}[1;2mtwo${esc}[22m ${esc}[4m    ${esc}[24m x`,
  `${esc}[31mone  ${esc}[1mtwo${esc}[0m ${esc}[41m    ${esc}[0m${'.'.repeat(8)}`,
  `${esc}[38;5;9;48;2;1;2;3mo${esc}[39;3mne${esc}[49;9m--${esc}[53m----${esc}[23;29;55m--------${esc}[90;107mx`,
  `a ${esc}]8;;https://a.test/${esc}\\link${esc}]8;;https://b.test/\u0007 and${esc}]8;;x:y${esc}\\ none`,
];
/** Windows of rows that shift: whole, around a row that is marked, and with others at their ends. */
const windows = [
  ...[0, 1, 0, 3, 20, 18].map((from) => window(from)),
  ...[2, 3, 5].map((from) => window(from, text.with(from + 8, `> ${esc}[7m${text[from + 8]}     ${esc}[27m`))),
  ...[5, 6, 4].map((from) => window(from, text.with(from, `lime ${from}`).with(from + 14, `${text[0]}${esc}[41m x`))),
];

test('what is written where frames take the place of one another is as was reviewed', async () => {
  const written = (drawn: (repeated: 'none' | 'ascii' | 'all') => readonly string[]) => {
    const [none = [], ascii = [], all = []] = (['none', 'ascii', 'all'] as const).map(drawn);
    const lines = none.map((line, at) => [...new Set([line, ascii[at], all[at]])].join(' or '));
    return (at: number) => JSON.stringify(lines[at]).replaceAll('\\u001b', '^');
  };
  // In each of some rows, and beside a change of another one.
  const changes = kinds.map((line, from) => {
    const drawn = written((repeated) => {
      const writer = createFrameWriter({ columns, rows }, repeated);
      return kinds.flatMap((other, to) =>
        [line, other].map((text, turn) =>
          writer.draw(`${'\n'.repeat((from + to) % 3)}${text}\n\n${to % 2 === turn ? 'last' : 'list'}`),
        ),
      );
    });
    return sweep(`${from} and each line`, upTo(0, 2 * kinds.length - 1), drawn);
  });
  const frames = (title: string, given: readonly string[], size: { columns: number; rows: number }) =>
    sweep(
      title,
      upTo(0, given.length - 1),
      written((repeated) => {
        const writer = createFrameWriter(size, repeated);
        return given.map((frame) => writer.draw(frame));
      }),
    );
  await storedAs('frames', [
    ...changes,
    frames('pairs', pairs.flat(), { columns, rows }),
    frames('windows', windows, { columns: 80, rows: 18 }),
  ]);
});

test('scrolling never takes more bytes than writing what changed', () => {
  const palette = createPalette();
  const diff = createRowDiff(palette, columns, 'none');
  const read = (frame: string) => {
    const lines = Array.from({ length: rows }, (_, at) => frame.split('\n')[at] ?? '');
    return { lines, rows: lines.map((given) => readRow(given, palette, blankRow(columns))) };
  };
  fc.assert(
    fc.property(fc.oneof(frames, shiftedFrames), ([first = '', second = '']) => {
      const writer = createFrameWriter({ columns, rows });
      writer.draw(first);
      const { pen } = drawRows(penAtHome, diff, read(''), read(first));
      const { bytes } = drawRows(pen, diff, read(first), read(second));
      expect(bytesOnWire(writer.draw(second))).toBeLessThanOrEqual(bytesOnWire(bytes));
    }),
    { numRuns: runs(300) },
  );
});

test('repetitions never take more bytes than the characters, and no cell more changes on the way', () =>
  fc.assert(
    fc.asyncProperty(frames, async ([first = '', second = '']) => {
      const all: { bytes: number; blink: number }[] = [];
      for (const repeated of ['all', 'ascii', 'none'] as const) {
        const model = createTerminalModel(columns, rows);
        const writer = createFrameWriter({ columns, rows }, repeated);
        const drawn = writer.draw(first);
        await model.take(drawn);
        all.push({ bytes: bytesOnWire(drawn), blink: await model.take(writer.draw(second)) });
        model.dispose();
      }
      expect(all.map(({ bytes }) => bytes)).toEqual(all.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
      expect(all[0]?.blink).toBeLessThanOrEqual(all[2]?.blink as number);
    }),
    { numRuns: runs(100) },
  ));

test('a run of one look is written once and repeated, where the terminal is known to do that', () => {
  const drawn = (repeated: 'none' | 'ascii' | 'all', before: string, after: string) => {
    const writer = createFrameWriter({ columns: 40, rows: 2 }, repeated);
    writer.draw(before);
    return writer.draw(after);
  };
  const box = '─'.repeat(40);
  expect(drawn('all', '', `\n${box}`)).toBe(`${esc}D─${esc}[39b`);
  expect(drawn('ascii', '', `\n${box}`)).toBe(`${esc}D${box}`);
  expect(drawn('ascii', '', `\n${'-'.repeat(9)}|`)).toBe(`${esc}D-${esc}[8b|`);
  expect(drawn('none', '', `\n${'-'.repeat(9)}|`)).toBe(`${esc}D---------|`);
  for (const few of ['aaaaa', '──', '漢漢漢漢漢漢', 'e\u0301'.repeat(9), '⚠⚠⚠⚠⚠⚠', `─${esc}[1m─${esc}[0m─`])
    expect(drawn('all', '', few)).not.toContain('b');
  // Over cells that are so already, and not to the end of those.
  expect(drawn('all', `a──b────c`, `──────────`)).toBe(`\r─${esc}[9b`);
  expect(drawn('all', `abcd──────x`, `──────────x`)).toBe(`\r─${esc}[3b`);
});

test.each<[string, ...Record<string, string>[]]>([
  ['all', { TERM: 'xterm-kitty' }, { TERM: 'foot-extra' }, { TERM: 'alacritty' }, { TERM: 'xterm-ghostty' }],
  ['all', { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' }, { TERM: 'xterm-256color', VTE_VERSION: '6003' }],
  ['all', { TERM: 'xterm', XTERM_VERSION: 'XTerm(379)' }, { TERM: 'xterm-256color', WT_SESSION: 'x' }],
  ['ascii', { TERM: 'screen-256color', TERM_PROGRAM: 'tmux', KITTY_WINDOW_ID: '1' }],
  ['none', {}, { TERM: 'xterm-256color' }, { TERM: 'linux' }, { TERM: 'vt220', TERM_PROGRAM: 'vscode' }],
  ['none', { TERM: 'screen', STY: '1.pts', VTE_VERSION: '7000' }, { TERM: 'tmux-256color' }, { TERM: 'screen' }],
  ['none', { TERM: 'xterm-256color', VTE_VERSION: '5202' }, { TERM: 'xterm-kitty', NVIM: '/run/nvim' }],
  ['none', { TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }],
])('what a terminal repeats is known of its variables: %s of %j', (expected, ...environments) => {
  for (const env of environments) expect(repeatsIn(env)).toBe(expected);
});

test('no cell changes on the way that ends as it was', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20), { minLength: 2, maxLength: 5 }), fc.nat(15), async (offsets, cursor) => {
      const writer = createFrameWriter({ columns: 60, rows: 18 });
      const model = createTerminalModel(60, 18);
      for (const [frame, from] of offsets.entries()) {
        const lines = text.with(from + cursor, `> ${esc}[7m${text[from + cursor]}  ${esc}[27m`);
        const blink = await model.take(writer.draw(window(from, lines)));
        if (frame > 0) expect(blink).toBe(0);
      }
      model.dispose();
    }),
    { numRuns: runs(20) },
  ));

test('blanks that were so already are erased with those between them', () => {
  const writer = createFrameWriter({ columns: 80, rows: 3 });
  const letters = 'a b c d e f g h i j k l m n';
  writer.draw(letters);
  expect(writer.draw(`a${' '.repeat(25)}n`)).toBe(`${esc}[3G${esc}[24X`);
  expect(writer.draw(`a${' '.repeat(25)}n\n\n..漢字`)).toBe(`${esc}[3H..漢字`);
  expect(writer.draw(`a${' '.repeat(25)}n\n\n..漢子`)).toBe('\b\b子');
});

test('the bytes of a move within a row are counted as they are written', () => {
  const columns = [undefined, 0, 1, 2, 3, 4, 8, 9, 10, 98, 99, 100, 101, 250, 990, 998, 999, 1000, 1001];
  for (const from of columns)
    for (const to of columns) if (to !== undefined) expect(acrossBytes(from, to)).toBe(across(from, to).length);
});

test('characters of several signs are forgotten when they are many, and those that are shown stay', async () => {
  const writer = createFrameWriter({ columns, rows });
  const terminal = open(measureAsToday);
  const marked = (at: number) => String.fromCodePoint(0x4e00 + at, 0x301);
  const others = (at: number) =>
    Array.from({ length: 60 - (at % 7) }, (_, cell) => marked(1 + at * 60 + cell)).join('');
  const frame = (at: number) => [...(others(at).match(/.{1,24}/g) ?? []), `${marked(0)}${at}`].join('\n');
  for (let at = 0; at < 100; at += 1) {
    const bytes = writer.draw(frame(at));
    await written(terminal, bytes);
    expect(bytes.includes(marked(0))).toBe(at === 0);
  }
  const afresh = open(measureAsToday);
  await written(afresh, createFrameWriter({ columns, rows }).draw(frame(99)));
  expect(seen(terminal)).toEqual(seen(afresh));
});

/** Bytes that the work leaves to the collector or keeps. */
function allocatedBy(work: () => void): number {
  const used = () => getHeapStatistics().used_heap_size;
  const profiler = new GCProfiler();
  profiler.start();
  let [sum, last] = [0, used()];
  work();
  const now = used();
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    sum += beforeGC.heapStatistics.usedHeapSize - last;
    last = afterGC.heapStatistics.usedHeapSize;
  }
  return sum + now - last;
}

test('a page of 40 lines leaves the collector a third of what it left when rows were arrays of texts', () => {
  const page = (from: number) =>
    Array.from(
      { length: 40 },
      (_, at) =>
        `│ ${esc}[31mALERT${esc}[0m ${from + at} ${'abcdefghij'.repeat(5)} ${esc}[2m${(from + at) * 7}${esc}[0m ${'x'.repeat((from + at) % 30)}`,
    ).join('\n');
  const pages = Array.from({ length: 60 }, (_, at) => page(at * 41));
  const writer = createFrameWriter({ columns: 120, rows: 40 });
  const draw = (some: readonly string[]) => () => some.forEach((one) => void writer.draw(one));
  draw(pages.slice(0, 30))();
  // 174 KB; it was 809 KB, and their collection a sixth of a key.
  expect(allocatedBy(draw(pages.slice(30))) / 30).toBeLessThan(270_000);
});
