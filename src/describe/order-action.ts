import { ask, type Call, type Endpoint, type Plan } from '../api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import { firstThree, plural } from '../lib/text.ts';
import type { Action, Confirmation } from './action.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';

/** What a list's `order.save` is given: ids as they stood, as they were moved, and how their rows are called. */
export interface NewOrder {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

/** One row that was moved; places count from 1. */
interface Move {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Minimal set of moved rows that leads from one order to the other, in the new order. */
export function moves(before: readonly string[], after: readonly string[]): readonly Move[] {
  const places = new Map(before.map((id, at) => [id, at]));
  const remaining = after.filter((id) => places.has(id));
  const stayed = longestRising(remaining.map((id) => places.get(id) as number));
  return after.flatMap((id, to) => {
    const from = places.get(id);
    return from === undefined || stayed.has(from) ? [] : [{ id, from: from + 1, to: to + 1 }];
  });
}

/** The question before a new order is sent: each row that was moved, with its places. */
export function orderQuestion({ before, after, names }: NewOrder, notes: readonly string[]): Confirmation {
  const moved = moves(before, after);
  const name = (id: string | undefined): string => (id === undefined ? '' : (names[id] ?? id));
  const lines = moved.map(({ id, from, to }) => {
    const next = after[to];
    return `${name(id)}: ${from} to ${to}, ${next === undefined ? 'last' : `before ${name(next)}`}`;
  });
  return {
    question:
      moved.length === 0 ? 'Save the order as it is?' : `Save the new order? ${plural(moved.length, 'row')} moved`,
    details: [...lines, ...notes],
  };
}

/** The order to send (`new`), the order as it is already (`same`), or the moved rows that the service does not name. */
type Rebased =
  | { readonly kind: 'same' | 'new' | 'unnamed'; readonly ids: readonly string[] }
  | { readonly kind: 'overtaken' };

/**
 * A new order carried over to what is there now: what has gone is left out, what has come stands last. `overtaken` when
 * somebody else has moved rows meanwhile, `same` when there is nothing left to do, `unnamed` when a row that was moved
 * is not in the order that the service reports.
 */
export function rebased({ before, after }: Pick<NewOrder, 'before' | 'after'>, now: readonly string[]): Rebased {
  const there = new Set(now);
  const knownIds = new Set(before);
  const base = before.filter((id) => there.has(id));
  const theirs = now.filter((id) => knownIds.has(id));
  const remaining = after.filter((id) => there.has(id));
  const moved = moves(before, after).map((move) => move.id);
  const gone = moved.filter((id) => !there.has(id));
  if (gone.length > 0) return { kind: 'unnamed', ids: gone };
  // Of two rows that changed places only one counts as moved: without the other one, nothing is left of the move.
  if (moved.length > 0 && base.every((id, at) => id === remaining[at]))
    return { kind: 'unnamed', ids: before.filter((id) => !there.has(id)) };
  const ids = [...remaining, ...now.filter((id) => !knownIds.has(id))];
  if (ids.every((id, at) => id === now[at])) return { kind: 'same', ids };
  return base.every((id, at) => id === theirs[at]) ? { kind: 'new', ids } : { kind: 'overtaken' };
}

/** Values of the longest increasing subsequence. */
function longestRising(values: readonly number[]): ReadonlySet<number> {
  // The smallest value that ends a run of each length, and what stood before each value in its run.
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const value of values) {
    const index = lowest(ends, value);
    previous.set(value, ends[index - 1]);
    ends[index] = value;
  }
  const run = new Set<number>();
  for (let value = ends.at(-1); value !== undefined; value = previous.get(value)) run.add(value);
  return run;
}

/** First index whose value is not below `value` (binary search). */
function lowest(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was sent, and the order that was there before. */
interface SavedOrder {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Ctrl-S after J and K: the whole order as one edit. Moves of others stop it; what has come meanwhile stands last. */
export function ordering<R extends Resource>(spec: {
  readonly id: string;
  readonly kind: ResourceKind<R>;
  /** The call that names every id in its order. */
  order(ids: readonly string[]): Call;
  /** The read of the order as it is. */
  readonly reads: Endpoint;
  /** What the order decides, in one sentence of the question. */
  readonly rule: string;
  /** A refusal after which the order is read and sent once more: something has come between the two. */
  again?(problem: Problem): boolean;
}): Action<R, NewOrder, SavedOrder> {
  const { kind, order } = spec;
  return {
    id: spec.id,
    key: 'ctrl+s',
    on: 'list',
    title: 'save order',
    preposition: 'of',
    help: `Save the order made with J and K, all ${kind.short}s in one request`,
    brief: `Move ${kind.short}s to a position, or name all of them in their new order`,
    uses: [spec.reads, order([]).endpoint],
    confirm: (_, values) => orderQuestion(values, [spec.rule]),
    send: (_, values) => sending(values, spec),
    done(_, values, { before, after }) {
      if (isSame(before, after)) return 'The order is already this one';
      const come = after.filter((id) => !values.after.includes(id)).length;
      const more = come > 0 ? `; ${plural(come, `new ${kind.short}`)} last` : '';
      return `Saved the order of ${plural(after.length, kind.short)}${more}`;
    },
    undo: (_, __, { before, after }) => (isSame(before, after) ? [] : [order(before)]),
    command: (_, values) => order(values.after ?? []),
  };
}

const isSame = (before: readonly string[], after: readonly string[]): boolean =>
  after.every((id, at) => id === before[at]);

function* sending<R extends Resource>(
  values: NewOrder,
  { kind, order, again: repeat }: Parameters<typeof ordering<R>>[0],
): Plan<Result<SavedOrder>> {
  for (let attempt = 0; ; attempt += 1) {
    const now = yield* kind.orderNow();
    if (!now.ok) return now;
    const before = now.value;
    const next = rebased(values, before);
    if (next.kind === 'overtaken')
      return problemResult(
        'conflict',
        `not sent: others moved ${kind.short}s; q discards your order, Ctrl-R shows theirs`,
      );
    if (next.kind === 'unnamed') return problemResult('conflict', unnamed(next.ids, values.names));
    if (next.kind === 'same') return { ...now, value: { before, after: before } };
    const sent = yield* ask(order(next.ids));
    if (sent.ok) return { ...sent, value: { before, after: next.ids } };
    if (attempt > 0 || !repeat?.(sent.problem)) return sent;
  }
}

function unnamed(ids: readonly string[], names: NewOrder['names']): string {
  const lacking = firstThree(ids.map((id) => names[id] ?? id));
  return `not sent: the order that the service reports does not name ${lacking}; q discards your order, Ctrl-R reads it again`;
}
