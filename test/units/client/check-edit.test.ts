import { expect, test } from 'vitest';
import { endpoints } from '../../../src/api/all-endpoints.ts';
import { createApiKey, deleteApiKeyV1 } from '../../../src/api/api-keys.ts';
import { replaceArchive } from '../../../src/api/archives.ts';
import { createMapping } from '../../../src/api/authn-mappings.ts';
import { deleteDowntime } from '../../../src/api/downtimes.ts';
import { type Call, call, rawCall } from '../../../src/api/endpoint.ts';
import { setIssueState } from '../../../src/api/error-tracking.ts';
import { deleteMonitor } from '../../../src/api/monitors.ts';
import { createRole, deleteRole, revokePermission } from '../../../src/api/roles.ts';
import { upsertRows } from '../../../src/api/tables.ts';
import { checkOf } from '../../../src/client/check-edit.ts';
import { answered, refused } from '../../support/plans.ts';

/** The read that checks a call, and what it finds in an answer. */
function checked(one: Call) {
  const checks = checkOf(one, endpoints);
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

test('a delete was applied when its row is missing, disabled or cancelled', () => {
  const monitor = checked(call(deleteMonitor, { monitor_id: 7 }));
  expect(monitor.asks).toEqual(['monitors.get', { monitor_id: '7' }, {}]);
  expect(monitor.findsIn(refused('notFound', 'gone', 404), undefined)).toBe('ours');
  expect(monitor.findsIn(refused('unreachable', 'down'), undefined)).toBeUndefined();
  expect(monitor.finds({ id: 7, name: 'x' })).toBe('before');
  const downtime = checked(call(deleteDowntime, { downtime_id: 'd' }));
  expect(downtime.finds({ data: { id: 'd', attributes: { canceled: '2026-11-21' } } })).toBe('ours');
  expect(downtime.finds({ data: { id: 'd', attributes: { canceled: null, status: 'active' } } })).toBe('before');
  expect(checked(call(deleteRole, { role_id: 'r' })).finds({ data: { attributes: { disabled: true } } })).toBe('ours');
});

test('what is taken off a list was taken off when the list is whole and lacks it', () => {
  const body = { data: { type: 'permissions' as const, id: 'p' } };
  const { asks, finds } = checked(call(revokePermission, { role_id: 'r', body }));
  expect(asks).toEqual(['roles.granted', { role_id: 'r' }, {}]);
  expect(finds({ data: [{ id: 'q' }] })).toBe('ours');
  expect(finds({ data: [{ id: 'q' }, { id: 'p' }] })).toBe('before');
  expect(finds({ data: Array.from({ length: 100 }, (_, at) => ({ id: `${at}` })) })).toBe('unclear');
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
  expect(muteAll && checkOf(rawCall(muteAll, {}), endpoints)).toBeUndefined();
  expect(checkOf(call(deleteApiKeyV1, { key: 'f' }), endpoints)?.look.endpoint.id).toBe('api-keys.get-v1');
});
