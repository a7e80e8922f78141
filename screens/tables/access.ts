import { choiceField, type Fields, shownWhen, textField, toggleField } from '../../src/describe/field.ts';
import type { Speaking } from '../../src/describe/naming.ts';
import { field } from '../../src/lib/loose.ts';
import { type Source, sourceOf, type TableRow } from './row.ts';

/** A source whose file lies in cloud storage. */
export type Cloud = Exclude<Source, 'LOCAL_FILE'>;

interface Place {
  /** The one object of `access_details` that belongs to it. */
  readonly detail: string;
  /** Its fields and what a form calls them; all are needed on create (contract/reference-tables.md 3). */
  readonly fields: readonly (readonly [name: string, label: string])[];
}

const file = ['file_path', 'file'] as const;

/** What each kind of cloud storage must be told. */
export const clouds: Readonly<Record<Cloud, Place>> = {
  PROVIDER_A: {
    detail: 'provider_a_detail',
    fields: [
      ['provider_a_tenant_id', 'tenant id'],
      ['provider_a_client_id', 'client id'],
      ['provider_a_storage_account_name', 'storage account'],
      ['provider_a_container_name', 'container'],
      file,
    ],
  },
  PROVIDER_B: {
    detail: 'provider_b_detail',
    fields: [
      ['provider_b_project_id', 'project id'],
      ['provider_b_service_account_email', 'service account'],
      ['provider_b_bucket_name', 'bucket'],
      file,
    ],
  },
  PROVIDER_C: {
    detail: 'provider_c_detail',
    fields: [['provider_c_account_id', 'account id'], ['provider_c_bucket_name', 'bucket'], file],
  },
};

const all = Object.keys(clouds) as Cloud[];

/** The cloud that a table is read from; undefined for other sources. */
export const cloudOf = (row: TableRow): Cloud | undefined => all.find((it) => it === row.attributes.source);

/** What an answer tells of the storage, unknown fields included; empty when it tells nothing. */
export function accessOf(row: TableRow): Readonly<Record<string, unknown>> {
  const cloud = cloudOf(row);
  const told = cloud && field(row.attributes.file_metadata?.access_details, clouds[cloud].detail);
  return (told ?? {}) as Readonly<Record<string, unknown>>;
}

/** One thing that is told of the storage, as text. */
export const accessText = (row: TableRow, name: string): string => String(accessOf(row)[name] ?? '');

const fieldsOf = (
  cloud: Cloud,
  row: TableRow | undefined,
  shown: (texts: Readonly<Record<string, string>>) => boolean,
) =>
  clouds[cloud].fields.map(([name, label]) => {
    const hint = name === 'file_path' ? { placeholder: 'exports/limits.csv' } : {};
    return [
      `${cloud} ${name}`,
      shownWhen(shown, textField(label, row && accessText(row, name), { required: true, ...hint })),
    ] as const;
  });

/** The fields of the storage of a new table: those of the chosen one. */
export function newAccess(context: Speaking) {
  const rest = all.flatMap((cloud) => fieldsOf(cloud, undefined, (texts) => texts.source === cloud));
  return {
    source: choiceField(
      'storage',
      all[0],
      all.map((it) => {
        const label = sourceOf({ id: '', attributes: { source: it }, unread: [] }, context);
        return { value: it, label, word: label };
      }),
      'needs an integration of that provider',
    ),
    ...(Object.fromEntries(rest) as Readonly<Record<string, ReturnType<typeof textField>>>),
    sync: syncField(true),
  } satisfies Fields;
}

/** The same of a table that is there. Its source is fixed. */
export function ownAccess(row: TableRow): Readonly<Record<string, ReturnType<typeof textField>>> {
  const cloud = cloudOf(row);
  return cloud === undefined ? {} : Object.fromEntries(fieldsOf(cloud, row, () => true));
}

export const syncField = (initial: boolean) =>
  toggleField('keep in step', initial, 'the file is read again every 5 minutes or so');

/** What the values of such a form say of one storage, by the names of the contract. */
export function accessIn(cloud: Cloud, values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    clouds[cloud].fields.flatMap(([name]) => {
      const value = values[`${cloud} ${name}`];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
