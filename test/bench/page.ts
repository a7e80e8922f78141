import { readdirSync, readFileSync } from 'node:fs';
import { markdownTable } from '../support/markdown.ts';
import type { Checks } from './checks.ts';
import type { Floor } from './floor.ts';
import { kinds, queryLetter } from './kinds.ts';
import type { Load } from './loads.ts';
import type { MarkedKey } from './marked.ts';
import type { Keys, RowKeys, Size } from './measure.ts';
import type { Network, Pages } from './network.ts';
import type { Peer } from './peers.ts';
import type { Resting } from './rest.ts';
import type { Way } from './ways.ts';

/** One run of the bench. */
export interface Results {
  /** Date of the run, to the day. */
  readonly date: string;
  readonly floor: Floor;
  readonly checks: Checks;
  readonly sizes: readonly Size[];
  readonly resting?: Resting;
  /** Of organizations with many monitors, that of the budget first. */
  readonly rows?: readonly RowKeys[];
  /** While large organizations are read. */
  readonly loads?: readonly Load[];
  /** While one without a text twice is read. */
  readonly texts?: Load;
  /** Every key while 10,000 rows are marked. */
  readonly marked?: readonly MarkedKey[];
  readonly network?: Network;
  /** Of a long list from nothing. */
  readonly pages?: readonly Pages[];
  /** Through SSH, inside tmux. */
  readonly ways: readonly Way[];
  readonly peers: readonly Peer[];
}

/** A link like that of a phone: 300 ms there and back, 64 kbit a second. */
const slowLink = { roundTripMs: 300, bytesPerMs: 8 };

/** What a key took as long as the renderer's frames were written as they came: bytes, and how many times the fewest possible. */
const before: Readonly<Record<string, Readonly<Record<string, readonly [bytes: number, waste: number]>>>> = {
  '120x40': {
    'move one row': [2718, 3.8],
    'half a page': [6740, 2.8],
    mark: [2818, 4],
    'open, close': [7119, 2.1],
    'a filter letter': [7622, 3.8],
    'another screen': [7464, 2.2],
  },
  '80x24': {
    'move one row': [484, 2.1],
    'half a page': [2812, 1.9],
    mark: [587, 3],
    'open, close': [3546, 2.1],
    'a filter letter': [2392, 2.3],
    'another screen': [3593, 1.7],
  },
};

/** The pages with tables of a run, and the markers of those. */
export const pages: Readonly<Record<string, readonly string[]>> = {
  'docs/performance.md': ['floor', 'keys', 'rows', 'start', 'memory', 'rest', 'asked', 'waits'],
  'test/bench/README.md': ['before', 'longKeys', 'ways', 'peers', 'loads', 'marked', 'pages'],
};

/** The tables of a page by the names of their markers. */
export const tablesFor = (path: string, results: Results): Readonly<Record<string, string>> => {
  const all = tablesOf(results);
  return Object.fromEntries((pages[path] ?? []).map((name) => [name, all[name] ?? '']));
};

/** All tables by the names of their markers. */
export function tablesOf({
  date,
  floor,
  checks,
  sizes,
  resting,
  rows = [],
  loads: repeated = [],
  texts,
  marked = [],
  network,
  pages = [],
  ways,
  peers,
}: Results): Readonly<Record<string, string>> {
  const loads = texts ? [...repeated, texts] : repeated;
  const { nodeMs, startMs, echoP50, echoP95 } = floor;
  const timesNode = (of: number) => `${(of / nodeMs).toFixed(1)} times \`node -e 0\``;
  /** A column that results of earlier days lack. */
  const later = (cell: string) => (loads.every(({ memoryLaterMb }) => memoryLaterMb !== undefined) ? [cell] : []);
  const absent = [...ways, ...peers].filter(({ sizes }) => sizes.length === 0);
  return {
    before: beforeAndNow(sizes),
    floor: [
      `Run of ${date} on ${floor.cores} cores with load ${floor.load.toFixed(1)} at its start: a process that does nothing ${ms(nodeMs)}, the echo of`,
      `a key ${ms(echoP50)} (p95 ${ms(echoP95)}). Medians. Bytes hold anywhere; take the times from a run of your own.`,
    ].join('\n'),
    keys: sizes.map((size) => keysTable(size, floor)).join('\n\n'),
    longKeys: rows.map((size) => keysTable(size, floor)).join('\n\n'),
    rows: rowsTable(rows, loads, marked),
    ways: ways.flatMap(wayTables).join('\n\n'),
    peers: [
      ...peersTables(sizes, peers, floor),
      ...(absent.length === 0 ? [] : [`Not installed for this run: ${absent.map(({ name }) => name).join(', ')}.`]),
    ].join('\n\n'),
    start: markdownTable(
      ['', 'time', 'beside'],
      [
        ['first block of Home in the demo', ms(startMs), timesNode(startMs)],
        ...(resting
          ? [
              [
                'rows kept by an earlier run, before the service answers',
                ms(resting.keptStartMs),
                timesNode(resting.keptStartMs),
              ],
            ]
          : []),
        [
          `\`orgdeck query check\` of ${number(checks.queries)} queries`,
          ms(checks.checkMs),
          `${(checks.checkMs / checks.readMs).toFixed(1)} times reading them as JSON`,
        ],
      ],
    ),
    loads: markdownTable(
      ['', 'first rows', 'all read', 'memory at most', ...later('a minute later'), 'loop blocked at most, CPU time'],
      loads.map(({ what, firstRowsMs, allRowsMs, memoryMb, memoryLaterMb = 0, blockMs }) => [
        what,
        `${(firstRowsMs / 1000).toFixed(1)} s`,
        `${(allRowsMs / 1000).toFixed(1)} s`,
        `${memoryMb.toFixed(0)} MB`,
        ...later(`${memoryLaterMb.toFixed(0)} MB`),
        ms(blockMs),
      ]),
    ),
    marked: markdownTable(
      ['10,000 marked rows', 'first time: in one piece, CPU time', 'later', 'key to last byte'],
      marked.map(({ what, firstMs, laterMs, answerMs }) => [what, piece(firstMs), piece(laterMs), ms(answerMs)]),
    ),
    pages: markdownTable(
      ['10,000 monitors from nothing, round trip', 'first rows', 'all rows', 'later than over 0 ms'],
      pages.map(({ roundTripMs, firstMs, allMs }) => [
        ms(roundTripMs),
        ms(firstMs),
        ms(allMs),
        roundTripMs === 0 ? '' : inTrips(allMs - (pages[0]?.allMs ?? 0), roundTripMs),
      ]),
    ),
    asked: markdownTable(
      ['', 'requests', 'bytes of answers'],
      (network?.asked ?? []).map(({ what, requests, bytes }) => [what, number(requests), number(bytes)]),
    ),
    waits: markdownTable(
      ['round trip', 'first rows of a screen after a pause', 'from the digit of a mute to its receipt'],
      (network?.waits ?? []).map(({ link, roundTripMs, ...waits }) => [
        link,
        ...[waits.rowsMs, waits.receiptMs].map((wait) => inTrips(wait, roundTripMs)),
      ]),
    ),
    memory: markdownTable(
      ['size', 'memory at the first rows', 'after 1,000 moves'],
      sizes.map((size) => [
        size.size,
        `${size.memoryAtStartMb.toFixed(0)} MB`,
        `${size.memoryAfterKeysMb.toFixed(0)} MB`,
      ]),
    ),
    rest: markdownTable(
      ['', 'bytes in a minute without a key', 'of a core'],
      (resting?.rest ?? []).map(({ organization, size, bytes, cpuMs }) => [
        `${organization}, ${size}`,
        number(bytes),
        `${(cpuMs / 600).toFixed(2)} %`,
      ]),
    ),
  };
}

function beforeAndNow(sizes: readonly Size[]): string {
  const shown = Object.entries(before).map(([name, keys]) => ({
    name,
    keys,
    now: sizes.find(({ size }) => size === name),
  }));
  return markdownTable(
    ['', ...shown.flatMap(({ name }) => [`${name}: bytes`, 'fewest possible', 'waste'])],
    Object.keys(before['80x24'] ?? {}).map((kind) => [
      kind,
      ...shown.flatMap(({ keys, now }) => {
        const [bytes = 0, waste = 0] = keys[kind] ?? [];
        const key = now?.keys.find((one) => one.kind === kind);
        return key === undefined
          ? ['', '', '']
          : [
              `${number(bytes)} → ${number(key.bytes)}`,
              number(key.fewest),
              `${waste.toFixed(1)} → ${key.ratio.toFixed(2)}`,
            ];
      }),
    ]),
  );
}

/** What must not take longer, or more, with 10,000 rows at 120x40: medians of five runs on a quiet machine, key to last byte. */
const rowBounds = {
  'a move: p50': 5,
  'the first letter of a filter': 225,
  'a further letter: p95': 45,
  '`m`, all rows marked': 100,
  'a move, all rows marked: p95': 50,
  'any key, all rows marked: in one piece, CPU time': 50,
  'loop blocked at most while loading, CPU time': 165,
  'memory at most while loading': 170,
} as const;
/** Rows of the list whose marked rows are measured. */
const markedRows = 10_000;
type Bound = keyof typeof rowBounds;

/** What was measured of lists with so many rows; undefined where it was not. */
function rowsMeasured(
  { rows, keys, ...ms }: RowKeys,
  loads: readonly Load[],
  marked: readonly MarkedKey[],
): Readonly<Record<Bound, number>> {
  const of = (kind: string) => keys.find((one) => one.kind === kind);
  const load = loads.find(({ what }) => what === `${number(rows)} monitors`);
  return {
    'a move: p50': of('move one row')?.p50 ?? 0,
    'the first letter of a filter': ms.firstLetterMs,
    'a further letter: p95': of('a filter letter')?.p95 ?? 0,
    '`m`, all rows marked': ms.muteBarMs,
    'a move, all rows marked: p95': ms.markedMoveMs,
    'any key, all rows marked: in one piece, CPU time':
      rows === markedRows ? Math.max(0, ...marked.map((key) => key.laterMs)) : Number.NaN,
    'loop blocked at most while loading, CPU time': load?.blockMs ?? 0,
    'memory at most while loading': load?.memoryMb ?? 0,
  };
}

const bounds = Object.entries(rowBounds) as readonly (readonly [Bound, number])[];

function rowsTable(rows: readonly RowKeys[], loads: readonly Load[], marked: readonly MarkedKey[]): string {
  const measured = rows.map((one) => rowsMeasured(one, loads, marked));
  const unit = (bound: Bound) => (bound.startsWith('memory') ? (value: number) => `${value.toFixed(0)} MB` : ms);
  return markdownTable(
    ['', ...rows.map(({ rows }) => `${number(rows)} rows`), 'bound at 10,000'],
    bounds.map(([bound, most]) => [bound, ...measured.map((one) => unit(bound)(one[bound])), unit(bound)(most)]),
  );
}

/** The bounds that lists of the budget's rows break. */
export function overRowBounds({
  rows = [],
  loads = [],
  marked = [],
}: Pick<Results, 'rows' | 'loads' | 'marked'>): readonly string[] {
  const [first] = rows;
  const measured = first && rowsMeasured(first, loads, marked);
  return bounds.flatMap(([bound, most]) => (measured && measured[bound] > most ? [bound] : []));
}

/** The echo of the same place, milliseconds. */
type Echo = Pick<Floor, 'echoP50' | 'echoP95'>;

const measuredHead = ['bytes', 'fewest possible', 'ratio', 'blink'];
const measuredCells = ({ bytes, fewest, ratio, blink }: Keys) => [
  number(bytes),
  number(fewest),
  ratio.toFixed(2),
  String(blink),
];
/** Some answer sooner than the slowest echoes. */
const overEcho = ({ p50, p95 }: Keys, { echoP50, echoP95 }: Echo) =>
  [p50 - echoP50, p95 - echoP95].map((over) => ms(Math.max(0, over))).join(', ');

const keysTable = ({ size, keys }: Pick<Size, 'size' | 'keys'>, echo: Echo): string =>
  markdownTable(
    [size, ...measuredHead, 'budget', 'over the echo: p50, p95', 'slow link'],
    keys.map((key) => [
      key.kind,
      ...measuredCells(key),
      budgetOf(key.kind).toFixed(2),
      overEcho(key, echo),
      ms(slowLink.roundTripMs + key.bytes / slowLink.bytesPerMs),
    ]),
  );

const wayTables = (way: Way): string[] =>
  way.sizes.map(({ size, keys }) =>
    markdownTable(
      [
        `${size}, ${way.name}`,
        ...measuredHead,
        `over the echo there (${ms(way.echoP50)}, ${ms(way.echoP95)}): p50, p95`,
      ],
      keys.map((key) => [key.kind, ...measuredCells(key), overEcho(key, way)]),
    ),
  );

/** A move of one row by the dashboard and by the others, in turn at each size. */
function peersTables(own: readonly Size[], peers: readonly Peer[], floor: Floor): string[] {
  const names = [...new Set(peers.flatMap(({ sizes }) => sizes.map(({ size }) => size)))];
  const at = (size: string, { name, sizes }: Pick<Peer, 'name' | 'sizes'>) =>
    (sizes.find((one) => one.size === size)?.keys ?? [])
      .filter(({ kind }) => kind === kinds[0]?.what)
      .map((key) => [name, ...measuredCells(key), overEcho(key, floor)]);
  return names.map((size) =>
    markdownTable(
      [`${size}, move one row`, ...measuredHead, 'over the echo: p50, p95'],
      [{ name: 'orgdeck', sizes: own }, ...peers].flatMap((program) => at(size, program)),
    ),
  );
}

/** Most bytes of a kind of key, as a multiple of the fewest possible. */
export const budgetOf = (kind: string): number =>
  [...kinds, queryLetter].find(({ what }) => what === kind)?.budget ?? 0;

/** A wait, and how many round trips it is. */
const inTrips = (wait: number, roundTripMs: number): string =>
  roundTripMs === 0 ? ms(wait) : `${ms(wait)}, ${(wait / roundTripMs).toFixed(1)} round trips`;

const number = (value: number): string => value.toLocaleString('en');
/** A stretch without a pause; a shorter one is not told apart from none. */
const piece = (value: number): string => (value < 5 ? 'under 5 ms' : ms(value));
const ms = (value: number): string =>
  Number.isNaN(value) ? '' : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

/** Where `npm run bench -- --keep` writes its results, one file a day. */
export const resultsFolder = new URL('results/', import.meta.url);

/** The newest kept results. */
export function latestResults(): Results {
  const newest = readdirSync(resultsFolder).toSorted().at(-1) ?? '';
  return JSON.parse(readFileSync(new URL(newest, resultsFolder), 'utf8')) as Results;
}
