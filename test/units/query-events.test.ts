import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { said, table } from '../support/queries.ts';

test('queries that real services accept against their documentation are never wrong', () => {
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
      doubtful rollup: rollup usually comes before last (the order is index, rollup, by, last, current)
    trace-analytics("a").index("spans-1", "spans-2").rollup("avg", "@duration").last("5m") > 8e9
      doubtful index: a trace-analytics monitor is not known to have an index (take .index out)
    audits("a").index("*").rollup("count").last("5m") > 1
      doubtful index: an audit monitor has no index (take .index out)
    rum("a").rollup("count").last("7d") > 1
      doubtful "7d": window 7d is over the 48h limit for rum monitors (write 1m to 2880m, or 1h to 48h)
    ci-tests("a").rollup("max", "@duration").last("1.5h") > 1
      doubtful "max": max is outside the documented rollups, but may be taken
      doubtful "1.5h": 1.5h is not a window (write a number and m, h or d: 5m, 1h, 1d)
    rum("a").rollup("count").last("5m") > threshold
      doubtful threshold: the threshold is a formula, so it is not checked"
  `);
});

test('other queries have these diagnostics', () => {
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

      wrong : the query is empty (such as logs("*").rollup("count").last("5m") > 5)
    logs
      wrong logs: a log monitor begins with logs("…") (such as logs("*").rollup("count").last("5m") > 5)
    logs()
      wrong ): the query has no operator and no threshold (such as logs("*").rollup("count").last("5m") > 5)
    logs() > 1
      wrong logs: a log monitor needs a search (write logs("*"))
      wrong logs: a log monitor needs a rollup (write .rollup("count"))
      wrong logs: a log monitor needs a window (add .last("5m") after it)
    log("a").rollup("count").last("5m") > 1
      wrong log: log is not a source (write logs)
    rum("a").rollup("count").last("5m") > 1
      wrong rum: rum is not a source of a log monitor (write logs, or choose the type rum alert)
    things("a").rollup("count").last("5m") > 1
      doubtful things: things is not a known source of a log monitor (write logs)
    logs(a).rollup(count).last(5m) > 1
      doubtful a: a stands without quotes (write "a")
      doubtful count: count stands without quotes (write "count")
      doubtful 5m: 5m stands without quotes (write "5m")
    logs("a", "b").rollup("count").last("5m") > 1
      doubtful "b": a search is one text (write it in one pair of quotes)
    logs("a (b").rollup("count").last("5m") > 1
      doubtful (: this parenthesis is not closed
    logs("a) b").rollup("count").last("5m") > 1
      doubtful ): this parenthesis was never opened
    logs("a \\"b").rollup("count").last("5m") > 1
      doubtful "b: a quote inside the search is not closed
    logs("").index().rollup().last() > 1
      wrong .rollup(): the rollup has no method (write count, avg or cardinality)
      wrong .last(): the window is empty (write .last("5m"))
      doubtful .index(): the index has no name (write .index("*") for all of them)
    logs("a").index("").rollup("count", "@b").last("5m") > 1
      doubtful "": the index has no name (write .index("*") for all of them)
      doubtful "@b": count takes no measure (leave it out, or count different ones: cardinality)
    logs("a").rollup("p95", "@b").last("5m") > 1
      doubtful "p95": p95 is not a known rollup (write pc95)
    logs("a").rollup("cardinality", "").last("5m") > 1
      wrong "cardinality": cardinality needs a facet (write .rollup("cardinality","@usr.id"))
    logs("a").rollup("count").by("a,,b", "a").last("5m") > 1
      doubtful "a,,b": a group between the commas has no name (remove the comma)
      doubtful "a": groups in more than one text may be refused (write .by("a,b,a"))
      doubtful a: the groups name a twice (remove one of them)
    logs("a").rollup("count").by().last("5m") > 1
      doubtful .by(): the grouping is empty (name a facet, or take .by out)
    logs("a").rollup("count").by("b", "c").last("5m") > 1
      doubtful "c": groups in more than one text may be refused (write .by("b,c"))
    logs("a").indx("b").rollup("count").last("5m") > 1
      doubtful indx: indx is not a step (write index)
    logs("a").rolup("count").last("5m") > 1
      wrong rolup: rolup is not a step (write rollup)
    logs("a").rollups("count").last("5m") > 1
      wrong rollups: rollups is not a step (write rollup)
    logs("a").rollup("count").rollup("count").last("5m") > 1
      doubtful rollup: rollup is repeated (remove one of them)
    logs("a").rollup("count").last("5min") > 1
      wrong "5min": 5min is not a window (write a number and m, h or d: 5m, 1h, 1d)
    logs("a").rollup("count").last("30s") > 1
      doubtful "30s": window 30s is under the 1m limit for log monitors (write 1m to 2880m, or 1h to 48h)
    logs("a").rollup("count").last("1w") > 1
      wrong "1w": window 1w is over the 48h limit for log monitors (write 1m to 2880m, or 1h to 48h)
    logs("a").rollup("count").current("5m") > 1
      doubtful "5m": 5m is not a known current window (write 1h, 1d or 1mo)
    logs("a").rollup('count').last("5m") > 1
      doubtful 'count': single quotes may be refused (write double quotes)
    logs("a").rollup("count).last("5m") > 1
      wrong "count: the quote before count is not closed (write "count")
    logs("a").rollup("count").last("5m") => 1
      wrong =>: => is not an operator (write >=)
    logs("a").rollup("count").last("5m") 1
      wrong 1: an operator is missing before 1 (such as > 1)
    logs("a").rollup("count").last("5m") > 1 or so
      wrong or: or cannot stand here (end the query before it)
    logs("a"rollup("count").last("5m") > 1
      wrong rollup: rollup cannot stand here (write ")" or "," before it)
    "
  `);
});
