import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { problemResult } from '../../src/api/problem.ts';
import {
  createProviderA,
  deleteProviderA,
  filterProviderA,
  listProviderA,
  postureNeedsResources,
  providerAAccount,
  updateProviderA,
} from '../../src/api/provider-a.ts';
import { listField, shownWhen, textField } from '../../src/describe/field.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { flatList, pairId, parsePair, refusedIfThere } from './account-pair.ts';
import { faultNotes, faultSaid, findings } from './faults.ts';
import { commonSwitches, filterText, scanningField, switchFields } from './fields.ts';
import { removing } from './remove-account.ts';
import { resourceProvidersField } from './resource-providers.ts';

const identityOf = (id: string) => {
  const [tenant_name, client_id] = parsePair(id);
  return { tenant_name, client_id };
};

/** Where the identifiers of the contract stand in a row. */
export const accountSchemaA = v.looseObject({ attributes: providerAAccount });

/** Accounts of provider_a. One has no id: the pair of tenant and client names it, and an edit may change both. */
export const accountKindA = kind({
  noun: 'provider_a account',
  short: 'account',
  of: ['provider_a_account'],
  schema: accountSchemaA,
  list: () => flatList(call(listProviderA)),
  identity: ({ tenant_name, client_id }) => pairId(tenant_name, client_id),
  remove: (id) => call(deleteProviderA, { body: identityOf(id) }),
  name: ({ attributes }) => attributes.tenant_name || attributes.client_id,
  notes: ({ rows }) => faultNotes(rows),
});

export type AccountRowA = RowOf<typeof accountKindA>;
type Attributes = AccountRowA['attributes'];

const { nameOf } = accountKindA;

/** True, or why it cannot be named to the service. */
const named = ({ attributes }: AccountRowA): true | string =>
  (Boolean(attributes.tenant_name) && Boolean(attributes.client_id)) ||
  'the service sends no tenant and client of this account, so it cannot be addressed';

const setting = defineSettings(accountKindA);
const toggle = switchFields(accountKindA);
const { resources, posture, automute } = commonSwitches(accountKindA, 'cspm_enabled', true);
const scanning = scanningField('cspm_enabled');
/** A create leaves what is empty to the service. */
const mayBeEmpty = { untold: '', omit: 'new' } as const;
/** Whether a secret must be typed: for a new account, and for one that had secretless authentication until now. */
const needsSecret = (row: AccountRowA | undefined) => !row || row.attributes.secretless_auth_enabled === true;
const namespaces = 'Comma-separated resource provider namespaces';

/** What a person can set. */
export const settingsA = {
  tenant: setting('tenant', 'tenant_name', (now) => textField('Tenant', now, { required: true })),
  client: setting('client ID', 'client_id', (now) => textField('Client ID', now, { required: true })),
  secretless: {
    ...toggle('secretless auth', 'secretless_auth_enabled', false, 'Uses federated credentials instead of a secret'),
    omit: 'new' as const,
  },
  secret: setting(
    'client secret',
    'client_secret',
    (_, row) =>
      shownWhen(
        (texts) => texts.secretless !== 'yes',
        textField('Client secret', '', {
          secret: true,
          required: needsSecret(row),
          hint: needsSecret(row) ? 'Sent once, never shown again' : 'Empty = unchanged',
        }),
      ),
    { writeOnly: true },
  ),
  hosts: setting('hosts', 'host_filters', (now) => filterText('Hosts', now), mayBeEmpty),
  plans: setting(
    'app service plans',
    'app_service_plan_filters',
    (now) => filterText('App service plans', now),
    mayBeEmpty,
  ),
  containers: setting(
    'container apps',
    'container_app_filters',
    (now) => filterText('Container apps', now),
    mayBeEmpty,
  ),
  metrics: toggle('metrics', 'metrics_enabled', true),
  metricsDefault: toggle(
    'metrics by default',
    'metrics_enabled_default',
    true,
    'For resource providers without their own setting',
  ),
  excluded: setting(
    'exclude metrics from',
    'metrics_config.excluded_resource_providers',
    (now) =>
      listField('Exclude metrics from', now, {
        hint: now ? `${namespaces}; empty = none` : `${namespaces}; empty keeps those that the service does not report`,
      }),
    { untold: [], omit: 'new', isSet: true, unknownUntold: true },
  ),
  providers: setting(
    'resource providers',
    'resource_provider_configs',
    (now) => resourceProvidersField('Resource providers', now),
    { untold: [], omit: 'new' },
  ),
  custom: toggle('custom metrics', 'custom_metrics_enabled', false),
  usage: toggle('usage metrics', 'usage_metrics_enabled', true),
  resources,
  posture,
  automute,
};

/** Attributes as they can be sent again: without those that are null. */
const set = (attributes: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null));

const taken = 'not sent: an account with this tenant and client already exists';

const edits = editing<AccountRowA, typeof settingsA, Attributes>({
  kind: accountKindA,
  settings: settingsA,
  uses: [updateProviderA, listProviderA],
  enabled: named,
  rereads: true,
  own: [...findings, 'new_tenant_name', 'new_client_id'],
  fixed: {
    new_tenant_name: 'sent where the tenant was changed',
    new_client_id: 'sent where the client id was changed',
    errors: 'reported by the service',
    warnings: 'reported by the service',
  },
  tidy: scanning.tidy,
  warns: scanning.warns,
  *asks(asked, _, before) {
    if (asked.attributes.cspm_enabled === true && asked.attributes.resource_collection_enabled === false)
      return problemResult('invalid', postureNeedsResources);
    if (asked.id === before.id) return undefined;
    const there = yield* refusedIfThere(accountKindA, asked, taken);
    return there === 'unseen' ? undefined : there;
  },
  // Called a replacement by the specification, so all that was read is sent (docs/contract/integrations.md#provider_a).
  replace(id, { tenant_name, client_id, ...rest }: Attributes) {
    const now = identityOf(id);
    return call(updateProviderA, {
      body: {
        ...set(rest),
        ...now,
        ...(tenant_name === now.tenant_name ? {} : { new_tenant_name: tenant_name }),
        ...(client_id === now.client_id ? {} : { new_client_id: client_id }),
      },
    });
  },
  says: faultSaid,
});

export const { comparable: comparableA } = edits;

/** `e`: identity, secret, filters and switches, as one replacement. */
export const editActionA = edits.edit({
  id: 'integrations.edit-a',
  help: 'Edit identity, secret, filters and collection; shows the differences before saving',
});

/** `n`: one more tenant, which must not be there yet. */
export const newActionA = edits.make({
  id: 'integrations.create-a',
  help: 'Add a tenant; its client secret is sent once and never shown again',
  uses: [createProviderA, listProviderA],
  verb: 'Added',
  asks: (asked) => refusedIfThere(accountKindA, asked, `${taken}; edit it (e)`),
  create: ({ tenant_name, client_id, ...attributes }: Attributes) =>
    call(createProviderA, {
      body: { ...attributes, tenant_name: tenant_name ?? '', client_id: client_id ?? '' },
    }),
  says: (row) => `; the service will check the credentials${faultSaid(row)}`,
});

const hostEdits = editing({
  kind: accountKindA,
  settings: { hosts: settingsA.hosts },
  uses: [filterProviderA, listProviderA],
  enabled: named,
  rereads: true,
  patch: (id, changes: Pick<Attributes, 'host_filters'>) =>
    call(filterProviderA, { body: { ...identityOf(id), ...changes } }),
});

/** The hosts alone, by an operation of their own; done rarely, so it has no key. */
const { key: _, ...filterHosts } = hostEdits.edit({
  id: 'integrations.filter-a',
  title: 'filter hosts',
  preposition: 'of',
  help: 'Filter the monitored hosts by tag',
  main: false,
  reviews: false,
  done(_, __, { asked, now = asked }) {
    const filters = now.attributes.host_filters;
    return receipt`Monitoring ${filters ? `hosts with ${filters}` : 'all hosts'} of ${namePart(nameOf(now))}${faultSaid(now)}`;
  },
});
export const hostsAction = filterHosts;

/** `d`: gone with its secret, so the name is typed. */
export const removeActionA = removing({
  id: 'integrations.delete-a',
  kind: accountKindA,
  help: 'Remove the account. You need the secret to re-add it',
  enabled: named,
  details: (row) => [`Client ID ${row?.attributes.client_id ?? ''}`, 'You need the client secret to re-add it'],
});
