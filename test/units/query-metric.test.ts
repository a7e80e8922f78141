import { expect, test } from 'vitest';
import { metricLanguage } from '../../src/query/metric.ts';
import { findAlertWindow, findWindow, findWrapping, groupingKeys, metricQueries } from '../../src/query/metric-tree.ts';

test('a tree has metric, window and grouping', () => {
  const text =
    'change(avg(last_4h),1h_ago):100 * (sum:a.b{env:prod AND !host:x} by {svc}) / abs(avg:c{*} by {svc, zone}) + top(sum:d{*}, 5, mean) > -1';
  const tree = metricLanguage.parse(text);
  const cut = (span: { readonly start: number; readonly end: number } | undefined) =>
    span && text.slice(span.start, span.end);
  expect(
    metricQueries(tree).map(({ series, groups }) => ({
      series: cut(series),
      name: series.name.text,
      aggregator: series.aggregator?.text,
      scope: cut(series.scope),
      groups: groups.map(cut),
    })),
  ).toEqual([
    {
      series: 'sum:a.b{env:prod AND !host:x}',
      name: 'a.b',
      aggregator: 'sum',
      scope: '{env:prod AND !host:x}',
      groups: ['svc'],
    },
    { series: 'avg:c{*}', name: 'c', aggregator: 'avg', scope: '{*}', groups: ['svc', 'zone'] },
    { series: 'sum:d{*}', name: 'd', aggregator: 'sum', scope: '{*}', groups: [] },
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
