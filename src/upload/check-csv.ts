import { normalName, plainName } from '../api/tables.ts';
import { plural } from '../lib/text.ts';
import { type Flaw, linesAt, type RecordReader, readRecords } from './csv-records.ts';
import { createDuplicateFinder, type DuplicateFinder } from './duplicate-finder.ts';
import type { FileSource } from './file-source.ts';

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
  progress?(part: number): void;
  /** For tests: the size of the table of keys. */
  readonly repeats?: DuplicateFinder;
}

export type CsvCheck =
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
    else
      flaws.push({ text: `the primary key "${headers[keyAt]}" is "${short(key)}", as in line {other}`, place, other });
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
      (name) => `there is no column "${name}": the columns are ${short(cells.join(', '), 200)}`,
    ),
  ].slice(0, mostFaults);
}

function renamed(name: string): string {
  const normal = normalName(name);
  return normal === undefined
    ? `the service cannot keep the column name "${short(name)}": use letters, digits and _`
    : `the service would call the column "${short(name)}" ${normal}: write it so`;
}

const short = (text: string, most = 60): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

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
      const whole = other === undefined ? text : text.replace('{other}', String(lines.get(other)));
      return line === undefined ? { text: whole } : { line, text: whole };
    });
}
