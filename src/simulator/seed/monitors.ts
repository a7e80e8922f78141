import { makeMonitor, storeMonitor } from '../kinds/monitor-check.ts';
import { compositeState, newGroup, turnAll, worstState } from '../kinds/monitor-view.ts';
import { silence } from '../kinds/silences.ts';
import type { ServiceWorld } from '../server/handler.ts';
import type { Silence, StoredGroup, StoredMonitor } from '../server/monitoring.ts';
import { createRandom, type Random } from '../server/random.ts';
import kinds from './monitors.json' with { type: 'json' };
import shop from './services.json' with { type: 'json' };

/** Texts with terminal escape sequences, used as names and messages. */
export const escapeTexts: readonly string[] = [
  '\u001b[31mred alert\u001b[0m \u001b]0;owned\u0007 title',
  'clear \u001b[2J\u001b[H screen and \u001b]52;c;b3duZWQ=\u0007 clipboard',
  'bidi \u202egnp.exe\u202c end \u2066isolated\u2069 \u200bzero\u200b width',
  'line one\nline two\r\nline three\twith a tab\u0000and a null',
  `long ${'very '.repeat(600)}long tail`,
  `zalgo e${'\u0301\u0322\u0334'.repeat(40)} text`,
  'half a pair \ud83d and the other \ude00 alone',
  '\u009b31m c1 control \u0085 next line \u2028 separator',
];

const { envs, regions, services } = shop;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Names that are hard to display. */
const unusual = [...kinds.unusual, ...escapeTexts.slice(0, 4)];

type Service = (typeof services)[number];

/** A kind of monitor: texts with `$words`, a choice of words each, and its groups, of which there are none for a simple alert. */
interface Kind {
  readonly name: string;
  readonly type: string;
  readonly query: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly pick?: readonly (readonly Words[])[];
  readonly hosts?: { readonly role: string; readonly least: number; readonly most: number };
  /** Once for each host or region where they name one. */
  readonly groups?: readonly string[];
}
type Words = Readonly<Record<string, string | number>>;

/** A few hundred monitors of every kind, some alerting, some silent (docs/contract/monitors.md#monitor). */
export function seedMonitors(world: ServiceWorld, wanted: number, now: number): void {
  const { org } = world;
  const random = createRandom(org.seed + 2);
  const people = [...org.users.values()].filter((user) => !user.disabled && !user.service);
  const earlier: string[] = [];
  for (const [index, target] of [0.999, 0.995, 0.99, 0.95].entries()) {
    const id = `slo-${(0xa1 + index * 7).toString(16)}`;
    org.objectives.set(id, { id, name: `Availability ${target * 100} %`, target, monitors: [] });
  }
  const objectives = [...org.objectives.keys()];
  for (let index = 0; index < wanted; index += 1) {
    const service = services[(index * 7 + random.between(0, 3)) % services.length] as Service;
    const env = random.pick(envs);
    const kind = (kinds.templates as Readonly<Record<string, Kind>>)[
      kinds.order[index % kinds.order.length] ?? ''
    ] as Kind;
    const words: Words = {
      service: service.name,
      env,
      ...(kind.type === 'composite' ? { members: membersOf(random.some(earlier, 3)) } : {}),
      ...(kind.query.includes('$objective') ? { objective: random.pick(objectives) } : {}),
      ...Object.assign({}, ...(kind.pick ?? []).map((choices) => random.pick(choices))),
    };
    const sketch = filled(kind, words);
    const groups = groupsOf(sketch, random);
    const special = index % 34 === 5 ? unusual[Math.floor(index / 34)] : undefined;
    const id = String(org.next.monitor + random.between(1, 9));
    const created = now - random.between(20, 600) * day;
    const body = definition(sketch, service, env, random, special, index);
    const monitor = makeMonitor(org, body, { id, creator: random.pick(people).id, now: created });
    monitor.modified = Math.min(now - hour, created + random.between(0, 300) * day);
    monitor.multi = () => groups.length > 0;
    storeMonitor(org, monitor);
    giveGroups(monitor, groups, random, now);
    if (monitor.type === 'composite') monitor.overall = compositeState(org, monitor.query);
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

/** The kind with these words in place of `$name`; a text that is one word becomes its value. */
function filled<T>(kind: T, words: Words): T {
  const text = JSON.stringify(kind).replaceAll(/"\$(\w+)"|\$(\w+)/g, (found, whole: string, part: string) => {
    const word = words[whole ?? part];
    return word === undefined ? found : whole === undefined ? String(word) : JSON.stringify(word);
  });
  return JSON.parse(text) as T;
}

/** The query of a composite of up to three monitors. */
const membersOf = ([one = '', other, third]: readonly string[]): string =>
  !other ? one : third ? `${one} && ( ${other} || !${third} )` : `${one} && ${other}`;

/** The groups of a monitor: a few hosts with numbers in a row, some regions, or those of its kind. */
function groupsOf({ groups = [], hosts }: Kind, random: Random): string[] {
  if (groups.includes('$region')) return random.some(regions, random.between(2, 5)).map((region) => `region:${region}`);
  if (!hosts) return [...groups];
  const begin = random.between(1, 20);
  return Array.from({ length: random.between(hosts.least, hosts.most) }, (_, at) =>
    groups.map((group) => group.replace('$host', `host:${hosts.role}-${begin + at}`)),
  ).flat();
}

function definition(
  sketch: Kind,
  service: Service,
  env: string,
  random: Random,
  name: string | undefined,
  index: number,
) {
  const suffix = index >= kinds.order.length ? ` [${env}]` : '';
  const handle = `@oncall-${service.team}@example.test`;
  const runbook = `https://runbooks.example.test/${service.name}/${sketch.type.split(' ')[0]}`;
  const steps =
    'First look at the last deploy, then at the dashboard of the service.\nIf it is not clear within ten minutes, call the next person.';
  const assets = random.chance(0.3) ? [{ category: 'runbook', name: `Runbook ${service.name}`, url: runbook }] : [];
  return {
    type: sketch.type,
    query: sketch.query,
    name: name ?? `${sketch.name}${suffix}`,
    message:
      index === 17
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
    options: { ...limitOf(sketch), ...sketch.options, ...(index % 41 === 7 ? { locked: true } : {}) },
  };
}

/** The comparison at the end of a query. */
const comparison = /(<=|>=|<|>)\s*(-?[\d.]+)\s*$/;

/** The threshold as the query has it, so that no query is parsed before somebody asks what it says. */
function limitOf({ type, query }: Kind): { readonly thresholds?: { readonly critical: number } } {
  const limit = type === 'composite' ? undefined : comparison.exec(query)?.[2];
  return limit === undefined ? {} : { thresholds: { critical: Number(limit) } };
}

/** Creates the groups of a monitor: about 6 % alert, 3 % warn, 3 % have no data. */
function giveGroups(monitor: StoredMonitor, names: readonly string[], random: Random, now: number): void {
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
  for (const [at, group] of groups.entries()) {
    giveStatus(group, bad && hit.has(at) ? bad : 'OK', random, now);
    if (group.status === 'Alert' || group.status === 'Warn') group.value = valueFor(monitor, random);
  }
  together(groups.filter(({ status }) => status === bad));
  monitor.groups = new Map(groups.map((group) => [group.name, group]));
  monitor.overall = worstState(groups.map((group) => group.status));
}

/** Gives a group its status, and the times since when it has it. */
function giveStatus(group: StoredGroup, status: string, random: Random, now: number): void {
  group.status = status;
  const ago = random.pick([90, 400, 1500, 4000, 20_000, 90_000, 700_000]) + random.between(0, 300);
  const second = Math.floor(now / 1000);
  if (status === 'OK' && random.chance(0.5)) {
    group.resolved = second - ago * 4;
    group.triggered = group.resolved - random.between(60, 4000);
  } else if (status === 'No Data') group.nodata = second - ago;
  else if (status !== 'OK') group.triggered = second - ago;
  group.notified = group.triggered;
}

/** What goes wrong in some groups of a monitor begins within five minutes. */
function together(groups: readonly StoredGroup[]): void {
  for (const began of ['triggered', 'nodata'] as const) {
    const latest = Math.max(0, ...groups.map((group) => group[began] ?? 0));
    for (const group of groups) if (group[began] !== null) group[began] = latest - ((latest - group[began]) % 300);
  }
  for (const group of groups) group.notified = group.triggered;
}

/** A value beyond the alert threshold. */
export function valueFor(monitor: StoredMonitor, random: Random): number | null {
  const match = comparison.exec(monitor.query);
  if (!match) return null;
  const limit = Number(match[2]);
  const factor = match[1]?.startsWith('<') ? random.between(20, 95) / 100 : random.between(105, 190) / 100;
  return Math.round((limit || 1) * factor * 1000) / 1000;
}

/** Since when a monitor has its state: since the first of its groups has it, and OK since the last one has. */
function changedAt(monitor: StoredMonitor, random: Random, now: number): number {
  const times = [...monitor.groups.values()]
    .filter(({ status }) => status === monitor.overall)
    .flatMap(({ status, triggered, nodata, resolved }) =>
      status === 'OK' ? (resolved ?? []) : status === 'No Data' ? (nodata ?? []) : (triggered ?? []),
    );
  if (times.length === 0) return now - random.between(1, 20) * day;
  return 1000 * (monitor.overall === 'OK' ? Math.max(...times) : Math.min(...times));
}

type Made = Partial<Silence> & Pick<Silence, 'made'>;

/** Sorts of silences with the share of monitors that have them, added up. `?` stands for one of the reasons. */
const sorts: readonly (readonly [share: number, sort: (now: number) => Made])[] = [
  [0.05, () => ({ made: 'mute' })],
  [0.07, () => ({ made: 'v1', message: '?' })],
  [0.09, () => ({ made: 'v2', message: '?' })],
  [0.1, (now) => ({ made: 'v2', message: 'planned', start: now + 5 * hour, end: now + 8 * hour })],
  [0.11, (now) => ({ made: 'v1', message: 'over', start: now - 4 * hour, end: now - 30 * minute })],
  [0.12, (now) => ({ made: 'v2', message: 'canceled', canceled: now - 20 * minute })],
];
const ends = [12 * minute, 40 * minute, 3 * hour, 9 * hour, 2 * day, null];

/** Seeds mutes and downtimes of monitors and, by tags, of teams. */
function seedSilences({ org }: ServiceWorld, random: Random, people: readonly string[], now: number): void {
  const add = (made: Made & Pick<Silence, 'creator'>): unknown => silence({ org, random }, made, now);
  for (const monitor of org.monitors.values()) {
    if (monitor.type === 'composite') continue;
    const groups = [...monitor.groups.keys()].filter((name) => name !== '*');
    const whole = groups.length === 0 || random.chance(0.5);
    const scope = whole ? ['*'] : random.pick(groups).split(',');
    const luck = random.next() * (monitor.overall === 'OK' ? 1 : 0.35);
    const length = random.pick(ends);
    const start = now - random.between(1, 600) * minute;
    const creator = random.pick(people);
    const sort = sorts.find(([share]) => luck < share)?.[1](now);
    if (!sort) continue;
    const end = length === null ? null : now + length;
    const message = sort.message === '?' ? random.pick(kinds.reasons) : (sort.message ?? '');
    add({ creator, monitor: monitor.id, scope, start, created: start, modified: start, end, ...sort, message });
  }
  const tagged = { creator: random.pick(people), start: now - hour, created: now - hour };
  const [plan, drain] = ['reindexing, see the plan', 'cluster drain'];
  const staging = { scope: ['env:staging'], scopeText: 'env:(staging OR dev)', end: now + 5 * hour };
  add({ ...tagged, made: 'v2', message: plan, monitorTags: ['team:search'], ...staging });
  add({ ...tagged, made: 'v1', message: drain, monitorTags: ['team:data'], scope: ['env:dev'], end: now + 6 * hour });
}
