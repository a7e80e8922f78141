import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import {
  createProviderB,
  createProviderBV1,
  deleteProviderB,
  deleteProviderBV1,
  listProviderBV1,
  providerBAccount,
  updateProviderBV1,
} from '../../src/api/integrations.ts';
import { action } from '../../src/describe/action.ts';
import { plainColumn, section, textLine } from '../../src/describe/column.ts';
import { type Context, labelText, type VocabularyContext } from '../../src/describe/context.ts';
import { type Field, fileField } from '../../src/describe/field.ts';
import { detailOf, listOf, unreadLines } from '../../src/describe/list-detail.ts';
import { namePart, receipt, warning } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings, formOnly } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import type { ParseResult } from '../../src/lib/function-results.ts';
import { parseExact } from '../../src/lib/json.ts';
import { commaWords, firstThree } from '../../src/lib/text.ts';
import { isObject, toldMembers } from '../../src/lib/values.ts';
import {
  commandCenterOf,
  commonSwitches,
  filterField,
  filterText,
  flatList,
  pairId,
  parsePair,
  refusedIfThere,
  removing,
  scanningField,
} from './fields.ts';
import {
  faultNotes,
  faultSaid,
  faultStates,
  health,
  hostColumn,
  integrationCheckLines,
  resourceColumn,
  settingLines,
} from './lines.ts';
import { createdOtherwise, createCall as createFederated } from './provider-b.ts';

const needed = v.pipe(v.string(), v.nonEmpty());
/** The members of a key file that the contract names (docs/contract/integrations.md#provider_b-v1). */
const members = v.object({
  type: needed,
  project_id: needed,
  client_email: needed,
  client_id: needed,
  private_key: needed,
  private_key_id: needed,
  auth_uri: v.optional(needed),
  token_uri: v.optional(needed),
  auth_provider_x509_cert_url: v.optional(needed),
  client_x509_cert_url: v.optional(needed),
});

/** The key of a service account, out of a file of this machine. */
interface KeyFile {
  readonly key: v.InferOutput<typeof members>;
  /** Names of the other members of the file: they are not sent. */
  readonly left: readonly string[];
}

function readKeyFile(content: string): ParseResult<KeyFile> {
  try {
    const file = parseExact(content);
    const read = v.safeParse(members, file);
    if (read.success) {
      const left = Object.keys(isObject(file) ? file : {}).filter((name) => !Object.hasOwn(members.entries, name));
      return { ok: true, value: { key: read.output, left } };
    }
    const lacks = read.issues.map((issue) => v.getDotPath(issue)).filter(Boolean);
    return { ok: false, text: `Not a key file of a service account: it lacks ${[...new Set(lacks)].join(', ')}` };
  } catch {
    return { ok: false, text: 'Not a key file of a service account: it is not JSON' };
  }
}

/** Asks for a key file. What it holds is sent once and stands nowhere. */
export const keyFileField = (): Field<KeyFile> =>
  fileField('Key file', readKeyFile, {
    limit: 64 * 1024,
    required: true,
    hint: 'Path of the JSON key of the service account; sent once, never shown',
  });

/** The end of the receipt: members of the key file that were not sent, else the next step. */
const besides = ({ left }: KeyFile): string =>
  left.length === 0
    ? ' as a deprecated account; a federated one needs no key file'
    : `; ignored in the key file: ${firstThree(left)}`;

const identityOf = (id: string) => {
  const [project_id, client_email] = parsePair(id);
  return { project_id, client_email };
};

/** Where the identifiers of the contract stand in a row. */
const accountSchemaBV1 = v.looseObject({ attributes: providerBAccount });

/** Accounts of provider_b in their deprecated form, named by project and e-mail; federated ones are listed last, without a project. */
export const accountKindBV1 = kind({
  noun: 'provider_b v1 account',
  short: 'account',
  of: ['provider_b_account'],
  schema: accountSchemaBV1,
  list: () => flatList(call(listProviderBV1)),
  number: ({ attributes }) => (attributes.project_id ? 0 : 1),
  identity: ({ project_id, client_email }) => pairId(project_id, client_email),
  remove: (id) => call(deleteProviderBV1, { body: identityOf(id) }),
  name: ({ attributes }) => attributes.project_id || attributes.client_email,
  // Federated ones have the states of their own list.
  notes: ({ rows }) => [
    ...faultNotes(rows.filter(({ attributes }) => !isFederated(attributes))),
    'deprecated: create federated copies an account to v2',
  ],
});

export type AccountRowBV1 = RowOf<typeof accountKindBV1>;
type Attributes = AccountRowBV1['attributes'];

/** Whether an account has no project of its own, only an email. */
const isFederated = ({ project_id, client_email }: v.InferOutput<typeof providerBAccount>): boolean =>
  !project_id && Boolean(client_email);

/** Why one that has no project is not edited here. */
const federated = (context: VocabularyContext): string =>
  labelText('Federated account: edit it in the tab provider_b v2', context);

/** True, or why it cannot be edited here. */
function ours(row: AccountRowBV1, context: Context): true | string {
  if (isFederated(row.attributes)) return federated(context);
  return (
    Boolean(row.attributes.client_email) || 'the service sends no email of this account, so it cannot be addressed'
  );
}

const setting = defineSettings(accountKindBV1);
const { resources, posture, automute } = commonSwitches(accountKindBV1, 'is_cspm_enabled', false);
const scanning = scanningField('is_cspm_enabled');

/** What a person can set. A new one is made of a key file. */
const settingsBV1 = {
  file: { ...formOnly('key file', keyFileField), has: 'new' as const },
  hosts: setting('hosts', 'host_filters', (now) => filterText('Hosts', now), { untold: '' }),
  revisions: setting('revisions', 'cloud_run_revision_filters', (now) => filterField('Revisions', now), {
    untold: [],
    isSet: true,
  }),
  resources,
  posture,
  center: commandCenterOf(accountKindBV1),
  automute,
};

/** Titles of the two members that name an account; they are no settings. */
const titles = { project_id: 'Project', client_email: 'Service account' };

const ofKeyFile = 'from the key file: delete and re-add the account to change it';

const edits = editing<AccountRowBV1, typeof settingsBV1, Attributes>({
  kind: accountKindBV1,
  settings: settingsBV1,
  uses: [updateProviderBV1, listProviderBV1],
  enabled: ours,
  rereads: true,
  fixed: {
    type: ofKeyFile,
    project_id: ofKeyFile,
    client_email: ofKeyFile,
    client_id: ofKeyFile,
    private_key: ofKeyFile,
    private_key_id: ofKeyFile,
    auth_uri: ofKeyFile,
    token_uri: ofKeyFile,
    auth_provider_x509_cert_url: ofKeyFile,
    client_x509_cert_url: ofKeyFile,
    is_resource_change_collection_enabled: 'only for federated accounts',
    monitored_resource_configs: 'only for federated accounts',
    id: 'given by the service',
    errors: 'reported by the service',
  },
  tidy(attributes, values, before) {
    const { project_id, client_email } = values.file?.key ?? attributes;
    return scanning.tidy({ ...attributes, ...(values.file && { project_id, client_email }) }, values, before);
  },
  warns: scanning.warns,
  // Only what was changed: the service keeps the rest (docs/contract/integrations.md#provider_b-v1).
  patch: (id, changes: Attributes) => call(updateProviderBV1, { body: { ...changes, ...identityOf(id) } }),
  says: faultSaid,
});

const { comparable: comparableBV1 } = edits;

/** `e`: filters and switches. */
export const editActionBV1 = edits.edit({
  id: 'integrations.edit-b-v1',
  help: 'Edit filters and collection; project, email and key are fixed',
});

/** `n`: the key of a service account, which must not be there yet. */
const newActionBV1 = edits.make({
  id: 'integrations.create-b-v1',
  noun: 'account from a key file',
  help: 'Add a deprecated account from a local key file; federated accounts (provider_b v2) need no key',
  uses: [createProviderBV1, listProviderBV1],
  verb: 'Added',
  asks: (asked) =>
    refusedIfThere(
      accountKindBV1,
      asked,
      `not sent: ${asked.attributes.project_id} already exists for ${asked.attributes.client_email}; edit it (e)`,
    ),
  create: (attributes: Attributes, { file }) =>
    call(createProviderBV1, {
      body: { ...attributes, ...(file?.key ?? { type: '', project_id: '', client_email: '' }) },
    }),
  says: (row, { file }) => `${file ? besides(file) : ''}${faultSaid(row)}`,
});

/** `d`: gone with its key, so the name is typed. */
const removeActionBV1 = removing({
  id: 'integrations.delete-b-v1',
  kind: accountKindBV1,
  help: 'Remove the account. You need the key file to re-add it',
  enabled: ours,
  details: (row) => [
    `Service account ${row?.attributes.client_email ?? ''}`,
    'You need the key file to re-add it; create a federated account first',
  ],
});

/** The e-mail, filters and switches that a deprecated account reports, for a federated one. */
const federatedAttributes = ({ attributes }: AccountRowBV1) => ({
  ...toldMembers(attributes, passedOn),
  host_filters: commaWords(attributes.host_filters),
  client_email: attributes.client_email ?? '',
});

const passedOn = [
  'cloud_run_revision_filters',
  'monitored_resource_configs',
  'resource_collection_enabled',
  'is_cspm_enabled',
  'is_security_command_center_enabled',
  'is_resource_change_collection_enabled',
  'automute',
];

const federatedCall = (row: AccountRowBV1) => createFederated(federatedAttributes(row));

/** The federated account that takes the place of an old one: the same settings, without a key. */
const federateAction = action({
  id: 'integrations.federate-b-v1',
  main: true,
  title: 'create federated',
  help: 'Create the same account in provider_b v2, without a key; delete this one afterward',
  uses: [createProviderB, deleteProviderB],
  bulk: false,
  enabled: (row: AccountRowBV1, context) => (isFederated(row.attributes) ? 'already federated' : ours(row, context)),
  confirm: ([row], _, context) => ({
    question: `Create a federated account for ${row?.attributes.client_email ?? ''}?`,
    details: [
      labelText('The service account must trust the delegate first; provider_b v2 creates it', context),
      'The old account stays until you remove it, once the new one can access its projects',
    ],
  }),
  send: (row) => federatedCall(row),
  made: ({ data }) =>
    data?.id == null ? undefined : { id: String(data.id), name: data.attributes?.client_email ?? '' },
  makesKind: 'integrations.b',
  done(row, _, answer, context) {
    const difference = createdOtherwise(federatedAttributes(row), answer, context);
    const said = receipt`Created federated account ${namePart(row.attributes.client_email ?? '')}; the old one stays until it is removed${difference}`;
    return difference === '' ? said : warning(said);
  },
  undo(_, __, answer) {
    const id = answer?.data?.id;
    return id == null ? [] : [call(deleteProviderB, { account_id: id })];
  },
  command: (row) => federatedCall(row),
});

/** Accounts of provider_b in their deprecated form (docs/contract/integrations.md#provider_b-v1). */
export const accountsBV1 = listOf(accountKindBV1, {
  id: 'integrations.b-v1',
  title: 'provider_b v1',
  output: () => accountKindBV1.output({ except: ['id', 'private_key', 'private_key_id'] }),
  comparable: comparableBV1,
  states: faultStates.map((state) => ({
    ...state,
    isIn: (row, context) => !isFederated(row.attributes) && state.isIn(row, context),
  })),
  columns: [
    plainColumn({
      id: 'state',
      min: 9,
      priority: 1,
      text: (row) => (isFederated(row.attributes) ? 'federated' : health(row).text),
      tone: (row) => (isFederated(row.attributes) ? 'dim' : health(row).tone),
    }),
    plainColumn({
      id: 'project',
      min: 16,
      max: 40,
      priority: 1,
      text: (row) => (isFederated(row.attributes) ? '' : accountKindBV1.nameOf(row)),
      sort: (row) => row.attributes.project_id ?? '',
    }),
    {
      id: 'email',
      title: 'SERVICE ACCOUNT',
      min: 20,
      max: 60,
      priority: 2,
      text: (row) => row.attributes.client_email ?? '',
      tone: (row) => (isFederated(row.attributes) ? 'dim' : 'plain'),
    },
    resourceColumn(4),
    hostColumn(3),
  ],
  reads: [listProviderBV1],
  schema: accountSchemaBV1,
  detail: detailOf(accountKindBV1, {
    sections: (row, _, context) => [
      section('faults', '', [
        textLine(
          isFederated(row.attributes) ? federated(context) : 'Deprecated. x: create a federated account instead',
          'warn',
        ),
        ...integrationCheckLines(row),
      ]),
      section('account', 'Account', [
        ...settingLines({ kind: accountKindBV1, settings: settingsBV1, titles }, row, context),
        ...unreadLines(row),
      ]),
    ],
    preview: (row, context) => [
      ...integrationCheckLines(row),
      ...settingLines({ kind: accountKindBV1, settings: settingsBV1, titles }, row, context),
    ],
  }),
  actions: [editActionBV1, federateAction, newActionBV1, removeActionBV1],
  empty: 'No deprecated accounts. ]: go to provider_b v2',
  command: () => call(listProviderBV1),
});
