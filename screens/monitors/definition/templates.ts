import type { MonitorKind, Template, TemplateContext } from './setting.ts';

/** Two queries of which the formula shows a share in percent. */
const share = 'formula("query2 / query1 * 100").last("15m") > 5';

/** One of the variables of a formula over events: how many match a search (docs/contract/monitor-queries.md#formula). */
const counted = (name: string, source: string, query: string) => ({
  name,
  data_source: source,
  compute: { aggregation: 'count' },
  search: { query },
  group_by: [],
});

/** A formula over events: the share of those that `search` finds. */
const overEvents = (id: string, title: string, type: string, source: string, search: string): MonitorKind => ({
  id: `formula-${id}`,
  title: `formula over ${title}`,
  watches: 'arithmetic over several counts',
  type,
  family: 'event',
  formula: true,
  template: () => ({
    query: share,
    options: { variables: [counted('query1', source, '*'), counted('query2', source, search)] },
  }),
});

const metric = (id: string, watches: string, template: Template): MonitorKind => ({
  id,
  title: id,
  watches,
  type: 'query alert',
  family: 'metric',
  template: () => template,
});

const check = (
  id: string,
  watches: string,
  name: string | ((given: TemplateContext) => string),
  by: readonly string[],
): MonitorKind => ({
  id: `${id}-check`,
  title: `service check: ${id}`,
  watches,
  type: 'service check',
  family: 'check',
  template: (given) => ({
    query: `"${typeof name === 'string' ? name : name(given)}".over("*").by(${by.map((key) => `"${key}"`).join(',')}).last(3).count_by_status()`,
    options: { thresholds: { ok: 1, warning: 1, critical: 2 } },
  }),
});

const event = (id: string, title: string, watches: string, query: string, type = `${id} alert`): MonitorKind => ({
  id,
  title,
  watches,
  type,
  family: 'event',
  template: () => ({ query }),
});

const objective = (id: string, watches: string, template: MonitorKind['template']): MonitorKind => ({
  id: `slo-${id}`,
  title: `SLO: ${id.replace('-', ' ')}`,
  watches,
  type: 'slo alert',
  family: 'slo',
  template,
});

/** Every kind that can be made here, in the order in which they are offered. */
export const monitorKinds: readonly MonitorKind[] = [
  metric('metric', 'a metric against a threshold', { query: 'avg(last_5m):avg:system.cpu.user{*} by {host} > 90' }),
  metric('change', 'the change of a metric, also in percent', {
    query: 'pct_change(avg(last_5m),1h_ago):avg:queue.depth{*} > 50',
  }),
  metric('anomaly', 'a metric out of its usual range', {
    query:
      "avg(last_4h):anomalies(sum:requests.count{*}.as_count(), 'agile', 2, direction='both', " +
      "alert_window='last_15m', interval=60, count_default_zero='true', seasonality='daily') >= 1",
    options: { threshold_windows: { trigger_window: 'last_15m', recovery_window: 'last_15m' } },
  }),
  metric('outlier', 'a group that behaves unlike the others', {
    query: "avg(last_1h):outliers(avg:system.load.1{*} by {host}, 'DBSCAN', 3) > 0",
  }),
  metric('forecast', 'a metric that will cross a threshold', {
    query: "max(next_1w):forecast(avg:disk.used_pct{*} by {host}, 'linear', 1) >= 95",
  }),
  event(
    'log',
    'logs',
    'logs of a search; needs an unscoped key',
    'logs("status:error").index("*").rollup("count").by("service").last("5m") > 100',
  ),
  {
    id: 'composite',
    title: 'composite',
    watches: 'several other monitors together',
    type: 'composite',
    family: 'composite',
    template: () => ({ query: '' }),
  },
  check('custom', 'what a custom check reports', 'app.is_ready', ['host']),
  check('host', 'whether hosts report', ({ hostCheck }) => hostCheck, ['host']),
  check('network', 'whether ports and addresses answer', 'tcp.can_connect', ['host', 'port']),
  check('process', 'whether a process runs, by its check', 'process.up', ['host', 'process']),
  {
    id: 'process',
    title: 'live process',
    watches: 'how many processes match a search',
    type: 'process alert',
    family: 'process',
    template: () => ({ query: 'processes("worker").over("*").rollup("count").last("10m") < 1' }),
  },
  objective('error-budget', 'how much of an error budget is used up', ({ objective: id }) => ({
    query: `error_budget("${id}").over("30d") > 75`,
  })),
  objective('burn-rate', 'how fast an error budget is used up', ({ objective: id }) => ({
    query: `burn_rate("${id}").over("30d").long_window("1h").short_window("5m") > 7`,
  })),
  event('event-v2', 'events', 'events that match a search', 'events("source:deploy").rollup("count").last("15m") > 0'),
  event(
    'watchdog',
    'watchdog',
    'anomalies that the service finds',
    'events("source:watchdog story_category:apm").rollup("count").by("service").last("30m") > 0',
    'event-v2 alert',
  ),
  event(
    'trace-analytics',
    'APM trace analytics',
    'spans that match a search',
    'trace-analytics("status:error").rollup("count").by("service").last("5m") > 100',
  ),
  event(
    'error-tracking',
    'error tracking',
    'errors that are new or affect many users',
    'error-tracking("*").source("all").new().rollup("count").by("@issue.id").last("1d") > 0',
  ),
  event('rum', 'RUM', 'what browsers and apps report', 'rum("@type:error").rollup("count").last("5m") > 50'),
  event(
    'audit',
    'audit',
    'who did what in the organization',
    'audits("@evt.name:Authentication").rollup("count").by("@usr.email").last("1h") > 20',
  ),
  event(
    'ci-pipelines',
    'CI pipelines',
    'pipelines that fail or take long',
    'ci-pipelines("ci_level:pipeline @ci.status:error").rollup("count").by("@ci.pipeline.name").last("1h") >= 3',
  ),
  event(
    'ci-tests',
    'CI tests',
    'tests that fail',
    'ci-tests("@test.status:fail").rollup("count").by("@test.service").last("1h") > 5',
  ),
  event(
    'database-monitoring',
    'database monitoring',
    'statements and what they cost',
    'database-monitoring("*").rollup("avg","@duration").by("host").last("15m") > 5',
  ),
  event(
    'network-performance',
    'network performance',
    'traffic between services',
    'network-performance("*").rollup("avg","bytes_sent").by("service").last("1h") > 1000000',
  ),
  event(
    'network-path',
    'network path',
    'the path of packets, hop by hop',
    'network-path("*").index("netpath-path").rollup("avg","hop_latency").last("15m") > 50',
  ),
  {
    id: 'cost',
    title: 'cloud cost',
    watches: 'what the cloud costs, and how it changes',
    type: 'cost alert',
    family: 'cost',
    formula: true,
    template: () => ({
      query: 'formula("query1").last("7d") > 1000',
      options: {
        variables: [
          { name: 'query1', data_source: 'cloud_cost', aggregator: 'sum', query: 'sum:all.cost{*} by {service}' },
        ],
      },
    }),
  },
  {
    id: 'formula-metric',
    title: 'formula over metrics',
    watches: 'arithmetic over several metric queries',
    type: 'query alert',
    family: 'metric',
    formula: true,
    template: () => ({
      query: share,
      options: {
        variables: ['count', 'errors'].map((name, index) => ({
          name: `query${index + 1}`,
          data_source: 'metrics',
          aggregator: 'sum',
          query: `sum:requests.${name}{*}.as_count()`,
        })),
      },
    }),
  },
  overEvents('logs', 'logs', 'log alert', 'logs', 'status:error'),
  overEvents('events', 'events', 'event-v2 alert', 'events', 'status:error'),
  overEvents('spans', 'spans', 'trace-analytics alert', 'spans', 'status:error'),
  overEvents('rum', 'RUM', 'rum alert', 'rum', '@type:error'),
  overEvents('audit', 'audit', 'audit alert', 'audit', 'status:error'),
  overEvents('ci-pipelines', 'CI pipelines', 'ci-pipelines alert', 'ci_pipelines', '@ci.status:error'),
  overEvents('ci-tests', 'CI tests', 'ci-tests alert', 'ci_tests', '@test.status:fail'),
  overEvents('databases', 'database monitoring', 'database-monitoring alert', 'database_queries', '@duration:>5'),
  overEvents('network', 'network performance', 'network-performance alert', 'network', 'env:prod'),
  overEvents('network-path', 'network path', 'network-path alert', 'network_path', 'env:prod'),
  {
    id: 'other',
    title: 'other kind',
    watches: 'any kind, as a JSON definition',
    // A type that deployments have beside those of the specification (docs/contract/monitor-queries.md#types).
    type: 'llm-observability alert',
    family: 'unknown',
    whole: true,
    template: () => ({ query: 'llm-observability("*").rollup("count").last("2h") > 0' }),
  },
];

/** Stands in the query of a new monitor for the id of an SLO where none is known. */
export const unknownObjective = 'id-of-the-slo';

/** A kind by its id. */
export const kindBy = (id: string): MonitorKind | undefined => monitorKinds.find((kind) => kind.id === id);
