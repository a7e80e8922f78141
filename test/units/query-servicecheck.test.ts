import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { serviceCheck } from '../../src/query/service-check.ts';
import { said, table } from '../support/queries.ts';

const type = 'service check';

test('other valid service checks besides the examples of the contract', () => {
  for (const query of [
    // The order of the specification, and optional steps.
    '"custom.check".over("*").last(2).by("host").count_by_status()',
    '"http.can_connect".over("*").exclude("env:test").by("url").last(1).pct_by_status()',
  ])
    expect([query, said(type, query)]).toEqual([query, '']);
});

test('the count is compared with the thresholds, except where those are percentages', () => {
  const query = '"tcp.can_connect".over("*").by("host").last(2).count_by_status()';
  const thresholds = { ok: 1, warning: 2, critical: 3 };
  expect(said(type, query, { thresholds })).toMatchInlineSnapshot(
    `"wrong 2: last(2) is less than thresholds.critical, 3 (write last(3) or more)"`,
  );
  expect(check(type, query.replace('last(2)', 'last(3)'), { thresholds }).verdict).toBe('fine');
  expect(check(type, query.replace('count_by', 'pct_by'), { thresholds: { critical: 75 } }).verdict).toBe('fine');
});

test('other queries that are wrong', () => {
  const invalid = [
    '',
    '"tcp.can_connect"',
    '"".over("*").by("host").last(2).count_by_status()',
    '"tcp.can_connect".over("").by("host").last(2).count_by_status()',
    '"tcp.can_connect".over().by("host").last(2).count_by_status()',
    '"tcp.can_connect".over("*").by("").last(2).count_by_status()',
    '"tcp.can_connect".over("*").by("host").last().count_by_status()',
    '"tcp.can_connect".over("*").by("host").last(0).count_by_status()',
    '"tcp.can_connect".over("*").by("host").last(two).count_by_status()',
    '"tcp.can_connect".over("*").by("host").last(2)',
    '"tcp.can_connect".over("*).by("host").last(2).count_by_status()',
    '"tcp.can_connect.over("*").by("host").last(2).count_by_status()',
    '"tcp.can_connect".over("*").by("host").last(2).count_by_status(',
    '"tcp.can_connect".over("*").by("host").last(2).count_by_status() and more',
  ];
  for (const query of invalid) expect([query, check(type, query).verdict]).toEqual([query, 'wrong']);
  expect(table(type, invalid)).toMatchInlineSnapshot(`
    "

      wrong : the query is empty (such as "host.up".over("*").by("host").last(3).count_by_status())
    "tcp.can_connect"
      wrong "tcp.can_connect": what to count is missing (end it with .count_by_status() or .pct_by_status())
      doubtful "tcp.can_connect": the number of results is missing (such as .last(2))
    "".over("*").by("host").last(2).count_by_status()
      wrong "": the check has no name (such as "tcp.can_connect")
    "tcp.can_connect".over("").by("host").last(2).count_by_status()
      wrong .over(""): over is blank (write a tag, such as .over("*"))
    "tcp.can_connect".over().by("host").last(2).count_by_status()
      wrong .over(): over is blank (write a tag, such as .over("*"))
    "tcp.can_connect".over("*").by("").last(2).count_by_status()
      wrong .by(""): by is blank (write a key, such as .by("host"))
    "tcp.can_connect".over("*").by("host").last().count_by_status()
      wrong .last(): last is blank (such as .last(2))
    "tcp.can_connect".over("*").by("host").last(0).count_by_status()
      wrong 0: 0 is not a number of results (write a whole number from 1 to 100)
    "tcp.can_connect".over("*").by("host").last(two).count_by_status()
      wrong two: two is not a number of results (write a whole number from 1 to 100)
    "tcp.can_connect".over("*").by("host").last(2)
      wrong .last(2): what to count is missing (end it with .count_by_status() or .pct_by_status())
    "tcp.can_connect".over("*).by("host").last(2).count_by_status()
      wrong "*: the quote before * is not closed (write "*")
    "tcp.can_connect.over("*").by("host").last(2).count_by_status()
      wrong *: * cannot stand here (expected a step or the end)
    "tcp.can_connect".over("*").by("host").last(2).count_by_status(
      wrong (: the query ends too early (such as "host.up".over("*").by("host").last(3).count_by_status())
    "tcp.can_connect".over("*").by("host").last(2).count_by_status() and more
      wrong and: and cannot stand here (expected a step or the end)
    "
  `);
});

test('queries that only some deployments accept give a warning', () => {
  const odd = [
    `'tcp.can_connect'.over('*').by('host').last(2).count_by_status()`,
    '"orders.settled".over("env:prod").last(2).count_by_status()',
    '"kubelet.check".over("*").last(2).count_by_status()',
    '"tcp.can_connect".over("*").exclude("").by("host").last(2).count_by_status()',
    '"tcp.can_connect".over(env:prod).by("host").last(2).count_by_status()',
    '"tcp.can_connect".over("*").by("host").count_by_status()',
    '"tcp.can_connect".over("*").by("host").last("2").count_by_status()',
    '"tcp.can_connect".over("*").over("a").by("host").last(2).count_by_status()',
    '"tcp.can_connect".over("*").near("a").by("host").last(2).count_by_status()',
    '"tcp.can_connect".over("*").by("host").count_by_status("a").last(2)',
    '"tcp.can_connect".over("*").by("host").last(2).count_by_status() > 1',
  ];
  for (const query of odd) expect([query, check(type, query).verdict]).toEqual([query, 'doubtful']);
  expect(table(type, odd)).toMatchInlineSnapshot(`
    "
    'tcp.can_connect'.over('*').by('host').last(2).count_by_status()
      doubtful 'tcp.can_connect': single quotes are the old spelling (write double quotes)
    "orders.settled".over("env:prod").last(2).count_by_status()
      doubtful "orders.settled": some deployments refuse a custom check without a grouping (such as .by("host"))
    "kubelet.check".over("*").last(2).count_by_status()
      doubtful "kubelet.check": some deployments refuse a custom check without a grouping (such as .by("host"))
    "tcp.can_connect".over("*").exclude("").by("host").last(2).count_by_status()
      doubtful .exclude(""): exclude is blank (write a tag, such as .exclude("*"))
    "tcp.can_connect".over(env:prod).by("host").last(2).count_by_status()
      doubtful env:prod: env:prod stands without quotes (write "env:prod")
    "tcp.can_connect".over("*").by("host").count_by_status()
      doubtful "tcp.can_connect": the number of results is missing (such as .last(2))
    "tcp.can_connect".over("*").by("host").last("2").count_by_status()
      doubtful "2": the count is in quotes (write .last(2))
    "tcp.can_connect".over("*").over("a").by("host").last(2).count_by_status()
      doubtful over: over is repeated (remove one of them)
    "tcp.can_connect".over("*").near("a").by("host").last(2).count_by_status()
      doubtful near: near is not a known step of a service check (write over, exclude, by, last, count_by_status or pct_by_status)
    "tcp.can_connect".over("*").by("host").count_by_status("a").last(2)
      doubtful "a": count_by_status takes no argument
      doubtful last: last usually comes before count_by_status
    "tcp.can_connect".over("*").by("host").last(2).count_by_status() > 1
      doubtful > 1: a service check has its thresholds in the options (remove the comparison)
    "
  `);
});

test('a tree has groups and count with their positions', () => {
  const query = ` "tcp.can_connect" .over("env:prod", 'db').exclude("host:a").last( 12 ).by("host","port").count_by_status()`;
  const { check: name, groups, count, isShare } = serviceCheck.parse(query);
  const cut = (span: { readonly start: number; readonly end: number } | undefined) =>
    span && query.slice(span.start, span.end);
  expect([name, ...groups, count].map(cut)).toEqual(['"tcp.can_connect"', 'host', 'port', '12']);
  expect([name.text, count?.value, isShare]).toEqual(['tcp.can_connect', 12, false]);
});
