import { describe, expect, test } from 'vitest';
import { assign, unassign } from '../../screens/issues/assign.ts';
import { type IssueRow, rowOfIssue } from '../../screens/issues/row.ts';
import { stateActions } from '../../screens/issues/state.ts';
import { issueList } from '../../screens/issues.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { assignIssue, unassignIssue } from '../../src/api/error-tracking.ts';
import type { Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { commandLine } from '../../src/describe/command.ts';
import { personByHandle, usersPicker, whoAmI, whoAmIBy } from '../../src/describe/people.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';

const id = 'c1486d5e-0000-4000-8000-000000000001';
const ada = { id: '87cb0000-0000-4000-8000-000000000002', name: 'Ada' };
const bo = { id: '11110000-0000-4000-8000-000000000003', name: 'Bo' };
const context = contextOf();
const row = (more: Partial<IssueRow> = {}): IssueRow => ({
  ...rowOfIssue(id, { attributes: { error_type: 'TypeError', service: 'checkout-api', state: 'OPEN' } }, new Map()),
  ...more,
});
const answer = (state: string | undefined, assignee?: string | null) => ({
  data: {
    id,
    type: 'issue',
    attributes: { state },
    ...(assignee === undefined
      ? {}
      : { relationships: { assignee: { data: assignee === null ? null : { id: assignee, type: 'user' } } } }),
  },
});
const action = (name: string) => stateActions.find((one) => one.id === name) as (typeof stateActions)[number];
const said = (call: Call | undefined) => `${call?.endpoint.method} ${call?.endpoint.id} ${JSON.stringify(call?.body)}`;
const stateBody = (state: string) =>
  `PUT issues.set-state {"data":{"id":"${id}","type":"error_tracking_issue","attributes":{"state":"${state}"}}}`;
const assignBody = (person: string) => `PUT issues.assign {"data":{"id":"${person}","type":"assignee"}}`;

describe('the five states', () => {
  test('each has its own key, and none of them is a key of another action', () => {
    const keys = issueList.actions.map((action) => action.key);
    expect(keys).toEqual(['a', 'A', 'r', 'i', 'O', 'E', 'X']);
  });

  test('the request, what is shown meanwhile, and the way back', () => {
    const resolve = action('issues.resolve');
    expect(said(resolve.send(row(), {}, context) as Call)).toBe(stateBody('RESOLVED'));
    expect(resolve.show?.(row(), {}, context).state).toBe('RESOLVED');
    expect(resolve.undo?.(row({ state: 'IGNORED' }), {}, answer('RESOLVED'), context).map(said)).toEqual([
      stateBody('IGNORED'),
    ]);
  });

  test('already so: the reason, whatever the case of the letters', () => {
    expect(action('issues.resolve').enabled?.(row({ state: 'resolved' }), context)).toBe('already RESOLVED');
    expect(action('issues.resolve').enabled?.(row(), context)).toBe(true);
    expect(action('issues.reopen').enabled?.(row(), context)).toBe('already OPEN');
    expect(action('issues.reopen').enabled?.(row({ state: 'SNOOZED' }), context)).toBe(true);
  });

  test('the receipt tells the state that the service returned', () => {
    const resolve = action('issues.resolve');
    expect(resolve.done(row(), {}, answer('RESOLVED'), context)).toBe('resolved TypeError in checkout-api');
    expect(resolve.done(row(), {}, answer('OPEN'), context)).toBe(
      'asked for RESOLVED, the service says OPEN: TypeError in checkout-api',
    );
    expect(resolve.done(row(), {}, {}, context)).toContain('did not say');
    expect(resolve.truth?.(row(), answer('OPEN'), {}).state).toBe('OPEN');
    expect(resolve.truth?.(row(), {}, {}).state).toBe('RESOLVED');
  });

  test('the truth changes the state alone, so that a later read does not look like somebody else', () => {
    const before = row();
    const after = action('issues.ignore').truth?.(before, answer('IGNORED', ada.id), {});
    expect(after).toEqual({ ...before, state: 'IGNORED' });
  });

  test('only excluding asks, and Return there means no', () => {
    for (const stateAction of stateActions) {
      const question = stateAction.confirm?.([row({ state: 'SNOOZED' })], {}, context);
      if (stateAction.id === 'issues.exclude') {
        expect(question).toMatchObject({ destructive: true, question: 'exclude TypeError in checkout-api? y = yes' });
        expect(question?.details?.[0]).toContain('collection of this error stops');
      } else expect(question).toBeUndefined();
    }
    expect(action('issues.exclude').confirm?.([row(), row()], {}, context)?.question).toContain('2 issues');
  });

  test('without a known state there is no way back, so it asks', () => {
    const resolve = action('issues.resolve');
    expect(resolve.undo?.(row({ state: '' }), {}, answer('RESOLVED'), context)).toEqual([]);
    expect(resolve.confirm?.([row(), row({ state: '' })], {}, context)?.details?.[0]).toContain('cannot be taken back');
  });

  test('the same from a shell', () => {
    expect(commandLine(action('issues.resolve').command?.(row(), {}) ?? '', context)).toBe(
      `orgdeck call issues.set-state --issue_id ${id} --body '{"data":{"id":"${id}","type":"error_tracking_issue","attributes":{"state":"RESOLVED"}}}'`,
    );
  });
});

describe('assign', () => {
  const values = { person: ada };

  test('the request and what is shown meanwhile', () => {
    expect(said(assign.send(row(), values, context) as Call)).toBe(assignBody(ada.id));
    expect(assign.show?.(row(), values, context).assignee).toBe(ada.id);
  });

  test('the receipt names the person, and the state when assigning moved it', () => {
    const me = contextOf({ me: ada });
    expect(assign.done(row(), values, answer('OPEN', ada.id), context)).toBe(
      'assigned TypeError in checkout-api to Ada',
    );
    expect(assign.done(row(), values, answer('ACKNOWLEDGED', ada.id), me)).toBe(
      'assigned TypeError in checkout-api to you, now ACKNOWLEDGED',
    );
    expect(assign.done(row(), values, answer('OPEN', bo.id), context)).toBe(
      'asked for Ada, the service says user 1111…: TypeError in checkout-api',
    );
    expect(assign.done(row(), values, answer('OPEN', null), context)).toContain('the service says nobody');
    expect(assign.done(row(), values, {}, context)).toContain('did not say who has it');
  });

  test('the truth is what the answer says; what it leaves out is what was asked', () => {
    expect(assign.truth?.(row(), answer('ACKNOWLEDGED', ada.id), values)).toEqual(
      row({ assignee: ada.id, state: 'ACKNOWLEDGED' }),
    );
    expect(assign.truth?.(row(), answer('OPEN', null), values).assignee).toBeUndefined();
    expect(assign.truth?.(row(), answer('OPEN'), values).assignee).toBe(ada.id);
    expect(assign.truth?.(row(), {}, values)).toEqual(row({ assignee: ada.id }));
  });

  test('undo: nobody had it and it was acknowledged on the way: unassign, then the state', () => {
    expect(assign.undo?.(row(), values, answer('ACKNOWLEDGED', ada.id), context).map(said)).toEqual([
      'DELETE issues.unassign undefined',
      stateBody('OPEN'),
    ]);
    expect(assign.undo?.(row(), values, answer('OPEN', ada.id), context).map(said)).toEqual([
      'DELETE issues.unassign undefined',
    ]);
    expect(assign.undo?.(row(), values, {}, context).map(said)).toEqual([
      'DELETE issues.unassign undefined',
      stateBody('OPEN'),
    ]);
  });

  test('undo: somebody else had it: back to them', () => {
    const before = row({ assignee: bo.id, state: 'RESOLVED' });
    expect(assign.undo?.(before, values, answer('RESOLVED', ada.id), context).map(said)).toEqual([assignBody(bo.id)]);
    expect(assign.undo?.(before, values, {}, context).map(said)).toEqual([assignBody(bo.id)]);
  });

  test('no way back where the deployment cannot unassign, or where nobody knows who had it', () => {
    const without = contextOf({ offered: (text) => text !== unassignIssue.id });
    expect(assign.undo?.(row(), values, answer('OPEN', ada.id), without)).toEqual([]);
    expect(assign.undo?.(row({ told: false }), values, answer('OPEN', ada.id), context)).toEqual([]);
    expect(assign.confirm?.([row({ told: false })], values, context)?.details?.[0]).toContain('cannot be taken back');
    expect(assign.confirm?.([row()], values, context)).toBeUndefined();
  });
});

describe('unassign', () => {
  const send = (how: (call: Call, nth: number) => Result<unknown>) =>
    walk(unassign.send(row({ assignee: ada.id }), {}, context) as Plan<Result<unknown>>, how);

  test('an empty answer is success, and the receipt names who had it', () => {
    const { value, calls } = send(() => answered(undefined, [], 204));
    expect(value.ok).toBe(true);
    expect(calls.map((call) => call.endpoint.id)).toEqual(['issues.unassign']);
    expect(unassign.done(row({ assignee: ada.id, who: ada }), {}, undefined, context)).toBe(
      'unassigned TypeError in checkout-api, was Ada',
    );
    expect(unassign.truth?.(row({ assignee: ada.id }), undefined, {}).assignee).toBeUndefined();
  });

  test('404 on an issue that is there, 405, or an operation that is not: cannot unassign here', () => {
    const there = send((_, nth) => (nth === 1 ? refused('notFound', 'Not Found', 404) : answered(answer('OPEN'))));
    expect(there.calls.map((call) => call.endpoint.id)).toEqual(['issues.unassign', 'issues.get']);
    for (const value of [there, send(() => refused('conflict', 'no', 405)), send(() => refused('notOffered', 'no'))])
      expect(value.value).toMatchObject({
        problem: { kind: 'notOffered', text: expect.stringContaining('cannot unassign here') },
      });
  });

  test('404 on an issue that is gone, and any other problem, stay what they are', () => {
    expect(send(() => refused('notFound', 'issue not found', 404)).value).toMatchObject({
      problem: { kind: 'notFound' },
    });
    expect(send(() => refused('forbidden', 'no', 403)).value).toMatchObject({ problem: { kind: 'forbidden' } });
  });

  test('reasons', () => {
    expect(unassign.enabled?.(row(), context)).toBe('nobody is assigned');
    expect(unassign.enabled?.(row({ told: false }), context)).toBe(true);
    const without = contextOf({ offered: () => false });
    expect(unassign.enabled?.(row({ assignee: ada.id }), without)).toContain('cannot unassign here');
  });

  test('undo: assigned back, and the state that assigning would move', () => {
    expect(unassign.undo?.(row({ assignee: ada.id }), {}, undefined, context).map(said)).toEqual([
      assignBody(ada.id),
      stateBody('OPEN'),
    ]);
    expect(unassign.undo?.(row({ told: false }), {}, undefined, context)).toEqual([]);
  });
});

describe('whether an edit in doubt took effect', () => {
  const assigned = assign.send(row(), { person: ada }, context) as Call;
  test('assigning did when the issue names the person, unassigning when it names nobody', () => {
    expect(assignIssue.isApplied?.(assigned, answer('OPEN', ada.id))).toBe(true);
    expect(assignIssue.isApplied?.(assigned, answer('OPEN', bo.id))).toBe(false);
    expect(assignIssue.isApplied?.(assigned, undefined)).toBe(false);
    expect(unassignIssue.isApplied?.(assigned, answer('OPEN', null))).toBe(true);
    expect(unassignIssue.isApplied?.(assigned, answer('OPEN', bo.id))).toBe(false);
  });
});

describe('people', () => {
  const pick = (more = {}) =>
    usersPicker({ title: 'assign to', context: contextOf(more), key: 'a', values: (person) => ({ person }) });
  const people = [
    { id: '1', attributes: { name: 'Ada', email: 'ada@example.test' } },
    { id: '2', attributes: { name: null, email: '', handle: 'bo' } },
    { id: '3', attributes: { name: 'Gone', disabled: true } },
    { id: 'abcdef', attributes: { name: '', service_account: true } },
    { id: '5', attributes: null },
    { attributes: { name: 'no id' } },
  ];

  test('me first with the quick key, then the recent ones, each once', () => {
    const picker = pick({ me: ada, recent: [bo, ada] });
    expect(picker.first.map((pick) => [pick.label, pick.hint])).toEqual([
      ['Ada', 'you'],
      ['Bo', 'recent'],
    ]);
    expect(picker.quick).toMatchObject({ key: 'a', pick: { id: ada.id } });
    expect(picker.values({ id: bo.id, label: 'x' })).toEqual({ person: bo });
    expect(picker.values({ id: '9', label: 'Cy' })).toEqual({ person: { id: '9', name: 'Cy' } });
  });

  test('when nobody tells who I am, the title says how to change that', () => {
    expect(pick().quick).toBeUndefined();
    expect(pick().title).toContain('set your handle in the profile');
  });

  test('while it is being asked who I am, the quick key waits and nobody is told to set a handle', () => {
    const picker = pick({ asksMe: true });
    expect(picker.quick).toEqual({ key: 'a', pick: undefined, title: 'me' });
    expect(picker.title).toBe('assign to');
  });

  test('asks the service for twenty active ones; drops the disabled; service accounts last; everybody has a name', () => {
    const { value, calls } = walk(pick().load(' ad ').plan(context), () => answered({ data: people }));
    expect(calls[0]?.query).toEqual({ 'page[size]': 20, 'filter[status]': ['Active'], filter: 'ad' });
    expect(value).toMatchObject({ ok: true, value: { notes: [] } });
    if (!value.ok) throw new Error('refused');
    expect(value.value.rows.map((row) => [row.label, row.hint])).toEqual([
      ['Ada', 'ada@example.test'],
      ['bo', undefined],
      ['user 5', undefined],
      ['user abcd…', 'service account'],
    ]);
  });

  test('nothing typed sends no filter; a full page says to type on; a refusal is handed on', () => {
    const full = Array.from({ length: 20 }, (_, nth) => ({ id: `${nth}`, attributes: { name: `n${nth}` } }));
    const { value, calls } = walk(pick().load('').plan(context), () => answered({ data: full }));
    expect(calls[0]?.query).not.toHaveProperty('filter');
    expect(value).toMatchObject({ value: { notes: [expect.stringContaining('first 20')] } });
    expect(walk(pick().load('').plan(context), () => refused('forbidden', 'no', 403)).value).toMatchObject({
      ok: false,
    });
  });

  test('who am I: a person, an answer without one, or the problem', () => {
    expect(walk(whoAmI.plan(context), () => answered({ data: people[0] })).value).toMatchObject({
      ok: true,
      value: { id: '1', name: 'Ada' },
    });
    expect(walk(whoAmI.plan(context), () => answered({ data: null })).value).toMatchObject({
      problem: { kind: 'unreadable' },
    });
    expect(walk(whoAmI.plan(context), () => refused('notOffered', 'no', 404)).value).toMatchObject({
      problem: { kind: 'notOffered' },
    });
  });

  test('a person by the configured handle or email, exactly', () => {
    const found = (handle: string) =>
      walk(personByHandle(handle).plan(context), () => answered({ data: people })).value;
    expect(found(' ADA@example.test ')).toMatchObject({ ok: true, value: { id: '1' } });
    expect(found('ada')).toMatchObject({ problem: { kind: 'notFound', text: expect.stringContaining('ada') } });
  });

  test('without an answer to who I am, the profile says it; a dead link does not ask twice', () => {
    const by = (first: Result<unknown>, handle?: string) =>
      walk(whoAmIBy(handle).plan(context), (_, nth) => (nth === 1 ? first : answered({ data: people })));
    expect(by(refused('notOffered', 'no', 404), 'bo').value).toMatchObject({ ok: true, value: { id: '2' } });
    expect(by(refused('forbidden', 'scoped', 403), 'bo').calls).toHaveLength(2);
    expect(by(refused('notOffered', 'no', 404)).value).toMatchObject({ problem: { kind: 'notOffered' } });
    expect(by(refused('unreachable', 'gone'), 'bo').calls).toHaveLength(1);
    expect(by(answered({ data: people[0] }), 'bo').value).toMatchObject({ value: { id: '1' } });
  });
});
