import { createServer } from 'node:http';
import { endpoints } from '../api/all-endpoints.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { createActivity } from './activity.ts';
import { plannedFaults } from './faults/fault-plan.ts';
import type { FaultPlan } from './faults/read-fault-plan.ts';
import { seedOrg } from './seed/seed.ts';
import type { ServiceWorld } from './server/handler.ts';
import { createApp, type ServerLayer } from './server/http.ts';
import { createKeys, type KeyOptions, type KeyPair } from './server/keys.ts';
import { createLimits, type Limits } from './server/limits.ts';
import { close, listen } from './server/loopback.ts';
import type { StoredMonitor } from './server/monitoring.ts';
import { createObjectStore } from './server/object-store.ts';
import { createRandom } from './server/random.ts';
import { createOrg, type Org } from './server/store.ts';
import { wireVocabulary } from './server/vocabulary.ts';

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
  /** How many requests are served. */
  readonly limits: Limits;
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
    revokeKeysOf: (user) => keys.revokeAllOf(user),
    partUrl: (upload, part) => objectStore.urlOf(upload, part),
  };
  const roleName = options.vocabulary?.role ?? ((name: string) => name);
  seedOrg(world, { monitors, issues, furnished, roleName }, clock.now());
  const activity = createActivity(world, lively);
  const limits = createLimits(options.rate);
  const now = (): number => {
    const at = clock.now();
    activity.until(at);
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
    limits,
    faults: options.faults && plannedFaults(options.faults),
    used: new WeakSet(),
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
    limits,
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
