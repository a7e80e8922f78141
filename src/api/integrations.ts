import * as v from 'valibot';
import { operationsOf } from './endpoint.ts';
import {
  createBody,
  fields,
  flag,
  many,
  name,
  nothing,
  one,
  placed,
  resource,
  resourceOperations,
  searchTerms,
  text,
} from './envelope.ts';
import type { Problem } from './problem.ts';

/**
 * One configured account of provider_a; it has no id, the pair (`tenant_name`, `client_id`) names it.
 * `client_secret`, `new_client_id` and `new_tenant_name` are sent and never returned; `metrics_config` is returned by some
 * deployments only (docs/contract/integrations.md#provider_a).
 */
export const providerAAccount = fields({
  tenant_name: text,
  client_id: text,
  client_secret: text,
  new_tenant_name: text,
  new_client_id: text,
  host_filters: text,
  app_service_plan_filters: text,
  container_app_filters: text,
  automute: flag,
  cspm_enabled: flag,
  custom_metrics_enabled: flag,
  metrics_enabled: flag,
  metrics_enabled_default: flag,
  usage_metrics_enabled: flag,
  resource_collection_enabled: flag,
  secretless_auth_enabled: flag,
  metrics_config: fields({ excluded_resource_providers: v.array(text) }),
  resource_provider_configs: v.array(fields({ namespace: text, metrics_enabled: flag })),
  errors: v.array(text),
  warnings: v.array(text),
});

/** What every write needs to find the account; the rest is optional and, left out, keeps its value. */
const identified = v.looseObject({ ...providerAAccount.entries, tenant_name: name, client_id: name });

/**
 * Whether a refused list only says that nothing is configured yet: an empty list, and no error. Any other 400 is one
 * (docs/contract/integrations.md#provider_a; the deprecated list of provider_b may say the same).
 */
export function notInstalled(problem: Problem): boolean {
  return problem.status === 400 && problem.messages.some((words) => /not yet installed/i.test(words));
}

/** The rule of both providers: scanning the security posture needs the collected resources (docs/contract/integrations.md#provider_a). */
export const postureNeedsResources = 'security posture scanning requires resource collection: enable it too';

const pathA = '/api/v1/integration/provider_a';

const accountsA = operationsOf({
  of: 'provider_a_account',
  reading: ['provider_a_configuration_read'],
  editing: ['provider_a_configurations_manage'],
  origin: 'spec',
  source: 'docs/contract/integrations.md#provider_a',
  secrets: ['client_secret'],
});

/** Answers 400 with "not yet installed" when nothing is configured: that is an empty list, no error. */
export const listProviderA = accountsA.endpoint({
  id: 'integrations.list-a',
  title: 'List accounts of provider_a',
  verb: 'list',
  path: pathA,
  response: v.array(providerAAccount),
});

/** `client_secret` is needed unless `secretless_auth_enabled` is true. An existing pair is laid over, not refused. */
export const createProviderA = accountsA.endpoint({
  id: 'integrations.create-a',
  title: 'Add an account of provider_a',
  verb: 'create',
  path: pathA,
  body: identified,
  response: nothing,
});

/** Called a replacement by the specification; fields left out were seen to keep their value. */
export const updateProviderA = accountsA.endpoint({
  id: 'integrations.update-a',
  title: 'Edit an account of provider_a',
  verb: 'update',
  method: 'PUT',
  path: pathA,
  permission: ['provider_a_configuration_edit'],
  repeat: 'replace',
  body: identified,
  response: nothing,
});

/** A DELETE with a body. An account that is already gone is 200 as well. */
export const deleteProviderA = accountsA.endpoint({
  id: 'integrations.delete-a',
  title: 'Remove an account of provider_a',
  verb: 'delete',
  path: pathA,
  origin: 'addition',
  body: identified,
  response: nothing,
});

/** Comma-separated `key:value`. An empty body is an allowed shape, and is then refused with 400. */
export const filterProviderA = accountsA.endpoint({
  id: 'integrations.filter-a',
  title: 'Filter the hosts that an account of provider_a monitors',
  verb: 'act',
  method: 'POST',
  path: `${pathA}/host_filters`,
  permission: ['provider_a_configuration_edit'],
  repeat: 'replace',
  body: providerAAccount,
  response: nothing,
});

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

const pathBV1 = '/api/v1/integration/provider_b';
const pathB = '/api/v2/integration/provider_b';
const identifiedV1 = v.looseObject({ ...providerBAccount.entries, project_id: name, client_email: name });

const accountsBV1 = operationsOf({
  of: 'provider_b_account',
  reading: ['provider_b_configuration_read'],
  editing: ['provider_b_configurations_manage'],
  origin: 'spec',
  deprecated: 'the v2 operations of provider_b replace it',
  source: 'docs/contract/integrations.md#provider_b-v1',
  secrets: ['private_key', 'private_key_id'],
});

/** Holds the federated accounts too, with an empty `project_id`. */
export const listProviderBV1 = accountsBV1.endpoint({
  id: 'integrations.list-b-v1',
  title: 'List accounts of provider_b, deprecated form',
  verb: 'list',
  path: pathBV1,
  response: v.array(providerBAccount),
});

export const createProviderBV1 = accountsBV1.endpoint({
  id: 'integrations.create-b-v1',
  title: 'Add an account of provider_b from a key file, deprecated form',
  verb: 'create',
  path: pathBV1,
  origin: 'addition',
  body: v.looseObject({ ...identifiedV1.entries, type: name }),
  response: nothing,
});

/** Fields left out keep their value; the private key cannot be changed this way. */
export const updateProviderBV1 = accountsBV1.endpoint({
  id: 'integrations.update-b-v1',
  title: 'Edit an account of provider_b, deprecated form',
  verb: 'update',
  method: 'PUT',
  path: pathBV1,
  permission: ['provider_b_configuration_edit'],
  origin: 'addition',
  repeat: 'replace',
  body: identifiedV1,
  response: nothing,
});

/** A DELETE with a body; an unknown account is 200 as well. */
export const deleteProviderBV1 = accountsBV1.endpoint({
  id: 'integrations.delete-b-v1',
  title: 'Remove an account of provider_b, deprecated form',
  verb: 'delete',
  path: pathBV1,
  body: identifiedV1,
  response: nothing,
});

const accountsB = resourceOperations({
  path: `${pathB}/accounts`,
  item: 'account_id',
  responses: { list: many(providerBServiceAccount), single: one(providerBServiceAccount) },
  of: 'provider_b_service_account',
  reading: ['provider_b_configuration_read'],
  editing: ['provider_b_configurations_manage'],
  origin: 'spec',
  source: 'docs/contract/integrations.md#provider_b',
});

/** 404 means that nothing is installed: an empty list. */
export const listProviderB = accountsB.list({
  id: 'integrations.list-b',
  title: 'List federated service accounts of provider_b',
});

/** Answers 201. `resource_collection_enabled` starts true or false by the deployment's age: read it back. */
export const createProviderB = accountsB.create({
  id: 'integrations.create-b',
  title: 'Add a federated service account of provider_b',
  touches: ['provider_b_account'],
  body: createBody('provider_b_service_account', { ...fields(settings).entries, client_email: name }),
});

/** Changes what is present; lists are replaced whole. `data.id` may be left out (docs/contract/integrations.md#provider_b). */
export const updateProviderB = accountsB.update({
  id: 'integrations.update-b',
  title: 'Edit a federated service account of provider_b',
  touches: ['provider_b_account'],
  method: 'PATCH',
  permission: ['provider_b_configuration_edit'],
  repeat: 'replace',
  body: createBody('provider_b_service_account', fields(settings).entries),
});

export const deleteProviderB = accountsB.delete({
  id: 'integrations.delete-b',
  title: 'Remove a federated service account of provider_b',
  touches: ['provider_b_account'],
  origin: 'addition',
});

const delegatesB = operationsOf({
  of: 'provider_b_sts_delegate',
  reading: ['provider_b_configuration_read'],
  editing: ['provider_b_configuration_edit'],
  origin: 'addition',
  source: 'docs/contract/integrations.md#provider_b',
});

/** `data` may be null or missing before the delegate was made. */
export const getDelegate = delegatesB.endpoint({
  id: 'integrations.delegate-b',
  title: 'Show the delegate that provider_b must trust',
  verb: 'get',
  path: `${pathB}/sts_delegate`,
  response: one(providerBDelegate),
});

/** Gives the same delegate every time, so doubt is settled by reading it. */
export const makeDelegate = delegatesB.endpoint({
  id: 'integrations.make-delegate-b',
  title: 'Create the delegate that provider_b must trust',
  verb: 'create',
  path: `${pathB}/sts_delegate`,
  repeat: 'settable',
  readBack: 'integrations.delegate-b',
  isApplied: (_, read) => (read as { data?: { id?: unknown } | null } | null)?.data?.id != null,
  isUnchanged: (_, read) => (read as { data?: unknown } | null)?.data === null,
  body: v.optional(v.looseObject({})),
  response: one(providerBDelegate),
});

/** Every operation on cloud integrations. */
export const integrationEndpoints = [
  ...accountsA.all,
  ...accountsBV1.all,
  ...accountsB.all,
  ...delegatesB.all,
] as const;
