import { listMappings } from '../../src/api/authn-mappings.ts';
import { listRoles } from '../../src/api/roles.ts';
import { ageColumn, outputField, plainColumn, type RowOutput, textColumn } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Derivation, readAll, type Told } from '../../src/describe/derived.ts';
import { type AnyList, list, type RowState } from '../../src/describe/screen.ts';
import { plural } from '../../src/lib/text.ts';
import { readMoment } from '../../src/lib/time.ts';
import { check } from '../../src/query/check-query.ts';
import { concernFeeds, concernReads, concerns, feedOf } from '../home/needs.ts';
import { type AnyKey, readNullableMoment } from '../keys/any-key.ts';
import { apiKeyList, lastUsed } from '../keys/api-keys.ts';
import { orgKeyList, ownKeyList } from '../keys/application-keys.ts';
import { type MappingRow, mappingTarget } from '../mappings/kind.ts';
import { mappingList } from '../mappings.ts';
import { isManaged, type RoleRow, userCount } from '../roles/kind.ts';
import { roleList } from '../roles.ts';
import { monitorKindWord, namedIn, runbooksOf } from './columns.ts';
import { muteFeeds, muteReads } from './ledger.ts';
import { coversText, ledgerRows } from './ledger-row.ts';
import { covers, findMutes, type Mute } from './mutes.ts';
import { type MonitorRow, redNames } from './row.ts';

/** How much a finding matters: `error`, something does not work; `warning`, somebody is not told; `advice`, the night is harder. */
type Level = 'error' | 'warning' | 'advice';

/** What is wrong with one thing of the organization. */
interface Finding {
  /** Finding and thing. */
  readonly id: string;
  readonly level: Level;
  readonly what: string;
  /** Id of its list. */
  readonly list: string;
  readonly row: { readonly id: string; readonly name: string; readonly value: unknown };
  /** Since when, epoch milliseconds; undefined where the service does not tell. */
  readonly since?: number | undefined;
  /** What is known besides. */
  readonly why: string;
  /** What to do about it. */
  readonly mend: string;
}

const day = 86_400_000;
/** A state that has lasted longer is no emergency. */
const weeks = 14 * day;
/** A key that nothing has used for longer can be taken away. */
const unused = 90 * day;

/** What a check finds wrong with a thing. */
type Fault = Pick<Finding, 'level' | 'what' | 'mend'> & Partial<Pick<Finding, 'since' | 'why'>>;

const finding = (list: string, row: Finding['row'], fault: Fault): Finding => ({
  why: '',
  ...fault,
  id: `${fault.what} ${list} ${row.id}`,
  list,
  row,
});

/** A state that has lasted for weeks. */
function lasting(row: MonitorRow, { now }: Context): Fault | undefined {
  const { state, stateSince: since } = row;
  if (since === undefined || now - since < weeks) return undefined;
  const mend = 'fix what it watches, or delete it';
  if (state === 'Alert') return { level: 'warning', what: 'alerting for weeks', since, mend };
  return state === 'No Data' ? { level: 'warning', what: 'without data for weeks', since, mend } : undefined;
}

function mutedForever(row: MonitorRow, { now }: Context): Fault | undefined {
  const forever = findMutes(row, now).filter(({ end, wide }) => end === null && !wide);
  const hides = ({ scope }: Mute) => redNames(row).some((name) => covers(scope, name));
  const hiding = forever.find(hides);
  const mute = hiding ?? forever[0];
  if (!mute) return undefined;
  const { start: since, scope, who, why } = mute;
  const about = [scope === '*' ? '' : scope, who && `by ${who}`, why].filter(Boolean).join(', ');
  const mend = 'end the mute, or mute it until a time';
  return hiding
    ? { level: 'error', what: 'alerting, muted forever', since, why: about, mend }
    : { level: 'warning', what: 'muted forever', since, why: about, mend };
}

function untold(row: MonitorRow): Fault | undefined {
  if (row.partial || namedIn(row).length > 0) return undefined;
  const mend = 'add an @name to its message, unless a notification rule has one';
  return { level: 'warning', what: 'no recipients', why: 'its message has no @name', mend };
}

function outdated({ outdated = [] }: MonitorRow): Fault | undefined {
  if (outdated.length === 0) return undefined;
  const mend = 'edit the monitor: its form says what replaces it';
  return { level: 'warning', what: 'deprecated option', why: outdated.join(', '), mend };
}

/** What makes a night harder; one finding for all of it. */
function bare(row: MonitorRow): Fault | undefined {
  const lacks = [
    row.partial || runbooksOf(row).length > 0 ? '' : 'runbook in its message',
    row.priority === undefined ? 'priority' : '',
    row.tags.some((tag) => tag.startsWith('team:')) ? '' : 'team',
  ].filter(Boolean);
  if (lacks.length === 0) return undefined;
  return { level: 'advice', what: 'incomplete', why: `no ${lacks.join(', no ')}`, mend: 'edit the monitor' };
}

/** What the checker of queries says, where one is wrong. */
function wrongQuery({ type, query }: MonitorRow): Fault | undefined {
  if (query === '') return undefined;
  const { verdict, diagnostics } = check(type, query);
  if (verdict !== 'wrong') return undefined;
  const why = diagnostics[0]?.message ?? '';
  return { level: 'error', what: 'wrong query', why, mend: 'fix its query' };
}

/** Monitors that watch the same. */
function twins(monitors: readonly MonitorRow[]): readonly Finding[] {
  const known = Map.groupBy(
    monitors.filter(({ query }) => query !== ''),
    ({ type, query }) => `${monitorKindWord(type)} ${query}`,
  );
  return [...known.values()].flatMap(([first, ...others]) =>
    others.map((row) =>
      finding('monitors', rowOf(row), {
        level: 'warning',
        what: 'duplicate query',
        why: `${first?.name ?? ''}: the same ${monitorKindWord(row.type)} query`,
        mend: 'delete one of them',
      }),
    ),
  );
}

const rowOf = (row: MonitorRow): Finding['row'] => ({ id: row.id, name: row.name, value: row });

/** Mutes that silence no monitor. */
const idleMutes = (monitors: readonly MonitorRow[], downtimes: readonly Mute[], now: number): readonly Finding[] =>
  ledgerRows(monitors, downtimes, now)
    .filter((row) => row.monitors.length === 0 && row.mute.by !== 'mute')
    .map((row) =>
      finding(
        'mutes',
        { id: row.id, name: coversText(row), value: row },
        {
          level: 'warning',
          what: 'mute without a monitor',
          since: row.mute.start,
          why: 'it covers no listed monitor',
          mend: 'end the mute',
        },
      ),
    );

/** The lists of keys, with when one was last used: null for never, undefined where it is unknown. */
const keyLists: readonly {
  readonly feed: string;
  readonly of: AnyList;
  // biome-ignore lint/suspicious/noExplicitAny: each list knows its rows
  readonly used: (row: any) => number | null | undefined;
}[] = [
  { feed: 'ownKeys', of: ownKeyList, used: ({ attributes }) => readNullableMoment(attributes.last_used_at) },
  { feed: 'orgKeys', of: orgKeyList, used: ({ attributes }) => readNullableMoment(attributes.last_used_at) },
  { feed: 'apiKeys', of: apiKeyList, used: (row) => readNullableMoment(lastUsed(row)) },
];

function unusedKey({ attributes }: CreatedKey, used: number | null | undefined, now: number): Fault | undefined {
  const since = used ?? readMoment(attributes.created_at);
  if (used === undefined || since === undefined || now - since < unused) return undefined;
  const why = used === null ? 'never used' : '';
  return { level: 'warning', what: 'unused key', since, why, mend: 'find its owner, then delete the key' };
}

type CreatedKey = AnyKey & { readonly attributes: { readonly created_at?: unknown } };

/** A mapping of which neither role nor team is left. */
function idleMapping(row: MappingRow, roles: ReadonlySet<string> | undefined): Fault | undefined {
  const target = mappingTarget(row);
  const isGone = target?.kind === 'role' && roles !== undefined && !roles.has(target.id);
  if (target && !isGone) return undefined;
  const why = target ? `role ${target.id} is gone` : 'neither role nor team';
  return { level: 'warning', what: 'mapping to nothing', why, mend: 'choose a role or team, or delete it' };
}

const emptyRole = (row: RoleRow, context: Context): Fault | undefined =>
  userCount(row) === 0 && !isManaged(row, context)
    ? { level: 'advice', what: 'role without users', mend: 'delete the role, or add a user' }
    : undefined;

/** A check of each row of a feed, whose list is `of`. */
function checked<Row>(told: Told | undefined, of: AnyList, look: (row: Row) => Fault | undefined): readonly Finding[] {
  const rows = (told?.rows ?? []) as readonly Row[];
  return rows.flatMap((row) => {
    const fault = look(row);
    return fault ? finding(of.id, { id: of.idOf(row), name: of.nameOf(row), value: row }, fault) : [];
  });
}

/** Whether a list was read to its end: what is not in it is gone. */
const isWhole = (told: Told | undefined): told is Told & { readonly rows: readonly unknown[] } =>
  told?.rows !== undefined && !told.isPartial && (told.missing ?? []).length === 0;

/** All that is wrong, the worst first. `isThorough`: with the queries, whose check takes a fraction of a millisecond each. */
export function organizationFindings(
  feeds: Readonly<Record<string, Told>>,
  context: Context,
  { isThorough }: { readonly isThorough: boolean },
): readonly Finding[] {
  const { now } = context;
  const monitors = (feeds.monitors?.rows ?? []) as readonly MonitorRow[];
  const downtimes = (feeds.downtimes?.rows ?? []) as readonly Mute[];
  const roles = isWhole(feeds.roles) ? new Set(feeds.roles.rows.map((row: RoleRow) => row.id)) : undefined;
  const ofMonitors = monitors.flatMap((row) =>
    [
      mutedForever(row, context),
      isThorough ? wrongQuery(row) : undefined,
      lasting(row, context),
      untold(row),
      outdated(row),
      bare(row),
    ].flatMap((fault) => (fault ? finding('monitors', rowOf(row), fault) : [])),
  );
  const ofOthers = concerns.flatMap(({ feed, of, what, mend, isWrong, milder }) =>
    checked(feeds[feed], of, (row) => {
      if (isWrong(row)) return { level: 'error', what, mend };
      return milder?.isWrong(row) ? { level: 'warning', what: milder.what, mend } : undefined;
    }),
  );
  const all = [
    ...ofMonitors,
    ...twins(monitors),
    ...(isWhole(feeds.monitors) ? idleMutes(monitors, downtimes, now) : []),
    ...ofOthers,
    ...keyLists.flatMap(({ feed, of, used }) =>
      checked(feeds[feed], of, (row: CreatedKey) => unusedKey(row, used(row), now)),
    ),
    ...checked(feeds.mappings, mappingList, (row: MappingRow) => idleMapping(row, roles)),
    ...checked(feeds.roles, roleList, (row: RoleRow) => emptyRole(row, context)),
  ];
  // A key of one's own is also one of the organization's.
  return [...new Map(all.map((one) => [`${one.what} ${one.row.id}`, one])).values()];
}

const levels: readonly Level[] = ['error', 'warning', 'advice'];
const tones = { error: 'bad', warning: 'warn', advice: 'dim' } as const;

const counted = (level: Level): RowState<Finding> => ({
  label: level.toUpperCase(),
  tone: tones[level],
  isIn: (row) => row.level === level,
});

const derivation: Derivation<Finding> = {
  feeds: { ...muteFeeds, ...concernFeeds, roles: feedOf(roleList), mappings: feedOf(mappingList) },
  // A command has no journal, and time for the queries.
  rows: ({ told, edits }, _, context) => organizationFindings(told, context, { isThorough: edits === undefined }),
  notes: ({ told, edits }) => {
    const failed = Object.values(told).flatMap(({ problem }) => problem ?? []);
    const isPermitted = failed.filter(({ kind }) => kind !== 'forbidden' && kind !== 'notOffered');
    const unread = failed.length - isPermitted.length;
    return [
      ...isPermitted.map(({ text }) => text),
      ...(unread > 0 ? [`${plural(unread, 'list')} cannot be read with these keys`] : []),
      ...(edits === undefined ? [] : ['orgdeck hygiene also checks queries']),
    ];
  },
  subject: ({ list: of, row }) => ({ list: of, row: row.value }),
  place: ({ list: of, row }) => ({ list: of, row: row.id }),
};

const output = (): RowOutput<Finding> => ({
  fields: [
    outputField('level', 'text', 'error, warning or advice', ({ level }) => level),
    outputField('finding', 'text', 'what is wrong, such as `muted forever`', ({ what }) => what),
    outputField(
      'about',
      'object',
      '`list`, `id` and `name` of what it is wrong with',
      ({ list: of, row: { id, name } }) => ({ list: of, id, name }),
    ),
    outputField('since', 'time', 'since when; null if it is unknown', ({ since }) => since),
    outputField('why', 'text', 'details', ({ why }) => why),
    outputField('mend', 'text', 'what to do about it', ({ mend }) => mend),
  ],
});

/** What is wrong with the organization although nothing of it alerts, each with what to do about it. */
export const hygieneList = list<Finding>({
  id: 'hygiene',
  title: 'Hygiene',
  load: (asked, context) => readAll('hygiene', derivation, asked, context),
  derived: derivation,
  reads: [...muteReads, ...concernReads, listRoles, listMappings],
  idOf: ({ id }) => id,
  nameOf: ({ row: { name } }) => name,
  noun: 'finding',
  output,
  columns: [
    plainColumn({
      id: 'level',
      firsts: ['worst first', 'mildest first'],
      min: 7,
      priority: 1,
      text: ({ level }) => level.toUpperCase(),
      tone: ({ level }) => tones[level],
      sort: ({ level }) => levels.indexOf(level),
    }),
    textColumn({ id: 'finding', min: 23, max: 23, priority: 1, text: ({ what }) => what }),
    ageColumn({ id: 'since', title: 'FOR', min: 5, priority: 2 }, ({ since }) => since),
    textColumn({
      id: 'name',
      min: 20,
      // The names of monitors are whole before a few long reasons are.
      max: 52,
      flex: true,
      priority: 1,
      text: ({ row: { name } }) => name,
    }),
    textColumn({ id: 'why', min: 16, max: 22, priority: 3, text: ({ why }) => why, tone: () => 'dim' }),
    textColumn({ id: 'mend', title: 'WHAT TO DO', min: 20, max: 52, priority: 4, text: ({ mend }) => mend }),
  ],
  sorted: { by: 'level', down: false },
  within: [
    { by: 'finding', down: false },
    { by: 'since', down: true },
  ],
  states: levels.map(counted),
  words: ({ list: of, why }) => `${of} ${why}`,
  actions: [],
  empty: 'Nothing is wrong here',
});
