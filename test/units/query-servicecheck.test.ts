import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { serviceCheck } from '../../src/query/service-check.ts';
import { said } from '../support/queries.ts';

const type = 'service check';

test('the count is compared with the thresholds, except where those are percentages', () => {
  const query = '"tcp.can_connect".over("*").by("host").last(2).count_by_status()';
  const thresholds = { ok: 1, warning: 2, critical: 3 };
  expect(said(type, query, { thresholds })).toMatchInlineSnapshot(
    `"wrong 2: last(2) is less than thresholds.critical, 3 (write last(3) or more)"`,
  );
  expect(check(type, query.replace('last(2)', 'last(3)'), { thresholds }).verdict).toBe('fine');
  expect(check(type, query.replace('count_by', 'pct_by'), { thresholds: { critical: 75 } }).verdict).toBe('fine');
});

test('a tree has groups and count with their positions', () => {
  const query = ` "tcp.can_connect" .over("env:prod", 'db').exclude("host:a").last( 12 ).by("host","port").count_by_status()`;
  const { check: name, groups, count, isShare } = serviceCheck.parse(query);
  const cut = (span: { readonly start: number; readonly end: number } | undefined) =>
    span && query.slice(span.start, span.end);
  expect([name, ...groups, count].map(cut)).toEqual(['"tcp.can_connect"', 'host', 'port', '12']);
  expect([name.text, count?.value, isShare]).toEqual(['tcp.can_connect', 12, false]);
});
