import { openCase } from '../kinds/issues.ts';
import type { ServiceWorld } from '../server/handler.ts';
import type { Case, StoredIssue, Stream } from '../server/monitoring.ts';
import { createRandom, type Random } from '../server/random.ts';
import errors from './errors.json' with { type: 'json' };
import { escapeTexts } from './monitors.ts';
import shop from './services.json' with { type: 'json' };

const { services } = shop;
type Service = (typeof services)[number];
/** An error text; `#`, `%` and `@` in the message are replaced by a number, an id and a word. An empty file is unknown. */
type ErrorText = Omit<(typeof errors.browser)[number], 'crash'> & { readonly crash?: boolean };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (ms: number): string => new Date(ms).toISOString();

/** A few hundred issues with counts that depend on the window (docs/contract/error-tracking.md#choices). */
export function seedIssues(world: ServiceWorld, wanted: number, now: number): void {
  const random = createRandom(world.org.seed + 3);
  const people = [...world.org.users.values()]
    .filter((user) => user.status === 'Active' && !user.service)
    .map((user) => user.id);
  for (let at = 0; at < wanted; at += 1) {
    const issue = makeIssue(world, random, at, now);
    world.org.issues.set(issue.id, issue);
    seedState(issue, random, now);
    const hasCase = issue.state !== 'OPEN' || random.chance(0.12);
    if (hasCase && random.chance(0.75)) issue.assignee = random.pick(people);
    if (hasCase && (issue.assignee || random.chance(0.3)))
      addTrackerFields(openCase(world, issue, random.pick(people), issue.stateChanged), random);
    if (issue.state === 'OPEN' && random.chance(0.06)) {
      const regressedAt = now - random.between(1, 40) * hour;
      issue.regression = {
        regressed_at: iso(regressedAt),
        regressed_at_version: issue.lastVersion,
        resolved_at: iso(regressedAt - 5 * day),
      };
    }
  }
}

/** States with the share of issues that have them, added up. */
const states = [
  [0.62, 'OPEN'],
  [0.78, 'ACKNOWLEDGED'],
  [0.9, 'RESOLVED'],
  [0.97, 'IGNORED'],
] as const;

/** Gives an issue its state, and an end to the events of one that is settled. */
function seedState(issue: StoredIssue, random: Random, now: number): void {
  const luck = random.next();
  issue.state = states.find(([share]) => luck < share)?.[1] ?? 'EXCLUDED';
  issue.stateChanged = now - random.between(2, 200) * hour;
  // An issue that is already resolved does not regress again.
  if (issue.state === 'RESOLVED') issue.returns = null;
  const last = issue.stream.active[0];
  if (last && (issue.state === 'RESOLVED' || issue.state === 'EXCLUDED'))
    last.to = Math.max(last.from + hour, now - random.between(1, 70) * hour);
}

/** Priorities and links to the two trackers, on some cases. */
function addTrackerFields(relatedCase: Case, random: Random): void {
  if (random.chance(0.4)) relatedCase.priority = `P${random.between(1, 5)}`;
  if (random.chance(0.25)) {
    const key = `SHOP-${random.between(100, 9999)}`;
    const result = {
      issue_id: String(random.between(10_000, 99_999)),
      issue_key: key,
      issue_url: `https://tracker.example.test/browse/${key}`,
      project_key: 'SHOP',
    };
    relatedCase.overrides = {
      tracker_a_issue: { status: 'COMPLETED', result },
      attributes: { channel: ['shop'] },
      custom_attributes: { plan: { type: 'SELECT', is_multi: true, value: ['enterprise', 'team'] } },
    };
  } else if (random.chance(0.1)) {
    relatedCase.overrides = {
      tracker_b_ticket: { status: 'COMPLETED', result: { sys_target_link: 'https://desk.example.test/incident/4711' } },
    };
  }
}

/** Creates one issue that began before `now`; deterministic by `random`. */
export function makeIssue(world: ServiceWorld, random: Random, index: number, now: number, age?: number): StoredIssue {
  const service = services[(index * 11 + random.between(0, 5)) % services.length] as Service;
  const error = index % 40 === 13 ? foreignError(index) : random.pick(errorsOf(service));
  const platform = service.platform;
  const began =
    now - (age ?? random.pick([4, 20, 60, 150, 300, 500, 700, 1000, 1500, 2000]) * hour * (0.5 + random.next()));
  const owner = [...world.org.teams.values()].filter((team) => team.handle === service.team).map((team) => team.id);
  const file = error.file === '' ? '' : `${service.source[0]}/${error.file}.${service.source[1]}`;
  const first = version(random);
  return {
    id: random.uuid(),
    type: error.type,
    message: fill(error.message, random),
    stack: `${error.type}: ${error.message}\n    at ${error.function} (${file}:${random.between(10, 400)})`,
    handling: random.chance(0.7) ? 'unhandled' : 'handled',
    file,
    function: error.function,
    firstVersion: random.chance(0.85) ? first : '',
    lastVersion: random.chance(0.85) ? later(first, random) : '',
    crash: error.crash === true,
    languages: service.language === 'KOTLIN' && platform === 'BACKEND' ? ['KOTLIN', 'JVM'] : [service.language],
    platform,
    service: service.name,
    env: random.chance(0.85) ? 'prod' : 'staging',
    state: 'OPEN',
    stateChanged: began,
    returns: random.chance(0.25) ? random.between(45, 300) * minute : null,
    regression: null,
    assignee: null,
    case: null,
    teams: random.chance(0.7) ? owner : [],
    sessions: platform === 'BACKEND' ? null : 0.3 + random.next() * (index % 50 === 3 ? 3 : 0.9),
    stream: stream(random, Math.floor(began), now),
    overrides: {},
  };
}

/** Most errors are rare and a few frequent; some come in bursts, and many have ended. */
function stream(random: Random, from: number, now: number): Stream {
  const rate = 10 ** (5.6 * random.next() ** 4 - 4.6);
  const isOver = now - from > 2 * day && random.chance(0.45);
  const bursts = Array.from({ length: random.between(0, 3) }, () => {
    const begin = from + Math.floor(random.next() * Math.max(hour, now - from));
    return { at: begin, length: random.between(3, 90) * minute, count: Math.ceil(rate * random.between(20, 600)) };
  });
  return {
    rate,
    wave: random.next() * 0.75,
    phase: random.between(0, 1439),
    bursts,
    active: [{ from, to: isOver ? from + hour + Math.floor(random.next() * (now - from)) : null }],
  };
}

const version = (random: Random): string => `${random.between(1, 6)}.${random.between(0, 40)}.${random.between(0, 12)}`;
const later = (first: string, random: Random): string =>
  first.replace(/\d+\.\d+$/, (tail) => `${Number(tail.split('.')[0]) + random.between(0, 4)}.${random.between(0, 9)}`);

/** Numbers, ids and words in place of `#`, `%` and `@`; an index is out of its bounds. */
const fill = (text: string, random: Random): string =>
  text
    .replaceAll('#', () => String(random.between(2, 9800)))
    .replace(/(\d+)(, Size: |\] with length )(\d+)/, (_, one, between, other) =>
      [Math.max(one, other), between, Math.min(one, other)].join(''),
    )
    .replaceAll('%', () =>
      random.pick(['gift wrap', 'coupon', 'address', 'basket', 'stock level', 'pickup point', 'invoice']),
    )
    .replaceAll('@', () => random.pick(['orders', 'sessions', 'prices', 'parcels', 'refunds']));

/** The errors that programs of a language and platform throw. */
function errorsOf({ language, platform }: Service): readonly ErrorText[] {
  if (platform === 'BROWSER') return errors.browser;
  if (platform !== 'BACKEND') return errors.mobile;
  if (['JAVA', 'KOTLIN', 'SCALA', 'C_SHARP'].includes(language)) return errors.managed;
  return ['GO', 'RUST'].includes(language) ? errors.native : errors.scripted;
}

/** Messages in other scripts, and some with terminal escape sequences. */
function foreignError(index: number): ErrorText {
  const hostile = escapeTexts.map((message, index) => ({
    ...{ type: index % 2 ? message.slice(0, 40) : 'Error', message },
    ...{ function: 'handle', file: 'inbox' },
  }));
  const list = [...errors.unusual, ...hostile];
  return list[Math.floor(index / 40) % list.length] as ErrorText;
}
