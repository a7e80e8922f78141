import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { endpoints } from '../api/all-endpoints.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { type Clock, systemClock } from '../lib/time.ts';
import { createActivity } from './activity.ts';
import type { FaultSource } from './faults/fault.ts';
import type { FaultPlan, FaultRule } from './faults/read-fault-plan.ts';
import { seedOrg } from './seed/seed.ts';
import type { ServiceWorld } from './server/handler.ts';
import { createApp, createLimits, type ServerLayer, wireVocabulary } from './server/http.ts';
import { createKeys, type KeyOptions, type KeyPair } from './server/keys.ts';
import type { StoredMonitor } from './server/monitoring.ts';
import { close, createObjectStore, listen } from './server/object-store.ts';
import { createRandom, hash } from './server/random.ts';
import { createOrg, type Org } from './server/store.ts';

/**
 * Chooses faults by a plan. Whether a request fails depends on the seed, its operation and its number among the requests of
 * that operation: a run that sends them in the same order meets the same faults. The first rule that applies decides.
 */
export function plannedFaults({ seed, faults }: FaultPlan): FaultSource {
  const counts = new Map<string, number>();
  return {
    take(operation, isRead) {
      const nth = (counts.get(operation) ?? 0) + 1;
      counts.set(operation, nth);
      const at = faults.findIndex((rule, place) => isHit(rule, place, operation, nth, isRead));
      const does = faults[at];
      return does && { does, chance: hash(seed, at, operation, nth, 'size') / 2 ** 32 };
    },
  };

  function isHit(rule: FaultRule, place: number, operation: string, nth: number, isRead: boolean): boolean {
    const { of, first = 1, last = Number.POSITIVE_INFINITY, share = 1 } = rule;
    const isMeant = of === undefined || (typeof of === 'string' ? isRead === (of === 'reads') : of.includes(operation));
    if (!isMeant || nth < first || nth > last) return false;
    // A storm that began with an earlier request is not over yet.
    const long = 'requests' in rule ? (rule.requests ?? 1) : 1;
    for (let began = nth; began > nth - long && began >= first; began -= 1)
      if (hash(seed, place, operation, began) / 2 ** 32 < share) return true;
    return false;
  }
}

/** Size and activity of the organization, and behavior of its service. */
export interface SimulatorOptions {
  /** The same seed gives the same organization. */
  readonly seed?: number;
  readonly monitors?: number;
  readonly issues?: number;
  readonly clock?: Clock;
  /** Milliseconds before each response, in real time. */
  readonly latencyMs?: number;
  /** Calls per 10 s and bucket; 0 = no limits and no rate headers; absent = the contract's buckets. */
  readonly rate?: number;
  /** Monitors change state and new issues appear; a function chooses the monitors. Default true. */
  readonly lively?: boolean | ((monitor: StoredMonitor) => boolean);
  /** The deployment's vocabulary, used on the wire. */
  readonly vocabulary?: Translator | undefined;
  /** Seeds keys, mappings, filters, archives, cloud integrations and reference tables. Default true. */
  readonly furnished?: boolean;
  /** Operations beside those of the contract, served generically by verb and kind. */
  readonly more?: readonly Endpoint[];
  /** Faults that happen by themselves. */
  readonly faults?: FaultPlan | undefined;
  /** What is laid over the service. */
  readonly layer?: ServerLayer | undefined;
  /** Is told, in one line, of a request that ended early and of an error of the simulator. Default: nobody. */
  readonly complain?: (line: string) => void;
}

/** The URL, and the keys of an administrator and of a read-only user. */
export interface Started extends KeyPair {
  readonly url: string;
  readonly readOnlyAppKey: string;
}

/** An organization behind real HTTP on this machine. */
export interface Simulator {
  /** Listens on 127.0.0.1; port 0 = any free one. Rejects when the port is taken. */
  start(port?: number): Promise<Started>;
  /** Ends every connection and stops listening. */
  stop(): Promise<void>;
  readonly org: Org;
  /** The state of the service. */
  readonly world: ServiceWorld;
  /** Creates and revokes key pairs, effective immediately. */
  readonly keys: { make(wishes?: KeyOptions): KeyPair; revoke(key: string): void };
  /** Time in the organization, epoch milliseconds. */
  now(): number;
}

/** Milliseconds after which an idle connection is closed: most services, and what stands before them, wait a minute. */
const idleMs = 60_000;

/** An organization with its server; nothing listens before `start`. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { seed = 1, monitors = 340, issues = 320, clock = systemClock, lively = true, furnished = true } = options;
  const random = createRandom(seed);
  const org = createOrg(seed, random.uuid(), clock.now());
  const keys = createKeys(org);
  const world: ServiceWorld = {
    org,
    random,
    partUrl: (upload, part) => objectStore.urlOf(upload, part),
  };
  const roleName = options.vocabulary?.role ?? ((name: string) => name);
  seedOrg(world, { monitors, issues, furnished, roleName }, clock.now());
  const passTime = createActivity(world, lively);
  const now = (): number => {
    const at = clock.now();
    passTime(at);
    return at;
  };
  const objectStore = createObjectStore({
    seed,
    uploads: org.tableStore.uploads,
    now,
    around: options.layer?.aroundPart,
  });
  const vocabulary = wireVocabulary(options.vocabulary);
  const app = createApp({
    endpoints: [...endpoints, ...(options.more ?? [])],
    vocabulary,
    world,
    keys,
    limits: createLimits(options.rate),
    faults: options.faults && plannedFaults(options.faults),
    layer: options.layer ?? {},
    latencyMs: options.latencyMs ?? 0,
    now,
    complain: options.complain ?? (() => {}),
  });
  const server = createServer(app);
  server.keepAliveTimeout = idleMs;
  const admin = keys.make({ name: 'this dashboard' });
  const reader = keys.make({
    user: readerOf(org, roleName('Service Read Only Role')),
    name: 'this dashboard, only reading',
  });

  return {
    org,
    world,
    keys,
    now,
    start: async (port = 0) => {
      const url = await listen(server, port);
      await objectStore.start();
      return { url, ...admin, readOnlyAppKey: reader.appKey };
    },
    stop: async () => {
      await objectStore.stop();
      await close(server);
    },
  };
}

/** A user with the role that only reads, as the deployment calls it. */
const readerOf = (org: Org, role: string): string =>
  [...org.users.values()].find((user) => user.roles.some((id) => org.roles.get(id)?.name === role) && !user.disabled)
    ?.id ?? '';

/** Starts the demo organization inside this process, on a free port of 127.0.0.1. */
export async function startDemo(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ seed: 2026, ...options });
  knowAddress();
  const { url, apiKey, appKey } = await simulator.start();
  return { url, apiKey, appKey, stop: () => simulator.stop() };
}

/**
 * To listen, Node asks whether 127.0.0.1 is an IPv6 address: an expression of 2 kB, which is needed once and takes 3 ms of each start to
 * compile, 0.5 ms where V8 does not optimize it.
 */
function knowAddress(): void {
  setFlagsFromString('--no-regexp-optimization');
  isIPv6('127.0.0.1');
  setFlagsFromString('--regexp-optimization');
}
