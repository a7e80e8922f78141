import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { metricLanguage } from '../../src/query/metric.ts';
import { findAlertWindow, findWindow, findWrapping, groupingKeys, metricQueries } from '../../src/query/metric-tree.ts';
import { table } from '../support/queries.ts';

const type = 'query alert';

test('other queries that are wrong', () => {
  const invalid = [
    '',
    'avg(last_8d):avg:cpu{*} > 1',
    'avg(last_169h):avg:cpu{*} > 1',
    'avg(last_0m):avg:cpu{*} > 1',
    'avg(5m):avg:cpu{*} > 1',
    'avg(last_5min):avg:cpu{*} > 1',
    'avg(next_1d):avg:cpu{*} > 1',
    'avg(last_5m,1h_ago):avg:cpu{*} > 1',
    'pct_change(avg(last_5m)):avg:cpu{*} > 1',
    'change(avg(last_5m),1h):avg:cpu{*} > 1',
    'rate(avg(last_5m),1h_ago):avg:cpu{*} > 1',
    'avg(last_5m):avg:cpu{*}',
    'avg(last_5m):avg:cpu{*} >',
    'avg(last_5m):avg:cpu{*} > high',
    'avg(last_5m):avg:cpu{*} >> 1',
    'avg(last_5m):avg:cpu{*} > 90%',
    'avg(last_5m):avg:cpu{*} > 5 for 10m',
    'avg(last_5m)avg:cpu{*} > 1',
    'avg(last_5m:avg:cpu{*} > 1',
    'avg(last_5m):avg:cpu{host:a > 1',
    'avg(last_5m):avg:cpu{*} by host > 1',
    'avg(last_5m):(avg:cpu{*} > 1',
    'avg(last_5m):avg:cpu{*} + > 1',
    'avg(last_5m): > 1',
    'avg(last_5m):90 > 1',
    "avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, direction='up') >= 1",
    "min(next_1d):forecast(avg:cpu{*}, 'linear', 1) > 1",
  ];
  for (const query of invalid) expect([query, check(type, query).verdict]).toEqual([query, 'wrong']);
  expect(table(type, invalid)).toMatchInlineSnapshot(`
    "

      wrong : the query is empty (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_8d):avg:cpu{*} > 1
      wrong last_8d: window last_8d is over the 1w limit for metric monitors (write last_1w or less)
    avg(last_169h):avg:cpu{*} > 1
      wrong last_169h: window last_169h is over the 1w limit for metric monitors (write last_1w or less)
    avg(last_0m):avg:cpu{*} > 1
      wrong last_0m: window last_0m is under the 1m limit for metric monitors (write last_1m or more)
    avg(5m):avg:cpu{*} > 1
      wrong 5m: 5m is not a window (write last_5m)
    avg(last_5min):avg:cpu{*} > 1
      wrong last_5min: last_5min is not a window (write last_ and a length, such as last_5m, last_4h, last_1d)
    avg(next_1d):avg:cpu{*} > 1
      wrong next_1d: next_1d looks ahead, which only a forecast does (write last_1d)
    avg(last_5m,1h_ago):avg:cpu{*} > 1
      wrong 1h_ago: avg takes no timeshift (only change and pct_change do)
    pct_change(avg(last_5m)):avg:cpu{*} > 1
      wrong pct_change: pct_change needs a timeshift (write pct_change(avg(…),1h_ago))
    change(avg(last_5m),1h):avg:cpu{*} > 1
      wrong 1h: 1h is not a timeshift (write 5m, 10m, 15m, 30m, 1h, 2h, 4h or 1d, and _ago after it)
    rate(avg(last_5m),1h_ago):avg:cpu{*} > 1
      wrong rate: rate cannot stand around a time aggregator (write change or pct_change)
    avg(last_5m):avg:cpu{*}
      wrong }: the query has no operator and no threshold (write them at the end, such as > 90)
    avg(last_5m):avg:cpu{*} >
      wrong >: the threshold is missing (write a number at the end, such as > 90)
    avg(last_5m):avg:cpu{*} > high
      wrong high: the threshold high is not a number (write a number, such as 90)
    avg(last_5m):avg:cpu{*} >> 1
      wrong >>: >> is not an operator (write >)
    avg(last_5m):avg:cpu{*} > 90%
      wrong %: % cannot stand here (end the query before it)
    avg(last_5m):avg:cpu{*} > 5 for 10m
      wrong for: for cannot stand here (end the query before it)
    avg(last_5m)avg:cpu{*} > 1
      wrong avg: avg cannot stand here (write ":" before it)
    avg(last_5m:avg:cpu{*} > 1
      wrong :: : cannot stand here (write ")" before it)
    avg(last_5m):avg:cpu{host:a > 1
      wrong >: "}" is missing before > (expected a tag, ",", "(", ")" or "}")
    avg(last_5m):avg:cpu{*} by host > 1
      wrong host: host cannot stand here (write "{" before it)
    avg(last_5m):(avg:cpu{*} > 1
      wrong >: ")" is missing before > (expected by, ".", arithmetic or ")")
    avg(last_5m):avg:cpu{*} + > 1
      wrong >: a metric is missing before > (expected a metric, a number or "(")
    avg(last_5m): > 1
      wrong >: a metric is missing before > (expected a metric, a number or "(")
    avg(last_5m):90 > 1
      wrong 90: the query measures nothing (write a metric, such as avg:system.load{*})
    avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, direction='up') >= 1
      wrong 'up': up is no direction of anomalies (write both, above or below)
    min(next_1d):forecast(avg:cpu{*}, 'linear', 1) > 1
      wrong >: > does not fit the forecast of a minimum (write <= or <, or begin with max)
    "
  `);
});

test('queries that only some deployments accept give a warning', () => {
  const odd = [
    'avg(last_2d):avg:cpu{*} > 1',
    'avg(last_90s):avg:cpu{*} > 1',
    'avg(last_2w):avg:cpu{*} > 1',
    'avg(last_30d):avg:cpu{*} > 1',
    'avg(current_2h):avg:cpu{*} > 1',
    'percentile(last_5m):p99:latency{*} > 1',
    'AVG(last_5m):avg:cpu{*} > 1',
    'avg(last_5m):count:latency{*} > 1',
    'avg(last_5m):count(v: v<10):latency{*} > 1',
    'pct_change(avg(last_5m),last_1w):avg:cpu{*} > 1',
    'change(avg(last_5m),60m_ago):avg:cpu{*} > 1',
    'avg(last_5m):avg:cpu > 1',
    'avg(last_5m):avg:cpu{} > 1',
    'avg(last_5m):avg:cpu{*} by {} > 1',
    'avg(last_5m):avg:cpu{*} by {host env} > 1',
    'avg(last_5m):avg:cpu{env=prod} > 1',
    'avg(last_5m):avg:cpu{>= 5} > 1',
    'avg(last_5m):avg:cpu{env:prod AND} > 1',
    'avg(last_5m):avg:cpu{env:prod web:1} > 1',
    'avg(last_5m):avg:cpu{(env:prod} > 1',
    'avg(last_5m):avg:cpu{region IN a} > 1',
    'avg(last_5m):sparkle(avg:cpu{*}) > 1',
    'avg(last_5m):avg:cpu{*}.sparkle() > 1',
    'avg(last_5m):avg:cpu{*}.rollup(median, 60) > 1',
    'avg(last_5m):avg:cpu{*} > (90 / 2)',
    "avg(last_2w):anomalies(avg:cpu{*}, 'basic', 2) >= 1",
    "avg(last_4h):anomalies(avg:cpu{*}, 'adaptive', 2) > 1",
    "avg(last_4h):anomalies(avg:cpu{*}, 'basic') < 1",
    'avg(last_4h):anomalies(avg:cpu{*}) >= 1',
    "avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m', interval=300, mood='dark') >= 1",
    "avg(last_10m):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m') >= 1",
    "avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='15m') >= 1",
    "avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, constructor='a', toString=1) >= 1",
    "avg(last_4h):1 - anomalies(avg:cpu{*}, 'basic', 2) >= 7",
    "avg(last_30m):outliers(avg:cpu{*} by {host}, 'MAD', 3) >= 1",
    "max(last_1w):forecast(avg:cpu{*}, 'linear', 1) >= 1",
    "avg(last_4h):forecast(avg:cpu{*}, 'linear', 1) >= 1",
    "max(next_6mo):forecast(avg:cpu{*}, 'linear', 1) == 1",
  ];
  for (const query of odd) expect([query, check(type, query).verdict]).toEqual([query, 'doubtful']);
  expect(table(type, odd)).toMatchInlineSnapshot(`
    "
    avg(last_2d):avg:cpu{*} > 1
      doubtful last_2d: last_2d is not among the documented windows (write last_48h)
    avg(last_90s):avg:cpu{*} > 1
      doubtful last_90s: last_90s is not among the documented windows (write last_2m)
    avg(last_2w):avg:cpu{*} > 1
      doubtful last_2w: window last_2w is over the 1w limit for metric monitors (write last_1w or less)
    avg(last_30d):avg:cpu{*} > 1
      doubtful last_30d: window last_30d is over the 1w limit for metric monitors (write last_1w or less)
    avg(current_2h):avg:cpu{*} > 1
      doubtful current_2h: current_2h is not a documented period (write current_1h, current_1d or current_1mo)
    percentile(last_5m):p99:latency{*} > 1
      doubtful percentile: percentile is outside the documented time aggregators (write avg, sum, min or max)
      doubtful p99: p99 is outside the documented space aggregators (write avg, sum, min or max)
    AVG(last_5m):avg:cpu{*} > 1
      doubtful AVG: aggregators are written in small letters (write avg)
    avg(last_5m):count:latency{*} > 1
      doubtful count: count is outside the documented space aggregators (write avg, sum, min or max)
    avg(last_5m):count(v: v<10):latency{*} > 1
      doubtful count(v: v<10): count(v: v<10) is outside the documented space aggregators (write avg, sum, min or max)
    pct_change(avg(last_5m),last_1w):avg:cpu{*} > 1
      doubtful last_1w: last_1w is not among the documented timeshifts (write 5m, 10m, 15m, 30m, 1h, 2h, 4h or 1d, and _ago after it)
    change(avg(last_5m),60m_ago):avg:cpu{*} > 1
      doubtful 60m_ago: 60m_ago is not among the documented timeshifts (write 5m, 10m, 15m, 30m, 1h, 2h, 4h or 1d, and _ago after it)
    avg(last_5m):avg:cpu > 1
      doubtful cpu: cpu has no scope (write cpu{*})
    avg(last_5m):avg:cpu{} > 1
      doubtful {}: the scope is empty (write {*} for everything)
    avg(last_5m):avg:cpu{*} by {} > 1
      doubtful by {}: the grouping is empty (write by {host}, or leave it out)
    avg(last_5m):avg:cpu{*} by {host env} > 1
      doubtful host env: host env is not a key (write a comma between keys)
    avg(last_5m):avg:cpu{env=prod} > 1
      doubtful env=prod: env=prod is one word, not a key and a value (write env:prod)
    avg(last_5m):avg:cpu{>= 5} > 1
      doubtful >=: >= is not a tag (write a tag, such as env:prod)
      doubtful 5: nothing joins >= and 5 (write a comma or AND between them)
    avg(last_5m):avg:cpu{env:prod AND} > 1
      doubtful AND: there is nothing after AND (write a tag, such as env:prod)
    avg(last_5m):avg:cpu{env:prod web:1} > 1
      doubtful web:1: nothing joins env:prod and web:1 (write a comma or AND between them)
    avg(last_5m):avg:cpu{(env:prod} > 1
      doubtful (: this parenthesis is never closed (add ) where it ends)
    avg(last_5m):avg:cpu{region IN a} > 1
      doubtful IN: IN needs values in parentheses (such as region IN (a,b))
    avg(last_5m):sparkle(avg:cpu{*}) > 1
      doubtful sparkle: nothing is known of the function sparkle
    avg(last_5m):avg:cpu{*}.sparkle() > 1
      doubtful sparkle: nothing is known of .sparkle() (known are .as_count(), .as_rate(), .rollup(), .fill(), .weighted())
    avg(last_5m):avg:cpu{*}.rollup(median, 60) > 1
      doubtful median: median is not among the documented words of .rollup() (write avg, sum, min, max or count)
    avg(last_5m):avg:cpu{*} > (90 / 2)
      doubtful (90 / 2): the threshold is a formula (write it as a number)
    avg(last_2w):anomalies(avg:cpu{*}, 'basic', 2) >= 1
      doubtful last_2w: window last_2w is over the 1w limit for metric monitors (write last_1w or less)
    avg(last_4h):anomalies(avg:cpu{*}, 'adaptive', 2) > 1
      doubtful 'adaptive': adaptive is not among the documented algorithms (write 'basic', 'agile' or 'robust')
    avg(last_4h):anomalies(avg:cpu{*}, 'basic') < 1
      doubtful 'basic': anomalies has no bounds (write a number after it, such as 2)
      doubtful <: anomalies are documented with >= only (write >=)
    avg(last_4h):anomalies(avg:cpu{*}) >= 1
      doubtful anomalies: anomalies has no algorithm (write 'basic', 'agile' or 'robust')
    avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m', interval=300, mood='dark') >= 1
      doubtful 300: the interval of 300s is over a fifth of the alert window (write 180 or less)
      doubtful mood: nothing is known of the argument mood (known are direction, alert_window, interval, count_default_zero …)
    avg(last_10m):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m') >= 1
      doubtful 'last_15m': the alert window is longer than last_10m (make it shorter)
    avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='15m') >= 1
      doubtful '15m': 15m is not an alert window (such as 'last_15m')
    avg(last_4h):anomalies(avg:cpu{*}, 'basic', 2, constructor='a', toString=1) >= 1
      doubtful constructor: nothing is known of the argument constructor (known are direction, alert_window, interval, count_default_zero …)
      doubtful toString: nothing is known of the argument toString (known are direction, alert_window, interval, count_default_zero …)
    avg(last_4h):1 - anomalies(avg:cpu{*}, 'basic', 2) >= 7
      doubtful anomalies: anomalies is documented around the whole query only
    avg(last_30m):outliers(avg:cpu{*} by {host}, 'MAD', 3) >= 1
      doubtful outliers: MAD has no percentage (write it after the tolerance, such as 3, 20)
      doubtful >=: outliers are documented with > only (write > 0)
    max(last_1w):forecast(avg:cpu{*}, 'linear', 1) >= 1
      doubtful last_1w: a forecast looks ahead, not at last_1w (write next_ and a length, such as next_1w)
    avg(last_4h):forecast(avg:cpu{*}, 'linear', 1) >= 1
      doubtful avg: avg does not fit a forecast (write max with >=, or min with <=)
    max(next_6mo):forecast(avg:cpu{*}, 'linear', 1) == 1
      doubtful next_6mo: next_6mo is an unusual forecast horizon (usually next_1d to next_3mo)
      doubtful ==: == is not documented for a forecast (write >=)
    "
  `);
});

test('query shapes in use are never wrong', () => {
  for (const query of [
    '\n  max(last_15m): (\n    avg:a.b{env:prod} by {region, zone}\n  ) > 85\n',
    'avg(last_5m):100*sum:a{x:1,y:2}.as_rate().rollup(sum, 3600)/(sum:b{*}+sum:c{*}) > 10',
    'sum(last_5m):sum:jobs{name IN (a.b,c-d),!env:dev} by {name}.as_count() < 1',
    'avg(last_15m):anomalies(ewma_20(p50:a{*,*}.as_rate()), "robust", 3, alert_window="last_14d") >= 0.01',
    'max(next_3d):forecast((1 - avg:free{*} by {host} / avg:all{*} by {host}) * 100, "seasonal", 1) >= 99',
    "min(last_10m):top(avg:lag{group:a_*} by {group}.fill(last), 5, 'mean', 'asc') > 1000",
    'max(last_5m):sum(max:db.state{role:first} by {server}.rollup(max, 60), { server }) > 1',
    'pct_change(min(last_5m), last_10m): count_nonzero(avg:requests{*} by {region, az}) > 43',
    'avg(last_15m):avg:pods{space:default AND (app: web* OR app:api)} >= 2',
    'sum(last_30m):default_zero(count:req {service:a,route:/api/v1/x,elb.k8s/cluster:*}.as_count()) > 0',
    'avg(last_5m):avg:disk-usage.by/path{*} > 1',
    'pct_change(sum(last_1d),last_1w):(default_zero(sum:a{*}) / (default_zero(sum:b{*}))) < -20',
  ])
    expect([query, ...check(type, query).findings.filter((finding) => finding.verdict === 'wrong')]).toEqual([query]);
});

test('a tree has metric, window and grouping', () => {
  const text =
    'change(avg(last_4h),1h_ago):100 * (sum:a.b{env:prod AND !host:x} by {svc}) / abs(avg:c{*} by {svc, zone}) + top(sum:d{*}, 5, mean) > -1';
  const tree = metricLanguage.parse(text);
  const cut = (span: { readonly start: number; readonly end: number } | undefined) =>
    span && text.slice(span.start, span.end);
  expect(
    metricQueries(tree).map(({ series, tags, groups }) => ({
      series: cut(series),
      name: series.name.text,
      aggregator: series.aggregator?.text,
      scope: cut(series.scope),
      tags: tags.map(cut),
      groups: groups.map(cut),
    })),
  ).toEqual([
    {
      series: 'sum:a.b{env:prod AND !host:x}',
      name: 'a.b',
      aggregator: 'sum',
      scope: '{env:prod AND !host:x}',
      tags: ['env:prod', '!host:x'],
      groups: ['svc'],
    },
    { series: 'avg:c{*}', name: 'c', aggregator: 'avg', scope: '{*}', tags: ['*'], groups: ['svc', 'zone'] },
    { series: 'sum:d{*}', name: 'd', aggregator: 'sum', scope: '{*}', tags: ['*'], groups: [] },
  ]);
  expect(groupingKeys(tree).map(cut)).toEqual(['svc', 'zone']);
  expect(findWindow(tree)).toMatchObject({ text: 'last_4h', tense: 'last', length: '4h', minutes: 240 });
  expect([cut(tree.change), cut(tree.change?.kind), cut(tree.change?.shift)]).toEqual([
    'change(avg(last_4h),1h_ago)',
    'change',
    '1h_ago',
  ]);
  expect(tree.comparison).toMatchObject({ operator: { text: '>' }, threshold: { text: '-1', value: -1 } });
});

test('a tree names the function that wraps it', () => {
  const query = "avg(last_4h):(anomalies(avg:a{*} by {host}, 'basic', 2, alert_window='last_15m')) >= 1";
  const tree = metricLanguage.parse(query);
  expect(findWrapping(tree)).toMatchObject({ kind: 'anomalies', isWhole: true });
  expect(findWrapping(tree)?.plain).toHaveLength(3);
  const window = findAlertWindow(tree);
  expect(window && query.slice(window.start, window.end)).toBe("'last_15m'");
  expect(window?.text).toBe('last_15m');
});
