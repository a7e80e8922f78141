import { existsSync } from 'node:fs';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { parsedJson } from '../lib/json.ts';
import { paint } from '../lib/paint.ts';
import { streamLines, streamText } from '../lib/streams.ts';
import { isObject } from '../lib/values.ts';
import { guessType } from '../query/check-query.ts';
import type { Ports } from './command-ports.ts';
import { complain, type Exit, exits, type Io, safeJson, usage } from './io.ts';
import {
  type Assumed,
  characters,
  isJsonName,
  isMonitor,
  isVerdictFormat,
  type Judged,
  judgeMonitor,
  judgeQuery,
  listIn,
  underlined,
  unread,
  verdictFormats,
} from './judge-monitor.ts';

/** Flags of `orgdeck query check`. */
export interface QueryFlags {
  readonly type?: string;
  /** JSON text of a monitor's options. */
  readonly options?: string;
  readonly json?: boolean;
  readonly output?: string;
}

/** Longest line that is read, in bytes: a monitor with all its variables is far below it. */
const longestLine = 1_000_000;

/** Longest text of several lines, in bytes: a list of thousands of monitors with their groups is below it. */
const largestDocument = 256 * 1024 * 1024;

/**
 * `orgdeck query check`: one query by argument, files and directories of monitors, or monitors on standard input: JSON lines, read one by
 * one, or an array of them. Prints a verdict for each, in order, and ends with 1 when one is wrong. Needs no profile and asks nobody.
 */
export async function checkQueries(ports: Ports, words: readonly string[], flags: QueryFlags): Promise<Exit> {
  const { io } = ports;
  const options = readOptions(flags.options);
  if (!options.ok) return usage(io, options.text);
  const output = flags.output ?? (flags.json ? 'json' : 'text');
  if (!isVerdictFormat(output))
    return usage(io, `-o: "${output}" is not a format: write one of ${verdictFormats.join(', ')}`);
  const given = { ...(flags.type === undefined ? {} : { type: flags.type }), ...options.value };
  if (words.some(isPath)) {
    const { checkFiles } = await import('./query-files.ts');
    return checkFiles(ports, words, given, output);
  }
  if (words.length > 1)
    return usage(
      io,
      `query check takes one query, or files: got ${words.length} words; a text with spaces needs quotes`,
    );
  if (output === 'github' || output === 'sarif')
    return usage(io, `-o ${output} needs files: name files or a directory`);
  const [query] = words;
  const report = createReport(io, output === 'json');
  if (query !== undefined && query !== '-') {
    if (given.type === undefined) complain(io, `assuming ${guessType(query)}; use --type to override`);
    report.takes([judgeQuery({ ...given, query })]);
    return report.ends();
  }
  if (io.isTerminal.stdin)
    return usage(io, 'which query? give one, or monitors on standard input, as an array or as JSON lines');
  const { begin, all } = await peeked(io.pieces());
  if (!isDocument(begin)) {
    for await (const lines of streamLines(all, longestLine)) report.takes(lines.map((line) => judgeLine(line, given)));
    return report.ends();
  }
  const monitors = monitorsIn(await streamText(all, largestDocument));
  if (!monitors.ok) return usage(io, monitors.text);
  report.takes(monitors.value.map((monitor) => judgeMonitor(monitor, given, 'monitor')));
  return report.ends();
}

/** Whether a word is about a file: it is there, or it is written as a path is and no query. */
const isPath = (word: string): boolean =>
  isJsonName(word) || (word !== '-' && existsSync(word)) || /^[\w.~-]*\/[\w./~-]*$/.test(word);

/** The first text of a stream that tells what it is, and the stream with it. */
async function peeked(pieces: AsyncIterable<Uint8Array>) {
  const stream = pieces[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let begin = '';
  for (let next = await stream.next(); !next.done; next = await stream.next()) {
    read.push(next.value);
    begin = Buffer.concat(read).toString('utf8').trimStart();
    if (/^\S\s*\S/.test(begin)) break;
  }
  async function* all() {
    yield* read;
    for (let next = await stream.next(); !next.done; next = await stream.next()) yield next.value;
  }
  return { begin, all: all() };
}

/** Whether a text begins as one JSON value over several lines, as `monitors list --json` and `call` print it, and not as JSON lines. */
const isDocument = (begin: string): boolean => /^(\[|\{\s*\n\s*["}])/.test(begin);

/** The monitors of an array, of an answer around one, or the only one there is. */
function monitorsIn(text: string | undefined): ParseResult<readonly unknown[]> {
  if (text === undefined) return unreadable(`standard input is over ${largestDocument} bytes: give JSON lines instead`);
  const value = parsedJson(text);
  if (value === undefined)
    return unreadable('standard input is not JSON: an array of monitors, JSON lines, or one of them');
  if (isMonitor(value)) return { ok: true, value: [value] };
  const list = listIn(value);
  return list
    ? { ok: true, value: list }
    : unreadable('standard input holds no monitors: an array of them is required');
}

function readOptions(text: string | undefined): ParseResult<{ options?: unknown }> {
  if (text === undefined) return { ok: true, value: {} };
  const options = parsedJson(text);
  return isObject(options)
    ? { ok: true, value: { options } }
    : unreadable('--options needs a JSON object, such as {"thresholds":{"critical":90}}');
}

/** A monitor as a line has it, completed by what the flags say. Members that it does not need are not looked at. */
function judgeLine(line: string | undefined, given: Assumed): Judged {
  if (line === undefined) return unread('the line is too long', `at most ${longestLine} bytes`);
  if (line.trim() === '') return unread('the line is empty', 'one monitor on each line');
  const monitor = parsedJson(line);
  if (monitor === undefined) return unread('the line is not JSON', 'one monitor on each line, as jq -c writes them');
  return judgeMonitor(monitor, given, 'line');
}

function createReport(io: Pick<Io, 'out'>, asJson: boolean) {
  const sums = { fine: 0, doubtful: 0, wrong: 0 };
  let line = 0;
  return {
    /** Tells of the next lines at once. */
    takes(all: readonly Judged[]): void {
      const text = all.map((judged) => {
        line += 1;
        sums[judged.diagnostics[0]?.verdict ?? 'fine'] += 1;
        return asJson ? jsonLine(judged) : forPeople(judged, line);
      });
      io.out(text.join(''));
    },
    /** Tells the sums, to a person, and gives the exit code. */
    ends(): Exit {
      if (!asJson) io.out(`${sums.fine} fine, ${sums.doubtful} doubtful, ${sums.wrong} wrong\n`);
      return sums.wrong > 0 ? exits.failed : exits.done;
    },
  };
}

/** Places count characters (code points), not the units of any one programming language. */
function jsonLine({ query, diagnostics: [first] }: Judged): string {
  if (!first) return '{"verdict":"fine"}\n';
  const { verdict, message, hint, start, end } = first;
  const said = { verdict, message, ...(hint === undefined ? {} : { hint }) };
  return `${safeJson({ ...said, start: characters(query, start), end: characters(query, end) }, 0)}\n`;
}

function forPeople({ query, type, diagnostics }: Judged, line: number): string {
  const [first] = diagnostics;
  if (!first) return '';
  const more = diagnostics.length > 1 ? [`and ${diagnostics.length - 1} more`] : [];
  const shown = query === '' ? [] : underlined(query, first);
  const said = [`${first.verdict}: ${paint(first.message)}`, ...(first.hint ? [paint(first.hint)] : []), ...more];
  return [`line ${line}${type ? `, ${paint(type)}` : ''}`, ...[...shown, ...said].map((text) => `  ${text}`), ''].join(
    '\n',
  );
}
