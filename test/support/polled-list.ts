import { initialSearch, monitorsSource } from '../../screens/monitors/load.ts';
import type { MonitorRow } from '../../screens/monitors/row.ts';
import { createCache } from '../../src/cache/cache.ts';
import type { Rows } from '../../src/describe/context.ts';
import { clientAt } from './client-at.ts';
import { saying } from './fixtures/switches/intercept.ts';
import { contextOf } from './plans.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { createSteppedClock } from './steppedclock.ts';

const pollMs = 15_000;
export const pollsAMinute = 4;
/** Rows of the next page of the list, 15 s after the last poll, where so many monitors need a person. */
export const rest = (found = 0) => Math.floor((437_500 - 700 * found) / 1750);
export const restRows = rest();

export interface Found {
  readonly monitors: readonly unknown[];
  readonly metadata: object;
}

interface Polled {
  readonly monitors?: number;
  /** What the search answers. */
  readonly finds?: (answer: Found) => Found;
  /** After the list was read whole. */
  readonly from?: (service: Simulator, ids: readonly string[]) => void;
}

/** The list is polled in virtual time over real connections; every monitor is OK at first. */
export async function whilePolled(
  { monitors = 2005, finds, from }: Polled,
  story: (by: Awaited<ReturnType<typeof beginPolls>>) => Promise<void>,
) {
  const by = await beginPolls(monitors, finds);
  try {
    from?.(by.service, by.ids);
    await story(by);
  } finally {
    by.cache.close();
    await by.service.stop();
  }
}

async function beginPolls(monitors: number, finds: Polled['finds']) {
  const clock = createSteppedClock();
  const around = saying(['monitors.search'], (body) => (finds ? { ...finds(body as unknown as Found) } : body));
  const seeded = { seed: 7, monitors, issues: 0, rate: 0, lively: false, furnished: false };
  const service = createSimulator({ ...seeded, clock, around });
  for (const { id, groups } of service.org.monitors.values())
    for (const group of groups.keys()) service.turns(id, 'OK', group);
  await clock.passes(60_000);
  const client = clientAt(await service.start());
  const cache = createCache({ run: client.run, clock, random: () => 0.5, holdBack: () => 0, slowdown: () => 1 });
  const { plan, ...source } = monitorsSource({ search: initialSearch, range: '' });
  const context = () => contextOf({ now: clock.now(), offered: client.offered });
  const known = () => cache.known<Rows<MonitorRow>>(source.key);
  const answered = async () => {
    do await new Promise((done) => setImmediate(done));
    while (known().asking);
  };
  const question = {
    ...source,
    everyMs: (rows: Rows<MonitorRow>) => rows.everyMs,
    plan: (before?: Rows<MonitorRow>, edited?: ReadonlySet<string>) => plan(context(), before, edited),
  };
  cache.watch(question, { everyMs: pollMs }, () => {});
  await answered();
  return {
    ...{ service, cache, known, answered },
    ids: [...service.org.monitors.keys()].toSorted((one, other) => Number(one) - Number(other)),
    rows: () => known().value?.rows ?? [],
    stateOf: (id: string) => known().value?.rows.find((row) => row.id === id)?.state,
    /** Lets polls happen, and gives what they asked for: `search`, and of the list how many rows. */
    async polls(times = 1, apartMs = pollMs) {
      service.forgets();
      for (let time = 0; time < times; time += 1) {
        cache.pace.touch();
        await clock.passes(apartMs);
        await answered();
      }
      return service
        .received()
        .map(({ path, query }) =>
          path.endsWith('/search') ? 'search' : Number((query as { page_size?: string }).page_size),
        );
    },
  };
}
