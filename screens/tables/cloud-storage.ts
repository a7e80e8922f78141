import { choiceField, shownWhen, textField, toggleField } from '../../src/describe/field.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { isObject, type JsonObject } from '../../src/lib/object-paths.ts';
import { capitalized } from '../../src/lib/text.ts';
import { type ReferenceTable, tableKind, tableSourceText } from './kind.ts';

/** The member of `access_details` for each cloud. */
const details = {
  PROVIDER_A: 'provider_a_detail',
  PROVIDER_B: 'provider_b_detail',
  PROVIDER_C: 'provider_c_detail',
} as const;

type Cloud = keyof typeof details;
const clouds = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const satisfies readonly Cloud[];

/** The cloud that holds the file of a table; undefined for other sources. */
export const findCloud = (row: ReferenceTable): Cloud | undefined =>
  clouds.find((cloud) => cloud === row.attributes.source);

/** Limits a setting to new tables and to tables in the cloud. */
export const inCloud = { has: (row: ReferenceTable | undefined) => row === undefined || findCloud(row) !== undefined };

/** Makes a setting of a table. */
export const tableSetting = defineSettings(tableKind);

/** A setting of one cloud. All settings of a cloud are required on create (docs/contract/reference-tables.md#create). */
const storageSetting = (cloud: Cloud, label: string, name: string) =>
  tableSetting(
    label,
    `file_metadata.access_details.${details[cloud]}.${name}`,
    (now, row) => {
      const hint = name === 'file_path' ? { placeholder: 'exports/limits.csv' } : {};
      const field = textField(capitalized(label), typeof now === 'string' ? now : '', { required: true, ...hint });
      // One of several clouds is asked.
      const flag = ['file', 'bucket'].includes(label) ? { flag: label } : {};
      return shownWhen(({ source: chosen }) => row !== undefined || chosen === cloud, { ...field, ...flag });
    },
    { has: (row) => row === undefined || findCloud(row) === cloud },
  );

/** The settings of the storage of a table. The form of a new table shows those of the chosen cloud. */
export const storage = {
  tenantId: storageSetting('PROVIDER_A', 'tenant ID', 'provider_a_tenant_id'),
  clientId: storageSetting('PROVIDER_A', 'client ID', 'provider_a_client_id'),
  storageAccount: storageSetting('PROVIDER_A', 'storage account', 'provider_a_storage_account_name'),
  container: storageSetting('PROVIDER_A', 'container', 'provider_a_container_name'),
  fileInA: storageSetting('PROVIDER_A', 'file', 'file_path'),
  projectId: storageSetting('PROVIDER_B', 'project ID', 'provider_b_project_id'),
  serviceAccount: storageSetting('PROVIDER_B', 'service account', 'provider_b_service_account_email'),
  bucketInB: storageSetting('PROVIDER_B', 'bucket', 'provider_b_bucket_name'),
  fileInB: storageSetting('PROVIDER_B', 'file', 'file_path'),
  accountId: storageSetting('PROVIDER_C', 'account ID', 'provider_c_account_id'),
  bucketInC: storageSetting('PROVIDER_C', 'bucket', 'provider_c_bucket_name'),
  fileInC: storageSetting('PROVIDER_C', 'file', 'file_path'),
};

/** The cloud of a new table; it cannot be changed later. */
export const storageChoice = tableSetting('storage', 'source', (now, _, context) =>
  choiceField(
    'Storage',
    now ?? clouds[0],
    clouds.map((cloud) => {
      const label = tableSourceText(cloud, context);
      return { value: cloud, label, word: label };
    }),
    'Requires an integration with that cloud',
  ),
);

/**
 * Whether the service keeps reading the file. Answers leave the member out when it is false
 * (docs/contract/reference-tables.md#table).
 */
export const isSynced = (row: ReferenceTable): boolean => row.attributes.file_metadata?.sync_enabled === true;

/** The setting for reading the file regularly; on for a new table. */
export const sync = tableSetting(
  'synchronization',
  'file_metadata.sync_enabled',
  (now, row) =>
    toggleField('Sync with the file', now ?? row === undefined, 'Imports the file again about every 5 minutes'),
  { untold: false, ...inCloud },
);

/** The access details of a table as they were read, unknown members included; empty where there are none. */
export function cloudAccess({ attributes: { source: cloud, file_metadata: file } }: ReferenceTable): JsonObject {
  const member = Object.entries(details).find(([name]) => name === cloud)?.[1];
  const access = member && file?.access_details?.[member];
  return isObject(access) ? access : {};
}

/** The access details for a request: always complete, so that it does not matter whether the service merges or replaces them. */
export function accessDetails(row: ReferenceTable): JsonObject | undefined {
  const cloud = findCloud(row);
  return cloud && { [details[cloud]]: cloudAccess(row) };
}

/** The label of a member of the access details; undefined for an unknown member. */
export const cloudLabel = (name: string): string | undefined =>
  Object.values(storage).find(({ path }) => path?.endsWith(`.${name}`))?.label;
