import { expect, test } from 'vitest';
import { serviceCheck } from '../../src/query/state-queries.ts';

test('a tree has groups and count with their positions', () => {
  const query = ` "tcp.can_connect" .over("env:prod", 'db').exclude("host:a").last( 12 ).by("host","port").count_by_status()`;
  const { check: name, groups, count, isShare } = serviceCheck.parse(query);
  const cut = (span: { readonly start: number; readonly end: number } | undefined) =>
    span && query.slice(span.start, span.end);
  expect([name, ...groups, count].map(cut)).toEqual(['"tcp.can_connect"', 'host', 'port', '12']);
  expect([name.text, count?.value, isShare]).toEqual(['tcp.can_connect', 12, false]);
});
