import type * as v from 'valibot';
import { type AttributesOf, ask, call, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import {
  createProviderB,
  deleteProviderB,
  getDelegate,
  listProviderB,
  makeDelegate,
  providerBServiceAccount,
  updateProviderB,
} from '../../src/api/integrations.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { action } from '../../src/describe/action.ts';
import {
  amountColumn,
  outputField,
  pair,
  plainColumn,
  section,
  textColumn,
  textLine,
} from '../../src/describe/column.ts';
import { labelText, type Single, type VocabularyContext } from '../../src/describe/context.ts';
import { type Field, listField, readAs, textField } from '../../src/describe/field.ts';
import { detailOf, listOf, unreadLines } from '../../src/describe/list-detail.ts';
import { receipt, warning } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings, differenceText, type SetDifference } from '../../src/describe/setting.ts';
import { editing, readToRestore } from '../../src/describe/setting-edits.ts';
import { firstThree, plural, yesNo } from '../../src/lib/text.ts';
import {
  commandCenterOf,
  commonSwitches,
  filterField,
  removing,
  scanningField,
  switchFields,
  withoutSecrets,
} from './fields.ts';
import { hostColumn, resourceColumn, settingLines } from './lines.ts';

/** Filters by type of resource: one list for all types, which mirrors the deprecated ones (docs/contract/integrations.md#provider_b). */

type ServiceAccount = NonNullable<v.InferOutput<typeof providerBServiceAccount>['attributes']>;
type Monitored = ServiceAccount['monitored_resource_configs'];

const functions = 'cloud_function';

/** The filters of one type of monitored resources. */
const filtersOf = (now: Monitored, type: string): readonly string[] =>
  now?.find((entry) => entry.type === type)?.filters ?? [];

/** One entry for a type, with what else it holds; the other types as they were. Without filters there is none. */
function withFilters(now: Monitored, type: string, filters: readonly string[]): NonNullable<Monitored> {
  const entries = now ?? [];
  const first = entries.findIndex((entry) => entry.type === type);
  const entry = { ...entries[first], type, filters: [...filters] };
  const others = entries.filter((one) => one.type !== type);
  if (filters.length === 0) return others;
  return first < 0 ? [...others, entry] : others.toSpliced(first, 0, entry);
}

/** The filters of functions, read as a difference: the list that holds them has filters of other types too. */
function functionsField(now: Monitored): Field<SetDifference> {
  const before = filtersOf(now, functions);
  return readAs(filterField('Functions', before), (now) => ({
    ok: true,
    value: {
      taken: now.filter((filter) => !before.includes(filter)),
      left: before.filter((filter) => !now.includes(filter)),
    },
  }));
}

/** The list with a difference laid over the filters of functions. */
function withFunctions({ taken, left }: SetDifference, now: Monitored): NonNullable<Monitored> {
  const kept = filtersOf(now, functions).filter((filter) => !left.includes(filter));
  return withFilters(now, functions, [...kept, ...taken]);
}

interface Filtering {
  readonly hosts?: readonly string[] | undefined;
  readonly revisions?: readonly string[] | undefined;
}

/** The deprecated lists and the one that takes their place say the same thing twice (docs/contract/integrations.md#provider_b). */
function mirrored(attributes: ServiceAccount, { hosts, revisions }: Filtering): ServiceAccount {
  const { host_filters, cloud_run_revision_filters, monitored_resource_configs: now } = attributes;
  if (now == null || !(hosts || revisions)) return attributes;
  const withHosts = hosts ? withFilters(now, 'vm_instance', host_filters ?? []) : now;
  const both = revisions ? withFilters(withHosts, 'cloud_run_revision', cloud_run_revision_filters ?? []) : withHosts;
  return { ...attributes, monitored_resource_configs: both };
}

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

const newerSwitch = (
  label: string,
  path: 'is_resource_change_collection_enabled' | 'is_global_location_enabled' | 'is_per_project_quota_enabled',
  untold: boolean,
) => ({ ...toggle(label, path, untold), ...ifPresent(path) });

/** What a person can set. */
const settingsB = {
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
  changes: newerSwitch('resource changes', 'is_resource_change_collection_enabled', false),
  global: newerSwitch('global location', 'is_global_location_enabled', true),
  quota: newerSwitch('quota per project', 'is_per_project_quota_enabled', false),
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

const { comparable: comparableB } = edits;

/** `e`: tags, filters and switches, those that were changed. */
export const editActionB = edits.edit({
  id: 'integrations.edit-b',
  help: 'Edit tags, filters and collection; shows the differences before saving',
});

/** The request that adds an account. */
export const createCall = (attributes: AttributesOf<typeof createProviderB>) =>
  call(createProviderB, { body: { data: { type: 'provider_b_service_account', attributes } } });

// The list of monitored resources mirrors the other filters.
const { functions: _, ...plainSettings } = settingsB;

/** What the answer to it tells otherwise than was asked for, as the end of a receipt. */
export const createdOtherwise = (
  attributes: Attributes,
  { data }: ResponseOf<typeof createProviderB>,
  context: VocabularyContext,
): string =>
  differenceText(
    { kind: accountKindB, settings: plainSettings },
    undefined,
    { id: '', place: 0, attributes, unread: [], projects: undefined },
    data?.attributes ? accountKindB.row(data) : undefined,
    context,
  );

/** `n`: one more service account. */
const newActionB = edits.make({
  id: 'integrations.create-b',
  help: 'Add a service account that trusts the delegate',
  uses: [createProviderB],
  verb: 'Added',
  create: createCall,
});

/** `d`: removes an account; undo adds it again with the same settings. */
const removeActionB = removing({
  id: 'integrations.delete-b',
  kind: accountKindB,
  help: 'Remove the account; undo re-adds it with the same settings and a new ID',
  details: (row) => [
    row?.projects?.length
      ? `Accesses ${plural(row.projects.length, 'project')}: ${firstThree(row.projects)}`
      : 'No accessible projects are known',
  ],
  restore: {
    read: (row) => readToRestore(accountKindB, row),
    refuses: (row) => (row.attributes.client_email ? undefined : 'an account without an email cannot be added'),
    calls: ({ attributes: { client_email, ...attributes } }) =>
      client_email ? [createCall({ ...attributes, client_email })] : [],
    uses: [createProviderB, listProviderB],
    lost: [],
  },
});

/** The e-mail of the delegate that an answer tells. */
export function emailIn(answer: ResponseOf<typeof getDelegate>): string | undefined {
  const { id, attributes } = answer?.data ?? {};
  return attributes?.delegate_account_email ?? (id == null ? undefined : String(id));
}

/** The delegate as the service tells it; null before it was made. */
function* readDelegate(): Plan<Result<string | null>> {
  const answer = yield* ask(call(getDelegate));
  return answer.ok ? { ...answer, value: emailIn(answer.value) ?? null } : answer;
}

/** The delegate as a text for the detail, or why it could not be read. */
function* delegateTold(): Plan<Result<{ readonly text: string; readonly isTold: boolean }>> {
  const read = yield* readDelegate();
  const text = read.ok ? (read.value ?? 'none yet. x: create it') : `not read: ${read.problem.text}`;
  return toResult({ text, isTold: read.ok && read.value !== null });
}

const delegate: Single<string | null> = {
  key: 'provider_b delegate',
  of: ['provider_b_sts_delegate'],
  plan: readDelegate,
};

/** Creates the delegate, which a service account must trust. */
const delegateAction = action({
  id: 'integrations.create-delegate-b',
  on: 'list',
  title: 'create delegate',
  preposition: 'of',
  help: 'Create the delegate that each account must trust; you always get the same one',
  uses: [makeDelegate, getDelegate],
  needs: () => delegate,
  confirm: (_, __, { known }) => ({
    question:
      typeof known === 'string'
        ? `The delegate service account is ${known}. Request it again?`
        : 'Create the delegate service account?',
    details: [
      'You always get the same one; it cannot be deleted',
      'Allow it to impersonate your service account at the provider, then add that',
    ],
  }),
  send: (_row: AccountRowB) => call(makeDelegate, { body: {} }),
  made(answer) {
    const email = emailIn(answer);
    return email === undefined ? undefined : { id: email, name: email };
  },
  makesKind: 'provider_b_sts_delegate',
  done(_, __, answer) {
    const email = emailIn(answer);
    return email === undefined
      ? warning(receipt`The response names no delegate; request it again to get the same one`)
      : receipt`Delegate service account: ${email}. Allow it to impersonate your service account, then add that`;
  },
  command: () => call(makeDelegate, { body: {} }),
});

const projectsOf = ({ projects }: AccountRowB): readonly string[] => projects ?? [];

/** Federated service accounts of provider_b (docs/contract/integrations.md#provider_b). */
export const accountsB = listOf(accountKindB, {
  id: 'integrations.b',
  title: 'provider_b v2',
  output: () =>
    accountKindB.output({
      more: [outputField('projects', 'list of texts', 'projects that it can access', (row) => row.projects)],
    }),
  comparable: comparableB,
  words: (row) => [...projectsOf(row), ...(row.attributes.account_tags ?? [])].join(' '),
  columns: [
    textColumn({
      id: 'email',
      title: 'SERVICE ACCOUNT',
      min: 24,
      max: 60,
      priority: 1,
      text: accountKindB.nameOf,
    }),
    amountColumn({
      id: 'projects',
      min: 8,
      priority: 1,
      tone: (row) => (projectsOf(row).length === 0 ? 'warn' : 'plain'),
      amount: (row) => projectsOf(row).length,
    }),
    resourceColumn(3),
    plainColumn({
      id: 'posture',
      min: 7,
      priority: 4,
      text: (row) => yesNo(row.attributes.is_cspm_enabled) ?? '',
    }),
    hostColumn(2),
  ],
  reads: [listProviderB, getDelegate],
  schema: providerBServiceAccount,
  detail: detailOf(accountKindB, {
    more: { of: ['provider_b_sts_delegate'], read: delegateTold },
    sections: (row, delegate, context) => [
      section('account', '', [
        ...settingLines({ kind: accountKindB, settings: settingsB }, row, context),
        pair('Delegate service account', delegate?.text ?? 'loading…', delegate?.isTold ? 'plain' : 'dim'),
        pair('ID', row.id),
        ...unreadLines(row),
      ]),
      section(
        'projects',
        `Projects ${projectsOf(row).length}`,
        projectsOf(row).length > 0
          ? projectsOf(row).map((project) => textLine(project))
          : [textLine('No accessible projects: does it trust the delegate service account?', 'warn')],
      ),
    ],
    preview: (row, context) => [
      projectsOf(row).length === 0
        ? textLine('No accessible projects', 'warn')
        : pair(`Projects ${projectsOf(row).length}`, projectsOf(row).join(', ')),
      ...settingLines({ kind: accountKindB, settings: settingsB }, row, context),
    ],
  }),
  actions: [editActionB, newActionB, removeActionB, delegateAction],
  empty: 'No provider_b service accounts. x: create the delegate, n: add an account',
  command: () => call(listProviderB),
});
