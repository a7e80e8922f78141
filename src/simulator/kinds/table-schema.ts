import { normalName } from '../../api/tables.ts';
import { at } from '../../lib/object-paths.ts';
import { asList, asObject, asText } from '../server/wire-values.ts';
import type { TableField } from './table-store.ts';

const mostFields = 50;

/** The detail members of each cloud source; all are required on create. */
export const details: Readonly<Record<string, readonly [name: string, fields: readonly string[]]>> = {
  PROVIDER_A: [
    'provider_a_detail',
    [
      'provider_a_client_id',
      'provider_a_container_name',
      'provider_a_storage_account_name',
      'provider_a_tenant_id',
      'file_path',
    ],
  ],
  PROVIDER_B: [
    'provider_b_detail',
    ['provider_b_bucket_name', 'provider_b_project_id', 'provider_b_service_account_email', 'file_path'],
  ],
  PROVIDER_C: ['provider_c_detail', ['provider_c_account_id', 'provider_c_bucket_name', 'file_path']],
};

/** The normalised columns and primary key, or the error text. */
export function readSchema(schema: unknown): { fields: TableField[]; key: string } | string {
  const given = asList(at(schema, 'fields')) ?? [];
  const keys = asList(at(schema, 'primary_keys')) ?? [];
  if (given.length === 0) return 'schema.fields is required';
  if (given.length > mostFields) return `schema.fields must have at most ${mostFields} items`;
  const fields = given.map((value) => ({
    name: normalName(asText(at(value, 'name')) ?? '') ?? '',
    type: asText(at(value, 'type')) ?? '',
  }));
  if (fields.some((field) => field.name === '')) return 'schema.fields holds an invalid name';
  if (new Set(fields.map((field) => field.name)).size < fields.length) return 'schema.fields holds a name twice';
  const odd = fields.find((field) => field.type !== 'STRING' && field.type !== 'INT32');
  if (odd) return `field type '${odd.type}' is not supported: use STRING or INT32`;
  if (keys.length !== 1) return 'schema.primary_keys must hold exactly one name';
  const key = normalName(asText(keys[0]) ?? '') ?? '';
  return fields.some((field) => field.name === key)
    ? { fields, key }
    : `primary key '${asText(keys[0])}' is not in fields`;
}

/** The one detail object of a source, checked; `whole` = every field of it is needed. */
export function readAccess(source: string, access: unknown, whole: boolean): Record<string, unknown> | string {
  const [name, fields] = details[source] ?? ['', []];
  const sent = asObject(access);
  if (!sent) return `access_details is required for tables with '${source}' source`;
  const others = Object.keys(sent).filter((other) => other !== name);
  const one = asObject(sent[name]);
  if (others.length > 0 || !one) return `access_details must hold exactly ${name} for tables with '${source}' source`;
  const absent = fields.find((name) => !asText(one[name]));
  return whole && absent ? `access_details.${name}.${absent} is required` : { [name]: one };
}
