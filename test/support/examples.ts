/** A query of a monitor type, with the options that affect its validity. */
export interface Example {
  readonly type: string;
  readonly query: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

type Entry = string | readonly [query: string, options: Example['options']];

/** Valid, invalid and deployment-dependent queries. */
interface Examples {
  readonly valid: readonly Entry[];
  readonly invalid: readonly Entry[];
  readonly doubtful?: readonly Entry[];
}

const cost = (...names: readonly string[]) => ({
  variables: names.map((name) => ({ name, data_source: 'cloud_cost', aggregator: 'sum', query: 'sum:all.cost{*}' })),
});
const events = (data_source: string, ...names: readonly string[]) => ({
  variables: names.map((name) => ({ name, data_source, compute: { aggregation: 'count' }, search: { query: '' } })),
});
const metrics = { variables: [{ name: 'query1', data_source: 'aggregate_filtered_query', base_query: {} }] };
const jobs = { variables: [{ name: 'run_query', job_type: 'batch.job', jobs_query: '*', query_dialect: 'metric' }] };
const trigger = (trigger_window: string) => ({
  threshold_windows: { trigger_window, recovery_window: trigger_window },
});
const anomalies = (rest: string) => `avg(last_4h):anomalies(avg:cpu{*} by {host}, ${rest}`;

/** Every example of docs/contract/monitor-queries.md; abbreviated ones are completed. */
const examples: Readonly<Record<string, Examples>> = {
  'query alert': {
    valid: [
      'avg(last_1h):sum:net.bytes{host:h1} > 100',
      'min(last_5m):avg:pool.free{*} by {site} < 1',
      'avg(last_5m):load.avg{host:h1} > 6',
      [
        'avg(current_1mo):avg:quota.used{*} > 0.5',
        { scheduling_options: { evaluation_window: { day_starts: '04:00', month_starts: 1 } } },
      ],
      'change(min(last_1m),last_5m):sum:http.5xx{app,team:x} + sum:http.4xx{app,team:x} > 5',
      'pct_change(avg(last_5m),5m_ago):avg:req.rate{*} by {svc} > 50',
      'change(max(last_30m),1h_ago):max:queue.depth{env:prod} >= 10',
      [
        anomalies(
          "'basic', 2, direction='both', alert_window='last_15m', interval=60, count_default_zero='true') >= 1",
        ),
        trigger('last_15m'),
      ],
      ["avg(last_1h):anomalies(avg:cpu{role:db}, 'basic', 2, direction='above') >= 1", trigger('last_15m')],
      [
        "avg(last_1d):anomalies(sum:hits{placement:x}.as_count(),'agile',2,direction='below',alert_window='last_1h',interval=300,count_default_zero='true',seasonality='hourly')>=1",
        trigger('last_1h'),
      ],
      "avg(last_30m):outliers(avg:cpu{role:api} by {host}, 'dbscan', 7) > 0",
      "avg(last_1h):outliers(sum:req{*} by {zone}, 'MAD', 3, 20) > 0",
      "avg(last_15m):outliers(avg:lat{env:prod} by {pod}, 'scaledDBSCAN', 4) > 0",
      "max(next_1w):forecast(avg:disk.used_pct{*} by {host}, 'linear', 1, interval='60m', history='1w', model='default') >= 95",
      "min(next_1d):forecast(sum:license.free{*}, 'linear', 2) <= 10",
      "max(next_3d):forecast(avg:queue.depth{q:a}, 'seasonal', 1, seasonality='weekly') >= 1000",
      ['formula("query1").rollup("sum").last("5m") > 124', metrics],
    ],
    invalid: [
      'THIS IS A BAD QUERY',
      'avg(last_20000m):avg:cpu{*} > 1',
      'median(last_5m):avg:cpu{*} > 1',
      'avg(last_5m):avg:cpu{*} => 1',
      ['avg(last_5m):avg:cpu{*} > 200', { thresholds: { critical: 90 } }],
      'change(avg(last_3d),1d_ago):avg:a{*} > 1',
      'pct_change(avg(last_5m),7m_ago):avg:a{*} > 1',
      'change(last_5m):avg:a{*} > 1',
      anomalies("'basic', 2, direction='both', alert_window='last_15m') >= 5"),
      [anomalies("'basic', 2, alert_window='last_15m') >= 1"), trigger('last_30m')],
      "avg(last_4h):anomalies(avg:cpu{*}, 'magic', 2) >= 1",
      [anomalies("'basic', 2) >= .9"), { thresholds: { critical: 0.9, critical_recovery: 0.95 } }],
      "avg(last_30m):outliers(avg:cpu{*}, 'dbscan', 7) > 0",
      "avg(last_30m):outliers(avg:cpu{*} by {host}, 'dbscan', 7) > 5",
      "avg(last_30m):outliers(avg:cpu{*} by {host}, 'knn', 7) > 0",
      "max(next_1w):forecast(avg:a{*}, 'linear', 1) <= 10",
      "avg(next_1w):forecast(avg:a{*}, 'linear', 1) >= 1",
      "max(next_1w):forecast(avg:a{*}, 'poly', 1) >= 1",
    ],
  },
  'service check': {
    valid: [
      '"db.can_connect".over("db").by("*").last(2).count_by_status()',
      '"custom.check".by("environment:foo").last(2).count_by_status()',
      '"ntp.in_sync".over("*").last(2).count_by_status()',
      '"host.up".over("*").by("host").last(2).count_by_status()',
      '"process.up".over("process:web").by("host","process").last(4).count_by_status()',
      '"tcp.can_connect".over("*").by("host","port").last(5).count_by_status()',
      [
        '"http.can_connect".over("env:prod","role:web").by("host","url").last(6).count_by_status()',
        { thresholds: { ok: 1, warning: 3, critical: 5 } },
      ],
    ],
    invalid: [
      ['"host.up".over("*").by("host").last(2).count_by_status()', { thresholds: { critical: 3 } }],
      '"host.up".over("*").by("host").last(150).count_by_status()',
      'custom.check.over("*").by("host").last(2).count_by_status()',
    ],
    // Some deployments refuse a custom check without a grouping, others accept it (docs/contract/monitor-queries.md#service-check).
    doubtful: ['"custom.check".over("*").last(2).count_by_status()'],
  },
  'event-v2 alert': {
    valid: [
      'events("source:deploy").rollup("count").last("5m") > 1000',
      'events("priority:low").rollup("count").by("host").last("1h") >= 5',
      'events("source:watchdog story_category:apm").rollup("cardinality","service").last("30m") > 3',
    ],
    invalid: ['query', 'events("a").rollup("count").last("3000m") > 1', 'events("a").rollup("count") > 1'],
  },
  'log alert': {
    valid: [
      'logs("service:foo AND type:error").index("main").rollup("count").by("source,status").last("5m") > 2',
      'logs("*").index("*").rollup("count").last("5m") < 100',
      'logs("@http.status_code:>=500").index("*").rollup("avg","@duration").by("service").last("15m") > 200',
    ],
    invalid: [
      'query',
      "logs('*').index('*').rollup('count').last('5m') > 1",
      'logs("*").index("*").rollup("avg").last("5m") > 1',
      'logs("*").index("*").rollup("count").last("49h") > 1',
    ],
  },
  'trace-analytics alert': {
    valid: [
      'trace-analytics("service:api status:error").rollup("count").by("resource_name,env").last("5m") > 100',
      'trace-analytics("env:prod").rollup("avg","@duration").last("1h") >= 2',
      'trace-analytics("service:db").rollup("cardinality","@usr.id").last("15m") > 10',
    ],
    invalid: [
      'trace-analytics("a").index("main").rollup("count").last("5m") > 1',
      'trace-analytics("a").rollup("count").last("5d") > 1',
      'trace-analytics("a").rollup("median","@d").last("5m") > 1',
    ],
  },
  'rum alert': {
    valid: [
      'rum("@type:error").rollup("count").last("5m") > 10',
      'rum("*").index("*").rollup("count").last("1d") < 1',
      'rum("@type:view").rollup("cardinality","@session.id").last("1h") >= 100',
      ['formula("query2 / query1 * 100").last("15m") >= 0.8', events('rum', 'query1', 'query2')],
      ['formula("var1 + var2").last("5m") > 100', events('rum', 'var1', 'var2')],
    ],
    invalid: [
      'rum("*).rollup("count").last("5m") > 1',
      'rum("*").rollup("count").last("5m")',
      'rum("*").rollup("count").last("") > 1',
      ['formula("query3").last("5m") > 1', events('rum', 'query1')],
      ['formula(query1).last("5m") > 1', events('rum', 'query1')],
      ['formula("query1") > 1', events('rum', 'query1')],
      ['formula("query1 //").last("5m") > 1', events('rum', 'query1')],
    ],
  },
  'audit alert': {
    valid: [
      'audits("status:error").rollup("cardinality","@usr.id").last("5m") > 250',
      'audits("@evt.name:Authentication").rollup("count").by("@usr.email").last("1h") >= 5',
      'audits("*").rollup("count").last("48h") < 1',
    ],
    invalid: [
      'audit("*").rollup("count").last("5m") > 1',
      'audits("*").index("x").rollup("count").last("5m") > 1',
      'audits("*").rollup("count").last("2881m") > 1',
    ],
  },
  'ci-pipelines alert': {
    valid: [
      'ci-pipelines("ci_level:pipeline @git.branch:staging* @ci.status:error").rollup("count").by("@git.branch,@ci.pipeline.name").last("5m") >= 1',
      'ci-pipelines("@ci.status:error").rollup("count").last("15m") > 3',
      'ci-pipelines("ci_level:job").rollup("avg","@duration").last("1h") > 600',
      ['formula("query2 / query1 * 100").last("15m") >= 0.8', events('ci_pipelines', 'query1', 'query2')],
    ],
    invalid: [
      'ci_pipelines("*").rollup("count").last("5m") > 1',
      'ci-pipelines("*").rollup("count").last("15m") >',
      'ci-pipelines("*").rollup("count").last("3d") > 1',
    ],
  },
  'ci-tests alert': {
    valid: [
      'ci-tests("type:test @git.branch:staging* @test.status:fail").rollup("count").by("@test.name").last("5m") >= 1',
      'ci-tests("@test.status:fail").rollup("cardinality","@test.name").last("1h") > 2',
      'ci-tests("*").rollup("count").last("24h") < 1',
      ['formula("query2 / query1 * 100").last("15m") >= 0.8', events('ci_tests', 'query1', 'query2')],
    ],
    invalid: [
      'ci-tests("*").rollup("count").last("5m") >> 1',
      'ci-tests("*").rollup("count").by("").last("5m") > 1',
      'ci-tests("*").rollup("count").last("72h") > 1',
    ],
  },
  'database-monitoring alert': {
    valid: [
      'database-monitoring("dbms:sql").rollup("count").last("5m") > 10',
      'database-monitoring("*").rollup("avg","@duration").by("host").last("15m") > 5',
      'database-monitoring("env:prod").rollup("cardinality","@query_signature").last("1h") > 50',
    ],
    invalid: [
      'database-monitoring("*").index("a").rollup("count").last("5m") > 1',
      'database-monitoring("*").rollup("count").last("0m") > 1',
      'database-monitoring("*").last("5m") > 1',
    ],
  },
  'network-performance alert': {
    valid: [
      'network-performance("service:api").rollup("count").last("5m") > 10',
      'network-performance("*").rollup("avg","bytes_sent").by("service").last("1h") >= 5',
      'network-performance("*").rollup("cardinality","host").last("30m") > 3',
    ],
    invalid: [
      'network-performance("*").index("a").rollup("count").last("5m") > 1',
      'network-performance("*").rollup("count").last("49h") > 1',
      'network-performance("*").rollup("count").last("5m") > high',
    ],
  },
  'network-path alert': {
    valid: [
      'network-path("source:a").index("netpath-path").rollup("avg","hop_latency").last("15m") > 50',
      'network-path("*").index("netpath-hop").rollup("count").last("5m") > 1',
      'network-path("*").index("netpath-path").rollup("cardinality","destination").last("1h") >= 1',
    ],
    invalid: [
      'network-path("*").index("main").rollup("count").last("5m") > 1',
      'network-path("*").rollup("count").last("5m") > 1',
      'network-path("*").index("netpath-path").rollup("count").last("90h") > 1',
    ],
  },
  'llm-observability alert': {
    valid: [
      'llm-observability("*").rollup("count").last("2h") > 0',
      'llm-observability("@status:error").rollup("count").by("ml_app").last("1h") > 3',
      'llm-observability("*").rollup("avg","@duration").last("30m") > 9',
    ],
    invalid: [
      "llm-observability('*').rollup('count').last('2h') > 0",
      'llm-observability("*").rollup("count").last("3000m") > 0',
      'llm-observability("*").rollup("count") > 0',
    ],
  },
  'error-tracking alert': {
    valid: [
      'error-tracking("service:api").source("backend").new().rollup("count").by("@issue.id").last("1d") > 0',
      'error-tracking("env:prod").source("browser").impact().rollup("cardinality","@session.id").by("issue.id,service").last("1h") >= 50',
      'error-tracking("*").new().rollup("count").by("issue.id").last("30m") >= 1',
      'error-tracking-rum("service:foo AND @error.source:source").rollup("count").by("@issue.id").last("1h") >= 1',
    ],
    invalid: [
      'error-tracking("*").source("backend").rollup("count").by("@issue.id").last("1h") > 1',
      'error-tracking("*").source("desktop").new().rollup("count").by("@issue.id").last("1h") > 1',
      'error-tracking("*").new().rollup("count").by("service").last("1h") > 1',
      'error-tracking("*").new().rollup("count").by("@issue.id").last("49h") > 1',
    ],
  },
  'process alert': {
    valid: [
      "processes('java').over('env:prod').rollup('count').last('10m') < 1",
      'processes("nginx").over("host:h1","role:web").rollup("count").last("4h") >= 1',
      'processes("cron").rollup("count").last("30s") > 50',
    ],
    invalid: [
      'processes("java").rollup("count").last("10w") > 1',
      'processes("java").rollup("avg").last("10m") > 1',
      'processes("java").rollup("count").last("10m") >',
    ],
  },
  composite: {
    valid: ['( 1001 && !1002 ) || ( !1001 && 1002 )', '1001 && 1002', '1001'],
    invalid: ['1001 &&', '1001 AND 1002', '1001 & 1002'],
  },
  'slo alert': {
    valid: [
      'error_budget("slo-a1").over("30d") > 75',
      "error_budget('slo-a1').over('7d') >= 50",
      'burn_rate("slo-a1").over("30d").long_window("1h").short_window("5m") > 7.5',
    ],
    invalid: ['error_budget("slo-a1").over("14d") > 75', 'error_budget("slo-a1").over("7d") < 75'],
  },
  'cost alert': {
    valid: [
      ['formula("query1").last("30d").anomaly(direction="both") > 6', cost('query1')],
      ['formula("exclude_null(query1)").last("7d").anomaly(direction="above", threshold=10) >= 5', cost('query1')],
      ['formula("query1").last("7d") < 100', cost('query1')],
      ['formula("query1").last("7d").change("relative") > 20', cost('query1')],
      ['formula("query1").current("30d").forecast() > 5000', cost('query1')],
    ],
    invalid: [
      ['formula("query1").last("7d").change("relative") >= 20', cost('query1')],
      ['formula("query1").last("7d").anomaly(direction="up") >= 1', cost('query1')],
      ['formula("query1").last("6h") > 1', cost('query1')],
      ['formula("query1 + query2").last("7d") > 1', cost('query1')],
      ['formula("query1").last("7d") > 1', {}],
    ],
  },
  'data-jobs alert': {
    valid: [['formula("failed_runs(run_query)").by(job_name,workspace_name).last(10d) > 0', jobs]],
    invalid: [],
  },
};

function all(which: keyof Examples): Example[] {
  return Object.entries(examples).flatMap(([type, its]) =>
    (its[which] ?? []).map((entry) => {
      const [query, options] = typeof entry === 'string' ? [entry] : entry;
      return { type, query, ...(options ? { options } : {}) };
    }),
  );
}

export const valid = all('valid');
export const invalid = all('invalid');
export const doubtful = all('doubtful');
