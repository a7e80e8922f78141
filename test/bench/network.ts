import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type LongLink, openLongLink } from '../support/long-link.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';
import { startLargeOrganization } from './large-organization.ts';
import { type MeasuredProgram, openDashboard } from './measured-program.ts';
import { quantile } from './quantile.ts';

/** What something asks of the service. */
interface Asked {
  readonly what: string;
  readonly requests: number;
  readonly bytes: number;
}

/** How long a person waits on a link, milliseconds. */
interface Waits {
  readonly link: string;
  readonly roundTripMs: number;
  /** From the key of a screen, a while after the last read, to its rows. */
  readonly rowsMs: number;
  /** From the digit of a mute to its receipt, without the time that the digit waits for another one. */
  readonly receiptMs: number;
}

/** What the dashboard asks of the service, and how long it takes on links of several lengths. */
export interface Network {
  readonly asked: readonly Asked[];
  readonly waits: readonly Waits[];
}

const links = [
  { link: '0 ms', roundTripMs: 0 },
  { link: '100 ms', roundTripMs: 100 },
  { link: '300 ms', roundTripMs: 300 },
  { link: '300 ms, 64 kbit/s', roundTripMs: 300, bytesPerMs: 8 },
] as const;
const minuteMs = 60_000;
/** Longer than any connection lives that is not kept, and than rows are fresh. */
const pauseMs = 3500;
/** Screens whose rows come with one request, by their keys. */
const screens = [
  ['8', /Retention filters \d[\s\S]*1-\d+\/\d/],
  ['7', /Reference tables \d[\s\S]*1-\d+\/\d/],
  ['4', /Roles \d[\s\S]*1-\d+\/\d/],
] as const;
/** A digit waits so long for another one. */
const digitMs = 300;
/** A person reads a bar before it is answered. */
const lookMs = 900;
const patience = { within: 60_000 };
const pageRounds = 5;
const rest = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** Lets no more than so many monitors need a person. */
function calms({ org, turns }: Simulator, most: number): void {
  const bad = [...org.monitors.values()].filter(({ overall }) => overall !== 'OK').slice(most);
  for (const { id, groups } of bad) for (const group of groups.keys()) turns(id, 'OK', group);
}

/** The dashboard behind a link to an organization of so many monitors, of which at `most` so many need a person; `shows` says that it is ready. */
async function behind<T>(
  home: string,
  {
    monitors,
    shows,
    link,
    poll = 'off',
    most,
  }: { monitors: number; shows: RegExp; link: Parameters<typeof openLongLink>[1]; poll?: string; most?: number },
  measured: (program: MeasuredProgram, link: LongLink) => Promise<T>,
): Promise<T> {
  const simulator = createSimulator({
    ...{ seed: 2026, monitors, issues: 90, rate: 0 },
    // Of a calm organization one monitor of twenty moves.
    lively: most === undefined || (({ id }) => Number(id) % 20 === 0),
  });
  if (most !== undefined) calms(simulator, most);
  const { url, apiKey, appKey } = await simulator.start();
  const long = await openLongLink(url, link);
  const program = await openDashboard([120, 40], mkdtempSync(join(home, 'network-')), 60, {
    args: ['--base-url', long.url, '--poll', poll],
    env: { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey },
    shows,
    ...patience,
  });
  try {
    return await measured(program, long);
  } finally {
    await program.close();
    await long.close();
    await simulator.stop();
  }
}

/** Mutes the monitor under the cursor, and gives the milliseconds from the digit to the receipt. */
async function mute({ pty }: MeasuredProgram): Promise<number> {
  pty.presses('m');
  await pty.sees('Mute ');
  await rest(lookMs);
  const from = performance.now();
  pty.presses('1');
  return (await pty.sees(/✓ Muted .+ until /, patience)) - from - digitMs;
}

const counted = (what: string, link: LongLink): Asked => {
  const { requests, bytes } = link.counts();
  return { what, requests: requests.length, bytes };
};

/** Counts, which hold beside other programs: all at once. */
async function measureAsked(home: string): Promise<Asked[]> {
  const near = { roundTripMs: 0 };
  const rowsOf = (monitors: number) => ({ monitors, link: near, shows: new RegExp(`\\d+-\\d+/${monitors}\\b`) });
  const named = (what: string, { monitors }: { monitors: number }) =>
    `${what}, ${monitors.toLocaleString('en')} monitors`;
  const edit = (of: ReturnType<typeof rowsOf>) =>
    behind(home, of, async (program, link) => {
      await program.pty.settles(2000);
      const start = counted(named('start', of), link);
      await mute(program);
      await rest(4000);
      return [start, counted(named('one mute', of), link)];
    });
  const still = (of: ReturnType<typeof rowsOf> & { readonly most?: number }) =>
    behind(home, { ...of, poll: '15' }, async ({ pty }, link) => {
      await pty.settles(2000);
      await rest(minuteMs);
      link.counts();
      await rest(minuteMs);
      const { most } = of;
      return [
        counted(
          named(most === undefined ? 'a minute at rest' : `a minute at rest, ${most} that need a person`, of),
          link,
        ),
      ];
    });
  const issues = behind(home, { monitors: 10, shows: /1-10\/10\b/, link: near }, async ({ pty }, link) => {
    pty.presses('1');
    await pty.sees(/Issues \d[\s\S]*1-\d+\/\d/, patience);
    await pty.settles(2000);
    link.counts();
    pty.presses('\u0012');
    await rest(3000);
    const { requests, bytes } = link.counts();
    const searches = requests.filter((request) => request.endsWith('/issues/search'));
    return [{ what: 'a poll of 90 issues', requests: searches.length, bytes }];
  });
  const all = [
    edit(rowsOf(5000)),
    edit(rowsOf(10_000)),
    still(rowsOf(340)),
    still(rowsOf(10_000)),
    still({ ...rowsOf(10_000), most: 200 }),
    issues,
  ];
  return (await Promise.all(all)).flat();
}

async function measureWaits(home: string): Promise<Waits[]> {
  const waits: Waits[] = [];
  for (const { link, ...way } of links) {
    const wait = await behind(home, { monitors: 10, shows: /1-10\/10\b/, link: way }, async (program, line) => {
      const { pty } = program;
      const receipts: number[] = [];
      const rows: number[] = [];
      for (const [key, shows] of screens) {
        await rest(pauseMs);
        await line.rests();
        const from = performance.now();
        pty.presses(key);
        rows.push((await pty.sees(shows, patience)) - from);
        pty.presses('2j');
        await rest(pauseMs);
        await line.rests();
        receipts.push(await mute(program));
      }
      return { link, roundTripMs: way.roundTripMs, rowsMs: quantile(rows, 0.5), receiptMs: quantile(receipts, 0.5) };
    });
    waits.push(wait);
  }
  return waits;
}

/** 10,000 monitors from the start of the program, nothing kept, over links of several lengths. */
export interface Pages {
  readonly roundTripMs: number;
  readonly firstMs: number;
  readonly allMs: number;
}

export async function measurePages(home: string): Promise<readonly Pages[]> {
  const pages: Pages[] = [];
  for (const roundTripMs of [0, 100, 300]) {
    const rounds: Pages[] = [];
    for (let round = 0; round < pageRounds; round += 1) {
      const organization = await startLargeOrganization(10);
      const link = await openLongLink(organization.url, { roundTripMs });
      const { apiKey, appKey } = organization;
      const from = performance.now();
      const program = await openDashboard([120, 40], mkdtempSync(join(home, 'pages-')), 60, {
        args: ['--base-url', link.url, '--poll', 'off'],
        env: { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey },
        shows: /1-\d+\/\d/,
        ...patience,
      });
      const allMs = (await program.pty.sees(/1-\d+\/10000\b/, patience)) - from;
      rounds.push({ roundTripMs, firstMs: program.startMs, allMs });
      await program.close();
      await link.close();
      await organization.stop();
    }
    const middle = (of: (one: Pages) => number) => quantile(rounds.map(of), 0.5);
    pages.push({ roundTripMs, firstMs: middle((one) => one.firstMs), allMs: middle((one) => one.allMs) });
  }
  return pages;
}

/** What the dashboard asks of the network: some minutes. */
export async function measureNetwork(home: string): Promise<Network> {
  return { waits: await measureWaits(home), asked: await measureAsked(home) };
}
