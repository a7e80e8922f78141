import { absolute, age } from '../lib/time-text.ts';
import { type Column, type DescribedColumn, type DetailLine, momentFirsts, pair, plainColumn } from './column.ts';
import type { Context } from './context.ts';

/** A moment of a row in milliseconds since the epoch: null for never, undefined where the answer does not tell it. */
type Moment = number | null | undefined;

/** A column of texts, sorted as they are shown; upper and lower case are alike. */
export const textColumn = <Row>(column: DescribedColumn<Row>): Column<Row> =>
  plainColumn({ sort: (row, context) => column.text(row, context).toLowerCase(), ...column });

/** A column of amounts, at the right and the highest first; a row that tells none is last. */
export const amountColumn = <Row>({
  amount,
  ...column
}: Omit<DescribedColumn<Row>, 'text'> & {
  amount(row: Row): number | undefined;
  readonly text?: Column<Row>['text'];
}): Column<Row> =>
  plainColumn({
    align: 'right',
    downward: true,
    text: (row) => String(amount(row) ?? '?'),
    sort: (row) => amount(row) ?? Number.NaN,
    ...column,
  });

/** The place in an order that the service applies, from 1. */
export const orderColumn = <Row extends { readonly place: number }>(min: number): Column<Row> => ({
  id: 'order',
  title: '#',
  called: 'order',
  firsts: ['first to last', 'last to first'],
  min,
  align: 'right',
  priority: 1,
  text: (row) => String(row.place),
  says: (row) => `position ${row.place}`,
  tone: () => 'dim',
  sort: (row) => row.place,
});

/** A line about that place and what it decides; where rows have been moved and not saved, the place that the row then gets. */
export function positionLine(
  row: { readonly id: string; readonly place: number },
  decides: string,
  { unsavedOrder = [] }: Pick<Context, 'unsavedOrder'>,
): DetailLine {
  const moved = unsavedOrder.indexOf(row.id) + 1;
  const place = moved === 0 || moved === row.place ? String(row.place) : `${moved} once saved, ${row.place} now`;
  return pair('Position', `${place}: ${decides}`);
}

/** `3d`, `never`, or empty where the answer does not tell it. */
export const ageText = (at: Moment, { now }: Pick<Context, 'now'>): string =>
  at === undefined ? '' : at === null ? 'never' : age(at, now);

/** How long ago something was. */
export const ageColumn = <Row>(
  column: Pick<DescribedColumn<Row>, 'id' | 'title' | 'min' | 'priority'>,
  instantOf: (row: Row) => Moment,
): Column<Row> =>
  plainColumn({
    firsts: momentFirsts,
    align: 'right',
    text: (row, context) => ageText(instantOf(row), context),
    tone: () => 'dim',
    sort: (row) => instantOf(row) ?? Number.NaN,
    downward: true,
    ...column,
  });

/** A moment as a line of a detail: with its day, in the person's zone. */
export const momentPair = (label: string, at: Moment, { zone }: Pick<Context, 'zone'>): DetailLine =>
  pair(label, at === null ? 'never' : at === undefined ? undefined : absolute(at, zone));
