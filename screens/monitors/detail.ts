import {
  ageText,
  type DetailLine,
  momentPair,
  pair,
  type Section,
  type SubRow,
  section,
  subColumn,
  type Tab,
  textLine,
} from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { rawTab } from '../../src/describe/list-detail.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { nameTitle } from '../../src/lib/text.ts';
import { neighbors } from '../service/neighbors.ts';
import { groupTone, monitorKindWord, namedIn, runbookLinks, servicesOf } from './columns.ts';
import { optionUnits } from './definition/setting.ts';
import {
  covers,
  distinct,
  endCell,
  findMutes,
  hasEnded,
  isLive,
  lastEnd,
  mutesRowId,
  muteType,
  scopeWords,
} from './mutes.ts';
import { groupLine, notifiedTimes, preview, stateLines, textLines } from './preview.ts';
import { type MonitorRow, rawMonitor, toInstant, toObject, toText } from './row.ts';
import { type Whole, wholeMonitor } from './whole-monitor.ts';

/** What Enter shows of a monitor. */
export const detail: Detail<MonitorRow> = {
  load: wholeMonitor,
  inside: { get: (whole: Whole) => whole.row, set: (whole: Whole, row) => ({ ...whole, row }) },
  sections: (row, details: Whole | undefined, context) => {
    const now = details?.row ?? row;
    return [
      section('state', '', [
        ...stateLines(now, context),
        ...valueLines(now, context),
        ...(details?.notes ?? []).map((note) => textLine(note, 'warn')),
      ]),
      groupSection(now, context),
      section('todo', 'What to do', todo(now, context)),
      section('query', 'Query', queryLines(now)),
      section('definition', 'Definition', definition(now, context)),
      section('options', 'Options', options(now)),
    ];
  },
  neighbors: (row, whole: Whole | undefined, context) =>
    neighbors({ id: row.id, services: servicesOf(whole?.row ?? row, context) }, context),
  tabs: (row, whole: Whole | undefined, context) => {
    const now = whole?.row ?? row;
    return [groups(now, whole, context), mutes(now, whole, context), rawTab(rawMonitor(now))];
  },
  preview,
};

const shownGroups = 8;

/** The groups that are worst off; a tab has all of them. One alone says no more than the state. */
function groupSection(row: MonitorRow, context: Context): Section {
  const { all } = row.groups;
  return section(
    'groups',
    all > shownGroups ? `Worst of ${all} groups` : 'Groups',
    (all > 1 ? row.worst : []).slice(0, shownGroups).map((group) => groupLine(row, group, context)),
  );
}

/** The value of a monitor without groups, and what it is compared with; those of several stand beside their groups. */
function valueLines(row: MonitorRow, { now }: Context): readonly DetailLine[] {
  const [only, ...others] = row.worst;
  if (only?.value === undefined || others.length > 0) return [];
  return [pair('Value', [only.value, thresholds(row)].filter(Boolean).join(' · '), groupTone(row, only, now))];
}

/** `critical 20, warning 10`; empty where there is none. */
const thresholds = (row: MonitorRow): string =>
  Object.entries(row.thresholds)
    .flatMap(([name, threshold]) => (threshold == null ? [] : `${name.replaceAll('_', ' ')} ${String(threshold)}`))
    .join(', ');

const queryLines = (row: MonitorRow): readonly DetailLine[] =>
  row.query === '' ? [textLine('None', 'dim')] : row.query.split(/\r?\n/).map((line) => textLine(line));

/** Whether all of a monitor was read: a list leaves out its JSON, and a search most of it. */
const isRead = (row: MonitorRow): boolean => row.raw !== undefined && !row.partial;

function definition(row: MonitorRow, context: Context): readonly DetailLine[] {
  const raw = rawMonitor(row);
  /** What no list has is left out until the monitor is read. */
  const whenRead = (line: DetailLine) => (isRead(row) ? [line] : []);
  return [
    pair('Type', row.type === monitorKindWord(row.type) ? row.type : `${monitorKindWord(row.type)} (${row.type})`),
    pair('Thresholds', thresholds(row)),
    pair('Priority', row.priority === undefined ? undefined : `P${row.priority}`),
    pair('Tags', row.tags.join(' ')),
    ...whenRead(pair('Alerts', raw.multi == null ? undefined : raw.multi === true ? 'for each group' : 'as a whole')),
    pair('Created by', creatorText(row)),
    ...whenRead(momentPair('Created', toInstant(raw.created), context)),
    momentPair('Updated', row.modified, context),
    pair('Editable by', row.restricted.length === 0 ? 'anyone with permission' : `roles ${row.restricted.join(', ')}`),
    ...whenRead(pair('Status', toText(raw.draft_status))),
    ...(raw.deleted == null ? [] : [momentPair('Deleted', toInstant(raw.deleted), context)]),
    pair('ID', row.id),
  ];
}

/** `Yara Dale · yara@example.test`: the name, and where to reach them. */
function creatorText(row: MonitorRow): string {
  const { handle, email } = toObject(rawMonitor(row).creator);
  return [...new Set([row.creator, toText(email), toText(handle)])].filter(Boolean).join(' · ');
}

/** Its runbooks, what it notifies with, and whom. */
function todo(row: MonitorRow, context: Context): readonly DetailLine[] {
  return [
    ...runbookLinks(row, context).map(({ name, url }) => pair('Runbook', [name, url].filter(Boolean).join(' '))),
    ...message(row),
    ...(row.message === '' ? [] : [pair('Notifies', namedIn(row).join(' '))]),
  ];
}

function message(row: MonitorRow): readonly DetailLine[] {
  const { message: said } = row;
  if (said === '') return [textLine(row.partial ? 'Loading…' : 'No message', 'dim')];
  return textLines(said);
}

/** Every option, unknown ones too; mutes have a tab of their own, and thresholds stand in the definition. */
function options(row: MonitorRow): readonly DetailLine[] {
  const all = Object.entries(toObject(rawMonitor(row).options));
  const shown = all.filter(([name]) => name !== 'silenced' && name !== 'thresholds');
  if (shown.length === 0) return [textLine(isRead(row) ? 'No options' : 'Loading…', 'dim')];
  return shown.map(([name, option]) => pair(nameTitle(name.replace('groupby', 'group_by')), optionText(name, option)));
}

function optionText(name: string, option: unknown): string | null {
  if (option === null || option === undefined) return null;
  if (typeof option === 'boolean') return option ? 'yes' : 'no';
  return typeof option === 'object' ? stringifyExact(option) : `${option}${optionUnits[name]?.[0] ?? ''}`;
}

function groups(row: MonitorRow, details: Whole | undefined, context: Context): Tab {
  const live = findMutes(row, context.now);
  const notified = notifiedTimes(row);
  const rows: SubRow[] = row.worst.map((group) => {
    const over = live.filter((mute) => covers(mute.scope, group.name));
    const last = lastEnd(over);
    return {
      id: group.name,
      cells: {
        state: group.state.toUpperCase(),
        group: group.name === '*' ? '* (no groups)' : group.name,
        value: group.value ?? '',
        since: ageText(group.since, context),
        notified: ageText(notified.get(group.name), context),
        muted: last ? endCell(last.end, context) : '',
      },
      tones: {
        state: groupTone(row, group, context.now),
        since: 'dim',
        notified: 'dim',
        muted: 'info',
      },
    };
  });
  return {
    kind: 'rows',
    id: 'groups',
    title: row.groups.all > 0 ? `Groups ${row.groups.all}` : 'Groups',
    empty: details === undefined && row.partial ? undefined : 'No groups yet',
    columns: [
      subColumn({ id: 'state', min: 7, priority: 1 }),
      subColumn({ id: 'group', min: 20, flex: true, priority: 1 }),
      subColumn({ id: 'muted', title: 'MUTED UNTIL', min: 12, max: 24, priority: 2 }),
      subColumn({ id: 'value', min: 8, align: 'right', priority: 4 }),
      subColumn({ id: 'since', min: 6, align: 'right', priority: 3 }),
      subColumn({ id: 'notified', min: 8, align: 'right', priority: 5 }),
    ],
    rows,
  };
}

function mutes(row: MonitorRow, details: Whole | undefined, context: Context): Tab {
  const all = distinct(row.mutes).filter((mute) => !hasEnded(mute, context.now));
  const rows: SubRow[] = all.map((mute) => ({
    id: mutesRowId(mute),
    cells: {
      scope: scopeWords(mute.scope),
      until: isLive(mute, context.now)
        ? endCell(mute.end, context)
        : `${endCell(mute.end, context)}, starts ${endCell(mute.start ?? 0, context)}`,
      source: muteType(mute),
      who: mute.who ?? '',
      why: mute.why ?? '',
      over: mute.wide ? (mute.over ?? 'maybe more than this monitor') : 'this monitor',
    },
    tones: { over: mute.wide ? 'warn' : 'dim', until: 'info' },
  }));
  return {
    kind: 'rows',
    id: 'mutes',
    title: rows.length === 0 ? 'Mutes' : `Mutes ${rows.length}`,
    empty: details && 'No mutes. m: mute',
    columns: [
      subColumn({ id: 'scope', min: 14, flex: true, priority: 1 }),
      subColumn({ id: 'until', title: 'ENDS', min: 14, max: 40, priority: 1 }),
      subColumn({ id: 'source', title: 'TYPE', min: 12, max: 45, priority: 3 }),
      subColumn({ id: 'why', title: 'REASON', min: 10, max: 60, priority: 4 }),
      subColumn({ id: 'who', title: 'CREATED BY', min: 8, priority: 5 }),
      subColumn({ id: 'over', title: 'APPLIES TO', min: 12, max: 30, priority: 2 }),
    ],
    rows,
  };
}
