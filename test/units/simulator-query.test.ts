import { expect, test } from 'vitest';
import { readQuery } from '../../src/simulator/query.ts';

/** Contract/monitors.md 5.3 to 5.11: type, then valid and invalid shapes. */
const table: Readonly<Record<string, { valid: readonly string[]; invalid: readonly string[]; options?: unknown }>> = {
  'query alert': {
    valid: [
      'avg(last_1h):sum:net.bytes{host:h1} > 100',
      'min(last_5m):avg:pool.free{*} by {site} < 1',
      'avg(last_5m):load.avg{host:h1} > 6',
      'avg(current_1mo):avg:quota.used{*} > 0.5',
      'avg(last_5m):avg:a{web,env:prod} > 5\n',
      'avg(last_1w):avg:a{*}>=1',
      'change(min(last_1m),last_5m):sum:http.5xx{app,team:x} + sum:http.4xx{app,team:x} > 5',
      'pct_change(avg(last_5m),5m_ago):avg:req.rate{*} by {svc} > 50',
      'change(max(last_30m),1h_ago):max:queue.depth{env:prod} >= 10',
      "avg(last_4h):anomalies(avg:cpu{*} by {host}, 'basic', 2, direction='both', alert_window='last_15m', interval=60, count_default_zero='true') >= 1",
      "avg(last_1h):anomalies(avg:cpu{role:db}, 'basic', 2, direction='above') >= 1",
      "avg(last_1d):anomalies(sum:hits{placement:x}.as_count(),'agile',2,direction='below',alert_window='last_1h',interval=300,count_default_zero='true',seasonality='hourly')>=1",
      "avg(last_30m):outliers(avg:cpu{role:api} by {host}, 'dbscan', 7) > 0",
      "avg(last_1h):outliers(sum:req{*} by {zone}, 'MAD', 3, 20) > 0",
      "max(next_1w):forecast(avg:disk.used_pct{*} by {host}, 'linear', 1, interval='60m', history='1w', model='default') >= 95",
      "min(next_1d):forecast(sum:license.free{*}, 'linear', 2) <= 10",
      "max(next_3d):forecast(avg:queue.depth{q:a}, 'seasonal', 1, seasonality='weekly') >= 1000",
    ],
    invalid: [
      'THIS IS A BAD QUERY',
      'avg(last_20000m):avg:cpu{*} > 1',
      'median(last_5m):avg:cpu{*} > 1',
      'avg(last_5m):avg:cpu{*} => 1',
      'change(avg(last_3d),1d_ago):avg:a{*} > 1',
      'pct_change(avg(last_5m),7m_ago):avg:a{*} > 1',
      'change(last_5m):avg:a{*} > 1',
      "avg(last_1h):anomalies(avg:cpu{*}, 'basic', 2) >= 5",
      "avg(last_1h):anomalies(avg:cpu{*}, 'magic', 2) >= 1",
      "avg(last_30m):outliers(avg:cpu{*}, 'dbscan', 7) > 0",
      "avg(last_30m):outliers(avg:cpu{*} by {host}, 'dbscan', 7) > 5",
      "avg(last_30m):outliers(avg:cpu{*} by {host}, 'knn', 7) > 0",
      "max(next_1w):forecast(avg:a{*}, 'linear', 1) <= 10",
      "avg(next_1w):forecast(avg:a{*}, 'linear', 1) >= 1",
      "max(next_1w):forecast(avg:a{*}, 'poly', 1) >= 1",
    ],
  },
  'service check': {
    valid: [
      '"db.can_connect".over("db").by("*").last(2).count_by_status()',
      '"custom.check".by("environment:foo").last(2).count_by_status()',
      '"ntp.in_sync".over("*").last(2).count_by_status()',
      '"host.up".over("*").by("host").last(2).count_by_status()',
      '"process.up".over("process:web").by("host","process").last(4).count_by_status()',
      '"http.can_connect".over("env:prod","role:web").last(6).by("host","url").count_by_status()',
    ],
    invalid: [
      '"custom.check".over("*").last(2).count_by_status()',
      '"host.up".over("*").by("host").last(150).count_by_status()',
      'custom.check.over("*").by("host").last(2).count_by_status()',
      '"host.up".over("").by("host").last(2).count_by_status()',
    ],
  },
  'event-v2 alert': {
    valid: [
      'events("source:deploy").rollup("count").last("5m") > 1000',
      'events("priority:low").rollup("count").by("host").last("1h") >= 5',
      'events("source:watchdog story_category:apm").rollup("cardinality","service").last("30m") > 3',
    ],
    invalid: ['query', 'events("a").rollup("count").last("3000m") > 1', 'events("a").rollup("count") > 1'],
  },
  'log alert': {
    valid: [
      'logs("service:foo AND type:error").index("main").rollup("count").by("source,status").last("5m") > 2',
      'logs("*").index("*").rollup("count").last("5m") < 100',
      'logs("@http.status_code:>=500").index("*").rollup("avg","@duration").by("service").last("15m") > 200',
    ],
    invalid: [
      'query',
      "logs('*').index('*').rollup('count').last('5m') > 1",
      'logs("*").index("*").rollup("avg").last("5m") > 1',
      'logs("*").index("*").rollup("count").last("49h") > 1',
      'logs("(service:a").index("*").rollup("count").last("5m") > 1',
    ],
  },
  'trace-analytics alert': {
    valid: [
      'trace-analytics("service:api status:error").rollup("count").by("resource_name,env").last("5m") > 100',
      'trace-analytics("service:db").rollup("cardinality","@usr.id").last("15m") > 10',
    ],
    invalid: [
      'trace-analytics("a").index("main").rollup("count").last("5m") > 1',
      'trace-analytics("a").rollup("count").last("5d") > 1',
      'trace-analytics("a").rollup("median","@d").last("5m") > 1',
    ],
  },
  'rum alert': {
    valid: ['rum("@type:error").rollup("count").last("5m") > 10', 'rum("*").index("*").rollup("count").last("1d") < 1'],
    invalid: [
      'rum("*).rollup("count").last("5m") > 1',
      'rum("*").rollup("count").last("5m")',
      'rum("*").rollup("count").last("") > 1',
    ],
  },
  'audit alert': {
    valid: [
      'audits("status:error").rollup("cardinality","@usr.id").last("5m") > 250',
      'audits("*").rollup("count").last("48h") < 1',
    ],
    invalid: [
      'audit("*").rollup("count").last("5m") > 1',
      'audits("*").index("x").rollup("count").last("5m") > 1',
      'audits("*").rollup("count").last("2881m") > 1',
    ],
  },
  'ci-tests alert': {
    valid: [
      'ci-tests("@test.status:fail").rollup("cardinality","@test.name").last("1h") > 2',
      'ci-tests("*").rollup("count").last("24h") < 1',
    ],
    invalid: [
      'ci-tests("*").rollup("count").last("5m") >> 1',
      'ci-tests("*").rollup("count").by("").last("5m") > 1',
      'ci-tests("*").rollup("count").last("72h") > 1',
    ],
  },
  'database-monitoring alert': {
    valid: ['database-monitoring("*").rollup("avg","@duration").by("host").last("15m") > 5'],
    invalid: ['database-monitoring("*").rollup("count").last("0m") > 1', 'database-monitoring("*").last("5m") > 1'],
  },
  'network-performance alert': {
    valid: ['network-performance("*").rollup("cardinality","host").last("30m") > 3'],
    invalid: ['network-performance("*").rollup("count").last("5m") > high'],
  },
  'network-path alert': {
    valid: ['network-path("*").index("netpath-hop").rollup("count").last("5m") > 1'],
    invalid: [
      'network-path("*").index("main").rollup("count").last("5m") > 1',
      'network-path("*").rollup("count").last("5m") > 1',
    ],
  },
  'error-tracking alert': {
    valid: [
      'error-tracking("service:api").source("backend").new().rollup("count").by("@issue.id").last("1d") > 0',
      'error-tracking("env:prod").source("browser").impact().rollup("cardinality","@session.id").by("issue.id,service").last("1h") >= 50',
      'error-tracking-rum("service:foo AND @error.source:source").rollup("count").by("@issue.id").last("1h") >= 1',
    ],
    invalid: [
      'error-tracking("*").source("backend").rollup("count").by("@issue.id").last("1h") > 1',
      'error-tracking("*").source("desktop").new().rollup("count").by("@issue.id").last("1h") > 1',
      'error-tracking("*").new().rollup("count").by("service").last("1h") > 1',
    ],
  },
  'process alert': {
    valid: [
      "processes('java').over('env:prod').rollup('count').last('10m') < 1",
      'processes("nginx").over("host:h1","role:web").rollup("count").last("4h") >= 1',
      'processes("cron").rollup("count").last("30s") > 50',
    ],
    invalid: [
      'processes("a").rollup("count").last("10w") > 1',
      'processes("a").rollup("avg").last("10m") > 1',
      'processes("a").rollup("count").last("10m") >',
    ],
  },
  composite: {
    valid: ['( 101 && !102 ) || ( !101 && 102 )', '101 && 102', '101'],
    invalid: ['101 &&', '101 AND 102', '101 & 102', '(101', ''],
  },
  'slo alert': {
    valid: [
      'error_budget("slo-a1").over("30d") > 75',
      "error_budget('slo-a1').over('7d') >= 50",
      'burn_rate("slo-a1").over("30d").long_window("1h").short_window("5m") > 7.5',
    ],
    invalid: ['error_budget("slo-a1").over("14d") > 75', 'error_budget("slo-a1").over("7d") < 75'],
  },
  'cost alert': {
    options: { variables: [{ name: 'query1' }] },
    valid: [
      'formula("query1").last("30d").anomaly(direction="both") > 6',
      'formula("exclude_null(query1)").last("7d").anomaly(direction="above", threshold=10) >= 5',
      'formula("query1").last("7d") < 100',
      'formula("query1").last("7d").change("relative") > 20',
      'formula("query1").current("30d").forecast() > 5000',
    ],
    invalid: [
      'formula("query1").last("7d").change("relative") >= 20',
      'formula("query1").last("7d").anomaly(direction="up") > 1',
      'formula("query1").last("6h") > 1',
      'formula("query2").last("7d") > 1',
    ],
  },
  'ci-pipelines alert': {
    options: { variables: [{ name: 'query1' }, { name: 'query2' }] },
    valid: [
      'formula("query2 / query1 * 100").last("15m") >= 0.8',
      'ci-pipelines("ci_level:pipeline @git.branch:staging* @ci.status:error").rollup("count").by("@git.branch,@ci.pipeline.name").last("5m") >= 1',
    ],
    invalid: [
      'formula("query3").last("5m") > 1',
      'formula(query1).last("5m") > 1',
      'formula("query1") > 1',
      'formula("query1 //").last("5m") > 1',
      'ci_pipelines("*").rollup("count").last("5m") > 1',
      'ci-pipelines("*").rollup("count").last("15m") >',
    ],
  },
};

for (const [type, { valid, invalid, options }] of Object.entries(table)) {
  test.each(valid)(`${type} takes %s`, (query) => {
    expect(readQuery(type, query, options)).toMatchObject({ ok: true });
  });
  test.each(invalid)(`${type} refuses %s`, (query) => {
    expect(readQuery(type, query, options).ok).toBe(false);
  });
}

test('what a query says about itself', () => {
  const read = readQuery('query alert', 'avg(last_5m):avg:disk.used{env:prod,role:db} by {host,device} > 90', {});
  expect(read).toMatchObject({
    ok: true,
    query: {
      groups: ['host', 'device'],
      scope: ['env:prod', 'role:db'],
      metrics: ['disk.used'],
      threshold: 90,
      operator: '>',
    },
  });
  expect(readQuery('composite', '( 7 && !8 ) || 7', {})).toMatchObject({ query: { members: ['7', '8'] } });
});

test('the three wordings of a bad query', () => {
  const text = (type: string, query: string) => {
    const read = readQuery(type, query, {});
    return read.ok ? '' : read.text;
  };
  expect(text('query alert', 'THIS IS A BAD QUERY')).toBe("The value provided for parameter 'query' is invalid");
  expect(text('log alert', 'query')).toBe(
    "The value provided for parameter 'query' is invalid: invalid operator specified: ",
  );
  expect(text('log alert', 'logs("(a").index("*").rollup("count").last("5m") > 1')).toBe(
    "The value provided for parameter 'query' is invalid: Invalid query: Check for invalid tags or facets in your query.",
  );
});
