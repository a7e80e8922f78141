import type { Context, ListQuery } from '../../src/describe/context.ts';
import type { BlockNow, BoardLine, NamedLink, Piece, Told } from '../../src/describe/derived.ts';
import { formatCount, plural, sparkline } from '../../src/lib/text.ts';
import { age, offsetName, readEpoch } from '../../src/lib/time.ts';
import { countPiece, countSoFar, isCut, nearTime, readTrouble, waiting } from '../home/board.ts';
import { muteColumns, muteLine, mutesNow } from '../home/mutes.ts';
import { alertColumns, alertLine, redFirst } from '../home/now.ts';
import { errorText, issueStateTone, newMs, stateMark } from '../issues/columns.ts';
import { assigneeName, type IssueRow } from '../issues/row.ts';
import { isAbout, isSilent, namedIn, runbookLinks } from '../monitors/columns.ts';
import { describeMute, type Mute, mutesRowId } from '../monitors/mutes.ts';
import type { MonitorRow } from '../monitors/row.ts';

/** What the page is about. */
interface PageSubject {
  /** `service:checkout-api`, `team:checkout`, `env:prod`; empty where nothing is chosen. */
  readonly tag: string;
  /** Of a service, its name. */
  readonly service?: string;
  /** As the page is titled: `checkout-api`, `team checkout`, `env:prod`. */
  readonly title: string;
}

/** What a list is asked to be about; a word without a colon is the name of a service. */
export function subjectOf({ search }: Pick<ListQuery, 'search'>): PageSubject {
  const text = search.subject?.trim() ?? '';
  const tag = text === '' || text.includes(':') ? text : `service:${text}`;
  const [, key, value = ''] = /^(service|team):(.*)$/.exec(tag) ?? [];
  if (key === 'service') return { tag, service: value, title: value };
  return { tag, title: key === undefined ? tag : `${key} ${value}` };
}

/** The monitors that are about it. */
export const monitorsOf = (feed: Told<MonitorRow> | undefined, { tag }: PageSubject): readonly MonitorRow[] =>
  tag === '' ? [] : (feed?.rows ?? []).filter((row) => isAbout(row, tag));

/** When the first of them began to alert, of those that are not muted where there are any; undefined where none alerts. */
export function alertingSince(rows: readonly MonitorRow[], now: number): number | undefined {
  const alerting = rows.filter(({ state }) => state === 'Alert');
  const startsOf = (some: readonly MonitorRow[]) => some.flatMap(({ stateSince = [] }) => stateSince);
  const heard = startsOf(alerting.filter((row) => isSilent(row, now) !== true));
  const starts = heard.length > 0 ? heard : startsOf(alerting);
  return starts.length > 0 ? Math.min(...starts) : undefined;
}

const most = 100;

/** What notifies of the subject, in the order of Home; its title is that of the page. */
export function alertsBlock(
  feed: Told<MonitorRow> | undefined,
  rows: readonly MonitorRow[],
  subject: PageSubject,
  more: readonly Piece[],
  context: Context,
): BlockNow {
  const { tag, title } = subject;
  const red = redFirst(rows, context.now);
  return {
    id: 'alerts',
    title: title || 'Service',
    head: tag === '' ? [] : head(feed, rows, more, subject, context),
    columns: alertColumns,
    total: red.length,
    lines: red.slice(0, most).map(({ row, isMuted }) => alertLine('alerts', row, isMuted, context)),
    empty: emptyText(feed, rows, tag),
    trouble: readTrouble(feed, 'monitors', context),
    runbooks: runbooksByAddress([...red.map(({ row }) => row), ...rows], context),
    least: 3,
  };
}

/** The runbooks of monitors, each address once. */
function runbooksByAddress(rows: readonly MonitorRow[], context: Context): readonly NamedLink[] {
  const all = rows.flatMap((row) => runbookLinks(row, context));
  return all.filter(({ url }, at) => all.findIndex((one) => one.url === url) === at);
}

function emptyText(feed: Told | undefined, rows: readonly MonitorRow[], tag: string): string {
  if (tag === '') return 'No service is chosen: f on a row, :service NAME, :team NAME or :tag key:value';
  return waiting(
    feed,
    rows.length > 0 ? `No alerts · ${plural(rows.length, 'monitor')}` : `no monitor is about ${tag}`,
  );
}

/** `4 alerting since 14:49 UTC · 2 muted · team checkout · pages @oncall-checkout`. */
function head(
  feed: Told | undefined,
  rows: readonly MonitorRow[],
  more: readonly Piece[],
  { tag: subjectTag }: PageSubject,
  context: Context,
): readonly Piece[] {
  const { now, zone } = context;
  const alerting = rows.filter(({ state }) => state === 'Alert');
  const muted = alerting.filter((row) => isSilent(row, now) === true).length;
  const since = alertingSince(alerting, now);
  const start = since === undefined ? '' : ` since ${nearTime(since, context)} ${offsetName(since, zone)}`;
  const told = alerting.length > 0 ? alerting : rows;
  const teams = distinct(
    told.flatMap(({ tags }) => tags.filter((tag) => tag.startsWith('team:') && tag !== subjectTag)),
  );
  const pages = distinct(told.flatMap(namedIn));
  return withDots([
    ...countPiece(`${alerting.length} alerting${start}`, 'bad', feed).map((piece) => ({
      ...piece,
      short: countSoFar(`${alerting.length} alerting`, feed),
    })),
    ...countPiece(`${muted} muted`, 'info', feed),
    ...more,
    ...(teams.length > 0
      ? [{ text: teams.map((team) => team.replace(':', ' ')).join(', '), tone: 'dim' } as const]
      : []),
    ...(pages.length > 0 ? [{ text: `pages ${pages.join(' ')}`, tone: 'dim' } as const] : []),
  ]);
}

const withDots = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.map((piece) => ({ ...piece, text: `· ${piece.text}`, ...(piece.short && { short: `· ${piece.short}` }) }));

/** Each once; of many the first two. */
const distinct = (all: readonly string[]): readonly string[] => [...new Set(all)].slice(0, 2);

/** What was seen first so long before the first alert may be its cause. */
const before = 15 * 60_000;

/** The range of the search. */
export const range = '24h';

/** The search at the service for the issues of a service. */
export const issueQuery = (service: string): string => `service:${JSON.stringify(service)}`;

/** When it first came, or came again, where that was about when the first alert began or later. */
function newSince(row: IssueRow, since: number | undefined, now: number): number | undefined {
  const from = since === undefined ? now - newMs : since - before;
  const again = row.regression && readEpoch(row.regression.at, 'ms');
  return [again, row.firstSeen].find((at) => at !== undefined && at >= from);
}

/** Issues of the last day: new ones and those that came again first. `since`: when the first alert began. */
export function issuesBlock(
  feed: Told<IssueRow> | undefined,
  { service, tag }: PageSubject,
  since: number | undefined,
  context: Context,
): BlockNow {
  const rows = (feed?.rows ?? [])
    .map((row) => ({ row, at: newSince(row, since, context.now) }))
    .toSorted((one, other) => Number(other.at !== undefined) - Number(one.at !== undefined));
  const fresh = rows.filter(({ at }) => at !== undefined).length;
  const unassigned = rows.filter(({ row }) => row.told && row.assignee === undefined).length;
  return {
    id: 'issues',
    title: `Issues ${range}`,
    head: [
      ...(rows.length > 0 ? [{ text: countSoFar(`${rows.length}`, feed), tone: 'dim' } as const] : []),
      ...withDots([
        ...countPiece(`${fresh} new${since === undefined ? '' : ' since the first alert'}`, 'info', feed),
        ...countPiece(`${unassigned} unassigned`, fresh > 0 ? 'warn' : 'dim', feed),
      ]),
    ],
    columns: [
      { id: 'state', priority: 1 },
      { id: 'total', priority: 1, align: 'right' },
      { id: 'trend', priority: 5 },
      { id: 'error', priority: 1, flex: true },
      { id: 'version', priority: 3, max: 32 },
      { id: 'who', priority: 4 },
    ],
    ...(isCut(feed) && { total: null }),
    lines: rows.map(({ row, at }) => lineOf(row, at, context)),
    empty:
      service === undefined
        ? tag === ''
          ? 'none: nothing is asked'
          : 'Issues can be searched by service only: f on one of the monitors'
        : waiting(feed, `no open issues of ${service} in the last ${range}`),
    trouble: readTrouble(feed, 'issues', context),
    least: 2,
  };
}

/** `5 issues, 1 new`, for the head of the page. */
export function issuesPiece({ lines }: BlockNow, feed: Told | undefined): readonly Piece[] {
  const fresh = lines.filter(({ since }) => since !== undefined).length;
  return lines.length === 0
    ? []
    : [
        {
          text: `${countSoFar(plural(lines.length, 'issue'), feed)}${fresh > 0 ? `, ${countSoFar(`${fresh} new`, feed)}` : ''}`,
          tone: fresh > 0 && !feed?.isPartial ? 'info' : 'dim',
        },
      ];
}

function lineOf(row: IssueRow, began: number | undefined, context: Context): BoardLine {
  const samples = context.trend(`issue ${row.id}`);
  const assignee = assigneeName(row, context);
  return {
    id: `issues ${row.id}`,
    block: 'issues',
    name: errorText(row),
    cells: {
      state: {
        text: stateMark(row.state),
        tone: began === undefined ? 'dim' : assignee === '' ? 'warn' : issueStateTone(row.state),
        says: row.state,
      },
      total: {
        text: row.counts.total === undefined ? '' : formatCount(row.counts.total),
        says: row.counts.total === undefined ? '' : plural(row.counts.total, 'error'),
      },
      trend: { text: samples.length < 2 ? '' : sparkline(samples, 8, context.ascii), tone: 'dim', says: '' },
      error: { text: errorText(row), tone: began === undefined ? 'plain' : 'strong' },
      version: { text: versionText(row, began, context), tone: began === undefined ? 'dim' : 'info' },
      who: {
        text: assignee || (row.told ? 'unassigned' : ''),
        tone: assignee === '' && began !== undefined ? 'warn' : 'dim',
      },
    },
    since: began,
    place: { list: 'issues', row: row.id, range, search: { query: issueQuery(row.service) } },
    subject: { list: 'issues', row },
  };
}

/** `new in 4.12.0 14:47`, `again in 4.12.0 14:47`, `since 3.9.1`. */
function versionText(row: IssueRow, at: number | undefined, context: Context): string {
  const isAgain = at !== undefined && at !== row.firstSeen;
  const version = isAgain ? row.regression?.version : row.firstVersion;
  if (at === undefined) return version ? `since ${version}` : '';
  return `${isAgain ? 'again' : 'new'}${version ? ` in ${version}` : ''} ${nearTime(at, context)}`;
}

/** The mutes over monitors of the subject, now and to come, each with how much of it is left. */
export function mutesOfSubject(
  monitors: Told<MonitorRow> | undefined,
  downtimes: Told<Mute> | undefined,
  rows: readonly MonitorRow[],
  { tag }: PageSubject,
  context: Context,
): BlockNow {
  const ids = new Set(rows.map(({ id }) => id));
  const now = mutesNow(monitors, downtimes, context.now).filter((row) => row.monitors.some(({ id }) => ids.has(id)));
  const isOurs = ({ monitor, over = '', scope }: Mute) =>
    ids.has(monitor) || (tag !== '' && `${over} ${scope}`.split(/[\s,]+/).includes(tag));
  const coming = [...rows.flatMap(({ mutes }) => mutes), ...(downtimes?.rows ?? [])].flatMap((mute): ComingMute[] => {
    const { start } = mute;
    return start !== undefined && start > context.now + 1000 && isOurs(mute) ? [{ ...mute, start }] : [];
  });
  const ahead = [...new Map(coming.map((mute) => [mute.id ?? mutesRowId(mute), mute])).values()];
  return {
    id: 'mutes',
    isHalf: true,
    title: `Mutes (${offsetName(context.now, context.zone)})`,
    head: [
      ...countPiece(`${now.length} now`, 'dim', monitors),
      ...withDots(countPiece(`${ahead.length} to come`, 'dim', monitors)),
    ],
    columns: muteColumns,
    lines: [
      ...now.map((row) => muteLine(row, context)),
      ...ahead.toSorted((one, other) => one.start - other.start).map((mute) => comingLine(mute, context)),
    ],
    empty: waiting(monitors, 'No mutes'),
    // The first block says why monitors cannot be read.
    trouble:
      readTrouble(monitors, 'mutes of monitors', context, monitors?.problem?.text) ??
      readTrouble(downtimes, 'who muted and why', context),
    least: 2,
  };
}

type ComingMute = Mute & { readonly start: number };

const comingLine = (mute: ComingMute, context: Context): BoardLine => ({
  id: `mutes ${mute.id ?? mutesRowId(mute)}`,
  block: 'mutes',
  name: describeMute(mute, context),
  cells: {
    left: { text: `in ${age(context.now, mute.start)}`, tone: 'dim' },
    covers: { text: describeMute(mute, context) },
    state: {
      text: [`from ${nearTime(mute.start, context)}`, mute.who, mute.why && `"${mute.why}"`]
        .filter(Boolean)
        .join(' · '),
      tone: 'dim',
    },
  },
  place: { list: 'mutes' },
});
