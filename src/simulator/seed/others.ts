import { hosts, inRegions, type Place, type Sketch, words } from './sketch.ts';

/** Monitors over everything else (contract/monitors.md 5.7 to 5.11), as a shop would have them. */
export const other = {
  hostCheck,
  httpCheck,
  customCheck,
  clock,
  logs,
  formulaLogs,
  traces,
  rum,
  errors,
  composite,
  objective,
  burn,
  process,
  events,
  watchdog,
  audit,
  pipelines,
  tests,
  database,
  network,
  path,
  cost,
  browserTest,
};

function hostCheck(it: Place): Sketch {
  return {
    name: `Host of ${it.service.name} is down`,
    type: 'service check',
    query: `"host.up".over("service:${it.service.name}","env:${it.env}").by("host").last(3).count_by_status()`,
    options: { thresholds: { ok: 2, warning: 2, critical: 3 }, notify_no_data: true, no_data_timeframe: 10 },
    groups: hosts(it, 'web'),
  };
}

function httpCheck(it: Place): Sketch {
  const url = (at: string): string => `url:https://${at}.shop.example.test/health`;
  return {
    name: `${it.service.name} does not answer its health check`,
    type: 'service check',
    query: `"http.can_connect".over("env:${it.env}","service:${it.service.name}").by("host","url").last(6).count_by_status()`,
    options: { thresholds: { ok: 1, warning: 3, critical: 5 } },
    groups: hosts(it, 'probe', 2, 4).map((host) => `${host},${url(it.service.name)}`),
  };
}

function customCheck(it: Place): Sketch {
  return {
    name: `Certificate of ${it.service.name} expires`,
    type: 'service check',
    query: `"certificate.valid".over("service:${it.service.name}").by("region").last(2).count_by_status()`,
    options: { thresholds: { ok: 1, warning: 1, critical: 2 } },
    groups: inRegions(it),
  };
}

function clock(it: Place): Sketch {
  return {
    name: `Clock of ${it.service.name} drifts`,
    type: 'service check',
    query: '"ntp.in_sync".over("*").last(2).count_by_status()',
    options: { thresholds: { ok: 1, critical: 2 } },
    groups: hosts(it, 'web', 2, 4),
  };
}

function logs(it: Place): Sketch {
  const limit = it.random.pick([20, 50, 200]);
  return {
    name: `Error logs of ${it.service.name}`,
    type: 'log alert',
    query: `logs("service:${it.service.name} status:error").index("main").rollup("count").by("host").last("5m") > ${limit}`,
    options: { enable_logs_sample: true, on_missing_data: 'show_no_data' },
    groups: hosts(it, 'web', 1, 5),
  };
}

function formulaLogs(it: Place): Sketch {
  const count = (name: string, query: string): unknown => ({
    name,
    data_source: 'logs',
    compute: { aggregation: 'count' },
    search: { query },
    indexes: ['*'],
    group_by: [],
  });
  return {
    name: `Share of failed logins at ${it.service.name}`,
    type: 'log alert',
    query: 'formula("failed / all * 100").last("15m") >= 10',
    options: { variables: [count('failed', '@evt.name:login @evt.outcome:failure'), count('all', '@evt.name:login')] },
  };
}

function traces(it: Place): Sketch {
  return {
    name: `Failing resources in ${it.service.name}`,
    type: 'trace-analytics alert',
    query: `trace-analytics("${words(it)} status:error").rollup("count").by("resource_name").last("5m") > 100`,
    groups: ['resource_name:GET /items/?', 'resource_name:POST /orders', 'resource_name:PUT /cart/?'],
  };
}

function rum(it: Place): Sketch {
  return {
    name: 'Rage clicks on the storefront',
    type: 'rum alert',
    query: `rum("@type:action @action.frustration.type:rage_click env:${it.env}").rollup("cardinality","@session.id").by("@view.url_path").last("15m") > 25`,
    groups: ['@view.url_path:/cart', '@view.url_path:/checkout', '@view.url_path:/item'],
  };
}

function errors(it: Place): Sketch {
  return {
    name: `New error in ${it.service.name}`,
    type: 'error-tracking alert',
    query: `error-tracking("service:${it.service.name}").source("all").new().rollup("count").by("@issue.id").last("1d") > 0`,
    groups: ['@issue.id:5e0d1c', '@issue.id:77aa02'],
  };
}

function composite(it: Place): Sketch {
  const [one, other, third] = it.random.some(it.earlier, 3);
  const query = !other ? (one ?? '') : third ? `${one} && ( ${other} || !${third} )` : `${one} && ${other}`;
  return {
    name: `${it.service.name}: customers notice it`,
    type: 'composite',
    query,
    options: { thresholds: { critical: null } },
  };
}

function objective(it: Place): Sketch {
  return {
    name: `Error budget of ${it.service.name} nearly spent`,
    type: 'slo alert',
    query: `error_budget("${it.random.pick(it.objectives)}").over("30d") > 80`,
  };
}

function burn(it: Place): Sketch {
  return {
    name: `Error budget of ${it.service.name} burns fast`,
    type: 'slo alert',
    query: `burn_rate("${it.random.pick(it.objectives)}").over("30d").long_window("1h").short_window("5m") > 7.5`,
  };
}

function process(it: Place): Sketch {
  return {
    name: `No ${it.service.name} process is running`,
    type: 'process alert',
    query: `processes('${it.service.name}').over('env:${it.env}').rollup('count').last('10m') < 1`,
  };
}

function events(it: Place): Sketch {
  return {
    name: `Too many deploys of ${it.service.name}`,
    type: 'event-v2 alert',
    query: `events("source:deploy service:${it.service.name}").rollup("count").by("version").last("1h") >= 5`,
    groups: ['version:2.14.0', 'version:2.14.1'],
  };
}

function watchdog(it: Place): Sketch {
  return {
    name: `Story about ${it.service.name}`,
    type: 'event-v2 alert',
    query: `events("source:watchdog story_category:apm ${words(it)}").rollup("cardinality","service").last("30m") > 0`,
  };
}

function audit(): Sketch {
  return {
    name: 'Someone makes many API keys',
    type: 'audit alert',
    query: 'audits("@evt.name:\\"API Key\\" @action:created").rollup("count").by("@usr.email").last("1h") >= 5',
    groups: ['@usr.email:mira.stone@example.test'],
  };
}

function pipelines(it: Place): Sketch {
  return {
    name: `Pipeline of ${it.service.name} is red on main`,
    type: 'ci-pipelines alert',
    query: `ci-pipelines("ci_level:pipeline @git.branch:main @ci.status:error @ci.pipeline.name:${it.service.name}").rollup("count").last("1h") >= 3`,
    options: { enable_samples: true },
  };
}

function tests(it: Place): Sketch {
  return {
    name: `Flaky tests in ${it.service.name}`,
    type: 'ci-tests alert',
    query: `ci-tests("@test.status:fail @test.service:${it.service.name}").rollup("cardinality","@test.name").last("24h") > 10`,
  };
}

function database(it: Place): Sketch {
  return {
    name: `Slow queries behind ${it.service.name}`,
    type: 'database-monitoring alert',
    query: `database-monitoring("${words(it)}").rollup("avg","@duration").by("host").last("15m") > 5`,
    groups: hosts(it, 'db', 2, 4),
  };
}

function network(it: Place): Sketch {
  return {
    name: `Retransmits from ${it.service.name}`,
    type: 'network-performance alert',
    query: `network-performance("client_service:${it.service.name}").rollup("avg","tcp_retransmits").by("region").last("1h") >= 5`,
    groups: inRegions(it),
  };
}

function path(it: Place): Sketch {
  return {
    name: `Path to ${it.service.name} got longer`,
    type: 'network-path alert',
    query: `network-path("destination_service:${it.service.name}").index("netpath-path").rollup("avg","hop_latency").last("15m") > 50`,
  };
}

function cost(it: Place): Sketch {
  const query = `sum:all.cost{service:${it.service.name}} by {account}`;
  return {
    name: `Cost of ${it.service.name} rises`,
    type: 'cost alert',
    query: 'formula("spent").last("7d").change("relative") > 20',
    options: { variables: [{ name: 'spent', data_source: 'cloud_cost', aggregator: 'sum', query }] },
  };
}

function browserTest(it: Place): Sketch {
  return {
    name: `[Test] Buying with ${it.service.name}`,
    type: 'synthetics alert',
    query: 'no_query',
    groups: ['location:eu1', 'location:us1'],
  };
}
