import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import type { Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import {
  createProviderB,
  createProviderBV1,
  deleteProviderB,
  deleteProviderBV1,
  listProviderBV1,
  providerBAccount,
  updateProviderBV1,
} from '../../src/api/provider-b.ts';
import { action } from '../../src/describe/action.ts';
import { gap, head, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { changesOnly, fileField } from '../../src/describe/field.ts';
import { list } from '../../src/describe/screen.ts';
import { labelText } from '../../src/describe/vocabulary-words.ts';
import { parseExact } from '../../src/lib/json.ts';
import {
  type AccountV1,
  accounts,
  federated,
  isFederated,
  listed,
  nameOf,
  type Options,
  options,
  optionsOf,
  ours,
  titles,
} from './accountbv1.ts';
import {
  faultLines,
  gistOf,
  health,
  type Loose,
  otherwise,
  rawLines,
  sendable,
  told,
  typedName,
  words,
  yesNo,
} from './common.ts';
import { pairId, type Reread, readingAfter, receipt } from './pairs.ts';
import { createCall as createFederated, idIn } from './providerb.ts';

const identity = (row: AccountV1) => ({
  project_id: row.attributes.project_id ?? '',
  client_email: row.attributes.client_email ?? '',
});
/** Only what was changed: the service keeps the rest (contract/integrations.md 2). */
const updateCall = (row: AccountV1, changes: Loose) =>
  call(updateProviderBV1, { body: { ...changes, ...identity(row) } });
const deleteCall = (row: AccountV1) => call(deleteProviderBV1, { body: identity(row) });

type Answer = Reread<AccountV1> | undefined;

const edit = action({
  id: 'integrations.edit-b-v1',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'filters and what is collected; project, e-mail and key cannot be changed here',
  uses: [updateProviderBV1, listProviderBV1],
  bulk: false,
  reviews: true,
  enabled: ours,
  form: (row: AccountV1) => changesOnly(optionsOf(row.attributes)),
  confirm: ([row], values) =>
    row && values.resources === false && row.attributes.is_cspm_enabled
      ? {
          question: `change ${nameOf(row)}? u takes it back.`,
          details: ['security posture scanning ends with resource collection, which it needs'],
        }
      : undefined,
  send: (row, values) => readingAfter(updateCall(row, options(values, row.attributes)), accounts, row.id),
  show: (row, values) => ({ ...row, attributes: { ...row.attributes, ...options(values, row.attributes) } }),
  truth: (row, answer) => (answer as Answer)?.row ?? row,
  done: (row, values, answer) =>
    receipt(
      `saved ${nameOf(row)}${otherwise((answer as Answer)?.row?.attributes, options(values, row.attributes), titles)}`,
      answer,
    ),
  undo(before, values) {
    const was = before.attributes as Loose;
    const names = Object.keys(options(values, before.attributes));
    const nothing = (name: string) => (name === 'host_filters' ? '' : name.endsWith('_filters') ? [] : false);
    return [updateCall(before, Object.fromEntries(names.map((name) => [name, was[name] ?? nothing(name)])))];
  },
  command: (row, values) => callCommand(updateCall(row, options(values, row.attributes))),
});

const needed = v.pipe(v.string(), v.nonEmpty());
/** The members of a key file that the contract names (contract/integrations.md 2). */
const keyFile = v.object({
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

interface KeyFile {
  readonly key: v.InferOutput<typeof keyFile>;
  /** Names of the other members of the file: they are not sent. */
  readonly left: readonly string[];
}

function readKeyFile(content: string): { ok: true; value: KeyFile } | { ok: false; text: string } {
  try {
    const file = parseExact(content);
    const read = v.safeParse(keyFile, file);
    if (read.success) {
      const left = Object.keys(file as Loose).filter((name) => !Object.hasOwn(keyFile.entries, name));
      return { ok: true, value: { key: read.output, left } };
    }
    const lacks = read.issues.map((it) => it.path?.map((part) => String(part.key)).join('.')).filter(Boolean);
    return { ok: false, text: `this is no key file of a service account: it lacks ${[...new Set(lacks)].join(', ')}` };
  } catch {
    return { ok: false, text: 'this is no key file of a service account: it is not JSON' };
  }
}

/** What a receipt says besides: which members were not sent, else what may come next. */
function besides({ left }: KeyFile): string {
  if (left.length === 0) return ' in the deprecated form; f makes a federated account of it';
  const more = left.length > 3 ? ` and ${left.length - 3} more` : '';
  return `; not sent of the key file: ${left.slice(0, 3).join(', ')}${more}`;
}

const createCall = ({ key }: KeyFile, values: Options) =>
  call(createProviderBV1, { body: { ...key, ...options(values) } });

/** Adds an account that is not there yet: the service would lay it over one that is. */
function* creating(file: KeyFile, values: Options): Plan<Result<Reread<AccountV1>>> {
  const { key } = file;
  const id = pairId(key.project_id, key.client_email);
  const now = yield* accounts();
  if (now.ok && now.value.rows.some((it) => it.id === id))
    return refusal('conflict', `not sent: ${key.project_id} is configured for ${key.client_email} already; e edits it`);
  return yield* readingAfter(createCall(file, values), accounts, id, now.ok ? id : undefined);
}

const create = action({
  id: 'integrations.create-b-v1',
  key: 'n',
  on: 'list',
  title: 'new from a key file',
  help: 'the deprecated form, from a key file on this machine; federated accounts (provider_b v2) need no key',
  uses: [createProviderBV1, deleteProviderBV1, listProviderBV1],
  form: (_row: AccountV1) => ({
    file: fileField('key file', readKeyFile, {
      limit: 64 * 1024,
      required: true,
      hint: 'path of the JSON key of the service account; sent once, never shown',
    }),
    ...optionsOf({}),
  }),
  send: (_, values) => creating(values.file, values),
  made: (answer) => (answer as Answer)?.made,
  done: (_, values, answer) => receipt(`added ${values.file.key.project_id}${besides(values.file)}`, answer),
  undo: (_, { file: { key } }, answer) =>
    (answer as Answer)?.made === undefined
      ? []
      : [call(deleteProviderBV1, { body: { project_id: key.project_id, client_email: key.client_email } })],
  command: (_, values) => callCommand(createCall(values.file, values)),
});

const remove = action<AccountV1>({
  id: 'integrations.delete-b-v1',
  key: 'd',
  title: 'delete',
  help: 'take the account out; its key file is needed to bring it back',
  uses: [deleteProviderBV1],
  bulk: false,
  enabled: ours,
  confirm: ([row]) => ({
    question: `remove project ${row ? nameOf(row) : ''}?`,
    details: [
      `service account ${row?.attributes.client_email ?? ''}`,
      'its metrics and resources are no longer collected',
      'it cannot be brought back without its key file; f makes a federated account first',
    ],
    destructive: true,
    typed: typedName(row ? nameOf(row) : ''),
  }),
  send: (row) => deleteCall(row),
  removes: true,
  done: (row) => `removed ${nameOf(row)}`,
  command: (row) => callCommand(deleteCall(row)),
});

/** The federated account that takes the place of an old one: the same e-mail, filters and options, without a key. */
const federate = action<AccountV1>({
  id: 'integrations.federate-b',
  key: 'f',
  main: true,
  title: 'as federated',
  help: 'create the account of provider_b v2 in its place: the same e-mail and filters, no key; delete this one afterwards',
  uses: [createProviderB, deleteProviderB],
  bulk: false,
  enabled: (row, context) => (isFederated(row) ? 'it is federated already' : ours(row, context)),
  confirm: ([row], _, context) => ({
    question: `create a federated account for ${row?.attributes.client_email ?? ''}?`,
    details: [
      labelText('the service account must trust the delegate first (D in the tab provider_b v2)', context),
      'the old account stays until you delete it (d), once the new one reaches its projects',
    ],
  }),
  send: (row) => federatedCall(row, row.attributes.client_email ?? ''),
  done: (row) => `created a federated account for ${row.attributes.client_email}; d removes the old one`,
  undo(_, __, answer) {
    const id = idIn(answer);
    return id === undefined ? [] : [call(deleteProviderB, { account_id: id })];
  },
  command: (row) => callCommand(federatedCall(row, row.attributes.client_email ?? '')),
});

const carried = [
  'cloud_run_revision_filters',
  'monitored_resource_configs',
  'resource_collection_enabled',
  'is_cspm_enabled',
  'is_security_command_center_enabled',
  'is_resource_change_collection_enabled',
  'automute',
];

/** The same filters and options, those that are told. */
function federatedCall(row: AccountV1, email: string) {
  const told = Object.entries(sendable(row.attributes)).filter(([name]) => carried.includes(name));
  return createFederated(email, {
    ...Object.fromEntries(told),
    host_filters: words(row.attributes.host_filters ?? ''),
  });
}

/** Accounts of provider_b in their deprecated form (spec: provider_b v1; contract/integrations.md 2). */
export const accountsBV1 = list<AccountV1>({
  id: 'integrations.b-v1',
  title: 'provider_b v1',
  load: () => ({ key: 'provider_b accounts v1', of: ['provider_b_account'], plan: listed }),
  idOf: (row) => row.id,
  nameOf,
  comparable: (row) => gistOf(row.attributes),
  columns: [
    {
      id: 'state',
      title: 'STATE',
      min: 9,
      priority: 1,
      text: (row) => (isFederated(row) ? 'federated' : health(row.attributes).text),
      tone: (row) => (isFederated(row) ? 'dim' : health(row.attributes).tone),
    },
    {
      id: 'project',
      title: 'PROJECT',
      min: 16,
      share: 2,
      max: 40,
      priority: 1,
      text: (row) => row.attributes.project_id ?? '',
      sort: (row) => row.attributes.project_id ?? '',
    },
    {
      id: 'email',
      title: 'SERVICE ACCOUNT',
      min: 20,
      share: 2,
      max: 60,
      priority: 2,
      text: (row) => row.attributes.client_email ?? '',
      tone: (row) => (isFederated(row) ? 'dim' : 'plain'),
    },
    {
      id: 'resources',
      title: 'RESOURCES',
      min: 9,
      priority: 4,
      text: (row) => yesNo(row.attributes.resource_collection_enabled) ?? '',
    },
    {
      id: 'hosts',
      title: 'HOSTS',
      min: 10,
      share: 1,
      priority: 3,
      text: (row) => row.attributes.host_filters || 'all',
      tone: (row) => (row.attributes.host_filters ? 'plain' : 'dim'),
    },
  ],
  reads: [listProviderBV1],
  schema: v.looseObject({ attributes: providerBAccount }),
  detail: {
    tabs: (row, _, context) => [
      {
        kind: 'lines',
        id: 'account',
        title: 'account',
        lines: [
          text(
            isFederated(row) ? federated(context) : 'deprecated: f creates the federated account that takes its place',
            'warn',
          ),
          ...faultLines(row.attributes),
          gap,
          ...told(providerBAccount, row.attributes, titles, context),
        ],
      },
      { kind: 'lines', id: 'raw', title: 'raw', lines: rawLines(providerBAccount, row.attributes, context) },
    ],
    preview: (row) => [head(nameOf(row)), ...faultLines(row.attributes), text(row.attributes.client_email ?? '')],
  },
  actions: [edit, federate, create, remove],
  empty: 'no account in the deprecated form, which is as it should be: see provider_b v2',
  command: () => callCommand(call(listProviderBV1)),
});
