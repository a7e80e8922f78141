import { type Args, type Call, call } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { createTable, updateTable } from '../../src/api/tables.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { accessIn, accessOf, type Cloud, cloudOf, clouds } from './access.ts';
import { fresh, tableNamed } from './load.ts';
import { columnsOf, keyOf, nameOf, type TableColumn, type TableRow } from './row.ts';

type Sent = Args<typeof updateTable>['body']['data']['attributes'];

/** What a person may change of a table; what is not to change is missing. */
export interface Changes {
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly sync?: boolean;
  /** By the names of the contract, those that differ. */
  readonly access?: Readonly<Record<string, string>>;
  /** Columns that are added. */
  readonly columns?: readonly TableColumn[];
}

/** What of the values of an edit form is not as the row has it. */
export function changesOf(row: TableRow, values: Readonly<Record<string, unknown>>): Changes {
  const { description, tags, sync, columns } = values as Partial<Changes>;
  const cloud = cloudOf(row);
  const before = accessOf(row);
  const typed = cloud === undefined ? {} : accessIn(cloud, values);
  const access = Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== (before[name] ?? '')));
  return {
    ...(description !== undefined && description !== (row.attributes.description ?? '') ? { description } : {}),
    ...(tags !== undefined && !same(tags, row.attributes.tags ?? []) ? { tags } : {}),
    ...(sync !== undefined && sync !== isSynced(row) ? { sync } : {}),
    ...(Object.keys(access).length > 0 ? { access } : {}),
    ...(columns !== undefined && columns.length > 0 ? { columns } : {}),
  };
}

const same = (one: unknown, other: unknown): boolean => stringifyExact(one) === stringifyExact(other);

/** Left out of an answer when it is false (contract/reference-tables.md 5). */
export const isSynced = (row: TableRow): boolean => row.attributes.file_metadata?.sync_enabled === true;

/** Whether the changes make the service read the file again. */
export const readsAgain = (changes: Changes): boolean =>
  changes.access !== undefined || (changes.columns?.length ?? 0) > 0;

/**
 * The change of a table. Access details go as a whole, with everything that was read of them: then it does not matter
 * whether the service merges or replaces them. New columns need them too (contract/reference-tables.md 4).
 */
export function patch(row: TableRow, changes: Changes): Call {
  const { description, tags, sync, access, columns } = changes;
  const cloud = cloudOf(row);
  const metadata = {
    ...(cloud !== undefined && readsAgain(changes)
      ? { access_details: { [clouds[cloud].detail]: { ...accessOf(row), ...access } } }
      : {}),
    ...(sync === undefined ? {} : { sync_enabled: sync }),
  };
  const before = row.attributes.schema ?? {};
  const attributes = {
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(Object.keys(metadata).length === 0 ? {} : { file_metadata: metadata }),
    ...(columns && columns.length > 0 ? { schema: { ...before, fields: [...(before.fields ?? []), ...columns] } } : {}),
  };
  return call(updateTable, { id: row.id, body: { data: { type: 'reference_table', attributes: attributes as Sent } } });
}

/** The row with changes laid over it. */
export function changed(row: TableRow, { description, tags, sync }: Changes): TableRow {
  const metadata = sync === undefined ? {} : { file_metadata: { ...row.attributes.file_metadata, sync_enabled: sync } };
  return {
    ...row,
    attributes: {
      ...row.attributes,
      ...(description === undefined ? {} : { description }),
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...metadata,
    },
  };
}

/** The values before, for the way back. Columns that were added stay. */
export function reverse(before: TableRow, { description, tags, sync, access }: Changes): Changes {
  const was = accessOf(before);
  const names = Object.keys(access ?? {}).filter((name) => typeof was[name] === 'string');
  return {
    ...(description === undefined ? {} : { description: before.attributes.description ?? '' }),
    ...(tags === undefined ? {} : { tags: before.attributes.tags ?? [] }),
    ...(sync === undefined ? {} : { sync: isSynced(before) }),
    ...(names.length === 0 ? {} : { access: Object.fromEntries(names.map((name) => [name, String(was[name])])) }),
  };
}

const words: Readonly<Record<keyof Changes, string>> = {
  description: 'description',
  tags: 'tags',
  sync: 'keeping in step',
  access: 'storage',
  columns: 'columns',
};

/**
 * Reads the table as it is now, changes it, and reads it again, since the answer to a change is empty. Where somebody
 * else has changed the same meanwhile, nothing is sent.
 */
export function* changing(row: TableRow, changes: Changes): Plan<Result<unknown>> {
  if (Object.keys(changes).length === 0) return refusal('invalid', 'nothing was changed, so nothing was sent');
  const now = yield* fresh(row.id);
  if (!now.ok) return now;
  const part = (it: TableRow): Readonly<Record<keyof Changes, unknown>> => ({
    description: it.attributes.description ?? '',
    tags: it.attributes.tags ?? [],
    sync: isSynced(it),
    access: accessOf(it),
    columns: columnsOf(it),
  });
  const [before, theirs] = [part(row), part(now.value)];
  const names = Object.keys(changes) as (keyof Changes)[];
  const clash = names.find((name) => !same(before[name], theirs[name]));
  if (clash)
    return refusal(
      'conflict',
      `not sent: the ${words[clash]} of ${nameOf(row)} changed meanwhile: look, and edit again`,
    );
  if (readsAgain(changes) && now.value.unread.length > 0) {
    const lost = now.value.unread.slice(0, 2).join('; ');
    return refusal('unreadable', `not sent: parts of the table could not be read: ${lost}`, {
      fields: now.value.unread,
    });
  }
  const sent = yield* ask(patch(now.value, changes));
  if (!sent.ok) return sent;
  const after = yield* fresh(row.id);
  return after.ok ? after : { ...sent, value: undefined };
}

/** What a person says of a new table in cloud storage. */
export interface NewTable {
  readonly name: string;
  readonly source: Cloud;
  readonly columns: readonly TableColumn[];
  /** Empty: the first column. */
  readonly key: string;
  readonly sync: boolean;
  readonly description: string;
  readonly tags: readonly string[];
  readonly access: Readonly<Record<string, string>>;
}

/** The values of the form of a new table. */
export function newTable(values: Readonly<Record<string, unknown>>): NewTable {
  const it = values as unknown as Omit<NewTable, 'access'>;
  return { ...it, key: it.key || (it.columns[0]?.name ?? ''), access: accessIn(it.source, values) };
}

/** The request for a new table in cloud storage. */
export function createCall(it: NewTable): Call {
  const { name, source, columns, key, sync, description, tags, access } = it;
  return call(createTable, {
    body: {
      data: {
        type: 'reference_table',
        attributes: {
          table_name: name,
          source,
          schema: { fields: columns.map((column) => ({ ...column })), primary_keys: [key] },
          file_metadata: { access_details: { [clouds[source].detail]: access }, sync_enabled: sync },
          ...(description === '' ? {} : { description }),
          ...(tags.length === 0 ? {} : { tags: [...tags] }),
        },
      },
    },
  });
}

/** Asks for the table, then looks it up by its name, since the answer is empty (contract/reference-tables.md 1). */
export function* creating(it: NewTable): Plan<Result<TableRow | undefined>> {
  if (!it.columns.some((column) => column.name === it.key))
    return refusal('invalid', `the primary key ${it.key} is not one of the columns`);
  const made = yield* ask(createCall(it));
  if (!made.ok) return made;
  const found = yield* tableNamed(it.name);
  if (found.ok || notOffered(found.problem)) return found.ok ? found : { ...made, value: undefined };
  return { ...made, value: undefined };
}

/** Whether a table has all that a change of its rows needs. */
export const isWhole = (row: TableRow): boolean => keyOf(row) !== undefined && columnsOf(row).length > 0;
