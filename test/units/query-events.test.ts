import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check.ts';
import { said, table } from '../support/queries.ts';

/** The valid examples of contract/monitors.md 5.8. */
const valid: Readonly<Record<string, readonly string[]>> = {
  'event-v2 alert': [
    'events("source:deploy").rollup("count").last("5m") > 1000',
    'events("priority:low").rollup("count").by("host").last("1h") >= 5',
    'events("source:watchdog story_category:apm").rollup("cardinality","service").last("30m") > 3',
  ],
  'log alert': [
    'logs("service:foo AND type:error").index("main").rollup("count").by("source,status").last("5m") > 2',
    'logs("*").index("*").rollup("count").last("5m") < 100',
    'logs("@http.status_code:>=500").index("*").rollup("avg","@duration").by("service").last("15m") > 200',
  ],
  'trace-analytics alert': [
    'trace-analytics("service:api status:error").rollup("count").by("resource_name,env").last("5m") > 100',
    'trace-analytics("env:prod").rollup("avg","@duration").last("1h") >= 2',
    'trace-analytics("service:db").rollup("cardinality","@usr.id").last("15m") > 10',
  ],
  'rum alert': [
    'rum("@type:error").rollup("count").last("5m") > 10',
    'rum("*").index("*").rollup("count").last("1d") < 1',
    'rum("@type:view").rollup("cardinality","@session.id").last("1h") >= 100',
  ],
  'audit alert': [
    'audits("status:error").rollup("cardinality","@usr.id").last("5m") > 250',
    'audits("@evt.name:Authentication").rollup("count").by("@usr.email").last("1h") >= 5',
    'audits("*").rollup("count").last("48h") < 1',
  ],
  'ci-pipelines alert': [
    'ci-pipelines("ci_level:pipeline @git.branch:staging* @ci.status:error").rollup("count").by("@git.branch,@ci.pipeline.name").last("5m") >= 1',
    'ci-pipelines("@ci.status:error").rollup("count").last("15m") > 3',
    'ci-pipelines("ci_level:job").rollup("avg","@duration").last("1h") > 600',
  ],
  'ci-tests alert': [
    'ci-tests("type:test @git.branch:staging* @test.status:fail").rollup("count").by("@test.name").last("5m") >= 1',
    'ci-tests("@test.status:fail").rollup("cardinality","@test.name").last("1h") > 2',
    'ci-tests("*").rollup("count").last("24h") < 1',
  ],
  'database-monitoring alert': [
    'database-monitoring("dbms:sql").rollup("count").last("5m") > 10',
    'database-monitoring("*").rollup("avg","@duration").by("host").last("15m") > 5',
    'database-monitoring("env:prod").rollup("cardinality","@query_signature").last("1h") > 50',
  ],
  'network-performance alert': [
    'network-performance("service:api").rollup("count").last("5m") > 10',
    'network-performance("*").rollup("avg","bytes_sent").by("service").last("1h") >= 5',
    'network-performance("*").rollup("cardinality","host").last("30m") > 3',
  ],
  'network-path alert': [
    'network-path("source:a").index("netpath-path").rollup("avg","hop_latency").last("15m") > 50',
    'network-path("*").index("netpath-hop").rollup("count").last("5m") > 1',
    'network-path("*").index("netpath-path").rollup("cardinality","destination").last("1h") >= 1',
  ],
  'llm-observability alert': [
    'llm-observability("*").rollup("count").last("2h") > 0',
    'llm-observability("@status:error").rollup("count").by("ml_app").last("1h") > 3',
    'llm-observability("*").rollup("avg","@duration").last("30m") > 9',
  ],
};

test.each(Object.entries(valid))('%s: what the contract calls valid is fine', (type, queries) => {
  for (const query of queries) expect(said(type, query)).toBe('');
});

/** Its invalid examples; what the contract leaves out is filled in. */
const invalid: Readonly<Record<string, readonly string[]>> = {
  'event-v2 alert': ['query', 'events("a").rollup("count").last("3000m") > 1', 'events("a").rollup("count") > 1'],
  'log alert': [
    'query',
    `logs('*').index('*').rollup('count').last('5m') > 1`,
    'logs("*").index("*").rollup("avg").last("5m") > 1',
    'logs("*").index("*").rollup("count").last("49h") > 1',
  ],
  'trace-analytics alert': [
    'trace-analytics("a").index("main").rollup("count").last("5m") > 1',
    'trace-analytics("a").rollup("count").last("5d") > 1',
    'trace-analytics("a").rollup("median","@d").last("5m") > 1',
  ],
  'rum alert': [
    'rum("*).rollup("count").last("5m") > 1',
    'rum("*").rollup("count").last("5m")',
    'rum("*").rollup("count").last("") > 1',
  ],
  'audit alert': [
    'audit("*").rollup("count").last("5m") > 1',
    'audits("*").index("x").rollup("count").last("5m") > 1',
    'audits("*").rollup("count").last("2881m") > 1',
  ],
  'ci-pipelines alert': [
    'ci_pipelines("*").rollup("count").last("15m") > 1',
    'ci-pipelines("*").rollup("count").last("15m") >',
    'ci-pipelines("*").rollup("count").last("3d") > 1',
  ],
  'ci-tests alert': [
    'ci-tests("*").rollup("count").last("5m") >> 1',
    'ci-tests("*").rollup("count").by("").last("5m") > 1',
    'ci-tests("*").rollup("count").last("72h") > 1',
  ],
  'database-monitoring alert': [
    'database-monitoring("*").index("a").rollup("count").last("5m") > 1',
    'database-monitoring("*").rollup("count").last("0m") > 1',
    'database-monitoring("*").last("5m") > 1',
  ],
  'network-performance alert': [
    'network-performance("*").index("a").rollup("count").last("5m") > 1',
    'network-performance("*").rollup("count").last("49h") > 1',
    'network-performance("*").rollup("count").last("5m") > high',
  ],
  'network-path alert': [
    'network-path("*").index("main").rollup("count").last("5m") > 1',
    'network-path("*").rollup("count").last("5m") > 1',
    'network-path("*").index("netpath-hop").rollup("count").last("90h") > 1',
  ],
  'llm-observability alert': [
    `llm-observability('*').rollup("count").last("5m") > 0`,
    'llm-observability("*").rollup("count").last("3000m") > 0',
    'llm-observability("*").rollup("count") > 0',
  ],
};

describe('what the contract calls invalid is wrong', () => {
  test.each(Object.entries(invalid))('%s', (type, queries) => {
    for (const query of queries) expect(check(type, query).verdict).toBe('wrong');
  });

  test('the sentences', () => {
    expect(
      Object.entries(invalid)
        .map(([type, queries]) => `\n${type}${table(type, queries)}`)
        .join(''),
    ).toMatchInlineSnapshot(`
      "
      event-v2 alert
      query
        wrong y: the query ends too early (expected "(")
      events("a").rollup("count").last("3000m") > 1
        wrong "3000m": window 3000m is over the 48h limit for event monitors (write 1m to 2880m, or 1h to 48h)
      events("a").rollup("count") > 1
        wrong .rollup("count"): an event monitor needs a window (write .last("5m") behind it)

      log alert
      query
        wrong y: the query ends too early (expected "(")
      logs('*').index('*').rollup('count').last('5m') > 1
        wrong '*': a search in single quotes is refused (write double quotes)
      logs("*").index("*").rollup("avg").last("5m") > 1
        wrong "avg": avg needs a measure (write .rollup("avg","@duration"))
      logs("*").index("*").rollup("count").last("49h") > 1
        wrong "49h": window 49h is over the 48h limit for log monitors (write 1m to 2880m, or 1h to 48h)

      trace-analytics alert
      trace-analytics("a").index("main").rollup("count").last("5m") > 1
        wrong "main": main is no index of a trace-analytics monitor (take .index out)
      trace-analytics("a").rollup("count").last("5d") > 1
        wrong "5d": window 5d is over the 48h limit for trace-analytics monitors (write 1m to 2880m, or 1h to 48h)
      trace-analytics("a").rollup("median","@d").last("5m") > 1
        wrong "median": median is no rollup of a trace-analytics monitor (write count, avg or cardinality)

      rum alert
      rum("*).rollup("count").last("5m") > 1
        wrong "*: the quote before * is not closed (write "*")
      rum("*").rollup("count").last("5m")
        wrong ): the query ends too early (expected a step or an operator)
      rum("*").rollup("count").last("") > 1
        wrong "": the window is empty (write .last("5m"))

      audit alert
      audit("*").rollup("count").last("5m") > 1
        wrong audit: audit is no source (write audits)
      audits("*").index("x").rollup("count").last("5m") > 1
        wrong index: an audit monitor has no index (take .index out)
      audits("*").rollup("count").last("2881m") > 1
        wrong "2881m": window 2881m is over the 48h limit for audit monitors (write 1m to 2880m, or 1h to 48h)

      ci-pipelines alert
      ci_pipelines("*").rollup("count").last("15m") > 1
        wrong ci_pipelines: ci_pipelines is no source (write ci-pipelines)
      ci-pipelines("*").rollup("count").last("15m") >
        wrong >: the query ends too early (expected a number)
      ci-pipelines("*").rollup("count").last("3d") > 1
        wrong "3d": window 3d is over the 48h limit for ci-pipelines monitors (write 1m to 2880m, or 1h to 48h)

      ci-tests alert
      ci-tests("*").rollup("count").last("5m") >> 1
        wrong >>: >> is no operator (write >)
      ci-tests("*").rollup("count").by("").last("5m") > 1
        wrong "": the grouping is empty (name a facet, or take .by out)
      ci-tests("*").rollup("count").last("72h") > 1
        wrong "72h": window 72h is over the 48h limit for ci-tests monitors (write 1m to 2880m, or 1h to 48h)

      database-monitoring alert
      database-monitoring("*").index("a").rollup("count").last("5m") > 1
        wrong index: a database-monitoring monitor has no index (take .index out)
      database-monitoring("*").rollup("count").last("0m") > 1
        wrong "0m": window 0m is under the 1m limit for database-monitoring monitors (write 1m to 2880m, or 1h to 48h)
      database-monitoring("*").last("5m") > 1
        wrong database-monitoring: a database-monitoring monitor needs a rollup (write .rollup("count"))

      network-performance alert
      network-performance("*").index("a").rollup("count").last("5m") > 1
        wrong index: a network-performance monitor has no index (take .index out)
      network-performance("*").rollup("count").last("49h") > 1
        wrong "49h": window 49h is over the 48h limit for network-performance monitors (write 1m to 2880m, or 1h to 48h)
      network-performance("*").rollup("count").last("5m") > high
        wrong high: the threshold high is no number (write a number, such as 90)

      network-path alert
      network-path("*").index("main").rollup("count").last("5m") > 1
        wrong "main": main is no index of a network-path monitor (write .index("netpath-path") or .index("netpath-hop"))
      network-path("*").rollup("count").last("5m") > 1
        wrong network-path: a network-path monitor needs an index (write .index("netpath-path") or .index("netpath-hop"))
      network-path("*").index("netpath-hop").rollup("count").last("90h") > 1
        wrong "90h": window 90h is over the 48h limit for network-path monitors (write 1m to 2880m, or 1h to 48h)

      llm-observability alert
      llm-observability('*').rollup("count").last("5m") > 0
        wrong '*': a search in single quotes is refused (write double quotes)
      llm-observability("*").rollup("count").last("3000m") > 0
        wrong "3000m": window 3000m is over the 48h limit for llm-observability monitors (write 1m to 2880m, or 1h to 48h)
      llm-observability("*").rollup("count") > 0
        wrong .rollup("count"): an llm-observability monitor needs a window (write .last("5m") behind it)
      "
    `);
  });
});

test('what services were seen to take, though it is documented otherwise, is never wrong', () => {
  const odd: readonly [type: string, query: string][] = [
    ['event alert', `events('priority:all sources:backup').by('host,app').rollup('count').last('7d') >= 1`],
    ['event alert', `events('sources:backup "took too long"').rollup('count').by().last('1d') > 0`],
    ['query alert', `events('sources:backup').rollup('count').last('1d') < 1`],
    ['metric alert', `events("sources:backup").rollup("count").last("5m") > 0`],
    ['event-v2 alert', 'events("source:backup "took too long" (a OR "b")").rollup("count").last("5m") > 0'],
    ['event alert', `events('sources:backup it's late').rollup('count').last('1d') > 0`],
    ['event-v2 alert', 'events("5" disk (a OR "b").c").rollup("count").last("5m") > 0'],
    ['event-v2 alert', 'events("a:("b").c "d"").rollup("count").by("a", "b").last("5m") > 0'],
    ['event-v2 alert', 'events("").rollup("cardinality", "@evt.id").current("1h") > 5'],
    ['event-v2 alert', 'events("a").index("*").rollup("count").last("5m") > 5'],
    ['log alert', 'logs("service:shop").rollup("pc95", "@duration").by("*").last("15m") > 5000\n'],
    ['log alert', 'logs("service:shop").index("*").rollup("sum").last("90m") > 5'],
    ['log alert', 'logs("a\n  b").index("*").rollup("count").current("1d") < 1'],
    ['log alert', 'logs("a").last("5m").rollup("count") > 0'],
    [
      'trace-analytics alert',
      'trace-analytics("a").index("spans-1", "spans-2").rollup("avg", "@duration").last("5m") > 8e9',
    ],
    ['audit alert', 'audits("a").index("*").rollup("count").last("5m") > 1'],
    ['rum alert', 'rum("a").rollup("count").last("7d") > 1'],
    ['ci-tests alert', 'ci-tests("a").rollup("max", "@duration").last("1.5h") > 1'],
    ['rum alert', 'rum("a").rollup("count").last("5m") > threshold'],
  ];
  for (const [type, query] of odd) expect(`${query} ${check(type, query).verdict}`).not.toContain(' wrong');
  expect(
    odd.map(([type, query]) => `\n${query.trim()}\n${said(type, query).replace(/^/gm, '  ')}`).join(''),
  ).toMatchInlineSnapshot(`
    "
    events('priority:all sources:backup').by('host,app').rollup('count').last('7d') >= 1
      doubtful '7d': window 7d is over the 48h limit for event monitors (write 1m to 2880m, or 1h to 48h)
    events('sources:backup "took too long"').rollup('count').by().last('1d') > 0
      doubtful .by(): the grouping is empty (name a facet, or take .by out)
    events('sources:backup').rollup('count').last('1d') < 1
      
    events("sources:backup").rollup("count").last("5m") > 0
      
    events("source:backup "took too long" (a OR "b")").rollup("count").last("5m") > 0
      doubtful "source:backup "took too long" (a OR "b")": quotes inside a search need a backslash (write \\" for each of them)
    events('sources:backup it's late').rollup('count').last('1d') > 0
      doubtful 'sources:backup it's late': quotes inside a search need a backslash (write \\' for each of them)
    events("5" disk (a OR "b").c").rollup("count").last("5m") > 0
      doubtful "5" disk (a OR "b").c": quotes inside a search need a backslash (write \\" for each of them)
    events("a:("b").c "d"").rollup("count").by("a", "b").last("5m") > 0
      doubtful "a:("b").c "d"": quotes inside a search need a backslash (write \\" for each of them)
    events("").rollup("cardinality", "@evt.id").current("1h") > 5
      
    events("a").index("*").rollup("count").last("5m") > 5
      doubtful index: an event monitor is not known to have an index (take .index out)
    logs("service:shop").rollup("pc95", "@duration").by("*").last("15m") > 5000
      doubtful "pc95": pc95 is outside the documented rollups, but may be taken
    logs("service:shop").index("*").rollup("sum").last("90m") > 5
      doubtful "sum": sum is outside the documented rollups, but may be taken
    logs("a
      b").index("*").rollup("count").current("1d") < 1
      
    logs("a").last("5m").rollup("count") > 0
      doubtful rollup: rollup usually stands before last (the order is index, rollup, by, last, current)
    trace-analytics("a").index("spans-1", "spans-2").rollup("avg", "@duration").last("5m") > 8e9
      doubtful index: a trace-analytics monitor is not known to have an index (take .index out)
    audits("a").index("*").rollup("count").last("5m") > 1
      doubtful index: an audit monitor has no index (take .index out)
    rum("a").rollup("count").last("7d") > 1
      doubtful "7d": window 7d is over the 48h limit for rum monitors (write 1m to 2880m, or 1h to 48h)
    ci-tests("a").rollup("max", "@duration").last("1.5h") > 1
      doubtful "max": max is outside the documented rollups, but may be taken
      doubtful "1.5h": 1.5h is no window (write a number and m, h or d: 5m, 1h, 1d)
    rum("a").rollup("count").last("5m") > threshold
      doubtful threshold: a threshold that is worked out cannot be checked"
  `);
});

test('other sentences', () => {
  expect(
    table('log alert', [
      '',
      'logs',
      'logs()',
      'logs() > 1',
      'log("a").rollup("count").last("5m") > 1',
      'rum("a").rollup("count").last("5m") > 1',
      'things("a").rollup("count").last("5m") > 1',
      'logs(a).rollup(count).last(5m) > 1',
      'logs("a", "b").rollup("count").last("5m") > 1',
      'logs("a (b").rollup("count").last("5m") > 1',
      'logs("a) b").rollup("count").last("5m") > 1',
      String.raw`logs("a \"b").rollup("count").last("5m") > 1`,
      'logs("").index().rollup().last() > 1',
      'logs("a").index("").rollup("count", "@b").last("5m") > 1',
      'logs("a").rollup("p95", "@b").last("5m") > 1',
      'logs("a").rollup("cardinality", "").last("5m") > 1',
      'logs("a").rollup("count").by("a,,b", "a").last("5m") > 1',
      'logs("a").rollup("count").by().last("5m") > 1',
      'logs("a").rollup("count").by("b", "c").last("5m") > 1',
      'logs("a").indx("b").rollup("count").last("5m") > 1',
      'logs("a").rolup("count").last("5m") > 1',
      'logs("a").rollups("count").last("5m") > 1',
      'logs("a").rollup("count").rollup("count").last("5m") > 1',
      'logs("a").rollup("count").last("5min") > 1',
      'logs("a").rollup("count").last("30s") > 1',
      'logs("a").rollup("count").last("1w") > 1',
      'logs("a").rollup("count").current("5m") > 1',
      `logs("a").rollup('count').last("5m") > 1`,
      'logs("a").rollup("count).last("5m") > 1',
      'logs("a").rollup("count").last("5m") => 1',
      'logs("a").rollup("count").last("5m") 1',
      'logs("a").rollup("count").last("5m") > 1 or so',
      'logs("a"rollup("count").last("5m") > 1',
    ]),
  ).toMatchInlineSnapshot(`
    "

      wrong : the query is empty (expected a source)
    logs
      wrong s: the query ends too early (expected "(")
    logs()
      wrong ): the query ends too early (expected a step or an operator)
    logs() > 1
      wrong logs: a log monitor needs a search (write logs("*"))
      wrong logs: a log monitor needs a rollup (write .rollup("count"))
      wrong logs: a log monitor needs a window (write .last("5m") behind it)
    log("a").rollup("count").last("5m") > 1
      wrong log: log is no source (write logs)
    rum("a").rollup("count").last("5m") > 1
      wrong rum: rum is no source of a log monitor (write logs, or choose the type rum alert)
    things("a").rollup("count").last("5m") > 1
      doubtful things: things is no source that a log monitor is known to have (write logs)
    logs(a).rollup(count).last(5m) > 1
      doubtful a: a stands without quotes (write "a")
      doubtful count: count stands without quotes (write "count")
      doubtful 5m: 5m stands without quotes (write "5m")
    logs("a", "b").rollup("count").last("5m") > 1
      doubtful "b": a search is one text (write it in one pair of quotes)
    logs("a (b").rollup("count").last("5m") > 1
      doubtful (: this parenthesis is not closed
    logs("a) b").rollup("count").last("5m") > 1
      doubtful ): this parenthesis closes nothing
    logs("a \\"b").rollup("count").last("5m") > 1
      doubtful "b: a quote inside the search is not closed
    logs("").index().rollup().last() > 1
      wrong .rollup(): the rollup names no method (write count, avg or cardinality)
      wrong .last(): the window is empty (write .last("5m"))
      doubtful .index(): the index has no name (write .index("*") for all of them)
    logs("a").index("").rollup("count", "@b").last("5m") > 1
      doubtful "": the index has no name (write .index("*") for all of them)
      doubtful "@b": count takes no measure (leave it out, or count different ones: cardinality)
    logs("a").rollup("p95", "@b").last("5m") > 1
      doubtful "p95": p95 is no rollup that is known (write pc95)
    logs("a").rollup("cardinality", "").last("5m") > 1
      wrong "cardinality": cardinality needs a facet (write .rollup("cardinality","@usr.id"))
    logs("a").rollup("count").by("a,,b", "a").last("5m") > 1
      doubtful "a,,b": a group between the commas has no name (take the comma out)
      doubtful "a": groups in more than one text may be refused (write .by("a,b,a"))
      doubtful a: the groups name a twice (leave one of them)
    logs("a").rollup("count").by().last("5m") > 1
      doubtful .by(): the grouping is empty (name a facet, or take .by out)
    logs("a").rollup("count").by("b", "c").last("5m") > 1
      doubtful "c": groups in more than one text may be refused (write .by("b,c"))
    logs("a").indx("b").rollup("count").last("5m") > 1
      doubtful indx: indx is no step (write index)
    logs("a").rolup("count").last("5m") > 1
      wrong rolup: rolup is no step (write rollup)
    logs("a").rollups("count").last("5m") > 1
      wrong rollups: rollups is no step (write rollup)
    logs("a").rollup("count").rollup("count").last("5m") > 1
      doubtful rollup: rollup stands here twice (leave one of them)
    logs("a").rollup("count").last("5min") > 1
      wrong "5min": 5min is no window (write a number and m, h or d: 5m, 1h, 1d)
    logs("a").rollup("count").last("30s") > 1
      doubtful "30s": window 30s is under the 1m limit for log monitors (write 1m to 2880m, or 1h to 48h)
    logs("a").rollup("count").last("1w") > 1
      wrong "1w": window 1w is over the 48h limit for log monitors (write 1m to 2880m, or 1h to 48h)
    logs("a").rollup("count").current("5m") > 1
      doubtful "5m": 5m is no current window that is known (write 1h, 1d or 1mo)
    logs("a").rollup('count').last("5m") > 1
      doubtful 'count': single quotes may be refused (write double quotes)
    logs("a").rollup("count).last("5m") > 1
      wrong "count: the quote before count is not closed (write "count")
    logs("a").rollup("count").last("5m") => 1
      wrong =>: => is no operator (write >=)
    logs("a").rollup("count").last("5m") 1
      wrong 1: 1 cannot stand here (expected a step or an operator)
    logs("a").rollup("count").last("5m") > 1 or so
      wrong or: or cannot stand here (expected the end)
    logs("a"rollup("count").last("5m") > 1
      wrong logs: a log monitor needs a rollup (write .rollup("count"))
      doubtful "a"rollup("count": quotes inside a search need a backslash (write \\" for each of them)
    "
  `);
});
