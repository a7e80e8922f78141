import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Attempt } from '../../../src/client/response-result.ts';
import { createRepeatedReads } from '../../../src/client/send-once.ts';
import { present } from '../../../src/lib/values.ts';

const get = (path: string, body?: string, series?: string) => ({ method: 'GET', path, body, series });

/** Reads by JSON.parse, and counts. */
function reader() {
  const repeated = createRepeatedReads();
  const count = { parsed: 0 };
  const read = (
    path: string,
    text: string,
    how: {
      status?: number;
      ok?: boolean;
      body?: string;
      series?: string;
      secrets?: string[];
      digest?: string | undefined;
    } = {},
  ) => {
    const { status = 200, ok = true, body, series, secrets = [] } = how;
    const digest = 'digest' in how ? how.digest : createHash('sha256').update(text).digest('base64');
    const last = repeated.last(get(path, body, series), secrets);
    const isKnown = last !== undefined && last.digest() === digest;
    if (!isKnown) count.parsed += 1;
    const made = ok ? { ok, value: JSON.parse(text), status, unread: [] } : { ok, problem: {} };
    const attempt = last && isKnown ? last.attempt : ({ seen: { kind: 'final' }, result: made } as Attempt);
    const sent = {
      kind: 'answer',
      status,
      headers: {},
      text: isKnown ? '' : text,
      ...present({ digest: digest === undefined ? undefined : () => digest }),
    } as const;
    repeated.keep(get(path, body, series), sent, attempt, secrets);
    return attempt.result.ok ? attempt.result.value : undefined;
  };
  return { read, count };
}

test('the same text to the same request is the same value, parsed once', async () => {
  const { read, count } = reader();
  const first = await read('/a', '[1]');
  expect(await read('/a', '[1]')).toBe(first);
  expect(count.parsed).toBe(1);
  expect(await read('/b', '[1]')).not.toBe(first);
  expect(await read('/a', '[1]', { body: '{"page":2}' })).not.toBe(first);
  expect(await read('/a', '[2]')).toEqual([2]);
  // Only the last answer counts.
  expect(await read('/a', '[1]')).not.toBe(first);
  expect(count.parsed).toBe(5);
});

test('what other secrets were looked for in, and what has no digest, is read each time', async () => {
  const { read, count } = reader();
  await read('/a', '[1]', { secrets: ['key'] });
  await read('/a', '[1]', { secrets: ['key', 'sent'] });
  await read('/a', '[1]', { secrets: ['key', 'sent'] });
  expect(count.parsed).toBe(2);
  await read('/b', '[1]', { digest: undefined });
  await read('/b', '[1]', { digest: undefined });
  expect(count.parsed).toBe(4);
});

test('what was refused, was no 200, or is too long is read each time', async () => {
  const { read, count } = reader();
  await read('/a', '[1]', { ok: false });
  await read('/a', '[1]', { ok: false });
  await read('/b', '[1]', { status: 404 });
  await read('/b', '[1]', { status: 404 });
  const long = JSON.stringify('x'.repeat(3_999_999));
  await read('/c', long);
  await read('/c', long);
  expect(count.parsed).toBe(6);
});

test('of many long answers only the last ones are kept', async () => {
  const { read, count } = reader();
  const text = JSON.stringify('x'.repeat(3_000_000));
  for (const path of ['/a', '/b', '/c']) await read(path, text);
  await read('/c', text);
  await read('/b', text);
  expect(count.parsed).toBe(3);
  await read('/a', text);
  expect(count.parsed).toBe(4);
  const longest = JSON.stringify('x'.repeat(3_999_998));
  for (const path of ['/d', '/e', '/d', '/e']) await read(path, longest);
  expect(count.parsed).toBe(6);
});

test('an equal answer to a search of the same series is the same value, whatever moment its body names', () => {
  const { read, count } = reader();
  const asked = (moment: number, series: string, text = '[1]') => read('/search', text, { body: `${moment}`, series });
  const [day, half] = [asked(1, 'day'), asked(1, 'half')];
  expect(half).not.toBe(day);
  expect(asked(2, 'day')).toBe(day);
  expect(asked(2, 'half')).toBe(half);
  expect(count.parsed).toBe(2);
  expect(asked(3, 'day', '[2]')).toEqual([2]);
  expect(asked(3, 'half')).toBe(half);
  expect(count.parsed).toBe(3);
});

test('a search of no series is read each time, and of short answers the last sixteen are kept', async () => {
  const { read, count } = reader();
  await read('/search', '[1]', { body: '{}' });
  await read('/search', '[1]', { body: '{}' });
  expect(count.parsed).toBe(2);
  for (let at = 0; at < 17; at += 1) await read(`/${at}`, '[1]');
  await read('/1', '[1]');
  expect(count.parsed).toBe(19);
  await read('/0', '[1]');
  expect(count.parsed).toBe(20);
  // What was read again, with the same answer or another one, is kept longer than what was not.
  await read('/3', '[1]');
  await read('/4', '[2]');
  await read('/17', '[1]');
  await read('/18', '[1]');
  expect(count.parsed).toBe(23);
  await read('/3', '[1]');
  await read('/4', '[2]');
  expect(count.parsed).toBe(23);
});
