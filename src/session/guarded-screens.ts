import type { Column } from '../describe/column.ts';
import type { AnyList, RowState, Screen } from '../describe/screen.ts';
import { attempt } from '../lib/attempt.ts';
import { present } from '../lib/present-members.ts';
import type { Row } from './rows/list-state.ts';

/**
 * The screens, with what is asked of each row guarded: where it throws for one row, a cell says so, and the other rows stay.
 * Anything else that throws ends the frame, the read or the edit that it was called for.
 */
export const guarded = (screens: readonly Screen[]): readonly Screen[] =>
  screens.map((screen) => ({ ...screen, lists: screen.lists.map(guardedList) }));

const guardedList = (list: AnyList): AnyList => ({
  ...list,
  columns: list.columns.map(guardedColumn),
  ...present({
    shown: list.shown?.map(guardedColumn),
    columnsOf:
      list.columnsOf && orElse((rows: readonly Row[]) => list.columnsOf?.(rows)?.map(guardedColumn), undefined),
    states: list.states?.map(guardedState),
  }),
});

const guardedColumn = <Row>(column: Column<Row>): Column<Row> => ({
  ...column,
  text: orElse(column.text, '(unreadable)'),
  ...present({
    says: column.says && orElse(column.says, '(unreadable)'),
    tone: column.tone && orElse(column.tone, 'dim'),
    sort: column.sort && orElse(column.sort, ''),
  }),
});

const guardedState = (state: RowState<unknown>): RowState<unknown> => ({
  ...state,
  isIn: orElse(state.isIn, false),
  ...present({ aside: state.aside && { ...state.aside, isSo: orElse(state.aside.isSo, undefined) } }),
});

/** The function, which gives this where it throws. */
const orElse =
  <A extends readonly unknown[], R>(work: (...args: A) => R, fallback: NoInfer<R>) =>
  (...args: A): R =>
    attempt(
      () => work(...args),
      () => fallback,
    );
