import { expect, test } from 'vitest';
import { endpoints } from '../../../src/api/all-endpoints.ts';
import { createApiKey, deleteApiKeyV1 } from '../../../src/api/api-keys.ts';
import { replaceArchive } from '../../../src/api/archives.ts';
import { createMapping } from '../../../src/api/authn-mappings.ts';
import { deleteDowntime } from '../../../src/api/downtimes.ts';
import { type Call, call, type Endpoint, rawCall } from '../../../src/api/endpoint.ts';
import { setIssueState } from '../../../src/api/error-tracking.ts';
import { deleteMonitor } from '../../../src/api/monitors.ts';
import { createRole, deleteRole, revokePermission } from '../../../src/api/roles.ts';
import { deleteRows, upsertRows } from '../../../src/api/tables.ts';
import { checkEdit } from '../../../src/client/check-edit.ts';
import { addThing, dropThing, getThing, listThings, orderThings, setThing } from '../../support/calls.ts';
import { answered, refused } from '../../support/plans.ts';

/** The read that checks a call, and what it finds in an answer. */
function checked(one: Call, api: readonly Endpoint[] = endpoints) {
  const checks = checkEdit(one, api);
  if (!checks) throw new Error(`nothing checks ${one.endpoint.id}`);
  const { look } = checks;
  return {
    asks: [look.endpoint.id, look.params, look.query],
    finds: (value: unknown, before?: unknown) => checks.find(answered(value), before),
    findsIn: checks.find,
  };
}

const named = (name: string, id = '1') => ({ id, type: 'x', attributes: { name } });

test('an edit with a read-back is compared with it', () => {
  const body = { data: { id: 'i', type: 'error_tracking_issue' as const, attributes: { state: 'RESOLVED' } } };
  const { asks, finds, findsIn } = checked(call(setIssueState, { issue_id: 'i', body }));
  expect(asks).toEqual(['issues.get', { issue_id: 'i' }, {}]);
  const shown = (state: string) => ({ data: { id: 'i', attributes: { state } } });
  expect(finds(shown('RESOLVED'), { state: 'OPEN' })).toBe('ours');
  expect(finds(shown('OPEN'), { state: 'OPEN' })).toBe('before');
  expect(finds(shown('IGNORED'), { state: 'OPEN' })).toBe('other');
  expect(findsIn(refused('notFound', 'gone', 404), undefined)).toBe('missing');
  expect(findsIn(refused('unreachable', 'down'), undefined)).toBeUndefined();
});

test('a delete was applied when its row is missing, disabled or canceled', () => {
  const monitor = checked(call(deleteMonitor, { monitor_id: 7 }));
  expect(monitor.asks).toEqual(['monitors.get', { monitor_id: '7' }, {}]);
  expect(monitor.findsIn(refused('notFound', 'gone', 404), undefined)).toBe('ours');
  expect(monitor.findsIn(refused('unreachable', 'down'), undefined)).toBeUndefined();
  expect(monitor.finds({ id: 7, name: 'x' })).toBe('before');
  const downtime = checked(call(deleteDowntime, { downtime_id: 'd' }));
  expect(downtime.finds({ data: { id: 'd', attributes: { canceled: '2026-11-21' } } })).toBe('ours');
  expect(downtime.finds({ data: { id: 'd', attributes: { canceled: null, status: 'active' } } })).toBe('before');
  expect(downtime.finds({ data: { id: 'd', attributes: { status: 'canceled' } } })).toBe('ours');
  expect(checked(call(deleteRole, { role_id: 'r' })).finds({ data: { attributes: { disabled: true } } })).toBe('ours');
  expect(monitor.finds({ id: 7, canceled: 1_760_000_000 })).toBe('ours');
});

test('what is taken off a list was taken off when the list is whole and lacks it', () => {
  const body = { data: { type: 'permissions' as const, id: 'p' } };
  const { asks, finds, findsIn } = checked(call(revokePermission, { role_id: 'r', body }));
  expect(asks).toEqual(['roles.granted', { role_id: 'r' }, {}]);
  expect(finds({ data: [{ id: 'q' }] })).toBe('ours');
  expect(finds({ data: [{ id: 'q' }, { id: 'p' }] })).toBe('before');
  const others = (count: number) => ({ data: Array.from({ length: count }, (_, at) => ({ id: `${at}` })) });
  expect([finds(others(99)), finds(others(100))]).toEqual(['ours', 'unclear']);
  const lacking = (place: string) => findsIn(answered({ data: [{ id: 'q' }] }, [place]), undefined);
  expect([lacking('data[1]: expected an object'), lacking('data[0].name: odd')]).toEqual(['unclear', 'ours']);
});

test('rows that are removed together are before, gone, or unclear where some are left', () => {
  const body = { data: [{ id: 'a', type: 'row' }, { id: 'b', type: 'row' }, { type: 'row' }] };
  const { asks, finds } = checked(rawCall(deleteRows, { id: 't' }, {}, body));
  expect(asks).toEqual(['tables.rows', { id: 't' }, { row_id: ['a', 'b'] }]);
  const left = (...ids: string[]) => finds({ data: ids.map((id) => ({ id })) });
  expect([left(), left('a'), left('a', 'b')]).toEqual(['ours', 'unclear', 'before']);
});

test('what was created is counted in its list by every text and id that was sent, whatever is hidden or in capitals', () => {
  const create = call(createRole, { body: { data: { type: 'roles', attributes: { name: 'On Call' } } } });
  const { asks, finds } = checked(create);
  expect(asks).toEqual(['roles.list', {}, { 'page[size]': 100, filter: 'On Call' }]);
  expect(finds({ data: [named('on call'), named('On call, weekend')] })).toEqual({ alike: 1 });
  expect(finds({ data: [] })).toEqual({ alike: 0 });
  expect(finds({ data: Array.from({ length: 100 }, () => named('other')) })).toBe('unclear');
  const key = checked(call(createApiKey, { body: { data: { type: 'api_keys', attributes: { name: 'ci' } } } }));
  expect(key.finds({ data: [named('ci'), named('ci', '2')] })).toEqual({ alike: 2 });
  const relationships = { team: { data: { type: 'team' as const, id: 't' } } };
  const attributes = { attribute_key: 'squad', attribute_value: 'search' };
  const mapping = checked(
    call(createMapping, { body: { data: { type: 'authn_mappings', attributes, relationships } } }),
  );
  expect(mapping.asks[2]).toMatchObject({ resource_type: 'team' });
  const forRole = checked(call(createMapping, { body: { data: { type: 'authn_mappings', attributes } } }));
  expect(forRole.asks[2]).not.toHaveProperty('resource_type');
  for (const body of [undefined, {}, { data: {} }])
    expect(checked(rawCall(createMapping, {}, {}, body)).asks[2]).not.toHaveProperty('resource_type');
});

const sends = (to: Endpoint, attributes: object, params: Record<string, string> = {}) =>
  rawCall(to, params, {}, { data: { attributes } });
const withoutReadBack: Endpoint = { ...setThing, readBack: 'nowhere' };

test('a read at the path of an edit checks it, else the list before its id, and no list of another path', () => {
  const set = (api: readonly Endpoint[]) => checked(sends(withoutReadBack, { name: 'new' }, { thing_id: 'x' }), api);
  expect(set([listThings, getThing]).asks).toEqual(['things.get', { thing_id: 'x' }, {}]);
  expect(set([getThing]).finds({ data: named('old') }, named('old'))).toBe('before');
  const { asks, finds } = set([listThings]);
  expect(asks).toEqual(['things.list', { thing_id: 'x' }, { 'page[size]': 100 }]);
  expect(finds({ data: [null, named('new', 'y'), named('new', 'x')] })).toBe('ours');
  expect(finds({ included: [named('old', 'x')], data: [named('new', 'x')] })).toBe('ours');
  expect(finds([named('new', 'x')])).toBe('ours');
  for (const rows of [[], [named('new', 'y')], [named('new', 'x'), named('new', 'x')]])
    expect(finds({ data: rows })).toBe('unclear');
  const unchecked = (to: Endpoint, api: readonly Endpoint[]) => checkEdit(sends(to, {}, { thing_id: 'x' }), api);
  expect(unchecked({ ...orderThings, readBack: 'nowhere' }, [listThings, getThing])).toBeUndefined();
  expect(unchecked({ ...withoutReadBack, repeat: 'once' }, [listThings])).toBeUndefined();
  expect(unchecked(withoutReadBack, [{ ...listThings, method: 'POST' }, setThing])).toBeUndefined();
});

test('of a path with several ids the last one is the row', () => {
  const path = '/api/v2/boxes/{box_id}/things';
  const drop = { ...dropThing, path: `${path}/{thing_id}` };
  const { finds } = checked(rawCall(drop, { box_id: 'b', thing_id: 'x' }), [{ ...listThings, path }]);
  expect([finds({ data: [{ id: 'x' }] }), finds({ data: [{ id: 'b' }] })]).toEqual(['before', 'ours']);
});

test('a list as a read-back is compared with an edit, and searched for what was created', () => {
  const order = checked(rawCall(orderThings, {}, {}, { data: { attributes: { order: ['b', 'a'] } } }), [listThings]);
  expect(order.asks).toEqual(['things.list', {}, {}]);
  expect(order.finds({ data: { attributes: { order: ['b', 'a'] } } })).toBe('ours');
  const add = checked(sends({ ...addThing, readBack: 'things.list' }, { note: 'a', name: 'new' }), [listThings]);
  expect(add.asks).toEqual(['things.list', {}, { 'page[size]': 100, filter: 'new' }]);
  expect(add.finds({ data: [named('new')] })).toEqual({ alike: 1 });
  expect(checked(sends(addThing, { name: 7 }), [listThings]).asks[2]).toEqual({ 'page[size]': 100 });
});

test.each<[string, object, object, number]>([
  ['in the same texts', { name: 'a', note: 'b' }, { name: 'a', note: 'b' }, 1],
  ['in one text alone', { name: 'a', note: 'b' }, { name: 'a', note: 'c' }, 0],
  ['in capitals', { name: 'Ä' }, { name: 'ä' }, 1],
  ['where the list leaves a text out', { name: 'a', note: 'b' }, { name: 'a' }, 1],
  ['where the list has null for a text', { name: 'a', note: 'b' }, { name: 'a', note: null }, 1],
  ['where the list has another secret', { name: 'a', secret: 'fake-b' }, { name: 'a', secret: 'ends in c' }, 1],
  ['in another number', { name: 'a', count: 1 }, { name: 'a', count: 2 }, 1],
  ['in another id', { name: 'a', team_id: 1 }, { name: 'a', team_id: 2 }, 0],
  ['in the same id as a text', { team_id: 1 }, { team_id: '1' }, 1],
  ['in another identifier', { identifier: { at: 1 } }, { identifier: { at: 2 } }, 0],
  [
    'in an identifier beyond 2^53',
    { identifier: { at: 9_007_199_254_740_993n } },
    { identifier: { at: '9007199254740993' } },
    1,
  ],
  ['in the members of an identifier', { identifier: { a: 1, b: 2 } }, { identifier: { b: 2, a: 1, c: null } }, 1],
  ['in nothing that is listed', { note: 'b' }, { name: 'a' }, 0],
])('a listed row is like what was created %s', (_, attributes, listed, alike) => {
  const { finds } = checked(rawCall(addThing, {}, {}, { data: { id: 'own', attributes } }), [listThings]);
  expect(finds({ data: [{ id: 'other', attributes: listed }] })).toEqual({ alike });
});

test.each([{}, { data: null }, { result: {} }])('an answer without the thing (%j) shows nothing', (value) => {
  expect(checked(call(deleteMonitor, { monitor_id: 7 })).finds(value)).toBe('unclear');
  const body = { data: { type: 'permissions' as const, id: 'p' } };
  expect(checked(call(revokePermission, { role_id: 'r', body })).finds(value)).toBe('unclear');
  const create = call(createRole, { body: { data: { type: 'roles', attributes: { name: 'x' } } } });
  expect(checked(create).finds(value)).toBe('unclear');
});

test('a replacement is compared with a fresh read, rows of a table by their keys', () => {
  const replace = rawCall(replaceArchive, { archive_id: 'a' }, {}, { data: { attributes: { name: 'new' } } });
  expect(checked(replace).asks).toEqual(['archives.get', { archive_id: 'a' }, {}]);
  expect(checked(replace).finds({ data: named('new') })).toBe('ours');
  const rows = [{ id: 'k', type: 'row', attributes: { values: { team: 'core' } } }];
  const upsert = checked(rawCall(upsertRows, { id: 't' }, {}, { data: rows }));
  expect(upsert.asks).toEqual(['tables.rows', { id: 't' }, { row_id: ['k'] }]);
  expect(upsert.finds({ data: rows })).toBe('ours');
  expect(upsert.finds({ data: [] })).not.toBe('ours');
});

test('what no read shows is not checkable', () => {
  const muteAll = endpoints.find(({ id }) => id === 'monitors.mute-all');
  expect(muteAll && checkEdit(rawCall(muteAll, {}), endpoints)).toBeUndefined();
  expect(checkEdit(call(deleteApiKeyV1, { key: 'f' }), endpoints)?.look.endpoint.id).toBe('api-keys.get-v1');
});
