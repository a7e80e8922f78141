import { expect, onTestFinished, test } from 'vitest';
import { initialSearch, monitorsSource } from '../../screens/monitors/load.ts';
import { ask, type Call, type Plan } from '../../src/api/endpoint.ts';
import { listMonitors } from '../../src/api/monitors.ts';
import type { Result } from '../../src/api/problem.ts';
import { runPlan } from '../../src/client/client.ts';
import { createTransport } from '../../src/client/transport.ts';
import { clientAt } from '../support/client-at.ts';
import { answered, contextOf } from '../support/plans.ts';
import { createSimulator } from '../support/simulator.ts';

test('the next page of monitors is asked for while the rows of this one are made, and none that no page follows', async () => {
  const service = createSimulator({ seed: 7, monitors: 2505, issues: 0, rate: 0, lively: false, furnished: false });
  onTestFinished(() => service.stop());
  const seen: string[] = [];
  const client = clientAt(await service.start(), {
    transport(options) {
      const real = createTransport(options);
      return {
        ...real,
        exchange(wired, how) {
          seen.push(`asks after ${/id_offset=(\d+)/.exec(wired.path)?.[1]}`);
          return real.exchange(wired, how);
        },
      };
    },
  });
  onTestFinished(() => client.close());
  const ids = [...service.org.monitors.keys()].toSorted((one, other) => Number(one) - Number(other));
  const source = monitorsSource({ search: initialSearch, range: '' });
  const read = await client.run(source.plan(contextOf({ offered: client.offered })), {
    partial: ({ rows }) => seen.push(`shows ${rows.length}`),
  });
  expect(read.ok && read.value.rows.length).toBe(2505);
  expect(seen).toEqual([
    'asks after 0',
    `asks after ${ids[999]}`,
    'shows 1000',
    `asks after ${ids[1999]}`,
    'shows 2000',
  ]);
});

/** Calls as pages, each told its next one while it is under way. */
const page = (key: string, next?: Call): Call =>
  ({ endpoint: listMonitors, params: {}, query: {}, body: undefined, key, ...(next && { next: () => next }) }) as Call;

async function sentFor(keys: readonly Call[]): Promise<readonly string[]> {
  const sent: string[] = [];
  function* plan(): Plan<Result<unknown>[]> {
    const results: Result<unknown>[] = [];
    for (const call of keys) results.push(yield* ask(call));
    return results;
  }
  const results = await runPlan(plan(), async (call) => {
    sent.push(call.key);
    await Promise.resolve();
    call.next?.(1, '');
    await Promise.resolve();
    return answered(call.key);
  });
  expect(results.map((result) => result.ok && result.value)).toEqual(keys.map(({ key }) => key));
  return sent;
}

test('what was asked for ahead is not asked for again, and each call has its own answer', async () => {
  const third = page('third');
  const second = page('second', third);
  const first = page('first', second);
  expect(await sentFor([first, second, third])).toEqual(['first', 'second', 'third']);
  expect(await sentFor([first, page('other'), second, third])).toEqual(['first', 'second', 'other', 'third']);
});

test('no more than two pages are under way', async () => {
  const third = page('third');
  const second = page('second', third);
  expect(await sentFor([page('first', second), page('other')])).toEqual(['first', 'second', 'other']);
});
