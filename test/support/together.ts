import { createTestClock, type TestClock } from './clock.ts';
import type { Place } from './connected.ts';
import { type Seat, seated, type User } from './person.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** Two organisations, each behind its own server: `test` and `beta`. */
export interface Both {
  readonly test: Simulator;
  readonly beta: Simulator;
  readonly clock: TestClock;
}

/** Runs a story on the dashboard over two organisations at once, over HTTP to a simulator for each. */
export function together(
  story: (user: User, both: Both) => Promise<void>,
  setting: Seat & { readonly before: (both: Both) => void | Promise<void>; readonly isBetaProduction?: boolean },
): () => Promise<void> {
  return async () => {
    const clock = createTestClock();
    const made = (seed: number) => createSimulator({ seed, monitors: 0, issues: 0, clock, lively: false });
    const both: Both = { test: made(7), beta: made(8), clock };
    const places: { readonly test: Place; readonly beta: Place } = {
      test: await both.test.start(),
      beta: await both.beta.start(),
    };
    try {
      await setting.before(both);
      const beta = { name: 'beta', at: places.beta, production: setting.isBetaProduction ?? false };
      await seated(places.test, clock, (user) => story(user, both), { ...setting, others: [beta] });
    } finally {
      await both.test.stop();
      await both.beta.stop();
    }
  };
}
