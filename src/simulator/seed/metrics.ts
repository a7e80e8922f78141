import { here, hosts, inRegions, type Place, roleOf, type Sketch } from './sketch.ts';

/** Monitors over metrics (contract/monitors.md 5.3 to 5.6), as a shop would have them. */
export const metric = { cpu, memory, disk, latency, errorRate, queue, billing, change, anomaly, outlier, forecast };

function cpu(it: Place): Sketch {
  const role = roleOf(it);
  const limit = it.random.pick([80, 85, 90, 95]);
  return {
    name: `CPU high on ${role} hosts of ${it.service.name}`,
    type: 'query alert',
    query: `avg(last_5m):avg:system.cpu.user{${here(it)},role:${role}} by {host} > ${limit}`,
    options: { thresholds: { critical: limit, warning: limit - 10 }, renotify_interval: 60 },
    groups: hosts(it, role),
  };
}

function memory(it: Place): Sketch {
  return {
    name: `Memory almost used up: ${it.service.name}`,
    type: 'metric alert',
    query: `min(last_10m):min:system.mem.pct_usable{${here(it)}} by {host} < 0.05`,
    groups: hosts(it, 'mem', 2, 8),
  };
}

function disk(it: Place): Sketch {
  const groups = hosts(it, 'db', 2, 6).flatMap((host) => [`${host},device:/data`, `${host},device:/var/log`]);
  return {
    name: `Disk fills up under ${it.service.name}`,
    type: 'query alert',
    query: `avg(last_15m):avg:disk.used_pct{${here(it)}} by {host,device} > 92`,
    options: { thresholds: { critical: 92, critical_recovery: 88, warning: 85 } },
    groups,
  };
}

function latency(it: Place): Sketch {
  const limit = it.random.pick([0.8, 1.2, 1.5, 2, 3]);
  return {
    name: `${it.service.name} is slow (p95) in {{region.name}}`,
    type: 'query alert',
    query: `avg(last_10m):avg:http.request.p95{${here(it)}} by {region} > ${limit}`,
    groups: inRegions(it),
  };
}

function errorRate(it: Place): Sketch {
  const part = (metric: string): string => `sum:http.requests.${metric}{${here(it)}} by {region}.as_count()`;
  return {
    name: `${it.service.name} answers with errors`,
    type: 'query alert',
    query: `sum(last_5m):${part('errors')} / ${part('hits')} > 0.05`,
    options: {
      thresholds: { critical: 0.05, warning: 0.02 },
      escalation_message: 'Still failing.',
      renotify_interval: 30,
    },
    groups: inRegions(it),
  };
}

function queue(it: Place): Sketch {
  const name = it.random.pick(['orders', 'emails', 'refunds', 'thumbnails', 'stock-updates', 'webhooks']);
  return {
    name: `Queue ${name} backs up`,
    type: 'query alert',
    query: `max(last_15m):max:queue.depth{queue:${name},${here(it)}} > ${it.random.pick([500, 1000, 5000])}`,
  };
}

function billing(it: Place): Sketch {
  return {
    name: `Monthly quota of ${it.service.name} half used`,
    type: 'query alert',
    query: `avg(current_1mo):avg:quota.used{${here(it)}} > 0.5`,
    options: { scheduling_options: { evaluation_window: { day_starts: '04:00', month_starts: 1 } } },
  };
}

function change(it: Place): Sketch {
  return {
    name: `Traffic of ${it.service.name} jumped`,
    type: 'query alert',
    query: `pct_change(avg(last_5m),1h_ago):avg:http.requests.hits{${here(it)}} by {region} > 150`,
    groups: inRegions(it),
  };
}

function anomaly(it: Place): Sketch {
  return {
    name: `Unusual number of orders through ${it.service.name}`,
    type: 'query alert',
    query: `avg(last_4h):anomalies(sum:orders.placed{${here(it)}}.as_count(), 'agile', 3, direction='below', alert_window='last_15m', interval=60, count_default_zero='true', seasonality='weekly') >= 1`,
    options: {
      threshold_windows: { trigger_window: 'last_15m', recovery_window: 'last_15m' },
      thresholds: { critical: 1, critical_recovery: 0 },
    },
  };
}

function outlier(it: Place): Sketch {
  return {
    name: `One host of ${it.service.name} behaves differently`,
    type: 'query alert',
    query: `avg(last_30m):outliers(avg:http.request.p95{${here(it)}} by {host}, 'dbscan', 3) > 0`,
    groups: hosts(it, 'web'),
  };
}

function forecast(it: Place): Sketch {
  return {
    name: `Storage of ${it.service.name} runs out within a week`,
    type: 'query alert',
    query: `max(next_1w):forecast(avg:storage.used_pct{${here(it)}} by {cluster}, 'linear', 1, interval='60m', history='1w', model='default') >= 95`,
    groups: ['cluster:blue', 'cluster:green'],
  };
}
