import { choiceField, shownWhen, textField, toggleField } from '../../src/describe/field.ts';
import { settingsOf } from '../../src/describe/setting.ts';
import { isObject, type JsonObject } from '../../src/lib/object-paths.ts';
import { sourceText, type TableRow, tableKind } from './kind.ts';

/** The one object of `access_details` that belongs to each kind of cloud storage. */
const details = {
  PROVIDER_A: 'provider_a_detail',
  PROVIDER_B: 'provider_b_detail',
  PROVIDER_C: 'provider_c_detail',
} as const;

type Cloud = keyof typeof details;
const clouds = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const satisfies readonly Cloud[];

/** The cloud that a table is read from; undefined for other sources. */
export const cloudOf = (row: TableRow): Cloud | undefined => clouds.find((cloud) => cloud === row.attributes.source);

/** For settings that a new table and those in the cloud have. */
export const inCloud = { has: (row: TableRow | undefined) => row === undefined || cloudOf(row) !== undefined };

const setting = settingsOf(tableKind);

/** What one kind of storage must be told: all of it is needed on create (contract/reference-tables.md 3). */
const part = (cloud: Cloud, label: string, name: string) =>
  setting(
    label,
    `file_metadata.access_details.${details[cloud]}.${name}`,
    (now, row) => {
      const hint = name === 'file_path' ? { placeholder: 'exports/limits.csv' } : {};
      const field = textField(label, typeof now === 'string' ? now : '', { required: true, ...hint });
      return shownWhen(({ source: chosen }) => row !== undefined || chosen === cloud, field);
    },
    { has: (row) => row === undefined || cloudOf(row) === cloud },
  );

/** Where the file of a table lies; of a new one those fields are shown that its storage needs. */
export const storage = {
  tenantId: part('PROVIDER_A', 'tenant id', 'provider_a_tenant_id'),
  clientId: part('PROVIDER_A', 'client id', 'provider_a_client_id'),
  storageAccount: part('PROVIDER_A', 'storage account', 'provider_a_storage_account_name'),
  container: part('PROVIDER_A', 'container', 'provider_a_container_name'),
  fileInA: part('PROVIDER_A', 'file', 'file_path'),
  projectId: part('PROVIDER_B', 'project id', 'provider_b_project_id'),
  serviceAccount: part('PROVIDER_B', 'service account', 'provider_b_service_account_email'),
  bucketInB: part('PROVIDER_B', 'bucket', 'provider_b_bucket_name'),
  fileInB: part('PROVIDER_B', 'file', 'file_path'),
  accountId: part('PROVIDER_C', 'account id', 'provider_c_account_id'),
  bucketInC: part('PROVIDER_C', 'bucket', 'provider_c_bucket_name'),
  fileInC: part('PROVIDER_C', 'file', 'file_path'),
};

/** Which storage a new table is read from; it cannot be changed later. */
export const chosenStorage = setting('storage', 'source', (now, _, context) =>
  choiceField(
    'storage',
    now ?? clouds[0],
    clouds.map((cloud) => {
      const label = sourceText(cloud, context);
      return { value: cloud, label, word: label };
    }),
    'needs an integration of that provider',
  ),
);

/** Left out of an answer when it is false (contract/reference-tables.md 5). */
export const isSynced = (row: TableRow): boolean => row.attributes.file_metadata?.sync_enabled === true;

/** Whether the file is read again and again; a new table begins with it. */
export const sync = setting(
  'keeping in step',
  'file_metadata.sync_enabled',
  (now, row) => toggleField('keep in step', now ?? row === undefined, 'the file is read again every 5 minutes or so'),
  { untold: false, ...inCloud },
);

/** What is told of the storage of a table, unknown fields included; empty when nothing is. */
export function accessOf({ attributes: { source: cloud, file_metadata: file } }: TableRow): JsonObject {
  const told = Object.entries(details).find(([name]) => name === cloud)?.[1];
  const access = told && file?.access_details?.[told];
  return isObject(access) ? access : {};
}

/** The same as it is sent: as a whole, so that it does not matter whether the service merges or replaces it. */
export function accessSent(row: TableRow): JsonObject | undefined {
  const cloud = cloudOf(row);
  return cloud && { [details[cloud]]: accessOf(row) };
}

/** What the forms call a field of the storage; undefined for one that is not known here. */
export const labelOf = (name: string): string | undefined =>
  Object.values(storage).find(({ path }) => path?.endsWith(`.${name}`))?.label;
