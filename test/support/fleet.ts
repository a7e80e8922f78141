import { screens } from '../../screens/index.ts';
import { initialSearch, monitorsSource } from '../../screens/monitors/load.ts';
import type { MonitorRow } from '../../screens/monitors/row.ts';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { call } from '../../src/api/endpoint.ts';
import { muteMonitor } from '../../src/api/monitors.ts';
import { type Cache, createCache } from '../../src/cache/cache.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import { createTransport, type Transport, timeouts } from '../../src/client/transport.ts';
import type { Rows } from '../../src/describe/context.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { nextTurn } from '../../src/lib/slices.ts';
import type { Clock } from '../../src/lib/time.ts';
import { hasRoom } from '../../src/session/session-world.ts';
import { initial, type State } from '../../src/session/state/state.ts';
import { createFeeding } from '../../src/session/watch/watchers.ts';
import { createWatching } from '../../src/session/watch/watching.ts';
import { createRandom } from '../../src/simulator/server/random.ts';
import { contextOf } from './plans.ts';
import { createSimulator } from './simulator.ts';
import { settled } from './steppedclock.ts';

/** What the time of many dashboards on one rate limit came to. */
interface FleetTime {
  readonly calls: number;
  /** Share of the calls that were refused. */
  readonly refusedShare: number;
  readonly edits: number;
  /** Edits that ended in a problem. */
  readonly failed: number;
  /** Seconds from the key to the answer. */
  readonly editP99: number;
  /** Of dashboards that show monitors: the longest age of a row that one showed after its first read, and of what alerts, minutes. */
  readonly oldestRow: number;
  readonly oldestAlert: number;
  /** Dashboards that had read the list once, and megabytes of all answers, as long as those of the service are. */
  readonly reading: number;
  readonly megabytes: number;
  /** Share of all calls that came in the busiest second of the minute: where all wake together, it is large. */
  readonly busiestSecond: number;
}

const second = 1000;
const minute = 60 * second;
/** Calls a minute of the organization, whoever sends them; counted by the minute of the clock. */
const limit = 300;
/** How long a person waits between two edits, on average. */
const editEveryMs = 20 * minute;

/** Turns of the loop that the work on an answer may take; what waits to try again is busy, too, and computes nothing. */
const mostTurns = 300;

/** Timers in order of their time, those of 10 ms together. */
function createVirtualClock(from: number) {
  const due = new Map<number, Set<() => void>>();
  const times: number[] = [];
  const state = { now: from };
  const clock: Clock = {
    now: () => state.now,
    after(ms, then) {
      const at = Math.ceil((state.now + Math.max(1, ms)) / 10) * 10;
      let timers = due.get(at);
      if (!timers) {
        timers = new Set();
        due.set(at, timers);
        let low = 0;
        for (let high = times.length; low < high; ) {
          const middle = (low + high) >> 1;
          if ((times[middle] as number) > at) low = middle + 1;
          else high = middle;
        }
        times.splice(low, 0, at);
      }
      const timer = () => then();
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  return {
    clock,
    /** Time waits for work that no timer is awaited in, as long as `isBusy` says so. */
    async runs(until: number, isBusy: () => boolean) {
      for (let at = times.pop(); at !== undefined && at <= until; at = times.pop()) {
        state.now = at;
        const timers = due.get(at) ?? new Set();
        due.delete(at);
        if (timers.size === 0) continue;
        for (const timer of timers) timer();
        await settled();
        for (let turn = 0; turn < mostTurns && isBusy(); turn += 1) await nextTurn();
      }
      state.now = until;
    },
  };
}

/** What the dashboards of a fleet show, and whether answers tell of the limit. */
interface FleetSetting {
  /** All of so many monitors, in place of Home. */
  readonly monitors?: number;
  readonly untold?: true;
}

/** Bytes of a monitor in the list and in the search, as services answer. */
const listedBytes = 1750;
const foundBytes = 700;
/** Of so many monitors in a row one needs a person, each of them for as many turns. */
const needy = 100;
/** A turn, after which somewhere another one does. */
const turnMs = 6 * second;

/** The answers of an organization whose monitors change as time goes by, short ones; `bytes` as long as they would be. */
function manyMonitors(count: number, path: string, now: number): { readonly body: unknown; readonly bytes: number } {
  const query = new URLSearchParams(path.replace(/^[^?]*\??/, ''));
  const turn = Math.floor(now / turnMs);
  const round = (id: number) => Math.floor((turn + Math.floor(id / needy)) / needy);
  const isBad = (id: number) => id % needy === round(id) % needy;
  const one = (id: number) => ({
    ...{ id, name: `m${id}`, type: 'metric alert', query: 'avg(last_5m):avg:a{*} > 1', tags: [], options: {} },
    ...{
      overall_state: isBad(id) ? 'Alert' : 'OK',
      overall_state_modified: new Date((round(id) * needy - Math.floor(id / needy)) * turnMs).toISOString(),
    },
  });
  if (!path.includes('/search')) {
    const after = Number(query.get('id_offset'));
    const size = Math.max(0, Math.min(Number(query.get('page_size')), count - after));
    return { body: Array.from({ length: size }, (_, at) => one(after + at + 1)), bytes: size * listedBytes };
  }
  const ids = /id:\(([^)]*)\)/
    .exec(query.get('query') ?? '')?.[1]
    ?.split(' OR ')
    .map(Number);
  const found = (ids ?? Array.from({ length: count }, (_, at) => at + 1).filter(isBad)).map((id) => {
    const { overall_state: status, ...more } = one(id);
    return { ...more, status };
  });
  const size = Number(query.get('per_page'));
  const from = Number(query.get('page')) * size;
  const monitors = found.slice(from, from + size);
  return { body: { monitors, metadata: { total_count: found.length } }, bytes: monitors.length * foundBytes };
}

/**
 * So many dashboards show Home for some virtual time, started within the first half of it; their people edit. Everything that
 * decides when a call is sent is the product's own: feeds, polls, cache, client. The answers are those of an empty
 * organization, read once from the simulator: real sockets know no virtual time. All draw from one stream of `seed`, in the order
 * in which their work runs: a change of that order alone draws another time.
 */
export async function fleetTime(
  dashboards: number,
  minutes: number,
  seed: number,
  { monitors, untold }: FleetSetting = {},
): Promise<FleetTime> {
  const lastsMs = minutes * minute;
  const simulator = createSimulator({ seed: 7, monitors: 0, issues: 0, furnished: false, lively: false, rate: 0 });
  simulator.has('monitor', { id: 77, name: 'Disk' });
  const { url, apiKey, appKey } = await simulator.start();
  const from = Math.ceil(Date.now() / minute) * minute;
  const { clock, runs } = createVirtualClock(from);
  const random = createRandom(seed);
  const draw = () => random.next();
  const real = createTransport({ base: new URL(url), timeouts, environment: {} });
  const known = new Map<string, ReturnType<Transport['exchange']>>();
  const ofMinute = Array<number>(60).fill(0);
  const count = {
    calls: 0,
    refused: 0,
    failed: 0,
    minute: 0,
    used: 0,
    bytes: 0,
    oldestRow: 0,
    oldestAlert: 0,
    reading: 0,
  };
  const editSeconds: number[] = [];
  const sleep = (ms: number) => new Promise<void>((done) => void clock.after(ms, done));

  const limitHeaders = (now: number, period: number) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-period': '60',
    'x-ratelimit-remaining': String(limit - count.used),
    'x-ratelimit-reset': String(Math.ceil(((period + 1) * minute - now) / second)),
    'x-ratelimit-name': 'organization',
  });
  const transport: Transport = {
    expectEdit() {},
    async exchange(wired, how) {
      await sleep(20 + draw() * 60);
      const now = clock.now();
      const period = Math.floor(now / minute);
      if (period !== count.minute) Object.assign(count, { minute: period, used: 0 });
      const isRefused = count.used >= limit;
      count.calls += 1;
      if (isRefused) count.refused += 1;
      else count.used += 1;
      const at = Math.floor((now % minute) / second);
      ofMinute[at] = (ofMinute[at] ?? 0) + 1;
      const headers = {
        'content-type': 'application/json',
        ...(!untold && limitHeaders(now, period)),
      };
      await sleep(20 + draw() * 60);
      if (isRefused) return { kind: 'answer', status: 429, headers, text: '{"errors":["Rate limit reached"]}' };
      if (monitors !== undefined && wired.method === 'GET') {
        const { body, bytes } = manyMonitors(monitors, wired.path, now);
        count.bytes += bytes;
        return { kind: 'answer', status: 200, headers, text: JSON.stringify(body) };
      }
      const name = `${wired.method} ${wired.path.replace(/\?.*/, '')}`;
      const asked = known.get(name) ?? real.exchange(wired, how);
      known.set(name, asked);
      const answer = await asked;
      return answer.kind === 'answer' ? { ...answer, headers } : answer;
    },
    close: async () => {},
  };

  const home = screens.flatMap(({ lists }) => lists).find(({ id }) => id === 'home') as AnyList;
  const closes: (() => void)[] = [];
  const works: (() => boolean)[] = [];

  /** Shows the list of monitors, and looks each 10 s how old what it shows is. */
  const watchMonitors = (cache: Cache, client: Client, isIdle: () => boolean) => {
    const { plan, ...source } = monitorsSource({ search: initialSearch, range: '' });
    const context = () => contextOf({ now: clock.now(), offered: client.offered });
    const question = {
      ...source,
      everyMs: (rows: Rows<MonitorRow>) => rows.everyMs,
      plan: (before?: Rows<MonitorRow>, edited?: ReadonlySet<string>) => plan(context(), before, edited),
    };
    cache.watch(question, { everyMs: 15_000 }, () => {});
    let isRead = false;
    const look = () => {
      const { value, at = 0, partial } = cache.known<Rows<MonitorRow>>(source.key);
      if (value && !partial) {
        if (!isRead) count.reading += 1;
        isRead = true;
        count.oldestAlert = Math.max(count.oldestAlert, clock.now() - at);
        count.oldestRow = Math.max(count.oldestRow, clock.now() - (value.oldestAt ?? at));
      }
      clock.after(10 * second, look);
    };
    look();
    return () => isIdle() && cache.known(source.key).asking;
  };

  const open = async () => {
    await sleep(draw() * (lastsMs / 2));
    const sending = { inFlight: 0 };
    const client = createClient({
      origin: url,
      keys: { apiKey, appKey },
      readOnly: false,
      recorder: {
        intent: async () => ({ ok: true, value: 'entry', status: 200, unread: [] }),
        outcome: async () => {},
      },
      clock,
      random: draw,
      find: findEndpoint,
      transport: () => ({
        ...transport,
        async exchange(wired, how) {
          sending.inFlight += 1;
          const answer = await transport.exchange(wired, how);
          sending.inFlight -= 1;
          return answer;
        },
      }),
    });
    const cache = createCache({
      run: client.run,
      clock,
      random: draw,
      holdBack: () => client.holdBack(),
      slowdown: client.slowdown,
    });
    const state: State = initial(screens, { columns: 120, rows: 40 });
    const context = () => contextOf({ now: clock.now() });
    const feeding = createFeeding({
      cache,
      hasRoom: () => hasRoom(client, clock.now()),
      journal: async () => [],
      changed: () => {},
    });
    const watching = createWatching({
      cache,
      clock,
      outside: { ring() {} },
      profile: { name: 'test', pollMs: 15_000, isNotified: false } as Parameters<typeof createWatching>[0]['profile'],
      reads: { rows: () => ({ rows: [] }) } as unknown as Parameters<typeof createWatching>[0]['reads'],
      readOf: () => undefined,
      feeding,
      now: () => ({ state, view: { list: {}, listState: {}, read: {} } }) as never,
      lists: [],
      front: () => home,
      context,
      state: () => state,
      send() {},
      beat() {},
      aged() {},
      again() {},
      keepRows() {},
      keyAt: () => Number.NEGATIVE_INFINITY,
      rowsAreThere() {},
    });
    if (monitors === undefined) watching.follow();
    else works.push(watchMonitors(cache, client, () => sending.inFlight === 0));
    const edits = async () => {
      for (;;) {
        await sleep(-Math.log(1 - draw()) * editEveryMs);
        cache.pace.touch();
        const begun = clock.now();
        const result = await client.send(call(muteMonitor, { monitor_id: '77', body: {} }));
        editSeconds.push((clock.now() - begun) / second);
        if (!result.ok) count.failed += 1;
        else cache.changed([muteMonitor.of, ...(muteMonitor.touches ?? [])]);
      }
    };
    void edits();
    closes.push(() => {
      watching.close();
      cache.close();
    });
  };

  for (let at = 0; at < dashboards; at += 1) void open();
  await runs(from + lastsMs, () => works.some((isBusy) => isBusy()));
  for (const close of closes) close();
  await real.close();
  await simulator.stop();
  const slowest = editSeconds.toSorted((one, other) => one - other);
  return {
    calls: count.calls,
    refusedShare: count.refused / count.calls,
    edits: slowest.length,
    failed: count.failed,
    editP99: slowest[Math.floor(slowest.length * 0.99)] ?? Number.NaN,
    oldestRow: count.oldestRow / minute,
    oldestAlert: count.oldestAlert / minute,
    reading: count.reading,
    megabytes: count.bytes / 1e6,
    busiestSecond: Math.max(...ofMinute) / count.calls,
  };
}
