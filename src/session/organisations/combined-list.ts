import { refusal } from '../../api/problem.ts';
import type { Column } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import type { LoggedEdit } from '../../describe/derived.ts';
import { joinedKey, type Organisation, type Tagged } from '../../describe/organisation.ts';
import { receipt } from '../../describe/receipt.ts';
import type { AnyList, Detail, Screen } from '../../describe/screen.ts';
import type { Source } from '../../describe/source.ts';
import { present } from '../../lib/present.ts';
import type { Row } from '../list/list-state.ts';
import { combinedBoard, combinedDerivation } from './combined-derivation.ts';

/** The list of one of several organisations: what it reads is read there, and its actions act there. */
function partList(list: AnyList, organisation: Organisation): AnyList {
  const { detail } = list;
  const load = detail?.load;
  return {
    ...list,
    organisation,
    load: (asked, context) => organisation.read(list.load(asked, organisation.context(context))),
    ...(detail && load
      ? { detail: { ...detail, load: (row, context) => organisation.read(load(row, organisation.context(context))) } }
      : {}),
  };
}

/** Lists of several organisations as one. Its rows are tagged; each is described by its own list, in its own context. */
function combinedList(parts: readonly [AnyList, ...AnyList[]], isCombined: (listId: string) => boolean): AnyList {
  const [base] = parts;
  // What is told of one row alone is asked of its own list.
  const { organisation: _, derived, board, now, openEnds, link, command, comparable, service, isKept, ...plain } = base;
  const load: AnyList['load'] = (asked, context) => sourceOf(parts.map((part) => part.load(asked, context)));
  const made = derived && combinedDerivation(parts, isCombined);
  if (made && board) return { ...plain, parts, load, derived: made, board: combinedBoard(parts, isCombined) };

  const ofOrganisation = new Map(parts.map((part) => [part.organisation, part]));
  const own = ({ organisation }: Tagged) => ofOrganisation.get(organisation) ?? base;
  const { detail, states, search, notifies, alarms, words, trend } = base;
  const columns = base.columns.map((_, at) => columnOf(base, at, own));
  return {
    ...plain,
    ...(made ? { derived: made } : {}),
    parts,
    load,
    idOf: (row: Tagged) => row.organisation.id(own(row).idOf(row.row)),
    nameOf: (row: Tagged) => own(row).nameOf(row.row),
    columns: withProfile(columns),
    ...present({
      sorted: base.sorted ?? base.sortedTogether,
      shown:
        base.shown && withProfile(base.shown.flatMap(({ id }) => columns.find((column) => column.id === id) ?? [])),
    }),
    words: (row: Tagged, context) =>
      `${row.organisation.name} ${words ? (own(row).words?.(row.row, row.organisation.context(context)) ?? '') : ''}`,
    ...present({
      trend: trend && ((row: Tagged) => own(row).trend?.(row.row) ?? Number.NaN),
      states: states?.map((state, at) => ({
        ...state,
        isIn: (row: Tagged, context: Context) =>
          own(row).states?.[at]?.isIn(row.row, row.organisation.context(context)) ?? false,
        ...present({
          aside: state.aside && {
            ...state.aside,
            isSo: (row: Tagged, context: Context) =>
              own(row).states?.[at]?.aside?.isSo(row.row, row.organisation.context(context)),
          },
        }),
      })),
      search: search && {
        ...search,
        form: (asked: Readonly<Record<string, string>>, context: Context) =>
          search.form(asked, base.organisation?.context(context) ?? context),
      },
      notifies: notifies && {
        ...notifies,
        isSo: (row: Tagged, context: Context) =>
          own(row).notifies?.isSo(row.row, row.organisation.context(context)) ?? false,
      },
      alarms: alarms && ((rows: readonly Tagged[], context: Context) => alarmsOf(parts, rows, context)),
      detail: detail && combinedDetail(detail, own),
    }),
  };
}

/** The screens of several organisations: those that can show the rows of all do; the others are of the first. */
export function combinedScreens(of: readonly [OfOrganisation, ...OfOrganisation[]]): readonly Screen[] {
  const [first, ...others] = of;
  const combined = new Set(
    first.screens.flatMap((screen) => (screen.isCombined ? screen.lists.map((list) => list.id) : [])),
  );
  return first.screens.map((screen, screenAt) => {
    if (!screen.isCombined) return screen;
    const lists = screen.lists.map((list, at) =>
      combinedList(
        [
          partList(list, first.organisation),
          ...others.flatMap(({ screens, organisation }) => {
            const same = screens[screenAt]?.lists[at];
            return same ? [partList(same, organisation)] : [];
          }),
        ],
        (id) => combined.has(id),
      ),
    );
    return { ...screen, lists };
  });
}

/** An organisation with the screens in its own words. */
export interface OfOrganisation {
  readonly organisation: Organisation;
  readonly screens: readonly Screen[];
}

/** One read for each organisation. It is never run itself: a session watches its parts. */
function sourceOf(parts: readonly Source<Row>[]): Source<Row> {
  return {
    key: joinedKey(parts.map(({ key }) => key)),
    of: [...new Set(parts.flatMap(({ of }) => of))],
    parts,
    // biome-ignore lint/correctness/useYield: there is nothing to ask
    *plan() {
      return refusal('unreadable', 'several organisations are read one by one');
    },
  };
}

function columnOf(base: AnyList, at: number, own: (row: Tagged) => AnyList): Column<Tagged> {
  const column = base.columns[at] as Column<Row>;
  const same = (row: Tagged) => own(row).columns[at] ?? column;
  const { tone, sort } = column;
  return {
    ...column,
    text: (row, context) => same(row).text(row.row, row.organisation.context(context)),
    ...present({
      tone: tone && ((row: Tagged, context: Context) => toneOf(same(row), row, context)),
      sort:
        sort && ((row: Tagged, context: Context) => same(row).sort?.(row.row, row.organisation.context(context)) ?? ''),
    }),
  };
}

const toneOf = (column: Column<Row>, { row, organisation }: Tagged, context: Context) =>
  column.tone?.(row, organisation.context(context)) ?? 'plain';

/** What is read of a row is read by its own list (reads.ts), so edits on their way are laid over it there. */
function combinedDetail({ previewLines, ...base }: Detail<Row>, own: (row: Tagged) => AnyList): Detail<Tagged> {
  const of = (row: Tagged) => own(row).detail ?? base;
  const { load, preview, tabs } = base;
  return {
    ...present({
      previewLines,
      load:
        load && ((row: Tagged, context: Context) => (of(row).load ?? load)(row.row, row.organisation.context(context))),
      preview:
        preview &&
        ((row: Tagged, context: Context) => of(row).preview?.(row.row, row.organisation.context(context)) ?? []),
      tabs:
        tabs &&
        ((row: Tagged, whole: unknown, context: Context) =>
          of(row).tabs?.(row.row, whole, row.organisation.context(context)) ?? []),
    }),
    sections: (row, whole, context) => of(row).sections(row.row, whole, row.organisation.context(context)),
  };
}

/** The columns with that of the profile behind the first, whatever a person has chosen. */
const withProfile = ([first, ...others]: readonly Column<Tagged>[]): readonly Column<Tagged>[] => [
  ...(first ? [first] : []),
  profileColumn,
  ...others,
];

const profileColumn: Column<Tagged> = {
  id: 'profile',
  title: 'PROFILE',
  min: 4,
  max: 16,
  priority: 1,
  text: ({ organisation }) => organisation.name,
  tone: () => 'info',
  sort: ({ organisation }) => organisation.name.toLowerCase(),
};

function alarmsOf(parts: readonly AnyList[], rows: readonly Tagged[], context: Context) {
  return parts.flatMap(({ organisation, alarms }) => {
    if (!organisation) return [];
    const own = rows.flatMap((row) => (row.organisation === organisation ? [row.row] : []));
    const ofOne = (edits: readonly LoggedEdit[]) => edits.filter(({ profile }) => profile?.name === organisation.name);
    return (alarms?.(own, organisation.context(context)) ?? []).map((alarm) => ({
      ...alarm,
      key: organisation.id(alarm.key),
      rowId: organisation.id(alarm.rowId),
      subject: receipt`${organisation.name}: ${alarm.subject}`,
      ...present({ isOwn: alarm.isOwn && ((edits: readonly LoggedEdit[]) => alarm.isOwn?.(ofOne(edits)) ?? true) }),
    }));
  });
}
