import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import {
  createProviderB,
  deleteProviderB,
  getDelegate,
  listProviderB,
  makeDelegate,
  providerBServiceAccount,
  updateProviderB,
} from '../../src/api/provider-b.ts';
import { action } from '../../src/describe/action.ts';
import { gap, head, pair, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { list } from '../../src/describe/screen.ts';
import { inWords, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { type AccountB, type Attributes, accounts, delegate, emailIn, nameOf, rowOf, titles } from './accountb.ts';
import { gistOf, type Loose, otherwise, rawLines, told, typedName, yesNo } from './common.ts';
import { changesOf, editFields, newFields } from './writeb.ts';

const attributesSchema = providerBServiceAccount.entries.attributes;

const updateCall = (id: string, attributes: Partial<Attributes>) =>
  call(updateProviderB, { account_id: id, body: { data: { id, type: 'provider_b_service_account', attributes } } });

export const createCall = (email: string, attributes: Partial<Attributes>) =>
  call(createProviderB, {
    body: { data: { type: 'provider_b_service_account', attributes: { ...attributes, client_email: email } } },
  });

/** The account that an answer tells; the accessible projects are only told by the list. */
const answered = (row: AccountB, answer: unknown): AccountB => {
  const now = rowOf((answer as ResponseOf<typeof updateProviderB> | undefined)?.data);
  return now ? { ...now, projects: row.projects } : row;
};

/** What the service made of what was asked, where it tells something else. */
function made(answer: unknown, asked: Partial<Attributes>, context: VocabularyContext): string {
  const now = (answer as ResponseOf<typeof updateProviderB> | undefined)?.data?.attributes;
  return otherwise(inWords(attributesSchema, now, context), inWords(attributesSchema, asked, context), titles);
}

const edit = action({
  id: 'integrations.edit-b',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'tags, filters and what is collected; only what changed is sent, and shown before',
  uses: [updateProviderB],
  bulk: false,
  reviews: true,
  form: (row: AccountB) => editFields(row.attributes),
  confirm: ([row], values) =>
    row && values.resources === false && row.attributes.is_cspm_enabled
      ? {
          question: `change ${nameOf(row)}? u takes it back.`,
          details: ['security posture scanning ends with resource collection, which it needs'],
        }
      : undefined,
  send: (row, values) => updateCall(row.id, changesOf(values, row.attributes)),
  show: (row, values) => ({ ...row, attributes: { ...row.attributes, ...changesOf(values, row.attributes) } }),
  truth: answered,
  done: (row, values, answer, context) =>
    `saved ${nameOf(row)}${made(answer, changesOf(values, row.attributes), context)}`,
  undo(before, values) {
    const was = before.attributes as Loose;
    const names = Object.keys(changesOf(values, before.attributes));
    const nothing = (name: string) => (/(_filters|_tags|_configs)$/.test(name) ? [] : false);
    const back = Object.fromEntries(names.map((name) => [name, was[name] ?? nothing(name)]));
    return names.length === 0 ? [] : [updateCall(before.id, back)];
  },
  command: (row, values) => callCommand(updateCall(row.id, changesOf(values, row.attributes))),
});

const create = action({
  id: 'integrations.create-b',
  key: 'n',
  on: 'list',
  title: 'new',
  help: 'bring in a service account that trusts the delegate',
  uses: [createProviderB, deleteProviderB],
  form: (_row: AccountB) => newFields(),
  send: (_, values) => createCall(values.email, changesOf(values)),
  done: (_, values, answer, context) => `added ${values.email}${made(answer, changesOf(values), context)}`,
  made: idIn,
  undo(_, __, answer) {
    const id = idIn(answer);
    return id === undefined ? [] : [call(deleteProviderB, { account_id: id })];
  },
  command: (_, values) => callCommand(createCall(values.email, changesOf(values))),
});

/** The id of the account that an answer tells. */
export function idIn(answer: unknown): string | undefined {
  const id = (answer as ResponseOf<typeof createProviderB> | undefined)?.data?.id;
  return id == null ? undefined : String(id);
}

const remove = action<AccountB>({
  id: 'integrations.delete-b',
  key: 'd',
  title: 'delete',
  help: 'take the account out; it can be brought back with the same settings under another id',
  uses: [deleteProviderB, createProviderB],
  bulk: false,
  confirm: ([row]) => ({
    question: `remove ${row ? nameOf(row) : 'the account'}?`,
    details: [
      row && row.projects.length > 0
        ? `it reaches ${row.projects.length} projects: ${row.projects.slice(0, 4).join(', ')}`
        : 'it reaches no project that is told',
      'its metrics and resources are no longer collected',
    ],
    destructive: true,
    typed: typedName(row ? nameOf(row) : ''),
  }),
  send: (row) => call(deleteProviderB, { account_id: row.id }),
  removes: true,
  done: (row) => `removed ${nameOf(row)}`,
  undo(before) {
    const { client_email, ...rest } = before.attributes;
    return client_email ? [createCall(client_email, rest)] : [];
  },
  command: (row) => callCommand(call(deleteProviderB, { account_id: row.id })),
});

const delegateAction = action<AccountB>({
  id: 'integrations.make-delegate-b',
  key: 'D',
  on: 'list',
  title: 'delegate',
  help: 'make the delegate that a service account must trust; the same one every time',
  uses: [makeDelegate, getDelegate],
  needs: () => delegate,
  confirm: (_, __, { known }) => ({
    question: typeof known === 'string' ? `the delegate is ${known}. Ask for it again?` : 'make the delegate?',
    details: [
      'it is the same one every time and cannot be unmade',
      'let it impersonate the service account on the provider’s side, then n brings that in',
    ],
  }),
  send: () => call(makeDelegate, { body: {} }),
  done: (_, __, answer) =>
    `the delegate is ${emailIn(answer) ?? 'not told'}: let it impersonate the service account, then n`,
  command: () => callCommand(call(makeDelegate, { body: {} })),
});

/** Federated service accounts of provider_b (spec: provider_b v2; contract/integrations.md 3). */
export const accountsB = list<AccountB>({
  id: 'integrations.b',
  title: 'provider_b v2',
  load: () => ({ key: 'provider_b accounts', of: ['provider_b_service_account'], plan: accounts }),
  idOf: (row) => row.id,
  nameOf,
  comparable: (row) => gistOf(row.attributes),
  words: (row) => [...row.projects, ...(row.attributes.account_tags ?? [])].join(' '),
  columns: [
    { id: 'email', title: 'SERVICE ACCOUNT', min: 24, share: 3, max: 60, priority: 1, text: nameOf, sort: nameOf },
    {
      id: 'projects',
      title: 'PROJECTS',
      min: 8,
      align: 'right',
      priority: 1,
      text: (row) => String(row.projects.length),
      tone: (row) => (row.projects.length === 0 ? 'warn' : 'plain'),
      sort: (row) => row.projects.length,
      downwards: true,
    },
    {
      id: 'resources',
      title: 'RESOURCES',
      min: 9,
      priority: 3,
      text: (row) => yesNo(row.attributes.resource_collection_enabled) ?? '',
    },
    {
      id: 'posture',
      title: 'POSTURE',
      min: 7,
      priority: 4,
      text: (row) => yesNo(row.attributes.is_cspm_enabled) ?? '',
    },
    {
      id: 'hosts',
      title: 'HOSTS',
      min: 10,
      share: 2,
      priority: 2,
      text: (row) => (row.attributes.host_filters ?? []).join(' ') || 'all',
      tone: (row) => ((row.attributes.host_filters ?? []).length > 0 ? 'plain' : 'dim'),
    },
  ],
  reads: [listProviderB, getDelegate],
  schema: providerBServiceAccount,
  detail: {
    load: () => delegate,
    tabs: (row, whole: string | undefined, context) => [
      {
        kind: 'lines',
        id: 'account',
        title: 'account',
        lines: [
          ...told(attributesSchema, row.attributes, titles, context),
          gap,
          pair('delegate', whole ?? 'none is told: D makes it', whole ? 'plain' : 'dim'),
          pair('id', row.id),
        ],
      },
      {
        kind: 'lines',
        id: 'projects',
        title: `projects ${row.projects.length}`,
        lines:
          row.projects.length > 0
            ? row.projects.map((it) => text(it))
            : [text('it reaches no project: does it trust the delegate?', 'warn')],
      },
      {
        kind: 'lines',
        id: 'raw',
        title: 'raw',
        lines: rawLines(providerBServiceAccount, { id: row.id, attributes: row.attributes }, context),
      },
    ],
    preview: (row) => [
      head(nameOf(row)),
      ...row.projects.slice(0, 12).map((it) => text(it)),
      ...(row.projects.length === 0 ? [text('reaches no project', 'warn')] : []),
    ],
  },
  actions: [edit, create, remove, delegateAction],
  empty: 'no service account of provider_b: D makes the delegate, n brings an account in',
  command: () => callCommand(call(listProviderB)),
});
