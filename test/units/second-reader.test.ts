import { expect, test } from 'vitest';
import { readQuery } from '../support/second-reader/monitor-query.ts';

// The examples of the contract are tried in query-differential.test.ts.

test.each([
  ['query alert', 'avg(last_5m):avg:a{web,env:prod} > 5\n'],
  ['query alert', 'avg(last_1w):avg:a{*}>=1'],
  ['cost alert', 'formula("a").current("30d").forecast() > 1'],
  ['service check', '"http.can_connect".over("env:prod","role:web").last(6).by("host","url").count_by_status()'],
])('%s accepts %s', (type, query) => {
  expect(readQuery(type, query, { variables: [{ name: 'a' }] })).toMatchObject({ ok: true });
});

test.each([
  ['service check', '"host.up".over("").by("host").last(2).count_by_status()'],
  ['log alert', 'logs("(service:a").index("*").rollup("count").last("5m") > 1'],
  ['log alert', 'logs("a").rollup("count").current("2h") > 1'],
  ['log alert', 'logs("a").rollup("count").last("5m").current("1h") > 1'],
  // Costs come once a day (docs/contract/monitor-queries.md#formula); what the checker only doubts is refused here.
  ['cost alert', 'formula("a").current("1mo").forecast() > 1'],
  ['composite', '(101'],
  ['composite', ''],
])('%s refuses %s', (type, query) => {
  expect(readQuery(type, query, { variables: [{ name: 'a' }] }).ok).toBe(false);
});

test('the second reader reads the parts of a query', () => {
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

test('a bad query has one of three error texts', () => {
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
