import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { completeQuery } from '../../src/query/complete.ts';

const known = {
  metrics: ['cpu.used', 'cpu.free', 'queue.depth'],
  tags: ['env:prod', 'host:web-1'],
  keys: ['host', 'env'],
  checks: ['tcp.can_connect', 'ntp.in_sync'],
};

/** A text with `|` at the cursor. */
function split(marked: string): { readonly text: string; readonly at: number } {
  const at = marked.includes('|') ? marked.indexOf('|') : marked.length;
  return { text: marked.replace('|', ''), at };
}

/** The suggestions at the cursor; `^` is the cursor after accepting. */
function offered(type: string, marked: string): string[] {
  const { text, at } = split(marked);
  return (completeQuery(type, text, at, known)?.items ?? []).map(({ text: offer, cursor }) =>
    cursor === undefined ? offer : `${offer.slice(0, cursor)}^${offer.slice(cursor)}`,
  );
}

/** The text after accepting a suggestion, with `|` at the cursor. */
function taken(type: string, marked: string, offer: string): string {
  const { text, at } = split(marked);
  const completion = completeQuery(type, text, at, known);
  const item = completion?.items.find((item) => item.text === offer);
  if (!completion || !item) throw new Error(`at ${marked} is no ${offer}, but ${offered(type, marked).join(' · ')}`);
  const cursor = completion.start + (item.cursor ?? item.text.length);
  const whole = text.slice(0, completion.start) + item.text + text.slice(completion.end);
  return `${whole.slice(0, cursor)}|${whole.slice(cursor)}`;
}

/** Accepts suggestions one after the other; a step that begins with `…` is typed. */
function written(type: string, ...steps: readonly string[]): string {
  const end = steps.reduce(
    (text, offer) => (offer.startsWith('…') ? text.replace('|', `${offer.slice(1)}|`) : taken(type, text, offer)),
    '|',
  );
  return end.replace('|', '');
}

test('a metric query can be written from suggestions, except the threshold', () => {
  const query = written(
    'query alert',
    ...[
      'avg(',
      'last_5m):',
      'avg:',
      'cpu.used',
      '{}',
      'env:prod}',
      '}',
      ' by {}',
      'host}',
      '}',
      '.as_count()',
      ' > ',
      '…90',
    ],
  );
  expect(query).toBe('avg(last_5m):avg:cpu.used{env:prod} by {host}.as_count() > 90');
  expect(check('query alert', query).verdict).toBe('fine');
});

test('a change query can be written from suggestions', () => {
  const query = written(
    'query alert',
    ...['pct_change(', 'max(', 'last_1h),', '1h_ago):', 'queue.depth', '{*}', ' / ', 'sum:', 'cpu.free', '{*}', ' >= '],
    '…5',
  );
  expect(query).toBe('pct_change(max(last_1h),1h_ago):queue.depth{*} / sum:cpu.free{*} >= 5');
  expect(check('query alert', query).verdict).toBe('fine');
});

test('an anomaly query can be written from suggestions', () => {
  const query = written(
    'query alert',
    ...['avg(', 'last_4h):', '…anomalies(', 'avg:', 'cpu.used', '{*}'],
    ...["…, 'agile', 3", ', ', "direction='both'", ', ', "alert_window='last_15m'", ')', ' >= '],
    '…1',
  );
  expect(query).toBe(
    "avg(last_4h):anomalies(avg:cpu.used{*}, 'agile', 3, direction='both', alert_window='last_15m') >= 1",
  );
  expect(check('query alert', query).verdict).toBe('fine');
  expect(written('query alert', 'avg(', 'last_4h):', "anomalies(, 'basic', 2)", 'avg:', 'cpu.used', '{*}')).toBe(
    "avg(last_4h):anomalies(avg:cpu.used{*}, 'basic', 2)",
  );
});

test('a service check can be written from suggestions', () => {
  const query = written(
    'service check',
    ...['"tcp.can_connect"', '.over("")', 'env:prod")', '.by("")', 'host")', '.last()', '2)', '.count_by_status()'],
  );
  expect(query).toBe('"tcp.can_connect".over("env:prod").by("host").last(2).count_by_status()');
  expect(check('service check', query).verdict).toBe('fine');
});
