import type { AnySchema } from '../../src/api/endpoint.ts';
import { setGroup } from '../../src/simulator/kinds/monitor-states.ts';
import {
  createSimulator as createShipped,
  type Simulator as Shipped,
  type SimulatorOptions,
  type Started,
} from '../../src/simulator/simulator.ts';
import { put } from './fixtures/put.ts';
import { createSwitches, type Switches, switched } from './fixtures/switches/switches.ts';

export type { SimulatorOptions, Started };

/** The shipped simulator with test controls. */
export interface Simulator extends Shipped {
  /** Behaviours of other deployments; set them to true. */
  readonly switches: Switches;
  /** Puts a fixture: a kind (`monitor`, `issue`, `downtime`, `users`…) or its schema, and fields as in a response. */
  has(kind: string | AnySchema, object: Readonly<Record<string, unknown>>): string;
  /** Moves a monitor's group (`*` for a simple one) into a state. */
  turns(monitor: string | number, status: string, group?: string): void;
}

/** An organisation with its server, fixtures and switches; nothing listens before `start`. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const switches = createSwitches();
  const shipped = createShipped({ ...options, intercept: switched(switches) });
  const { org, world, now } = shipped;
  return {
    ...shipped,
    switches,
    has: (kind, object) => put(world, typeof kind === 'string' ? kind : kindOf(kind), object, now()),
    turns: (monitor, status, group) => {
      const definition = org.monitors.get(String(monitor));
      if (!definition) throw new Error(`there is no monitor ${monitor}`);
      setGroup(org, definition, group ?? definition.groups.keys().next().value ?? '*', status, now());
    },
    appliesThenFails: (times, how) => shipped.appliesThenFails(times, { html: switches.htmlProblems, ...how }),
  };
}

/** The kind that `resource(...)` noted in a schema. */
function kindOf(schema: AnySchema): string {
  const pipe = (schema as { pipe?: readonly { metadata?: { kind?: string } }[] }).pipe ?? [];
  const kind = pipe.map((part) => part.metadata?.kind).find((name) => name !== undefined);
  if (kind === undefined) throw new Error('this schema does not say its kind: give the name');
  return kind;
}
