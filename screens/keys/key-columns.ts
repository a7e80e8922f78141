import { type Column, type DetailLine, pair, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Fields, textField } from '../../src/describe/field.ts';
import type { RowState } from '../../src/describe/screen.ts';
import { textColumn } from '../../src/describe/standard-columns.ts';
import { absolute, readMoment } from '../../src/lib/time-text.ts';
import { findLeak, type WithLeak } from './relationships.ts';

/** Columns, detail lines and the search that all lists of keys share (docs/contract/keys.md). */

/** What API keys and application keys have in common. */
export interface AnyKey extends WithLeak {
  readonly id: string;
  readonly attributes: { readonly name?: string | null | undefined; readonly last4?: string | null | undefined };
}

/** `…9f3c`; empty where the last four characters are unknown. */
export const endingText = (last4: string | null | undefined): string => (last4 ? `…${last4}` : '');

/** The name of a key, or `key` with the first 8 characters of its id. */
export const nameOfKey = ({ id, attributes }: AnyKey): string => attributes.name || `key ${id.slice(0, 8)}`;

/** Milliseconds since the epoch; null (never) stays null, undefined where the answer does not say. */
export const readNullableMoment = (moment: string | null | undefined): number | null | undefined =>
  moment === null ? null : readMoment(moment);

/** The name of a key in its form. */
export const keyNameField = (now: string | null | undefined) =>
  textField('Name', now, { required: true, hint: 'What will use the key, and where' });

/** LEAKED, or `in use` for the key that this dashboard uses; leaked keys sort first. */
export function stateColumn<Row extends AnyKey>(isInUse: (row: Row, context: Context) => boolean): Column<Row> {
  return {
    id: 'leak',
    title: 'STATE',
    firsts: ['leaked last', 'leaked first'],
    min: 6,
    priority: 1,
    text: (row, context) => (findLeak(row) ? 'LEAKED' : isInUse(row, context) ? 'this session' : ''),
    tone: (row) => (findLeak(row) ? 'bad' : 'info'),
    sort: (row) => (findLeak(row) ? 1 : 0),
    downward: true,
  };
}

/** The name of a key, in red where the key is leaked. */
export function nameColumn<Row extends AnyKey>(nameOf: (row: Row) => string): Column<Row> {
  return textColumn({
    id: 'name',
    min: 16,
    max: 60,
    priority: 1,
    text: nameOf,
    tone: (row) => (findLeak(row) ? 'bad' : 'plain'),
  });
}

/** The last four characters. */
export function lastFourColumn<Row extends AnyKey>(): Column<Row> {
  return {
    id: 'last4',
    title: 'LAST 4',
    min: 5,
    priority: 2,
    text: (row) => endingText(row.attributes.last4),
    sort: (row) => row.attributes.last4 ?? '',
  };
}

/** The first lines of a key's detail: what to do about a leak, whether this dashboard uses the key, its last characters. */
export function keyLines(row: AnyKey, isInUse: boolean, context: Context): readonly DetailLine[] {
  return [
    ...leakLines(row, context),
    ...(isInUse ? [textLine('Used by this session (same last 4)', 'info')] : []),
    pair('Last 4', endingText(row.attributes.last4)),
  ];
}

function leakLines(row: AnyKey, context: Context): readonly DetailLine[] {
  const leak = findLeak(row);
  if (!leak) return [];
  const where = leak.source ? ` in ${leak.source}` : '';
  const when = leak.at === undefined ? '' : ` on ${absolute(leak.at, context.zone)}`;
  return [textLine(`LEAKED${where}${when}. Create a new key, roll it out, then delete this one`, 'bad')];
}

/** What the titles of lists of keys count. */
export const leaked: RowState<AnyKey> = {
  label: 'LEAKED',
  tone: 'bad',
  needsPerson: 'leaked key',
  isIn: (row) => findLeak(row) !== undefined,
};

/** The number of leaked keys, for the title bar; none where no key is leaked. */
export function leakNotes(rows: readonly AnyKey[]): readonly string[] {
  const leaked = rows.filter(findLeak).length;
  return leaked === 0 ? [] : [`${leaked} LEAKED: replace and delete`];
}

/** The search of a list of keys: by a part of the name. */
export const nameSearch = {
  form: (search: Readonly<Record<string, string>>): Fields => ({
    text: textField('Name contains', search.text, { hint: 'Empty = all keys' }),
  }),
  initial: { text: '' },
  says: (search: Readonly<Record<string, string>>): string => (search.text?.trim() ? `"${search.text.trim()}"` : ''),
};
