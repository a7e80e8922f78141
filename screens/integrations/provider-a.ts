import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import {
  createProviderA,
  deleteProviderA,
  filterProviderA,
  listProviderA,
  postureNeedsResources,
  providerAAccount,
  updateProviderA,
} from '../../src/api/integrations.ts';
import { problemResult } from '../../src/api/problem.ts';
import { type DetailLine, pair, plainColumn, section, textColumn } from '../../src/describe/column.ts';
import { type Field, listField, readAs, shownWhen, textField } from '../../src/describe/field.ts';
import { detailOf, listOf, unreadLines } from '../../src/describe/list-detail.ts';
import { namePart, receipt, warning } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings, differenceText } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { capitalized, yesNo } from '../../src/lib/text.ts';
import { isUuid, toldMembers } from '../../src/lib/values.ts';
import {
  commonSwitches,
  filterText,
  flatList,
  pairId,
  parsePair,
  refusedIfThere,
  removing,
  scanningField,
  switchFields,
} from './fields.ts';
import {
  faultNotes,
  faultSaid,
  faultStates,
  faults,
  findings,
  gravity,
  health,
  hostColumn,
  integrationCheckLines,
  resourceColumn,
  settingLines,
} from './lines.ts';

/** Whether an account collects the metrics of one resource provider. */
interface Config {
  readonly namespace?: string | null | undefined;
  readonly metrics_enabled?: boolean | null | undefined;
}

type Configs = readonly Config[] | null | undefined;

const onOff = ({ metrics_enabled: isOn }: Config): string => (isOn == null ? '' : isOn ? 'on' : 'off');

/** `example.compute off`, as a person reads and writes it. */
const wordOf = (config: Config): string => `${config.namespace} ${onOff(config)}`.trim();

const written = /^(\S+)(?: +(on|off))?$/i;

/** The resource providers with a setting of their own; what else one of them says is kept. */
function resourceProvidersField(label: string, now: Configs): Field<Config[]> {
  const providers = (now ?? []).filter(({ namespace }) => namespace);
  const unnamed = (now ?? []).filter(({ namespace }) => !namespace);
  const words = listField(label, providers.map(wordOf), {
    hint: 'Namespaces, each with on or off: example.compute off, example.web on',
    check: (word) => written.test(word) || `${word} is no resource provider: write its namespace and on or off`,
  });
  return readAs(words, (all) => ({
    ok: true,
    value: [
      ...all.map((word): Config => {
        const stored = providers.find((config) => wordOf(config) === word);
        if (stored) return stored;
        const [, namespace = '', chosen] = written.exec(word) ?? [];
        const same = providers.find((config) => config.namespace === namespace);
        const isOn = chosen === undefined ? (same?.metrics_enabled ?? true) : chosen.toLowerCase() === 'on';
        return { ...same, namespace, metrics_enabled: isOn };
      }),
      ...unnamed,
    ],
  }));
}

/** A line for each resource provider. */
const resourceProviderLines = (configs: Configs): readonly DetailLine[] =>
  (configs ?? []).map((config) => {
    const metrics = onOff(config);
    return pair(config.namespace ?? '(no name)', metrics && `metrics ${metrics}`);
  });

const identityOf = (id: string) => {
  const [tenant_name, client_id] = parsePair(id);
  return { tenant_name, client_id };
};

/** Where the identifiers of the contract stand in a row. */
const accountSchemaA = v.looseObject({ attributes: providerAAccount });

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
/** Filters that the service keeps as one text. A create leaves what is empty to it. */
const filterSetting = (label: string, path: 'host_filters' | 'app_service_plan_filters' | 'container_app_filters') =>
  setting(label, path, (now) => filterText(capitalized(label), now), { untold: '', omit: 'new' });
/** Whether a secret must be typed: for a new account, and for one that had secretless authentication until now. */
const needsSecret = (row: AccountRowA | undefined) => !row || row.attributes.secretless_auth_enabled === true;
const namespaces = 'Comma-separated resource provider namespaces';

/** What a person can set. */
const settingsA = {
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
  hosts: filterSetting('hosts', 'host_filters'),
  plans: filterSetting('app service plans', 'app_service_plan_filters'),
  containers: filterSetting('container apps', 'container_app_filters'),
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
        ...toldMembers(rest, Object.keys(rest)),
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

const hostSettings = { hosts: settingsA.hosts };
const hostEdits = editing({
  kind: accountKindA,
  settings: hostSettings,
  uses: [filterProviderA, listProviderA],
  enabled: named,
  rereads: true,
  patch: (id, changes: Pick<Attributes, 'host_filters'>) =>
    call(filterProviderA, { body: { ...identityOf(id), ...changes } }),
});

/** The hosts alone, by an operation of their own; done rarely, so it has no key. */
const { key: _, ...hostsAction } = hostEdits.edit({
  id: 'integrations.filter-a',
  title: 'filter hosts',
  preposition: 'of',
  help: 'Filter the monitored hosts by tag',
  main: false,
  reviews: false,
  done(_, __, { before, asked, now }, context) {
    const after = now ?? asked;
    const filters = after.attributes.host_filters;
    const difference = differenceText({ kind: accountKindA, settings: hostSettings }, before, asked, now, context);
    const said = receipt`Monitoring ${filters ? `hosts with ${filters}` : 'all hosts'} of ${namePart(nameOf(after))}${difference}${faultSaid(after)}`;
    return difference === '' ? said : warning(said);
  },
});

/** `d`: gone with its secret, so the name is typed. */
const removeActionA = removing({
  id: 'integrations.delete-a',
  kind: accountKindA,
  help: 'Remove the account. You need the secret to re-add it',
  enabled: named,
  details: (row) => [`Client ID ${row?.attributes.client_id ?? ''}`, 'You need the client secret to re-add it'],
});

/** Accounts of provider_a (docs/contract/integrations.md#provider_a). */
export const accountsA = listOf(accountKindA, {
  id: 'integrations.a',
  title: 'provider_a',
  output: () => accountKindA.output({ except: ['client_secret', 'new_tenant_name', 'new_client_id'] }),
  columns: [
    plainColumn({
      id: 'state',
      firsts: ['errors last', 'errors first'],
      min: 9,
      priority: 1,
      text: (row) => health(row).text,
      tone: (row) => health(row).tone,
      sort: gravity,
      downward: true,
    }),
    textColumn({
      id: 'tenant',
      min: 20,
      max: 36,
      priority: 1,
      text: accountKindA.nameOf,
      // A person knows the tenant by its domain; where the service sends an id instead, it is only that.
      tone: (row) => (isUuid(row.attributes.tenant_name ?? '') ? 'dim' : 'plain'),
    }),
    hostColumn(2),
    resourceColumn(3),
    plainColumn({ id: 'posture', min: 7, priority: 4, text: (row) => yesNo(row.attributes.cspm_enabled) ?? '' }),
    plainColumn({
      id: 'client',
      min: 14,
      max: 36,
      priority: 5,
      text: (row) => row.attributes.client_id ?? '',
      tone: () => 'dim',
    }),
  ],
  sorted: { by: 'state', down: true },
  states: faultStates,
  words: (row) => faults(row).join(' '),
  comparable: comparableA,
  reads: [listProviderA],
  schema: accountSchemaA,
  detail: detailOf(accountKindA, {
    sections: (row, _, context) => [
      section('faults', '', integrationCheckLines(row)),
      section('account', 'Account', [
        ...settingLines(
          { kind: accountKindA, settings: settingsA, apart: ['resource_provider_configs'] },
          row,
          context,
        ),
        ...unreadLines(row),
      ]),
      section('providers', 'Resource providers', resourceProviderLines(row.attributes.resource_provider_configs)),
    ],
  }),
  actions: [editActionA, newActionA, hostsAction, removeActionA],
  empty: 'No provider_a accounts. n: add one',
  command: () => call(listProviderA),
});
