import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { assignIssue } from '../../src/api/error-tracking.ts';
import { muteMonitor, unmuteMonitor } from '../../src/api/monitors.ts';
import { compareWithRead } from '../../src/client/check-edit.ts';
import { setThing } from '../support/calls.ts';

const sent = call(setThing, {
  thing_id: 'x',
  body: { data: { id: 'x', type: 'edit', attributes: { name: 'new', count: 5 } } },
});
const shows = (attributes: object) => ({ data: { id: 'x', type: 'thing', attributes } });

test('ours: every sent field is equal; other fields and type names do not matter', () => {
  expect(compareWithRead(sent, shows({ name: 'new', count: 5, more: 1 }), undefined)).toBe('ours');
  expect(compareWithRead(sent, shows({ name: 'new', count: '5' }), undefined)).toBe('ours');
});

test('before: the sent values are missing, and the previous ones are there', () => {
  const before = { id: 'x', attributes: { name: 'old', count: 5 } };
  expect(compareWithRead(sent, shows({ name: 'old', count: 5 }), before)).toBe('before');
  expect(compareWithRead(sent, shows({ name: 'old', count: 5 }), shows({ name: 'old', count: 5 }))).toBe('before');
  expect(compareWithRead(sent, shows({ name: 'old', count: 5 }), { name: 'old', count: 5 })).toBe('before');
});

test('other: neither the sent values nor the previous ones', () => {
  expect(compareWithRead(sent, shows({ name: 'theirs', count: 5 }), { name: 'old', count: 5 })).toBe('other');
});

test('unclear: the previous values are unknown, or nothing sent can be compared', () => {
  expect(compareWithRead(sent, shows({ name: 'old' }), undefined)).toBe('unclear');
  expect(compareWithRead(sent, shows({ name: 'old' }), { another: 'row' })).toBe('unclear');
  for (const nothing of [{}, { data: null }, shows({}), [], null])
    expect(compareWithRead(sent, nothing, { name: 'old', count: 5 })).toBe('unclear');
  expect(compareWithRead(call(setThing, { thing_id: 'x', body: { data: { attributes: {} } } }), shows({}), {})).toBe(
    'unclear',
  );
});

test('null equals missing; lists keep their order; objects are compared by the sent members', () => {
  const edit = (attributes: Record<string, unknown>) =>
    call(setThing, { thing_id: 'x', body: { data: { attributes } } });
  expect(compareWithRead(edit({ end: null }), shows({}), undefined)).toBe('ours');
  expect(compareWithRead(edit({ tags: ['a', 'b'] }), shows({ tags: ['b', 'a'] }), undefined)).toBe('unclear');
  for (const [sent, seen] of [
    [{ on: false }, { on: 'false' }],
    [{ end: null }, { end: 5 }],
    [{ end: null }, { end: 'null' }],
    [{ name: 'a' }, { name: ['a'] }],
    [{ tags: ['a'] }, { tags: 'a' }],
    [{ tags: ['a'] }, { tags: ['a', 'b'] }],
    [{ filter: { query: null } }, { filter: 'x' }],
  ] as const)
    expect(compareWithRead(edit(sent), shows(seen), undefined), JSON.stringify(sent)).toBe('unclear');
  expect(
    compareWithRead(edit({ filter: { query: 'x' } }), shows({ filter: { query: 'x', extra: 1 } }), undefined),
  ).toBe('ours');
});

test('the comparison of an endpoint takes precedence; if it throws, the result is unclear', () => {
  const knows = {
    ...sent,
    endpoint: { ...setThing, isApplied: (_: unknown, read: unknown) => (read as { yes: { no: boolean } }).yes.no },
  };
  expect(compareWithRead(knows, { yes: { no: true } }, undefined)).toBe('ours');
  expect(compareWithRead(knows, {}, undefined)).toBe('unclear');
  expect(compareWithRead(knows, { data: { id: 'x' } }, undefined)).toBe('unclear');
});

test('a mute: missing = not applied; another end = not applied only if it is the previous end', () => {
  const mute = call(muteMonitor, { monitor_id: 1, body: { scope: 'env:prod,host:a', end: 1_800_000_000 } });
  const shown = (silenced: Record<string, unknown>) => ({ id: 1, options: { silenced } });
  expect(compareWithRead(mute, shown({}), undefined)).toBe('before');
  expect(compareWithRead(mute, shown({ '*': null }), undefined)).toBe('before');
  expect(compareWithRead(mute, shown({ 'host:a,env:prod': 1_800_000_000 }), undefined)).toBe('ours');
  const other = shown({ 'host:a,env:prod': 1_700_000_000 });
  expect(compareWithRead(mute, other, undefined)).toBe('unclear');
  expect(compareWithRead(mute, other, { id: '1', raw: shown({}) })).toBe('unclear');
  expect(compareWithRead(mute, other, { id: '1', raw: other })).toBe('before');
  // A read without options decides nothing.
  for (const nothing of [{}, null, undefined, 'x']) expect(compareWithRead(mute, nothing, undefined)).toBe('unclear');
  const unmute = call(unmuteMonitor, { monitor_id: 1, query: { scope: 'host:a' } });
  expect(compareWithRead(unmute, shown({ 'host:a': null }), undefined)).toBe('before');
  expect(compareWithRead(unmute, shown({ 'host:b': null }), undefined)).toBe('ours');
  expect(compareWithRead(unmute, {}, undefined)).toBe('unclear');
});

test('an assignee: the previous one = not applied, another one = unclear', () => {
  const assign = call(assignIssue, { issue_id: 'i', body: { data: { id: 'me', type: 'assignee' } } });
  const issue = (id?: string) => ({ id: 'i', relationships: { assignee: { data: id === undefined ? null : { id } } } });
  const row = { id: 'i', raw: { issue: issue() } };
  expect(compareWithRead(assign, { data: issue('me') }, row)).toBe('ours');
  expect(compareWithRead(assign, { data: issue() }, row)).toBe('before');
  expect(compareWithRead(assign, { data: issue('other') }, row)).toBe('unclear');
  expect(compareWithRead(assign, { data: issue() }, undefined)).toBe('unclear');
  expect(compareWithRead(assign, {}, row)).toBe('unclear');
});
