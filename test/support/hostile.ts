import { createRandom } from '../../src/simulator/server/random.ts';

/** Texts that try to drive a terminal, numbered: each is `<h7.` + what is hostile + `.7h>`. The same seed gives the same ones. */
export interface HostileTexts {
  /** The next one: in turns characters at random, and sentences of a terminal's grammar. */
  next(): string;
  /** How many there were. */
  count(): number;
}

/** Characters that a terminal acts on, or that move, hide or swallow others. */
const ranges: readonly (readonly [low: number, high: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x20, 0x7e],
  [0x300, 0x36f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfff0, 0xffff],
  [0x1f1e6, 0x1f1ff],
  [0x1f3fb, 0x1f3ff],
  [0xe0000, 0xe007f],
  [0x00, 0x10ffff],
];

const payloads = [
  'QQ==',
  '?',
  'owned',
  'http://evil.test/\u001B[2J',
  'file:///etc/passwd',
  'rgb:ff/00/00',
  'id=1;http://x',
  '\u001B\u001B]52;c;QQ==\u0007',
  '+q544e',
  '$qm',
  '1;2;3',
];
const codes = [
  '0',
  '1',
  '2',
  '4',
  '7',
  '8;',
  '8;;',
  '9',
  '10',
  '11',
  '12',
  '52;c',
  '104',
  '133;A',
  '777;notify;a',
  '1337;File=',
];
const others = [
  ...['c', '7', '8', 'D', 'E', 'H', 'M', 'N', 'O', 'Z', '=', '>', '(0', ')B', '#8', '%G', ' F'].map(
    (end) => `\u001B${end}`,
  ),
  ...['\u202E', '\u2066', '\u2069', '\u200F', '\u061C', '\u200B', '\u200D', '\uFEFF', '\u00AD', '\u2060'],
  ...['\u0301'.repeat(40), 'a\u0489'.repeat(5), '\u0E33\u0E33', '\u1160', '\u0D4E', '\u{E0041}\u{E007F}'],
  ...['👩‍👩‍👧', '🏴\u{E0067}\u{E0062}\u{E007F}', '🇩', '👍🏽', '❤️', '1️⃣', '値', '\uD800', '\uDC00', '\uFFFE'],
  ...[
    '\u000E',
    '\u000F',
    '\b\b\b\b',
    '\r',
    '\n',
    '\t',
    '\u0000',
    '\u007F',
    '\u0085',
    '\u2028',
    '\u001A',
    '\u0018',
    '\u0007',
  ],
];

export function createHostileTexts(seed: number): HostileTexts {
  const random = createRandom(seed);
  const held = { count: 0 };
  const many = (most: number, make: () => string): string =>
    Array.from({ length: random.between(1, most) }, make).join('');
  const anything = () => {
    const [low, high] = random.pick(ranges);
    return String.fromCodePoint(random.between(low, high));
  };
  const end = () => random.pick(['\u0007', '\u001B\\', '\u009C', '\u0018', '']);
  const sentences: readonly (() => string)[] = [
    () => `${random.pick(['\u001B]', '\u009D'])}${random.pick(codes)};${random.pick(payloads)}${end()}`,
    () =>
      `${random.pick(['\u001BP', '\u0090', '\u001B_', '\u001B^', '\u001BX', '\u0098', '\u009E'])}${random.pick(payloads)}${end()}`,
    () =>
      random.pick(['\u001B[', '\u009B']) +
      random.pick(['', '?', '>', '=', '!']) +
      random.pick(['', '0', '2', '6', '31', '1000', '1049', '2004', '1;1', '999;999', '38;5;1', '4:3']) +
      random.pick(['', '', ' ', '$', '"', "'"]) +
      String.fromCharCode(random.between(0x40, 0x7e)),
    () => random.pick(others),
  ];
  return {
    next() {
      held.count += 1;
      const body = held.count % 2 === 0 ? many(12, anything) : many(3, () => random.pick(sentences)());
      return `<h${held.count}.${body}.${held.count}h>`;
    },
    count: () => held.count,
  };
}

/** Members whose text has a structure, or decides which member is meant: everything else is free text. */
const structural =
  /^(?:id|type|state|status|overall_state|.*_id|.*_at|.*_ts|.*[dD]ate|modified|created|start|end|cursor|next.*|after|handle|email|query|interval|timezone|platform|language|track|kind|method|level|priority|last4|url|href|self|links)$/;
const shaped = /^(?:$|[A-Z][A-Z0-9_]*$|[\d.:TZ+-]+$|[0-9a-f]{8}-[0-9a-f-]{27}$)/;

/** A copy of an answer in which every free text is a hostile one. */
export function withHostileTexts(value: unknown, texts: HostileTexts, name = ''): unknown {
  if (typeof value === 'string') return structural.test(name) || shaped.test(value) ? value : texts.next();
  if (Array.isArray(value)) return value.map((one) => withHostileTexts(one, texts, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withHostileTexts(inside, texts, key)]));
}

/** What this program writes itself: places, the next line and the last (IND, RI), erasing, scrolling, colors, its modes, ends of links, the codes of keys, its question (OSC 11), line ends. */
const ours =
  /\u001B[DM]|\u001B\[[\d;]*[A-HJKLMXdmr]|\u001B\[\?(?:25|1000|1006|1049|2004|2026)[hl]|\u001B\[(?:\?|[>=]5|<)u|\u001B\]8;;\u001B\\|\u001B\]11;\?\u001B\\|[\b\r\n]/g;
const acting = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Where bytes hold anything besides text and this program's own sequences: each place with what is around it. */
export function foreignBytes(bytes: Uint8Array): readonly string[] {
  // Throws at what is no UTF-8.
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return text
    .split(ours)
    .filter((part) => acting.test(part))
    .map((part) => JSON.stringify(part.slice(0, 200)));
}

/**
 * Numbers of the hostile texts that are there with their end; and those that begin and whose end is not there, within
 * `reach` more lines, though nothing says that they were cut. Without further lines the cut must come before the next text.
 */
export function tailsOf(
  lines: readonly string[],
  reach = 3,
): {
  readonly seen: readonly number[];
  readonly lost: readonly string[];
} {
  const seen: number[] = [];
  const lost: string[] = [];
  for (const [at, line] of lines.entries()) {
    for (const { 0: begin, 1: number = '', index } of line.matchAll(/<h(\d+)\./g)) {
      const next = reach === 0 ? line.slice(index + begin.length).search(/<h\d+\./) : -1;
      const first = line.slice(index, next < 0 ? undefined : index + begin.length + next);
      // A text may go on in the next rows; where a frame ends there, the rest is out of sight.
      const rest = [first, ...lines.slice(at + 1, at + 1 + reach)];
      const mark = `.${number}h>`;
      const isThere = rest.some((row, below) => row.includes(mark) || isBroken(mark, row, rest[below + 1] ?? ''));
      if (isThere) seen.push(Number(number));
      else if (!rest.some((row) => /…|└/.test(row))) lost.push([line, ...rest].join('\n'));
    }
  }
  return { seen, lost };
}

/** Whether a mark ends a word in this row, and its rest begins one in the next: where its column of the page ends. */
const isBroken = (mark: string, row: string, next: string): boolean =>
  Array.from(mark, (_, at) => [`${mark.slice(0, at)} `, ` ${mark.slice(at)}`] as const).some(
    ([begins, goesOn], at) => at > 0 && spaced(row).includes(begins) && spaced(next).includes(goesOn),
  );

const spaced = (row: string): string => ` ${row.replaceAll('│', ' ')} `;
