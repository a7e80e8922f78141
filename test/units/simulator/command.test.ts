import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runSimulator } from '../../../src/simulator/command.ts';
import { holds, readTerms } from '../../../src/simulator/query/search-terms.ts';
import { createRandom } from '../../../src/simulator/server/random.ts';
import { createSimulator, startDemo } from '../../../src/simulator/simulator.ts';
import { inventedWords } from '../../support/invented.ts';

test('the command prints where it is and its keys, and stops when told to', async () => {
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = runSimulator({ monitors: 5, issues: 5, seed: 9 }, (line) => lines.push(line), promise);
  while (lines.length < 7) await new Promise((next) => setTimeout(next, 5));
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0];
  const key = /fake-api-\w+/.exec(lines[1] ?? '')?.[0] ?? '';
  const answer = await fetch(`${url}/api/v1/validate`, { headers: { 'SERVICE-API-KEY': key } });
  expect(await answer.json()).toEqual({ valid: true });
  resolve();
  expect(await done).toBe(0);
  await expect(fetch(`${url}/api/v1/validate`)).rejects.toThrow();
});

test('the key that only reads belongs to a user, whatever a deployment calls its roles', () => {
  const { org } = createSimulator({ monitors: 0, issues: 0, vocabulary: inventedWords() });
  const key = [...org.applicationKeys.values()].find(({ name }) => name.endsWith('only reading'));
  expect(org.users.has(key?.owner ?? '')).toBe(true);
});

test('a port that is taken is said in a sentence', async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  const lines: string[] = [];
  expect(await runSimulator({ port, monitors: 1, issues: 1 }, (line) => lines.push(line))).toBe(1);
  expect(lines).toEqual([`port ${port} is taken: choose another with --port, or leave it out`]);
  other.close();
});

test('the demo answers at once with a whole organization', async () => {
  const demo = await startDemo();
  const headers = { 'SERVICE-API-KEY': demo.apiKey, 'SERVICE-APPLICATION-KEY': demo.appKey };
  const rows = (await (await fetch(`${demo.url}/api/v1/monitor`, { headers })).json()) as unknown[];
  expect(rows).toHaveLength(340);
  await demo.stop();
});

test('search texts: words, fields, quotes, groups, and what is wrong with them', () => {
  const tags = ['env:prod', 'team:web core', 'word'];
  const says = (text: string): boolean | string => {
    const read = readTerms(text);
    if (!read.ok) return read.text;
    return holds(read.term, (field, value) => tags.includes(field === null ? value : `${field}:${value}`));
  };
  expect(says('env:prod word')).toBe(true);
  expect(says('env:(dev OR prod) AND NOT nothing')).toBe(true);
  expect(says('-env:prod OR (word -nothing)')).toBe(true);
  expect(says('team:"web core"')).toBe(true);
  expect(says('')).toBe(true);
  expect(says('"open')).toBe('unterminated quote');
  for (const text of ['a AND', 'OR b', '(a', 'a)', '()']) expect(says(text)).toMatch(/^unexpected/);
});

test('chance repeats itself', () => {
  const [one, other] = [createRandom(5), createRandom(5)];
  const list = Array.from({ length: 50 }, () => one.uuid());
  expect(Array.from({ length: 50 }, () => other.uuid())).toEqual(list);
  expect(new Set(list).size).toBe(50);
  expect(list.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
});
