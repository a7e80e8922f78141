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

test('suggestions fit their position', () => {
  const at = (...marked: readonly string[]) =>
    `\n${marked.map((text) => `${text}\n  ${offered('query alert', text).join(' · ')}`).join('\n')}\n`;
  expect(
    at(
      '',
      'p',
      'avg(',
      'max(next',
      'avg(last_7m',
      'change(',
      'change(avg(',
      'change(avg(last_5m)',
      'change(avg(last_5m),1',
      'avg(last_5m):',
      'avg(last_5m):av',
      'avg(last_5m):avg:cpu',
      'avg(last_5m):avg:cpu.used{en',
      'avg(last_5m):avg:cpu.used{env:prod',
      'avg(last_5m):avg:cpu.used{(env:prod',
      'avg(last_5m):avg:cpu.used{env:prod,|} > 1',
      'avg(last_5m):avg:cpu.used{*}',
      'avg(last_5m):avg:cpu.used{*} b',
      'avg(last_5m):avg:cpu.used{*} by',
      'avg(last_5m):avg:cpu.used{*} by {host,',
      'avg(last_5m):avg:cpu.used{*}.as',
      'avg(last_5m):avg:cpu.used{*}.rollup(',
      'avg(last_5m):avg:cpu.used{*}.fill(z',
      'avg(last_5m):abs(avg:cpu.used{*}',
      'avg(last_5m):anomalies(avg:cpu.used{*}, ',
      "avg(last_5m):anomalies(avg:cpu.used{*}, 'basic', ",
      "avg(last_5m):anomalies(avg:cpu.used{*}, 'basic', 2, direction='both', ",
      "avg(last_5m):anomalies(avg:cpu.used{*}, 'basic', 2, seasonality=",
      "max(next_1w):forecast(avg:cpu.used{*}, 'linear', 1, ",
      'avg(last_5m):avg:cpu.used{*} > ',
    ),
  ).toMatchInlineSnapshot(`
    "

      avg( · sum( · min( · max( · change( · pct_change(
    p
      pct_change(
    avg(
      last_5m): · last_15m): · last_1h): · last_4h): · last_1d): · last_1w): · next_1w): · current_1h): · current_1d): · current_1mo):
    max(next
      next_1w):
    avg(last_7m
      ):
    change(
      avg( · sum( · min( · max(
    change(avg(
      last_5m), · last_15m), · last_1h), · last_1d), · last_2d),
    change(avg(last_5m)
      ,
    change(avg(last_5m),1
      10m_ago): · 15m_ago): · 1h_ago): · 1d_ago):
    avg(last_5m):
      avg: · sum: · min: · max: · cpu.used · cpu.free · queue.depth · anomalies(^, 'basic', 2) · outliers(^, 'DBSCAN', 3) · forecast(^, 'linear', 1) · default_zero( · exclude_null( · abs( · per_minute( · diff( · derivative( · ewma_5( · hour_before( · day_before( · week_before(
    avg(last_5m):av
      avg:
    avg(last_5m):avg:cpu
      cpu.used · cpu.free
    avg(last_5m):avg:cpu.used{en
      env:prod
    avg(last_5m):avg:cpu.used{env:prod
      , · }
    avg(last_5m):avg:cpu.used{(env:prod
      , · ) · }
    avg(last_5m):avg:cpu.used{env:prod,|} > 1
      env:prod^} · host:web-1^} · }
    avg(last_5m):avg:cpu.used{*}
       by {^} · .as_count() · .as_rate() · .rollup(^avg, 60) · .fill(zero) ·  +  ·  -  ·  *  ·  /  ·  >  ·  >=  ·  <  ·  <=  ·  ==  ·  != 
    avg(last_5m):avg:cpu.used{*} b
      by {^}
    avg(last_5m):avg:cpu.used{*} by
      by {^}
    avg(last_5m):avg:cpu.used{*} by {host,
      host · env
    avg(last_5m):avg:cpu.used{*}.as
      .as_count() · .as_rate()
    avg(last_5m):avg:cpu.used{*}.rollup(
      avg · sum · min · max · count · )
    avg(last_5m):avg:cpu.used{*}.fill(z
      zero
    avg(last_5m):abs(avg:cpu.used{*}
       by {^} · .as_count() · .as_rate() · .rollup(^avg, 60) · .fill(zero) ·  +  ·  -  ·  *  ·  /  · ,  · )
    avg(last_5m):anomalies(avg:cpu.used{*}, 
      'basic' · 'agile' · 'robust'
    avg(last_5m):anomalies(avg:cpu.used{*}, 'basic', 
      2
    avg(last_5m):anomalies(avg:cpu.used{*}, 'basic', 2, direction='both', 
      alert_window='last_15m' · interval=60 · count_default_zero='true' · seasonality='hourly' · timezone='UTC'
    avg(last_5m):anomalies(avg:cpu.used{*}, 'basic', 2, seasonality=
      'hourly' · 'daily' · 'weekly'
    max(next_1w):forecast(avg:cpu.used{*}, 'linear', 1, 
      interval='60m' · history='1w' · model='default' · seasonality='hourly' · timeshift=-3600
    avg(last_5m):avg:cpu.used{*} > 
      
    "
  `);
});
