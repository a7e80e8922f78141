import { ask, type Call, type Endpoint, type Plan } from '../api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import { plural } from '../lib/text.ts';
import type { Action } from './action.ts';
import { type NewOrder, orderQuestion, rebased } from './order-moves.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';

/** What was sent, and the order that was there before. */
export interface SavedOrder {
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
  const [first = '', ...others] = ids.map((id) => names[id] ?? id);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `not sent: the order that the service reports does not name ${first}${more}; q discards your order, Ctrl-R reads it again`;
}
