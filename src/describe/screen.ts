import type { GenericSchema } from 'valibot';
import type { AnySchema, Endpoint } from '../api/endpoint.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { plural } from '../lib/text.ts';
import type { AnyAction, ShellCommand } from './action.ts';
import {
  type Column,
  type DetailLine,
  type OutputField,
  type RowOutput,
  type Section,
  type Tab,
  type Tone,
  timestamp,
} from './column.ts';
import {
  type Context,
  inWords,
  type ListQuery,
  type LoggedEdit,
  type SeenState,
  type Single,
  type Source,
} from './context.ts';
import type { Board, Derivation, NamedLink } from './derived.ts';
import type { Fields } from './field.ts';
import type { Receipt } from './receipt.ts';

/** A notification at a given time, with a bell. */
export interface Alarm {
  /** Announced once per key. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When what it tells has happened. */
  readonly ends: number;
  /** That moment in words: `09:00 UTC`. */
  readonly end: string;
  /** What ends then: `Mute on Disk`. */
  readonly subject: Receipt;
  /** Whether it is named before others, because what it is about alerts. */
  readonly isUrgent?: boolean;
  /** What a notification calls one such moment, without text of the service: `expiring mute`. */
  readonly one: string;
  /** Whether the owner of the keys is notified of it besides: given the journal, newest first. Everybody is where absent. */
  readonly isOwn?: (edits: readonly LoggedEdit[]) => boolean;
  /** The row that it is about, a place in it, and the action that its key starts there: that of `+`. */
  readonly rowId: string;
  readonly subRowId?: string;
  readonly action: string;
}

/** A state of rows, counted in the list's title. */
export interface RowState<Row> {
  /** As titles write it: `ALERT`. */
  readonly label: string;
  readonly tone?: Tone;
  /** A row is counted in the first state that it is in. */
  isIn(row: Row, context: Context): boolean;
  /**
   * Rows in this state need a person: the strip counts them, a row that comes into it is new, and no title leaves the
   * count out. One such row, as in `8 new alerts`.
   */
  readonly needsPerson?: string;
  /** How much such a row matters, where rows of one state differ: `P1`; what comes first in the alphabet matters most. */
  rank?(row: Row): string;
  /** Counted behind it in parentheses, `(5 muted)`; undefined where a row does not tell. */
  readonly aside?: { readonly label: string; isSo(row: Row, context: Context): boolean | undefined };
}

/** What rows leave open for the next shift: `Alerting, not muted`. */
export interface OpenEnds {
  readonly title: string;
  /** How many rows there are; only the first are named. */
  readonly count: number;
  /** Around the name of each: `P1`, `cpu on web`, `(since 04:40)`. */
  readonly named: readonly {
    readonly lead?: string | undefined;
    readonly name: string;
    readonly rest?: string | undefined;
    /** Id of the row. */
    readonly row: string;
  }[];
  /** Whether it is told before what can wait. */
  readonly isUrgent?: boolean;
}

/** A list of rows with everything that can be done to them. */
export interface List<Row> {
  readonly id: string;
  readonly title: string;
  /** What is read for a search; of the context it looks only at `me`, unless the list is derived: the source is kept. */
  load(asked: ListQuery, context: Context): Source<Row>;
  /** Least seconds between polls, where the list wants them slower than the profile's base. */
  readonly every?: number;
  idOf(row: Row): string;
  /** What receipts and questions call it. */
  nameOf(row: Row): string;
  /** What one of its rows is called where they are counted: `issue`; `row` when absent. Its plural ends in s. */
  readonly noun?: string;
  /** Reads the rows with these ids and no others; those that do not exist are left out. Absent where an id alone reads nothing. */
  find?(ids: readonly string[], asked: ListQuery, context: Context): Source<Row>;
  readonly columns: readonly Column<Row>[];
  /**
   * The columns where they depend on the rows, in place of `columns`; undefined = these rows tell none. Two answers that
   * are equal in everything but their functions are the same columns.
   */
  columnsOf?(rows: readonly Row[]): readonly Column<Row>[] | undefined;
  /** The columns that a person has chosen to see, in their order; all of them when absent. */
  readonly shown?: readonly Column<Row>[];
  /** Column id and direction until the person chooses. */
  readonly sorted?: { readonly by: string; readonly down: boolean };
  /** How rows stand that are equal in `sorted`; rows that are equal in another column fall back to `sorted` and then to this. */
  readonly within?: readonly { readonly by: string; readonly down: boolean }[];
  /** The server's query, edited with `s`. */
  readonly search?: {
    form(asked: Readonly<Record<string, string>>, context: Context): Fields;
    readonly initial: Readonly<Record<string, string>>;
    /** The field without which nothing is read; commands take it as an argument: `tables rows list TABLE`. */
    readonly subject?: string;
    /** For the title bar: `state:OPEN track:rum "timeout"`. */
    says(asked: Readonly<Record<string, string>>): string;
  };
  readonly ranges?: { readonly options: readonly string[]; readonly initial: string };
  /** The states that its title counts. */
  readonly states?: readonly RowState<Row>[];
  /** What `/` looks in besides the columns, the id and the state as the title counts it: words that stand for signs. */
  words?(row: Row, context: Context): string;
  /** The number whose values over the polls are kept per row. */
  trend?(row: Row): number;
  /** The state of a row, whose changes are kept for a day as the reads show them. */
  tracks?(row: Row): SeenState;
  /** Operations that it reads with: the list, its detail, the pickers of its search. What actions use, they say. */
  readonly reads?: readonly Endpoint[];
  readonly detail?: Detail<Row>;
  readonly actions: readonly AnyAction[];
  /**
   * What undo compares to see whether a row has changed since, normalized; every field of the row when absent.
   */
  comparable?(row: Row, context: Context): Readonly<Record<string, unknown>>;
  /** Rows have an order of their own, moved with J and K and saved as one edit. */
  readonly order?: {
    /** The column that shows it. */
    readonly column: string;
    /** True, or why this row stays where it is. */
    may?(row: Row): true | string;
    /** Of the action, `on: 'list'`, whose values are a `NewOrder`; its key is `ctrl+s`. */
    readonly save: string;
  };
  /**
   * Schema of its rows where they are kept on the disk and shown at the next start: they are plain JSON and hold no secret. Lists of
   * keys and of accounts with credentials are not.
   */
  readonly kept?: GenericSchema<unknown, Row>;
  /** Shown for an empty list without a filter. */
  readonly empty: string;
  /** Address of the row in the service's own pages, from a base that is known; undefined = no link. */
  link?(row: Row, context: Context): string | undefined;
  /** Where it says what to do about the row; they come before its link. */
  runbooks?(row: Row, context: Context): readonly NamedLink[];
  /** Names of the services that a row is about, the nearest first. */
  services?(row: Row, context: Context): readonly string[];
  /** Its tags. */
  tags?(row: Row): readonly string[];
  /** A shell command that shows this row. */
  command?(row: Row): ShellCommand;
  /** How rows are printed for a program: the fields besides id, name and address. */
  output?(): RowOutput<Row>;
  /** Where the identifiers of the contract stand in a row; rows without any need none. */
  readonly schema?: AnySchema;
  /** What is true of a row now, for the handover report: `muted until 09:00 UTC`. */
  now?(row: Row, context: Context): string;
  /** What these rows leave open for the next shift, for the handover report. */
  openEnds?(rows: readonly Row[], context: Context): readonly OpenEnds[];
  /** Rows to notify of when they become so between two reads, on whatever screen a person is. `one` of them: `alert`. */
  readonly notifies?: {
    readonly one: string;
    /** Whether it is news once only, however often a row leaves the list and comes back. */
    readonly isOnce?: boolean;
    isSo(row: Row, context: Context): boolean;
  };
  /** Moments to announce: a mute ends soon. */
  alarms?(rows: readonly Row[], context: Context): readonly Alarm[];
  /** How rows are made of what other lists read, where the list reads nothing itself. */
  readonly derived?: Derivation<Row>;
  /** The blocks that the list is drawn as, where it is no table; its rows are `BoardLine`s then. */
  readonly board?: Board;
}

/** What Enter shows of a row. */
export interface Detail<Row> {
  /** A further read for the whole object. */
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own further read; its tabs know the type
  load?(row: Row, context: Context): Single<any>;
  /**
   * The page of the detail: everything that is no long list, what decides first. `whole` is what `load` brought, undefined until then.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  sections(row: Row, whole: any, context: Context): readonly Section[];
  /** What else is known of what it is about, out of rows that were read already: beside the page on large terminals. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  neighbors?(row: Row, whole: any, context: Context): readonly Section[];
  /** Tabs beside the page: rows that can be acted on, lists without an end, the object as it was read. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  tabs?(row: Row, whole: any, context: Context): readonly Tab[];
  /** Lines inside the preview below the list; 4 when absent. */
  readonly previewLines?: number;
  /** Cells that are enough for the preview beside the list, for a list with long texts; a share of the terminal when absent. */
  readonly previewCells?: number;
  /**
   * What decides about the row, the most important first: below the list only the first lines are shown, beside it all.
   * The title of the pane is the row's name.
   */
  preview?(row: Row, context: Context): readonly DetailLine[];
  /** The row inside what `load` brought, where there is one: edits on their way are shown in it too. */
  readonly inside?: {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    get(whole: any): Row;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    set(whole: any, row: Row): any;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the registry seam: one list holds the lists of every domain
export type AnyList = List<any>;

/** A screen: one list, or several as tabs. */
export interface Screen {
  readonly id: string;
  readonly title: string;
  /** One digit. A screen beyond the tenth has none: the palette opens it. */
  readonly key?: string;
  /** The strip shows how many rows there are, also where none needs a person. */
  readonly showsTotal?: true;
  readonly lists: readonly AnyList[];
}

/** The columns that are drawn. Filtering, sorting and copying look at all of them. */
export const shownColumns = ({ columns, shown }: AnyList): AnyList['columns'] => shown ?? columns;

/** What one of its rows is: `issue`. */
export const rowNoun = ({ noun = 'row' }: Pick<AnyList, 'noun'>): string => noun;

/** So many of its rows: `3 issues`. */
export const formatRowCount = (list: Pick<AnyList, 'noun'>, count: number): string => plural(count, rowNoun(list));

/** Declares a list; only for the compiler. */
export function list<Row>(spec: List<Row>): List<Row> {
  return spec;
}

/** What a list asks for before anything is typed. */
export const initialQuery = ({ search, ranges }: Pick<AnyList, 'search' | 'ranges'>): ListQuery => ({
  search: search?.initial ?? {},
  range: ranges?.initial ?? '',
});

/**
 * An address in the service's web pages. The host of the programming interface has no pages: without the web address of
 * the profile there is none.
 */
export const webLink = ({ web }: Pick<Context, 'web'>, path: string): string | undefined =>
  web === undefined ? undefined : `${web.replace(/\/+$/, '')}${path}`;

/** Why there is no link without a web address, and what to do. */
const noWebAddress = ({ profile }: Pick<Context, 'profile'>): string =>
  profile.name === 'demo'
    ? 'the demo organization has no web pages'
    : `profile ${profile.name} has no web address; set it in P, e, or with orgdeck profiles edit ${profile.name} --web-url URL`;

export const noLink = 'this row has no link';

/** Why no row of the list has a link, and what to do; undefined where they may have one. */
export function whyNoLinks(list: Pick<AnyList, 'link'>, context: Context): string | undefined {
  if (list.link === undefined) return noLink;
  return context.web === undefined ? noWebAddress(context) : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: fields of any list; each knows its row
type AnyField = OutputField<any>;

/** One row as it is printed: fields in the order of the contract. */
export type Item = Readonly<Record<string, unknown>>;

/** Every field of a list's rows: the id and the name first, the address of a row in the service's pages last. */
export function outputFields(list: AnyList): readonly AnyField[] {
  const declared: readonly AnyField[] = list.output?.().fields ?? [];
  const isNamed = declared.some(({ name }) => name === 'name');
  const ownField = (name: string, type: AnyField['type'], says: string, value: AnyField['value']): AnyField[] => [
    { name, type, says, value },
  ];
  return [
    ...ownField('id', 'id', 'for `get` and actions', list.idOf),
    ...(isNamed ? [] : ownField('name', 'text', 'as the screens show it', list.nameOf)),
    ...declared,
    ...(list.link ? ownField('url', 'text', 'its web page, if the profile has a web address', list.link) : []),
  ];
}

/** The rows of a list as they are printed, in the deployment's words. */
export function outputItems(list: AnyList, rows: readonly unknown[], context: Context): readonly Item[] {
  const fields = outputFields(list);
  const members = list.output?.().members;
  return rows.map((row) =>
    spoken(members, Object.fromEntries(fields.map((field) => [field.name, plainValue(field, row, context)])), context),
  );
}

/** The names of the fields as a deployment has them, by their names in the contract. */
export function spokenNames(list: AnyList, context: Context): ReadonlyMap<string, string> {
  const names = outputFields(list).map(({ name }) => name);
  const said = Object.keys(
    spoken(list.output?.().members, Object.fromEntries(names.map((name) => [name, null])), context),
  );
  return new Map(names.map((name, at) => [name, said[at] ?? name]));
}

function spoken(members: RowOutput<unknown>['members'], item: Item, context: Context): Item {
  if (!members || !context.vocabulary) return item;
  const { schema, names } = members;
  const those = Object.entries(item).filter(([name]) => names.has(name));
  const said = Object.entries(inWords(schema, Object.fromEntries(those), context));
  const saidOf = new Map(those.map(([name], at) => [name, said[at]]));
  return Object.fromEntries(Object.entries(item).map((entry) => saidOf.get(entry[0]) ?? entry));
}

function plainValue({ type, value }: AnyField, row: unknown, context: Context): unknown {
  const plain = value(row, context) ?? null;
  if (plain === null) return null;
  if (type === 'time') return timestamp(plain);
  if (type === 'id') return String(plain);
  if (typeof plain === 'number' && !Number.isFinite(plain)) return null;
  return plain;
}

/** Screens whose fixed texts (titles, helps, what an empty list says) have the deployment's labels; as they are without a vocabulary. */
export function withLabels(
  screens: readonly Screen[],
  vocabulary: Pick<Translator, 'says'> | undefined,
): readonly Screen[] {
  if (!vocabulary) return screens;
  const { says: describe } = vocabulary;
  const column = <Row>(column: Column<Row>): Column<Row> => ({ ...column, title: describe(column.title) });
  const action = (target: AnyAction): AnyAction => ({
    ...target,
    title: describe(target.title),
    help: describe(target.help),
    ...(target.noun === undefined ? {} : { noun: describe(target.noun) }),
  });
  const list = (target: AnyList): AnyList => ({
    ...target,
    title: describe(target.title),
    empty: describe(target.empty),
    columns: target.columns.map(column),
    actions: target.actions.map(action),
    ...(target.states ? { states: target.states.map((state) => ({ ...state, label: describe(state.label) })) } : {}),
  });
  return screens.map((screen) => ({ ...screen, title: describe(screen.title), lists: screen.lists.map(list) }));
}
