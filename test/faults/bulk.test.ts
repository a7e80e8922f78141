import { expect, onTestFinished, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Rows } from '../../src/describe/context.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import type { RowResult } from '../../src/session/send/pending-edit.ts';
import { createPerformer } from '../../src/session/send/perform.ts';
import type { FaultRule } from '../../src/simulator/faults/read-fault-plan.ts';
import { createRandom } from '../../src/simulator/server/random.ts';
import { memoryRecorder } from '../support/calls.ts';
import { clientAt } from '../support/client-at.ts';
import { put } from '../support/fixtures/put.ts';
import { issueId } from '../support/issue-id.ts';
import { contextOf } from '../support/plans.ts';
import { fastClock } from '../support/scripted-server.ts';
import { served } from '../support/served.ts';

const seed = Number(process.env.TEST_SEED ?? 20_261_122);
const issues = screens.flatMap((screen) => screen.lists).find((list) => list.id === 'issues') as AnyList;
const resolve = issues.actions.find((action) => action.id === 'issues.resolve');
const edits = ['issues.set-state'];

/** A hundred open issues, and what resolves rows of them. */
async function hundred() {
  const clock = fastClock();
  const { service, at } = await served({ seed: 5, clock });
  for (let n = 1; n <= 100; n += 1) put(service.world, 'issue', { id: issueId(n), state: 'OPEN' }, service.now());
  const random = createRandom(seed).next;
  const recorder = memoryRecorder();
  const client = clientAt(at, { clock, recorder, random });
  onTestFinished(() => client.close());
  const context = contextOf({ now: clock.now(), origin: at.url });
  const asked = { search: { ...issues.search?.initial, states: '' }, range: issues.ranges?.initial ?? '' };
  const read = (await client.run(issues.load(asked, context).plan(context))) as Result<Rows<unknown>>;
  const rows = read.ok ? read.value.rows : [];
  expect(rows).toHaveLength(100);
  service.forgets();
  const perform = createPerformer({ client, random });
  const bulk = async (some: readonly unknown[]) => {
    if (!resolve) throw new Error('issues cannot be resolved');
    return (await perform({ action: resolve, list: issues, rows: some, values: {} }, context)).results;
  };
  const isResolved = (id: string) => service.org.issues.get(id)?.state === 'RESOLVED';
  const plans = (...faults: readonly FaultRule[]) => service.plans({ seed, faults });
  const sent = () => service.received('PUT').map(({ path }) => path.split('/').at(-2));
  return { service, client, clock, recorder, rows, bulk, isResolved, plans, sent };
}

const told = (results: readonly RowResult[], kind: string) => results.filter(({ problem }) => problem?.kind === kind);
const failed = (results: readonly RowResult[]) => results.filter(({ ok }) => !ok);

test('a bulk edit of 100 rows with 20 % faults tells the truth of each, and tries only those again that failed', async () => {
  process.stdout.write(`seed ${seed}\n`);
  const { service, rows, bulk, isResolved, plans, sent } = await hundred();
  plans(
    { fault: 'status', status: 409, of: edits, share: 0.07 },
    { fault: 'status', status: 502, when: 'after', of: edits, share: 0.05 },
    { fault: 'drop', of: edits, share: 0.04 },
    { fault: 'truncate', of: edits, share: 0.04 },
    { fault: 'page', of: ['issues.get'], share: 0.3 },
  );
  const results = await bulk(rows);
  expect(results).toHaveLength(100);
  for (const { id, ok, problem } of results)
    if (problem?.kind !== 'unknown') expect({ id, ok }).toEqual({ id, ok: isResolved(id) });
  const again = failed(results);
  expect(again.length).toBeGreaterThan(3);
  expect(again.length).toBeLessThan(30);
  service.plans(undefined);
  service.forgets();
  const second = await bulk(again.map(({ row }) => row));
  expect(failed(second)).toEqual([]);
  expect(sent().toSorted()).toEqual(again.map(({ id }) => id).toSorted());
  expect(rows.every((row) => isResolved(issues.idOf(row)))).toBe(true);
});

test('a bulk edit stops once the keys are refused, and says what was not sent', async () => {
  const { client, rows, bulk, isResolved, plans, sent } = await hundred();
  plans({ fault: 'unauthorized', of: edits, first: 31 });
  const results = await bulk(rows);
  expect(client.keysRefused()).toBe(true);
  for (const { id, ok } of results) expect({ id, ok }).toEqual({ id, ok: isResolved(id) });
  expect(results.filter(({ ok }) => ok)).toHaveLength(30);
  expect(told(results, 'forbidden')).toHaveLength(70);
  // Those in flight with the first refusal, and the two that ask whether it was meant.
  expect(sent().length).toBeLessThanOrEqual(30 + 4 + 2);
});

test('a bulk edit waits as long as a 429 says, and then applies every row once', async () => {
  const { clock, recorder, rows, bulk, isResolved, plans, sent } = await hundred();
  plans(
    { fault: 'rate-limit', of: edits, first: 20, last: 26 },
    { fault: 'rate-limit', of: edits, first: 60, last: 64, headers: 'right' },
  );
  const results = await bulk(rows);
  expect(failed(results)).toEqual([]);
  expect(rows.every((row) => isResolved(issues.idOf(row)))).toBe(true);
  expect(sent()).toHaveLength(112);
  expect(clock.waits.filter((ms) => ms >= 2_000 && ms < 6_000)).toHaveLength(12);
  expect(recorder.outcomes.filter(({ state }) => state === 'applied')).toHaveLength(100);
});
