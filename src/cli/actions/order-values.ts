import type { NewOrder } from '../../describe/order-action.ts';
import type { AnyList } from '../../describe/screen.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';

/** Where rows of an order are moved to; none: every row is named, in its order. */
export interface Destination {
  readonly first?: boolean;
  readonly last?: boolean;
  readonly before?: string;
  readonly after?: string;
}

/** The rows of a list in their order, and those that are moved in theirs. */
interface Ordered {
  readonly list: AnyList;
  readonly all: readonly unknown[];
  readonly moved: readonly unknown[];
  /** The row that `before` or `after` names. */
  readonly anchor?: unknown;
}

/** The order with the moved rows where they are wanted. A row that may not move, or an order with gaps, is a sentence. */
export function orderValues({ list, all, moved, anchor }: Ordered, to: Destination): ParseResult<NewOrder> {
  const before = all.map(list.idOf);
  const ids = moved.map(list.idOf);
  const names = Object.fromEntries(all.map((row) => [list.idOf(row), list.nameOf(row)]));
  const places = [to.first, to.last, to.before, to.after].filter((place) => place !== undefined);
  if (places.length > 1) return unreadable('give one of --first, --last, --before and --after');
  for (const row of moved) {
    const may = list.order?.may?.(row) ?? true;
    if (may !== true) return unreadable(`${list.nameOf(row)}: ${may}`);
  }
  const others = before.filter((id) => !ids.includes(id));
  const index = placeIn(others, to, anchor === undefined ? undefined : list.idOf(anchor));
  if (index === undefined && others.length > 0)
    return unreadable(
      `${ids.length} of ${before.length} rows are named: name all, or say where with --first, --last, --before or --after`,
    );
  if (index !== undefined && index < 0) return unreadable('a row cannot be moved next to itself');
  const after = others.toSpliced(index ?? 0, 0, ...ids);
  return { ok: true, value: { before, after, names } };
}

function placeIn(others: readonly string[], to: Destination, anchor: string | undefined): number | undefined {
  if (to.first) return 0;
  if (to.last) return others.length;
  if (anchor === undefined) return undefined;
  const at = others.indexOf(anchor);
  return at < 0 ? -1 : to.before === undefined ? at + 1 : at;
}
