import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { describeQuery } from '../../src/query/query-help.ts';
import { said, takenOf } from '../support/queries.ts';
import { storedAs } from '../support/sweeps.ts';

/** A query of a table, with the options that it is checked with. */
interface Case {
  readonly query: string;
  readonly options?: unknown;
}

/**
 * Each query of a stored table stands above what is said of it: add a query, run `npm run stored`, and read what came.
 * A head is the type of the queries and, where it is known beforehand, their verdict; two types have the same verdicts.
 */
async function expectTable(name: string, linesOf: (type: string, one: Case) => readonly string[]): Promise<void> {
  const sections = readFileSync(`test/support/stored/queries/${name}.txt`, 'utf8')
    .trimEnd()
    .split(/\n\n(?=# )/);
  const written = sections.map((section) => {
    const [head = '', ...lines] = section.split('\n');
    const [types = '', verdict] = head.slice('# '.length).split(': ');
    const [type = '', ...others] = types.split(', ');
    const cases = casesIn(lines);
    if (verdict)
      for (const one of cases)
        for (const each of [type, ...others])
          expect([each, one.query, verdictOf(each, one, verdict)]).toEqual([each, one.query, verdict]);
    const says = (one: Case) => linesOf(type, one).filter((line) => line !== verdict);
    return [head, ...cases.flatMap((one) => [lineFor(one), ...says(one).map((line) => `  ${line}`)])].join('\n');
  });
  await storedAs(`queries/${name}`, [written.join('\n\n')]);
}

function verdictOf(type: string, { query, options }: Case, expected: string): string {
  const { verdict } = check(type, query, options);
  return expected === 'not wrong' && verdict !== 'wrong' ? expected : verdict;
}

const empty = '(empty)';
const given = '  with ';

function casesIn(lines: readonly string[]): readonly Case[] {
  return lines
    .filter((line) => !line.startsWith('  '))
    .map((line) => {
      const [written = '', options] = line.split(given);
      const query = written === empty ? '' : written.replaceAll('⏎', '\n');
      return options === undefined ? { query } : { query, options: JSON.parse(options) };
    });
}

const lineFor = ({ query, options }: Case): string =>
  (query === '' ? empty : query.replaceAll('\n', '⏎')) +
  (options === undefined ? '' : `${given}${JSON.stringify(options)}`);

const diagnosticLines = (type: string, { query, options }: Case) => (said(type, query, options) || 'fine').split('\n');

test.each(['diagnostics', 'options'])('each query has its diagnostics: %s', (name) =>
  expectTable(name, diagnosticLines),
);

test('each example of docs/contract/monitor-queries.md has its verdict there, in lines that fit a terminal', () =>
  expectTable('examples', (type, one) => {
    const { verdict, diagnostics } = check(type, one.query, one.options);
    if (verdict === 'fine') expect([one.query, said(type, one.query)]).toEqual([one.query, '']);
    for (const { message, hint = '' } of verdict === 'wrong' ? diagnostics : []) {
      expect(message.length).toBeLessThanOrEqual(72);
      expect(hint.length).toBeLessThanOrEqual(78);
    }
    return diagnosticLines(type, one);
  }));

test('each query has what it means in words, where a sentence would not say less', () =>
  expectTable('meanings', (type, { query }) => [describeQuery(type, query) ?? 'no words']));

/** Texts in a line: how they all begin, then how each goes on. */
function alike([first = '', ...others]: readonly string[]): string {
  const end = [...first].findIndex((_, at) => others.some((other) => other[at] !== first[at]));
  return others.length === 0
    ? first
    : `${first.slice(0, end)} … ${[first, ...others].map((one) => one.slice(end)).join(' ')}`;
}

const keys = ['host', 'env'];

test.each([
  ['offers', { keys, tags: ['env:prod', 'service:api', 'team:core'], objectives: ['slo-a1'] }],
  [
    'metric-offers',
    {
      ...{ keys, tags: ['env:prod', 'host:web-1'], checks: ['tcp.can_connect', 'ntp.in_sync'] },
      metrics: ['cpu.used', 'cpu.free', 'queue.depth'],
    },
  ],
  [
    'amid-offers',
    {
      ...{ keys, metrics: ['system.load', 'app.latency'], tags: ['env:prod', 'service:api'], objectives: ['slo-a1'] },
      ...{ monitors: ['101', '102'].map((id) => ({ id, name: `monitor ${id}` })), variables: ['query1', 'query2'] },
    },
  ],
])('each begun query has its suggestions: %s', (name, known) =>
  expectTable(name, (type, { query }) => [alike(takenOf(type, query, known))].filter(Boolean)),
);
