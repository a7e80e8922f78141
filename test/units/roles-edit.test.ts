import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloneAction, comparable, editAction, newAction } from '../../screens/roles/edit.ts';
import { grantAction, revokeAction } from '../../screens/roles/grant.ts';
import {
  detailRowId,
  type Grants,
  grantsField,
  inheritsField,
  isManaged,
  type PermissionRow,
  permissionKind,
  permissionRows,
  type RoleRow,
  roleKind,
  selectedDetailRow,
} from '../../screens/roles/kind.ts';
import { getRole, type Role, role } from '../../src/api/roles.ts';
import { read } from '../../src/client/read-response.ts';
import type { Source } from '../../src/describe/context.ts';
import { type Pick, permissionPicks, rolePicks, teamPicks } from '../../src/describe/picks.ts';
import { arbitrary } from '../support/arbitrary.ts';
import { inventedWords } from '../support/invented.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();

const permissions = (ids: readonly string[]) => ({ data: ids.map((id) => ({ type: 'permissions', id })) });
const roleOf = (ids: readonly string[] | undefined, attributes: Record<string, unknown> = {}) => ({
  id: 'r1',
  type: 'roles',
  attributes: { name: 'On call', ...attributes },
  ...(ids ? { relationships: { permissions: permissions(ids) } } : {}),
});
const rowOf = (ids: readonly string[] | undefined, attributes: Record<string, unknown> = {}): RoleRow =>
  there(roleKind.row(roleOf(ids, attributes)));
const permission = (id: string, restricted = false): PermissionRow =>
  there(permissionKind.row({ id, attributes: { name: `${id}_name`, group_name: 'G', restricted } }));
const all = ['d1', 'd2'].map((id) => permission(id, true)).concat(['a', 'b', 'c', 'e'].map((id) => permission(id)));
const grants = (taken: string[], left: string[]): Grants => ({
  taken,
  left,
  defaults: ['d1', 'd2'],
  names: Object.fromEntries(all.map((row) => [row.id, permissionKind.nameOf(row)])),
});

function edited(permissionsWanted: Grants, granted: readonly string[]) {
  const done = acted(editAction, rowOf(['stale']), { permissions: permissionsWanted }, (call) =>
    answered({ data: roleOf(call.endpoint.id === 'roles.get' ? granted : ['d1', 'd2', 'c']) }),
  );
  const [sent] = done.bodies as {
    data: { attributes: object; relationships: { permissions: { data: { id: string }[] } } };
  }[];
  const ids = sent?.data.relationships.permissions.data.map(({ id }) => id);
  return { ...done, sent: sent?.data, ids };
}

describe('permissions as one edit', () => {
  const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'e'));

  test('grants and revokes apply to what the role holds now, not to what the list showed', () => {
    fc.assert(
      fc.property(set, set, set, (granted, taken, left) => {
        const clean = left.filter((id) => !taken.includes(id));
        if (taken.length + clean.length === 0) return;
        const { ids, calls } = edited(grants(taken, clean), ['d1', 'd2', ...granted]);
        const wanted = new Set(['d1', 'd2', ...granted.filter((id) => !clean.includes(id)), ...taken]);
        // Without a change nothing is sent.
        const isSame = wanted.size === granted.length + 2 && granted.every((id) => wanted.has(id));
        expect(calls).toHaveLength(isSame ? 1 : 2);
        expect(ids).toEqual(isSame ? undefined : [...wanted].toSorted());
      }),
    );
  });

  test('the opt-out is sent again for a role that lacks a default permission, and for no other', () => {
    expect(edited(grants(['a'], []), ['d1']).sent?.attributes).toEqual({ default_permissions_opt_out: true });
    expect(edited(grants(['a'], []), ['d1', 'd2']).sent?.attributes).toEqual({});
  });

  test('are read separately where the role does not hold them', () => {
    const { calls, operations } = acted(editAction, rowOf(undefined), { permissions: grants(['a'], []) }, (call) =>
      answered(call.endpoint.id === 'roles.granted' ? { data: [{ id: 'b' }] } : { data: roleOf(undefined) }),
    );
    expect(operations).toEqual(['roles.get', 'roles.granted', 'roles.update']);
    expect(calls[2]?.body).toMatchObject({ data: { relationships: { permissions: permissions(['a', 'b']) } } });
  });

  test('are not sent where they could not be read', () => {
    const { operations, value } = acted(editAction, rowOf(['a']), { permissions: grants(['b'], []) }, (call) =>
      call.endpoint.id === 'roles.get'
        ? answered({ data: roleOf(['a']) }, ['data.relationships.permissions.data[1].id: expected a text'])
        : answered({ data: [] }, ['data[0]: expected an object']),
    );
    expect(value).toMatchObject({ ok: false, problem: { kind: 'unreadable' } });
    expect(operations).toEqual(['roles.get', 'roles.granted']);
  });

  test('undo sends the whole previous set', () => {
    const [back] = edited(grants(['c'], ['a']), ['d1', 'd2', 'a', 'b']).back();
    expect(back?.body).toEqual({
      data: {
        id: 'r1',
        type: 'roles',
        attributes: {},
        relationships: { permissions: permissions(['a', 'b', 'd1', 'd2']) },
      },
    });
  });

  test('the field leaves out defaults and keeps permissions that the catalog lacks', () => {
    const field = grantsField(['d1', 'b', 'odd'], all);
    expect(field.initial).toBe('b,odd');
    expect(field.read('odd,a')).toMatchObject({
      ok: true,
      value: { taken: ['a'], left: ['b'], defaults: ['d1', 'd2'] },
    });
  });
});

test('an unknown inheritance stays until it is changed', () => {
  const field = inheritsField(['Later Role', 'Another'], context);
  expect(field.read(field.initial)).toEqual({ ok: true, value: ['Later Role', 'Another'] });
  expect(field.read('none')).toEqual({ ok: true, value: [] });
  expect(inheritsField([], context).initial).toBe('none');
});

describe('single permissions', () => {
  const answer = (...ids: string[]) => ({
    data: ids.map((id) => ({ id, attributes: { name: `${id}_name`, restricted: id.startsWith('d') } })),
  });

  test('a grant offers what one role lacks, and to several roles all there are', () => {
    const offered = (...held: readonly string[]) => {
      const pick = grantAction.pick?.(
        held.map((id) => rowOf([id])),
        context,
      );
      const { value } = walk(there(pick).load('').plan(context), () => answered(answer('a', 'b')));
      return value.ok && value.value.rows.map(({ id }) => id);
    };
    expect([offered('a'), offered('a', 'a')]).toEqual([['b'], ['a', 'b']]);
  });

  const one = { id: 'b', name: 'b_name' };
  /** What an edit of `b` sends, says and takes back: the role had these, however old the list is, and has those now. */
  const changed = (action: typeof grantAction, had: readonly string[] | undefined, now: readonly string[]) => {
    /** Of `?` one could not be read. */
    const told = (ids: readonly string[]) =>
      answered(answer(...ids.filter((id) => id !== '?')), ids.includes('?') ? ['data[0]: expected an object'] : []);
    const done = acted(action, rowOf(['x']), one, ({ endpoint }) =>
      endpoint.id !== 'roles.granted' ? told(now) : had ? told(had) : refused('forbidden', 'no'),
    );
    const back = done
      .back()
      .map(({ endpoint, body }) => `${endpoint.id} ${(body as { data: { id: string } }).data.id}`);
    return [done.says(), back];
  };

  test.each([
    ['of one more', ['d1', 'a'], ['d1', 'a', 'b'], 'Granted b_name to On call', ['roles.revoke b']],
    [
      'to which the service adds',
      ['a'],
      ['d1', 'a', 'b', 'c'],
      'Granted b_name to On call; the service added c_name',
      ['roles.revoke b', 'roles.revoke c'],
    ],
    ['of what it had', ['a', 'b'], ['a', 'b'], 'On call already had b_name', []],
    ['to what cannot be read', undefined, ['a', 'b'], 'Granted b_name to On call', []],
    ['to what is read in part', ['?', 'a'], ['a', 'b'], 'Granted b_name to On call', []],
    ['that is answered in part', ['a'], ['?', 'a'], 'Granted b_name to On call', ['roles.revoke b']],
    ['without effect', ['a'], ['a'], 'NOT GRANTED: On call does not have b_name', []],
  ])('a grant %s takes back what it has changed', (_, had, now, says, back) => {
    expect(changed(grantAction, had, now)).toEqual([says, back]);
  });

  test.each([
    ['of what it had', ['a', 'b'], ['a'], 'Revoked b_name from On call', ['roles.grant b']],
    ['of what it had not', ['a'], ['a'], 'On call did not have b_name', []],
    ['from what cannot be read', undefined, ['a'], 'Revoked b_name from On call', []],
    ['from what is read in part', ['?', 'a'], ['a'], 'Revoked b_name from On call', []],
    ['without effect', ['a', 'b'], ['a', 'b'], 'NOT REVOKED: On call still has b_name', []],
  ])('a revoke %s takes back what it has changed', (_, had, now, says, back) => {
    expect(changed(revokeAction, had, now)).toEqual([says, back]);
  });
});

test('an edit keeps all members of any role of the contract, unknown ones included', () => {
  const text = fc.string({ maxLength: 6 });
  const name = fc.stringMatching(/^[a-z]{3,8}_x$/);
  fc.assert(
    fc.property(arbitrary(role, { text, identifier: text, name }), (given) => {
      const wire = { data: { ...(given as object), id: 'r1' } };
      const seen = read(getRole.response, structuredClone(wire), false);
      if (!seen.ok) return;
      const value = seen.value as { data: Role };
      const row = there(roleKind.row(value.data));
      expect(row.attributes).toMatchObject(value.data?.attributes ?? {});
      const shown = editAction.show?.(row, { name: 'new', permissions: grants(['a'], []) }, context);
      expect(shown?.attributes).toMatchObject({ ...value.data?.attributes, name: 'new' });
      const sent = acted(editAction, row, { name: 'new' }, (call) =>
        answered(call.endpoint.id === 'roles.granted' ? { data: [] } : value),
      );
      if (!sent.value.ok) return;
      const after = sent.truth();
      expect(Object.keys(row.attributes).every((field) => field in (after?.attributes ?? {}))).toBe(true);
    }),
  );
});

test('an edit keeps the number of users, and the permissions where the answer holds none', () => {
  const row = rowOf(['a'], { user_count: 7 });
  const after = (ids: string[] | undefined) => {
    const done = acted(editAction, row, { permissions: grants(['b'], []) }, (_, nth) =>
      answered({ data: nth === 1 ? roleOf(['a']) : roleOf(ids, { user_count: 0 }) }),
    );
    const { attributes } = done.truth() ?? row;
    return [attributes.user_count, attributes.permissions, done.says(), done.warns()];
  };
  expect(after(['a', 'b'])).toEqual([7, ['a', 'b'], 'Saved On call: granted 1', false]);
  expect(after(['a'])).toEqual([7, ['a'], 'Saved On call: NOT granted: b_name', true]);
  expect(after(undefined)).toEqual([7, ['a', 'b'], expect.stringContaining('does not show its permissions'), true]);
});

test('a receipt says what the service reports in place of what was asked, as a warning', () => {
  const renamed = (now: object) => {
    const done = acted(editAction, rowOf(['a']), { name: 'New' }, (_, nth) =>
      answered(nth === 1 ? { data: roleOf(['a']) } : now),
    );
    return [done.says(), done.warns()];
  };
  const made = (now: object, chosen = ['a', 'b']) => {
    const done = acted(newAction, rowOf([]), { name: 'New', chosen }, () => answered(now));
    return [done.says(), done.warns()];
  };
  const named = { name: 'New' };
  expect([
    renamed({ data: roleOf(['a'], named) }),
    renamed({ data: roleOf(['a']) }),
    renamed({}),
    made({ data: roleOf(['a', 'b', 'd1'], named) }),
    made({ data: roleOf(['a'], { ...named, receives_permissions_from: [] }) }),
    made({ data: roleOf(['a', 'b']) }),
  ]).toEqual([
    ['Saved New (was On call)', false],
    ['Saved On call; the service reports name "On call"', true],
    ['Saved New (was On call); the response does not show the result', true],
    ['Created New with 3 permissions; no users yet', false],
    ['Created New with 1 permission; no users yet; NOT granted: 1 of those selected', true],
    ['Created On call with 2 permissions; no users yet; the service reports name "On call"', true],
  ]);
});

test('a new role is sent without untouched settings; with an opt-out an empty set of permissions is sent', () => {
  const body = (values: Parameters<typeof newAction.send>[1]) =>
    acted(newAction, rowOf([]), values, () => answered({ data: roleOf([]) })).calls[0]?.body;
  const given = { name: 'New', inherits: [], chosen: [], withoutDefaults: false };
  expect(body(given)).toEqual({ data: { type: 'roles', attributes: { name: 'New' } } });
  expect(body({ ...given, chosen: ['a'] })).toMatchObject({
    data: { relationships: { permissions: permissions(['a']) } },
  });
  expect(body({ ...given, withoutDefaults: true })).toMatchObject({
    data: { attributes: { default_permissions_opt_out: true }, relationships: { permissions: permissions([]) } },
  });
});

test('a copy sends the inheritance only where it was changed, also to none', () => {
  const row = rowOf(['a'], { receives_permissions_from: ['Service Admin Role'] });
  const field = cloneAction.form?.(row, context, undefined).inherits;
  expect(field?.read(field.initial)).toEqual({ ok: true, value: undefined });
  const body = (inherits: string[] | undefined) =>
    acted(cloneAction, row, { name: 'New', inherits }, () => answered({})).calls[0];
  expect(body(undefined)).toMatchObject({
    params: { role_id: 'r1' },
    body: { data: { type: 'roles', attributes: { name: 'New' } } },
  });
  expect(body([])?.body).toMatchObject({ data: { attributes: { receives_permissions_from: [] } } });
});

test('the order of permissions in an answer is no change', () => {
  expect(comparable(rowOf(['b', 'a']))).toEqual(comparable(rowOf(['a', 'b'])));
});

test('the service says which roles are built in, else their names do', () => {
  expect(isManaged(rowOf([], { managed: true }), context)).toBe(true);
  expect(isManaged(rowOf([], { name: 'Service Admin Role' }), context)).toBe(true);
  expect(isManaged(rowOf([], { name: 'Service Admin Role', managed: false }), context)).toBe(false);
  expect(isManaged(rowOf([]), context)).toBe(false);
  const own = { vocabulary: inventedWords() };
  expect(isManaged(rowOf([], { name: 'Zephyrine Admin Role' }), own)).toBe(true);
  expect(isManaged(rowOf([], { name: 'Service Admin Role' }), own)).toBe(false);
});

test('the id of a detail row can be parsed again, whatever its name', () => {
  fc.assert(
    fc.property(fc.constantFrom('user', 'permission', 'default', 'role'), fc.uuid(), fc.string(), (kind, id, name) => {
      const row = { kind: kind as 'user', id, name };
      expect(selectedDetailRow({ ...context, subRowId: detailRowId(row) })).toEqual(row);
    }),
  );
  expect(selectedDetailRow(context)).toBe(undefined);
});

test('permissions are sorted by group and name; one without a name shows its id', () => {
  const named = (id: string, name: string | null, group: string | null) => ({
    id,
    attributes: { name, group_name: group },
  });
  const rows = permissionRows([named('1', 'b', 'Z'), named('2', 'a', 'Z'), named('3', null, 'A'), { attributes: {} }]);
  expect(rows.map(permissionKind.nameOf)).toEqual(['permission 3', 'a', 'b']);
});

describe('the name proposed for a copy', () => {
  const proposed = (name: string) => {
    const row = rowOf([], { name, managed: true });
    return cloneAction.form?.(row, contextOf({ vocabulary: inventedWords() }), undefined)?.name?.initial;
  };

  test('is made from the name that the deployment gives the role', () => {
    expect(proposed('Zephyrine Admin Role')).toBe('Zephyrine Admin Role copy');
    expect(proposed('Service desk')).toBe('Service desk copy');
  });
});

const uuid = '87cb0000-0000-4000-8000-000000000002';

test.each<readonly [source: Source<Pick>, query: object, attributes: readonly object[], picks: readonly string[]]>([
  [
    rolePicks(' on '),
    { sort: 'name', filter: 'on' },
    [
      { name: 'On call', user_count: 0 },
      { user_count: 1 },
      { name: 'b', user_count: 12 },
      { name: 'c' },
      { user_count: 'x' },
    ],
    ['On call (0 users)', 'id 1 (1 user)', 'b (12 users)', 'c ()', 'id 4 ()'],
  ],
  [rolePicks(uuid), { sort: 'name', 'filter[id]': uuid }, [], []],
  [rolePicks(''), { sort: 'name' }, [], []],
  [
    teamPicks(' pay '),
    { 'filter[keyword]': 'pay' },
    [{ name: 'Payments', handle: 'pay' }, {}],
    ['Payments (pay)', 'id 1 ()'],
  ],
  [teamPicks(''), {}, [], []],
  [
    permissionPicks(),
    {},
    [{ name: 'b_read', group_name: 'B' }, {}, { name: 'c_read' }, { name: 'a_read' }],
    ['a_read ()', 'b_read (B)', 'c_read ()'],
  ],
])('picks of %j are asked for by %j, and each has a label', (source, query, attributes, picks) => {
  const data = [...attributes.map((attributes, at) => ({ id: `id ${at}`, attributes })), { attributes: { name: '' } }];
  const { value, calls } = walk(source.plan(context), () => answered({ data }));
  expect({ ...calls[0]?.query, 'page[size]': undefined }).toEqual(query);
  expect(value.ok && value.value.rows.map(({ label, hint }) => `${label} (${hint})`)).toEqual(picks);
});
