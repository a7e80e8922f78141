import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { takenOf } from '../support/queries.ts';

const known = {
  tags: ['env:prod', 'service:api', 'team:core'],
  keys: ['host', 'env'],
  objectives: ['slo-a1'],
};

const taken = (type: string, marked: string): string[] => takenOf(type, marked, known);

const table = (type: string, queries: readonly string[]): string =>
  `\n${queries.map((query) => [query, ...taken(type, query).map((one) => `  ${one}`)].join('\n')).join('\n')}\n`;

test('the first suggestions lead from an empty text to a query', () => {
  expect(
    table('log alert', [
      '|',
      'lo|',
      'logs("|")',
      'logs("ser|")',
      'logs("service:api|',
      'logs("service:api e|',
      'logs("service:api")|',
      'logs("a").rol|',
      'logs("a").rollup(|',
      'logs("a").rollup("av|',
      'logs("a").rollup("avg"|',
      'logs("a").rollup("avg","@d|")',
      'logs("a").rollup("count").by("|")',
      'logs("a").rollup("count").by("host|',
      'logs("a").rollup("count").by("host,|',
      'logs("a").rollup("count").last("|")',
      'logs("a").rollup("count").last("1|',
      'logs("a").rollup("count").last("5m") |',
    ]),
  ).toMatchInlineSnapshot(`
    "
    |
      logs("|")
      formula("|")
    lo|
      logs("|")
    logs("|")
      logs("env:prod|")
      logs("service:api|")
      logs("team:core|")
      logs("")|
    logs("ser|")
      logs("service:api|")
    logs("service:api|
      logs("service:api")|
    logs("service:api e|
      logs("service:api env:prod|
      logs("service:api service:api|
      logs("service:api team:core|
    logs("service:api")|
      logs("service:api").index("*")|
      logs("service:api").rollup("count")|
      logs("service:api").by("|")
      logs("service:api").last("|")
    logs("a").rol|
      logs("a").rollup("count")|
    logs("a").rollup(|
      logs("a").rollup("count"|
      logs("a").rollup("avg","|"
      logs("a").rollup("cardinality","|"
    logs("a").rollup("av|
      logs("a").rollup("avg","|
    logs("a").rollup("avg"|
      logs("a").rollup("avg",|
    logs("a").rollup("avg","@d|")
      logs("a").rollup("avg","@duration")|
    logs("a").rollup("count").by("|")
      logs("a").rollup("count").by("host|")
      logs("a").rollup("count").by("env|")
      logs("a").rollup("count").by("service|")
      logs("a").rollup("count").by("status|")
      logs("a").rollup("count").by("source|")
    logs("a").rollup("count").by("host|
      logs("a").rollup("count").by("host")|
    logs("a").rollup("count").by("host,|
      logs("a").rollup("count").by("host,host|
      logs("a").rollup("count").by("host,env|
      logs("a").rollup("count").by("host,service|
      logs("a").rollup("count").by("host,status|
      logs("a").rollup("count").by("host,source|
      logs("a").rollup("count").by("host,")|
    logs("a").rollup("count").last("|")
      logs("a").rollup("count").last("5m")|
      logs("a").rollup("count").last("10m")|
      logs("a").rollup("count").last("15m")|
      logs("a").rollup("count").last("30m")|
      logs("a").rollup("count").last("1h")|
      logs("a").rollup("count").last("4h")|
      logs("a").rollup("count").last("1d")|
      logs("a").rollup("count").last("2d")|
    logs("a").rollup("count").last("1|
      logs("a").rollup("count").last("10m")|
      logs("a").rollup("count").last("15m")|
      logs("a").rollup("count").last("1h")|
      logs("a").rollup("count").last("1d")|
    logs("a").rollup("count").last("5m") |
      logs("a").rollup("count").last("5m") > |
      logs("a").rollup("count").last("5m") >= |
      logs("a").rollup("count").last("5m") < |
      logs("a").rollup("count").last("5m") <= |
      logs("a").rollup("count").last("5m") == |
      logs("a").rollup("count").last("5m") != |
    "
  `);
});

test('suggestions of the other types', () => {
  expect(table('network-path alert', ['network-path("a")|', 'network-path("a").index("|"'])).toMatchInlineSnapshot(`
    "
    network-path("a")|
      network-path("a").index("|")
      network-path("a").rollup("count")|
      network-path("a").by("|")
      network-path("a").last("|")
    network-path("a").index("|"
      network-path("a").index("netpath-path")|"
      network-path("a").index("netpath-hop")|"
    "
  `);
  expect(
    table('error-tracking alert', [
      'error-tracking("a").|',
      'error-tracking("a").source("|")',
      'error-tracking("a").new().|',
    ]),
  ).toMatchInlineSnapshot(`
    "
    error-tracking("a").|
      error-tracking("a").source("|")
      error-tracking("a").new()|
      error-tracking("a").impact()|
      error-tracking("a").rollup("count")|
      error-tracking("a").by("|")
      error-tracking("a").last("|")
    error-tracking("a").source("|")
      error-tracking("a").source("all")|
      error-tracking("a").source("browser")|
      error-tracking("a").source("mobile")|
      error-tracking("a").source("backend")|
    error-tracking("a").new().|
      error-tracking("a").new().rollup("count")|
      error-tracking("a").new().by("|")
      error-tracking("a").new().last("|")
    "
  `);
  expect(
    table('process alert', [
      '|',
      "processes('a').over('|",
      "processes('a').over('env:prod').|",
      'processes("a").by("|',
    ]),
  ).toMatchInlineSnapshot(`
    "
    |
      processes("|")
    processes('a').over('|
      processes('a').over('*|
      processes('a').over('env:prod|
      processes('a').over('service:api|
      processes('a').over('team:core|
    processes('a').over('env:prod').|
      processes('a').over('env:prod').by("|")
      processes('a').over('env:prod').rollup("count")|
      processes('a').over('env:prod').last("|")
    processes("a").by("|
      processes("a").by("host|
      processes("a").by("env|
    "
  `);
  expect(
    table('slo alert', [
      '|',
      'error_budget("|")',
      'error_budget("slo-a1").|',
      'burn_rate("a").over("30d").|',
      'error_budget("a").over("7d") |',
    ]),
  ).toMatchInlineSnapshot(`
    "
    |
      error_budget("|")
      burn_rate("|")
    error_budget("|")
      error_budget("slo-a1")|
    error_budget("slo-a1").|
      error_budget("slo-a1").over("|")
    burn_rate("a").over("30d").|
      burn_rate("a").over("30d").long_window("|")
      burn_rate("a").over("30d").short_window("|")
    error_budget("a").over("7d") |
      error_budget("a").over("7d") > |
      error_budget("a").over("7d") >= |
    "
  `);
});

test('accepting the first suggestion that continues ends in a valid query', () => {
  const types = [
    'log alert',
    'event-v2 alert',
    'network-path alert',
    'error-tracking alert',
    'process alert',
    'slo alert',
  ];
  const ended = types.map((type) => {
    let text = '|';
    for (let step = 0; step < 40 && !/[<>=] \|$/.test(text); step += 1) {
      const offers = taken(type, text);
      // Quoted text could continue without end: one word suffices.
      text = offers.find((offer) => offer === text.replace('|")', '")|')) ?? offers[0] ?? 'nothing is offered |';
    }
    const query = text.replace('|', '1');
    return `${query}: ${check(type, query).verdict}`;
  });
  expect(ended).toMatchInlineSnapshot(`
    [
      "logs("").index("*").rollup("count").by("host").last("5m") > 1: fine",
      "events("").rollup("count").by("host").last("5m") > 1: fine",
      "network-path("").index("netpath-path").rollup("count").by("host").last("5m") > 1: fine",
      "error-tracking("").source("all").new().rollup("count").by("@issue.id").last("5m") > 1: fine",
      "processes("").over("*").by("host").rollup("count").last("30s") > 1: fine",
      "error_budget("slo-a1").over("7d") > 1: fine",
    ]
  `);
});
