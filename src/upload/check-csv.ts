import { normalName, plainName } from '../api/tables.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { plural, shortened } from '../lib/text.ts';
import { type FileSource, type Flaw, linesAt, openSource, type RecordReader, readRecords } from './csv-records.ts';

/** One residue class of the keys; more than one only for files with millions of rows. */
interface KeyShare {
  readonly number: number;
  readonly of: number;
}

/**
 * Finds texts that came before among millions, in the memory of a fixed table: it holds 32 bits of each, so what it
 * finds are suspicions that a second look must confirm. When the table is nearly full, half of the texts are left to a
 * later pass over the file: `pass` as long as it says that one is needed.
 */
interface DuplicateFinder {
  /** Whether a text may have come before in this pass. */
  note(text: string): void;
  /** Whether this text's suspicion is to be looked at. */
  isSuspect(text: string): boolean;
  /** Begins the next pass; false when there is none. The first pass needs no call. */
  pass(): boolean;
  suspects(): number;
}

/** 2^21 slots of four bytes: 8 MB for 1.6 million keys a pass, touched only as far as there are keys. */
const usualBits = 21;
const fullest = 0.8;

/** Creates an empty finder; the table has 2^bits slots. */
export function createDuplicateFinder(bits = usualBits): DuplicateFinder {
  const slots = new Uint32Array(2 ** bits);
  const mask = slots.length - 1;
  const most = Math.floor(slots.length * fullest);
  const suspects = new Set<number>();
  const waiting: KeyShare[] = [];
  const whole: KeyShare = { number: 0, of: 1 };
  const state = { share: whole, used: 0 };

  /** True when it was there already. */
  const insert = (mark: number): boolean => {
    for (let at = Math.imul(mark, 0x9e3779b1) >>> (32 - bits); ; at = (at + 1) & mask) {
      const there = slots[at];
      if (there === mark) return true;
      if (there !== 0) continue;
      slots[at] = mark;
      state.used += 1;
      return false;
    }
  };
  const mine = (mark: number): boolean => mark % state.share.of === state.share.number;
  const halve = (): void => {
    const { number, of: total } = state.share;
    waiting.push({ number: number + total, of: total * 2 });
    state.share = { number, of: total * 2 };
    // `slots.filter` would collect millions of numbers in a list of its own first.
    const ownMarks = new Uint32Array(state.used);
    let count = 0;
    for (const mark of slots) {
      if (mark === 0 || !mine(mark)) continue;
      ownMarks[count] = mark;
      count += 1;
    }
    slots.fill(0);
    state.used = 0;
    for (const mark of ownMarks.subarray(0, count)) insert(mark);
  };

  return {
    note(text) {
      const mark = markOf(text);
      if (!mine(mark)) return;
      if (insert(mark)) suspects.add(mark);
      else if (state.used >= most) halve();
    },
    isSuspect: (text) => suspects.has(markOf(text)),
    pass() {
      const next = waiting.shift();
      if (!next) return false;
      state.share = next;
      slots.fill(0);
      state.used = 0;
      return true;
    },
    suspects: () => suspects.size,
  };
}

/** 32 bits of a text, never 0, which means an empty slot. */
function markOf(text: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0 || 1;
}

/** What is wrong with a file, by line where there is one. */
export interface CsvProblem {
  readonly line?: number;
  readonly text: string;
}

/** Summary of a checked file. */
export interface FileSummary {
  readonly headers: readonly string[];
  readonly rows: number;
  /** Columns all of whose values are whole numbers of 32 bits: they may be `INT32`. */
  readonly numbers: readonly string[];
  /** Bytes of a byte order mark at the beginning, which are not sent: they would become part of the first name. */
  readonly skip: number;
  readonly notes: readonly string[];
}

/** What to look for besides what makes any file unusable. */
export interface CheckOptions {
  /** The column of the primary key; without it keys are not checked. */
  readonly key?: string;
  /** Takes the first column for the key when `key` is absent. */
  readonly firstKey?: boolean;
  /** Columns that must hold numbers: `INT32`. */
  readonly types?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Share of the work that is done, 0 to 1. */
  progress?(share: number): void;
  /** For tests: the size of the table of keys. */
  readonly repeats?: DuplicateFinder;
}

type CsvCheck =
  | { readonly ok: true; readonly summary: FileSummary }
  | { readonly ok: false; readonly faults: readonly CsvProblem[] };

/** More than these are not listed: the first ones tell what to mend. */
const mostFaults = 20;
const mostSuspects = 50_000;
const mostHeaders = 200;
const fewHeaders = 50;

/**
 * Reads a whole CSV file and says what the service would stumble over: header names, the primary key (missing, empty,
 * twice), wrong numbers of cells, quotes, bytes that are no UTF-8 (docs/contract/reference-tables.md#upload, #names-and-limits).
 * Needs some ten
 * MB of memory, however long the file is. Rejects when the file cannot be read.
 */
export async function checkCsv(source: FileSource, options: CheckOptions): Promise<CsvCheck> {
  const { size } = source.identity;
  const start = await readFileStart(source);
  if (typeof start === 'string') return { ok: false, faults: [{ text: start }] };
  const { skip } = start;
  const done = { bytes: 0 };
  const reader: RecordReader = {
    source,
    skip,
    signal: options.signal,
    progress: (bytes) => {
      done.bytes += bytes;
      // Most files are read once; a second look at suspicions is short work by comparison.
      options.progress?.(done.bytes / size);
    },
  };
  const repeats = options.repeats ?? createDuplicateFinder();
  const flaws: Flaw[] = [];
  const rows = await readRows(reader, options, repeats, flaws);
  if (flaws.length === 0 && rows.keyAt >= 0) await findRepeats(reader, rows, repeats, flaws);
  if (options.signal?.aborted) return { ok: false, faults: [{ text: 'canceled' }] };
  if (flaws.length > 0) return { ok: false, faults: await told(source, flaws) };
  const { headers, integral } = rows;
  const notes = [
    ...(skip > 0 ? ['the byte order mark at the beginning is left out'] : []),
    ...(headers.length > fewHeaders ? [`the service may refuse more than ${fewHeaders} columns`] : []),
  ];
  const numbers = headers.filter((_, at) => integral[at]);
  return { ok: true, summary: { headers, rows: rows.count, numbers, skip, notes } };
}

interface Rows {
  headers: readonly string[];
  count: number;
  /** Index of the key column; -1 without a key. */
  keyAt: number;
  integral: boolean[];
}

/** The first pass: header, number of cells, empty keys, numbers. */
async function readRows(
  reader: RecordReader,
  options: CheckOptions,
  repeats: DuplicateFinder,
  flaws: Flaw[],
): Promise<Rows> {
  const rows: Rows = { headers: [], count: 0, keyAt: -1, integral: [] };
  const say = (text: string, place: number): void => {
    flaws.push({ text, place });
  };
  const checkRow = (cells: readonly string[], place: number): void => {
    const { headers, keyAt, integral } = rows;
    if (cells.length !== headers.length) {
      say(`has ${plural(cells.length, 'cell')}, the first line has ${headers.length}`, place);
      return;
    }
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at] as string;
      if (!integral[at] || isInt32(cell)) continue;
      if (options.types?.[headers[at] as string] !== 'INT32') integral[at] = false;
      else say(`"${short(cell)}" in the column "${headers[at]}" is not a whole number of 32 bits`, place);
    }
    const key = cells[keyAt];
    if (key?.trim() === '') say(`the primary key "${headers[keyAt]}" is empty`, place);
    else if (key !== undefined) repeats.note(key);
  };
  const flaw = await readRecords(reader, (cells, place) => {
    if (rows.headers.length === 0) {
      flaws.push(...headerFlaws(cells, options).map((text) => ({ text, place })));
      rows.headers = cells;
      rows.keyAt = options.key === undefined ? (options.firstKey ? 0 : -1) : cells.indexOf(options.key);
      rows.integral = cells.map(() => true);
      return flaws.length === 0;
    }
    rows.count += 1;
    checkRow(cells, place);
    return flaws.length < mostFaults && repeats.suspects() < mostSuspects;
  });
  if (flaw) flaws.push(flaw);
  else if (rows.count === 0 && flaws.length === 0) flaws.push({ text: 'there is no row below the first line' });
  return rows;
}

/** The further passes: first for keys that did not fit into memory, then to confirm what looked like a repeated one. */
async function findRepeats(
  reader: RecordReader,
  { keyAt, headers }: Rows,
  repeats: DuplicateFinder,
  flaws: Flaw[],
): Promise<void> {
  const quiet: RecordReader = { ...reader, progress: () => {} };
  const keys = (each: (key: string, place: number) => boolean) => {
    let line = 0;
    return readRecords(quiet, (cells, place) => {
      line += 1;
      return line === 1 || each(cells[keyAt] ?? '', place);
    });
  };
  while (repeats.suspects() < mostSuspects && repeats.pass())
    await keys((key) => {
      repeats.note(key);
      return repeats.suspects() < mostSuspects;
    });
  if (repeats.suspects() === 0) return;
  const first = new Map<string, number>();
  await keys((key, place) => {
    if (!repeats.isSuspect(key)) return true;
    const other = first.get(key);
    if (other === undefined) first.set(key, place);
    else flaws.push({ text: `the primary key "${headers[keyAt]}" is "${short(key)}"`, place, other });
    return flaws.length < mostFaults;
  });
}

function headerFlaws(cells: readonly string[], { key, types = {} }: CheckOptions): string[] {
  const [only = ''] = cells;
  if (cells.some((name) => name.includes('\r'))) return ['lines end in CR alone: save the file with LF or CRLF'];
  const mark = cells.length === 1 ? [';', '\t', '|'].find((separator) => only.includes(separator)) : undefined;
  if (mark) return [`cells are separated by ${mark === '\t' ? 'tabs' : `"${mark}"`}: save the file with commas`];
  const twice = cells.filter((name, at) => name !== '' && cells.indexOf(name) < at);
  const absent = [...(key === undefined ? [] : [key]), ...Object.keys(types)].filter((name) => !cells.includes(name));
  return [
    ...(cells.length > mostHeaders ? [`has ${cells.length} columns, the service takes ${mostHeaders} at most`] : []),
    ...cells.flatMap((name, at) => (name.trim() === '' ? [`column ${at + 1} has no name`] : [])),
    ...[...new Set(twice)].map((name) => `the column "${short(name)}" is there twice`),
    ...cells.filter((name) => name.trim() !== '' && !plainName.test(name)).map(renamed),
    ...[...new Set(absent)].map(
      (name) => `there is no column "${name}": the columns are ${shortened(cells.join(', '), 200)}`,
    ),
  ].slice(0, mostFaults);
}

function renamed(name: string): string {
  const normal = normalName(name);
  return normal === undefined
    ? `the service cannot keep the column name "${short(name)}": use letters, digits and _`
    : `the service would call the column "${short(name)}" ${normal}: write it so`;
}

const short = (text: string): string => shortened(text, 60);

/** A whole number as it is written again by the service: no plus, no leading zero, 32 bits with a sign. */
export function isInt32(text: string): boolean {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return false;
  const number = Number(text);
  return number >= -(2 ** 31) && number < 2 ** 31;
}

/** The bytes before the text, those of a byte order mark; or why there is no text that can be read. */
export async function readFileStart(source: FileSource): Promise<{ readonly skip: number } | string> {
  const head: number[] = [];
  for await (const piece of source.bytes(0, Math.min(3, source.identity.size))) head.push(...piece);
  const [one, two, three] = head;
  if (head.length === 0) return 'the file is empty';
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff))
    return 'the file is in UTF-16: save it in UTF-8';
  return { skip: one === 0xef && two === 0xbb && three === 0xbf ? 3 : 0 };
}

/** Flaws with their lines, in the order of the file. */
async function told(source: FileSource, flaws: readonly Flaw[]): Promise<CsvProblem[]> {
  const places = flaws.flatMap(({ place, other }) => [place, other].filter((position) => position !== undefined));
  const lines = await linesAt(source, places);
  return [...flaws]
    .sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .slice(0, mostFaults)
    .map(({ text, place, other }) => {
      const line = place === undefined ? undefined : lines.get(place);
      const whole = other === undefined ? text : `${text}, as in line ${lines.get(other)}`;
      return line === undefined ? { text: whole } : { line, text: whole };
    });
}

/** The first line of a CSV file as cells, read as the upload reads it; nothing behind it is read. */
export async function readHeader(path: string): Promise<ParseResult<readonly string[]>> {
  const opened = await openSource(path);
  if (!opened.ok) return opened;
  const source = opened.value;
  try {
    const start = await readFileStart(source);
    if (typeof start === 'string') return unreadable(start);
    let header: readonly string[] = [];
    const flaw = await readRecords({ source, skip: start.skip }, (cells) => {
      header = cells;
      return false;
    });
    return flaw && header.length === 0 ? unreadable(flaw.text) : { ok: true, value: header };
  } catch {
    return unreadable(`${path} could not be read`);
  } finally {
    await source.close();
  }
}
