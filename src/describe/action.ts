import type { Call, Endpoint, Plan } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import { hideSecrets } from '../api/secrets.ts';
import type { ParseResult } from '../lib/function-results.ts';
import { stringifyExact } from '../lib/json.ts';
import type { Context, Offers, Single, VocabularyContext } from './context.ts';
import type { Fields, Option, ValuesOf } from './field.ts';
import type { JobRequest } from './job.ts';
import type { Pick, Picker } from './picks.ts';
import type { Receipt } from './receipt.ts';
import type { SettingTable } from './setting.ts';

/** A question before an edit. The default is always No. */
export interface Confirmation {
  readonly question: string;
  /** What will happen and what cannot be taken back. */
  readonly details?: readonly string[];
  /** Return means No; only the key named in the question, or the typed text, means Yes. */
  readonly destructive?: boolean;
  /** Text that must be typed to go on: a name, or a count. One that is hard to type is replaced by a short code. */
  readonly typed?: string;
  /** What Enter does, where it means Yes: the question says so itself. */
  readonly enter?: string;
}

/** What values would do, before they are sent. */
export interface Foresight {
  /** What the values themselves say; left out while a typed text says it. */
  readonly end: string;
  readonly text: string;
  /** Whether more would happen, or less, than the values say. */
  readonly isWarning: boolean;
}

/** What the question before an edit says of it: how far it goes (`until 17:05 UTC (1h)`), and what it hits. */
export interface Extent {
  /** What it is about, in place of the name of the row: `all monitors with service:checkout-api`. */
  readonly subject?: string;
  readonly how: string;
  /** `41 groups, 12 alerting; 2 stay muted longer`; may be empty. */
  readonly hits: string;
}

/** Single-key choices: a line at the foot of the screen, or a menu where there is neither an input nor a cycle. */
export interface Bar<V> {
  readonly title: string;
  /** What these values would do, shown live while the bar is open. */
  foresees?(values: V): Foresight | undefined;
  /** Each ends the bar and performs. In a menu the key may be empty: Enter chooses. */
  readonly choices: readonly { readonly key: string; readonly title: string; readonly values: Partial<V> }[];
  /** A text typed in the bar. `ends` performs on Return; otherwise the text is kept and the bar goes on. */
  readonly inputs?: readonly {
    readonly key: string;
    readonly name: keyof V & string;
    /** One short word for the hints, such as `typed`; the label of the field when absent. */
    readonly title?: string;
    readonly field: Fields[string];
    readonly ends: boolean;
  }[];
  /** A value that a key steps through, for example a wider or narrower scope. */
  readonly cycles?: readonly {
    readonly key: string;
    readonly name: keyof V & string;
    readonly title: string;
    readonly options: readonly Option[];
  }[];
  /** Values that hold unless a choice, an input or a cycle changes them; what is foreseen is that of the first choice. */
  readonly values: V;
}

/** How a command line asks for what a cursor, a pick or a bar asks for on the screen (src/cli/actions). */
export type CommandLine<V> =
  /** The noun of what is picked: operands behind the row, or `flag`, where every operand is a row. */
  | {
      readonly asks: 'pick';
      readonly noun: string;
      readonly flag?: string;
      /** What a command may pick from, where a screen offers only what would change something. */
      readonly among?: Offers<Pick>;
    }
  /** The noun of a row of the detail, whose id stands behind the row. */
  | { readonly asks: 'subRow'; readonly noun: string; fields?(context: Context): Fields }
  /** Fields that its form may have, where the row decides which. */
  | { readonly asks: 'form'; fields(context: Context): Fields }
  /**
   * Flags instead of the bar; a toggle is a flag without a value. A reading that fails is a usage error. Where one of
   * `meant` is given, it says what of the row is meant: then `enabled`, which looks at the row alone, is not asked.
   */
  | {
      readonly asks: 'flags';
      readonly meant?: readonly string[];
      fields(context: Context): Fields;
      // biome-ignore lint/suspicious/noExplicitAny: the values of its own fields
      values(read: any, context: Context): ParseResult<V>;
      /** What the values mean, for a dry run. */
      says?(values: V, context: Context): string;
    };

/**
 * Something that a person can do to rows, as a value. It returns calls; it never makes them.
 * At most one of `form`, `pick`, `bar` asks for the values.
 *
 * `A` is the answer, inferred from `send`: what the schema of the operation has read, or the value of the plan's result.
 * Write `send` before `truth`, `done`, `made`, `undo` and `secret`, and annotate its row instead of naming the types of
 * `action<…>`, which would leave the answer unknown.
 */
interface ActionHead<Row, V> {
  /** `domain.verb`; never changes. */
  readonly id: string;
  /**
   * Name of the key: `a`, `A`, `+`, `ctrl+e`. What is done rarely has none: the menu of the row and the palette offer it. Of several
   * actions with one key the one that is possible has it; where several that need no row are, it opens a menu of them.
   */
  readonly key?: string;
  /**
   * The name, or the id, of what the line of the detail under the cursor stands for, where the action is about it. There the key that it shares with others
   * is its own; elsewhere it is that of the others, and without others it is refused.
   */
  onLine?(context: Context): string | undefined;
  /** A verb, lower case, as the footer shows it. */
  readonly title: string;
  /** What it is about, in the title of its form after `title`: `monitor`. Absent where `title` says so. */
  readonly noun?: string | undefined;
  /** Between `title` and the name of the row: `add row` `to`. */
  readonly preposition?: 'to' | 'from' | 'of';
  /** One sentence for the help. */
  readonly help: string;
  /** The help of its command, where `help` speaks of keys. */
  readonly brief?: string;
  /** What waits for it, said above its list; undefined: nothing does. */
  offers?(context: Context): string | undefined;
  /** A main verb of its list: its hint stays when the line of hints gets narrow. Two a list at most. */
  readonly main?: boolean;
  /** The part of the handover report that its edits belong to; that of changes when absent. */
  readonly handover?: 'mute' | 'triage';
  /** `row` (default): needs a row. `list`: works on an empty list too (new). */
  readonly on?: 'row' | 'list';
  /** Every operation that `send` or `undo` may use: for read-only, "not offered", permissions and the laws. */
  readonly uses: readonly Endpoint[];
  /** May it be done to all marked rows at once? Default true for `row`. */
  readonly bulk?: boolean;
  /** True, or the reason that is shown. */
  enabled?(row: Row, context: Context): true | string;
  /**
   * Why there is nothing to do, where the row, as it was read, is what the edit would make of it: `already RESOLVED`. A command
   * succeeds then without sending anything. Only of a state, a membership, on and off, and the end of a mute.
   * Before the values are known they are undefined.
   */
  already?(row: Row, context: Context, values?: V): string | undefined;
  /** What `enabled` is for an action on a row, for one with `on: 'list'`, which has no row. */
  ready?(context: Context): true | string;
  /**
   * Read before the form opens, or before the question where there is no form: what must be known besides the row.
   * Passed to the form, and afterward as `context.known`. Its problem is shown instead.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each action has its own read; its form knows the type
  needs?(row: Row, context: Context): Single<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  form?(row: Row, context: Context, known: any): Fields;
  /** Asked before the form opens: which kind of thing. What is picked is `context.picked` for all that follows. */
  first?(row: Row, context: Context): Picker<unknown>;
  pick?(rows: readonly Row[], context: Context): Picker<V>;
  bar?(rows: readonly Row[], context: Context): Bar<V>;
  /** For a command line, where the form alone does not say what to ask. */
  readonly line?: CommandLine<V>;
  /** Values without asking, for example the only mute there is; undefined = ask by form, pick or bar. */
  values?(rows: readonly Row[], context: Context): V | undefined;
  /** The question before it is sent. Needed when there is no `undo`. Bulk and production add their own. */
  confirm?(rows: readonly Row[], values: V, context: Context): Confirmation | undefined;
  /** Said in the question of bulk and production. */
  extent?(rows: readonly Row[], values: V, context: Context): Extent;
  /** The settings that its form is made of, where it is made of a table: for commands and for the laws. Their rows may be others. */
  readonly settings?: SettingTable<never>;
  /** Members that could be sent and are no settings, each with its reason. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The command for a shell that does the same, without secrets. */
  command?(row: Row, values: V, context?: Context): ShellCommand;
}

/** Sends requests. */
interface Sending<Row, V, A> {
  /** The field that a refusal of the service is about: its sentence is shown there. Undefined = below the form. */
  blames?(problem: Problem, values: V): string | undefined;
  /** The request; several in order as a plan whose last Result counts. */
  send(row: Row, values: V, context: Context): Call<A> | Plan<Result<A>>;
  /** What the row looks like until the service answers. */
  show?(row: Row, values: V, context: Context): Row;
  /** The row that an answer describes, laid over what is cached until the next read. */
  truth?(row: Row, answer: A, values: V): Row;
  /** The row will be gone: it leaves the list while unconfirmed. */
  readonly removes?: boolean;
  /** The receipt: what is true now, from the answer, the consequence first. A name in it is a `namePart`; no full stop. */
  done(row: Row, values: V, answer: A, context: Context): string | Receipt;
  /** What its receipt tells a program besides: values by names in lower case with underscores, times by `timestamp`. */
  facts?(after: Row, values: V, answer: A, context: Context): Readonly<Record<string, unknown>>;
  /** The receipt of several rows, from their answers; `Resolved 10 issues` when absent. */
  doneAll?(answers: readonly A[], values: V, context: Context): string | Receipt | undefined;
  /**
   * What its edit is about, for the journal, which is written before the answer: what it will make where no value is called `name`, or more
   * than the row.
   */
  nameOfSubject?(values: V): string | undefined;
  /** What it has made, as the service calls it: the cursor goes there when it is read, and a receipt is about it. */
  made?(answer: A): MadeThing | undefined;
  /** What kind of thing that is where it is no row of this list: the id of its list, else the service's own word. */
  readonly makesKind?: string;
  /** The calls that undo it, in order; absent or empty = no undo. */
  undo?(before: Row, values: V, answer: A, context: Context): readonly Call[];
  /** Of a delete: what is said where `undo` creates again what was deleted. */
  readonly restore?: RestoreWords;
  /** A form of it shows what would change, and asks, before it is sent; `all`: every value, of what is new. */
  readonly reviews?: boolean | 'all';
  /** A secret in the response that is shown exactly once: masked, copied without being shown, dropped on leaving. */
  secret?(answer: A, row: Row): Secret | undefined;
}

/** What is said of creating again what was deleted. */
export interface RestoreWords {
  /** What it has no more, as parts of a sentence: `its history`. */
  readonly lost: readonly string[];
  /** What it begins as: `unmuted, in No Data`. */
  readonly starts?: string;
  /** What is true as long as requests of these operations are left: `OPEN TO EVERYONE until its readers are added again`. */
  readonly until?: { readonly operations: readonly string[]; readonly says: string };
  /** How it gets its place again, in the order as it is then. */
  readonly place?: RestoredPlace;
}

/** The place of a thing in an order of ids. */
interface RestoredPlace {
  readonly operation: string;
  now(): Plan<Result<readonly string[]>>;
  /** The ids that a request names, in order. */
  ids(body: unknown): readonly string[];
  order(ids: readonly string[]): Call;
}

/** Goes to a place: another list of the screen, with what it is asked for. */
interface Going<Row> {
  goes(row: Row, context: Context): Navigation;
}

/** Runs long work outside the API's single calls (an upload), with progress and a way to stop it. */
interface Running<Row, V> {
  job(row: Row, values: V, context: Context): JobRequest;
}

/** An action that sends requests. */
export interface Action<Row, V = Record<string, never>, A = unknown> extends ActionHead<Row, V>, Sending<Row, V, A> {
  readonly goes?: undefined;
  readonly job?: undefined;
}

type Without<T> = { readonly [K in keyof T]?: undefined };

// biome-ignore-start lint/suspicious/noExplicitAny: of members that are absent only the names count
/** An action that sends nothing, and goes to a place. */
export type GoingAction<Row> = ActionHead<Row, any> & Going<Row> & Without<Sending<any, any, any> & Running<any, any>>;

/** An action that sends nothing itself, and runs a job. */
export type JobAction<Row, V> = ActionHead<Row, V> & Running<Row, V> & Without<Sending<any, any, any> & Going<any>>;
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** What is said of an action that is made of a table or a kind; whatever else is said takes the place of what is derived. */
export type Head<Row, V, A> = Partial<Action<Row, V, A>> & { readonly id: string; readonly help: string };

/** Where an action leads that only goes somewhere. */
export interface Navigation {
  readonly list: string;
  readonly search: Readonly<Record<string, string>>;
}

/** What an edit has made. */
export interface MadeThing {
  readonly id: string;
  readonly name: string;
  /** As a row of its list, where the answer tells it. */
  readonly row?: unknown;
}

/** A value that the service will not show again. */
export interface Secret {
  readonly title: string;
  readonly value: string;
  /** What a person must know about it. */
  readonly notes: readonly string[];
}

/** Declares an action whose values come from its own form. */
export function action<Row, F extends Fields, A = unknown>(
  // biome-ignore lint/suspicious/noExplicitAny: what `needs` brought, as in Action
  spec: Omit<Action<Row, ValuesOf<F>, A>, 'form'> & { form: (row: Row, context: Context, known: any) => F },
): Action<Row, ValuesOf<F>, A>;
/** Declares an action whose values come from a pick, a bar, or nowhere. */
export function action<Row, V = Record<string, never>, A = unknown>(spec: Action<Row, V, A>): Action<Row, V, A>;
export function action(spec: unknown): unknown {
  return spec;
}

/** Declares an action that runs a job, with the values of its own form. */
export function jobAction<Row, F extends Fields>(
  spec: Omit<JobAction<Row, ValuesOf<F>>, 'form'> & { form: (row: Row, context: Context) => F },
): JobAction<Row, ValuesOf<F>> {
  return spec;
}

// biome-ignore-start lint/suspicious/noExplicitAny: the registry seam: one list holds actions of every row and value type
export type AnySendingAction = Action<any, any, any>;
export type AnyAction = AnySendingAction | GoingAction<any> | JobAction<any, any>;
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** One word of a shell command, quoted where a shell would read more into it. */
export function quoteWord(word: string): string {
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command for a shell: a text, or a call that becomes one when it is written down. */
export type ShellCommand = string | Call;

/**
 * The text of a command. A call is `orgdeck call <operation> --name value … --body JSON`, in the deployment's words
 * behind the id of the operation. It carries no secret: one of the path is named by a variable (`--key env:KEY`), and a
 * body that holds one is read from standard input.
 */
export function commandLine(command: ShellCommand, { vocabulary }: VocabularyContext): string {
  if (typeof command === 'string') return command;
  const { endpoint, params, query, body } = command;
  const { secrets = [] } = endpoint;
  const places = Object.entries(params).map(([name, value]) =>
    secrets.includes(`{${name}}`) ? `--${name} env:${name.toUpperCase()}` : `--${name} ${quoteWord(value)}`,
  );
  const asked = Object.entries(vocabulary?.out.query(endpoint, query) ?? query).filter(([, value]) => value != null);
  const flags = [...places, ...asked.map(([name, value]) => `--${name} ${quoteWord(String(value))}`)];
  return ['orgdeck call', endpoint.id, ...flags, ...(body === undefined ? [] : [`--body ${bodyWord()}`])].join(' ');

  function bodyWord(): string {
    if (hideSecrets(body, secrets).count > 0) return '-';
    return quoteWord(stringifyExact(vocabulary ? vocabulary.out.body(endpoint, body) : body));
  }
}
