import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../api/all-endpoints.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { createActivity } from './activity.ts';
import { plannedFaults } from './faults/fault-plan.ts';
import { createFaults, fits, type Match, page } from './faults/faults.ts';
import type { FaultPlan } from './faults/read-fault-plan.ts';
import { seedOrg } from './seed/seed.ts';
import type { Intercept, World } from './server/handler.ts';
import { createApp, type Received } from './server/http.ts';
import { createKeys, type KeyOptions, type KeyPair } from './server/keys.ts';
import { createLimits } from './server/limits.ts';
import type { Monitor } from './server/monitoring.ts';
import { createObjectStore, type ObjectStore } from './server/object-store.ts';
import { createRandom } from './server/random.ts';
import { createOrg, type Org } from './server/store.ts';
import { wireVocabulary } from './server/vocabulary.ts';

/** Size and activity of the organisation, and behaviour of its service. */
export interface SimulatorOptions {
  /** The same seed gives the same organisation. */
  readonly seed?: number;
  readonly monitors?: number;
  readonly issues?: number;
  readonly clock?: Clock;
  /** Milliseconds before each response, in real time. */
  readonly latencyMs?: number;
  /** Calls per 10 s and bucket; 0 = no limits and no rate headers; absent = the contract's buckets. */
  readonly rate?: number;
  /** Monitors change state and new issues appear; a function chooses the monitors. Default true. */
  readonly lively?: boolean | ((monitor: Monitor) => boolean);
  /** The deployment's vocabulary, used on the wire. */
  readonly vocabulary?: Translator | undefined;
  /** Seeds keys, mappings, filters, archives, cloud integrations and reference tables. Default true. */
  readonly furnished?: boolean;
  /** Operations beside those of the contract, served generically by verb and kind. */
  readonly more?: readonly Endpoint[];
  /** Faults that happen by themselves, beside those that a test asks for. */
  readonly faults?: FaultPlan | undefined;
  /** Middleware around every operation; simulates other deployments. */
  readonly intercept?: Intercept;
  /** Is told, in one line, of a request that ended early and of an error of the simulator. Default: nobody. */
  readonly complain?: (line: string) => void;
}

/** The URL, and the keys of an administrator and of a read-only user. */
export interface Started extends KeyPair {
  readonly url: string;
  readonly readOnlyAppKey: string;
}

/** How often a fault happens (default once), and to which calls (default all). */
interface FaultOptions {
  readonly times?: number;
  /** A part of `METHOD /path`, a pattern over it, or the operation's id. */
  readonly match?: Match;
}

/** An organisation behind real HTTP on this machine. */
export interface Simulator {
  /** Listens on 127.0.0.1; port 0 = any free one. Rejects when the port is taken. */
  start(port?: number): Promise<Started>;
  /** Ends every connection and stops listening. */
  stop(): Promise<void>;
  readonly org: Org;
  /** The state of the service. */
  readonly world: World;
  /** The object store that receives upload parts. */
  readonly objectStore: ObjectStore;
  /** Creates and revokes key pairs, effective immediately. */
  readonly keys: { make(wishes?: KeyOptions): KeyPair; revoke(key: string): void };
  /** Time in the organisation, epoch milliseconds. */
  now(): number;
  /** Requests so far, oldest first. */
  received(method?: string, pathPart?: string): Received[];
  /** Clears the recorded requests. */
  forgets(): void;
  refuses(
    status: number,
    how?: FaultOptions & {
      readonly body?: unknown;
      readonly html?: boolean;
      readonly headers?: Record<string, string>;
    },
  ): void;
  /** Delays every response by `ms` of real time; 0 ends it. */
  delays(ms: number, match?: Match): void;
  /** Resets the connection of the next calls before they are handled. */
  drops(times?: number, match?: Match): void;
  /** Accepts the next requests and never responds. */
  hangs(times?: number, match?: Match): void;
  /** Sends half of the next bodies. */
  truncates(times?: number, match?: Match): void;
  /** Handles the request, then responds with a 5xx, or resets the connection when the status is 0. */
  appliesThenFails(
    times?: number,
    how?: { readonly status?: number; readonly match?: Match; readonly html?: boolean },
  ): void;
  /** This deployment does not have these operations: 404 as a page, or 405. */
  withdraws(ids: readonly string[], status?: 404 | 405): void;
  /** Calls per 10 s and bucket from now on. */
  limits(rate: number | undefined): void;
  /** Faults by this plan from now on; undefined ends them. */
  plans(plan: FaultPlan | undefined): void;
  /** Ends faults, delays and withdrawals. */
  recovers(): void;
  /** Advances the organisation's clock. */
  passes(ms: number): void;
}

/** An organisation with its server; nothing listens before `start`. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { seed = 1, monitors = 340, issues = 320, clock = systemClock, lively = true, furnished = true } = options;
  const random = createRandom(seed);
  const shift = { ms: 0 };
  const org = createOrg(seed, random.uuid(), clock.now());
  const keys = createKeys(org);
  const world: World = {
    org,
    random,
    revokeKeysOf: (user) => keys.revokeAllOf(user),
    partUrl: (upload, part) => objectStore.urlOf(upload, part),
  };
  const roleName = options.vocabulary?.role ?? ((name: string) => name);
  seedOrg(world, { monitors, issues, furnished, roleName }, clock.now());
  const activity = createActivity(world, lively);
  const limits = createLimits(options.rate);
  const faults = createFaults();
  const plan = { current: options.faults && plannedFaults(options.faults) };
  const withdrawn = new Map<string, number>();
  const received: Received[] = [];
  const delay: { ms: number; match: Match | undefined } = { ms: options.latencyMs ?? 0, match: undefined };
  const now = (): number => {
    const at = clock.now() + shift.ms;
    activity.until(at);
    return at;
  };
  const latency = (operation: string, line: string): number => {
    return fits(delay.match, operation, line) ? delay.ms : 0;
  };
  const objectStore = createObjectStore({ seed, uploads: org.tableStore.uploads, now });
  const vocabulary = wireVocabulary(options.vocabulary);
  const app = createApp({
    endpoints: [...endpoints, ...(options.more ?? [])],
    vocabulary,
    world,
    keys,
    limits,
    faults: { take: (...request) => faults.take(...request) ?? plan.current?.take(...request) },
    used: new WeakSet(),
    intercept: options.intercept,
    withdrawn,
    received,
    now,
    latency,
    complain: options.complain ?? (() => {}),
  });
  const server = createServer(app);
  const admin = keys.make({ name: 'this dashboard' });
  const reader = keys.make({ user: readerOf(org), name: 'this dashboard, only reading' });

  return {
    org,
    world,
    objectStore,
    keys,
    now,
    start: async (port = 0) => {
      await new Promise<void>((done, fail) => {
        server.once('error', fail);
        server.listen(port, '127.0.0.1', () => {
          server.off('error', fail);
          done();
        });
      });
      await objectStore.start();
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return { url, ...admin, readOnlyAppKey: reader.appKey };
    },
    stop: async () => {
      await objectStore.stop();
      await new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    },
    received: (method, pathPart) =>
      received.filter(
        (request) => (!method || request.method === method) && (!pathPart || request.path.includes(pathPart)),
      ),
    forgets: () => {
      received.length = 0;
    },
    refuses: (status, how = {}) => {
      const given = how.html
        ? page(status, 'Problem')
        : { status, body: how.body ?? { errors: [`Refused with ${status}`] } };
      const answer = how.headers ? { ...given, headers: how.headers } : given;
      faults.add({ kind: 'answers', answer, after: false }, how.times ?? 1, how.match);
    },
    delays: (ms, match) => {
      delay.ms = ms;
      delay.match = match;
    },
    drops: (times = 1, match) => faults.add({ kind: 'resets', after: false }, times, match),
    hangs: (times = 1, match) => faults.add({ kind: 'hangs', after: false }, times, match),
    truncates: (times = 1, match) => faults.add({ kind: 'truncates' }, times, match),
    appliesThenFails: (times = 1, { status = 502, match, html = false } = {}) => {
      const body = { status: 'error', code: status, errors: ['Bad Gateway'] };
      const answer = html ? page(status, 'Bad Gateway') : { status, body };
      faults.add(
        status === 0 ? { kind: 'resets', after: true } : { kind: 'answers', answer, after: true },
        times,
        match,
      );
    },
    withdraws: (ids, status = 404) => {
      for (const id of ids) withdrawn.set(id, status);
    },
    limits: (rate) => limits.set(rate),
    plans: (next) => {
      plan.current = next && plannedFaults(next);
    },
    recovers: () => {
      faults.clear();
      plan.current = undefined;
      withdrawn.clear();
      objectStore.recovers();
      delay.ms = options.latencyMs ?? 0;
      delay.match = undefined;
    },
    passes: (ms) => {
      shift.ms += ms;
      now();
    },
  };
}

/** A user with a read-only role. */
const readerOf = (org: Org): string =>
  [...org.users.values()].find(
    (user) => user.roles.some((id) => org.roles.get(id)?.name === 'Service Read Only Role') && !user.disabled,
  )?.id ?? '';
