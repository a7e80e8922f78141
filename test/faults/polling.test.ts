import { queryObjects } from 'node:v8';
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

/** What a process holds: sockets, timers that keep it alive, and listeners of the process itself. */
function held() {
  const resources = process.getActiveResourcesInfo();
  const count = (pattern: RegExp) => resources.filter((kind) => pattern.test(kind)).length;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { sockets: count(/^TCP/), timers: count(/^Timeout/), listeners };
}

/** The same, and what can cancel a request, which takes a look at every object. */
function heldInside() {
  return { ...held(), controllers: queryObjects(AbortController, { format: 'count' }) };
}

/** The clock, and how many of its timers are pending. */
function counting(clock: TestClock) {
  const pending = new Set<object>();
  const after: TestClock['after'] = (ms, then) => {
    const timer = {};
    pending.add(timer);
    const callOff = clock.after(ms, () => {
      pending.delete(timer);
      then();
    });
    return () => {
      pending.delete(timer);
      callOff();
    };
  };
  return { pending, clock: { ...clock, after } };
}

/** Polls every ten seconds of the test's clock, and compares what is held early, at the end and after it. */
async function pollsFor(minutes: number) {
  const { clock, pending } = counting(createTestClock());
  const service = createSimulator({ seed: 7, monitors: 60, issues: 40, clock, rate: 0 });
  const at = await service.start();
  const warnings: string[] = [];
  const warned = ({ name, message }: Error) => {
    if (name !== 'ExperimentalWarning') warnings.push(message);
  };
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
    const early = { ...heldInside(), pending: pending.size };
    const heap = heapAfterCollection();
    await polls(begin + minutes * 60_000);
    service.plans(undefined);
    await polls(clock.now() + 60_000);
    const late = { ...heldInside(), pending: pending.size };
    const grown = heapAfterCollection() - heap;
    expect(await user.screen()).toMatch(/● live/);
    process.stdout.write(`seed ${seed}: ${JSON.stringify({ early, late, grown })}\n`);
    expect(grown).toBeLessThan(10_000_000);
    expect(late.timers).toBeLessThanOrEqual(early.timers + 2);
    expect(late.pending).toBeLessThanOrEqual(early.pending + 5);
    // Four connections for reads, at both ends.
    expect(late.sockets).toBeLessThanOrEqual(early.sockets + 8);
    expect(late.listeners).toBe(early.listeners);
    // A listener that is left on a signal keeps its controller.
    expect(late.controllers).toBeLessThanOrEqual(early.controllers + 10);
  };
  try {
    await seated(at, clock, story, { screen: 'home', columns: 120, rows: 30, pollMs: 10_000, isNotified: true });
  } finally {
    await service.stop();
    process.off('warning', warned);
  }
  expect(warnings).toEqual([]);
  const after = held();
  expect(after.sockets).toBeLessThanOrEqual(outside.sockets);
  expect(after.listeners).toBeLessThan(outside.listeners);
}

test('fast polling with 1 % faults leaves no memory, socket, timer or listener behind', async () => {
  await pollsFor(1);
});

test('two hours of fast polling with 1 % faults leave no memory, socket, timer or listener behind', {
  timeout: 600_000,
  tags: ['long', 'faults'],
}, async () => {
  await pollsFor(120);
});
