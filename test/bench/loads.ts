import { join } from 'node:path';
import { createSimulator } from '../support/simulator.ts';
import type { Pty } from '../support/terminal.ts';
import { longestBlock, probed } from './blocks.ts';
import { startLargeOrganization } from './large-organization.ts';
import { openDashboard } from './measured-program.ts';

/** The dashboard while it reads a large organization, a key every 100 ms. */
export interface Load {
  readonly what: string;
  readonly firstRowsMs: number;
  readonly allRowsMs: number;
  /** The longest stretch without a pause after the first rows, CPU time of the main thread. */
  readonly blockMs: number;
  /** At most while all of it was read. */
  readonly memoryMb: number;
  /** A minute after the read, in which no key was pressed and polls went on; results of earlier days lack it. */
  readonly memoryLaterMb?: number;
}

/** An organization, the screen that is measured, and the end of its read. */
interface Organization {
  readonly what: string;
  readonly screen: string;
  /** Nothing is compiled yet, as in the first run of a new version. */
  readonly isFirstRun?: true;
  readonly start: () => Promise<{ readonly url: string; readonly apiKey: string; readonly appKey: string }>;
  readonly stop: () => Promise<unknown>;
  readonly isRead: (pty: Pty) => Promise<unknown>;
}

const patience = { within: 120_000 };
const laterMs = 60_000;

/** An organization with monitors of so many groups, one of ten of which alerts. */
function withGroups(monitors: number, groups: number): Organization {
  const states = Object.fromEntries(
    Array.from({ length: groups }, (_, at) => {
      const name = `host:web-${at},env:prod`;
      return [name, { name, status: at % 10 === 0 ? 'Alert' : 'OK', last_resolved_ts: 1_760_000_000 + at }];
    }),
  );
  const simulator = createSimulator({
    seed: 2026,
    monitors,
    issues: 100,
    rate: 0,
    around(incoming, _, next) {
      const answer = next(incoming);
      if (incoming.endpoint?.id !== 'monitors.list' || !Array.isArray(answer.body)) return answer;
      return { ...answer, body: answer.body.map((row: object) => ({ ...row, state: { groups: states } })) };
    },
  });
  return {
    what: `${monitors.toLocaleString('en')} monitors of ${groups} groups`,
    screen: 'monitors',
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    isRead: (pty) => pty.sees(new RegExp(`1-\\d+/${monitors}\\b`), patience),
  };
}

function manyMonitors(thousands: number, but?: 'first run of a version' | 'no text twice'): Organization {
  let stop = async () => {};
  return {
    what: `${thousands},000 monitors${but ? `, ${but}` : ''}`,
    ...(but === 'first run of a version' ? { isFirstRun: true } : {}),
    screen: 'monitors',
    async start() {
      const organization = await startLargeOrganization(thousands, but === 'no text twice' ? but : undefined);
      stop = organization.stop;
      return organization;
    },
    stop: () => stop(),
    isRead: (pty) => pty.sees(new RegExp(`\\d+-\\d+/${thousands}000\\b`), patience),
  };
}

function manyIssues(issues: number): Organization {
  const simulator = createSimulator({ seed: 2026, monitors: 50, issues, rate: 0 });
  return {
    what: `${issues / 1000},000 issues`,
    screen: 'issues',
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    isRead: (pty) => pty.missesSoon('loading more', patience),
  };
}

async function measureLoad(organization: Organization, home: string): Promise<Load> {
  const { url, apiKey, appKey } = await organization.start();
  const blocks = join(home, `blocks-${organization.screen}-${Date.now()}`);
  const keys = { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey };
  const program = await openDashboard([120, 40], home, 60, {
    args: ['--base-url', url, '--screen', organization.screen],
    env: {
      ...keys,
      ...probed(blocks),
      ...(organization.isFirstRun ? { XDG_CACHE_HOME: join(home, `compiled-${Date.now()}`) } : {}),
    },
    shows: /1-\d+\/\d/,
    within: patience.within,
  });
  try {
    const [from, since] = [performance.now(), Date.now()];
    let memoryMb = program.memoryMb();
    const keys = setInterval(() => {
      program.pty.presses('jk');
      memoryMb = Math.max(memoryMb, program.memoryMb());
    }, 100);
    try {
      await organization.isRead(program.pty);
    } finally {
      clearInterval(keys);
    }
    const allRowsMs = program.startMs + performance.now() - from;
    await program.pty.settles(500);
    const untilMs = Date.now();
    await new Promise((go) => setTimeout(go, laterMs));
    return {
      what: organization.what,
      firstRowsMs: program.startMs,
      allRowsMs,
      blockMs: longestBlock(blocks, since, untilMs),
      memoryMb,
      memoryLaterMb: program.memoryMb(),
    };
  } finally {
    await program.close();
    await organization.stop();
  }
}

/** Monitors of which no two have a text in common: what is made once for each text is made for all. */
export const measureTexts = (home: string): Promise<Load> => measureLoad(manyMonitors(10, 'no text twice'), home);

/** Large organizations, one after the other: a minute and a half for each. */
export async function measureLoads(home: string): Promise<readonly Load[]> {
  const loads: Load[] = [];
  const organizations = [
    manyMonitors(10),
    manyMonitors(10, 'first run of a version'),
    manyMonitors(25),
    withGroups(1000, 500),
    manyIssues(50_000),
  ];
  for (const organization of organizations) loads.push(await measureLoad(organization, home));
  return loads;
}
