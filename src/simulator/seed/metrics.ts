import { here, hosts, inRegions, type Place, roleOf, type Sketch } from './sketch.ts';

/** Monitors over metrics (contract/monitors.md 5.3 to 5.6), as a shop would have them. */
export const metric = {
  cpu(place) {
    const role = roleOf(place);
    const limit = place.random.pick([80, 85, 90, 95]);
    return {
      name: `CPU high on ${role} hosts of ${place.service.name}`,
      type: 'query alert',
      query: `avg(last_5m):avg:system.cpu.user{${here(place)},role:${role}} by {host} > ${limit}`,
      options: { thresholds: { critical: limit, warning: limit - 10 }, renotify_interval: 60 },
      groups: hosts(place, role),
    };
  },
  memory: (place) => ({
    name: `Memory almost used up: ${place.service.name}`,
    type: 'metric alert',
    query: `min(last_10m):min:system.mem.pct_usable{${here(place)}} by {host} < 0.05`,
    groups: hosts(place, 'mem', 2, 8),
  }),
  disk(place) {
    const groups = hosts(place, 'db', 2, 6).flatMap((host) => [`${host},device:/data`, `${host},device:/var/log`]);
    return {
      name: `Disk fills up under ${place.service.name}`,
      type: 'query alert',
      query: `avg(last_15m):avg:disk.used_pct{${here(place)}} by {host,device} > 92`,
      options: { thresholds: { critical: 92, critical_recovery: 88, warning: 85 } },
      groups,
    };
  },
  latency(place) {
    const limit = place.random.pick([0.8, 1.2, 1.5, 2, 3]);
    return {
      name: `${place.service.name} is slow (p95) in {{region.name}}`,
      type: 'query alert',
      query: `avg(last_10m):avg:http.request.p95{${here(place)}} by {region} > ${limit}`,
      groups: inRegions(place),
    };
  },
  errorRate(place) {
    const part = (metric: string): string => `sum:http.requests.${metric}{${here(place)}} by {region}.as_count()`;
    return {
      name: `${place.service.name} answers with errors`,
      type: 'query alert',
      query: `sum(last_5m):${part('errors')} / ${part('hits')} > 0.05`,
      options: {
        thresholds: { critical: 0.05, warning: 0.02 },
        escalation_message: 'Still failing.',
        renotify_interval: 30,
      },
      groups: inRegions(place),
    };
  },
  queue(place) {
    const name = place.random.pick(['orders', 'emails', 'refunds', 'thumbnails', 'stock-updates', 'webhooks']);
    return {
      name: `Queue ${name} backs up`,
      type: 'query alert',
      query: `max(last_15m):max:queue.depth{queue:${name},${here(place)}} > ${place.random.pick([500, 1000, 5000])}`,
    };
  },
  billing: (place) => ({
    name: `Monthly quota of ${place.service.name} half used`,
    type: 'query alert',
    query: `avg(current_1mo):avg:quota.used{${here(place)}} > 0.5`,
    options: { scheduling_options: { evaluation_window: { day_starts: '04:00', month_starts: 1 } } },
  }),
  change: (place) => ({
    name: `Traffic of ${place.service.name} jumped`,
    type: 'query alert',
    query: `pct_change(avg(last_5m),1h_ago):avg:http.requests.hits{${here(place)}} by {region} > 150`,
    groups: inRegions(place),
  }),
  anomaly: (place) => ({
    name: `Unusual number of orders through ${place.service.name}`,
    type: 'query alert',
    query: `avg(last_4h):anomalies(sum:orders.placed{${here(place)}}.as_count(), 'agile', 3, direction='below', alert_window='last_15m', interval=60, count_default_zero='true', seasonality='weekly') >= 1`,
    options: {
      threshold_windows: { trigger_window: 'last_15m', recovery_window: 'last_15m' },
      thresholds: { critical: 1, critical_recovery: 0 },
    },
  }),
  outlier: (place) => ({
    name: `One host of ${place.service.name} behaves differently`,
    type: 'query alert',
    query: `avg(last_30m):outliers(avg:http.request.p95{${here(place)}} by {host}, 'dbscan', 3) > 0`,
    groups: hosts(place, 'web'),
  }),
  forecast: (place) => ({
    name: `Storage of ${place.service.name} runs out within a week`,
    type: 'query alert',
    query: `max(next_1w):forecast(avg:storage.used_pct{${here(place)}} by {cluster}, 'linear', 1, interval='60m', history='1w', model='default') >= 95`,
    groups: ['cluster:blue', 'cluster:green'],
  }),
} satisfies Record<string, (place: Place) => Sketch>;
