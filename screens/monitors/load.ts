import { ask, type Call, call, inside, isNotOffered, type Plan, reducing, showing } from '../../src/api/endpoint.ts';
import { getMonitor, listMonitors as listEndpoint, searchMonitors } from '../../src/api/monitors.ts';
import { findTotal } from '../../src/api/paging.ts';
import { type Problem, problemResult, type Result, toResult } from '../../src/api/problem.ts';
import type { Context, ListQuery, Rows, Source } from '../../src/describe/context.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { parsedJson } from '../../src/lib/json.ts';
import { plural } from '../../src/lib/text.ts';
import {
  collectMonitors,
  countsSay,
  highest,
  isAbove,
  isWholeId,
  type ListPage,
  type MonitorCollection,
  openMemory,
  type PollMemory,
  pollPart,
  readPage,
  rowsOf,
} from './list-page.ts';
import {
  arrayOrEmpty,
  bareMonitor,
  type MonitorRow,
  readFound,
  readMonitor,
  toNumber,
  toObject,
  toText,
} from './row.ts';
import { wholeQuery } from './whole-monitor.ts';

/** Most that the service gives at once (docs/contract/monitors.md#list). */
const PAGE = 1000;
const SEARCH_PAGE = 100;
/** Rows that a list is made for; of a longer one, what alerts is read before the rest. */
const BUDGET = 10_000;
/** Rows that a list holds at most, besides all that alerts; a command prints more, and leaves a service that never comes to an end. */
const MOST_LISTED = 25_000;
const MOST_PRINTED = 200_000;
/** The search for what a person may be needed for. */
const needsPerson = 'status:(Alert OR Warn OR "No Data")';
/** A longer list is polled in parts. */
const longList = 2 * PAGE;
/** How long a list is polled whole whose search does not tell what it does, milliseconds. */
const wholeMs = 10 * 60_000;
/** Pages of a search at most. */
const MOST_PAGES = 250;
/** A page that is too large to read is asked again this many times smaller. */
const SHRINK = 4;

/** What has been read is shown when it has grown by so much, or by so many: each page at first, of 100 pages about fifty. */
const nextShown = 1.1;
const mostNew = 3000;

/** What can be asked of the list: the state of a monitor or of one of its groups, or the service's own search. */
const states = ['all', 'alert', 'warn', 'no data', 'ok'] as const;

/** What is asked until a person asks otherwise. */
export const initialSearch: Readonly<Record<string, string>> = { groups: 'all', query: '' };

/** The form behind `s`. */
export function searchForm(search: Readonly<Record<string, string>>): Fields {
  return {
    query: textField('Search', search.query, {
      hint: 'e.g. status:Alert muted:false tag:team:core "disk full"; empty = all monitors',
    }),
    groups: choiceField('Groups in state', search.groups, states, 'Monitors or groups in this state'),
  };
}

/** What is asked, for the title bar. */
export function searchSays(asked: Readonly<Record<string, string>>): string {
  const query = asked.query?.trim() ?? '';
  const groups = asked.groups && asked.groups !== 'all' ? `groups:${asked.groups}` : '';
  return [groups, query].filter(Boolean).join(' ');
}

/** The read behind the list: the walk over every monitor, or the search when a query is typed. */
export function monitorsSource(asked: ListQuery): Source<MonitorRow> {
  const query = asked.search.query?.trim() ?? '';
  const groups = asked.search.groups || 'all';
  return {
    key: query === '' ? `monitors ${groups}` : `monitors ${groups} ${query}`,
    of: ['monitor', 'downtime'],
    ...(query === '' && groups === 'all' && { allOf: 'monitors' }),
    plan: (context, before, edited) =>
      query === '' ? poll(groups, context, before, edited) : searchAndList(query, groups, context),
  };
}

/**
 * Every monitor; once a long list was read, what has changed of it and one more page. Where the search does not tell what the list does,
 * all of it for a while.
 */
function* poll(
  groups: string,
  context: Context,
  before?: Rows<MonitorRow>,
  edited: ReadonlySet<string> = new Set(),
): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
  const memory = before?.memory as PollMemory | Whole | undefined;
  if (!before || !memory) return yield* walk(groups, context);
  if ('until' in memory) return yield* walk(groups, context, context.now < memory.until ? memory : undefined);
  const part = yield* pollPart(context, { ...before, memory }, edited, {
    signal: (ids) => inside(search(ids ? `id:(${ids.join(' OR ')})` : needsPerson, 'all', context, { size: PAGE })),
    *page(after, size) {
      const page = yield* ask(pageCall(groups, after, size, context));
      const isOdd = page.ok ? page.unread.length > 0 || (page.value?.length ?? 0) > size : page.problem.tooBig;
      return isOdd ? toResult(undefined) : page;
    },
  });
  if (part === 'unsound') return yield* walk(groups, context, { until: context.now + wholeMs });
  return part ?? (yield* walk(groups, context));
}

/** Until when a list is polled whole. */
interface Whole {
  readonly until: number;
}

/** How far a walk over the list has come. */
interface Walk {
  readonly groups: string;
  readonly context: Context;
  readonly collected: MonitorCollection;
  /** The last id that was seen. */
  after: string;
  /** Monitors of all pages so far. */
  count: number;
  /** Monitors of the next page. */
  size: number;
  /** No page had more than it was asked for, or a monitor too large to read. */
  isPaged: boolean;
  /** There is more than a list holds. */
  isBound: boolean;
  /** What the service's search tells of their number, once it was asked. */
  told?: { readonly total: number | undefined };
  readonly notes: string[];
  /** Why the walk has ended before the list. */
  readonly ends: string[];
}

/** Every monitor, page after page; `pause`: until when it is not polled in parts. */
function* walk(groups: string, context: Context, pause?: Whole): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
  const collected = collectMonitors(context.now);
  const start = { after: '0', count: 0, size: PAGE, isPaged: true, isBound: false };
  const walked: Walk = { groups, context, collected, ...start, notes: [], ends: [] };
  const most = context.keepsRaw ? MOST_PRINTED : MOST_LISTED;
  let shown = 0;
  let hasAlerts = context.keepsRaw === true;
  for (;;) {
    const isMore = yield* readNextPage(walked);
    if (!isMore.ok && walked.count === 0 && isNotOffered(isMore.problem))
      return yield* unlisted(groups, context, isMore.problem);
    if (!isMore.ok) return isMore;
    if (!isMore.value || walked.count >= most) {
      walked.isBound = isMore.value;
      walked.ends.push(...(yield* endSays(walked, isMore.value)));
      break;
    }
    if (walked.count > BUDGET && !hasAlerts) {
      hasAlerts = true;
      const alerting = yield* inside(search('status:Alert', 'all', context));
      if (alerting.ok) collected.lacking(alerting.value.rows);
    }
    if (collected.count() < Math.min(shown * nextShown, shown + mostNew)) continue;
    shown = collected.count();
    yield* showing(rowsOf(collected, groups, walked.notes));
  }
  const read = rowsOf(collected, groups, walked.notes, walked.ends);
  const memory = pause ?? memoryOf(walked, read);
  return toResult(memory === undefined ? read : { ...read, memory });
}

/** What the first poll of a part begins with; none for a list that is short, or of which the service does not tell all as it was asked. */
function memoryOf({ groups, context, isBound, isPaged, after }: Walk, read: Rows<MonitorRow>): PollMemory | undefined {
  const isWhole = isBound || (read.missing ?? []).length === 0;
  const isLong = read.rows.length > longList && isPaged && isWhole && !read.unread;
  if (!isLong || groups !== 'all' || context.keepsRaw || !context.offered(searchMonitors.id)) return undefined;
  return openMemory(context.now, isBound ? after : undefined);
}

/**
 * How many monitors there are, by a search for one of them: their list does not tell. Undefined where groups in a state are asked
 * for: a service may list only the monitors that have one.
 */
function* totalOf(walked: Walk): Plan<number | undefined> {
  if (walked.told) return walked.told.total;
  const mayAsk = walked.groups === 'all' && walked.context.offered(searchMonitors.id);
  const found = mayAsk ? yield* ask(call(searchMonitors, { query: { query: '', page: 0, per_page: 1 } })) : undefined;
  const total = found?.ok ? findTotal(found.value) : undefined;
  walked.told = { total };
  return total;
}

/**
 * Whether a page shorter than asked may be a full one of a deployment with smaller pages. A command wants to be sure; a poll asks for the
 * total only where the number is one that page sizes are.
 */
const mayBeFull = ({ context }: Walk, size: number): boolean =>
  context.keepsRaw === true || size % 50 === 0 || [10, 15, 20, 25, 30].includes(size);

/**
 * Reads the page after the last id seen, and says whether there may be another one: not after an empty page, one that brings no id above
 * the last, because some deployments answer the whole list whatever is asked, and a shorter one than asked that completes the total.
 */
function* readNextPage(walked: Walk): Plan<Result<boolean>> {
  const { collected, after } = walked;
  const { page, size, isBare } = yield* askPage(walked);
  walked.size = size;
  walked.isPaged &&= !isBare && !(page.ok && page.value && page.value.length > size);
  if (isBare && collected.count() > 0 && (page.ok ? !page.value : page.problem.tooBig)) {
    walked.ends.push(`the list ends at ${after}: the next monitor is too large to read`);
    return toResult(false);
  }
  if (!page.ok) return page;
  if (!page.value) return notAList();
  const bare = isBare ? page.value.find((row) => typeof row === 'object') : undefined;
  if (bare) walked.notes.push(`${bare.name} is shown without its groups: they are too large to read`);
  const last = highest(page.value);
  const isNew = last !== undefined && isAbove(last, after);
  // A page that brings nothing new is the one before it again.
  if (isNew || walked.count === 0) collected.add(page.value, page.unread);
  if (!isNew) return toResult(false);
  walked.after = last;
  walked.count += page.value.length;
  if (isBare || page.value.length >= size || page.unread.length > 0) return toResult(true);
  if (!mayBeFull(walked, page.value.length)) return toResult(false);
  const total = yield* totalOf(walked);
  return toResult(total === undefined || collected.seen() < total);
}

/**
 * Asks for the next page. One that is too large to read is asked again in smaller ones (docs/design/reliability.md#responses); of a monitor that
 * alone is too large what it is without groups and downtimes, so that the walk can go past it.
 */
function* askPage({ groups, context, after, size: first }: Walk) {
  let size = first;
  let page = yield* ask(followed(pageCall(groups, after, size, context), (id) => pageCall(groups, id, first, context)));
  while (!page.ok && page.problem.tooBig && size > 1) {
    size = Math.max(1, Math.floor(size / SHRINK));
    page = yield* ask(pageCall(groups, after, size, context));
  }
  if (page.ok || !page.problem.tooBig) return { page, size, isBare: false };
  const bare = reducing(call(listEndpoint, { query: { id_offset: after, page_size: 1 } }), (answer) =>
    readPage(answer, context.keepsRaw === true),
  );
  return { page: yield* ask(bare), size: PAGE / SHRINK, isBare: true };
}

/** What is missing at the end of the list; a poll that has not asked for the total does not know. */
function* endSays(walked: Walk, isMore: boolean): Plan<readonly string[]> {
  if (isMore) return yield* boundSays(walked);
  const { collected, context, ends } = walked;
  if (context.keepsRaw) yield* totalOf(walked);
  return ends.length === 0 ? lackSays(collected, walked.told?.total) : [];
}

/** `120 of 340 monitors`, where the service tells of more than it gave. */
const lackSays = (collected: MonitorCollection, total = 0): readonly string[] =>
  total > collected.seen() ? [`${collected.count()} of ${plural(total, 'monitor')}`] : [];

/** `the first 25,000 of 31,204 monitors by ID and all that alert (12 more): s searches the others`; nothing where that is all. */
function* boundSays(walked: Walk): Plan<readonly string[]> {
  const { collected, count } = walked;
  const total = yield* totalOf(walked);
  // Some deployments answer the whole list, whatever is asked.
  if (total !== undefined && collected.count() >= total) return [];
  const of = total === undefined ? 'monitors' : `of ${total.toLocaleString('en')} monitors`;
  const more = collected.count() - count;
  const alerting = total === undefined ? '' : ` and all that alert${more > 0 ? ` (${more} more)` : ''}`;
  return [`the first ${count.toLocaleString('en')} ${of} by ID${alerting}: s searches the others`];
}

const pageCall = (groups: string, after: string, size: number, { keepsRaw = false }: Context) =>
  reducing(
    call(listEndpoint, { query: { group_states: groups, with_downtimes: true, id_offset: after, page_size: size } }),
    (answer) => readPage(answer, keepsRaw),
  );

/** A full page, and what asks for the one after it: that is sent as soon as the last id of the first is known. */
const followed = (
  page: Call<ListPage | undefined>,
  after: (id: string) => Call<ListPage | undefined>,
): Call<ListPage | undefined> => ({
  ...page,
  next(count, last) {
    const id = count === page.query.page_size ? readMonitor(parsedJson(last), 0)?.id : undefined;
    return id === undefined ? undefined : followed(after(id), after);
  },
});

/**
 * The search, and then one page of the list from the first monitor that was found: only the list tells mutes and groups,
 * and a row must not differ by how it was read. Rows beyond that page, and all where it cannot be read, stay partial.
 */
function* searchAndList(
  query: string,
  groups: string,
  context: Context,
): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
  const collected = collectMonitors(context.now);
  const found = yield* search(query, groups, context, { collected });
  const ids = collected
    .rows()
    .map((row) => row.id)
    .filter(isWholeId);
  const first = ids.reduce<string | undefined>(
    (low, id) => (low === undefined || isAbove(low, id) ? id : low),
    undefined,
  );
  if (!found.ok || first === undefined || !context.offered(listEndpoint.id)) return found;
  const page = yield* ask(pageCall('all', String(BigInt(first) - 1n), PAGE, context));
  if (!page.ok || !page.value) return found;
  for (const row of page.value) collected.complete(row);
  return { ...found, value: { ...found.value, rows: rowsOf(collected, groups).rows } };
}

/** Pages of the service's search; the counts that it gives cover every match. */
function* search(
  query: string,
  groups: string,
  context: Context,
  how: { readonly collected?: MonitorCollection; readonly size?: number } = {},
): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
  const { collected = collectMonitors(context.now), size = SEARCH_PAGE } = how;
  const tally: string[] = [];
  let total: number | undefined;
  let status = 200;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = yield* ask(call(searchMonitors, { query: { query, page, per_page: size, sort: 'status,asc' } }));
    if (!found.ok) return isNotOffered(found.problem) && page === 0 ? yield* one(query, context, found.problem) : found;
    status = found.status;
    const answer = toObject(found.value);
    const monitors = arrayOrEmpty(answer.monitors);
    const before = collected.count();
    collected.add(
      monitors.map((monitor) => readFound(monitor, context.now) ?? toText(toObject(monitor).name) ?? ''),
      found.unread,
    );
    total = toNumber(toObject(answer.metadata).total_count);
    if (page === 0) tally.push(...countsSay(answer.counts, total));
    const isShort = monitors.length < size && found.unread.length === 0;
    const isEnd = total === undefined ? isShort : collected.seen() >= total;
    if (collected.count() === before || isEnd) break;
    yield* showing({ ...rowsOf(collected, groups, tally), total });
  }
  return { ok: true, value: rowsOf(collected, groups, tally, lackSays(collected, total)), status, unread: [] };
}

/** A deployment without the list may still have the search, which finds every monitor when nothing is asked. */
function* unlisted(
  groups: string,
  context: Context,
  problem: Problem,
): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
  const found = context.offered(searchMonitors.id) ? yield* search('', groups, context) : undefined;
  if (found?.ok) {
    const notes = found.value.notes ?? [];
    return {
      ...found,
      value: { ...found.value, notes: ['found by search: this deployment does not list monitors', ...notes] },
    };
  }
  if (found && !isNotOffered(found.problem)) return found;
  return {
    ok: false,
    problem: { ...problem, text: `${problem.text}: in Monitors, s and the ID of a monitor find that one` },
  };
}

/** Without a search, a number still names one monitor; where none can be read, it can be unmuted all the same. */
function* one(query: string, context: Context, problem: Problem): Plan<Result<Rows<MonitorRow>>> {
  const id = /^(?:#|id:)?(\d+)$/.exec(query)?.[1];
  if (id === undefined) {
    const others = context.offered(listEndpoint.id) ? ', an empty search all of them' : '';
    const advice = query === '' ? '' : `: a search for an ID still finds its monitor${others}`;
    return { ok: false, problem: { ...problem, text: problem.text + advice } };
  }
  const read = yield* ask(call(getMonitor, { monitor_id: id, query: wholeQuery }));
  if (!read.ok && !isNotOffered(read.problem)) return read;
  const row = read.ok ? readMonitor(read.value, context.now) : undefined;
  if (row) return toResult({ rows: [row] });
  const notes = ['cannot be read here; it can still be unmuted'];
  return toResult({ rows: [bareMonitor(id)], notes });
}

function notAList(): Result<never> {
  return problemResult('unreadable', 'the response is not a list of monitors');
}
