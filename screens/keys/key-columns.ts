import { type Column, type Line, pair, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Fields, textField } from '../../src/describe/field.ts';
import { absolute, age, readMoment } from '../../src/lib/moment.ts';
import { leakOf, type MayLeak } from './related.ts';

/** What all kinds of keys have in common (contract/keys.md): columns, lines of the detail, the search. */

/** As much of a key as tells it from others. */
export interface Ends extends MayLeak {
  readonly id: string;
  readonly attributes: { readonly name?: string | null; readonly last4?: string | null };
}

/** `…9f3c`; empty where the last four characters were not told. */
export const ending = (last4: string | null | undefined): string => (last4 ? `…${last4}` : '');

/** The name of a key, or the beginning of its id. */
export const keyName = ({ id, attributes }: Ends): string => attributes.name || `key ${id.slice(0, 8)}`;

/** A moment that the service tells as a text: null for never, undefined where it does not tell. */
export const momentOf = (told: string | null | undefined): number | null | undefined =>
  told === null ? null : readMoment(told);

/** Leaked, or the one that this dashboard uses itself; leaked ones come first. */
export function stateColumn<Row extends Ends>(isInUse: (row: Row, context: Context) => boolean): Column<Row> {
  return {
    id: 'leak',
    title: 'STATE',
    min: 6,
    priority: 1,
    text: (row, context) => (leakOf(row) ? 'LEAKED' : isInUse(row, context) ? 'in use' : ''),
    tone: (row) => (leakOf(row) ? 'bad' : 'info'),
    sort: (row) => (leakOf(row) ? 1 : 0),
    downwards: true,
  };
}

/** The name of a key; a leaked one is red. */
export function nameColumn<Row extends Ends>(nameOf: (row: Row) => string): Column<Row> {
  return {
    id: 'name',
    title: 'NAME',
    min: 16,
    share: 3,
    max: 60,
    priority: 1,
    text: nameOf,
    tone: (row) => (leakOf(row) ? 'bad' : 'plain'),
    sort: (row) => nameOf(row).toLowerCase(),
  };
}

/** The last four characters. */
export function endColumn<Row extends Ends>(): Column<Row> {
  return {
    id: 'last4',
    title: 'ENDS',
    min: 5,
    priority: 2,
    text: (row) => ending(row.attributes.last4),
    sort: (row) => row.attributes.last4 ?? '',
  };
}

/** `3d`, `never`, or nothing where the answer did not say. */
export const ageText = (at: number | null | undefined, context: Context): string =>
  at === undefined ? '' : at === null ? 'never' : age(at, context.now);

/** How long ago something was. */
export function ageColumn<Row>(
  head: Pick<Column<Row>, 'id' | 'title' | 'priority'>,
  moment: (row: Row) => number | null | undefined,
): Column<Row> {
  return {
    ...head,
    min: 7,
    align: 'right',
    text: (row, context) => ageText(moment(row), context),
    tone: () => 'dim',
    sort: (row) => moment(row) ?? Number.NaN,
    downwards: true,
  };
}

/** A moment in a detail. */
export function momentPair(label: string, told: string | null | undefined, context: Context): Line {
  const at = momentOf(told);
  return pair(label, at === undefined ? undefined : at === null ? 'never' : absolute(at, context.zone));
}

/** The first lines of a key's detail: what to do about a leaked one, which one is in use, how it ends. */
export function firstLines(row: Ends, isInUse: boolean, context: Context): readonly Line[] {
  return [
    ...leakLines(row, context),
    ...(isInUse ? [text('it ends like the key that this dashboard uses', 'info')] : []),
    pair('ends in', ending(row.attributes.last4)),
  ];
}

function leakLines(row: Ends, context: Context): readonly Line[] {
  const leak = leakOf(row);
  if (!leak) return [];
  const where = leak.source ? ` in ${leak.source}` : ' where it should not be';
  const when = leak.at === undefined ? '' : ` on ${absolute(leak.at, context.zone)}`;
  return [text(`LEAKED: it was found${where}${when}. Make another, put it in place, then delete this one`, 'bad')];
}

/** How many of the rows are leaked, for the title bar. */
export function leakNotes(rows: readonly Ends[]): readonly string[] {
  const leaked = rows.filter(leakOf).length;
  return leaked === 0 ? [] : [`${leaked} LEAKED: delete and replace`];
}

/** The search behind a list of keys: names that hold a text. */
export const nameSearch = {
  form: (asked: Readonly<Record<string, string>>): Fields => ({
    text: textField('name holds', asked.text, { hint: 'empty lists every key' }),
  }),
  initial: { text: '' },
  says: (asked: Readonly<Record<string, string>>): string => (asked.text?.trim() ? `"${asked.text.trim()}"` : ''),
};
