import { isUtf8 } from 'node:buffer';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type CsvError, parse } from 'csv-parse';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { errorCode, readErrorText } from '../lib/private-file.ts';

/** Identity and state of a file; any difference means it is not the checked one. */
export interface FileIdentity {
  readonly path: string;
  readonly size: number;
  /** Nanoseconds since the epoch, as text. */
  readonly modified: string;
  readonly inode: string;
}

/** A file that is open for reading. */
export interface FileSource {
  readonly identity: FileIdentity;
  /**
   * Bytes from `begin` up to `end`, in pieces of at most `piece`, 64 kB when absent; throws when the file ends before.
   * A piece stays as it is until seven more have been asked for: whoever keeps it longer copies it.
   */
  bytes(begin: number, end: number, piece?: number): AsyncIterable<Uint8Array>;
  /** How the file at the path differs from the opened one in size, time or identity; undefined if it does not. */
  changed(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Chunk size that a socket takes at once. */
const usualPiece = 64 * 1024;
/** Buffers are reused: the memory of thousands would be freed late. */
const ring = 8;

/** Opens a plain file. A pipe or a device is refused without waiting for it. */
export async function openSource(path: string): Promise<ParseResult<FileSource>> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return unreadable(readErrorText(error, path));
  }
  const opened = await file.stat({ bigint: true });
  if (!opened.isFile()) {
    await file.close();
    return unreadable(`${path} is not a plain file`);
  }
  const identity = identityOf(path, opened);
  return {
    ok: true,
    value: {
      identity,
      async *bytes(begin, end, piece = usualPiece) {
        const buffers: Buffer[] = [];
        for (let offset = begin, turn = 0; offset < end; turn = (turn + 1) % ring) {
          buffers[turn] ??= Buffer.allocUnsafeSlow(Math.min(piece, end - begin));
          const buffer = buffers[turn] as Buffer;
          const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - offset), offset);
          if (bytesRead === 0) throw new Error('the file became shorter');
          offset += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      },
      async changed() {
        try {
          const [inside, outside] = await Promise.all([file.stat({ bigint: true }), stat(path, { bigint: true })]);
          const fault = identityDifference(identity, identityOf(path, inside));
          return fault ?? (identityDifference(identity, identityOf(path, outside)) && 'another file took its place');
        } catch (error) {
          return `it can no longer be read (${errorCode(error)})`;
        }
      },
      close: () => file.close(),
    },
  };
}

/** What differs between a file as it was and as it is; undefined when nothing does. */
export function identityDifference(was: FileIdentity, is: FileIdentity): string | undefined {
  if (was.inode !== is.inode) return 'another file took its place';
  if (was.size !== is.size) return `its size changed from ${was.size} to ${is.size} bytes`;
  return was.modified === is.modified ? undefined : 'it was written to';
}

const identityOf = (path: string, stats: BigIntStats): FileIdentity => ({
  path,
  size: Number(stats.size),
  modified: String(stats.mtimeNs),
  inode: `${stats.dev}:${stats.ino}`,
});

/** Something wrong in a file. Places are bytes from its beginning, at or just before the line that is meant. */
export interface Flaw {
  readonly text: string;
  readonly place?: number;
  /** A second line, where it is the same. */
  readonly other?: number;
}

/** Input of `readRecords`. */
export interface RecordReader {
  readonly source: FileSource;
  /** Bytes at the beginning that are no text: a byte order mark. */
  readonly skip: number;
  readonly signal?: AbortSignal | undefined;
  /** Bytes read so far. */
  progress?(bytes: number): void;
}

/** Chunks are small because a chunk stays in memory while it is parsed. */
const readPiece = 16 * 1024;

/** One line can span many when it is quoted; a cell that never ends would otherwise eat the memory. */
const longestRecord = 1024 * 1024;

/**
 * Hands over every line of a CSV file as cells, with the place where it begins; blank lines are skipped. `each` answers
 * whether to go on. Gives back what made the rest unreadable. Rejects when the file cannot be read.
 */
export async function readRecords(
  { source, skip, signal, progress }: RecordReader,
  each: (cells: string[], place: number) => boolean,
): Promise<Flaw | undefined> {
  const state: { place: number; isEnough: boolean; flaw?: Flaw | undefined } = { place: skip, isEnough: false };
  const parser = parse({
    bom: false,
    delimiter: ',',
    max_record_size: longestRecord,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    on_record(cells: string[], { bytes }) {
      const { place } = state;
      state.place = skip + bytes;
      if (!state.isEnough) state.isEnough = !each(cells, place);
      return null;
    },
  });
  // Errors are reported by each write.
  parser.on('error', () => {}).resume();
  const check = utf8(skip);
  try {
    for await (const piece of source.bytes(skip, source.identity.size, readPiece)) {
      state.flaw = check(piece);
      if (state.flaw || state.isEnough || signal?.aborted) return state.flaw;
      progress?.(piece.length);
      await settled((done) => parser.write(piece, done));
    }
    state.flaw = check();
    if (!state.flaw) await settled((done) => parser.end(done));
    if (state.place === skip) state.flaw ??= { text: 'there is no line in the file' };
  } catch (error) {
    const { code } = error as Partial<CsvError>;
    if (typeof code !== 'string' || !(code in sentences)) throw error;
    if (!state.isEnough) state.flaw ??= { text: sentences[code] ?? '', place: state.place };
  }
  return state.flaw;
}

const settled = (work: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((done, fail) => work((error) => (error ? fail(error) : done())));

const sentences: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_MAX_RECORD_SIZE: 'a quote is opened here and not closed for a million bytes',
  CSV_INVALID_CLOSING_QUOTE: 'a quote ends inside a cell: double the quotes that belong to the text',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell: put the whole cell in quotes and double those inside',
};

/**
 * Looks at one piece after the other whether they are text in UTF-8; characters may lie across two pieces. Called without
 * a piece at the end: a character may be cut off there.
 */
function utf8(begin: number): (piece?: Uint8Array) => Flaw | undefined {
  const state = { tail: new Uint8Array(), place: begin };
  return (piece) => {
    const bytes = Buffer.concat([state.tail, piece ?? new Uint8Array()]);
    const end = piece ? bytes.length - unfinished(bytes) : bytes.length;
    const complete = bytes.subarray(0, end);
    if (complete.includes(0)) {
      const place = state.place + complete.indexOf(0);
      return { text: 'a zero byte: this is not text in UTF-8', place };
    }
    if (!isUtf8(complete))
      return { text: 'not text in UTF-8: save the file in UTF-8', place: state.place + badLine(complete) };
    state.tail = Uint8Array.from(bytes.subarray(end));
    state.place += end;
    return undefined;
  };
}

/** How many bytes at the end begin a character that is not complete: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

/** Where the first line begins that is not UTF-8. */
function badLine(bytes: Uint8Array): number {
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(10, at);
    if (end < 0 || !isUtf8(bytes.subarray(at, end))) return at;
    at = end + 1;
  }
}

/** The line numbers, counted from 1, of places in a file; blank lines at a place are passed over. */
export async function linesAt(source: FileSource, places: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const wanted = [...new Set(places)].sort((a, b) => a - b);
  const found = new Map<number, number>();
  const state = { at: 0, line: 1, next: 0 };
  if (wanted.length === 0) return found;
  for await (const piece of source.bytes(0, source.identity.size)) {
    for (const byte of piece) {
      if (byte !== 10 && byte !== 13)
        for (; state.next < wanted.length && (wanted[state.next] as number) <= state.at; state.next += 1)
          found.set(wanted[state.next] as number, state.line);
      if (state.next === wanted.length) return found;
      if (byte === 10) state.line += 1;
      state.at += 1;
    }
  }
  for (const place of wanted.slice(state.next)) found.set(place, state.line);
  return found;
}
