import { homedir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';
import { quoteWord } from '../describe/action.ts';
import type { JobEnd, JobRequest, Programs, Progress } from '../describe/job.ts';
import { paint } from '../lib/paint.ts';
import { cut, plural } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { present } from '../lib/values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { ChildEnvironment } from '../terminal/editor.ts';
import { mostPrinted, runProgram } from '../terminal/programs.ts';
import type { Ports } from './command-ports.ts';
import { askQuestion, productionQuestion } from './edit-question.ts';
import { complain, type Exit, endWith, exits, type Io, refuseReadOnly, tell } from './io.ts';
import { createProgress, stopOnSignals } from './output/progress.ts';
import type { OpenConnection } from './start.ts';

const programs: v.GenericSchema<unknown, Programs> = v.object({
  title: v.string(),
  runs: v.array(v.object({ name: v.string(), argv: v.array(v.string()) })),
  isShown: v.boolean(),
});

/** Lines of output that are shown at most. */
const mostLines = 5000;

/** Cells of the last line of a program's errors in a message. */
const widestError = 200;

/** Runs programs one after the other, and says how each ended. None of them gets a key of ours. */
export async function runPrograms(
  values: unknown,
  means: {
    readonly programEnvironment: () => Promise<ChildEnvironment>;
    readonly signal: AbortSignal;
    readonly progress: (progress: Progress) => void;
  },
): Promise<JobEnd> {
  const { title, runs, isShown } = v.parse(programs, values);
  const env = await means.programEnvironment();
  const lines: string[] = [];
  const failures: string[] = [];
  for (const [index, { name, argv }] of runs.entries()) {
    if (means.signal.aborted) {
      failures.push(`${plural(runs.length - index, 'run')} left out`);
      break;
    }
    const step = runs.length > 1 ? `${index + 1} of ${runs.length}: ${name}` : name;
    means.progress({
      step,
      ...(runs.length > 1 ? { share: index / runs.length } : {}),
      notes: [argv.map(quoteWord).join(' ')],
    });
    const end = await runProgram(argv, { env, signal: means.signal, keepsOutput: isShown, process });
    const says = isShown || end.ok ? end.says : withLastError(end);
    if (!end.ok) failures.push(runs.length > 1 ? `${name} ${says}` : says);
    lines.push(
      ...(runs.length > 1 ? [...headOf(index, name, end), ...outputOf(end)] : [...outputOf(end), ...endOf(end)]),
    );
  }
  const text = summaryOf(title, runs.length, failures);
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), '(the rest is not shown)'] : lines;
  return { ok: failures.length === 0, text, ...(isShown ? { lines: shown } : {}) };
}

/** How all the runs ended, in one sentence. */
function summaryOf(title: string, count: number, failures: readonly string[]): string {
  const [first] = failures;
  if (first === undefined) return count > 1 ? `${title} has ended ${plural(count, 'time')}` : `${title} has ended`;
  return count > 1 ? `${title}: ${failures.length} of ${count} failed: ${first}` : `${title} ${first}`;
}

type End = Awaited<ReturnType<typeof runProgram>>;

/** How a program failed, with the last line of its errors. */
function withLastError({ says, errors }: End): string {
  const why = linesOf(errors).findLast((line) => line.trim() !== '');
  return why === undefined ? says : `${says}: ${cut(paint(why.trim()), widestError)}`;
}

const outputOf = ({ printed, isCut }: End): readonly string[] => [
  ...linesOf(printed),
  ...(isCut ? [`(only the first ${mostPrinted / 1024} KB are shown)`] : []),
];

/** The lines above the output of one of several programs. */
const headOf = (index: number, name: string, { says }: End): readonly string[] => [
  ...(index > 0 ? [''] : []),
  `${name}: ${says}`,
];

/** The line below the output of the only program: its output alone does not say how it ended. */
function endOf({ ok, says, printed }: End): readonly string[] {
  if (!ok) return [`(it ${says})`];
  return printed === '' ? ['(it printed nothing)'] : [];
}

/** What a program printed as lines for a screen: without colors, tabs as spaces, of a line written over itself the last. */
function linesOf(printed: string): readonly string[] {
  if (printed === '') return [];
  const text = stripVTControlCharacters(printed).replace(/\r?\n$/, '');
  return text.split(/\r?\n/).map((line) => line.slice(line.lastIndexOf('\r') + 1).replaceAll('\t', '        '));
}

/** What a job may use: the organization, the machine, the way to be stopped, and where it tells how far it is. */
interface JobMeans {
  readonly connection: Pick<OpenConnection, 'client' | 'directory'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly env: NodeJS.ProcessEnv;
  /** That of the programs that the job starts. */
  readonly programEnvironment: () => Promise<ChildEnvironment>;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** What is discarded of an upload. */
const leftUpload = v.object({ note: v.string() });

/** Runs one job to its end; the code of uploads is loaded when it is first asked for. Never throws for what a disk, a network or a service can do. */
export async function runJob({ kind, values }: JobRequest, means: JobMeans): Promise<JobEnd> {
  const { connection, clock, random, env: environment, signal, progress } = means;
  const { client, directory } = connection;
  switch (kind) {
    case 'programs':
      return runPrograms(values, means);
    case 'upload': {
      // A CSV file of this machine on its way into a table (docs/contract/reference-tables.md#upload).
      const { runUpload } = await import('../upload/upload-job.ts');
      return runUpload(values, { client, directory, clock, random, environment, home: homedir(), signal, progress });
    }
    case 'abandon-upload': {
      const left = v.safeParse(leftUpload, values);
      if (!left.success) return { ok: false, text: 'nothing left to discard' };
      const { abandon } = await import('../upload/upload-record.ts');
      await abandon(directory, left.output.note);
      return { ok: true, text: 'Discarded; the service drops the parts by itself' };
    }
  }
}

/** Runs long work to its end: how far it is goes to stderr, the last line to stdout. Ctrl-C and other signals call it off. */
export async function followJob(io: Io, connection: OpenConnection, job: JobRequest): Promise<Exit> {
  const { dryRun } = connection.settings;
  if (dryRun && job.kind === 'abandon-upload') return endWith(io, exits.done, 'nothing was discarded');
  const stopping = stopOnSignals();
  const progress = createProgress(io);
  const { clock, random, env } = io;
  const { signal } = stopping;
  // A command has no job that starts programs.
  const programEnvironment = async () => ({});
  const means = { connection, clock, random, env, programEnvironment, signal, progress: progress.tell };
  const ended = await runJob(job, means).finally(() => {
    progress.end();
    stopping.end();
  });
  if (ended.ok && !dryRun) tell(io, [ended.text]);
  else complain(io, ended.text);
  return ended.ok ? exits.done : (stopping.exit() ?? exits.failed);
}

/** Flags of `orgdeck tables upload`. */
export interface UploadFlags extends Flags {
  readonly name: string;
  /** The column of the primary key. */
  readonly key?: string;
  readonly tag?: readonly string[];
  /** Columns that hold whole numbers. */
  readonly number?: readonly string[];
  readonly description?: string;
}

/**
 * `orgdeck tables upload FILE --name N [--key COL]`: checks the file, sends it, makes the table and follows it to its
 * end. How far it is goes to stderr; the last line to stdout. Ctrl-C calls it off.
 */
export async function uploadFile(ports: Ports, file: string, flags: UploadFlags): Promise<Exit> {
  const { io } = ports;
  const { name: table, key, tag: tags, number: numbers = [], description } = flags;
  return ports.with(flags, async (connection) => {
    const { settings } = connection;
    if (settings.readOnly && !settings.dryRun) return refuseReadOnly(io);
    const values = {
      file,
      table,
      types: Object.fromEntries(numbers.map((column) => [column, 'INT32'])),
      ...present({ key, tags: tags && [...tags], description }),
    };
    const refused = await askQuestion(io, settings, productionQuestion(settings, `upload ${file} as ${table}`));
    return refused ?? followJob(io, connection, { kind: 'upload', title: `upload ${file}`, values });
  });
}
