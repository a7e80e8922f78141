import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { table } from '../support/queries.ts';

const type = 'error-tracking alert';

test('queries that real services accept are never wrong', () => {
  const odd = [
    'error-tracking("service:shop").rollup("count").by("issue.id").last("1h") > 0',
    'error-tracking-logs("service:shop issue.age:<=86400000").index("*").rollup("count").by("issue.id").last("1d") >= 1',
    'error-tracking-traces("service:shop").impact().rollup("count").by("@issue.id").last("5m") > 5',
    'error-tracking-traces("name:"GET /a" service:shop").rollup("count").by("@issue.id").last("60m") > 5',
    'errors("service:shop").rollup("count", "@error.kind").last("5m") > 10',
  ];
  for (const query of odd) expect(check(type, query).verdict).not.toBe('wrong');
  expect(table(type, odd)).toMatchInlineSnapshot(`
    "
    error-tracking("service:shop").rollup("count").by("issue.id").last("1h") > 0
      doubtful error-tracking: neither .new() nor .impact() follows (write .new() for new issues, .impact() for those that many meet)
    error-tracking-logs("service:shop issue.age:<=86400000").index("*").rollup("count").by("issue.id").last("1d") >= 1
      
    error-tracking-traces("service:shop").impact().rollup("count").by("@issue.id").last("5m") > 5
      
    error-tracking-traces("name:"GET /a" service:shop").rollup("count").by("@issue.id").last("60m") > 5
      doubtful "name:"GET /a" service:shop": quotes inside a search need a backslash (write \\" for each of them)
    errors("service:shop").rollup("count", "@error.kind").last("5m") > 10
      doubtful errors: errors is not a known source of an error-tracking monitor (write error-tracking or error-tracking-rum)
      doubtful errors: errors are grouped by their issue (write .by("@issue.id"), and other keys after it)
      doubtful "@error.kind": count takes no measure (leave it out, or count different ones: cardinality)
    "
  `);
});

test('other queries have these diagnostics', () => {
  expect(
    table(type, [
      'error_tracking("*").new().by("@issue.id").last("1d") > 0',
      'logs("*").rollup("count").last("1d") > 0',
      'error-tracking("*").source().new().by("@issue.id").last("1d") > 0',
      'error-tracking("*").source("all","backend").new().by("@issue.id").last("1d") > 0',
      'error-tracking("*").new().impact().by("@issue.id").last("1d") > 0',
      'error-tracking("*").new("a").by("@issue.id").last("1d") > 0',
      'error-tracking("*").new().rollup("count").last("1d") > 0',
      'error-tracking("*").new().rollup("count").by("").last("1d") > 0',
      'error-tracking("*").new().by("@issue.id") > 0',
    ]),
  ).toMatchInlineSnapshot(`
    "
    error_tracking("*").new().by("@issue.id").last("1d") > 0
      wrong error_tracking: error_tracking is not a source (write error-tracking)
    logs("*").rollup("count").last("1d") > 0
      wrong logs: logs is not a source of an error-tracking monitor (write error-tracking, or choose the type log alert)
    error-tracking("*").source().new().by("@issue.id").last("1d") > 0
      wrong .source(): the source of the errors is empty (write all, browser, mobile or backend)
    error-tracking("*").source("all","backend").new().by("@issue.id").last("1d") > 0
      doubtful "backend": errors come from one source at a time (write all, browser, mobile or backend)
    error-tracking("*").new().impact().by("@issue.id").last("1d") > 0
      doubtful .impact(): a query has .new() or .impact(), not both (write .new() for new issues, .impact() for those that many meet)
    error-tracking("*").new("a").by("@issue.id").last("1d") > 0
      doubtful "a": new takes nothing (leave the parentheses empty)
    error-tracking("*").new().rollup("count").last("1d") > 0
      doubtful error-tracking: errors are grouped by their issue (write .by("@issue.id"), and other keys after it)
    error-tracking("*").new().rollup("count").by("").last("1d") > 0
      wrong "": the grouping is empty (name a facet, or take .by out)
    error-tracking("*").new().by("@issue.id") > 0
      wrong .by("@issue.id"): an error-tracking monitor needs a window (add .last("5m") after it)
    "
  `);
});
