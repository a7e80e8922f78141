import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { demoHome, openDashboard, openProgram } from './measured-program.ts';
import { quantile } from './quantile.ts';

/** What the machine takes in this run without our program, and the start beside it. Milliseconds. */
export interface Floor {
  readonly cores: number;
  /** Processes that wanted a core in the minute before the run. */
  readonly load: number;
  /** A process that does nothing. */
  readonly nodeMs: number;
  /** From the start of the program, as it starts without a flag, to the rows of its first block. */
  readonly startMs: number;
  /** From a key to its echo by `cat` in a pseudo-terminal. */
  readonly echoP50: number;
  readonly echoP95: number;
}

const runs = 8;

/** The two starts are interleaved, so that a busy moment of the machine meets both. */
export async function measureFloor(home: string): Promise<Floor> {
  const load = loadavg()[0] ?? 0;
  const bare: number[] = [];
  const starts: number[] = [];
  // The first start compiles the bundle, and keeps the result when the first screen has been there for two seconds.
  const first = await openDashboard([120, 40], home, 40, demoHome);
  await new Promise((go) => setTimeout(go, 4000));
  await first.close();
  for (let run = 0; run < runs; run += 1) {
    const from = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    bare.push(performance.now() - from);
    const dashboard = await openDashboard([120, 40], home, 40, demoHome);
    starts.push(dashboard.startMs);
    await dashboard.close();
  }
  const cat = openProgram({ command: 'cat', args: [], columns: 80, rows: 24, quietMs: 10 });
  const echoes: number[] = [];
  for (let key = 0; key < 200; key += 1) echoes.push((await cat.press('x')).ms);
  await cat.close();
  return {
    cores: availableParallelism(),
    load,
    nodeMs: quantile(bare, 0.5),
    startMs: quantile(starts, 0.5),
    echoP50: quantile(echoes, 0.5),
    echoP95: quantile(echoes, 0.95),
  };
}
