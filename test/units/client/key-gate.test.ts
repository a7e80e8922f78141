import { expect, test } from 'vitest';
import { createKeyGate, keysRefused } from '../../../src/client/hold-back.ts';

const keys = { apiKey: 'a', appKey: 'b' };

/** Sends requests one after the other; the status of each, or undefined where none was sent. */
function sends(statuses: readonly number[], words: readonly string[] = []) {
  const gate = createKeyGate();
  const sent = statuses.map((status) => {
    const pass = gate.pass(keys);
    pass?.answered(status, words);
    return pass && status;
  });
  return { sent, isShut: gate.isShut(keys), gate };
}

test.each<[string, number[], (number | undefined)[], boolean]>([
  ['at first', [], [], false],
  ['after a refusal', [401], [401], false],
  ['after two', [401, 401], [401, 401], false],
  ['after three', [401, 401, 401, 401], [401, 401, 401, undefined], true],
  ['after a refusal and two answers about something else', [401, 403, 400, 200], [401, 403, 400, undefined], true],
  ['after a success among them', [401, 401, 200, 401, 401], [401, 401, 200, 401, 401], false],
  ['after a redirect among them', [401, 401, 399, 401, 401], [401, 401, 399, 401, 401], false],
])('the gate %s', (_, statuses, sent, isShut) => {
  expect(sends(statuses)).toMatchObject({ sent, isShut });
});

test.each([
  ['Unauthorized', true],
  ['401 authentication required', true],
  ['The API key is invalid', true],
  ['this token has expired', true],
  ['You may not update this locked monitor', false],
])('a 401 that says "%s" is about the keys: %s', (words, isShut) => {
  expect(sends([401, 401, 401], [words]).isShut).toBe(isShut);
});

test('a response to a request from before the refusal, or to one before another refusal, opens nothing', () => {
  const gate = createKeyGate();
  const early = gate.pass(keys);
  gate.pass(keys)?.answered(401, []);
  early?.answered(200, []);
  for (const status of [400, 400]) gate.pass(keys)?.answered(status, []);
  expect(gate.isShut(keys)).toBe(true);
  const another = createKeyGate();
  another.pass(keys)?.answered(401, []);
  const between = another.pass(keys);
  for (const status of [200, 401]) another.pass(keys)?.answered(status, []);
  between?.answered(200, []);
  for (const status of [400, 400]) another.pass(keys)?.answered(status, []);
  expect(another.isShut(keys)).toBe(true);
});

test('other keys open the gate, also for the ones that were refused before', () => {
  const { gate } = sends([401, 401, 401]);
  const other = { ...keys, appKey: 'c' };
  expect([gate.isShut(keys), gate.isShut(other)]).toEqual([true, false]);
  expect(gate.pass(keys)).toBeUndefined();
  expect(gate.pass(other)).toBeDefined();
  expect(gate.isShut(keys)).toBe(false);
});

test('what is not sent says why', () => {
  expect(keysRefused('things.list')).toMatchObject({ kind: 'forbidden', status: 401, operation: 'things.list' });
});
