import type { Context } from './context.ts';
import { type OutputField, type RowOutput, timestamp } from './output.ts';
import type { AnyList } from './screen.ts';
import { inWords } from './vocabulary-words.ts';

// biome-ignore lint/suspicious/noExplicitAny: fields of any list; each knows its row
type AnyField = OutputField<any>;

/** One row as it is printed: fields in the order of the contract. */
export type Item = Readonly<Record<string, unknown>>;

/** Every field of a list's rows: the id and the name first, the address of a row in the service's pages last. */
export function outputFields(list: AnyList): readonly AnyField[] {
  const declared: readonly AnyField[] = list.output?.().fields ?? [];
  const named = declared.some(({ name }) => name === 'name');
  return [
    { name: 'id', type: 'id', says: 'for `get` and actions', value: (row) => list.idOf(row) },
    ...(named
      ? []
      : [
          {
            name: 'name',
            type: 'text',
            says: 'as the screens show it',
            value: (row) => list.nameOf(row),
          } as AnyField,
        ]),
    ...declared,
    ...(list.link
      ? [
          {
            name: 'url',
            type: 'text',
            says: 'its web page, if the profile has a web address',
            value: (row, context) => list.link?.(row, context),
          } as AnyField,
        ]
      : []),
  ];
}

/** The rows of a list as they are printed, in the deployment's words. */
export function outputItems(list: AnyList, rows: readonly unknown[], context: Context): readonly Item[] {
  const fields = outputFields(list);
  const members = list.output?.().members;
  return rows.map((row) =>
    spoken(members, Object.fromEntries(fields.map((field) => [field.name, plainValue(field, row, context)])), context),
  );
}

/** The names of the fields as a deployment has them, by their names in the contract. */
export function spokenNames(list: AnyList, context: Context): ReadonlyMap<string, string> {
  const names = outputFields(list).map(({ name }) => name);
  const said = Object.keys(
    spoken(list.output?.().members, Object.fromEntries(names.map((name) => [name, null])), context),
  );
  return new Map(names.map((name, at) => [name, said[at] ?? name]));
}

function spoken(members: RowOutput<unknown>['members'], item: Item, context: Context): Item {
  if (!members || !context.vocabulary) return item;
  const { schema, names } = members;
  const those = Object.entries(item).filter(([name]) => names.has(name));
  const said = Object.entries(inWords(schema, Object.fromEntries(those), context));
  const saidOf = new Map(those.map(([name], at) => [name, said[at]]));
  return Object.fromEntries(Object.entries(item).map((entry) => saidOf.get(entry[0]) ?? entry));
}

function plainValue({ type, value }: AnyField, row: unknown, context: Context): unknown {
  const plain = value(row, context) ?? null;
  if (plain === null) return null;
  if (type === 'time') return timestamp(plain);
  if (type === 'id') return String(plain);
  if (typeof plain === 'number' && !Number.isFinite(plain)) return null;
  return plain;
}
