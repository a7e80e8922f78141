import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { standing } from '../../src/client/settle.ts';
import { setThing } from '../support/calls.ts';

const sent = call(setThing, {
  thing_id: 'x',
  body: { data: { id: 'x', type: 'edit', attributes: { name: 'new', count: 5 } } },
});
const shows = (attributes: object) => ({ data: { id: 'x', type: 'thing', attributes } });

test('ours: every field that was sent is equal; other fields and the names of things do not matter', () => {
  expect(standing(sent, shows({ name: 'new', count: 5, more: 1 }), undefined)).toBe('ours');
  expect(standing(sent, shows({ name: 'new', count: '5' }), undefined)).toBe('ours');
});

test('before: what was sent is not there, and what was is', () => {
  const before = { id: 'x', attributes: { name: 'old', count: 5 } };
  expect(standing(sent, shows({ name: 'old', count: 5 }), before)).toBe('before');
  expect(standing(sent, shows({ name: 'old', count: 5 }), shows({ name: 'old', count: 5 }))).toBe('before');
  expect(standing(sent, shows({ name: 'old', count: 5 }), { name: 'old', count: 5 })).toBe('before');
});

test('other: neither ours nor what was', () => {
  expect(standing(sent, shows({ name: 'theirs', count: 5 }), { name: 'old', count: 5 })).toBe('other');
});

test('unclear: nothing is known of before, or nothing was sent that could be compared', () => {
  expect(standing(sent, shows({ name: 'old' }), undefined)).toBe('unclear');
  expect(standing(sent, shows({ name: 'old' }), { another: 'row' })).toBe('unclear');
  for (const nothing of [{}, { data: null }, shows({}), [], null])
    expect(standing(sent, nothing, { name: 'old', count: 5 })).toBe('unclear');
  expect(standing(call(setThing, { thing_id: 'x', body: { data: { attributes: {} } } }), shows({}), {})).toBe(
    'unclear',
  );
});

test('null is as good as missing; lists keep their order; of an object the sent members count', () => {
  const edit = (attributes: Record<string, unknown>) =>
    call(setThing, { thing_id: 'x', body: { data: { attributes } } });
  expect(standing(edit({ end: null }), shows({}), undefined)).toBe('ours');
  expect(standing(edit({ tags: ['a', 'b'] }), shows({ tags: ['b', 'a'] }), undefined)).toBe('unclear');
  expect(standing(edit({ on: false }), shows({ on: 'false' }), undefined)).toBe('unclear');
  expect(standing(edit({ filter: { query: 'x' } }), shows({ filter: { query: 'x', extra: 1 } }), undefined)).toBe(
    'ours',
  );
});

test('an endpoint that knows better is asked; when it stumbles over the answer, nothing is shown', () => {
  const knows = {
    ...sent,
    endpoint: { ...setThing, became: (_: unknown, read: unknown) => (read as { yes: { no: boolean } }).yes.no },
  };
  expect(standing(knows, { yes: { no: true } }, undefined)).toBe('ours');
  expect(standing(knows, {}, undefined)).toBe('unclear');
});
