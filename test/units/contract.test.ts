import * as v from 'valibot';
import { expect, test } from 'vitest';
import { endpoints, findEndpoint } from '../../src/api/all-endpoints.ts';
import { apiKeyEndpoints } from '../../src/api/api-keys.ts';
import { createOwnKey, getOwnKey, listOwnKeys, updateOwnKey } from '../../src/api/application-keys.ts';
import { createArchive, getArchive } from '../../src/api/archives.ts';
import { createMapping, listMappings } from '../../src/api/authn-mappings.ts';
import { type AnySchema, type Endpoint, mayNotRead, rawCall } from '../../src/api/endpoint.ts';
import { byId, decimal, includes, int, resource, severalReferences } from '../../src/api/envelope.ts';
import { createProviderA, filterProviderA, listProviderA, updateProviderB } from '../../src/api/integrations.ts';
import type { Problem } from '../../src/api/problem.ts';
import { createFilter, listFilters, updateFilter } from '../../src/api/retention-filters.ts';
import { createRole, listPermissions } from '../../src/api/roles.ts';
import { hiderFor } from '../../src/api/secrets.ts';
import {
  createTable,
  createUpload,
  deleteRows,
  getTable,
  listRows,
  normalName,
  readRows,
  upsertRows,
} from '../../src/api/tables.ts';

const answers = (endpoint: Endpoint, answer: unknown) => v.safeParse(endpoint.response, answer).success;
const sends = (endpoint: Endpoint, body: unknown) =>
  endpoint.body !== undefined && v.safeParse(endpoint.body, body).success;

test('responses seen in practice are read, oddities included', () => {
  const key = { type: 'application_keys', id: 'k1', attributes: { name: 'ops', last4: '9f3c', scopes: null } };
  expect(answers(getOwnKey, { data: { ...key, relationships: { leak_information: { data: null } } } })).toBe(true);
  expect(
    answers(listOwnKeys, { data: [key], meta: { page: { total_filtered_count: 1 }, max_allowed_per_user: 9 } }),
  ).toBe(true);
  const team = { type: 'team', id: 't1', attributes: { avatar: null, summary: null, handles: ['core'] } };
  const mapping = { id: 'm1', type: 'authn_mappings', relationships: { team: { data: { type: 'team', id: 't1' } } } };
  expect(answers(listMappings, { included: [team], data: [mapping] })).toBe(true);
  const table = { table_name: 't', tags: null, row_count: 4_000_001, status: 'NEW_STATUS', created_by: '' };
  expect(answers(getTable, { data: { id: 'x', type: 'reference_table', attributes: table } })).toBe(true);
  expect(answers(readRows, { data: [], meta: { found_count: 0, not_found: ['1'] } })).toBe(true);
  expect(answers(listRows, { data: [], links: { self: '/' } })).toBe(true);
  const filter = { id: '-aB_', type: 'apm_retention_filter', attributes: { created_at: 0, created_by: '', rate: 1 } };
  expect(answers(listFilters, { data: [filter] })).toBe(true);
  expect(answers(getArchive, { data: { type: 'archives', id: 'q', attributes: { destination: null } } })).toBe(true);
  expect(answers(listPermissions, { data: null })).toBe(true);
  expect(answers(listProviderA, [{ tenant_name: 't', client_id: 'c', warnings: [], new_field: { a: 1 } }])).toBe(true);
});

test('numbers may be texts, references a bare list, and what comes along is read by its kind', () => {
  const reads = (schema: AnySchema, ...all: readonly unknown[]) =>
    all.map((input) => {
      const { success, output } = v.safeParse(schema, input);
      return success ? output : 'unread';
    });
  expect(reads(int, 5, 5n, '5', '-5.0', '5.5', '1'.repeat(16), '', 'x')).toEqual([
    ...[5, 5n, 5, -5],
    ...['unread', 'unread', 'unread', 'unread'],
  ]);
  expect(reads(decimal, 0.5, '0.5', '-2e3', '.5', '')).toEqual([0.5, 0.5, -2000, 'unread', 'unread']);
  const reference = { id: 'a', type: 'users' };
  expect(reads(severalReferences, [reference], { data: [reference] }, { data: null }, [7], { data: 7 })).toEqual([
    ...[[reference], { data: [reference] }, { data: null }],
    ...['unread', 'unread'],
  ]);
  const [fits, unlike] = [{ name: 'a' }, { name: 7 }].map((attributes) => ({ type: 'case', attributes }));
  const along = includes({ case: resource('case', { name: v.string() }) });
  expect(reads(along, [fits], [{ ...unlike, type: 'team' }], [unlike], [null], [7], ['x'])).toEqual([
    ...[[fits], [{ ...unlike, type: 'team' }]],
    ...['unread', 'unread', 'unread', 'unread'],
  ]);
  expect(byId([{ id: 5 }, { id: null }, {}, { id: 'b', type: 'user' }])).toEqual(
    new Map<string, object>([
      ['5', { id: 5 }],
      ['b', { id: 'b', type: 'user' }],
    ]),
  );
  expect(byId(null).size).toBe(0);
});

test('unknown fields and words are kept when reading', () => {
  const answer = { data: { id: 'x', type: 'reference_table', attributes: { status: 'NEW_STATUS', color: 'red' } } };
  expect(v.parse(getTable.response, answer).data?.attributes).toMatchObject({ status: 'NEW_STATUS', color: 'red' });
});

const body = (type: string, attributes: object, more: object = {}) => ({ data: { type, attributes, ...more } });

test('bodies that the service would refuse are refused before sending', () => {
  const sampling = { filter: { query: '*' }, filter_type: 'spans-sampling-processor', rate: 0.5 };
  const filter = (more: object, id?: object) =>
    body('apm_retention_filter', { name: 'checkout', enabled: true, ...sampling, ...more }, id);
  const errors = { filter_type: 'spans-errors-sampling-processor' };
  const archive = (destination: object) => body('archives', { name: 'web', query: '*', destination });
  const writer = { account_id: '000011112222', role_name: 'writer' };
  const role = { relationships: { role: { data: { type: 'roles', id: 'r' } } } };
  for (const [endpoint, sent, isTaken] of [
    [createFilter, filter({}), true],
    [createFilter, filter({ name: '  ' }), false],
    [createFilter, filter(errors), false],
    [updateFilter, filter({}), false],
    [updateFilter, filter(errors, { id: 'f' }), true],
    [createOwnKey, body('application_keys', { name: 'a', scopes: null }), true],
    [createOwnKey, body('api_keys', { name: 'a' }), false],
    [updateOwnKey, body('application_keys', { scopes: ['a'] }, { id: 'k' }), true],
    [createRole, body('roles', {}), false],
    [createMapping, body('authn_mappings', { attribute_key: 'groups', attribute_value: 'sre' }, role), true],
    [createProviderA, { tenant_name: 't' }, false],
    [filterProviderA, {}, true],
    [updateProviderB, body('provider_b_service_account', { automute: true }), true],
    [createArchive, archive({ type: 'provider_c', bucket: 'b', integration: writer }), true],
    [createArchive, archive({ type: 'provider_c', bucket: 'b', integration: { access_key_id: 'k' } }), true],
    [createArchive, archive({ type: 'provider_c', bucket: 'b', integration: {} }), false],
    [createArchive, archive({ type: 'provider_a', bucket: 'b', integration: writer }), false],
    [createArchive, archive({ type: 'provider_d' }), false],
  ] as readonly [Endpoint, unknown, boolean][])
    expect([endpoint.id, sent, sends(endpoint, sent)]).toEqual([endpoint.id, sent, isTaken]);
});

test('numbers and lists of a body have limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
  const upload = (more: object) =>
    body('upload', { table_name: 't', headers: ['a'], part_count: 1, part_size: 6e6, ...more });
  const schemaWith = (primary_keys: readonly string[]) => ({ fields: [{ name: 'a', type: 'STRING' }], primary_keys });
  const table = (keys: number) =>
    body('reference_table', { table_name: 't', source: 'LOCAL_FILE', schema: schemaWith(many(keys)) });
  const rows = (count: number) => ({
    data: many(count).map((id) => ({ type: 'row', id, attributes: { values: {} } })),
  });
  const archive = (rehydration_max_scan_size_in_gb: number) =>
    body('archives', { name: 'a', query: '*', destination, rehydration_max_scan_size_in_gb });
  const destination = { type: 'provider_c', bucket: 'b', integration: { access_key_id: 'k' } };
  const filter = (rate: number) =>
    body('apm_retention_filter', {
      ...{ name: 'x', enabled: true, rate },
      ...{ filter: { query: '*' }, filter_type: 'spans-sampling-processor' },
    });
  for (const [endpoint, make, taken, refused] of [
    [createUpload, (part_count) => upload({ part_count }), [1, 20], [0, 21, 1.5]],
    [createUpload, (part_size) => upload({ part_size }), [1], [0, 1.5]],
    [createUpload, (columns) => upload({ headers: many(columns) }), [1, 200], [0, 201]],
    [createTable, table, [1], [0, 2]],
    [upsertRows, rows, [1, 200], [0, 201]],
    [deleteRows, rows, [1, 200], [0, 201]],
    [createArchive, archive, [1], [0, 1.5]],
    [createFilter, filter, [0, 0.5, 1], [-0.1, 1.1]],
  ] as readonly [Endpoint, (size: number) => unknown, readonly number[], readonly number[]][]) {
    expect([endpoint.id, taken.filter((size) => sends(endpoint, make(size)))]).toEqual([endpoint.id, taken]);
    expect([endpoint.id, refused.filter((size) => sends(endpoint, make(size)))]).toEqual([endpoint.id, []]);
  }
  const asks = (count: number) => readRows.query && v.safeParse(readRows.query, { row_id: many(count) }).success;
  expect([0, 1, 250, 251].map(asks)).toEqual([false, true, true, false]);
});

test('a path with a secret is marked as such', () => {
  const paths = apiKeyEndpoints.filter((apiKeyEndpoint) => apiKeyEndpoint.path.includes('{key}'));
  expect(paths.map((path) => path.secrets?.includes('{key}'))).toEqual([true, true, true]);
  const [get] = paths;
  // A shorter one would be found in ordinary words.
  const hides = (key: string, text: string) => get && hiderFor(rawCall(get, { key }))(text);
  expect(hides('abcd', 'abcd of abcd')).toBe('(hidden) of (hidden)');
  expect(hides('abc', 'abc of abc')).toBe('abc of abc');
});

test('equal requests have equal keys, exact in every digit', () => {
  const [key, same, other] = [5n, 5, '5'].map((big) => rawCall(getOwnKey, { app_key_id: 7 }, { big }, { big }).key);
  expect(key).toBe('keys.get-own [{"app_key_id":"7"},{"big":5},{"big":5}]');
  expect([same === key, other === key]).toEqual([true, false]);
});

test('an edit goes on without what its keys or its deployment cannot read', () => {
  const problem = (kind: Problem['kind']) => mayNotRead({ kind } as Problem);
  expect(
    ['forbidden', 'notOffered', 'unreachable', 'notFound'].map((kind) => problem(kind as Problem['kind'])),
  ).toEqual([...[true, true], ...[false, false]]);
});

test('a name of a table is written as the service keeps it', () => {
  const long = 'a'.repeat(56);
  expect([' 9_Night Shift-2 ', long, `${long}b`, '42', ''].map(normalName)).toEqual([
    ...['night_shift_2', long],
    ...[undefined, undefined, undefined],
  ]);
});

test('every operation is found by its id, and is as it is stored', async () => {
  const lines = endpoints.map(({ query, body, response, title, source, method, path, ...rest }) => {
    const more = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return [`${method} ${path}`, ...more.filter((text) => !text.endsWith('undefined'))].join(' ');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../support/stored/operations.txt');
  for (const endpoint of endpoints) expect(findEndpoint(endpoint.id)).toBe(endpoint);
  expect(findEndpoint('keys.guess')).toBeUndefined();
});
