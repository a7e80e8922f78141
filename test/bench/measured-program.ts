import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openTerminal, type Pty } from '../support/terminal.ts';
import type { Repeats } from './cross-row.ts';
import { fewestBytes } from './fewest-bytes.ts';
import type { Kind } from './kinds.ts';
import { createTerminalModel } from './terminal-model.ts';

/** What a program did after one key. */
interface Answer {
  readonly bytes: number;
  /** Milliseconds from the key to the last byte. */
  readonly ms: number;
}

/** An answer beside the best one. */
export interface Judged extends Answer {
  readonly fewest: number;
  /** Cells that were changed on the way although they ended as they were. */
  readonly blink: number;
}

interface Rounds {
  /** One answer for each key of the kind: see `leastWaste`. */
  readonly judged: readonly Judged[];
  readonly measured: readonly Answer[];
}

/** A full-screen program in a pseudo-terminal, whose answers are measured. */
export interface MeasuredProgram {
  readonly pty: Pty;
  press(key: string): Promise<Answer>;
  /** Takes the time to compute the best answer. */
  judge(key: string): Promise<Judged>;
  /** So many rounds of the kind judged, more where all were spoilt, and then as many more as have so many keys measured. */
  rounds(kind: Kind, judged: number, measuredKeys: number): Promise<Rounds>;
  /** CPU time that the process has used, milliseconds. */
  cpuMs(): number;
  /** Processor time of the threads that the program has now, to the microsecond. */
  threadsMs(): number;
  memoryMb(): number;
  close(): Promise<void>;
}

/** How a program is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the terminal repeats, as far as the program knows. */
  readonly repeats?: Repeats;
  readonly columns: number;
  readonly rows: number;
  /** Silence after which an answer counts as whole. */
  readonly quietMs: number;
}

/** Longest wait for the first byte of an answer; some keys have none. */
const patienceMs = 1500;
/** Age at which opening a screen reads its rows again, and a tenth of a second. */
const oldMs = 3100;

export function openProgram({ columns, rows, quietMs, repeats = 'none', ...program }: Program): MeasuredProgram {
  const pty = openTerminal({ ...program, columns, rows });
  const model = createTerminalModel(columns, rows);
  let taken = 0;
  const take = () => {
    const bytes = pty.outputSince(taken);
    taken = pty.mark();
    return model.take(bytes);
  };
  /** From the state of the main thread on, as in proc_pid_stat(5). */
  const statistics = () =>
    readFileSync(`/proc/${pty.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
  const press = async (key: string): Promise<Answer> => {
    const mark = pty.mark();
    const from = performance.now();
    pty.presses(key);
    while (pty.mark() === mark && performance.now() - from < patienceMs) await new Promise((go) => setTimeout(go, 5));
    do await pty.settles(quietMs);
    while (statistics()[0] === 'R');
    return { bytes: pty.bytesSince(mark), ms: pty.quietSince() - from };
  };
  const judge = async (key: string): Promise<Judged> => {
    await take();
    const before = model.screen();
    const from = taken;
    const { ms } = await press(key);
    const blink = await take();
    // What came while the model took the bytes before is on the screen after, so it counts as well.
    return { bytes: taken - from, ms, blink, fewest: fewestBytes(before, model.screen(), repeats) };
  };
  return {
    pty,
    press,
    judge,
    async rounds(
      { first = [], there, back, last = [], countsBack = true, readsAgain, budget },
      judgedRounds,
      measuredKeys,
    ) {
      const judged: Judged[][] = [];
      const measured: Answer[] = [];
      let readAt = 0;
      const begin = async () => {
        for (const key of first) await press(key);
        if (readsAgain) await pty.settles(500);
        readAt = performance.now();
      };
      /** Before its rows are too old for a round, waits until they are old enough to be read again. */
      const refresh = async () => {
        const age = performance.now() - readAt;
        if (!readsAgain || age < 1800) return;
        await new Promise((go) => setTimeout(go, Math.max(0, oldMs - age)));
        await begin();
      };
      await begin();
      for (
        let round = 0;
        round < judgedRounds || (round < mostRounds && isSpoilt(leastWaste(judged), budget));
        round += 1
      ) {
        await refresh();
        const answers: Judged[] = [];
        for (const key of there) answers.push(await judge(key));
        for (const key of back) {
          if (countsBack) answers.push(await judge(key));
          else await press(key);
        }
        judged.push(answers);
      }
      while (measured.length < measuredKeys) {
        await refresh();
        for (const key of there) measured.push(await press(key));
        for (const key of back) {
          const answer = await press(key);
          if (countsBack) measured.push(answer);
        }
      }
      for (const key of last) await press(key);
      return { judged: leastWaste(judged), measured };
    },
    cpuMs() {
      const fields = statistics();
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    threadsMs() {
      const tasks = `/proc/${pty.pid}/task`;
      return readdirSync(tasks).reduce(
        (sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
        0,
      );
    },
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pty.pid}/status`, 'utf8'))?.[1]) / 1024,
    async close() {
      await pty.close();
      model.dispose();
    },
  };
}

/** Rounds that are judged at most. */
const mostRounds = 6;

/** Whether a key has only answers that changed a cell for nothing, or the keys together are over the budget of their kind. */
function isSpoilt(answers: readonly Judged[], budget: number): boolean {
  const sum = (part: 'bytes' | 'fewest') => answers.reduce((all, answer) => all + answer[part], 0);
  return answers.some(({ blink }) => blink > 0) || sum('bytes') > sum('fewest') * budget;
}

/**
 * Of the answers of each key the one with the least waste. An age that ticks, or a notice that comes while a key is answered, is a
 * frame of its own and spoils one round; a wasteful writer, or one that blinks, spoils all.
 */
export function leastWaste([first = [], ...others]: readonly (readonly Judged[])[]): Judged[] {
  const waste = ({ bytes, fewest, blink }: Judged) => bytes - fewest + blink;
  return first.map((answer, at) =>
    others.reduce((best, round) => {
      const other = round[at] as Judged;
      return waste(other) < waste(best) ? other : best;
    }, answer),
  );
}

const dashboard = fileURLToPath(new URL('../../dist/orgdeck.js', import.meta.url));

/** An organization for the dashboard: how the command line names it, and what the list shows once all its rows are there. */
interface Organization {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly shows: RegExp;
  readonly within: number;
  /** Starts it behind another program. */
  readonly behind?: (program: Program) => Promise<Program>;
}

/** The demo organization. */
export const demo: Organization = { args: ['--demo'], shows: /1-\d+\/\d+/, within: 30_000 };

/** As the program starts: Home, whose first block is what alerts. */
export const demoHome: Organization = {
  args: ['--demo', '--screen', 'home'],
  shows: /Now\s+\d+ ALERT/,
  within: 30_000,
};

/** The built dashboard on an organization, showing the monitors. Rows are on the screen. */
export async function openDashboard(
  size: readonly [number, number],
  home: string,
  quietMs: number,
  { args, env, shows, within, behind = async (program) => program }: Organization = demo,
): Promise<MeasuredProgram & { readonly startMs: number }> {
  const from = performance.now();
  const [columns, rows] = size;
  const started = await behind({
    command: process.execPath,
    args: [dashboard, ...(args.includes('--screen') ? [] : ['--screen', 'monitors']), ...args],
    // The terminal is xterm.js, like that of VS Code.
    env: { ORGDECK_CONFIG_DIR: home, TERM_PROGRAM: 'vscode', ...env },
    repeats: 'all',
    columns,
    rows,
    quietMs,
  });
  const program = openProgram(started);
  const startMs = (await program.pty.sees(shows, { within })) - from;
  return { ...program, startMs };
}

/** The organization without polls, so that every byte follows from a key. */
export const unpolled = (organization: Organization = demo): Organization => ({
  ...organization,
  args: [...organization.args, '--poll', 'off'],
});

/** Waits until all that the start reads is there. */
export async function settlesPaused({ pty }: MeasuredProgram): Promise<void> {
  await pty.sees('paused');
  await pty.settles(500);
}
