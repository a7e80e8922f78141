import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonLines } from '../lib/json-lines.ts';
import { paint, percentEncoded } from '../lib/paint.ts';
import { errorCode, readOpenFile } from '../lib/private-file.ts';
import { plural } from '../lib/text.ts';
import { isObject } from '../lib/values.ts';
import { type Diagnostic, wrong } from '../query/language.ts';
import type { Ports } from './command-ports.ts';
import { type Exit, exits, safeJson } from './io.ts';
import {
  type Assumed,
  characters,
  isJsonName,
  isMonitor,
  judgeMonitor,
  listIn,
  underlined,
  type VerdictFormat,
} from './judge-monitor.ts';
import { organizationFile } from './object-files/directory.ts';

/** What was found at one place of a file; without a diagnostic a monitor that is fine. */
interface Finding {
  readonly file: string;
  readonly line: number;
  /** In characters, from 1; the last one behind the fault. */
  readonly column: number;
  readonly endColumn: number;
  readonly query: string;
  /** Empty where there is none. */
  readonly monitor: string;
  readonly diagnostic?: Diagnostic;
}

/** Bytes: thousands of monitors with their groups are below it. */
const largestFile = 64 * 1024 * 1024;

/**
 * Checks the monitors in files, and in all files of JSON below directories. A file that cannot be read, is no JSON or holds no monitor is
 * a fault like a wrong query. Ends with 1 where there is one.
 */
export async function checkFiles(
  { io }: Pick<Ports, 'io'>,
  paths: readonly string[],
  given: Assumed,
  output: VerdictFormat,
): Promise<Exit> {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  const all: Finding[] = [];
  for (const file of files) all.push(...(typeof file === 'string' ? await findingsOf(file, given) : [file]));
  const faults = all.filter((found): found is Fault => found.diagnostic !== undefined);
  const wrongs = faults.filter(({ diagnostic }) => diagnostic.verdict === 'wrong').length;
  if (output === 'json') io.out(all.map(jsonLine).join(''));
  else if (output === 'github') io.out(faults.map(annotation).join(''));
  else if (output === 'sarif') io.out(`${safeJson(sarif(faults))}\n`);
  else {
    const sums = `${plural(files.length, 'file')}: ${all.length - faults.length} fine, ${faults.length - wrongs} doubtful, ${wrongs} wrong`;
    io.out(`${faults.map(forPeople).join('')}${sums}\n`);
  }
  return wrongs > 0 ? exits.failed : exits.done;
}

type Fault = Finding & Required<Pick<Finding, 'diagnostic'>>;

/** The file at a path, or those of JSON below a directory; what is neither is a fault. */
async function filesAt(path: string): Promise<readonly (string | Fault)[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const found = await filesBelow(path);
    return found.length > 0 ? found : [faultOf(path, 'there is no file of JSON in this directory')];
  } catch (error) {
    const why = errorCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${errorCode(error)})`;
    return [faultOf(path, why)];
  }
}

/** In the order of their names; neither hidden ones nor those of packages, and of an export only its monitors. */
async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const isExport = entries.some(({ name }) => name === organizationFile);
  const below = entries
    .filter(({ name }) => (isExport ? name === 'monitors' : !name.startsWith('.') && name !== 'node_modules'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return isJsonName(entry.name) ? [path] : [];
    });
  return (await Promise.all(below)).flat();
}

const faultOf = (file: string, message: string, hint?: string, line = 1, column = 1): Fault => ({
  file,
  line,
  column,
  endColumn: column + 1,
  query: '',
  monitor: '',
  diagnostic: wrong({ start: 0, end: 0 }, message, hint),
});

async function findingsOf(file: string, given: Assumed): Promise<readonly Finding[]> {
  const text = await readOpenFile(file, 'the file', largestFile);
  if (!text.ok) return [faultOf(file, text.text)];
  const read = text.value.replace(/^\uFEFF/, '');
  const whole = readJsonLines(read);
  const lines = read.split('\n');
  // A file of JSON lines: its first one is a value of its own.
  const isLines = !whole.ok && whole.line > 1 && readJsonLines(lines[0] ?? '').ok;
  if (!isLines) return findingsIn(file, whole, given, 0);
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : findingsIn(file, readJsonLines(line), given, at)));
}

/** What is in a text of JSON that begins behind so many lines of its file. */
function findingsIn(file: string, json: ReturnType<typeof readJsonLines>, given: Assumed, before: number): Finding[] {
  if (!json.ok) return [faultOf(file, `this is not JSON: ${json.text}`, undefined, before + json.line, json.column)];
  const { value } = json;
  const list = isMonitor(value) ? undefined : listIn(value);
  if (list?.length === 0 || (list === undefined && !isMonitor(value)))
    return [faultOf(file, 'there is no monitor in it', 'such as {"type": "…", "query": "…"}', before + 1)];
  // Where the list stands in an answer around it.
  const [around] = isObject(value) && list ? Object.keys(value).filter((name) => value[name] === list) : [];
  return (list ?? [value]).flatMap((monitor, at) => {
    const path = list ? [...(around === undefined ? [] : [around]), at] : [];
    const judged = judgeMonitor(monitor, given, 'monitor');
    const name = isObject(monitor) ? (monitor.name ?? monitor.id ?? '') : '';
    const found = (diagnostic?: Diagnostic): Finding => {
      const member = judged.query === '' ? path : [...path, 'query'];
      const place = json.placeOf(member, diagnostic?.start, diagnostic?.end);
      const where = { file, ...place, line: before + place.line };
      return { ...where, query: judged.query, monitor: String(name), ...(diagnostic ? { diagnostic } : {}) };
    };
    return judged.diagnostics.length === 0 ? [found()] : judged.diagnostics.map(found);
  });
}

const saidOf = ({ message, hint }: Pick<Diagnostic, 'message' | 'hint'>): string =>
  hint === undefined ? message : `${message}: ${hint}`;

function forPeople({ file, line, column, monitor, query, diagnostic }: Fault): string {
  const of = monitor === '' ? '' : ` (${paint(monitor)})`;
  const { verdict, message, hint } = diagnostic;
  const shown = query === '' ? [] : underlined(query, diagnostic);
  const below = [...shown, ...(hint === undefined ? [] : [paint(hint)])].map((text) => `  ${text}\n`);
  return `${paint(file)}:${line}:${column}: ${verdict}: ${paint(message)}${of}\n${below.join('')}`;
}

/** As a line of standard input has it, with the place in the file and the name of the monitor. */
function jsonLine({ file, line, column, endColumn, monitor, query, diagnostic }: Finding): string {
  const where = { file, line, column, end_column: endColumn, monitor: monitor === '' ? null : monitor };
  if (!diagnostic) return `${safeJson({ verdict: 'fine', ...where }, 0)}\n`;
  const { verdict, message, hint = null, start, end } = diagnostic;
  const at = { start: characters(query, start), end: characters(query, end) };
  return `${safeJson({ verdict, message, hint, ...at, ...where }, 0)}\n`;
}

/** An annotation of a workflow: the service that runs it shows it beside the line. */
function annotation({ file, line, column, endColumn, monitor, diagnostic }: Fault): string {
  const escaped = (text: string) =>
    text.replace(/[%\r\n]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const place = `file=${property(file)},line=${line},col=${column},endColumn=${endColumn}`;
  const title = monitor === '' ? '' : `,title=${property(paint(monitor))}`;
  const level = diagnostic.verdict === 'wrong' ? 'error' : 'warning';
  return `::${level} ${place}${title}::${escaped(paint(saidOf(diagnostic)))}\n`;
}

/** The log of SARIF 2.1.0, which services for code read. */
function sarif(faults: readonly Fault[]): unknown {
  const results = faults.map(({ file, line, column, endColumn, monitor, diagnostic }) => ({
    ruleId: diagnostic.verdict,
    level: diagnostic.verdict === 'wrong' ? 'error' : 'warning',
    message: { text: monitor === '' ? saidOf(diagnostic) : `${monitor}: ${saidOf(diagnostic)}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(percentEncoded).join('/') },
          region: { startLine: line, startColumn: column, endColumn },
        },
      },
    ],
  }));
  const rules = [
    { id: 'wrong', shortDescription: { text: 'the service is sure to refuse this query' } },
    { id: 'doubtful', shortDescription: { text: 'outside of the documented language' } },
  ];
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  const tool = { driver: { name: 'orgdeck', rules } };
  return { $schema, version: '2.1.0', runs: [{ tool, columnKind: 'unicodeCodePoints', results }] };
}
