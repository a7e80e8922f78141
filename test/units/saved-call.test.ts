import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { reviveCall, saveCall } from '../../src/journal/journal-entry.ts';
import { addThing, setThing } from '../support/calls.ts';

const find = (id: string) => [addThing, setThing].find((endpoint) => endpoint.id === id);
const same = (text: string) => text;

test('a call without secrets is kept as it is, and comes back as the same request', () => {
  const edit = call(setThing, { thing_id: 'x', body: { data: { attributes: { name: 'new' } } } });
  const saved = saveCall(edit, same);
  expect(saved).toStrictEqual({ endpoint: 'things.set', params: { thing_id: 'x' }, query: {}, body: edit.body });
  expect(reviveCall(saved, find)?.key).toBe(edit.key);
  expect(reviveCall(saved, () => undefined)).toBeUndefined();
});

test('what held a secret says how many, holds none, and does not come back', () => {
  const saved = saveCall(call(addThing, { body: { data: { attributes: { secret: 'planted' } } } }), same);
  expect(saved.withheld).toBe(1);
  expect(JSON.stringify(saved)).not.toContain('planted');
  expect(reviveCall(saved, find)).toBeUndefined();
});

test('every text passes the redaction', () => {
  const edit = call(setThing, { thing_id: 'key', body: { data: { attributes: { name: 'a key' } } } });
  const saved = saveCall(edit, (text) => text.replaceAll('key', '[…]'));
  expect(saved).toMatchObject({ params: { thing_id: '[…]' }, body: { data: { attributes: { name: 'a […]' } } } });
});
