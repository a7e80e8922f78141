import { afterEach, beforeEach } from 'vitest';
import { systemClock } from '../../src/lib/time.ts';
import { type Machine, type More, machineOfEach, type Ran } from './commands.ts';
import { createSimulator, type Simulator, type Started } from './simulator.ts';

/** What each test begins with: a new organization that is served, and a new machine. Nothing is in them before. */
export interface ServedCommands {
  readonly simulator: Simulator;
  /** Address and keys of the simulator. */
  readonly there: Started;
  /** The machine of the current test. */
  readonly machine: Machine;
  /** A command line against the simulator, its keys in the environment. */
  orgdeck(line: readonly string[], more?: More): Promise<Ran>;
}

/** Starts and stops both around each test of the file or the `describe` that calls it. */
export function servedCommands(options: Parameters<typeof createSimulator>[0]): ServedCommands {
  const simulator = {} as Simulator;
  const there = {} as Started;
  const machine = machineOfEach();
  beforeEach(async () => {
    Object.assign(simulator, createSimulator({ seed: 5, lively: false, ...options }));
    Object.assign(there, await simulator.start());
  });
  afterEach(() => simulator.stop());
  return {
    simulator,
    there,
    machine,
    orgdeck: (line, more = {}) =>
      machine.orgdeck(['--base-url', there.url, ...line], {
        ...more,
        // The service's own: a machine that is behind takes a mute for one that has not begun.
        io: { clock: { ...systemClock, now: () => simulator.now() }, ...more.io },
        env: { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey, ...more.env },
      }),
  };
}
