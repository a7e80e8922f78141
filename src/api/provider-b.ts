import * as v from 'valibot';
import { operationsOf } from './endpoint.ts';
import { fields, flag, many, nothing, one, placed, resource, searchTerms, text } from './envelope.ts';
import { createBody, name } from './request-schemas.ts';

const monitoredResource = fields({
  type: placed(
    'integrations.monitored_resource_configs.type',
    searchTerms('vm_instance', 'cloud_run_revision', 'cloud_function'),
  ),
  filters: v.array(text),
});

/** One account of the deprecated form, named by (`project_id`, `client_email`) (docs/contract/integrations.md#provider_b-v1). */
export const providerBAccount = fields({
  type: text,
  project_id: text,
  client_email: text,
  client_id: text,
  private_key: text,
  private_key_id: text,
  auth_uri: text,
  token_uri: text,
  auth_provider_x509_cert_url: text,
  client_x509_cert_url: text,
  host_filters: text,
  cloud_run_revision_filters: v.array(text),
  automute: flag,
  is_cspm_enabled: flag,
  is_security_command_center_enabled: flag,
  is_resource_change_collection_enabled: flag,
  resource_collection_enabled: flag,
  errors: v.array(text),
  id: text,
  monitored_resource_configs: v.array(monitoredResource),
});

const settings = {
  client_email: text,
  account_tags: v.array(text),
  host_filters: v.array(text),
  cloud_run_revision_filters: v.array(text),
  automute: flag,
  is_cspm_enabled: flag,
  is_security_command_center_enabled: flag,
  resource_collection_enabled: flag,
  is_resource_change_collection_enabled: flag,
  is_global_location_enabled: flag,
  is_per_project_quota_enabled: flag,
  metric_namespace_configs: v.array(fields({ id: text, disabled: flag, filters: v.array(text) })),
  monitored_resource_configs: v.array(monitoredResource),
  region_filter_configs: v.array(text),
};

/** A federated service account; `meta.accessible_projects` comes only in the list (docs/contract/integrations.md#provider_b). */
export const providerBServiceAccount = v.pipe(
  v.looseObject({
    ...resource('provider_b_service_account', settings).entries,
    meta: v.nullish(fields({ accessible_projects: v.array(text) })),
  }),
  v.metadata({ kind: 'provider_b_service_account' }),
);

/** The principal that impersonates the service account on the provider's side (docs/contract/integrations.md#provider_b). */
const providerBDelegate = resource('provider_b_sts_delegate', { delegate_account_email: text });

const v1 = '/api/v1/integration/provider_b';
const v2 = '/api/v2/integration/provider_b';
const deprecated = 'the v2 operations of provider_b replace it';
const keyMaterial = ['private_key', 'private_key_id'];
const identifiedV1 = v.looseObject({ ...providerBAccount.entries, project_id: name, client_email: name });

const deprecatedAccounts = operationsOf({
  of: 'provider_b_account',
  reading: ['provider_b_configuration_read'],
  editing: ['provider_b_configurations_manage'],
  origin: 'spec',
  deprecated,
  source: 'docs/contract/integrations.md#provider_b-v1',
});

/** Holds the federated accounts too, with an empty `project_id`. */
export const listProviderBV1 = deprecatedAccounts.endpoint({
  id: 'integrations.list-b-v1',
  title: 'List accounts of provider_b, deprecated form',
  verb: 'list',
  path: v1,
  response: v.array(providerBAccount),
});

export const createProviderBV1 = deprecatedAccounts.endpoint({
  id: 'integrations.create-b-v1',
  title: 'Add an account of provider_b from a key file, deprecated form',
  verb: 'create',
  path: v1,
  origin: 'addition',
  body: v.looseObject({ ...identifiedV1.entries, type: name }),
  response: nothing,
  secrets: keyMaterial,
});

/** Fields left out keep their value; the private key cannot be changed this way. */
export const updateProviderBV1 = deprecatedAccounts.endpoint({
  id: 'integrations.update-b-v1',
  title: 'Edit an account of provider_b, deprecated form',
  verb: 'update',
  method: 'PUT',
  path: v1,
  permission: ['provider_b_configuration_edit'],
  origin: 'addition',
  repeat: 'replace',
  body: identifiedV1,
  response: nothing,
  secrets: keyMaterial,
});

/** A DELETE with a body; an unknown account is 200 as well. */
export const deleteProviderBV1 = deprecatedAccounts.endpoint({
  id: 'integrations.delete-b-v1',
  title: 'Remove an account of provider_b, deprecated form',
  verb: 'delete',
  path: v1,
  body: identifiedV1,
  response: nothing,
  secrets: keyMaterial,
});

const federatedAccounts = operationsOf({
  of: 'provider_b_service_account',
  reading: ['provider_b_configuration_read'],
  editing: ['provider_b_configurations_manage'],
  origin: 'spec',
  source: 'docs/contract/integrations.md#provider_b',
});

/** 404 means that nothing is installed: an empty list. */
export const listProviderB = federatedAccounts.endpoint({
  id: 'integrations.list-b',
  title: 'List federated service accounts of provider_b',
  verb: 'list',
  path: `${v2}/accounts`,
  response: many(providerBServiceAccount),
});

/** Answers 201. `resource_collection_enabled` starts true or false by the deployment's age: read it back. */
export const createProviderB = federatedAccounts.endpoint({
  id: 'integrations.create-b',
  title: 'Add a federated service account of provider_b',
  verb: 'create',
  touches: ['provider_b_account'],
  path: `${v2}/accounts`,
  body: createBody('provider_b_service_account', { ...fields(settings).entries, client_email: name }),
  response: one(providerBServiceAccount),
});

/** Changes what is present; lists are replaced whole. `data.id` is optional here (docs/contract/integrations.md#provider_b). */
export const updateProviderB = federatedAccounts.endpoint({
  id: 'integrations.update-b',
  title: 'Edit a federated service account of provider_b',
  verb: 'update',
  touches: ['provider_b_account'],
  method: 'PATCH',
  path: `${v2}/accounts/{account_id}`,
  permission: ['provider_b_configuration_edit'],
  repeat: 'replace',
  body: v.looseObject({
    data: v.looseObject({
      id: v.optional(text),
      type: v.literal('provider_b_service_account'),
      attributes: fields(settings),
    }),
  }),
  response: one(providerBServiceAccount),
});

export const deleteProviderB = federatedAccounts.endpoint({
  id: 'integrations.delete-b',
  title: 'Remove a federated service account of provider_b',
  verb: 'delete',
  touches: ['provider_b_account'],
  path: `${v2}/accounts/{account_id}`,
  origin: 'addition',
  response: nothing,
});

const delegates = operationsOf({
  of: 'provider_b_sts_delegate',
  reading: ['provider_b_configuration_read'],
  editing: ['provider_b_configuration_edit'],
  origin: 'addition',
  source: 'docs/contract/integrations.md#provider_b',
});

/** `data` may be null or missing before the delegate was made. */
export const getDelegate = delegates.endpoint({
  id: 'integrations.delegate-b',
  title: 'Show the delegate that provider_b must trust',
  verb: 'get',
  path: `${v2}/sts_delegate`,
  response: one(providerBDelegate),
});

/** Gives the same delegate every time, so doubt is settled by reading it. */
export const makeDelegate = delegates.endpoint({
  id: 'integrations.make-delegate-b',
  title: 'Create the delegate that provider_b must trust',
  verb: 'create',
  path: `${v2}/sts_delegate`,
  repeat: 'settable',
  readBack: 'integrations.delegate-b',
  isApplied: (_, read) => (read as { data?: { id?: unknown } | null } | null)?.data?.id != null,
  isUnchanged: (_, read) => (read as { data?: unknown } | null)?.data === null,
  body: v.optional(v.looseObject({})),
  response: one(providerBDelegate),
});

/** Every operation on provider_b, both forms. */
export const providerBEndpoints = [...deprecatedAccounts.all, ...federatedAccounts.all, ...delegates.all];
