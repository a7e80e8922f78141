import * as v from 'valibot';
import { operationsOf } from './endpoint.ts';
import { fields, flag, nothing, text } from './envelope.ts';
import type { Problem } from './problem.ts';
import { name } from './request-schemas.ts';

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

const base = '/api/v1/integration/provider_a';

const operations = operationsOf({
  of: 'provider_a_account',
  reading: ['provider_a_configuration_read'],
  editing: ['provider_a_configurations_manage'],
  origin: 'spec',
  source: 'docs/contract/integrations.md#provider_a',
});

/** Answers 400 with "not yet installed" when nothing is configured: that is an empty list, no error. */
export const listProviderA = operations.endpoint({
  id: 'integrations.list-a',
  title: 'List accounts of provider_a',
  verb: 'list',
  path: base,
  response: v.array(providerAAccount),
});

/** `client_secret` is needed unless `secretless_auth_enabled` is true. An existing pair is laid over, not refused. */
export const createProviderA = operations.endpoint({
  id: 'integrations.create-a',
  title: 'Add an account of provider_a',
  verb: 'create',
  path: base,
  body: identified,
  response: nothing,
  secrets: ['client_secret'],
});

/** Called a replacement by the specification; fields left out were seen to keep their value. */
export const updateProviderA = operations.endpoint({
  id: 'integrations.update-a',
  title: 'Edit an account of provider_a',
  verb: 'update',
  method: 'PUT',
  path: base,
  permission: ['provider_a_configuration_edit'],
  repeat: 'replace',
  body: identified,
  response: nothing,
  secrets: ['client_secret'],
});

/** A DELETE with a body. An account that is already gone is 200 as well. */
export const deleteProviderA = operations.endpoint({
  id: 'integrations.delete-a',
  title: 'Remove an account of provider_a',
  verb: 'delete',
  path: base,
  origin: 'addition',
  body: identified,
  response: nothing,
  secrets: ['client_secret'],
});

/** Comma-separated `key:value`. An empty body is an allowed shape, and is then refused with 400. */
export const filterProviderA = operations.endpoint({
  id: 'integrations.filter-a',
  title: 'Filter the hosts that an account of provider_a monitors',
  verb: 'act',
  method: 'POST',
  path: `${base}/host_filters`,
  permission: ['provider_a_configuration_edit'],
  repeat: 'replace',
  body: providerAAccount,
  response: nothing,
  secrets: ['client_secret'],
});

/** Every operation on provider_a. */
export const providerAEndpoints = operations.all;
