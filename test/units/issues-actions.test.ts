import { describe, expect, test } from 'vitest';
import { assign, stateActions, unassign } from '../../screens/issues/edit.ts';
import { type IssueRow, rowOfIssue } from '../../screens/issues/row.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { assignIssue, unassignIssue } from '../../src/api/error-tracking.ts';
import type { Result } from '../../src/api/problem.ts';
import { personByHandle, usersPicker, whoAmI, whoAmIBy } from '../../src/describe/picks.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';

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
  test('the receipt shows the state that the service returned', () => {
    const resolve = action('issues.resolve');
    const says = (response: Record<string, unknown>) => receiptText(resolve.done(row(), {}, response, context));
    expect(says(answer('RESOLVED'))).toBe('Resolved TypeError in checkout-api');
    expect(says(answer('OPEN'))).toBe('STATE IS OPEN, not RESOLVED: TypeError in checkout-api');
    expect(says({})).toContain('The response shows no state');
    expect(resolve.truth?.(row(), answer('OPEN'), {}).state).toBe('OPEN');
    expect(resolve.truth?.(row(), {}, {}).state).toBe('RESOLVED');
    const other = { data: { ...answer('OPEN').data, id: 'another' } };
    expect(says(other)).toContain('The response shows no state');
    expect(resolve.truth?.(row(), other, {}).state).toBe('RESOLVED');
  });

  test('the confirmed row changes only its state, so that a later read is no foreign change', () => {
    const before = row();
    const after = action('issues.ignore').truth?.(before, answer('IGNORED', ada.id), {});
    expect(after).toEqual({ ...before, state: 'IGNORED' });
  });

  test('without a known previous state there is no undo, so the action asks', () => {
    const resolve = action('issues.resolve');
    expect(resolve.undo?.(row({ state: '' }), {}, answer('RESOLVED'), context)).toEqual([]);
    const asked = (...states: string[]) =>
      resolve.confirm?.(
        states.map((state) => row({ state })),
        {},
        context,
      )?.details;
    expect(asked('OPEN')).toBeUndefined();
    expect(asked('')).toEqual(['The current state is unknown, so this cannot be undone']);
    expect(asked('OPEN', '')).toEqual(['The current state is unknown for 1 of 2: undo leaves those out']);
  });
});

describe('assign', () => {
  const values = { person: ada };

  test('the receipt names the person, and the state if assigning changed it', () => {
    const says = (response: Record<string, unknown>, at = context) =>
      receiptText(assign.done(row(), values, response, at));
    expect(says(answer('OPEN', ada.id))).toBe('Assigned TypeError in checkout-api to Ada');
    expect(says(answer('ACKNOWLEDGED', ada.id), contextOf({ me: ada }))).toBe(
      'Assigned TypeError in checkout-api to you and acknowledged it',
    );
    expect(says(answer('OPEN', bo.id))).toBe('ASSIGNEE IS user 1111…, not Ada: TypeError in checkout-api');
    expect(says(answer('OPEN', null))).toContain('ASSIGNEE IS none');
    expect(says({})).toContain('The response shows no assignee');
    const other = { data: { ...answer('RESOLVED', bo.id).data, id: 'another' } };
    expect(says(other)).toBe('The response shows no assignee (requested: Ada): TypeError in checkout-api');
    expect(assign.truth?.(row(), other, values)).toEqual(row({ assignee: ada.id, who: ada }));
    expect(assign.undo?.(row(), values, other, context)).toHaveLength(2);
  });

  test('the confirmed row has the values of the response, or the requested ones', () => {
    expect(assign.truth?.(row(), answer('ACKNOWLEDGED', ada.id), values)).toEqual(
      row({ assignee: ada.id, who: ada, state: 'ACKNOWLEDGED' }),
    );
    expect(assign.truth?.(row(), answer('OPEN', null), values).assignee).toBeUndefined();
    expect(assign.truth?.(row(), answer('OPEN'), values).assignee).toBe(ada.id);
    expect(assign.truth?.(row(), {}, values)).toEqual(row({ assignee: ada.id, who: ada }));
  });

  test('undo of an assignment that also acknowledged: unassign, then the old state', () => {
    const back = (response: Record<string, unknown>) => assign.undo?.(row(), values, response, context).map(said);
    const [unassigned, opened] = ['DELETE issues.unassign undefined', stateBody('OPEN')];
    expect(back(answer('ACKNOWLEDGED', ada.id))).toEqual([unassigned, opened]);
    expect(back(answer('OPEN', ada.id))).toEqual([unassigned]);
    expect(back({})).toEqual([unassigned, opened]);
  });

  test('undo restores the previous assignee', () => {
    const before = row({ assignee: bo.id, state: 'RESOLVED' });
    expect(assign.undo?.(before, values, answer('RESOLVED', ada.id), context).map(said)).toEqual([assignBody(bo.id)]);
    expect(assign.undo?.(before, values, {}, context).map(said)).toEqual([assignBody(bo.id)]);
  });

  test('no undo where the deployment cannot unassign or the previous assignee is unknown', () => {
    const without = contextOf({ offered: (text) => text !== unassignIssue.id });
    expect(assign.undo?.(row(), values, answer('OPEN', ada.id), without)).toEqual([]);
    expect(assign.confirm?.([row(), row({ assignee: bo.id })], values, without)?.details).toEqual([
      'No user is assigned and this deployment cannot unassign for 1 of 2: undo leaves those out',
    ]);
    expect(assign.undo?.(row({ told: false }), values, answer('OPEN', ada.id), context)).toEqual([]);
    expect(assign.confirm?.([row({ told: false })], values, context)?.details?.[0]).toContain('cannot be undone');
    expect(assign.confirm?.([row()], values, context)).toBeUndefined();
  });
});

describe('unassign', () => {
  const send = (how: (call: Call, nth: number) => Result<unknown>) =>
    acted(unassign, row({ assignee: ada.id }), {}, how);

  test('an empty response is success, and the receipt names the previous assignee', () => {
    const { value, operations } = send(() => answered(undefined, [], 204));
    expect([value.ok, operations]).toEqual([true, ['issues.unassign']]);
    expect(receiptText(unassign.done(row({ assignee: ada.id, who: ada }), {}, undefined, context))).toBe(
      'Unassigned TypeError in checkout-api, was Ada',
    );
    expect(unassign.truth?.(row({ assignee: ada.id }), undefined, {}).assignee).toBeUndefined();
  });

  test('a 404 on an existing issue, a 405 or a missing operation means unassign is not offered', () => {
    const there = send((_, nth) => (nth === 1 ? refused('notFound', 'Not Found', 404) : answered(answer('OPEN'))));
    expect(there.operations).toEqual(['issues.unassign', 'issues.get']);
    for (const value of [there, send(() => refused('conflict', 'no', 405)), send(() => refused('notOffered', 'no'))])
      expect(value.value).toMatchObject({
        problem: { kind: 'notOffered', text: expect.stringContaining('this deployment cannot unassign') },
      });
  });

  test('a 404 on a missing issue and any other problem are reported unchanged', () => {
    expect(send(() => refused('notFound', 'issue not found', 404)).value).toMatchObject({
      problem: { kind: 'notFound' },
    });
    expect(send(() => refused('forbidden', 'no', 403)).value).toMatchObject({ problem: { kind: 'forbidden' } });
  });

  test('gives a reason where it is disabled', () => {
    expect(unassign.already?.(row(), context)).toBe('not assigned');
    expect(unassign.already?.(row({ told: false }), context)).toBeUndefined();
    const without = contextOf({ offered: () => false });
    expect(unassign.enabled?.(row({ assignee: ada.id }), without)).toContain('this deployment cannot unassign');
  });
});

describe('the read-back of an edit in doubt', () => {
  const assigned = assign.send(row(), { person: ada }, context) as Call;
  test('undo assigns again, and restores the state that assigning changes', () => {
    expect(unassign.undo?.(row({ assignee: ada.id }), {}, undefined, context).map(said)).toEqual([
      assignBody(ada.id),
      stateBody('OPEN'),
    ]);
    expect(unassign.undo?.(row({ told: false }), {}, undefined, context)).toEqual([]);
  });

  test('assigning took effect if the issue names the person, unassigning if it names nobody', () => {
    expect(assignIssue.isApplied?.(assigned, answer('OPEN', ada.id))).toBe(true);
    expect(assignIssue.isApplied?.(assigned, answer('OPEN', bo.id))).toBe(false);
    expect(assignIssue.isApplied?.(assigned, undefined)).toBe(false);
    expect(unassignIssue.isApplied?.(assigned, answer('OPEN', null))).toBe(true);
    expect(unassignIssue.isApplied?.(assigned, answer('OPEN', bo.id))).toBe(false);
  });
});

describe('people', () => {
  const pick = (more = {}) =>
    usersPicker({ title: 'assign to', context: contextOf(more), values: (person) => ({ person }) });
  const people = [
    { id: '1', attributes: { name: 'Ada', email: 'ada@example.test' } },
    { id: '2', attributes: { name: null, email: '', handle: 'bo' } },
    { id: '3', attributes: { name: 'Gone', disabled: true } },
    { id: 'abcdef', attributes: { name: '', service_account: true } },
    { id: '4444' },
    { id: '55555', attributes: null },
    { id: '6', attributes: { name: 'Cy', handle: 'cy' } },
    { id: '6', attributes: { name: 'Cy again' } },
    { id: 'four', attributes: { email: 'four@example.test', handle: 'four' } },
    { id: ' ', attributes: { name: 'no id' } },
  ];

  test('when the service does not report the current user, the title says how to change that', () => {
    expect(pick().asksMe).toBe(false);
    expect(pick().title).toContain('set your handle in the profile');
  });

  test('while the current user is being read, the picker says so without advice about a handle', () => {
    const picker = pick({ asksMe: true });
    expect(picker.asksMe).toBe(true);
    expect(picker.title).toBe('assign to');
  });

  test('requests twenty active people; omits disabled ones; sorts service accounts last; each has a name', () => {
    const { value, calls } = walk(pick().load(' ad ').plan(context), () => answered({ data: people }));
    expect(calls[0]?.query).toEqual({ 'page[size]': 20, 'filter[status]': ['Active'], filter: 'ad' });
    expect(value).toMatchObject({ ok: true, value: { notes: [] } });
    if (!value.ok) throw new Error('refused');
    expect(value.value.rows.map((row) => [row.label, row.hint])).toEqual([
      ['Ada', 'ada@example.test'],
      ['bo', undefined],
      ['user 4444', undefined],
      ['user 5555…', undefined],
      ['Cy', 'cy'],
      ['four@example.test', 'four'],
      ['user abcd…', 'service account'],
    ]);
  });

  test('an empty search sends no filter; a full page advises to type more; a refusal is returned', () => {
    const full = Array.from({ length: 20 }, (_, nth) => ({ id: `${nth}`, attributes: { name: `n${nth}` } }));
    const { value, calls } = walk(pick().load('').plan(context), () => answered({ data: full }));
    expect(calls[0]?.query).not.toHaveProperty('filter');
    expect(value).toMatchObject({ value: { notes: [expect.stringContaining('first 20')] } });
    const notesOf = (total: number) =>
      walk(pick().load('').plan(context), () => answered({ data: full, meta: { page: { total_count: total } } })).value;
    expect(notesOf(20)).toMatchObject({ value: { notes: [] } });
    expect(notesOf(22)).toMatchObject({ value: { notes: ['2 more: type to search'] } });
    expect(walk(pick().load('').plan(context), () => refused('forbidden', 'no', 403)).value).toMatchObject({
      problem: { kind: 'forbidden', text: 'no; the id of a user works too' },
    });
  });

  test('an id is read by itself; one that cannot be read may be picked, unless nobody waits for it', () => {
    const byId = (answer: Result<unknown>) => walk(pick().load(` ${ada.id} `).plan(context), () => answer).value;
    const rows = (label: string) => ({ value: { rows: [{ id: ada.id, label, hint: 'by id' }] } });
    expect(byId(answered({ data: { id: ada.id, attributes: { name: 'Ada' } } }))).toMatchObject(rows('Ada'));
    expect(byId(refused('forbidden', 'no', 403))).toMatchObject(rows('user 87cb…'));
    expect(byId(refused('canceled', 'left'))).toMatchObject({ problem: { kind: 'canceled' } });
  });

  test('you are offered once and first, then the recent people; a pick of one of them is the person as known', () => {
    const picker = pick({ me: ada, recent: [bo, { ...ada, name: 'Ada before' }], asksMe: true });
    expect(picker.first.map(({ label, hint }) => `${label} ${hint}`)).toEqual(['Ada you', 'Bo recent']);
    expect(picker.asksMe).toBe(false);
    const valuesOf = (id: string) => picker.values({ id, label: 'as picked' }).person;
    expect([ada.id, bo.id, 'other'].map(valuesOf)).toEqual([ada, bo, { id: 'other', name: 'as picked' }]);
  });

  test('the current user is a person, an incomplete response, or a problem', () => {
    expect(walk(whoAmI.plan(context), () => answered({ data: people[0] })).value).toMatchObject({
      ok: true,
      value: { id: '1', name: 'Ada' },
    });
    const member = { ...people[0], relationships: { org: { data: { type: 'orgs', id: 'org-7' } } } };
    expect(walk(whoAmI.plan(context), () => answered({ data: member })).value).toMatchObject({
      value: { id: '1', organization: 'org-7' },
    });
    expect(walk(whoAmI.plan(context), () => answered({ data: null })).value).toMatchObject({
      problem: { kind: 'unreadable' },
    });
    expect(walk(whoAmI.plan(context), () => refused('notOffered', 'no', 404)).value).toMatchObject({
      problem: { kind: 'notOffered' },
    });
  });

  test('a person is found by exact handle or email of the profile', () => {
    const found = (handle: string) =>
      walk(personByHandle(handle).plan(context), () => answered({ data: people })).value;
    expect(found(' ADA@example.test ')).toMatchObject({ ok: true, value: { id: '1' } });
    expect(found('ada')).toMatchObject({ problem: { kind: 'notFound', text: expect.stringContaining('ada') } });
    const many = Array.from({ length: 100 }, (_, at) => ({ id: `other ${at}`, attributes: { handle: `bob ${at}` } }));
    const behind = walk(personByHandle(' bo ').plan(context), (_, nth) =>
      answered({ data: nth === 1 ? many : people }),
    );
    expect(behind.value).toMatchObject({ ok: true, value: { id: '2' } });
    expect(behind.calls[0]?.query).toMatchObject({ filter: 'bo' });
    const broken = (first: readonly object[]) =>
      walk(personByHandle('bo').plan(context), (_, nth) =>
        nth === 1 ? answered({ data: first }) : refused('unreachable', 'gone'),
      ).value;
    expect(broken(many)).toMatchObject({ problem: { kind: 'unreachable' } });
    expect(broken([...people, ...many])).toMatchObject({ ok: true, value: { id: '2' } });
  });

  test('without a current user the profile decides; a broken connection is not asked twice', () => {
    const by = (first: Result<unknown>, handle?: string) =>
      walk(whoAmIBy(handle).plan(context), (_, nth) => (nth === 1 ? first : answered({ data: people })));
    expect(by(refused('notOffered', 'no', 404), 'bo').value).toMatchObject({ ok: true, value: { id: '2' } });
    for (const kind of ['forbidden', 'notFound', 'unreadable'] as const)
      expect(by(refused(kind, 'no'), 'bo').calls).toHaveLength(2);
    expect(whoAmIBy('bo').of).toEqual(['current_user', 'users']);
    expect(by(refused('notOffered', 'no', 404)).value).toMatchObject({ problem: { kind: 'notOffered' } });
    expect(by(refused('unreachable', 'gone'), 'bo').calls).toHaveLength(1);
    expect(by(answered({ data: people[0] }), 'bo').value).toMatchObject({ value: { id: '1' } });
  });
});
