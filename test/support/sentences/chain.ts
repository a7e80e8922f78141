import fc from 'fast-check';
import type { Example } from '../queries.ts';

const threshold = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map(String),
  fc.constantFrom('0.5', '.5', '5.', '1e6', '2.5E-3'),
);
const comparison = (operators: readonly string[]) =>
  fc.tuple(fc.constantFrom(...operators), threshold).map(([operator, number]) => ` ${operator} ${number}`);
const anyComparison = comparison(['<', '<=', '>', '>=', '==', '!=']);

/** Letters of several scripts, without operators of a search. */
const words = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/["'()\\\u0000]/g, ''));
const term = fc.oneof(
  words,
  fc.constantFrom(
    '*',
    'service:api',
    '-env:test',
    'AND',
    'NOT',
    '@http.status_code:>=500',
    'host:web-*',
    'a\\/b',
    '\\(',
  ),
  fc.constantFrom(String.raw`\"two words\"`, String.raw`path:\"/a (b\"`, '(a OR b)', '(a OR (b c))', "it's"),
);
const search = fc.array(term, { maxLength: 6 }).map((list) => list.join(' '));

const key = fc.constantFrom('host', 'service', 'env', '@usr.email', '@git.branch', 'resource_name', 'a.b-c/d');
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 4 });
/** `"a,b"` or `"a","b"`: both are written. */
const grouping = fc.tuple(keys, fc.constantFrom(',', '","')).map(([all, joint]) => `.by("${all.join(joint)}")`);
const keysInOne = keys.map((key) => `.by("${key.join(',')}")`);
const maybe = (arbitrary: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), arbitrary);

const rollup = fc.oneof(
  fc.constant('.rollup("count")'),
  fc
    .tuple(fc.constantFrom('avg', 'cardinality'), fc.constantFrom('@duration', '@usr.id', 'host'))
    .map(([method, measure]) => `.rollup("${method}","${measure}")`),
);
const window = fc.oneof(
  fc.integer({ min: 1, max: 2880 }).map((value) => `${value}m`),
  fc.integer({ min: 1, max: 48 }).map((value) => `${value}h`),
  fc.constantFrom('1d', '2d'),
);
const last = window.map((text) => `.last("${text}")`);
/** Windows of the calendar, each with the options that it needs. */
const current = fc
  .constantFrom(
    ['1h', { hour_starts: 15 }] as const,
    ['1d', { day_starts: '04:00', month_starts: 1 }] as const,
    ['1mo', { day_starts: '04:00', month_starts: 1 }] as const,
  )
  .map(([period, evaluation_window]) => ({
    step: `.current("${period}")`,
    options: { scheduling_options: { evaluation_window } },
  }));
const frame: fc.Arbitrary<{ step: string; options?: Example['options'] }> = fc.oneof(
  { weight: 3, arbitrary: last.map((step) => ({ step })) },
  { weight: 1, arbitrary: current },
);

const index = fc
  .uniqueArray(fc.constantFrom('*', 'main', 'audit', 'archive-7'), { minLength: 1, maxLength: 3 })
  .map((list) => `.index("${list.join('","')}")`);
const none: fc.Arbitrary<string> = fc.constant('');
const netpath = fc.constantFrom('.index("netpath-path")', '.index("netpath-hop")');

const event = (type: string, source: string, indexes = none, groups = grouping): fc.Arbitrary<Example> =>
  fc
    .tuple(fc.tuple(search, indexes, rollup, maybe(groups)), frame, anyComparison)
    .map(([[text, ...rest], { step, ...more }, end]) => ({
      type,
      query: `${source}("${text}")${rest.join('')}${step}${end}`,
      ...more,
    }));

/** Sentences of the event family. */
export const events: fc.Arbitrary<Example> = fc.oneof(
  event('event-v2 alert', 'events'),
  event('event alert', 'events'),
  event('log alert', 'logs', maybe(index), keysInOne),
  event('trace-analytics alert', 'trace-analytics'),
  event('rum alert', 'rum', maybe(index)),
  event('audit alert', 'audits'),
  event('ci-pipelines alert', 'ci-pipelines'),
  event('ci-tests alert', 'ci-tests'),
  event('database-monitoring alert', 'database-monitoring'),
  event('network-performance alert', 'network-performance'),
  event('network-path alert', 'network-path', netpath),
  event('llm-observability alert', 'llm-observability'),
);

const from = fc.constantFrom('all', 'browser', 'mobile', 'backend').map((value) => `.source("${value}")`);
const issues = fc
  .tuple(fc.constantFrom('@issue.id', 'issue.id'), fc.uniqueArray(key, { maxLength: 3 }))
  .map(([issue, more]) => `.by("${[issue, ...more].join(',')}")`);

/** Sentences of error tracking. */
export const errors: fc.Arbitrary<Example> = fc.oneof(
  fc
    .tuple(search, maybe(from), fc.constantFrom('.new()', '.impact()'), maybe(rollup), issues, last, anyComparison)
    .map(([text, ...rest]) => ({ type: 'error-tracking alert', query: `error-tracking("${text}")${rest.join('')}` })),
  fc.tuple(search, rollup, issues, last, anyComparison).map(([text, ...rest]) => ({
    type: 'error-tracking alert',
    query: `error-tracking-rum("${text}")${rest.join('')}`,
  })),
);

const quote = fc.constantFrom('"', "'");
/** A query with its double quotes replaced by another kind. */
const requoted = ([text, mark]: readonly [string, string]): string => text.replaceAll('"', mark);

const over = fc
  .uniqueArray(fc.constantFrom('*', 'env:prod', 'role:web', 'host:h-1'), { minLength: 1, maxLength: 3 })
  .map((list) => `.over("${list.join('","')}")`);
const timeframe = fc
  .tuple(fc.integer({ min: 1, max: 90 }), fc.constantFrom('s', 'm', 'h', 'd'))
  .map(([count, unit]) => `.last("${count}${unit}")`);

/** Sentences about live processes. */
export const processes: fc.Arbitrary<Example> = fc
  .tuple(
    fc
      .tuple(
        fc.constantFrom('', 'java', 'java AND -test', 'nginx: worker'),
        maybe(over),
        maybe(grouping),
        timeframe,
        anyComparison,
      )
      .map(([text, tags, groups, frame, end]) => `processes("${text}")${tags}${groups}.rollup("count")${frame}${end}`),
    quote,
  )
  .map((value) => ({ type: 'process alert', query: requoted(value) }));

const id = fc.stringMatching(/^[a-f0-9]{6,32}$/);
const time = fc.constantFrom('7d', '30d', '90d').map((value) => `.over("${value}")`);
const spent = fc
  .tuple(fc.constantFrom('>', '>='), fc.integer({ min: 0, max: 100 }))
  .map((value) => ` ${value.join(' ')}`);

/** Sentences about SLOs. */
export const objectives: fc.Arbitrary<Example> = fc
  .tuple(
    fc.oneof(
      fc.tuple(id, time, spent).map(([slo, ...rest]) => `error_budget("${slo}")${rest.join('')}`),
      fc.tuple(id, time, fc.integer({ min: 1, max: 48 }), spent).map(([slo, all, long, end]) => {
        const windows = `.long_window("${long}h").short_window("${long * 5}m")`;
        return `burn_rate("${slo}")${all}${windows}${end}`;
      }),
    ),
    quote,
  )
  .map((value) => ({ type: 'slo alert', query: requoted(value) }));

/** Every type of query that is a source with steps. */
export const sentences: fc.Arbitrary<Example> = fc.oneof(events, errors, processes, objectives);
