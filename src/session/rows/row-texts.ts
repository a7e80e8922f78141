import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Row } from './list-state.ts';

/** The text of a row that a filter looks at, in lower case. */
export type RowTexts = (list: AnyList, row: Row, context: Context) => string;

/** Each row is asked for its text once. */
export function createRowTexts(): RowTexts {
  const known = new WeakMap<AnyList, WeakMap<object, string>>();
  return (list, row, context) => {
    const ofList = known.get(list) ?? new WeakMap<object, string>();
    known.set(list, ofList);
    const before = ofList.get(row as object);
    if (before !== undefined) return before;
    const text = textOf(list, row, context);
    ofList.set(row as object, text);
    return text;
  };
}

const textOf = (list: AnyList, row: Row, context: Context): string =>
  [
    ...list.columns.map((column) => column.text(row, context)),
    list.words?.(row, context) ?? '',
    // As the title counts it.
    list.states?.find((state) => state.isIn(row, context))?.label ?? '',
    list.idOf(row),
  ]
    .join(' ')
    .toLowerCase();
