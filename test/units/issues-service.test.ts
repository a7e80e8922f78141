import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assign, unassign } from '../../screens/issues/assign.ts';
import { readIssue } from '../../screens/issues/detail.ts';
import { loadIssues, rangeMs } from '../../screens/issues/load.ts';
import { initialSearch } from '../../screens/issues/narrow.ts';
import type { IssueRow } from '../../screens/issues/row.ts';
import { stateActions } from '../../screens/issues/state.ts';
import { issueList } from '../../screens/issues.ts';
import { endpoints } from '../../src/api/all-endpoints.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Client, Recorder } from '../../src/client/client.ts';
import { createClient } from '../../src/client/create-client.ts';
import type { Action } from '../../src/describe/action.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { peopleSource, whoAmI } from '../../src/describe/people.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import type { Rows } from '../../src/describe/source.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { countEvents } from '../../src/simulator/kinds/event-stream.ts';
import { contextOf } from '../support/plans.ts';
import { restIssues } from '../support/resting-issues.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../support/simulator.ts';

const one = 'c1486d5e-0000-4000-8000-000000000001';
const two = 'c1486d5e-0000-4000-8000-000000000002';
const ada = '87cb0000-0000-4000-8000-000000000002';
const open: { simulator?: Simulator; client?: Client } = {};

/** Records nothing and lets every edit be sent. */
const recorder: Recorder = {
  intent: async () => ({ ok: true, value: 'entry', status: 0, unread: [] }),
  outcome: async () => {},
};

async function begin(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ monitors: 0, issues: 0, lively: false, rate: 0, ...options });
  open.simulator = simulator;
  const { url, apiKey, appKey } = await simulator.start();
  open.client = createClient({
    origin: url,
    keys: { apiKey, appKey },
    readOnly: false,
    recorder,
    clock: systemClock,
    random: () => 0,
    find: (id) => endpoints.find((endpoint) => endpoint.id === id),
  });
  return simulator;
}
afterEach(async () => {
  await open.client?.close();
  await open.simulator?.stop();
});

const client = () => open.client as Client;
const context = (): Context =>
  contextOf({ now: (open.simulator as Simulator).now(), origin: client().origin, offered: client().offered });
const rows = async (search: Record<string, string> = {}, range = '24h') => {
  const result = await client().run(
    loadIssues({ search: { ...initialSearch, ...search }, range }, context()).plan(context()),
  );
  if (!result.ok) throw new Error(result.problem.text);
  return result.value;
};
const row = async (id: string) => (await rows({ states: '' })).rows.find((row) => row.id === id) as IssueRow;

test('where no error occurs, a minute later the answers of all windows are not read again', async () => {
  const simulator = await begin({ seed: 2026, issues: 320 });
  restIssues(simulator.org, simulator.now());
  const first = await rows({ states: '' });
  expect(simulator.received().length).toBeGreaterThan(2);
  simulator.passes(61_000);
  const second = await rows({ states: '' });
  expect(second.rows).toEqual(first.rows);
  const readAgain = second.rows.filter(({ raw }, at) => raw.issue !== first.rows[at]?.raw.issue);
  expect(readAgain.map(({ id }) => id)).toEqual([]);
});

/** Runs an action like the dashboard: send, receipt, confirmed row, and undo calls. */
async function perform<V>(action: Action<IssueRow, V>, before: IssueRow, values: V) {
  const sent = action.send(before, values, context());
  const purpose = { action: action.id, target: { id: before.id, name: 'x' }, before };
  const answer = (await ('endpoint' in sent
    ? client().send(sent as Call, { purpose })
    : client().run(sent as Plan<Result<unknown>>, { purpose }))) as Result<unknown>;
  if (!answer.ok) return { problem: answer.problem, receipt: '', truth: before, undo: async () => {} };
  const back = action.undo?.(before, values, answer.value, context()) ?? [];
  return {
    problem: undefined,
    receipt: receiptText(action.done(before, values, answer.value, context())),
    truth: action.truth?.(before, answer.value, values) ?? before,
    undo: async () => {
      for (const call of back) expect(await client().send(call, { purpose })).toMatchObject({ ok: true });
    },
  };
}
const named = (id: string) => stateActions.find((stateAction) => stateAction.id === id) as Action<IssueRow>;
const person: { person: Person } = { person: { id: ada, name: 'Ada' } };

describe('against a stateful service', () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await begin();
    simulator.has('users', { id: ada, name: 'Ada', email: 'ada@example.test' });
    simulator.has('issue', {
      id: one,
      error_type: 'TypeError',
      error_message: 'x is undefined',
      service: 'checkout-api',
      total_count: 82,
    });
    simulator.has('issue', {
      id: two,
      error_type: '型エラー',
      error_message: '値が未定義です',
      service: 'search',
      total_count: 5,
      state: 'RESOLVED',
    });
  });

  test('the list shows what is open with its counts; a search asks the service', async () => {
    expect((await rows()).rows.map((row) => [row.id, row.state, row.counts.total])).toEqual([[one, 'OPEN', 82]]);
    expect((await rows({ states: '' })).rows).toHaveLength(2);
    expect((await rows({ states: '', query: 'service:search' })).rows.map((row) => row.id)).toEqual([two]);
    expect((await rows({}, '15m')).rows[0]?.counts.total).toBeLessThan(82);
  });

  test('resolving gives a receipt and an undo', async () => {
    const { receipt, truth, undo } = await perform(named('issues.resolve'), await row(one), {});
    expect(receipt).toBe('Resolved TypeError in checkout-api');
    expect(truth.state).toBe('RESOLVED');
    expect((await row(one)).state).toBe('RESOLVED');
    await undo();
    expect((await row(one)).state).toBe('OPEN');
  });

  test('assigning acknowledges and opens a case; undo restores both', async () => {
    const before = await row(one);
    const { receipt, truth, undo } = await perform(assign, before, person);
    expect(receipt).toBe('Assigned TypeError in checkout-api to Ada, now ACKNOWLEDGED');
    const now = await row(one);
    expect([now.assignee, now.state, now.who?.name]).toEqual([ada, 'ACKNOWLEDGED', 'Ada']);
    // The changed fields equal those of the next read; otherwise undo would report a change by another user.
    for (const name of ['assignee', 'state'] as const) expect(truth[name]).toEqual(now[name]);
    const whole = await client().run(readIssue(now).plan(context()));
    expect(whole).toMatchObject({ ok: true, value: { case: { attributes: { status: 'IN_PROGRESS' } } } });
    await undo();
    expect(await row(one)).toMatchObject({ state: 'OPEN', assignee: undefined });
  });

  test('unassigning names the previous assignee; undo restores it', async () => {
    await perform(assign, await row(two), person);
    const { receipt, undo } = await perform(unassign, await row(two), {});
    expect(receipt).toBe('Unassigned 型エラー in search, was Ada');
    expect((await row(two)).assignee).toBeUndefined();
    await undo();
    expect(await row(two)).toMatchObject({ assignee: ada, state: 'RESOLVED' });
  });

  test('a deployment that cannot unassign says so', async () => {
    await perform(assign, await row(one), person);
    simulator.withdraws(['issues.unassign'], 405);
    const { problem } = await perform(unassign, await row(one), {});
    expect(problem).toMatchObject({
      kind: 'notOffered',
      text: expect.stringContaining('this deployment cannot unassign'),
    });
    expect(unassign.enabled?.(await row(one), context())).toContain('this deployment cannot unassign');
  });

  test('people without names in the response keep the name from the picker', async () => {
    simulator.switches.emptyNames = true;
    const { receipt } = await perform(assign, await row(one), person);
    expect(receipt).toContain('to Ada');
    const text = issueList.columns
      .find((column) => column.id === 'assignee')
      ?.text(await row(one), { ...context(), recent: [person.person] });
    expect(text).toBe('Ada');
  });

  test.each([
    'missingIncluded',
    'noIncluded',
    'missingCounts',
    'unknownWords',
    'textErrors',
    'trailingNewline',
  ] as const)('a deployment with %s can still be read and drawn', async (name) => {
    simulator.switches[name] = true;
    const { rows: seen } = await rows({ states: '' });
    expect(seen).toHaveLength(2);
    for (const row of seen)
      for (const column of issueList.columns) expect(typeof column.text(row, context())).toBe('string');
  });

  test('an edit applied before the service failed is found as done and not sent twice', async () => {
    const before = await row(one);
    simulator.appliesThenFails(1, { match: 'issues.assign' });
    const { receipt } = await perform(assign, before, person);
    expect(receipt).toContain('Assigned TypeError in checkout-api to Ada');
    expect(simulator.received('PUT')).toHaveLength(1);
  });

  test('an unknown person is refused with the words of the service', async () => {
    const nobody = { person: { id: '00000000-0000-4000-8000-000000000000', name: 'Nobody' } };
    const { problem } = await perform(assign, await row(one), nobody);
    expect(problem).toMatchObject({ kind: 'notFound', text: expect.stringContaining('user not found') });
  });

  test('the current user and people are found by typed text', async () => {
    const me = await client().run(whoAmI.plan(context()));
    expect(me).toMatchObject({ ok: true, value: { id: expect.any(String), name: expect.any(String) } });
    const found = await client().run(peopleSource('ADA@example').plan(context()));
    expect(found).toMatchObject({
      ok: true,
      value: { rows: expect.arrayContaining([expect.objectContaining({ id: ada, label: 'Ada' })]) },
    });
  });
});

test.each(['24h', '7d'])(
  'every issue of %s of a busy organisation is listed once, and gaps are reported',
  async (range) => {
    const simulator = await begin({ issues: 320 });
    const partial: unknown[] = [];
    const asked = { search: { ...initialSearch, states: '' }, range };
    const at = context();
    const result = await client().run(loadIssues(asked, at).plan(at), { partial: (rows) => partial.push(rows) });
    if (!result.ok) throw new Error(result.problem.text);
    const { rows: seen, notes = [] } = result.value;
    const calls = simulator.received('POST', 'search').length;
    expect((partial[0] as Rows<IssueRow>).rows).toHaveLength(100);
    expect(calls).toBeLessThanOrEqual(40);
    expect(new Set(seen.map((row) => row.id)).size).toBe(seen.length);
    const from = at.now - (rangeMs(range) ?? 0);
    const active = [...simulator.org.issues.values()].filter(
      (issue) => countEvents(issue.stream, from, at.now, at.now) > 0,
    );
    expect(notes.filter((note) => note.includes('stopped after') || note.includes('100 or more'))).toEqual([]);
    expect(seen.map((row) => row.id).sort()).toEqual(active.map((issue) => issue.id).sort());
    // The totals of the parts add up to the total of the whole.
    for (const row of seen) {
      const stream = simulator.org.issues.get(row.id)?.stream;
      expect(row.counts.total).toBe(stream && countEvents(stream, from, at.now, at.now));
    }
  },
);
