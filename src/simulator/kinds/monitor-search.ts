import { only } from '../../lib/values.ts';
import { toMinutes } from '../../query/language.ts';
import { contains, holds, matchesText, readTerms, type SearchTerm, singles } from '../query/search-terms.ts';
import type { Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  countParameter,
  type Handler,
  isResponse,
  numeric,
  ok,
  refused,
  type ServiceWorld,
  seconds,
  sortedBy,
} from '../server/handler.ts';
import type { Silence, StoredMonitor } from '../server/monitoring.ts';
import { monitorsById, type Org } from '../server/store.ts';
import { activeSilences, type MonitorOrGroup } from './silences.ts';

/** The most severe first (docs/contract/monitors.md#states). */
const states = ['alert', 'warn', 'no data', 'ok', 'ignored', 'skipped', 'unknown'];

const stateOf = ({ monitor, group }: MonitorOrGroup): string => group?.status ?? monitor.overall;

/** Whom a message notifies: `ops@example.test` of `@ops@example.test`. */
const handles = (message: string): string[] =>
  [...message.matchAll(/@([\w.@-]+\w)/g)].map((match) => match[1] as string);

/** Whether one term of the search syntax matches (docs/contract/monitors.md#search); an unknown field matches nothing. */
function matchesTerm(
  org: Org,
  subject: MonitorOrGroup,
  now: number,
  field: string | null,
  value: string,
  quoted: boolean,
): boolean {
  const { monitor, group } = subject;
  const among = (texts: Iterable<string>): boolean => [...texts].some((text) => matchesText(text, value, quoted));
  switch (field) {
    case null: {
      // A trailing `~` asks for fuzzy matching: the simulator matches the exact text.
      const text = value.replace(/~\d*$/, '');
      return value === monitor.id || contains(monitor.name, text, quoted) || contains(monitor.message, text, quoted);
    }
    case 'title':
      return contains(monitor.name, value, quoted);
    case 'message':
      return contains(monitor.message, value, quoted);
    case 'id':
      return value === monitor.id;
    case 'status':
      return matchesText(stateOf(subject), value, quoted);
    case 'group_status':
      return among([...monitor.groups.values()].map((one) => one.status));
    case 'muted':
      return String(isMuted(org, subject, now)) === value.toLowerCase();
    case 'muted_left':
      return activeSilences(org, subject, now).some(({ end }) => end !== null && end - now <= milliseconds(value));
    case 'muted_elapsed':
      return activeSilences(org, subject, now).some(({ start }) => now - start >= milliseconds(value));
    case 'type':
      return matchesText(monitor.parts().classification, value, quoted);
    case 'priority':
      return monitor.priority !== null && matchesText(`p${monitor.priority}`, value, quoted);
    case 'tag':
      return among(monitor.tags);
    case 'service':
    case 'env':
    case 'team':
      return [...monitor.tags, ...monitor.parts().scope, ...(group?.tags ?? [])].some((tag) =>
        matchesText(tag, `${field}:${value}`, quoted),
      );
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

const isMuted = (org: Org, subject: MonitorOrGroup, now: number): boolean =>
  activeSilences(org, subject, now).length > 0;

/** The length of `30m`; NaN, which no length reaches, for a text that is none. */
const milliseconds = (length: string): number => (toMinutes(length) ?? Number.NaN) * 60_000;

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
const facet = <T extends string | boolean>(values: Iterable<T>): { name: T; count: number }[] =>
  [...Map.groupBy(values, (value) => value)]
    .map(([name, { length: count }]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));

const sortValues = {
  name: ({ monitor }: MonitorOrGroup) => monitor.name.toLowerCase(),
  status: (subject: MonitorOrGroup) => states.indexOf(stateOf(subject).toLowerCase()),
  tags: ({ monitor }: MonitorOrGroup) => monitor.tags.join(','),
};

/** The page of the monitors or groups that a request searches for, with counts over all of them; or its refusal. */
function findPage<S extends MonitorOrGroup>({ query, now }: ApiRequest, { org }: ServiceWorld, subjects: readonly S[]) {
  const term = readSearch(query);
  if (isResponse(term)) return term;
  const [field = '', direction] = (query.get('sort') ?? 'name').split(',');
  const found = sortedBy(
    subjects.filter((subject) => holds(term, (...parts) => matchesTerm(org, subject, now, ...parts))),
    direction === 'desc' ? `-${field}` : field,
    sortValues,
  );
  if (isResponse(found)) return found;
  const page = countParameter(query, 'page', 0, Number.MAX_SAFE_INTEGER);
  const size = Math.max(1, countParameter(query, 'per_page', 30, 1000));
  return {
    rows: found.slice(page * size, (page + 1) * size),
    counts: {
      status: facet(found.map(stateOf)),
      muted: facet(found.map((subject) => isMuted(org, subject, now))),
      tag: facet(found.flatMap(({ monitor }) => monitor.tags)),
      type: facet(found.map(({ monitor }) => monitor.parts().classification)),
    },
    metadata: { total_count: found.length, page_count: Math.ceil(found.length / size), page, per_page: size },
  };
}

/** Epoch seconds of the latest end; null where one of them never ends, or where there are none. */
function lastEnd(silences: readonly Silence[]): number | null {
  const ends = silences.map(({ end }) => end ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...ends);
  return Number.isFinite(last) ? seconds(last) : null;
}

const search: Handler = (request, world) => {
  const found = findPage(
    request,
    world,
    monitorsById(world.org).map((monitor) => ({ monitor })),
  );
  if (isResponse(found)) return found;
  const { rows, counts, metadata } = found;
  return ok({ monitors: rows.map(({ monitor }) => showMonitor(world.org, monitor, request.now)), counts, metadata });
};

/** A monitor as its search shows it: other names than in the list, and epoch seconds. */
function showMonitor(org: Org, monitor: StoredMonitor, now: number): Record<string, unknown> {
  const user = org.users.get(monitor.creator);
  const name = user?.name ?? null;
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
    muted_until_ts: lastEnd(activeSilences(org, { monitor }, now)),
    last_triggered_ts: triggered === 0 ? null : triggered,
    overall_state_modified: monitor.overallChanged === null ? null : seconds(monitor.overallChanged),
  };
  return { ...shown, ...only(monitor.overrides, Object.keys(shown)) };
}

const displayName = (org: Org, handle: string): string =>
  [...org.users.values()].find((user) => user.handle === handle)?.name ?? handle;

const searchGroups: Handler = (request, world) => {
  const groups = monitorsById(world.org).flatMap((monitor) =>
    [...monitor.groups.values()].map((group) => ({ monitor, group })),
  );
  const found = findPage(request, world, groups);
  if (isResponse(found)) return found;
  const { rows, counts, metadata } = found;
  return ok({ groups: rows.map((one) => showGroup(world.org, one, request.now)), counts, metadata });
};

function showGroup(org: Org, subject: Required<MonitorOrGroup>, now: number): Record<string, unknown> {
  const { monitor, group } = subject;
  const silences = activeSilences(org, subject, now);
  const end = lastEnd(silences);
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
    muted: silences.length > 0,
    muted_remaining: end === null ? null : end - seconds(now),
    muted_until_ts: end,
    downtimes: silences.filter((one) => one.made !== 'mute').map((one) => one.id),
    priority: monitor.priority,
  };
}

/** The searches of monitors and of their groups. */
export const monitorSearchOperations: Operations = {
  'monitors.search': search,
  'monitors.search-groups': searchGroups,
};
