import { toMinutes } from '../../query/language.ts';
import { contains, holds, matchesText, readTerms, type SearchTerm, singles } from '../query/search-terms.ts';
import {
  type ApiRequest,
  type ApiResponse,
  countParameter,
  type Handler,
  numeric,
  ok,
  refused,
  type ServiceWorld,
  seconds,
} from '../server/handler.ts';
import type { StoredGroup, StoredMonitor } from '../server/monitoring.ts';
import { monitorsById, type Org } from '../server/store.ts';
import { downtimeStatus, groupSilences, matchedGroups, silentUntil } from './silences.ts';

const states = ['alert', 'warn', 'no data', 'ok', 'ignored', 'skipped', 'unknown'];

/** A monitor, or one of its groups, that a search matches. */
interface Subject {
  readonly monitor: StoredMonitor;
  readonly group?: StoredGroup;
}

const handles = (message: string): string[] =>
  [...message.matchAll(/@([\w.@-]+\w)/g)].map((match) => match[1] as string);

/** Whether one term of the search syntax matches (docs/contract/monitors.md#search); an unknown field matches nothing. */
function decide(
  world: ServiceWorld,
  subject: Subject,
  now: number,
  field: string | null,
  value: string,
  quoted: boolean,
): boolean {
  const { monitor, group } = subject;
  const { org } = world;
  const among = (texts: Iterable<string>): boolean => [...texts].some((text) => matchesText(text, value, quoted));
  const tags = (prefix: string): boolean => {
    const wanted = `${prefix}:${value}`;
    return [...monitor.tags, ...monitor.parts().scope, ...(group?.tags ?? [])].some((tag) =>
      matchesText(tag, wanted, quoted),
    );
  };
  switch (field) {
    case null:
      if (/^\d+$/.test(value) && value === monitor.id) return true;
      return (
        contains(monitor.name, withoutFuzziness(value), quoted) ||
        contains(monitor.message, withoutFuzziness(value), quoted)
      );
    case 'title':
    case 'message':
      return contains(field === 'title' ? monitor.name : monitor.message, value, quoted);
    case 'id':
      return value === monitor.id;
    case 'status':
      return matchesText(group?.status ?? monitor.overall, value, quoted);
    case 'group_status':
      return among([...monitor.groups.values()].map((one) => one.status));
    case 'muted':
      return String(isMuted(world, subject, now)) === value.toLowerCase();
    case 'muted_left':
    case 'muted_elapsed':
      return mutedFor(world, subject, now, field, (toMinutes(value) ?? Number.NaN) * 60_000);
    case 'type':
      return matchesText(monitor.parts().classification, value, quoted);
    case 'priority':
      return monitor.priority !== null && matchesText(`p${monitor.priority}`, value, quoted);
    case 'tag':
      return among(monitor.tags);
    case 'service':
    case 'env':
    case 'team':
      return tags(field);
    case 'scope':
      return among(monitor.parts().scope);
    case 'group':
      return among(
        group ? [group.name, ...group.tags] : [...monitor.groups.values()].flatMap((one) => [one.name, ...one.tags]),
      );
    case 'metric':
      return among(monitor.parts().metrics);
    case 'notification':
      return among(handles(monitor.message));
    case 'creator': {
      const user = org.users.get(monitor.creator);
      return user !== undefined && (contains(user.name ?? '', value, quoted) || contains(user.handle, value, quoted));
    }
    default:
      return false;
  }
}

/** Without a trailing `~`, which asks for fuzzy matching: the simulator matches the exact text. */
const withoutFuzziness = (value: string): string => value.replace(/~\d*$/, '');

function isMuted(world: ServiceWorld, { monitor, group }: Subject, now: number): boolean {
  if (group) return groupSilences(world.org, monitor, group, now).length > 0;
  return silentUntil(world.org, monitor, now) !== undefined;
}

function mutedFor(world: ServiceWorld, { monitor }: Subject, now: number, field: string, limit: number): boolean {
  return [...world.org.silences.values()].some((one) => {
    if (downtimeStatus(one, now) !== 'active' || !matchedGroups(one, monitor)) return false;
    return field === 'muted_left' ? one.end !== null && one.end - now <= limit : now - one.start >= limit;
  });
}

/** The parsed query; refuses an unknown state. */
function readSearch(query: URLSearchParams): SearchTerm | ApiResponse {
  const read = readTerms(query.get('query') ?? '');
  if (!read.ok) return refused(400, `Query parsing error: ${read.text}`);
  for (const term of singles(read.term)) {
    const isState = term.field === 'status' || term.field === 'group_status';
    if (isState && !/[*?]/.test(term.value) && !states.includes(term.value.toLowerCase())) {
      return refused(400, `Query parsing error: '${term.value}' is not a valid monitor status`);
    }
  }
  return read.term;
}

/** Counts of each value, the most frequent first. */
function facet<T extends string | boolean>(values: Iterable<T>): { name: T; count: number }[] {
  const found = new Map<T, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found]
    .map(([name, times]) => ({ name, count: times }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function pageWithFacets(request: ApiRequest, world: ServiceWorld, subjects: readonly Subject[]) {
  const page = countParameter(request.query, 'page', 0, Number.MAX_SAFE_INTEGER);
  const size = Math.max(1, countParameter(request.query, 'per_page', 30, 1000));
  const state = ({ monitor, group }: Subject): string => group?.status ?? monitor.overall;
  return {
    rows: subjects.slice(page * size, (page + 1) * size),
    counts: {
      status: facet(subjects.map(state)),
      muted: facet(subjects.map((one) => isMuted(world, one, request.now))),
      tag: facet(subjects.flatMap(({ monitor }) => monitor.tags)),
      type: facet(subjects.map(({ monitor }) => monitor.parts().classification)),
    },
    metadata: { total_count: subjects.length, page_count: Math.ceil(subjects.length / size), page, per_page: size },
  };
}

/** Sorted by `sort=name,asc`; `status` sorts by severity. */
function sorted(subjects: Subject[], query: URLSearchParams): Subject[] {
  const [field = 'name', direction = 'asc'] = (query.get('sort') ?? 'name,asc').split(',');
  const order = ['alert', 'warn', 'no data', 'ok'];
  const value = ({ monitor, group }: Subject): string | number => {
    if (field === 'status') return order.indexOf((group?.status ?? monitor.overall).toLowerCase());
    return field === 'tags' ? monitor.tags.join(',') : monitor.name.toLowerCase();
  };
  const sign = direction === 'desc' ? -1 : 1;
  return subjects
    .map((one) => ({ one, by: value(one) }))
    .sort((a, b) => (a.by < b.by ? -sign : a.by > b.by ? sign : 0))
    .map(({ one }) => one);
}

const search: Handler = (request, world) => {
  const term = readSearch(request.query);
  if ('status' in term) return term;
  const all = monitorsById(world.org).map((monitor) => ({ monitor }));
  const found = all.filter((one) =>
    holds(term, (field, value, quoted) => decide(world, one, request.now, field, value, quoted)),
  );
  const { rows, counts, metadata } = pageWithFacets(request, world, sorted(found, request.query));
  return ok({ monitors: rows.map(({ monitor }) => showFound(world, monitor, request.now)), counts, metadata });
};

function showFound(world: ServiceWorld, monitor: StoredMonitor, now: number): Record<string, unknown> {
  const { org } = world;
  const user = org.users.get(monitor.creator);
  const name = user?.name ?? null;
  const until = silentUntil(org, monitor, now);
  const triggered = Math.max(0, ...[...monitor.groups.values()].map((group) => group.triggered ?? 0));
  const shown = {
    id: numeric(monitor.id),
    org_id: org.number,
    name: monitor.name,
    type: monitor.type,
    classification: monitor.parts().classification,
    status: monitor.overall,
    query: monitor.query,
    scopes: monitor.parts().scope,
    metrics: monitor.parts().metrics,
    tags: monitor.tags,
    notifications: handles(monitor.message).map((handle) => ({ handle, name: displayName(org, handle) })),
    // Recorded: where the name is null the id is an object (docs/contract/monitors.md#oddities).
    creator: {
      id: name === null ? { handle: user?.handle, id: user?.number, name } : user?.number,
      handle: user?.handle,
      name,
    },
    priority: monitor.priority,
    restricted_roles: monitor.restrictedRoles ?? [],
    muted_until_ts: until === undefined || until === null ? null : seconds(until),
    last_triggered_ts: triggered === 0 ? null : triggered,
    overall_state_modified: monitor.overallChanged === null ? null : seconds(monitor.overallChanged),
  };
  return { ...shown, ...pick(monitor.overrides, Object.keys(shown)) };
}

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

const displayName = (org: Org, handle: string): string =>
  [...org.users.values()].find((user) => user.handle === handle)?.name ?? handle;

const searchGroups: Handler = (request, world) => {
  const term = readSearch(request.query);
  if ('status' in term) return term;
  const all = monitorsById(world.org).flatMap((monitor) =>
    [...monitor.groups.values()].map((group) => ({ monitor, group })),
  );
  const found = all.filter((one) =>
    holds(term, (field, value, quoted) => decide(world, one, request.now, field, value, quoted)),
  );
  const { rows, counts, metadata } = pageWithFacets(request, world, sorted(found, request.query));
  return ok({ groups: rows.map((one) => showGroup(world, one as Required<Subject>, request.now)), counts, metadata });
};

function showGroup(world: ServiceWorld, { monitor, group }: Required<Subject>, now: number): Record<string, unknown> {
  const quiet = groupSilences(world.org, monitor, group, now);
  const forever = quiet.some((one) => one.end === null);
  const until = quiet.length === 0 || forever ? null : Math.max(...quiet.map((one) => one.end as number));
  const tags = [...group.tags, ...monitor.parts().scope];
  return {
    monitor_id: numeric(monitor.id),
    monitor_name: monitor.name,
    group: group.name === '*' ? 'total' : group.name,
    group_tags: group.tags,
    all_tags: tags,
    env_tags: tags.filter((tag) => tag.startsWith('env:')),
    team_tags: monitor.tags.filter((tag) => tag.startsWith('team:')),
    status: group.status,
    last_triggered_ts: group.triggered ?? 0,
    last_nodata_ts: group.nodata ?? 0,
    muted: quiet.length > 0,
    muted_remaining: until === null ? null : seconds(until - now),
    muted_until_ts: until === null ? null : seconds(until),
    downtimes: quiet.filter((one) => one.made !== 'mute').map((one) => one.id),
    priority: monitor.priority,
  };
}

/** Handlers of both monitor searches, by endpoint id. */
export const monitorSearchHandlers: Readonly<Record<string, Handler>> = {
  'monitors.search': search,
  'monitors.search-groups': searchGroups,
};
