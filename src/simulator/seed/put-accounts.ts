import { at } from '../../lib/object-paths.ts';
import { pairKey } from '../kinds/cloud-accounts.ts';
import { makeAccountA } from '../kinds/provider-a.ts';
import { makeAccountB } from '../kinds/provider-b.ts';
import { makeAccountBV1 } from '../kinds/provider-b-v1.ts';
import { type StoredCells, storeTable, type TableField } from '../kinds/table-store.ts';
import type { ServiceWorld } from '../server/handler.ts';
import { asList, asObject, asText } from '../server/wire-values.ts';

type Fields = Readonly<Record<string, unknown>>;

const day = 86_400_000;

const without = (object: Fields, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Stores an account of provider_a; returns its key. */
export function putAccountA({ org }: ServiceWorld, object: Fields, now: number): string {
  const { tenant_name = 'tenant', client_id = `client-${org.accounts.a.size + 1}` } = object;
  const key = pairKey(tenant_name, client_id);
  org.accounts.a.set(key, makeAccountA({ ...object, tenant_name, client_id }, now - day));
  return key;
}

/** Stores an account of provider_b in its deprecated form; returns its key. */
export function putAccountBV1({ org, random }: ServiceWorld, object: Fields, now: number): string {
  const { project_id = 'project', client_email = `old-${org.accounts.bV1.size + 1}@example.test` } = object;
  const key = pairKey(project_id, client_email);
  org.accounts.bV1.set(key, makeAccountBV1({ ...object, project_id, client_email }, random.uuid(), now - day));
  return key;
}

/** Stores a federated account of provider_b; `meta.accessible_projects` as in the list. */
export function putAccountB({ org, random }: ServiceWorld, object: Fields, given: Fields, now: number): string {
  const id = asText(object.id) ?? random.uuid();
  const fields = makeAccountB(without(object, ['id', 'type', 'attributes', 'relationships', 'meta']));
  const projects = (asList(at(given, 'meta.accessible_projects')) ?? []).map(String);
  org.accounts.b.set(id, { id, fields, projects, created: now - day });
  return id;
}

const tableFields = [
  'id',
  'type',
  'attributes',
  'table_name',
  'description',
  'source',
  'schema',
  'tags',
  'status',
  'created_by',
  'last_updated_by',
  'updated_at',
  'file_metadata',
  'row_count',
  'rows',
  'restricted',
];

/**
 * Stores a reference table given in the response format. `rows` are objects by column; without a schema their names are the
 * columns and the first is the key. A higher `row_count` adds rows that are counted but not stored.
 */
export function putTable(world: ServiceWorld, object: Fields, now: number): string {
  const id = asText(object.id) ?? world.random.uuid();
  const given = (asList(object.rows) ?? []).map((row) => asObject(row) ?? {});
  const names = Object.keys(given[0] ?? { id: '' });
  const fields =
    (asList(at(object, 'schema.fields')) as TableField[] | undefined) ?? inferredFields(names, given[0] ?? {});
  const key = asText(asList(at(object, 'schema.primary_keys'))?.[0]) ?? fields[0]?.name ?? 'id';
  const rows = new Map(
    given.map((row): [string, StoredCells] => [
      String(row[key]),
      fields.map(({ name }) => row[name] as string | number | undefined),
    ]),
  );
  const user = [...world.org.users.keys()][0] ?? '';
  world.org.tableStore.tables.set(
    id,
    storeTable({
      id,
      name: asText(object.table_name) ?? `table_${world.org.tableStore.tables.size + 1}`,
      description: asText(object.description) ?? '',
      source: asText(object.source) ?? 'LOCAL_FILE',
      fields,
      key,
      tags: asList(object.tags)?.map(String) ?? null,
      status: asText(object.status) ?? 'DONE',
      creator: asText(object.created_by) ?? user,
      updater: asText(object.last_updated_by) ?? user,
      updated: Date.parse(asText(object.updated_at) ?? '') || now - day,
      rows,
      unstoredRows: Math.max(0, Number(object.row_count ?? 0) - rows.size),
      ...importFacts(asObject(object.file_metadata) ?? {}),
      restricted: object.restricted === true,
      overrides: without(object, tableFields),
    }),
  );
  return id;
}

/** What `file_metadata` says of the file that a table is read from. */
const importFacts = (metadata: Fields) => ({
  errors: {
    type: asText(metadata.error_type) ?? null,
    message: asText(metadata.error_message) ?? '',
    rows: Number(metadata.error_row_count ?? 0),
  },
  access: asObject(metadata.access_details) ?? null,
  sync: metadata.sync_enabled === true,
});

const inferredFields = (names: readonly string[], row: Fields): TableField[] =>
  names.map((name) => ({ name, type: typeof row[name] === 'number' ? 'INT32' : 'STRING' }));
