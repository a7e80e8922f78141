import type { World } from '../server/handler.ts';
import { hash } from '../server/random.ts';
import { putAccountA, putAccountB, putAccountBV1 } from './put.ts';

/** A deterministic UUID (version 4 format) from these words, independent of the random generator. */
const named = (...words: readonly (string | number)[]): string => {
  const hex = [0, 1, 2, 3]
    .map((at) =>
      hash(...words, at)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** A few accounts of each form: healthy ones, one with errors, one with warnings, old and federated ones. */
export function seedAccounts(world: World, now: number): void {
  const { seed } = world.org;
  const tenant = (name: string): string => named(seed, 'tenant', name);
  const a = (name: string, more: Record<string, unknown>): string =>
    putAccountA(world, { tenant_name: tenant(name), client_id: named(seed, 'client', name), ...more }, now);
  // Some deployments send the domain of a tenant, others its id.
  a('shop', {
    tenant_name: 'storefront.example.test',
    host_filters: 'env:prod,team:storefront',
    cspm_enabled: true,
    custom_metrics_enabled: true,
  });
  a('warehouse', {
    tenant_name: 'warehouse.example.test',
    automute: true,
    errors: ['The app registration may not read subscription 5e0d1c: give it the role Monitoring Reader'],
    resource_provider_configs: [{ namespace: 'example.compute', metrics_enabled: false }],
  });
  a('labs', { secretless_auth_enabled: true, warnings: ['No resource was seen for 14 days'], metrics_enabled: false });

  const project = (name: string): string => `${name}-prod-${hash(seed, name) % 10_000}`;
  const old = (name: string, more: Record<string, unknown>): string =>
    putAccountBV1(
      world,
      { project_id: project(name), client_email: `monitoring@${project(name)}.accounts.example.test`, ...more },
      now,
    );
  old('billing', { host_filters: 'env:prod', automute: true });
  old('archive', { errors: ['The key was revoked on the provider’s side'] });

  const federated = (name: string, projects: number, more: Record<string, unknown>): string =>
    putAccountB(
      world,
      { id: named(seed, 'federated', name), client_email: `orgdeck@${project(name)}.accounts.example.test`, ...more },
      { meta: { accessible_projects: Array.from({ length: projects }, (_, at) => `${project(name)}-${at + 1}`) } },
      now,
    );
  federated('search', 3, { host_filters: ['env:prod', 'tier:1'], account_tags: ['team:search'] });
  federated('payments', 12, {
    is_cspm_enabled: true,
    is_security_command_center_enabled: true,
    monitored_resource_configs: [
      { type: 'vm_instance', filters: ['env:prod'] },
      { type: 'cloud_run_revision', filters: ['service:pay-*'] },
    ],
    region_filter_configs: ['region-west1', 'region-west4'],
  });
  federated('sandbox', 0, { resource_collection_enabled: false, automute: true });
  federated('data', 1, { metric_namespace_configs: [{ id: 'pubsub', disabled: false, filters: ['!*.internal'] }] });
  world.org.accounts.delegate = `delegate-${hash(seed, 'delegate').toString(36)}@delegates.example.test`;
}
