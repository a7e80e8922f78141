import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { type Endpoint, isRead } from '../../src/api/endpoint.ts';
import { judge } from '../../src/client/response-result.ts';

/** Operations whose success may have no body, or `{}`, by the contract. */
const mayBeEmpty = [
  'issues.unassign', // docs/contract/error-tracking.md#assign
  'monitors.unmute-all', // docs/contract/conventions.md#statuses
  'downtimes-v1.delete', // docs/contract/monitors.md#downtimes-of-v1
  'downtimes.delete', // docs/contract/monitors.md#downtimes-of-v2
  'users.disable', // docs/contract/users.md
  'keys.delete-own', // docs/contract/keys.md#own-keys
  'keys.delete-org', // docs/contract/keys.md#organization-keys
  'service-accounts.delete-key', // docs/contract/keys.md#service-accounts
  'api-keys.delete', // docs/contract/keys.md#api-keys
  'roles.delete', // docs/contract/roles.md
  'mappings.delete', // docs/contract/authn-mappings.md
  'integrations.create-a', // docs/contract/integrations.md#provider_a: {}
  'integrations.update-a',
  'integrations.delete-a',
  'integrations.filter-a',
  'integrations.create-b-v1', // docs/contract/integrations.md#provider_b-v1: {}
  'integrations.update-b-v1',
  'integrations.delete-b-v1',
  'integrations.delete-b', // docs/contract/integrations.md#provider_b
  'tables.create', // docs/contract/reference-tables.md#operations
  'tables.update',
  'tables.delete',
  'tables.upsert-rows',
  'tables.delete-rows',
  'retention.delete', // docs/contract/retention-filters.md#operations: {}
  'retention.order',
  'archives.delete', // docs/contract/logs-archives.md#operations
  'archives.add-reader',
  'archives.remove-reader',
];

const edits = endpoints.filter((endpoint) => !isRead(endpoint));
const named = (all: readonly Endpoint[]) => all.map((endpoint) => [endpoint.id, endpoint] as const);
const empty = (endpoint: Endpoint) => mayBeEmpty.includes(endpoint.id);
const answered = (endpoint: Endpoint, text: string, status = 200) =>
  judge(endpoint, { kind: 'answer', status, headers: {}, text }, 'api.example.test', undefined);

/** The shortest successful response that the contract allows. */
function applied(endpoint: Endpoint): unknown {
  const entries = (endpoint.response as { entries?: Readonly<Record<string, unknown>> }).entries ?? {};
  if (endpoint.id === 'monitors.delete') return { deleted_monitor_id: 7 };
  if (endpoint.id === 'downtimes-v1.cancel-by-scope') return { cancelled_ids: [] };
  if ('api_key' in entries) return { api_key: { name: 'ci' } };
  if ('id' in entries) return { id: 7 };
  return { data: /\.(grant|revoke|add-user|remove-user)$/.test(endpoint.id) ? [] : { id: '7' } };
}

test('some edits may return an empty response and others not, and the list has no other names', () => {
  expect(edits.length).toBeGreaterThan(60);
  expect(mayBeEmpty.filter((id) => !edits.some((edit) => edit.id === id))).toEqual([]);
});

/** Bodies with an error, and its text in the problem. */
const refusals: readonly (readonly [string, string])[] = [
  ['{"error":"denied"}', 'denied'],
  ['{"error":{"code":7,"message":"denied"}}', 'denied'],
  ['{"error":true,"message":"denied"}', 'denied'],
  ['{"errors":["denied"]}', 'denied'],
  ['{"errors":[{"status":"403","detail":"denied"}],"meta":{}}', 'denied'],
  ['{"errors":[{}]}', 'errors'],
  ['{"data":null,"errors":["denied"]}', 'denied'],
  ['{"status":"error"}', 'status: error'],
  ['{"status":"ERROR","message":"denied"}', 'denied'],
  ['{"status":"fail","data":{"id":"7"}}', 'status: fail'],
  ['{"success":false}', 'success: false'],
  ['{"ok":false,"message":"denied"}', 'denied'],
];
const nothings = ['', 'null', '{}', ' \n'];
const nonsense = ['"denied"', '5', 'false', 'true', 'Denied', '<html><title>Sign in</title>'];
const withoutThing = ['[]', '{"data":null}', '{"data":{}}', '{"id":null}', '{"message":"fine"}', '{"data":"x"}'];
const kinds = (endpoint: Endpoint, bodies: readonly string[]) =>
  bodies.map((body) => [body, answered(endpoint, body).seen.kind]);
const all = (bodies: readonly string[], kind: string) => bodies.map((body) => [body, kind]);

describe.each(named(edits))('%s', (_, endpoint) => {
  test('an error in a 2xx is a refusal with its text', () => {
    for (const [body, words] of refusals) {
      const { seen, result } = answered(endpoint, body);
      expect(seen, body).toEqual({ kind: 'final' });
      expect(result, body).toMatchObject({
        ok: false,
        problem: { kind: 'invalid', operation: endpoint.id, status: 200 },
      });
      expect(!result.ok && result.problem.text).toContain(words);
    }
  });

  test('an empty response is a success only where the contract allows it', () => {
    const isFine = (body: string) => empty(endpoint) && !(endpoint.verb === 'delete' && body === 'null');
    for (const body of nothings) expect(answered(endpoint, body).result.ok, body).toBe(isFine(body));
    expect(kinds(endpoint, nothings)).toEqual(nothings.map((body) => [body, isFine(body) ? 'final' : 'doubt']));
    expect(answered(endpoint, '', 204).result.ok).toBe(empty(endpoint));
  });

  test('an unreadable response is doubt', () => {
    expect(kinds(endpoint, nonsense)).toEqual(all(nonsense, 'doubt'));
    const mayTellWhatIsGone = endpoint.secrets?.some((place) => !place.startsWith('{')) ?? false;
    if (!empty(endpoint) || (endpoint.verb === 'delete' && !mayTellWhatIsGone))
      expect(kinds(endpoint, withoutThing)).toEqual(all(withoutThing, 'doubt'));
  });

  test('the response of the contract is a success', () => {
    const body = empty(endpoint) ? '' : JSON.stringify(applied(endpoint));
    expect(answered(endpoint, body, 201)).toMatchObject({ seen: { kind: 'final' }, result: { ok: true, status: 201 } });
  });

  test('a redirect is doubt, and the problem names the other host', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: 'https://other.example.test/x' };
      const { seen, result } = judge(
        endpoint,
        { kind: 'answer', status, headers, text: '' },
        'api.example.test',
        undefined,
      );
      expect(seen).toEqual({ kind: 'doubt', isLate: false });
      expect(!result.ok && result.problem.text).toContain('other.example.test');
    }
  });
});

describe.each(named(endpoints.filter(isRead)))('%s', (_, endpoint) => {
  test('a redirect is final, and an error in a 2xx is a refusal', () => {
    const sent = {
      kind: 'answer',
      status: 307,
      headers: { location: 'https://other.example.test' },
      text: '',
    } as const;
    expect(judge(endpoint, sent, 'api.example.test', undefined)).toMatchObject({
      seen: { kind: 'final' },
      result: { ok: false, problem: { kind: 'unreachable' } },
    });
    expect(answered(endpoint, '{"error":"denied"}')).toMatchObject({ seen: { kind: 'final' }, result: { ok: false } });
  });
});

test('errors beside an object are its attributes', () => {
  const create = endpoints.find((endpoint) => endpoint.id === 'roles.create') as Endpoint;
  expect(answered(create, '{"data":{"id":"7"},"errors":["kept"]}').result.ok).toBe(true);
  expect(answered(create, '{"data":{"id":"7"},"status":"ok","success":true,"error":null}').result.ok).toBe(true);
});
