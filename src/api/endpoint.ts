import type * as v from 'valibot';
import { stringifyExact } from '../lib/json.ts';
import type { Sliced } from '../lib/slices.ts';
import type { Problem, Result } from './problem.ts';

/** What an operation does to its kind of thing. `act` is any other write (mute, unmute); `check` only reads, whatever its method. */
export type Verb = 'list' | 'get' | 'search' | 'check' | 'create' | 'update' | 'delete' | 'act';

/** What to do after a timeout, a reset or a 5xx (docs/design/reliability.md#retry-by-operation). */
export type Repeat = 'read' | 'settable' | 'once' | 'delete' | 'replace';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A value that a query string can carry; arrays are joined by commas unless the endpoint lists the name in `repeated`. */
export type QueryValue = string | number | bigint | boolean | readonly (string | number | bigint)[] | null | undefined;

// biome-ignore lint/suspicious/noExplicitAny: the registry seam: a list of endpoints holds every schema type at once
export type AnySchema = v.GenericSchema<any, any>;

type Names<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;

/** One operation of the API as a value: the client encodes it, the simulator serves it, docs/operations.md lists it. */
export interface Endpoint<
  P extends string = string,
  Q extends AnySchema | undefined = AnySchema | undefined,
  B extends AnySchema | undefined = AnySchema | undefined,
  A extends AnySchema = AnySchema,
> {
  /** `domain.verb`; never changes once published. */
  readonly id: string;
  /** A short sentence without a full stop: what a person gets. */
  readonly title: string;
  readonly verb: Verb;
  /** The kind of thing it is about: the wire `type` (`issue`, `monitor`, `downtime`, `users`). */
  readonly of: string;
  /** Other kinds whose watched reads this write makes stale, e.g. a downtime changes monitors. */
  readonly touches?: readonly string[];
  readonly method: Method;
  /** Path template; names in braces are path parameters. */
  readonly path: P;
  /** All of these permissions (or scopes) are needed; empty when any valid key will do. */
  readonly permission: readonly string[];
  /** Any one of these is enough as well, on some deployments or for some objects: a person who has one may try. */
  readonly otherwise?: readonly string[];
  /** `spec`: in the specification. `addition`: from the public API of this family; may be missing on a deployment. */
  readonly origin: 'spec' | 'addition';
  readonly repeat: Repeat;
  /**
   * Id of the read that shows the result of the edit, called with the same path parameters. `settable` and `replace` are read
   * back by it; others are checked by it where no read at their path shows them.
   */
  readonly readBack?: string;
  /** Query of `readBack`: a page large enough to hold what was sent. */
  readonly readBackQuery?: Readonly<Record<string, QueryValue>>;
  /** A deployment may answer 204 instead of `response`: the edit took effect, and `readBack` tells the object. */
  readonly mayBeEmpty?: true;
  /**
   * For `settable`: whether the answer of `readBack` shows that the edit took effect. Absent: it did when every
   * member that was sent is equal in the answer.
   */
  isApplied?(sent: Call, read: unknown): boolean;
  /**
   * For `settable` with `isApplied`: whether that answer shows that the edit had no effect, so that it may be sent again.
   * `before` is the object as it was read before the edit, where that is known. Absent: the members that were sent decide.
   */
  isUnchanged?(sent: Call, read: unknown, before: unknown): boolean;
  /** What to do instead: `use monitors.downtime-matches`. */
  readonly deprecated?: string;
  /** Schema of the query parameters, an object; every encoded name is a key of it. */
  readonly query?: Q;
  /** Query names sent as `a=1&a=2` instead of `a=1,2`. */
  readonly repeated?: readonly string[];
  readonly body?: B;
  readonly response: A;
  /** The page and heading of docs/contract that describes it. */
  readonly source: string;
  /**
   * Paths in the body or answer that hold a secret, e.g. `data.attributes.key`; lists are passed through
   * (`api_keys.key`); `{key}` is a path parameter. Never written anywhere.
   */
  readonly secrets?: readonly string[];
}

type QueryOf<E> = E extends Endpoint<string, infer Q> ? (Q extends AnySchema ? v.InferInput<Q> : never) : never;
type BodyOf<E> =
  E extends Endpoint<string, infer _Q, infer B> ? (B extends AnySchema ? v.InferInput<B> : never) : never;

/** What an endpoint answers, after its schema has read it. */
export type ResponseOf<E> = E extends Endpoint<string, infer _Q, infer _B, infer A> ? v.InferOutput<A> : never;

/** The type of `data.attributes` in the body of an endpoint, where it has one. */
export type AttributesOf<E> = BodyOf<E> extends { readonly data: { readonly attributes: infer A } } ? A : never;

/** Arguments of a call: the path parameters by name, `query` and `body` as the schemas have them. */
export type Args<E extends Endpoint> = { [N in Names<E['path']>]: string | number | bigint } & ([QueryOf<E>] extends [
  never,
]
  ? unknown
  : { query?: QueryOf<E> }) &
  ([BodyOf<E>] extends [never] ? unknown : { body: BodyOf<E> });

/** A request that has not been sent. */
export interface Call<A = unknown> {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly body: unknown;
  /** Key of the cache: equal requests have equal texts. */
  readonly key: string;
  /** Of an edit: the row as the plan that made the call has just read it; the journal keeps it instead of the listed row. */
  readonly before?: unknown;
  /** Of a read: what is kept of its answer. It depends on nothing else, so equal answers need not be read twice. */
  readonly reduce?: (answer: never) => Sliced<unknown>;
  /** Of a page: the call for the page after it, from its number of members and the last of them as text, before the rest is read. */
  readonly next?: (count: number, last: string) => Call | undefined;
  /** Of a search that names another moment each time: what stays the same, so that equal answers need not be read twice. */
  readonly series?: string;
  /** Type only: the response. */
  readonly answer?: A;
}

/** Method and repeat of each verb, unless the operation says otherwise; `update` and `act` always say. */
const defaults = {
  list: { method: 'GET', repeat: 'read' },
  get: { method: 'GET', repeat: 'read' },
  search: { method: 'GET', repeat: 'read' },
  check: { method: 'GET', repeat: 'read' },
  create: { method: 'POST', repeat: 'once' },
  delete: { method: 'DELETE', repeat: 'delete' },
} as const;

/** How it is sent: method and repeat may be left out where the verb has defaults. */
type Sending =
  | { readonly verb: keyof typeof defaults; readonly method?: Method; readonly repeat?: Repeat }
  | Pick<Endpoint, 'verb' | 'method' | 'repeat'>;

/**
 * Declares an operation; keeps the literal types, so that `call` is checked by the compiler. Method and repeat are those of the
 * verb where they are not said.
 */
export function endpoint<
  const P extends string,
  A extends AnySchema,
  Q extends AnySchema | undefined = undefined,
  B extends AnySchema | undefined = undefined,
>(spec: Omit<Endpoint<P, Q, B, A>, keyof Sending> & Sending): Endpoint<P, Q, B, A> {
  return { ...(defaults as Partial<Record<Verb, object>>)[spec.verb], ...spec } as Endpoint<P, Q, B, A>;
}

/** What operations may have in common. */
type Common = Pick<Endpoint, 'of' | 'origin' | 'source' | 'touches' | 'deprecated' | 'secrets'>;

/**
 * Declares operations that have much in common, each by what it says besides or instead; `all` lists them in that order.
 * `reading` and `editing` are the permissions of those that read, and of the others.
 */
export function operationsOf<const C extends Partial<Common>>({
  reading,
  editing,
  ...common
}: C & Readonly<Record<'reading' | 'editing', readonly string[]>>) {
  const all: Endpoint[] = [];
  return {
    all: all as readonly Endpoint[],
    endpoint<
      const P extends string,
      A extends AnySchema,
      Q extends AnySchema | undefined = undefined,
      B extends AnySchema | undefined = undefined,
    >(
      spec: Omit<Endpoint<P, Q, B, A>, keyof Sending | keyof Common | 'permission'> &
        Sending &
        Omit<Common, keyof C> &
        Partial<Pick<Endpoint, keyof Common | 'permission'>>,
    ): Endpoint<P, Q, B, A> {
      const isEdit = ['create', 'update', 'delete', 'act'].includes(spec.verb);
      const said = { permission: isEdit ? editing : reading, ...common, ...spec } as unknown;
      const operation = endpoint(said as Endpoint<P, Q, B, A>);
      all.push(operation);
      return operation;
    },
  };
}

/** A request not yet sent. Path parameters, query and body are checked against the endpoint by the compiler. */
export function call<E extends Endpoint>(
  to: E,
  ...[args]: Record<never, never> extends Args<E> ? [args?: Args<E>] : [args: Args<E>]
): Call<ResponseOf<E>> {
  const { query = {}, body, ...params } = (args ?? {}) as Record<string, unknown>;
  return rawCall(to, params as Record<string, string>, query as Record<string, QueryValue>, body) as Call<
    ResponseOf<E>
  >;
}

/** Keeps only what `reduce` makes of the response of a read. It runs in slices, before anything else sees the response. */
export const reducing = <A, Kept>(read: Call<A>, reduce: (answer: A) => Sliced<Kept>): Call<Kept> =>
  ({ ...read, reduce }) as Call as Call<Kept>;

/** Marks a search as one of a series that differs in its times alone: rows that did not change since the last one are shared. */
export const inSeries = <A>(search: Call<A>, series: string): Call<A> => ({ ...search, series });

/** `call` with untyped names, for the command line and the journal. */
export function rawCall(
  to: Endpoint,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, QueryValue>> = {},
  body?: unknown,
): Call {
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const key = `${to.id} ${stringifyExact([texts, query, body ?? null])}`;
  return { endpoint: to, params: texts, query, body, key };
}

/** The read-back call of an edit, where it has one; `find` looks up an operation by its id. */
export function findReadBack(call: Call, find: (id: string) => Endpoint | undefined): Call | undefined {
  const { readBack, readBackQuery } = call.endpoint;
  const found = readBack === undefined ? undefined : find(readBack);
  return found && rawCall(found, call.params, readBackQuery);
}

/** Names in the braces of a path template, in order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
}

/** Whether an operation changes nothing (issue search is a POST that only reads). */
export function isRead(endpoint: Endpoint): boolean {
  return endpoint.repeat === 'read';
}

/** What a plan yields: a call to send, a value to show before the plan has ended, or a pause in milliseconds. */
type Step<Shown = never> = Call | { readonly partial: Shown } | { readonly pauseMs: number };

/**
 * Several calls in order, as a value: a generator that yields calls and is given each Result. `Shown` is what it may show
 * before its end: nothing unless it says so, and for a read the very type that it ends with.
 * A plan performs nothing itself; a test steps through it by hand.
 */
export type Plan<T, Shown = never> = Generator<Step<Shown>, T, Result<unknown>>;

/** A plan of one call; inside another plan: `const page = yield* ask(call(...))`. */
export function* ask<A>(request: Call<A>): Plan<Result<A>> {
  return (yield request) as Result<A>;
}

/** Inside a plan: shows what is known so far. */
export function* showing<Shown>(partial: Shown): Plan<void, Shown> {
  yield { partial };
}

/** Runs a plan inside one of another type: what the inner one shows is translated by `as`; without `as` it shows nothing. */
export function* inside<T, Inner, Shown = never>(plan: Plan<T, Inner>, as?: (partial: Inner) => Shown): Plan<T, Shown> {
  const shown: Result<unknown> = { ok: true, value: undefined, status: 0, unread: [] };
  let step = plan.next();
  while (!step.done) {
    if (!('partial' in step.value)) step = plan.next(yield step.value);
    else {
      if (as) yield { partial: as(step.value.partial) };
      step = plan.next(shown);
    }
  }
  return step.value;
}

/** Inside a plan: waits so many milliseconds, where a service asks to be left alone for a moment. */
export function* pausing(ms: number): Plan<void> {
  yield { pauseMs: ms };
}

/** Whether the deployment does not have the operation, so that a plan may take another way. */
export function isNotOffered(problem: Problem): boolean {
  return problem.kind === 'notOffered';
}

/** Whether these keys, or this deployment, cannot read it at all: an edit goes on without what it would have told. */
export const mayNotRead = (problem: Problem): boolean => problem.kind === 'forbidden' || isNotOffered(problem);

/** The insides of a valibot schema; which of them there are depends on `type`. */
export interface SchemaParts {
  readonly type: string;
  readonly pipe?: readonly [AnySchema, ...(readonly { readonly kind: string }[])];
  readonly default?: unknown;
  readonly wrapped?: AnySchema;
  /** Schemas of a union or variant; words of a picklist. */
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly item?: AnySchema;
  readonly value?: AnySchema;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly getter?: (value: unknown) => AnySchema;
}

export const schemaParts = (schema: AnySchema): SchemaParts => schema as unknown as SchemaParts;

/** The members of an object, by name; none of any other schema. */
export const entriesOf = (schema: AnySchema | undefined): Readonly<Record<string, AnySchema>> =>
  (schema && schemaParts(schema).entries) ?? {};
