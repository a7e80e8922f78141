import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assign } from '../../screens/issues/edit.ts';
import { initialSearch } from '../../screens/issues/issue-search.ts';
import { loadIssues, rangeMs } from '../../screens/issues/load.ts';
import type { IssueRow } from '../../screens/issues/row.ts';
import { issueList } from '../../screens/issues.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Client, Recorder } from '../../src/client/client.ts';
import type { Context, Person, Rows } from '../../src/describe/context.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import { countEvents } from '../../src/simulator/server/monitoring.ts';
import { clientAt } from '../support/client-at.ts';
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
  open.client = clientAt({ url, apiKey, appKey }, { recorder, random: () => 0 });
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

  test('people without names in the response keep the name from the picker', async () => {
    simulator.switches.emptyNames = true;
    const before = await row(one);
    const purpose = { action: assign.id, target: { id: one, name: 'x' }, before };
    const answer = await client().send(assign.send(before, person, context()) as Call, { purpose });
    if (!answer.ok) throw new Error(answer.problem.text);
    expect(receiptText(assign.done(before, person, answer.value as never, context()))).toContain('to Ada');
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
});

test.each(['24h', '7d'])(
  'every issue of %s of a busy organization is listed once, and gaps are reported',
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
