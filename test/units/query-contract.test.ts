import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { doubtful, invalid, valid } from '../support/examples.ts';
import { said } from '../support/queries.ts';

/** The valid examples of metric monitors under the other name of their type. */
const aliased = valid
  .filter((example) => example.type === 'query alert')
  .map((example) => ({ ...example, type: 'metric alert' }));

describe('each example of the contract has its verdict there', () => {
  test.each([...valid, ...aliased])('$type accepts $query', ({ type, query, options }) => {
    expect(said(type, query, options)).toBe('');
    expect(said(type, query)).toBe('');
  });

  test.each(invalid)('$type refuses $query, in lines that fit a terminal', ({ type, query, options }) => {
    const { verdict, findings } = check(type, query, options);
    expect(verdict).toBe('wrong');
    for (const { message, hint = '' } of findings) {
      expect(message.length).toBeLessThanOrEqual(72);
      expect(hint.length).toBeLessThanOrEqual(78);
    }
  });
});

test.each(doubtful)('$type doubts $query', ({ type, query, options }) => {
  expect(check(type, query, options).verdict).toBe('doubtful');
});

test('the diagnostics of the refused examples', () => {
  expect(
    invalid
      .map(({ type, query, options }) => `\n${type}: ${query}\n${said(type, query, options).replace(/^/gm, '  ')}`)
      .join(''),
  ).toMatchInlineSnapshot(`
    "
    query alert: THIS IS A BAD QUERY
      wrong THIS: a metric monitor begins with a time aggregator over a window (such as avg(last_5m):avg:system.load{*} > 5)
    query alert: avg(last_20000m):avg:cpu{*} > 1
      wrong last_20000m: window last_20000m is over the 1w limit for metric monitors (write last_1w or less)
    query alert: median(last_5m):avg:cpu{*} > 1
      wrong median: median is not a time aggregator (write avg, sum, min or max)
    query alert: avg(last_5m):avg:cpu{*} => 1
      wrong =>: => is not an operator (write >=)
    query alert: avg(last_5m):avg:cpu{*} > 200
      wrong 200: the query says 200, thresholds.critical says 90 (make them the same number)
    query alert: change(avg(last_3d),1d_ago):avg:a{*} > 1
      wrong last_3d: window last_3d is over the 2d limit for change monitors (write last_2d or less)
    query alert: pct_change(avg(last_5m),7m_ago):avg:a{*} > 1
      wrong 7m_ago: 7m_ago is not a timeshift of a change (write 5m, 10m, 15m, 30m, 1h, 2h, 4h or 1d, and _ago after it)
    query alert: change(last_5m):avg:a{*} > 1
      wrong change: change needs a time aggregator and a timeshift (write change(avg(last_5m),1h_ago))
    query alert: avg(last_4h):anomalies(avg:cpu{*} by {host}, 'basic', 2, direction='both', alert_window='last_15m') >= 5
      wrong 5: the threshold 5 is no share of points, from 0 to 1 (write >= 1 for all of the points, >= 0.5 for half of them)
    query alert: avg(last_4h):anomalies(avg:cpu{*} by {host}, 'basic', 2, alert_window='last_15m') >= 1
      wrong 'last_15m': alert_window is last_15m, but trigger_window is last_30m (make it the same as threshold_windows.trigger_window)
    query alert: avg(last_4h):anomalies(avg:cpu{*}, 'magic', 2) >= 1
      wrong 'magic': magic is no algorithm of anomalies (write 'basic', 'agile' or 'robust')
    query alert: avg(last_4h):anomalies(avg:cpu{*} by {host}, 'basic', 2) >= .9
      wrong >= .9: critical_recovery 0.95 is not below critical 0.9 (write one below 0.9)
      doubtful avg(last_4h):anomalies(avg:cpu{*} by {host}, 'basic', 2) >= .9: the options have no threshold_windows.trigger_window for anomalies
    query alert: avg(last_30m):outliers(avg:cpu{*}, 'dbscan', 7) > 0
      wrong avg:cpu{*}: outliers need groups, and there is no by (such as by {host})
    query alert: avg(last_30m):outliers(avg:cpu{*} by {host}, 'dbscan', 7) > 5
      wrong 5: the threshold 5 does not fit outliers (write > 0)
    query alert: avg(last_30m):outliers(avg:cpu{*} by {host}, 'knn', 7) > 0
      wrong 'knn': knn is no algorithm of outliers (write 'DBSCAN', 'scaledDBSCAN', 'MAD' or 'scaledMAD')
    query alert: max(next_1w):forecast(avg:a{*}, 'linear', 1) <= 10
      wrong <=: <= does not fit the forecast of a maximum (write >= or >, or begin with min)
    query alert: avg(next_1w):forecast(avg:a{*}, 'linear', 1) >= 1
      wrong avg: avg does not fit a forecast (write max with >=, or min with <=)
    query alert: max(next_1w):forecast(avg:a{*}, 'poly', 1) >= 1
      wrong 'poly': poly is no algorithm of forecast (write 'linear' or 'seasonal')
    service check: "host.up".over("*").by("host").last(2).count_by_status()
      wrong 2: last(2) is less than thresholds.critical, 3 (write last(3) or more)
    service check: "host.up".over("*").by("host").last(150).count_by_status()
      wrong 150: last(150) is over the limit of 100 results (write last(100) or less)
    service check: custom.check.over("*").by("host").last(2).count_by_status()
      wrong custom.check: the name custom.check stands without quotes (write "custom.check")
    event-v2 alert: query
      wrong query: an event monitor begins with events("…") (such as events("*").rollup("count").last("5m") > 5)
    event-v2 alert: events("a").rollup("count").last("3000m") > 1
      wrong "3000m": window 3000m is over the 48h limit for event monitors (write 1m to 2880m, or 1h to 48h)
    event-v2 alert: events("a").rollup("count") > 1
      wrong .rollup("count"): an event monitor needs a window (add .last("5m") after it)
    log alert: query
      wrong query: a log monitor begins with logs("…") (such as logs("*").rollup("count").last("5m") > 5)
    log alert: logs('*').index('*').rollup('count').last('5m') > 1
      wrong '*': a search in single quotes is refused (write double quotes)
    log alert: logs("*").index("*").rollup("avg").last("5m") > 1
      wrong "avg": avg needs a measure (write .rollup("avg","@duration"))
    log alert: logs("*").index("*").rollup("count").last("49h") > 1
      wrong "49h": window 49h is over the 48h limit for log monitors (write 1m to 2880m, or 1h to 48h)
    trace-analytics alert: trace-analytics("a").index("main").rollup("count").last("5m") > 1
      wrong "main": main is not an index of a trace-analytics monitor (take .index out)
    trace-analytics alert: trace-analytics("a").rollup("count").last("5d") > 1
      wrong "5d": window 5d is over the 48h limit for trace-analytics monitors (write 1m to 2880m, or 1h to 48h)
    trace-analytics alert: trace-analytics("a").rollup("median","@d").last("5m") > 1
      wrong "median": median is not a rollup of a trace-analytics monitor (write count, avg or cardinality)
    rum alert: rum("*).rollup("count").last("5m") > 1
      wrong "*: the quote before * is not closed (write "*")
    rum alert: rum("*").rollup("count").last("5m")
      wrong ): the query has no operator and no threshold (such as rum("*").rollup("count").last("5m") > 5)
    rum alert: rum("*").rollup("count").last("") > 1
      wrong "": the window is empty (write .last("5m"))
    rum alert: formula("query3").last("5m") > 1
      wrong query3: there is no variable query3 (options.variables has query1)
    rum alert: formula(query1).last("5m") > 1
      wrong query1: the formula is not in quotes (write formula("query1"))
    rum alert: formula("query1") > 1
      wrong formula("query1"): the formula has no window (add .last("5m") after it)
    rum alert: formula("query1 //").last("5m") > 1
      wrong ": a variable is missing before " (expected a number, a variable or "(")
    audit alert: audit("*").rollup("count").last("5m") > 1
      wrong audit: audit is not a source (write audits)
    audit alert: audits("*").index("x").rollup("count").last("5m") > 1
      wrong index: an audit monitor has no index (take .index out)
    audit alert: audits("*").rollup("count").last("2881m") > 1
      wrong "2881m": window 2881m is over the 48h limit for audit monitors (write 1m to 2880m, or 1h to 48h)
    ci-pipelines alert: ci_pipelines("*").rollup("count").last("5m") > 1
      wrong ci_pipelines: ci_pipelines is not a source (write ci-pipelines)
    ci-pipelines alert: ci-pipelines("*").rollup("count").last("15m") >
      wrong >: the threshold is missing (write a number at the end, such as > 90)
    ci-pipelines alert: ci-pipelines("*").rollup("count").last("3d") > 1
      wrong "3d": window 3d is over the 48h limit for ci-pipelines monitors (write 1m to 2880m, or 1h to 48h)
    ci-tests alert: ci-tests("*").rollup("count").last("5m") >> 1
      wrong >>: >> is not an operator (write >)
    ci-tests alert: ci-tests("*").rollup("count").by("").last("5m") > 1
      wrong "": the grouping is empty (name a facet, or take .by out)
    ci-tests alert: ci-tests("*").rollup("count").last("72h") > 1
      wrong "72h": window 72h is over the 48h limit for ci-tests monitors (write 1m to 2880m, or 1h to 48h)
    database-monitoring alert: database-monitoring("*").index("a").rollup("count").last("5m") > 1
      wrong index: a database-monitoring monitor has no index (take .index out)
    database-monitoring alert: database-monitoring("*").rollup("count").last("0m") > 1
      wrong "0m": window 0m is under the 1m limit for database-monitoring monitors (write 1m to 2880m, or 1h to 48h)
    database-monitoring alert: database-monitoring("*").last("5m") > 1
      wrong database-monitoring: a database-monitoring monitor needs a rollup (write .rollup("count"))
    network-performance alert: network-performance("*").index("a").rollup("count").last("5m") > 1
      wrong index: a network-performance monitor has no index (take .index out)
    network-performance alert: network-performance("*").rollup("count").last("49h") > 1
      wrong "49h": window 49h is over the 48h limit for network-performance monitors (write 1m to 2880m, or 1h to 48h)
    network-performance alert: network-performance("*").rollup("count").last("5m") > high
      wrong high: the threshold high is not a number (write a number, such as 90)
    network-path alert: network-path("*").index("main").rollup("count").last("5m") > 1
      wrong "main": main is not an index of a network-path monitor (write .index("netpath-path") or .index("netpath-hop"))
    network-path alert: network-path("*").rollup("count").last("5m") > 1
      wrong network-path: a network-path monitor needs an index (write .index("netpath-path") or .index("netpath-hop"))
    network-path alert: network-path("*").index("netpath-path").rollup("count").last("90h") > 1
      wrong "90h": window 90h is over the 48h limit for network-path monitors (write 1m to 2880m, or 1h to 48h)
    llm-observability alert: llm-observability('*').rollup('count').last('2h') > 0
      wrong '*': a search in single quotes is refused (write double quotes)
    llm-observability alert: llm-observability("*").rollup("count").last("3000m") > 0
      wrong "3000m": window 3000m is over the 48h limit for llm-observability monitors (write 1m to 2880m, or 1h to 48h)
    llm-observability alert: llm-observability("*").rollup("count") > 0
      wrong .rollup("count"): an llm-observability monitor needs a window (add .last("5m") after it)
    error-tracking alert: error-tracking("*").source("backend").rollup("count").by("@issue.id").last("1h") > 1
      wrong .source("backend"): neither .new() nor .impact() follows (write .new() for new issues, .impact() for those that many meet)
    error-tracking alert: error-tracking("*").source("desktop").new().rollup("count").by("@issue.id").last("1h") > 1
      wrong "desktop": desktop is not a source of errors (write all, browser, mobile or backend)
    error-tracking alert: error-tracking("*").new().rollup("count").by("service").last("1h") > 1
      wrong .by("service"): the groups lack the issue (write .by("@issue.id"), and other keys after it)
    error-tracking alert: error-tracking("*").new().rollup("count").by("@issue.id").last("49h") > 1
      wrong "49h": window 49h is over the 48h limit for error-tracking monitors (write 1m to 2880m, or 1h to 48h)
    process alert: processes("java").rollup("count").last("10w") > 1
      wrong "10w": w is not a unit of a process window (write a number and s, m, h or d: 30s, 10m, 4h, 1d)
    process alert: processes("java").rollup("avg").last("10m") > 1
      wrong "avg": processes are only counted: avg is not a rollup (write .rollup("count"))
    process alert: processes("java").rollup("count").last("10m") >
      wrong >: the threshold is missing (write a number at the end, such as > 90)
    composite: 1001 &&
      wrong &: the id of a monitor is missing at the end (such as 101 && !102)
    composite: 1001 AND 1002
      wrong AND: AND is not an operator of a composite (write &&)
    composite: 1001 & 1002
      wrong &: & is not an operator of a composite (write &&)
    slo alert: error_budget("slo-a1").over("14d") > 75
      wrong "14d": 14d is not a time window of an SLO (write 7d, 30d or 90d)
    slo alert: error_budget("slo-a1").over("7d") < 75
      wrong <: < is not an operator of an error budget (write >= or >)
    cost alert: formula("query1").last("7d").change("relative") >= 20
      wrong >=: >= is not an operator of a cost change (write > or <)
    cost alert: formula("query1").last("7d").anomaly(direction="up") >= 1
      wrong "up": up is not a direction of an anomaly (write direction="both", "above" or "below")
    cost alert: formula("query1").last("6h") > 1
      wrong "6h": window 6h is not a number of days: costs come once a day (such as "7d" or "30d")
    cost alert: formula("query1 + query2").last("7d") > 1
      wrong query2: there is no variable query2 (options.variables has query1)
    cost alert: formula("query1").last("7d") > 1
      wrong query1: the options have no variables (options.variables says what each name stands for)"
  `);
});
