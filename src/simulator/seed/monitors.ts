import { makeMonitor, storeMonitor } from '../kinds/monitor-make.ts';
import { composite, newGroup, turnAll, worst } from '../kinds/monitor-states.ts';
import { silence } from '../kinds/silences.ts';
import type { World } from '../server/handler.ts';
import type { Group, Monitor } from '../server/monitoring.ts';
import { createRandom, type Random } from '../server/random.ts';
import { kinds } from './kinds.ts';
import type { Sketch } from './sketch.ts';
import { envs, escapeTexts, type Service, services } from './words.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Names that are hard to display. */
const unusual = [
  '決済サービスの遅延が大きい 🚨',
  'تأخر خدمة الدفع في {{region.name}}',
  'Checkout 👩‍🚒 on fire 🔥🔥',
  'Re\u0301gion indisponible (cafe\u0301)',
  '주문 처리 지연',
  'Zahlungsausfälle – Straße',
  ...escapeTexts.slice(0, 4),
];

/** A few hundred monitors of every kind, some alerting, some silent (contract/monitors.md sections 3 to 6). */
export function seedMonitors(world: World, wanted: number, now: number): void {
  const { org } = world;
  const random = createRandom(org.seed + 2);
  const people = [...org.users.values()].filter((user) => !user.disabled && !user.service);
  const earlier: string[] = [];
  for (const [at, target] of [0.999, 0.995, 0.99, 0.95].entries()) {
    const id = `slo-${(0xa1 + at * 7).toString(16)}`;
    org.objectives.set(id, { id, name: `Availability ${target * 100} %`, target, monitors: [] });
  }
  const objectives = [...org.objectives.keys()];
  for (let at = 0; at < wanted; at += 1) {
    const service = services[(at * 7 + random.between(0, 3)) % services.length] as Service;
    const env = random.pick(envs);
    const sketch = (kinds[at % kinds.length] as (typeof kinds)[number])({ random, service, env, earlier, objectives });
    const special = at % 34 === 5 ? unusual[Math.floor(at / 34)] : undefined;
    const id = String(org.next.monitor + random.between(1, 9));
    const created = now - random.between(20, 600) * day;
    const body = definition(sketch, service, env, random, special, at);
    const monitor = makeMonitor(org, body, { id, creator: random.pick(people).id, now: created });
    monitor.modified = Math.min(now - hour, created + random.between(0, 300) * day);
    monitor.multi = () => sketch.groups !== undefined;
    storeMonitor(org, monitor);
    giveGroups(monitor, sketch.groups ?? [], random, now);
    if (monitor.type === 'composite') monitor.overall = composite(org, monitor.query);
    else if (monitor.type === 'query alert') earlier.push(id);
    monitor.overallChanged = changedAt(monitor, random, now);
    if (monitor.type === 'composite') turnAll(monitor);
  }
  [...org.objectives.values()][0]?.monitors.push(...earlier.slice(3, 5));
  if (wanted > 0)
    seedSilences(
      world,
      random,
      people.map((user) => user.id),
      now,
    );
}

function definition(
  sketch: Sketch,
  service: Service,
  env: string,
  random: Random,
  name: string | undefined,
  at: number,
) {
  const suffix = at >= kinds.length ? ` [${env}]` : '';
  const handle = `@oncall-${service.team}@example.test`;
  const runbook = `https://runbooks.example.test/${service.name}/${sketch.type.split(' ')[0]}`;
  const steps =
    'First look at the last deploy, then at the dashboard of the service.\nIf it is not clear within ten minutes, call the next person.';
  const { groups: _, ...rest } = sketch;
  const assets = random.chance(0.3) ? [{ category: 'runbook', name: `Runbook ${service.name}`, url: runbook }] : [];
  return {
    ...rest,
    name: name ?? `${sketch.name}${suffix}`,
    message:
      at === 17
        ? ''
        : `${sketch.name}.\n\n${steps}\n\nRunbook: ${runbook}\n${handle}${random.chance(0.4) ? ` @chat-${service.team}` : ''}`,
    tags: [
      `team:${service.team}`,
      `service:${service.name}`,
      `env:${env}`,
      ...(random.chance(0.2) ? ['tier:1', 'page'] : []),
    ],
    priority: random.chance(0.6) ? random.between(1, 5) : null,
    assets,
    options: { ...limitOf(sketch), ...sketch.options, ...(at % 41 === 7 ? { locked: true } : {}) },
  };
}

/** The comparison at the end of a query. */
const comparison = /(<=|>=|<|>)\s*(-?[\d.]+)\s*$/;

/** The threshold as the query has it, so that no query is parsed before somebody asks what it says. */
function limitOf({ type, query }: Sketch): { readonly thresholds?: { readonly critical: number } } {
  const limit = type === 'composite' ? undefined : comparison.exec(query)?.[2];
  return limit === undefined ? {} : { thresholds: { critical: Number(limit) } };
}

/** Creates the groups of a monitor: about 6 % alert, 3 % warn, 3 % have no data. */
function giveGroups(monitor: Monitor, names: readonly string[], random: Random, now: number): void {
  if (monitor.type === 'composite') return;
  const groups = (names.length > 0 ? names : ['*']).map(newGroup);
  const luck = random.next();
  const bad = luck < 0.06 ? 'Alert' : luck < 0.09 ? 'Warn' : luck < 0.12 ? 'No Data' : null;
  const hit = new Set(
    random.some(
      groups.map((_, at) => at),
      random.between(1, 3),
    ),
  );
  const second = Math.floor(now / 1000);
  for (const [at, group] of groups.entries()) {
    group.status = bad && hit.has(at) ? bad : 'OK';
    const ago = random.pick([90, 400, 1500, 4000, 20_000, 90_000, 700_000]) + random.between(0, 300);
    if (group.status === 'OK') {
      group.resolved = random.chance(0.5) ? second - ago * 4 : null;
      group.triggered = group.resolved === null ? null : group.resolved - random.between(60, 4000);
    } else if (group.status === 'No Data') group.nodata = second - ago;
    else group.triggered = second - ago;
    group.notified = group.triggered;
    if (group.status === 'Alert' || group.status === 'Warn') group.value = valueFor(monitor, random);
  }
  together(groups.filter(({ status }) => status === bad));
  monitor.groups = new Map(groups.map((group) => [group.name, group]));
  monitor.overall = worst(groups.map((group) => group.status));
}

/** What goes wrong in some groups of a monitor begins within five minutes. */
function together(groups: readonly Group[]): void {
  for (const began of ['triggered', 'nodata'] as const) {
    const latest = Math.max(0, ...groups.map((group) => group[began] ?? 0));
    for (const group of groups) if (group[began] !== null) group[began] = latest - ((latest - group[began]) % 300);
  }
  for (const group of groups) group.notified = group.triggered;
}

/** A value beyond the alert threshold. */
export function valueFor(monitor: Monitor, random: Random): number | null {
  const match = comparison.exec(monitor.query);
  if (!match) return null;
  const limit = Number(match[2]);
  const factor = match[1]?.startsWith('<') ? random.between(20, 95) / 100 : random.between(105, 190) / 100;
  return Math.round((limit || 1) * factor * 1000) / 1000;
}

/** Since when a monitor has its state: since the first of its groups has it, and OK since the last one has. */
function changedAt(monitor: Monitor, random: Random, now: number): number {
  const times = [...monitor.groups.values()]
    .filter(({ status }) => status === monitor.overall)
    .flatMap(({ status, triggered, nodata, resolved }) =>
      status === 'OK' ? (resolved ?? []) : status === 'No Data' ? (nodata ?? []) : (triggered ?? []),
    );
  if (times.length === 0) return now - random.between(1, 20) * day;
  return 1000 * (monitor.overall === 'OK' ? Math.max(...times) : Math.min(...times));
}

/** Seeds mutes and downtimes of every sort: unlimited, ending soon, one group, by tags, scheduled, ended, cancelled. */
function seedSilences(world: World, random: Random, people: readonly string[], now: number): void {
  const { org } = world;
  const all = [...org.monitors.values()].filter((monitor) => monitor.type !== 'composite');
  const reasons = [
    'patching',
    'known, ticket is open',
    'load test',
    'failover practice',
    'vendor maintenance',
    '配送業者のメンテナンス',
  ];
  const ends = [12 * minute, 40 * minute, 3 * hour, 9 * hour, 2 * day, null];
  const person = (): string => random.pick(people);
  for (const monitor of all) {
    const groups = [...monitor.groups.keys()].filter((name) => name !== '*');
    const whole = groups.length === 0 || random.chance(0.5);
    const scope = whole ? ['*'] : random.pick(groups).split(',');
    const luck = random.next() * (monitor.overall === 'OK' ? 1 : 0.35);
    const length = random.pick(ends);
    const start = now - random.between(1, 600) * minute;
    const common = {
      creator: person(),
      monitor: monitor.id,
      scope,
      start,
      created: start,
      modified: start,
      end: length === null ? null : now + length,
    };
    if (luck < 0.05) silence(world.org, random, { ...common, made: 'mute' }, now);
    else if (luck < 0.07) silence(world.org, random, { ...common, made: 'v1', message: random.pick(reasons) }, now);
    else if (luck < 0.09) silence(world.org, random, { ...common, made: 'v2', message: random.pick(reasons) }, now);
    else if (luck < 0.1)
      silence(
        world.org,
        random,
        { ...common, made: 'v2', message: 'planned', start: now + 5 * hour, end: now + 8 * hour },
        now,
      );
    else if (luck < 0.11)
      silence(
        world.org,
        random,
        { ...common, made: 'v1', message: 'over', end: now - 30 * minute, start: now - 4 * hour },
        now,
      );
    else if (luck < 0.12)
      silence(world.org, random, { ...common, made: 'v2', message: 'cancelled', canceled: now - 20 * minute }, now);
  }
  const tagged = {
    creator: person(),
    message: 'reindexing, see the plan',
    monitorTags: ['team:search'],
    start: now - hour,
    created: now - hour,
  };
  silence(
    org,
    random,
    { ...tagged, made: 'v2', scope: ['env:staging'], scopeText: 'env:(staging OR dev)', end: now + 5 * hour },
    now,
  );
  silence(
    org,
    random,
    {
      ...tagged,
      made: 'v1',
      message: 'cluster drain',
      monitorTags: ['team:data'],
      scope: ['env:dev'],
      end: now + 6 * hour,
    },
    now,
  );
}
