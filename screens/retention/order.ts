import { call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { listFilters, orderFilters } from '../../src/api/retention.ts';
import { action } from '../../src/describe/action.ts';
import { type NewOrder, orderQuestion, rebased } from '../../src/describe/order.ts';
import { plural } from '../../src/lib/text.ts';
import { inOrder } from './load.ts';
import type { FilterRow } from './row.ts';

/** What was sent, and the order that was there before. */
interface Ordered {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Reads the order as it is, carries the moves over to it, and sends every id. Somebody else's moves stop it. */
function* ordering(values: NewOrder): Plan<Result<Ordered>> {
  const now = yield* ask(call(listFilters));
  if (!now.ok) return now;
  const before = inOrder(now.value?.data ?? []).flatMap((it) => (it.id == null ? [] : [String(it.id)]));
  const next = rebased(values, before);
  if (next.kind === 'overtaken')
    return refusal('conflict', 'not sent: others moved filters; q drops yours, Ctrl-R shows theirs');
  if (next.kind === 'same') return { ...now, value: { before, after: before } };
  const sent = yield* ask(orderCall(next.ids));
  return sent.ok ? { ...sent, value: { before, after: next.ids } } : sent;
}

function orderCall(ids: readonly string[]) {
  return call(orderFilters, { body: { data: ids.map((id) => ({ type: 'apm_retention_filter' as const, id })) } });
}

/** Ctrl-S after J and K: the whole order as one edit. */
export const orderAction = action<FilterRow, NewOrder>({
  id: 'retention.order',
  key: 'ctrl+s',
  on: 'list',
  title: 'save the order',
  help: 'send the order that J and K have made, every filter in it, as one edit',
  uses: [listFilters, orderFilters],
  confirm: (_, values) => orderQuestion(values, ['the first one that is on and matches decides about a span']),
  send: (_, values) => ordering(values),
  done(_, values, answer) {
    const { before, after } = answer as Ordered;
    if (after.every((id, at) => id === before[at])) return 'the order was like this already';
    const come = after.filter((id) => !values.after.includes(id)).length;
    const more = come > 0 ? `; ${plural(come, 'filter')} that came meanwhile stands last` : '';
    return `order saved, ${plural(after.length, 'filter')}${more}`;
  },
  undo(_, __, answer) {
    const { before, after } = answer as Ordered;
    return after.every((id, at) => id === before[at]) ? [] : [orderCall(before)];
  },
});
