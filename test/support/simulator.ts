import type { AnySchema } from '../../src/api/endpoint.ts';
import { systemClock } from '../../src/lib/time.ts';
import { setGroup } from '../../src/simulator/kinds/monitor-view.ts';
import type { Intercept } from '../../src/simulator/server/handler.ts';
import {
  createSimulator as createShipped,
  type Simulator as Shipped,
  type SimulatorOptions,
  type Started,
} from '../../src/simulator/simulator.ts';
import { createPartFaults, type PartFaults } from './fixtures/part-faults.ts';
import { put } from './fixtures/put.ts';
import { createRequestFaults, type RequestFaults } from './fixtures/request-faults.ts';
import { createSwitches, type Switches, switched } from './fixtures/switches/switches.ts';

export type { SimulatorOptions, Started };

/** The shipped simulator with test controls. */
export interface Simulator extends Shipped, RequestFaults {
  /** Behaviors of other deployments; set them to true. */
  readonly switches: Switches;
  /** The object store that receives upload parts. */
  readonly objectStore: PartFaults;
  /** Puts a fixture: a kind (`monitor`, `issue`, `downtime`, `users`…) or its schema, and fields as in a response. */
  has(kind: string | AnySchema, object: Readonly<Record<string, unknown>>): string;
  /** Moves a monitor's group (`*` for a simple one) into a state. */
  turns(monitor: string | number, status: string, group?: string): void;
  /** Advances the organization's clock. */
  passes(ms: number): void;
}

/** An organization with its server, fixtures, faults and switches; nothing listens before `start`. `around` is laid over it first. */
export function createSimulator({
  faults,
  clock = systemClock,
  around,
  ...options
}: SimulatorOptions & { readonly around?: Intercept } = {}): Simulator {
  const switches = createSwitches();
  const requests = createRequestFaults(faults);
  const objectStore = createPartFaults();
  const shift = { ms: 0 };
  const shipped = createShipped({
    ...options,
    clock: { ...clock, now: () => clock.now() + shift.ms },
    layer: {
      arrives: requests.arrives,
      around: layered([around, switched(switches), requests.around]),
      aroundPart: objectStore.around,
    },
  });
  const { org, world, now } = shipped;
  return {
    ...shipped,
    ...requests.controls,
    switches,
    objectStore,
    has: (kind, object) => put(world, typeof kind === 'string' ? kind : kindOf(kind), object, now()),
    turns: (monitor, status, group) => {
      const definition = org.monitors.get(String(monitor));
      if (!definition) throw new Error(`there is no monitor ${monitor}`);
      setGroup(org, definition, group ?? definition.groups.keys().next().value ?? '*', status, now());
    },
    recovers: () => {
      requests.controls.recovers();
      objectStore.recovers();
    },
    passes: (ms) => {
      shift.ms += ms;
      now();
    },
  };
}

/** One middleware of several, the first outermost. */
const layered =
  (list: readonly (Intercept | undefined)[]): Intercept =>
  (incoming, world, next) =>
    list.reduceRight<typeof next>(
      (inner, intercept) => (intercept ? (incoming) => intercept(incoming, world, inner) : inner),
      next,
    )(incoming);

/** The kind that `resource(...)` noted in a schema. */
function kindOf(schema: AnySchema): string {
  const pipe = (schema as { pipe?: readonly { metadata?: { kind?: string } }[] }).pipe ?? [];
  const kind = pipe.map((part) => part.metadata?.kind).find((name) => name !== undefined);
  if (kind === undefined) throw new Error('this schema does not say its kind: give the name');
  return kind;
}
