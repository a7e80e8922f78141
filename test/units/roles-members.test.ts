import { describe, expect, test } from 'vitest';
import { detail, permissionList } from '../../screens/roles/detail.ts';
import { detailRowId, permissionKind, roleKind } from '../../screens/roles/kind.ts';
import { addAction, memberIds, readMembers, removeAction } from '../../screens/roles/members.ts';
import { roles } from '../../screens/roles.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Tab } from '../../src/describe/column.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const row = there(roleKind.row({ id: 'r1', type: 'roles', attributes: { name: 'On call', user_count: 7 } }));
const user = (id: string, attributes: object = {}, roles: readonly string[] = ['r1']) => ({
  id,
  attributes,
  relationships: { roles: { data: roles.map((role) => ({ id: role, type: 'roles' })) } },
});
const aiko = user('u1', { name: 'Aiko Lake', email: 'aiko@example.test', handle: 'aiko', status: 'Active' });
const page = (users: readonly object[], total?: number) =>
  answered({ data: users, ...(total !== undefined && { meta: { page: { total_count: total } } }) });
/** What a search for a name finds that none of so many users has. */
const none = (total: number) => answered({ data: [], meta: { page: { total_count: total, total_filtered_count: 0 } } });
/** A page of which one could not be read. */
const lacking = (users: readonly object[]) => answered({ data: users }, ['data[0]: expected an object']);
const crowd = (amount: number, first = 0) => Array.from({ length: amount }, (_, nth) => user(`x${first + nth}`));
const short = ({ endpoint, query, body }: Call) => [endpoint.id, query, body];

describe('the users of a role', () => {
  test('have names, states and other roles, of which one that is not told keeps its id', () => {
    const included = [{ id: 'r2', type: 'roles', attributes: { name: 'Admins' } }];
    const { value, calls } = walk(readMembers('r1'), () =>
      answered({ data: [{ ...aiko, ...user('u1', aiko.attributes, ['r1', 'r2', 'r3']) }, user('u2'), {}], included }),
    );
    expect(calls.map(({ params, query }) => [params, query])).toEqual([
      [{ role_id: 'r1' }, expect.objectContaining({ sort: 'name' })],
    ]);
    expect(value.ok && value.value.rows).toEqual([
      { id: 'u1', name: 'Aiko Lake', email: 'aiko@example.test', status: 'Active', others: ['Admins', 'role r3'] },
      { id: 'u2', name: 'user u2', email: '', status: '', others: [] },
    ]);
  });

  test('are read from three pages, all of them from twenty', () => {
    const many = walk(readMembers('r1'), (_, nth) => page(crowd(100, 100 * nth), 5000));
    expect(many.calls).toHaveLength(3);
    expect(many.value.ok && many.value.value.notes).toEqual([expect.stringContaining('removing a user searches all')]);
    const all = walk(memberIds('r1'), (_, nth) => page(crowd(100, 100 * nth), 5000));
    expect([all.calls.length, all.value]).toMatchObject([20, { problem: { kind: 'unreadable' } }]);
    expect(walk(memberIds('r1'), () => page([aiko, {}, user('u2')])).value).toMatchObject({ value: ['u1', 'u2'] });
    expect(walk(memberIds('r1'), () => page([aiko], 2)).value).toMatchObject({ problem: { kind: 'unreadable' } });
    expect(walk(memberIds('r1'), () => lacking([aiko])).value).toMatchObject({ problem: { kind: 'unreadable' } });
    const failed = refused('unreachable', 'no answer');
    expect(walk(memberIds('r1'), () => failed).value).toEqual(failed);
  });

  test('are searched to remove one, but for an id, which no search finds', () => {
    const picker = there(removeAction.pick?.([row], context));
    const users = [aiko, user('u2', { name: 'bela@example.test', email: 'bela@example.test', handle: 'bela' }), {}];
    const picks = (typed: string, extent?: 'all') => {
      const source = picker.load(typed, extent);
      const { calls, value } = walk(source.plan(context), () => page([...users, user('u3')]));
      return [source.key, calls.map(({ query }) => query), value.ok && value.value.rows];
    };
    const rows = [
      { id: 'u1', label: 'Aiko Lake', hint: 'aiko@example.test' },
      { id: 'u2', label: 'bela@example.test', hint: 'bela' },
      { id: 'u3', label: 'user u3' },
    ];
    const id = '59297902-6961-4089-80b8-4a4a6c6535ff';
    expect(picks(' aik ')).toEqual(['users of role r1 aik', [{ 'page[size]': 20, sort: 'name', filter: 'aik' }], rows]);
    expect(picks('')).toEqual(['users of role r1 ', [{ 'page[size]': 20, sort: 'name' }], rows]);
    expect(picks(id)).toEqual([`users of role r1 ${id}`, [{ 'page[size]': 100, sort: 'name' }], rows]);
    const all = { 'page[size]': 100, 'page[number]': 0, sort: 'name', filter: 'aik' };
    expect(picks('aik', 'all')).toEqual(['users of role r1 aik', [all], rows]);
    const cut = walk(picker.load('').plan(context), () => page(crowd(20), 45)).value;
    expect(cut).toMatchObject({ value: { notes: ['25 more: type to search'] } });
    for (const text of [`${id}0`, `x${id}`, id.slice(1)])
      expect(picks(text)[1]).toEqual([expect.objectContaining({ filter: text })]);
    const failed = refused('forbidden', 'no', 403);
    expect(walk(picker.load('').plan(context), () => failed).value).toEqual(failed);
    expect([picker.title, picker.first, picker.values({ id: 'u1', label: 'Aiko' })]).toEqual([
      'Remove user from On call',
      [],
      { person: { id: 'u1', name: 'Aiko' } },
    ]);
    const none = there(removeAction.pick?.([], context));
    expect([none.title, none.load('').key]).toEqual(['', 'users of role  ']);
  });
});

/** What the page of a detail warns of. */
const warningsOn = (page: Tab) =>
  (page.kind === 'page' ? page.sections : []).flatMap(({ lines }) =>
    lines.flatMap((line) => (line.kind === 'text' && line.tone === 'warn' ? line.text : [])),
  );

test('a tab without rows says why it has none, not why another has none; the page says what else was not read', () => {
  const told = (granted: Result<unknown>) => {
    const { value } = walk(there(detail.load?.(row, context)).plan(context), ({ endpoint }) =>
      endpoint.id === 'roles.granted'
        ? granted
        : answered({ data: endpoint.id === 'roles.get' ? { id: 'r1', attributes: row.attributes } : [] }),
    );
    const tabs = detailTabs(detail, row, value.ok ? value.value : undefined, context);
    return [...tabs.flatMap((tab) => (tab.kind === 'rows' ? [tab.empty] : [])), ...warningsOn(tabs[0])];
  };
  const users = 'No users. a: add one';
  const failed = 'permissions could not be read: no';
  const lost = 'permissions: 1 row could not be read: data[0]: expected an object';
  expect(told(refused('forbidden', 'no'))).toEqual([failed, users, failed]);
  expect(told(answered({ data: [] }, ['data[0]: expected an object']))).toEqual([lost, users, lost]);
});

test('the roles that hold a permission: none only where all of them were read with what they hold', () => {
  const permission = there(permissionKind.row({ id: 'p1', attributes: { name: 'logs_read' } }));
  const role = (id: string, held?: readonly string[]) => ({
    id,
    attributes: { name: id },
    ...(held && { relationships: { permissions: { data: held.map((one) => ({ id: one, type: 'permissions' })) } } }),
  });
  const told = (data: readonly unknown[], unread: readonly string[] = []) => {
    const list = there(permissionList.detail);
    const { value } = walk(there(list.load?.(permission, context)).plan(context), () => answered({ data }, unread));
    const [page, tab] = detailTabs(list, permission, value.ok ? value.value : undefined, context);
    return [...(tab?.kind === 'rows' ? [tab.title, tab.empty] : []), ...warningsOn(page)];
  };
  expect(told([role('a', ['p1']), role('b', [])])).toEqual(['Roles 1', 'No role has it']);
  expect(told([role('b', [])])).toEqual(['Roles 0', 'No role has it']);
  const untold = 'permissions of 1 role were not sent';
  expect(told([role('a', ['p1']), role('c')])).toEqual([
    'Roles 1+',
    `Unknown: ${untold}`,
    `More roles may have it: ${untold}`,
  ]);
  const lost = '1 row could not be read: data[1]: expected an object';
  expect(told([role('b', [])], ['data[1]: expected an object'])).toEqual([
    'Roles 0+',
    `Unknown: ${lost}`,
    `More roles may have it: ${lost}`,
  ]);
});

const body = { data: { type: 'users', id: 'u1' } };
const byName = ['roles.users', { 'page[size]': 100, filter: 'Aiko Lake' }, undefined];
const unfiltered = ['roles.users', { 'page[size]': 100 }, undefined];
const added = ['roles.add-user', {}, body];
const removed = ['roles.remove-user', {}, body];
const forbidden = refused('forbidden', 'needs user_access_read', 403);
const unread = refused('unreachable', 'no answer');

const adds = [byName, added];
const removes = [byName, removed];
const isAdded = (users: string) => `Added Aiko Lake to On call; it has ${users}`;
const isRemoved = (users: string) => `Removed Aiko Lake from On call; it has ${users}`;
const stays = 'NOT REMOVED: Aiko Lake is still in On call';

test.each([
  ['add', 'one who is there', [page([aiko])], [byName], 'Aiko Lake already had On call', []],
  ['add', 'one who is not', [page([]), page([aiko], 8)], adds, isAdded('8 users'), [removed]],
  ['add', 'of a full page', [page(crowd(100)), page([aiko])], adds, isAdded('1 user'), []],
  ['add', 'of more than told', [page(crowd(2), 3), page([aiko])], adds, isAdded('1 user'), []],
  [
    'add',
    'one whom a former name misses',
    [none(8), page([aiko], 8)],
    adds,
    'Aiko Lake already had On call; it has 8 users',
    [],
  ],
  ['add', 'one more', [none(7), page([aiko], 8)], adds, isAdded('8 users'), [removed]],
  ['add', 'of all told', [page(crowd(2), 2), page([aiko])], adds, isAdded('1 user'), [removed]],
  [
    'add',
    'without effect',
    [page([]), page(crowd(1))],
    adds,
    'NOT ADDED: Aiko Lake is still not in On call',
    [removed],
  ],
  ['add', 'one whom a full page may lack', [page([]), page(crowd(100), 340)], adds, isAdded('340 users'), [removed]],
  ['add', 'one who may be there unread', [lacking([]), page([aiko])], adds, isAdded('1 user'), []],
  ['add', 'one whom the answer tells unread', [page([]), lacking(crowd(1))], adds, isAdded('1 user'), [removed]],
  ['add', 'unread', [forbidden, page([aiko])], adds, isAdded('1 user'), []],
  ['add', 'without an answer', [unread], [byName], 'no answer', []],
  ['add', 'refused', [page([]), forbidden], adds, 'needs user_access_read', []],
  ['remove', 'one who is there', [page([aiko]), page([])], removes, isRemoved('no users left'), [added]],
  [
    'remove',
    'one whom the search misses',
    [page([]), page([aiko]), page(crowd(2))],
    [byName, unfiltered, removed],
    isRemoved('2 users'),
    [added],
  ],
  ['remove', 'one who is not', [page([]), page(crowd(2))], [byName, unfiltered], 'Aiko Lake did not have On call', []],
  ['remove', 'unread', [forbidden, page(crowd(1))], removes, isRemoved('1 user'), []],
  [
    'remove',
    'unread the second time',
    [page([]), unread, page(crowd(1))],
    [byName, unfiltered, removed],
    isRemoved('1 user'),
    [],
  ],
  ['remove', 'one who stays', [page([aiko]), page([aiko])], removes, stays, [added]],
] as const)('%s a user: %s', (which, _, answers, sent, says, back) => {
  const action = which === 'add' ? addAction : removeAction;
  const values = { person: { id: 'u1', name: 'Aiko Lake' } };
  const done = acted(action, row, values, (_, nth) => there(answers[nth - 1]));
  expect([done.calls.map(short), done.says(), done.back().map(short)]).toEqual([sent, says, back]);
  const count = /has (\d+|no) users?/.exec(says)?.[1]?.replace('no', '0');
  if (done.value.ok) expect(done.truth()?.attributes.user_count).toBe(Number(count ?? (says.includes('NOT') ? 1 : 7)));
});

test('a user without a name is not searched by the id', () => {
  const values = { person: { id: 'u1', name: 'u1' } };
  const done = acted(removeAction, row, values, () => page([]));
  expect([done.calls.map(short), done.says()]).toEqual([[unfiltered], 'U1 did not have On call']);
});

test('you are called so, and asked before you leave a role', () => {
  const known = contextOf({ me: { id: 'u1', name: 'Aiko Lake' } });
  const values = { person: { id: 'u1', name: 'Aiko Lake' } };
  const saysOf = (action: typeof addAction | typeof removeAction, ...answers: readonly Result<unknown>[]) =>
    acted(action, row, values, (_, nth) => there(answers[nth - 1]), known).says();
  expect(saysOf(addAction, page([aiko]))).toBe('You already had On call');
  expect(saysOf(addAction, page([]), page([aiko]))).toBe('Added you to On call; it has 1 user');
  expect(saysOf(removeAction, page([]), page([]))).toBe('You did not have On call');
  expect(removeAction.confirm?.([row], values, context)).toBe(undefined);
  const question = { question: 'Remove yourself from On call?', destructive: true, details: [expect.any(String)] };
  expect(removeAction.confirm?.([row], values, known)).toEqual(question);
  expect(removeAction.confirm?.([], values, known)).toMatchObject({ question: 'Remove yourself from the role?' });
});

test('the user under the cursor is removed, without one it is asked; the copied calls do the same', () => {
  const under = (kind: 'user' | 'permission') =>
    contextOf({ subRowId: detailRowId({ kind, id: 'u1', name: 'Aiko Lake' }) });
  const person = { id: 'u1', name: 'Aiko Lake' };
  for (const [known, found, isOn] of [
    [under('user'), { person }, person.name],
    [under('permission'), undefined, undefined],
    [context, undefined, undefined],
  ] as const)
    expect([removeAction.values?.([row], known), removeAction.onLine?.(known)]).toEqual([found, isOn]);
  expect(addAction.pick?.([row], context)).toMatchObject({ title: expect.stringMatching(/^Add user to On call/) });
  expect([addAction, removeAction].map((action) => short(action.command?.(row, { person }) as Call))).toEqual([
    added,
    removed,
  ]);
});

test('a template without an id is known by its name; one without both, or that could not be read, is told of', () => {
  const [, , templates] = roles.lists;
  const data = [{ id: 't1', attributes: { name: 'Reader' } }, { attributes: { name: 'Writer' } }, { attributes: {} }];
  const unread = ['data[3]: expected an object'];
  const { value } = walk(there(templates).load({ search: {}, range: '' }, context).plan(context), () =>
    answered({ data }, unread),
  );
  const lost = ['1 template without an id left out', '1 row could not be read: data[3]: expected an object'];
  expect(value).toMatchObject({ value: { rows: [{ id: 't1' }, { id: 'Writer' }], notes: lost, missing: lost } });
});
