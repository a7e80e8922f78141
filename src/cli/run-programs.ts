import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';
import { quoteWord } from '../describe/action.ts';
import type { JobEnd, Programs, Progress } from '../describe/job.ts';
import { paint } from '../lib/paint.ts';
import { cut, plural } from '../lib/text.ts';
import type { ChildEnvironment } from '../terminal/editor.ts';
import { mostPrinted, runProgram } from '../terminal/programs.ts';

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
      ...(runs.length > 1 ? { part: index / runs.length } : {}),
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
