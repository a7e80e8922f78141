import type { AnyList } from '../../describe/screen.ts';

/** A row that was opened or edited in this run. */
export interface Touched {
  readonly list: string;
  readonly row: string;
  readonly name: string;
}

const most = 20;

/** The state with rows of a list as those touched last, the first of them first. */
export function withTouched<S extends { readonly touched: readonly Touched[] }>(
  state: S,
  list: AnyList,
  rows: readonly { readonly id: string; readonly name: string }[],
): S {
  if (list.derived || !list.detail || rows.length === 0) return state;
  const now = rows.map(({ id, name }): Touched => ({ list: list.id, row: id, name }));
  const isNow = ({ row }: Touched) => now.some((one) => one.row === row);
  const others = state.touched.filter((one) => one.list !== list.id || !isNow(one));
  return { ...state, touched: [...now, ...others].slice(0, most) };
}
