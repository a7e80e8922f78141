import { describe, expect, test } from 'vitest';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { type Endpoint, type QueryValue, rawCall } from '../../src/api/endpoint.ts';

/** What the read after an edit without an answer says of it, by the operation that was sent. */

const found = (id: string): Endpoint => {
  const endpoint = findEndpoint(id);
  if (!endpoint) throw new Error(`no operation ${id}`);
  return endpoint;
};

/** Whether the edit took effect, and whether it had none. */
function says(id: string, sent: Sent, read: unknown, before?: unknown): readonly (boolean | undefined)[] {
  const endpoint = found(id);
  const call = rawCall(endpoint, {}, sent.query, sent.body);
  return [endpoint.isApplied?.(call, read), endpoint.isUnchanged?.(call, read, before)];
}

interface Sent {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
}

const withAttributes = (attributes: object) => ({ data: { attributes } });
const withPermissions = (...ids: readonly string[]) => ({
  data: { attributes: {}, relationships: { permissions: { data: ids.map((id) => ({ id })) } } },
});
const noon = '2026-11-21T12:00:00Z';
const rule = { start: noon, duration: '2h', rrule: 'FREQ=DAILY' };
const ruled = (...recurrences: readonly object[]) => ({ schedule: { recurrences } });

describe.each([
  ['took effect', true],
  ['did not take effect', false],
])('an edit %s', (_, isApplied) => {
  const attributes: readonly (readonly [string, object, object, boolean])[] = [
    ['downtimes.update', { message: 'a' }, { message: 'a', scope: 'x', schedule: { end: noon } }, true],
    ['downtimes.update', { message: 'a' }, { message: 'b' }, false],
    ['downtimes.update', { scope: 'a' }, { scope: 'a', message: 'b' }, true],
    ['downtimes.update', { scope: 'a' }, { scope: 'b' }, false],
    ['downtimes.update', { monitor_identifier: { monitor_id: 5 } }, { monitor_identifier: { monitor_id: '5' } }, true],
    ['downtimes.update', { monitor_identifier: { monitor_id: 5 } }, { monitor_identifier: { monitor_id: 6 } }, false],
    ['downtimes.update', { monitor_identifier: { monitor_id: 5 } }, {}, false],
    ['downtimes.update', { schedule: { end: noon } }, { schedule: { end: '2026-11-21T13:00:00+01:00' } }, true],
    ['downtimes.update', { schedule: { end: noon } }, { schedule: { end: '2026-11-21T13:00:00Z' } }, false],
    ['downtimes.update', { schedule: { end: noon } }, {}, false],
    ['downtimes.update', { schedule: { end: null } }, { schedule: {} }, true],
    ['downtimes.update', { schedule: { end: null } }, { schedule: { end: noon } }, false],
    ['downtimes.update', { schedule: { end: 'then' } }, { schedule: { end: 'then' } }, true],
    ['downtimes.update', { schedule: { start: noon, end: null } }, { schedule: { start: noon } }, true],
    ['downtimes.update', { schedule: { start: noon } }, { schedule: { start: '2026-11-21T13:00:00Z' } }, false],
    ['downtimes.update', { schedule: { start: null } }, { schedule: { start: noon } }, true],
    ['downtimes.update', ruled(rule), ruled({ ...rule, more: 1 }), true],
    ['downtimes.update', ruled(rule), ruled(), false],
    ['downtimes.update', ruled(rule), ruled(rule, rule), false],
    ...Object.keys(rule).map(
      (name) => ['downtimes.update', ruled(rule), ruled({ ...rule, [name]: 'x' }), false] as const,
    ),
    ['downtimes.update', { schedule: { recurrences: null } }, ruled(rule), true],
    ['roles.update', { name: 'a' }, { name: 'a', receives_permissions_from: ['x'] }, true],
    ['roles.update', { name: 'a' }, { name: 'b' }, false],
    ['roles.update', { receives_permissions_from: ['x'] }, { name: 'b', receives_permissions_from: ['x'] }, true],
    ['roles.update', { receives_permissions_from: ['x'] }, { receives_permissions_from: ['y'] }, false],
    ['roles.update', { receives_permissions_from: ['x'] }, {}, false],
    ['keys.update-org', { name: 'a' }, { name: 'a', scopes: ['x'] }, true],
    ['keys.update-org', { name: 'a' }, { name: 'b' }, false],
    ['service-accounts.update-key', { scopes: ['b', 'a'] }, { name: 'k', scopes: ['a', 'b'] }, true],
    ['service-accounts.update-key', { scopes: ['b'] }, { scopes: ['a', 'b'] }, false],
    ['service-accounts.update-key', { scopes: null }, { scopes: [] }, true],
    ['keys.update-own', { scopes: [] }, { scopes: null }, true],
    ['keys.update-own', { scopes: null }, { scopes: ['a'] }, false],
  ];
  const others: readonly (readonly [string, unknown, unknown, boolean])[] = [
    ...attributes.map(([id, sent, read, is]) => [id, withAttributes(sent), withAttributes(read), is] as const),
    ['downtimes.update', withAttributes({ message: 'a' }), null, false],
    ['roles.update', withAttributes({ name: 'a' }), undefined, false],
    ['roles.update', withAttributes({ name: 'a' }), { data: null }, false],
    ['roles.update', withPermissions('p1', 'p2'), withPermissions('p2', 'p1'), true],
    ['roles.update', withPermissions('p1'), withPermissions('p2', 'p1'), false],
    ['roles.update', withPermissions('p1', 'p2'), withPermissions('p1'), false],
    ['roles.update', withPermissions('p1'), withPermissions('p2'), false],
    ['roles.update', withPermissions('p1'), { data: { relationships: { permissions: { data: null } } } }, false],
    ['api-keys.update-v1', { name: 'a' }, { api_key: { name: 'a' } }, true],
    ['api-keys.update-v1', { name: 'a' }, { api_key: { name: 'b' } }, false],
    ['api-keys.update-v1', { name: 'a' }, null, false],
    ['monitors.update', { name: 'a' }, { name: 'a', query: 'q' }, true],
    ['monitors.update', { name: 'a' }, { name: 'b' }, false],
  ];

  test.each(others.filter(([, , , is]) => is === isApplied))('%s of %j where %j is read', (id, body, read) => {
    expect(says(id, { body }, read)[0]).toBe(isApplied);
  });
});

const end = 1_800_000_000;
const silenced = (ends: Readonly<Record<string, unknown>>) => ({ id: 1, options: { silenced: ends } });
const muted = (scope: string, at: number | null, by = 'mute') => ({ id: 1, mutes: [{ by, scope, end: at }] });
const people = (count: number, more: object = {}) => ({
  data: Array.from({ length: count }, (_, at) => ({ id: `x${at}` })),
  ...more,
});
const total = (total_count: unknown) => ({ meta: { page: { total_count } } });
const filtered = (total_filtered_count: number) => ({ meta: { page: { total_filtered_count } } });

test.each<readonly [string, Sent, unknown, unknown, readonly (boolean | undefined)[]]>([
  // A mute: its scope in any order, its end to the minute.
  ['monitors.mute', { body: { end } }, silenced({ '*': end + 59 }), undefined, [true, false]],
  ['monitors.mute', { body: { end } }, silenced({ '*': end - 59 }), undefined, [true, false]],
  ['monitors.mute', { body: { end } }, silenced({ '*': end + 60 }), undefined, [false, false]],
  ['monitors.mute', { body: { end } }, silenced({ '*': null }), undefined, [false, false]],
  ['monitors.mute', { body: { scope: null } }, silenced({ '*': null }), undefined, [true, false]],
  ['monitors.mute', { body: {} }, silenced({ '*': end }), undefined, [false, false]],
  ['monitors.mute', {}, silenced({ 'host:a': null }), undefined, [false, true]],
  ['monitors.mute', { body: { scope: 'b, a' } }, silenced({ 'a,b': null }), undefined, [true, false]],
  // As before: the same end, also where the row keeps mutes of its own.
  ['monitors.mute', { body: { end } }, silenced({ '*': 7 }), silenced({ '*': 7 }), [false, true]],
  ['monitors.mute', { body: { end } }, silenced({ '*': 7 }), silenced({ '*': 66 }), [false, true]],
  ['monitors.mute', { body: { end } }, silenced({ '*': 7 }), silenced({ '*': 67 }), [false, false]],
  ['monitors.mute', { body: { end } }, silenced({ '*': 7 }), silenced({}), [false, false]],
  ['monitors.mute', { body: {} }, silenced({ '*': end }), muted('*', end * 1000), [false, true]],
  ['monitors.mute', { body: { end } }, silenced({ '*': 7 }), muted('*', 7000, 'downtime'), [false, false]],
  ['monitors.mute', { body: { end } }, silenced({ '*': null }), muted('*', null), [false, true]],
  ['monitors.mute', { body: { end } }, silenced({ '*': 7 }), { ...muted('*', 7000), ...silenced({}) }, [false, false]],
  ['monitors.mute', {}, { id: 1 }, undefined, [false, false]],
  ['monitors.mute', {}, { id: 1, options: null }, undefined, [false, true]],
  // The end of a mute.
  ['monitors.unmute', {}, silenced({ '*': null }), undefined, [false, true]],
  ['monitors.unmute', {}, silenced({ 'host:a': null }), undefined, [true, false]],
  ['monitors.unmute', { query: { scope: 'b,a' } }, silenced({ 'a,b': null }), undefined, [false, true]],
  ['monitors.unmute', { query: { all_scopes: true } }, silenced({ 'host:a': null }), undefined, [false, true]],
  ['monitors.unmute', { query: { all_scopes: true } }, silenced({}), undefined, [true, false]],
  ['monitors.unmute', { query: { all_scopes: false } }, silenced({ 'host:a': null }), undefined, [true, false]],
  ['monitors.unmute', {}, { options: {} }, undefined, [false, false]],
  ['monitors.unmute', {}, null, undefined, [false, false]],
  // A delegate, which is made once.
  ['integrations.make-delegate-b', {}, { data: { id: 'd' } }, undefined, [true, false]],
  ['integrations.make-delegate-b', {}, { data: null }, undefined, [false, true]],
  ['integrations.make-delegate-b', {}, {}, undefined, [false, false]],
  ['integrations.make-delegate-b', {}, null, undefined, [false, false]],
  // One reference in a list, missing where the list is whole.
  ...['roles.add-user', 'roles.grant', 'archives.add-reader'].flatMap((id) =>
    (
      [
        [people(3), [true, false]],
        [people(2), [false, true]],
        [people(99), [true, false]],
        [people(2, total(2)), [false, true]],
        [people(2, total('2')), [false, true]],
        [people(2, total(3)), [false, false]],
        [people(2, filtered(2)), [false, true]],
        [people(2, filtered(3)), [false, false]],
        [people(2, { meta: { page: null } }), [false, true]],
        [{ data: people(100).data.map((one) => ({ ...one, id: `y${one.id}` })) }, [false, false]],
        [{ data: null }, [false, false]],
        [null, [false, false]],
      ] as const
    ).map(([read, is]) => [id, { body: { data: { id: 'x2' } } }, read, undefined, is] as const),
  ),
])('%s with %j where %j is read, after %j', (id, sent, read, before, expected) => {
  expect(says(id, sent, read, before)).toEqual(expected);
});
