import type { Context, ListQuery, Source } from '../../describe/context.ts';
import { type AnyList, initialQuery, type Screen } from '../../describe/screen.ts';
import type { Anchor } from '../../lib/detail-page.ts';
import { keptPer } from '../../lib/function-results.ts';
import type { PreviewPlace, PreviewWish } from './geometry.ts';

/** A row of any list. Only the functions of its list read its members. */
export type Row = unknown;

/** What a person saw of each row: its id, and the label of its state; empty where no state counts it. */
export type SeenRows = ReadonlyMap<string, string>;

/** The kept order of a list: polls do not change it. */
export interface Order {
  readonly key: string;
  readonly ids: readonly string[];
}

/** Where a person is in the detail of a row. */
export interface OpenDetail extends Anchor {
  readonly id: string;
  readonly tab: number;
  /** Row under the cursor of a rows tab. */
  readonly subRowId?: string | undefined;
  /** The text that is searched for, and at which of its matches the person is; -1 for none. */
  readonly find?: { readonly text: string; readonly at: number } | undefined;
}

/** A watched row in another state than the one last told; without `to` it has left its list. */
export interface StateChange {
  readonly id: string;
  readonly name: string;
  readonly from: string;
  readonly to?: string;
  /** An edit of ours made it so: it is told of by its receipt alone. */
  readonly isOurs: boolean;
}

interface Sort {
  readonly by: string;
  readonly down: boolean;
}

export interface RowRange {
  /** The row where it begins. */
  readonly from: string;
  /** The rows that were shown then: it marks no others. */
  readonly rows: readonly string[];
  /** Digits typed for its next move: `v4j`. */
  readonly count: string;
}

/** A person's state of one list. Rows are identified by id, never by index. */
export interface ListState {
  readonly asked: ListQuery;
  readonly filter: string;
  readonly sort?: Sort;
  readonly cursor?: string | undefined;
  /** Place of the cursor, for when its row is gone. */
  readonly cursorAt: number;
  readonly order?: Order | undefined;
  /**
   * Rows that our edits made or brought back, until they have been read. Of a derived list also the rows of other lists
   * that they were made on, until it is left. These and what is derived of them do not wait for the next order as other
   * new rows do.
   */
  readonly made?: readonly string[] | undefined;
  /** Ids of marked rows. */
  readonly marks: ReadonlySet<string>;
  /** While a range is being chosen with `v`. */
  readonly rowRange?: RowRange | undefined;
  readonly top: number;
  readonly hscroll: number;
  /** Where `p` put the preview; where it fits best when absent. */
  readonly preview?: PreviewPlace | undefined;
  /** Ids in the order made with J and K, until it is saved or dropped. */
  readonly moving?: readonly string[] | undefined;
  /** The rows that are not new; undefined until the first read. */
  readonly seen?: SeenRows | undefined;
  /** They are those of a snapshot that did not keep all. */
  readonly isSeenPartly?: boolean | undefined;
  /** Rows whose changes of state a person is told of, each with the state last told. */
  readonly watched?: ReadonlyMap<string, string> | undefined;
  /** The detail that is open: of which row, which of its tabs, and how far it is scrolled. */
  readonly detail?: OpenDetail | undefined;
}

/** What rows are new against; undefined as long as nothing tells. */
export const seenWhole = ({ seen, isSeenPartly }: ListState): SeenRows | undefined => (isSeenPartly ? undefined : seen);

/** Lines that a preview needs where its description names none. */
const usualLines = 4;

/** The preview that a list wants: what was chosen, its lines and cells. */
export const previewWish = (list: AnyList, own: ListState): PreviewWish => ({
  place: own.preview,
  lines: list.detail?.preview === undefined ? 0 : (list.detail.previewLines ?? usualLines),
  cells: list.detail?.previewCells,
});

/** A list before anything was done to it. */
export const untouched = (list: AnyList): ListState => ({
  asked: initialQuery(list),
  filter: '',
  cursorAt: 0,
  marks: new Set(),
  top: 0,
  hscroll: 0,
});

export type RowsById = ReadonlyMap<string, Row>;

const madeById = keptPer<readonly Row[], RowsById>();

/** The rows of a read by id, as the service has them; of rows with one id the last. Made once for each read. */
export const rowsById = ({ idOf }: Pick<AnyList, 'idOf'>, rows: readonly Row[]): RowsById =>
  madeById(rows, [], () => new Map(rows.map((row) => [idOf(row), row])));

const sources = keptPer<AnyList, Source<Row>>();

/** What a list reads for a search; without its own rows, as a read that depends on what it brings would have no end. */
export const sourceOf = (list: AnyList, asked: ListQuery, context: Context): Source<Row> =>
  sources(list, [asked, context.me?.id], () => list.load(asked, { ...context, loaded: () => [] }));

/** What a row is sorted by. */
type SortedBy = string | number;

/** What rows are sorted by; undefined where the service's order stands. */
const sortValue = (list: AnyList, sort: Sort | undefined): ((row: Row, context: Context) => SortedBy) | undefined =>
  sort && list.columns.find((column) => column.id === sort.by)?.sort;

/** Which of two values comes first. */
const comparison = (isDown: boolean) => {
  const way = isDown ? -1 : 1;
  return (left: SortedBy, right: SortedBy): number => {
    if (typeof left === 'number' && typeof right === 'number') {
      // NaN (unknown) sorts last in both directions.
      if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
      return (left - right) * way;
    }
    return left < right ? -way : left > right ? way : 0;
  };
};

/**
 * Ids in the order of a column. Numbers that are unknown come last in both directions; rows of equal values stand in the list's own
 * order, those that are equal there too as they came.
 */
export function sorted(
  list: AnyList,
  rows: readonly Row[],
  sort: Sort | undefined,
  context: Context,
): readonly string[] {
  if (!sort || !sortValue(list, sort)) return rows.map(list.idOf);
  const steps = [sort, ...(list.sorted ? [list.sorted] : []), ...(list.within ?? [])].flatMap((step) => {
    const value = sortValue(list, step);
    return value ? [{ value, compare: comparison(step.down) }] : [];
  });
  return rows
    .map((row) => ({ id: list.idOf(row), by: steps.map(({ value }) => value(row, context)) }))
    .sort((one, other) => {
      for (const [at, { compare }] of steps.entries()) {
        const found = compare(one.by[at] as SortedBy, other.by[at] as SortedBy);
        if (found !== 0) return found;
      }
      return 0;
    })
    .map(({ id }) => id);
}

/** The rows that actions and copies are about, and their list. Of a derived list (Home): the rows of the lists it is made of. */
export interface Acting {
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId: string | undefined;
  /** Why several rows cannot be acted on at once. */
  readonly single?: string;
}

const noActing: Acting['rows'] = [];

/** The original rows of the targets in a derived list; in any other list the targets themselves. */
export function actingOn(
  list: AnyList,
  targets: readonly Row[],
  subRowId: string | undefined,
  screens: readonly Screen[],
): Acting {
  const { derived } = list;
  const subjectOf = derived?.subject;
  if (!subjectOf) return { list, rows: targets, subRowId };
  const subjects = targets.flatMap((row) => subjectOf(row) ?? []);
  const [first] = subjects;
  const source = first && screens.flatMap((screen) => screen.lists).find(({ id }) => id === first.list);
  // A row that stands for no other has the actions of its own list.
  if (!source && targets.length > 0 && list.actions.length > 0) return { list, rows: targets, subRowId: undefined };
  // What it makes anew needs no row.
  const making = list.actions.filter(({ on }) => on === 'list');
  if (!source) return { list: { ...list, actions: making }, rows: noActing, subRowId: undefined };
  const { offers } = derived;
  const offered = offers
    ? { ...source, actions: [...making, ...source.actions.filter((action) => offers.includes(action.id))] }
    : source;
  const alike = subjects.filter((subject) => subject.list === first.list);
  const isSingle = alike.length > 1 && alike.some((subject) => subject.subRowId !== first.subRowId);
  const isMixed = alike.length < subjects.length;
  return {
    list: offered,
    rows: alike.map(({ row }) => row),
    subRowId: first.subRowId,
    ...(isMixed ? { single: 'the marks are in several blocks: clear them first' } : {}),
    ...(isSingle ? { single: 'one row at a time: clear the marks first' } : {}),
  };
}

/**
 * Gives lists the columns of their rows. The same list is returned while a read brings equal columns: other columns
 * would be measured and drawn anew.
 */
export function createColumnsReader() {
  const read = keptPer<AnyList, { readonly columns: AnyList['columns']; readonly shape: string }>();
  const lists = keptPer<AnyList, AnyList>();
  return function inColumns(list: AnyList, rows: readonly Row[]): AnyList {
    if (!list.columnsOf) return list;
    const { columns, shape } = read(list, [rows], () => {
      const columns = list.columnsOf?.(rows) ?? list.columns;
      // Functions have no place in JSON: this is what the columns look like.
      return { columns, shape: JSON.stringify(columns) };
    });
    return lists(list, [shape], () => ({ ...list, columns }));
  };
}
