import { hosts, inRegions, type Place, type Sketch, words } from './sketch.ts';

/** Monitors over everything else (contract/monitors.md 5.7 to 5.11), as a shop would have them. */
export const other = {
  hostCheck: (place) => ({
    name: `Host of ${place.service.name} is down`,
    type: 'service check',
    query: `"host.up".over("service:${place.service.name}","env:${place.env}").by("host").last(3).count_by_status()`,
    options: { thresholds: { ok: 2, warning: 2, critical: 3 }, notify_no_data: true, no_data_timeframe: 10 },
    groups: hosts(place, 'web'),
  }),
  httpCheck(place) {
    const url = (at: string): string => `url:https://${at}.shop.example.test/health`;
    return {
      name: `${place.service.name} does not answer its health check`,
      type: 'service check',
      query: `"http.can_connect".over("env:${place.env}","service:${place.service.name}").by("host","url").last(6).count_by_status()`,
      options: { thresholds: { ok: 1, warning: 3, critical: 5 } },
      groups: hosts(place, 'probe', 2, 4).map((host) => `${host},${url(place.service.name)}`),
    };
  },
  customCheck: (place) => ({
    name: `Certificate of ${place.service.name} expires`,
    type: 'service check',
    query: `"certificate.valid".over("service:${place.service.name}").by("region").last(2).count_by_status()`,
    options: { thresholds: { ok: 1, warning: 1, critical: 2 } },
    groups: inRegions(place),
  }),
  clock: (place) => ({
    name: `Clock of ${place.service.name} drifts`,
    type: 'service check',
    query: '"ntp.in_sync".over("*").last(2).count_by_status()',
    options: { thresholds: { ok: 1, critical: 2 } },
    groups: hosts(place, 'web', 2, 4),
  }),
  logs(place) {
    const limit = place.random.pick([20, 50, 200]);
    return {
      name: `Error logs of ${place.service.name}`,
      type: 'log alert',
      query: `logs("service:${place.service.name} status:error").index("main").rollup("count").by("host").last("5m") > ${limit}`,
      options: { enable_logs_sample: true, on_missing_data: 'show_no_data' },
      groups: hosts(place, 'web', 1, 5),
    };
  },
  formulaLogs(place) {
    const count = (name: string, query: string): unknown => ({
      name,
      data_source: 'logs',
      compute: { aggregation: 'count' },
      search: { query },
      indexes: ['*'],
      group_by: [],
    });
    return {
      name: `Share of failed logins at ${place.service.name}`,
      type: 'log alert',
      query: 'formula("failed / all * 100").last("15m") >= 10',
      options: {
        variables: [count('failed', '@evt.name:login @evt.outcome:failure'), count('all', '@evt.name:login')],
      },
    };
  },
  traces: (place) => ({
    name: `Failing resources in ${place.service.name}`,
    type: 'trace-analytics alert',
    query: `trace-analytics("${words(place)} status:error").rollup("count").by("resource_name").last("5m") > 100`,
    groups: ['resource_name:GET /items/?', 'resource_name:POST /orders', 'resource_name:PUT /cart/?'],
  }),
  rum: (place) => ({
    name: 'Rage clicks on the storefront',
    type: 'rum alert',
    query: `rum("@type:action @action.frustration.type:rage_click env:${place.env}").rollup("cardinality","@session.id").by("@view.url_path").last("15m") > 25`,
    groups: ['@view.url_path:/cart', '@view.url_path:/checkout', '@view.url_path:/item'],
  }),
  errors: (place) => ({
    name: `New error in ${place.service.name}`,
    type: 'error-tracking alert',
    query: `error-tracking("service:${place.service.name}").source("all").new().rollup("count").by("@issue.id").last("1d") > 0`,
    groups: ['@issue.id:5e0d1c', '@issue.id:77aa02'],
  }),
  composite(place) {
    const [one, other, third] = place.random.some(place.earlier, 3);
    const query = !other ? (one ?? '') : third ? `${one} && ( ${other} || !${third} )` : `${one} && ${other}`;
    return {
      name: `${place.service.name}: customers notice it`,
      type: 'composite',
      query,
      options: { thresholds: { critical: null } },
    };
  },
  objective: (place) => ({
    name: `Error budget of ${place.service.name} nearly spent`,
    type: 'slo alert',
    query: `error_budget("${place.random.pick(place.objectives)}").over("30d") > 80`,
  }),
  burn: (place) => ({
    name: `Error budget of ${place.service.name} burns fast`,
    type: 'slo alert',
    query: `burn_rate("${place.random.pick(place.objectives)}").over("30d").long_window("1h").short_window("5m") > 7.5`,
  }),
  process: (place) => ({
    name: `No ${place.service.name} process is running`,
    type: 'process alert',
    query: `processes('${place.service.name}').over('env:${place.env}').rollup('count').last('10m') < 1`,
  }),
  events: (place) => ({
    name: `Too many deploys of ${place.service.name}`,
    type: 'event-v2 alert',
    query: `events("source:deploy service:${place.service.name}").rollup("count").by("version").last("1h") >= 5`,
    groups: ['version:2.14.0', 'version:2.14.1'],
  }),
  watchdog: (place) => ({
    name: `Story about ${place.service.name}`,
    type: 'event-v2 alert',
    query: `events("source:watchdog story_category:apm ${words(place)}").rollup("cardinality","service").last("30m") > 0`,
  }),
  audit: () => ({
    name: 'Someone makes many API keys',
    type: 'audit alert',
    query: 'audits("@evt.name:\\"API Key\\" @action:created").rollup("count").by("@usr.email").last("1h") >= 5',
    groups: ['@usr.email:mira.stone@example.test'],
  }),
  pipelines: (place) => ({
    name: `Pipeline of ${place.service.name} is red on main`,
    type: 'ci-pipelines alert',
    query: `ci-pipelines("ci_level:pipeline @git.branch:main @ci.status:error @ci.pipeline.name:${place.service.name}").rollup("count").last("1h") >= 3`,
    options: { enable_samples: true },
  }),
  tests: (place) => ({
    name: `Flaky tests in ${place.service.name}`,
    type: 'ci-tests alert',
    query: `ci-tests("@test.status:fail @test.service:${place.service.name}").rollup("cardinality","@test.name").last("24h") > 10`,
  }),
  database: (place) => ({
    name: `Slow queries behind ${place.service.name}`,
    type: 'database-monitoring alert',
    query: `database-monitoring("${words(place)}").rollup("avg","@duration").by("host").last("15m") > 5`,
    groups: hosts(place, 'db', 2, 4),
  }),
  network: (place) => ({
    name: `Retransmits from ${place.service.name}`,
    type: 'network-performance alert',
    query: `network-performance("client_service:${place.service.name}").rollup("avg","tcp_retransmits").by("region").last("1h") >= 5`,
    groups: inRegions(place),
  }),
  path: (place) => ({
    name: `Path to ${place.service.name} got longer`,
    type: 'network-path alert',
    query: `network-path("destination_service:${place.service.name}").index("netpath-path").rollup("avg","hop_latency").last("15m") > 50`,
  }),
  cost(place) {
    const query = `sum:all.cost{service:${place.service.name}} by {account}`;
    return {
      name: `Cost of ${place.service.name} rises`,
      type: 'cost alert',
      query: 'formula("spent").last("7d").change("relative") > 20',
      options: { variables: [{ name: 'spent', data_source: 'cloud_cost', aggregator: 'sum', query }] },
    };
  },
  browserTest: (place) => ({
    name: `[Test] Buying with ${place.service.name}`,
    type: 'synthetics alert',
    query: 'no_query',
    groups: ['location:eu1', 'location:us1'],
  }),
} satisfies Record<string, (place: Place) => Sketch>;
