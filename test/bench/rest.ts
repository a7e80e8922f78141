import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { restIssues } from '../support/resting-issues.ts';
import { createSimulator } from '../support/simulator.ts';
import { demo, openDashboard } from './measured-program.ts';
import { quantile } from './quantile.ts';

/** A minute without a key. */
interface Rest {
  readonly organization: string;
  readonly size: string;
  readonly bytes: number;
  /** CPU time of all threads, milliseconds. The service of the demo is one of them. */
  readonly cpuMs: number;
}

/** What several dashboards do while nobody presses a key. */
export interface Resting {
  readonly rest: readonly Rest[];
  /** From the start of the program to rows that an earlier run has kept, before the service has answered; milliseconds. */
  readonly keptStartMs: number;
}

const sizes = [
  [80, 24],
  [120, 40],
] as const;
const minute = 60_000;
/** After the first rows: what is to be notified of is read, compiled code is kept, rows are kept. The start is over. */
const settleMs = 60_000;
const keptStarts = 5;
const still = { seed: 2026, monitors: 340, issues: 320, lively: false };

/**
 * One minute of all at once: each uses a core for well under a second of it. The organization `still` is another process'
 * and nothing changes in it; it has as many rows as the demo.
 */
export async function measureRest(home: string): Promise<Resting> {
  const simulator = createSimulator(still);
  restIssues(simulator.org, simulator.now());
  const { url, apiKey, appKey } = await simulator.start();
  const quiet = {
    args: ['--base-url', url],
    env: { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey },
    shows: demo.shows,
    within: demo.within,
  };
  try {
    const places = [
      ...sizes.map((size) => ({ organization: 'demo', of: demo, size })),
      ...sizes.map((size) => ({ organization: 'still', of: quiet, size })),
    ].map((place) => ({ ...place, home: mkdtempSync(join(home, 'rest-')) }));
    const programs = await Promise.all(
      places.map(async (place) => ({ ...place, program: await openDashboard(place.size, place.home, 60, place.of) })),
    );
    await new Promise((go) => setTimeout(go, settleMs));
    const before = programs.map(({ program }) => ({ mark: program.pty.mark(), cpuMs: program.threadsMs() }));
    await new Promise((go) => setTimeout(go, minute));
    const rest = programs.map(({ organization, size, program }, at): Rest => {
      const { mark = 0, cpuMs = 0 } = before[at] ?? {};
      return {
        organization,
        size: size.join('x'),
        bytes: program.pty.bytesSince(mark),
        cpuMs: program.threadsMs() - cpuMs,
      };
    });
    await Promise.all(programs.map(({ program }) => program.close()));
    const kept = programs.at(-1);
    simulator.delays(minute);
    const starts: number[] = [];
    for (let run = 0; run < keptStarts; run += 1) {
      const { startMs, close } = await openDashboard(kept?.size ?? [120, 40], kept?.home ?? home, 40, quiet);
      starts.push(startMs);
      await close();
    }
    return { rest, keptStartMs: quantile(starts, 0.5) };
  } finally {
    await simulator.stop();
  }
}
