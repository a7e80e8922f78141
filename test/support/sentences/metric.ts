import fc from 'fast-check';

/** A valid query with the wire type of its monitor. */
interface Sentence {
  readonly type: string;
  readonly query: string;
}

const word = fc.constantFrom(...['avg', 'sum', 'min', 'max']);
const number = fc.oneof(fc.integer({ min: 0, max: 5000 }).map(String), fc.constantFrom('0.5', '.5', '1e6', '2.5E-3'));
const comparison = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), fc.constantFrom('', '-'), number)
  .map(([operator, sign, threshold]) => ` ${operator} ${sign}${threshold}`);
const maybe = (arbitrary: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), arbitrary);

const name = fc
  .array(fc.constantFrom('cpu', 'queue', 'http', 'p50', 'load_avg', '5xx', 'by'), { minLength: 1, maxLength: 4 })
  .map((list) => `m${list.join('.')}`);
const key = fc.constantFrom('host', 'env', 'svc', 'kube.pod', 'http_route', 'cluster-name');
const value = fc.constantFrom('prod', 'web-1', 'a/b/c', '5*', '*-blue', '10.0.0.1', 'arn:x:y', 'Über');
const tag = fc.oneof(
  fc.tuple(key, value).map((value) => value.join(':')),
  fc.constantFrom('web', 'app', '$env', '{{host.name}}'),
);
const tags = fc.uniqueArray(tag, { minLength: 1, maxLength: 4 }).map((list) => list.join(','));

/** Filters with words: `env:prod AND (host:a OR NOT svc:b)`, `env IN (a,b)`. */
const { filter } = fc.letrec<{ filter: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    tag,
    tag.map((text) => `!${text}`),
    tag.map((text) => `NOT ${text}`),
    fc.tuple(key, fc.constantFrom('IN', 'NOT IN'), tags).map(([of, joint, all]) => `${of} ${joint} (${all})`),
    tie('filter').map((text) => `(${text})`),
  ),
  filter: fc
    .tuple(tie('part'), fc.array(fc.tuple(fc.constantFrom(' AND ', ' OR ', ','), tie('part')), { maxLength: 2 }))
    .map(([head, tail]) => [head, ...tail.flat()].join('')),
}));

const grouping = fc.uniqueArray(key, { minLength: 1, maxLength: 3 }).map((list) => ` by {${list.join(',')}}`);
const plainMethod = fc.constantFrom('.as_count()', '.as_rate()', '.rollup(sum)', '.rollup(avg, 60)');
const method = fc.oneof(
  plainMethod,
  fc.constantFrom('.fill(zero)', '.fill(last, 600)', '.weighted()', ".rollup('max')"),
);

const series = (scope: fc.Arbitrary<string>, methods: fc.Arbitrary<string>) =>
  fc
    .tuple(maybe(word.map((text) => `${text}:`)), name, scope, maybe(grouping), maybe(methods))
    .map(([aggregator, metric, within, ...steps]) => `${aggregator}${metric}{${within}}${steps.join('')}`);

const plain = series(fc.oneof(fc.constant('*'), tags), plainMethod);
const grouped = fc
  .tuple(word, name, tags, grouping)
  .map(([text, metric, scope, by]) => `${text}:${metric}{${scope}}${by}`);
const rich = series(fc.oneof(fc.constant('*'), tags, filter), method);

/** Arithmetic and functions over metrics; the first operand is never a number alone. */
const { sum: expression } = fc.letrec<{ sum: string; product: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'metric' },
    rich,
    tie('sum').map((text) => `(${text})`),
    tie('sum').map((text) => `-(${text})`),
    fc.tuple(tie('sum'), method).map(([text, step]) => `(${text})${step}`),
    fc
      .tuple(fc.constantFrom('abs', 'default_zero', 'ewma_5', 'per_minute', 'week_before', 'exclude_null'), tie('sum'))
      .map(([of, text]) => `${of}(${text})`),
    tie('sum').map((text) => `timeshift(${text}, -3600)`),
    tie('sum').map((text) => `top(${text}, 10, 'mean', "desc")`),
    tie('sum').map((text) => `sum(${text}, {host,env})`),
  ),
  product: fc
    .tuple(
      tie('operand'),
      fc.array(fc.tuple(fc.constantFrom(' * ', ' / '), fc.oneof(number, tie('operand'))), { maxLength: 2 }),
    )
    .map(([head, tail]) => [head, ...tail.flat()].join('')),
  sum: fc
    .tuple(
      tie('product'),
      fc.array(fc.tuple(fc.constantFrom(' + ', ' - '), fc.oneof(number, tie('product'))), { maxLength: 2 }),
    )
    .map(([head, tail]) => [head, ...tail.flat()].join('')),
}));

/** `a + b`, as far as the contract describes it. */
const added = fc
  .tuple(plain, fc.array(fc.tuple(fc.constantFrom(' + ', ' - ', ' * ', ' / '), plain), { maxLength: 2 }))
  .map(([head, tail]) => [head, ...tail.flat()].join(''));

const window = fc.oneof(
  fc.integer({ min: 1, max: 10_080 }).map((value) => `last_${value}m`),
  fc.integer({ min: 1, max: 168 }).map((value) => `last_${value}h`),
  fc.constantFrom('last_1d', 'last_1w', 'current_1h', 'current_1d', 'current_1mo'),
);
const windowOfChange = fc.oneof(
  fc.integer({ min: 1, max: 2880 }).map((value) => `${value}m`),
  fc.integer({ min: 1, max: 48 }).map((value) => `${value}h`),
  fc.constantFrom('1d', '2d'),
);
const shift = fc
  .tuple(fc.constantFrom('5m', '10m', '15m', '30m', '1h', '2h', '4h', '1d'), fc.boolean())
  .map(([length, isLast]) => (isLast ? `last_${length}` : `${length}_ago`));

const type = fc.constantFrom('query alert', 'metric alert');
const sentence = (query: fc.Arbitrary<string>): fc.Arbitrary<Sentence> => fc.record({ type, query });

const metric = (body: fc.Arbitrary<string>) =>
  fc.tuple(word, window, body, comparison).map(([over, within, ...rest]) => `${over}(${within}):${rest.join('')}`);

const change = (body: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('change', 'pct_change'), word, windowOfChange, shift, body, comparison)
    .map(([kind, over, within, back, ...rest]) => `${kind}(${over}(last_${within}),${back}):${rest.join('')}`);

const named = fc
  .subarray([
    "direction='above'",
    "alert_window='last_15m'",
    'interval=60',
    "count_default_zero='true'",
    "seasonality='weekly'",
  ])
  .map((list) => list.map((one) => `, ${one}`).join(''));

const anomalies = (body: fc.Arbitrary<string>) =>
  fc
    .tuple(
      word,
      fc.constantFrom('4h', '1d', '240m', '1w'),
      body,
      fc.constantFrom('basic', 'agile', 'robust'),
      fc.integer({ min: 1, max: 6 }),
      named,
      fc.constantFrom(' >= 1', ' >= 0.5', ' > 0', ' >= 1.0'),
    )
    .map(
      ([over, within, text, algorithm, bounds, more, end]) =>
        `${over}(last_${within}):anomalies(${text}, '${algorithm}', ${bounds}${more})${end}`,
    );

const outliers = fc
  .tuple(word, window, grouped, fc.constantFrom("'DBSCAN', 7", "'dbscan', 2.5", "'MAD', 3, 20", "'scaledMAD', 3, 9"))
  .map(([over, within, text, how]) => `${over}(${within}):outliers(${text}, ${how}) > 0`);

const forecast = (body: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom(['max', '>='], ['max', '>'], ['min', '<='], ['min', '<']),
      fc.constantFrom('next_1w', 'next_3d', 'next_12h', 'next_1mo'),
      body,
      fc.constantFrom('linear', 'seasonal'),
      fc.subarray(["interval='60m'", "history='1w'", "model='default'", "seasonality='weekly'"]),
      number,
    )
    .map(
      ([[over, operator], within, text, algorithm, more, threshold]) =>
        `${over}(${within}):forecast(${[text, `'${algorithm}'`, '1', ...more].join(', ')}) ${operator} ${threshold}`,
    );

/** Only what the contract describes (docs/contract/monitor-queries.md#metric). */
export const documented: fc.Arbitrary<Sentence> = fc.oneof(
  sentence(metric(added)),
  sentence(change(added)),
  sentence(anomalies(plain)),
  sentence(outliers),
  sentence(forecast(plain)),
);

/** Metric queries with all valid constructs: functions, arithmetic, boolean filters, methods of every kind. */
export const sentences: fc.Arbitrary<Sentence> = fc.oneof(
  documented,
  sentence(metric(expression)),
  sentence(change(expression)),
  sentence(anomalies(expression)),
  sentence(forecast(expression)),
);
