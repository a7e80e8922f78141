import type { Confirm } from '../../src/describe/action.ts';
import { type Column, type Line, pair, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Fields, textField } from '../../src/describe/field.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { field, idIn, word } from '../../src/lib/loose.ts';
import { absolute, age, readMoment } from '../../src/lib/time.ts';

/** What both kinds of keys have in common (contract/keys.md). */

/** Somebody found the key where it should not be. */
export interface Leak {
  /** Where, and when in milliseconds; unknown until the key itself has been read. */
  readonly source?: string;
  readonly at?: number;
}

/** The leak of a key, from its relationships and what was included; undefined when nobody found it. */
export function leakOf(it: unknown, included: readonly unknown[] = []): Leak | undefined {
  const id = idIn(field(field(it, 'relationships'), 'leak_information'));
  if (id === undefined) return undefined;
  const about = field(
    included.find((one) => word(field(one, 'type')) === 'leaked_keys' && idIn(one) === id),
    'attributes',
  );
  return { source: word(field(about, 'leak_source')) || undefined, at: readMoment(field(about, 'date')) };
}

/** The loudest line of a detail: what to do about a leaked key. */
export function leakLines(leak: Leak | undefined, context: Context): Line[] {
  if (!leak) return [];
  const where = leak.source ? ` in ${leak.source}` : ' where it should not be';
  const when = leak.at === undefined ? '' : ` on ${absolute(leak.at, context.zone)}`;
  return [text(`LEAKED: it was found${where}${when}. Make another, put it in place, then delete this one`, 'bad')];
}

/** `…9f3c` */
export const ending = (last4: string): string => (last4 === '' ? '' : `…${last4}`);

interface Ends {
  readonly name: string;
  readonly last4: string;
  readonly leak?: Leak | undefined;
}

/** Leaked, or the one that this dashboard uses itself; leaked ones come first. */
export function stateColumn<Row extends Ends>(isInUse: (row: Row, context: Context) => boolean): Column<Row> {
  return {
    id: 'leak',
    title: 'STATE',
    min: 6,
    priority: 1,
    text: (row, context) => (row.leak ? 'LEAKED' : isInUse(row, context) ? 'in use' : ''),
    tone: (row) => (row.leak ? 'bad' : 'info'),
    sort: (row) => (row.leak ? 1 : 0),
    downwards: true,
  };
}

/** Name, the last four characters, and how long ago: columns that all keys have. */
export function nameColumn<Row extends Ends>(): Column<Row> {
  return {
    id: 'name',
    title: 'NAME',
    min: 16,
    share: 3,
    max: 60,
    priority: 1,
    text: (row) => row.name,
    tone: (row) => (row.leak ? 'bad' : 'plain'),
    sort: (row) => row.name.toLowerCase(),
  };
}

export function endColumn<Row extends Ends>(): Column<Row> {
  return {
    id: 'last4',
    title: 'ENDS',
    min: 5,
    priority: 2,
    text: (row) => ending(row.last4),
    sort: (row) => row.last4,
  };
}

/** `3d`, `never`, or nothing where the answer did not say. */
export function ageColumn<Row>(
  it: Pick<Column<Row>, 'id' | 'title' | 'priority'>,
  moment: (row: Row) => number | null | undefined,
): Column<Row> {
  return {
    ...it,
    min: 7,
    align: 'right',
    text(row, context) {
      const at = moment(row);
      return at === undefined ? '' : at === null ? 'never' : age(at, context.now);
    },
    tone: () => 'dim',
    sort: (row) => moment(row) ?? Number.NaN,
    downwards: true,
  };
}

/** A moment that the service tells as a text, as null for never, or not at all. */
export function momentOf(attributes: unknown, name: string): number | null | undefined {
  const told = field(attributes, name);
  return told === null ? null : readMoment(told);
}

/** A moment in a detail. */
export function momentPair(label: string, at: number | null | undefined, context: Context): Line {
  return pair(label, at === undefined ? undefined : at === null ? 'never' : absolute(at, context.zone));
}

/** Everything an answer said, its secrets hidden by the caller. */
export const rawLines = (raw: unknown): Line[] =>
  raw === undefined
    ? [text('reading', 'dim')]
    : stringifyExact(raw, 2)
        .split('\n')
        .map((line) => text(line));

/** What has to be typed to delete: the name where a keyboard has it, else the last four characters, else the id. */
function typedName({ id, name, last4 }: Ends & { readonly id: string }): string {
  return /^[\x21-\x7e]([\x20-\x7e]{0,58}[\x21-\x7e])?$/.test(name) ? name : last4 || id;
}

/** The question before keys are deleted; loud when one of them is the one in use. */
export function deleteQuestion<Row extends Ends & { readonly id: string }>(
  rows: readonly Row[],
  what: string,
  isInUse: (row: Row) => boolean,
): Confirm {
  const [row] = rows;
  const single = rows.length === 1 ? row : undefined;
  const mine = rows.find(isInUse);
  const warning = mine
    ? [
        `WARNING: ${mine.name} ends in ${mine.last4} like the key that this dashboard uses:`,
        'without it every further call is refused, until the profile has another key',
      ]
    : [];
  return {
    question: single ? `delete ${what} ${single.name} ${ending(single.last4)}?` : `delete ${rows.length} ${what}s?`,
    details: [...warning, 'whatever uses it is refused at once, and it cannot be brought back'],
    destructive: true,
    typed: single ? typedName(single) : String(rows.length),
  };
}

/** The search behind a list of keys: names that hold a text. */
export const nameSearch = {
  form: (asked: Readonly<Record<string, string>>): Fields => ({
    text: textField('name holds', asked.text, { hint: 'empty lists every key' }),
  }),
  initial: { text: '' },
  says: (asked: Readonly<Record<string, string>>): string => (asked.text?.trim() ? `"${asked.text.trim()}"` : ''),
};
