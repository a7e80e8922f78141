import type * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listProviderA, notInstalled, type providerAAccount } from '../../src/api/provider-a.ts';
import type { Rows } from '../../src/describe/screen.ts';
import { notesOn, withoutSecrets } from './common.ts';
import { once, pairId } from './pairs.ts';

export type Account = v.InferOutput<typeof providerAAccount>;

/** An account of provider_a. It has no id: the pair of tenant and client names it. */
export interface AccountA {
  readonly id: string;
  readonly attributes: Account;
  /** Places of the answer that could not be read and are missing from `attributes`. */
  readonly unread: readonly string[];
}

/** What its fields are called. */
export const titles: Readonly<Record<string, string>> = {
  tenant_name: 'tenant',
  client_id: 'client id',
  secretless_auth_enabled: 'without a secret',
  host_filters: 'hosts',
  app_service_plan_filters: 'app service plans',
  container_app_filters: 'container apps',
  metrics_enabled: 'metrics',
  metrics_enabled_default: 'metrics by default',
  custom_metrics_enabled: 'custom metrics',
  usage_metrics_enabled: 'usage metrics',
  resource_collection_enabled: 'resource collection',
  cspm_enabled: 'security posture',
  automute: 'mutes shutdowns',
  resource_provider_configs: 'per provider',
  metrics_config: 'no metrics of',
};

/** Resource providers without metrics; undefined where the deployment does not tell them (contract/integrations.md 1). */
export const excludedOf = ({ metrics_config }: Account): readonly string[] | undefined =>
  metrics_config?.excluded_resource_providers ?? undefined;

/** Its tenant, else its client. */
export const nameOf = (row: AccountA): string =>
  row.attributes.tenant_name || row.attributes.client_id || 'account without a name';

/** True, or why it cannot be named to the service. */
export const named = ({ attributes }: AccountA): true | string =>
  (Boolean(attributes.tenant_name) && Boolean(attributes.client_id)) ||
  'the service does not tell the tenant and client of this account: it cannot be named';

function rowOf(it: Account, at: number, unread: readonly string[]): AccountA {
  const { tenant_name, client_id } = it;
  return {
    id: tenant_name || client_id ? pairId(tenant_name, client_id) : `number ${at + 1}`,
    attributes: withoutSecrets(it),
    unread: unread.filter((place) => place.startsWith(`[${at}].`) && !/^\[\d+\]\.(errors|warnings)\b/.test(place)),
  };
}

/** Every account; a refusal that only says "not yet installed" is an empty list (contract/integrations.md 1). */
export function* accounts(): Plan<Result<Rows<AccountA>>> {
  const answer = yield* ask(call(listProviderA));
  if (!answer.ok)
    return notInstalled(answer.problem) ? { ok: true, value: { rows: [] }, status: 200, unread: [] } : answer;
  const rows = once((answer.value ?? []).map((it, at) => rowOf(it, at, answer.unread)));
  const notes = notesOn(
    rows.map((it) => it.attributes),
    answer.unread,
  );
  return { ...answer, value: { rows, notes, unread: answer.unread } };
}
