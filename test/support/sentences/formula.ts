import fc from 'fast-check';

const names = ['query1', 'query2', 'a', '_cost_2026'] as const;
const number = fc.oneof(fc.nat(1000).map(String), fc.constantFrom('0.5', '.25', '1e6', '2.5e-3'));
const setting = fc.constantFrom("'basic'", "direction='both'", 'bounds=2', '86400', "'mean'");

const { sum } = fc.letrec<{ sum: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...names),
    number,
    tie('operand').map((text) => `-${text}`),
    tie('sum').map((text) => `(${text})`),
    fc
      .tuple(
        fc.constantFrom('exclude_null', 'default_zero', 'week_before', 'ewma_5'),
        tie('sum'),
        fc.array(setting, { maxLength: 2 }),
      )
      .map(([name, first, more]) => `${name}(${[first, ...more].join(', ')})`),
  ),
  sum: fc
    .tuple(tie('operand'), fc.array(fc.tuple(fc.constantFrom('+', '-', '*', '/'), tie('operand')), { maxLength: 3 }))
    .map(([head, tail]) => [head, ...tail.flat()].join(' ')),
}));

/** At least one variable: a formula of numbers alone measures nothing. */
const body = fc
  .tuple(fc.constantFrom(...names), fc.option(fc.tuple(fc.constantFrom('+', '-', '*', '/'), sum), { nil: [] }))
  .map(([head, tail]) => [head, ...tail].join(' '));

const threshold = fc.integer({ min: -1000, max: 1_000_000 }).map((value) => String(value / 8));
const all = ['<', '<=', '>', '>=', '==', '!='] as const;
const maybe = (arbitrary: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), arbitrary);

/** A variable for each name, whatever the formula uses. */
const options = (data_source: string) => ({
  variables: names.map((name) =>
    data_source === 'cloud_cost'
      ? { name, data_source, aggregator: 'sum', query: 'sum:all.cost{*}' }
      : { name, data_source, compute: { aggregation: 'count' }, search: { query: '*' }, indexes: ['*'], group_by: [] },
  ),
});

const days = fc.integer({ min: 1, max: 90 }).map((value) => `${value}d`);
const daily = days.map((day) => `.last("${day}")`);
const end = (operators: readonly string[]) =>
  fc.tuple(fc.constantFrom(...operators), threshold).map(([operator, text]) => ` ${operator} ${text}`);

const costs = fc
  .tuple(
    body,
    fc.oneof(
      fc.tuple(daily, end(all)),
      fc.tuple(daily, fc.constantFrom('.change("relative")', '.change("absolute")'), end(['>', '<'])),
      fc.tuple(
        daily,
        fc.constantFrom('both', 'above', 'below').map((value) => `.anomaly(direction="${value}")`),
        end(['>=', '>']),
      ),
      fc.tuple(daily, fc.constant('.anomaly(direction="above", threshold=10)'), end(['>='])),
      fc.tuple(
        days.map((day) => `.current("${day}")`),
        fc.constant('.forecast()'),
        end(['>']),
      ),
    ),
  )
  .map(([text, rest]) => ({
    type: 'cost alert',
    query: `formula("${text}")${rest.join('')}`,
    options: options('cloud_cost'),
  }));

const window = fc.oneof(
  fc.integer({ min: 1, max: 2880 }).map((value) => `.last("${value}m")`),
  fc.integer({ min: 1, max: 48 }).map((value) => `.last("${value}h")`),
);

const events = fc
  .tuple(
    fc.constantFrom('rum', 'ci-pipelines', 'ci-tests', 'log', 'audit', 'trace-analytics', 'query', 'metric'),
    body,
    maybe(fc.constantFrom('.by("service")', '.by("host,@ci.status")')),
    maybe(fc.constantFrom('.rollup("sum")', '.rollup("avg")')),
    window,
    end(all),
  )
  .map(([kind, text, ...rest]) => ({
    type: `${kind} alert`,
    query: `formula("${text}")${rest.join('')}`,
    options: options(kind === 'ci-tests' ? 'ci_tests' : 'rum'),
  }));

/** Unquoted arguments, as monitors of jobs are written. */
const jobs = fc
  .tuple(fc.constantFrom('job_name', 'job_name,workspace_name'), fc.integer({ min: 1, max: 30 }), end(['>']))
  .map(([keys, count, last]) => ({
    type: 'data-jobs alert',
    query: `formula("failed_runs(a)").by(${keys}).last(${count}d)${last}`,
    options: { variables: [{ name: 'a', job_type: 'batch.job', jobs_query: 'job_name:*', query_dialect: 'metric' }] },
  }));

/** Formulas over variables, each with options that have them (docs/contract/monitor-queries.md#formula). */
export const sentences = fc.oneof(costs, events, jobs);
