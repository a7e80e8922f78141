import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { refusal } from '../../src/api/problem.ts';
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
import { settingsOf } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { faultNotes, faultSaid, findings } from './faults.ts';
import { commonSwitches, filterText, scanningOf, switchesOf } from './fields.ts';
import { flatList, pairId, pairOf, refusedIfThere } from './pairs.ts';
import { removing } from './removing.ts';

const identityOf = (id: string) => {
  const [tenant_name, client_id] = pairOf(id);
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
  'the service does not tell the tenant and client of this account: it cannot be named';

const setting = settingsOf(accountKindA);
const toggle = switchesOf(accountKindA);
const { resources, posture, automute } = commonSwitches(accountKindA, 'cspm_enabled', true);
const scanning = scanningOf('cspm_enabled');
/** A create leaves what is empty to the service. */
const mayBeEmpty = { untold: '', omit: 'new' } as const;
/** Without a secret until now, or new, it needs one as soon as it is to have one. */
const needsSecret = (row: AccountRowA | undefined) => !row || row.attributes.secretless_auth_enabled === true;
const namespaces = 'resource provider namespaces, separated by commas';

/** What a person can set. */
export const settingsA = {
  tenant: setting('tenant', 'tenant_name', (now) => textField('tenant', now, { required: true })),
  client: setting('client id', 'client_id', (now) => textField('client id', now, { required: true })),
  secretless: {
    ...toggle('without a secret', 'secretless_auth_enabled', false, 'federated credentials take its place'),
    omit: 'new' as const,
  },
  secret: setting(
    'client secret',
    'client_secret',
    (_, row) =>
      shownWhen(
        (texts) => texts.secretless !== 'yes',
        textField('client secret', '', {
          secret: true,
          required: needsSecret(row),
          hint: needsSecret(row) ? 'sent once, never shown again' : 'empty keeps the one that is there',
        }),
      ),
    { writeOnly: true },
  ),
  hosts: setting('hosts', 'host_filters', (now) => filterText('hosts', now), mayBeEmpty),
  plans: setting(
    'app service plans',
    'app_service_plan_filters',
    (now) => filterText('app service plans', now),
    mayBeEmpty,
  ),
  containers: setting(
    'container apps',
    'container_app_filters',
    (now) => filterText('container apps', now),
    mayBeEmpty,
  ),
  metrics: toggle('metrics', 'metrics_enabled', true),
  metricsDefault: toggle(
    'metrics by default',
    'metrics_enabled_default',
    true,
    'for resource providers without a setting of their own',
  ),
  excluded: setting(
    'no metrics of',
    'metrics_config.excluded_resource_providers',
    (now) =>
      listField('no metrics of', now, {
        hint: now
          ? `${namespaces}; empty = metrics of all`
          : `${namespaces}; this deployment does not tell them; empty keeps them`,
      }),
    { untold: [], omit: 'new', isSet: true, unknownUntold: true },
  ),
  custom: toggle('custom metrics', 'custom_metrics_enabled', false),
  usage: toggle('usage metrics', 'usage_metrics_enabled', true),
  resources,
  posture,
  automute,
};

/** What was read, as it may be sent again: nothing that is not set. */
const set = (attributes: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null));

const taken = 'not sent: an account with this tenant and client is configured already';

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
    resource_provider_configs: 'written back as it was read: the service offers no list of providers to choose from',
    errors: 'the service finds them',
    warnings: 'the service finds them',
  },
  tidy: scanning.tidy,
  warns: scanning.warns,
  *asks(asked, _, before) {
    if (asked.attributes.cspm_enabled === true && asked.attributes.resource_collection_enabled === false)
      return refusal('invalid', postureNeedsResources);
    if (asked.id === before.id) return undefined;
    const there = yield* refusedIfThere(accountKindA, asked, taken);
    return there === 'unseen' ? undefined : there;
  },
  // Called a replacement by the specification, so all that was read is sent (contract/integrations.md 1).
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
  help: 'identity, secret, filters and what is collected; everything is sent, the difference is shown before',
});

/** `n`: one more tenant, which must not be there yet. */
export const newActionA = edits.make({
  id: 'integrations.create-a',
  help: 'bring in another tenant; its client secret is sent once and never shown again',
  uses: [createProviderA, listProviderA],
  verb: 'added',
  asks: (asked) => refusedIfThere(accountKindA, asked, `${taken}; e edits it`),
  create: ({ tenant_name, client_id, ...attributes }: Attributes) =>
    call(createProviderA, {
      body: { ...attributes, tenant_name: tenant_name ?? '', client_id: client_id ?? '' },
    }),
  says: (row) => `; the service tries its credentials in a while${faultSaid(row)}`,
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

/** `f`: the hosts alone, by an operation of their own. */
export const hostsAction = hostEdits.edit({
  id: 'integrations.filter-a',
  key: 'f',
  title: 'hosts',
  help: 'which hosts are brought in, by tag',
  main: false,
  reviews: false,
  done(_, __, { asked, now = asked }) {
    const filters = now.attributes.host_filters;
    return receipt`${namePart(nameOf(now))} brings in ${filters ? `hosts with ${filters}` : 'all hosts'}${faultSaid(now)}`;
  },
});

/** `d`: gone with its secret, so the name is typed. */
export const removeActionA = removing({
  id: 'integrations.delete-a',
  kind: accountKindA,
  help: 'take the account out; its secret is needed to bring it back',
  enabled: named,
  details: (row) => [
    `client ${row?.attributes.client_id ?? ''}`,
    'its metrics and resources are no longer collected',
    'it cannot be brought back without its client secret',
  ],
});
