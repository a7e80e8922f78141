import { expect, test } from 'vitest';
import type { FaultPlan } from '../../src/simulator/faults/read-fault-plan.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { heapAfterCollection } from '../support/heap.ts';
import { seated, type User } from '../support/person.ts';
import { createSimulator } from '../support/simulator.ts';

const seed = Number(process.env.TEST_SEED ?? 20_261_122);

/** One request of a hundred fails, each in another way. */
const plan: FaultPlan = {
  seed,
  faults: [
    { fault: 'drop', share: 0.002 },
    { fault: 'reset-on-reuse', share: 0.002 },
    { fault: 'truncate', share: 0.002 },
    { fault: 'status', status: 503, share: 0.001 },
    { fault: 'page', share: 0.001 },
    { fault: 'lie', about: 'length', share: 0.001 },
    { fault: 'rate-limit', headers: 'lying', share: 0.0005 },
    { fault: 'huge', packed: true, share: 0.0005 },
  ],
};

/** What a process holds: kinds of resources, and listeners of the process itself. */
function held() {
  const resources = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  const count = (kind: string) => resources[kind]?.length ?? 0;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { sockets: count('TCPSocketWrap') + count('TCPSERVERWRAP'), timers: count('Timeout'), listeners };
}

/** Polls every ten seconds of the test's clock; what is held after a quarter of an hour and at the end. */
async function pollsFor(minutes: number) {
  const clock: TestClock = createTestClock();
  const service = createSimulator({ seed: 7, monitors: 60, issues: 40, clock, rate: 0 });
  const at = await service.start();
  const warnings: string[] = [];
  const warned = (warning: Error) => warnings.push(warning.message);
  process.on('warning', warned);
  const outside = held();
  const story = async (user: User) => {
    const polls = async (until: number) => {
      while (clock.now() < until) {
        await clock.passes('10s');
        await user.settles();
        service.forgets();
      }
    };
    await user.sees(/● live/);
    service.plans(plan);
    const begin = clock.now();
    await polls(begin + Math.min(15, minutes / 2) * 60_000);
    const [early, heap] = [held(), heapAfterCollection()];
    await polls(begin + minutes * 60_000);
    service.plans(undefined);
    await polls(clock.now() + 300_000);
    const [late, grown] = [held(), heapAfterCollection() - heap];
    expect(await user.screen()).toMatch(/● live/);
    process.stdout.write(`seed ${seed}: ${JSON.stringify({ early, late, grown })}\n`);
    expect(grown).toBeLessThan(10_000_000);
    expect(late.timers).toBeLessThanOrEqual(early.timers + 2);
    // Four connections for reads, at both ends.
    expect(late.sockets).toBeLessThanOrEqual(early.sockets + 8);
    expect(late.listeners).toBe(early.listeners);
  };
  try {
    await seated(at, clock, story, { screen: 'home', columns: 120, rows: 30, pollMs: 10_000, isNotified: true });
  } finally {
    await service.stop();
    process.off('warning', warned);
  }
  expect(warnings).toEqual([]);
  return { outside, after: held() };
}

test('two hours of fast polling with 1 % faults leave no memory, socket, timer or listener behind', {
  timeout: 600_000,
  tags: ['long'],
}, async () => {
  const { outside, after } = await pollsFor(120);
  expect(after.sockets).toBeLessThanOrEqual(outside.sockets);
  expect(after.listeners).toBeLessThanOrEqual(outside.listeners - 1);
});
