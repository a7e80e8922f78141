import { type AnySchema, ask, call, type Endpoint, type Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import { listPermissions } from '../api/roles.ts';
import { userPermissions } from '../api/users.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { sparkline } from '../lib/text.ts';
import { clockTime } from '../lib/time.ts';
import { at, isObject, items, toWord } from '../lib/values.ts';
import type { Unfinished } from './job.ts';

/** A person as pickers and receipts name them. `name` is never empty: name, else e-mail, else handle, else id. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly handle?: string | undefined;
  readonly email?: string | undefined;
  /** The id of the organization; of the owner of the keys alone. */
  readonly organization?: string | undefined;
}

/** Read-only snapshot passed to descriptions beside the row. */
export interface Context {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** IANA zone that times are typed and shown in. */
  readonly zone: string;
  /** The owner of the application key, where the deployment tells. */
  readonly me?: Person;
  /** The request for the current user is pending: `me` may follow. */
  readonly asksMe?: boolean;
  /**
   * Up to when the person has seen what changed, epoch milliseconds: the last key of the visit before, or a later look at the
   * whole of a board. A visit begins with a key after ten minutes without one, also across a restart; the first one of all
   * begins with the session.
   */
  readonly lastLook?: number;
  /** People chosen lately, newest first. */
  readonly recent: readonly Person[];
  readonly profile: {
    readonly name: string;
    readonly production: boolean;
    readonly readOnly: boolean;
    /** Programs, files and other profiles are off. */
    readonly isKiosk?: boolean | undefined;
    /** The dashboard began with the fleet: a kiosk shows it too. */
    readonly showsFleet?: boolean | undefined;
  };
  /** What the profile wants to be notified of: the least urgent priority of monitors, the least errors of a new issue. */
  readonly notify?: { readonly priority?: number | undefined; readonly issues?: number | undefined };
  /** Scheme, host and port of the deployment. */
  readonly origin: string;
  /** Address of the service's web pages, where the profile has one. */
  readonly web?: string;
  /** The deployment's own words, in which a person reads and types identifiers (src/api/vocabulary). */
  readonly vocabulary?: Translator | undefined;
  /** The last four characters of the keys in use; used to warn before the key in use is deleted. */
  readonly ends?: { readonly apiKey: string; readonly appKey: string };
  /** False once the deployment has answered 404 or 405 for the operation itself. */
  offered(endpointId: string): boolean;
  /** The permissions that the person is known to lack for an operation, in the deployment's words. */
  lacks?(endpoint: Endpoint): string | undefined;
  /** Samples of the list's `trend` for a row, oldest first: the last one of each two and a half minutes, an hour at most. */
  trend(rowId: string): readonly number[];
  /** What this program has seen of the state of a row of a list that tracks it, in the last day; undefined where nothing polls. */
  seen?(listId: string, rowId: string): SeenStates;
  /** Id of the row under the cursor of the detail's list (a monitor's group), where there is one. */
  readonly subRowId?: string;
  /** What the action's `needs` read, for everything that follows its form. */
  readonly known?: unknown;
  /** What was picked before the form opened, where the action asks for that first. */
  readonly picked?: unknown;
  /** Ids of the rows of the list in front in an order that is not saved yet. */
  readonly unsavedOrder?: readonly string[];
  /** The rows of a list as they were last read, by its id; none where it has not been read. */
  loaded?(listId: string): readonly unknown[];
  /** The edits of the journal, newest first; absent where it is not read, as by a command. */
  edits?(): readonly LoggedEdit[];
  /** Jobs that an earlier run has not finished, newest first. */
  readonly unfinished?: readonly Unfinished[];
  /** Rows of a list keep the object as it was read: a command prints more of it than a list shows. */
  readonly keepsRaw?: boolean;
  /** There is a browser that links are opened in. */
  readonly browses?: boolean;
  /** Only ASCII may be drawn. */
  readonly ascii: boolean;
}

/** What is said of an operation that the deployment does not have. */
export const notOfferedHere = 'not offered by this deployment';

/** Why an operation cannot be sent: the deployment lacks it, or the roles. Undefined where nothing is known against it. */
export function whyUnavailable(endpoint: Endpoint, context: Context): string | undefined {
  if (!context.offered(endpoint.id)) return notOfferedHere;
  const lacked = context.lacks?.(endpoint);
  return lacked === undefined ? undefined : `needs ${lacked}, which your roles lack`;
}

/** An edit of the journal, newest first in a log. */
export interface LoggedEdit {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly operation: string;
  /** What was done: `muted`. */
  readonly did: string;
  readonly target: string;
  /** Id of its row; empty for what the edit made. */
  readonly targetId?: string;
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'open' | 'sending';
  /** Some requests of its undo were applied, and others were not. */
  readonly isPartlyUndone?: boolean;
}

const hourMs = 3_600_000;

/** The state of a row as a read shows it: `ALERT`, and how far it goes: the number of its alerting groups. */
export interface SeenState {
  readonly word: string;
  readonly level: number;
  /** Ends of the mutes over it; absent where there are none. */
  readonly ends?: readonly number[] | undefined;
}

/** Whether two reads show the same state: its mutes are no part of it. */
export const isSameState = (one: SeenState, other: SeenState): boolean =>
  one.word === other.word && one.level === other.level;

/** A change between two reads, at the time of the later one. */
export interface SeenChange {
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly from: SeenState;
  readonly to: SeenState;
}

/** What the reads of this program have shown of a list's states in the last day; epoch milliseconds. */
export interface SeenStates {
  /** From when to when it was read without a gap, the oldest first. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  /** The oldest first. */
  readonly changes: readonly SeenChange[];
}

/** How long what was seen is kept, in milliseconds. */
export const seenForMs = 24 * hourMs;

/** Changes of the state of a row within an hour that are called flapping. */
const flapping = 4;

/** Whether a row changed its state so often in the last hour that no single change says much. */
export const isFlapping = ({ changes }: SeenStates, now: number): boolean =>
  changes.filter(({ at, from, to }) => now - at <= hourMs && from.word !== to.word).length >= flapping;

/** The ends of mutes that were seen to come: a mute that somebody ended was gone before. The oldest first. */
export const endsSeen = ({ changes }: SeenStates): readonly number[] =>
  changes.flatMap(({ at, from, to }) => (from.ends ?? []).filter((end) => end <= at && !to.ends?.includes(end)));

/** The states of a row over time: `14:57 ▁▁▁▃▃ ▃ 15:08`, with blanks where nothing was read; undefined where no change was seen. */
export function seenCourse(
  { spans, changes: all }: SeenStates,
  { now, zone, ascii }: { readonly now: number; readonly zone: string; readonly ascii: boolean },
  width = 24,
): string | undefined {
  const changes = all.filter(({ from, to }) => !isSameState(from, to));
  const [[start] = [], earliest] = [spans[0], changes[0]];
  if (start === undefined || !earliest) return undefined;
  const step = (now - start) / width;
  const samples = Array.from({ length: width }, (_, cell) => {
    const [from, to] = [start + cell * step, start + (cell + 1) * step];
    const isRead = spans.some(([begin, end]) => begin < to && end >= from) || cell === width - 1;
    const { level } = changes.findLast(({ at }) => at <= to)?.to ?? earliest.from;
    return isRead ? level : Number.NaN;
  });
  return `${clockTime(start, zone)} ${sparkline(samples, width, ascii)} ${clockTime(now, zone)}`;
}

/** The part of the context with the deployment's vocabulary. */
export type VocabularyContext = Pick<Context, 'vocabulary'>;

/** A value of this schema as a person reads it: its identifiers are the deployment's, everything else is as it was. */
export function inWords<T>(schema: AnySchema, value: T, { vocabulary }: VocabularyContext): T {
  return vocabulary ? (vocabulary.out.at(schema, value) as T) : value;
}

/**
 * The value at a path of `value`, taken from its translation `spoken`: members may have other names there, in the same order.
 * Undefined where a part of the way is missing.
 */
export function valueInWords(value: object, spoken: object, path: string): unknown {
  let [before, after]: [unknown, unknown] = [value, spoken];
  for (const name of path.split('.')) {
    if (!isObject(before) || !isObject(after)) return undefined;
    const place = Object.keys(before).indexOf(name);
    [before, after] = [before[name], Object.values(after)[place]];
  }
  return after;
}

/** A word of this schema as an option: its value is the neutral word, a person reads and writes the deployment's. */
export function wordOption<const W extends string>(schema: AnySchema, word: W, context: VocabularyContext) {
  const label: string = inWords(schema, word, context);
  return { value: word, label, word: label } as const;
}

/** The name of a member that the contract does not know, as the deployment has it. */
export const memberName = (name: string, { vocabulary }: VocabularyContext): string =>
  vocabulary?.out.word(anyName, name) ?? name;

const anyName = { sort: 'word', known: [] } as const;

/** The name of a managed role as this deployment has it. */
export const roleNamed = (name: string, { vocabulary }: VocabularyContext): string => vocabulary?.role(name) ?? name;

/** A sentence that a description says by itself, with the deployment's labels. Never for text of the service. */
export const labelText = (sentence: string, { vocabulary }: VocabularyContext): string =>
  vocabulary?.says(sentence) ?? sentence;

/** Rows of a list as a person reads them where they are copied or printed as JSON. */
export const rowsInWords = (
  { schema }: { readonly schema?: AnySchema | undefined },
  rows: readonly unknown[],
  context: VocabularyContext,
): readonly unknown[] => (schema ? rows.map((row) => inWords(schema, row, context)) : rows);

/** The rows of a read, with notes for the title bar. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Notes about the read: "100 or more in 14:00-14:01", "3 rows could not be read: …". */
  readonly notes?: readonly string[];
  /** Why rows are missing, as sentences; empty or absent: these are all. */
  readonly missing?: readonly string[];
  /** Of what is shown on the way: how many there will be, where the service tells. */
  readonly total?: number | undefined;
  /** Every place that could not be read and was left out, where a note names only the first. */
  readonly unread?: readonly string[];
  /** Where a poll has read only a part again: when the oldest rows were read, epoch milliseconds. */
  readonly oldestAt?: number;
  /** Where what a poll must read is more than the usual one may: milliseconds between polls at least. */
  readonly everyMs?: number;
  /** What the next read of the same source begins with; no other one looks at it. Plain JSON. */
  readonly memory?: unknown;
}

/** Something to read, once or again and again. */
export interface Source<Row> {
  /** The cache key: the same for the same read, whatever the time. */
  readonly key: string;
  /** Kinds (`endpoint.of`) whose edits make it stale. */
  readonly of: readonly string[];
  /** Id of the list all of whose rows it brings, in many pages: what an edit has told of them is shown until the next poll, without a read for it. */
  readonly allOf?: string;
  /** For picks: it brings all there are whatever is typed, so what is typed narrows them here. */
  readonly whole?: boolean;
  /**
   * The calls, at the moment of asking; what the last read brought where there is one, and the ids of rows that edits have told otherwise since. May
   * show partial rows on the way.
   */
  plan(context: Context, before?: Rows<Row>, edited?: ReadonlySet<string>): Plan<Result<Rows<Row>>, Rows<Row>>;
}

/** What a service offers for what is typed: a page of it, or all of it where a name decides which one is meant. */
export type Offers<Row> = (typed: string, extent?: 'all') => Source<Row>;

/** One thing to read, for a detail. */
export interface Single<T> {
  readonly key: string;
  readonly of: readonly string[];
  /** The calls, at the moment of asking. What it shows on the way is a `T`, too: tabs are made of it. */
  plan(context: Context): Plan<Result<T>, T>;
}

/** The server's query and the time range of a list. */
export interface ListQuery {
  /** Values of the search form, as text, by field name. */
  readonly search: Readonly<Record<string, string>>;
  /** A length such as `24h`; empty for lists without a range. */
  readonly range: string;
  /** So many rows of the list's own order are enough. */
  readonly limit?: number | undefined;
}

/** `missing` of a read, left out where these are all. */
export const withMissing = (missing: readonly string[]): Pick<Rows<unknown>, 'missing'> =>
  missing.length > 0 ? { missing } : {};

/**
 * The permissions of the service's catalog that no role of this person grants, as the service writes them: two requests. A permission that the
 * catalog does not list is not missing: every person may have it (`user_access_read`, docs/contract/roles.md#operations).
 */
export const readRights = (personId: string): Single<{ readonly missing: readonly string[] }> => ({
  key: `rights of ${personId}`,
  of: [],
  *plan({ vocabulary }) {
    const held = yield* ask(call(userPermissions, { user_id: personId }));
    if (!held.ok) return held;
    const names = new Set(permissionNames(held.value));
    // The admin permission stands for all others (docs/contract/roles.md#default-permissions).
    const admin = vocabulary?.permission('admin') ?? 'admin';
    if (names.has(admin)) return { ...held, value: { missing: [] } };
    const all = yield* ask(call(listPermissions));
    if (!all.ok) return all;
    return { ...all, value: { missing: permissionNames(all.value).filter((name) => !names.has(name)) } };
  },
});

/** The names of the permissions in an answer that lists some. */
export const permissionNames = (answer: unknown): string[] =>
  items(at(answer, 'data')).flatMap((permission) => toWord(at(permission, 'attributes.name')) || []);

/** The permissions that an operation needs and these roles lack, in the deployment's words; undefined when none is. */
export function lacking(
  { permission, otherwise = [] }: Endpoint,
  missing: ReadonlySet<string>,
  { vocabulary }: VocabularyContext,
): string | undefined {
  const spoken = (name: string) => vocabulary?.permission(name) ?? name;
  if (otherwise.some((name) => !missing.has(spoken(name)))) return undefined;
  const names = permission.map(spoken).filter((name) => missing.has(name));
  return names.join(' and ') || undefined;
}

/** The context of what is only listed, as in a help: no service has been asked. */
export const helpContext: Context = {
  now: 0,
  zone: 'UTC',
  recent: [],
  profile: { name: '', production: false, readOnly: true },
  origin: '',
  offered: () => true,
  trend: () => [],
  ascii: true,
};
