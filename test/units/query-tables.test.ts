import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { said, takenOf } from '../support/queries.ts';

/**
 * Each query of a stored table stands above what is said of it: add a query, run `npx vitest run --update`, and read what came.
 * A head is the type of the queries and, where it is known beforehand, their verdict.
 */
async function expectTable(name: string, linesOf: (type: string, query: string) => readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(`../support/stored/queries/${name}.txt`, import.meta.url));
  const sections = readFileSync(path, 'utf8')
    .trimEnd()
    .split(/\n\n(?=# )/);
  const written = sections.map((section) => {
    const [head = '', ...lines] = section.split('\n');
    const [type = '', verdict] = head.slice('# '.length).split(': ');
    const queries = lines.filter((line) => !line.startsWith('  ')).map(decoded);
    if (verdict)
      for (const query of queries) expect([query, verdictOf(type, query, verdict)]).toEqual([query, verdict]);
    return [head, ...queries.flatMap((query) => [encoded(query), ...linesOf(type, query).map((line) => `  ${line}`)])];
  });
  await expect(`${written.map((lines) => lines.join('\n')).join('\n\n')}\n`).toMatchFileSnapshot(path);
}

function verdictOf(type: string, query: string, expected: string): string {
  const { verdict } = check(type, query);
  return expected === 'not wrong' && verdict !== 'wrong' ? expected : verdict;
}

const empty = '(empty)';
const encoded = (query: string): string => (query === '' ? empty : query.replaceAll('\n', '⏎'));
const decoded = (line: string): string => (line === empty ? '' : line.replaceAll('⏎', '\n'));

test('each query has its diagnostics', () =>
  expectTable('diagnostics', (type, query) => (said(type, query) || 'fine').split('\n')));

const keys = ['host', 'env'];

test.each([
  ['offers', { keys, tags: ['env:prod', 'service:api', 'team:core'], objectives: ['slo-a1'] }],
  ['metric-offers', { keys, tags: ['env:prod', 'host:web-1'], metrics: ['cpu.used', 'cpu.free', 'queue.depth'] }],
])('each begun query has its suggestions: %s', (name, known) =>
  expectTable(name, (type, query) => takenOf(type, query, known)),
);
