import { type AttributesOf, call, type ResponseOf } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import {
  createProviderB,
  deleteProviderB,
  listProviderB,
  providerBServiceAccount,
  updateProviderB,
} from '../../src/api/provider-b.ts';
import { listField, textField } from '../../src/describe/field.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { labelText } from '../../src/describe/vocabulary-words.ts';
import { plural } from '../../src/lib/text.ts';
import { commandCenterOf, commonSwitches, filterField, scanningField, switchFields, withoutSecrets } from './fields.ts';
import { functionsField, mirrored, withFunctions } from './monitored-functions.ts';
import { removing } from './remove-account.ts';

type Listed = ResponseOf<typeof listProviderB>;

/** Every account; 404 means that nothing is installed (docs/contract/integrations.md#provider_b). */
function* listed(): Plan<Result<Listed>> {
  const answer = yield* ask(call(listProviderB));
  if (answer.ok || answer.problem.status !== 404) return answer;
  return { ok: true, value: { data: [] }, status: 404, unread: [] };
}

/** Federated service accounts of provider_b. Only the list tells which projects one reaches. */
export const accountKindB = kind({
  noun: 'provider_b account',
  short: 'account',
  of: ['provider_b_service_account'],
  schema: providerBServiceAccount,
  list: listed,
  remove: (id) => call(deleteProviderB, { account_id: id }),
  extra: ({ attributes, meta }) => ({
    attributes: withoutSecrets(attributes ?? {}),
    projects: meta?.accessible_projects ?? undefined,
  }),
  name: (row) => row.attributes.client_email,
  notes: ({ rows, context }) => (rows.length > 0 ? [] : [labelText('no provider_b integration yet', context)]),
});

export type AccountRowB = RowOf<typeof accountKindB>;
type Attributes = AccountRowB['attributes'];

const setting = defineSettings(accountKindB);
const toggle = switchFields(accountKindB);
const { resources, posture, automute } = commonSwitches(accountKindB, 'is_cspm_enabled', true);
const scanning = scanningField('is_cspm_enabled');
/** Lists of an account are sets: a service may tell them in another order. */
const isSet: { readonly untold: string[]; readonly isSet: true } = { untold: [], isSet: true };

/** Newer members of the contract are settings only where the account has them. */
const ifPresent = (name: keyof Attributes) => ({
  has: (row: AccountRowB | undefined) => row?.attributes[name] != null,
});

/** What a person can set. */
export const settingsB = {
  email: setting(
    'service account',
    'client_email',
    () =>
      textField('Service account', '', {
        required: true,
        placeholder: 'reader@project.example.test',
        hint: 'Its email; it must trust the delegate first',
      }),
    { has: 'new' },
  ),
  tags: setting(
    'tags',
    'account_tags',
    (now) => listField('Tags', now, { hint: 'Comma-separated; added to all its data' }),
    isSet,
  ),
  hosts: setting('hosts', 'host_filters', (now) => filterField('Hosts', now), isSet),
  revisions: setting('revisions', 'cloud_run_revision_filters', (now) => filterField('Revisions', now), isSet),
  functions: setting('monitored resources', 'monitored_resource_configs', functionsField, {
    isSet: true,
    ...ifPresent('monitored_resource_configs'),
    put: withFunctions,
  }),
  regions: setting(
    'regions',
    'region_filter_configs',
    (now) => listField('Regions', now, { hint: 'Comma-separated; empty = all regions' }),
    { ...isSet, ...ifPresent('region_filter_configs') },
  ),
  resources,
  posture,
  center: commandCenterOf(accountKindB),
  changes: {
    ...toggle('resource changes', 'is_resource_change_collection_enabled', false),
    ...ifPresent('is_resource_change_collection_enabled'),
  },
  global: {
    ...toggle('global location', 'is_global_location_enabled', true),
    ...ifPresent('is_global_location_enabled'),
  },
  quota: {
    ...toggle('quota per project', 'is_per_project_quota_enabled', false),
    ...ifPresent('is_per_project_quota_enabled'),
  },
  automute,
};

const edits = editing<AccountRowB, typeof settingsB, Attributes>({
  kind: accountKindB,
  settings: settingsB,
  uses: [updateProviderB, listProviderB],
  fixed: {
    client_email: 'the identity of the account',
    metric_namespace_configs: 'left as they are: only changes are sent',
  },
  tidy: (attributes, values, before) => scanning.tidy(mirrored(attributes, values), values, before),
  warns: scanning.warns,
  patch: (id, attributes: AttributesOf<typeof updateProviderB>) =>
    call(updateProviderB, {
      account_id: id,
      body: { data: { id, type: 'provider_b_service_account', attributes } },
    }),
});

export const { comparable: comparableB } = edits;

/** `e`: tags, filters and switches, those that were changed. */
export const editActionB = edits.edit({
  id: 'integrations.edit-b',
  help: 'Edit tags, filters and collection; shows the differences before saving',
});

/** The request that adds an account. */
export const createCall = (attributes: AttributesOf<typeof createProviderB>) =>
  call(createProviderB, { body: { data: { type: 'provider_b_service_account', attributes } } });

/** `n`: one more service account. */
export const newActionB = edits.make({
  id: 'integrations.create-b',
  help: 'Add a service account that trusts the delegate',
  uses: [createProviderB],
  verb: 'Added',
  create: createCall,
});

/** `d`: removes an account; undo adds it again with the same settings. */
export const removeActionB = removing({
  id: 'integrations.delete-b',
  kind: accountKindB,
  help: 'Remove the account; undo re-adds it with the same settings and a new ID',
  uses: [createProviderB],
  details: (row) => [
    row?.projects?.length
      ? `Accesses ${plural(row.projects.length, 'project')}: ${row.projects.slice(0, 4).join(', ')}`
      : 'No accessible projects are known',
  ],
  undo({ attributes }) {
    const { client_email } = attributes;
    return client_email ? [createCall({ ...attributes, client_email })] : [];
  },
});
