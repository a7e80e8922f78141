import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import {
  createProviderA,
  deleteProviderA,
  filterProviderA,
  listProviderA,
  providerAAccount,
  updateProviderA,
} from '../../src/api/provider-a.ts';
import { action } from '../../src/describe/action.ts';
import { gap, head, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { list } from '../../src/describe/screen.ts';
import { type AccountA, accounts, excludedOf, named, nameOf, titles } from './accounta.ts';
import {
  faultLines,
  filterField,
  gistOf,
  gravity,
  health,
  otherwise,
  rawLines,
  told,
  typedName,
  words,
  yesNo,
} from './common.ts';
import { type Reread, readingAfter, receipt } from './pairs.ts';
import {
  changesOf,
  changing,
  createCall,
  creating,
  editFields,
  isOneWay,
  newFields,
  restoreCall,
  setsUntold,
  updateCall,
  withValues,
} from './writea.ts';

type Answer = Reread<AccountA> | undefined;

const edit = action({
  id: 'integrations.edit-a',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'identity, secret, filters and what is collected; everything is sent, the difference is shown before',
  uses: [updateProviderA, listProviderA],
  bulk: false,
  reviews: true,
  enabled: named,
  form: (row: AccountA) => editFields(row),
  confirm([row], values) {
    const details = [
      ...(values.secret ? ['the client secret that is there now cannot be brought back'] : []),
      ...(row && setsUntold(values, row.attributes) ? ['which providers are without metrics now is not told'] : []),
      ...(values.resources === false && row?.attributes.cspm_enabled
        ? ['security posture scanning ends with resource collection, which it needs']
        : []),
    ];
    const name = row ? nameOf(row) : 'the account';
    const back = row && isOneWay(values, row.attributes) ? 'This cannot be taken back.' : 'u takes it back.';
    return details.length > 0 ? { question: `change ${name}? ${back}`, details } : undefined;
  },
  send: (row, values) => changing(row, values),
  show: (row, values) => withValues(row, values),
  truth: (row, answer) => (answer as Answer)?.row ?? row,
  made: (answer) => (answer as Answer)?.made,
  done: (row, values, answer) =>
    receipt(
      `saved ${nameOf((answer as Answer)?.row ?? row)}${otherwise((answer as Answer)?.row?.attributes, changesOf(values, row.attributes), titles)}`,
      answer,
    ),
  undo: (before, values, answer) => (isOneWay(values, before.attributes) ? [] : [restoreCall(before, values, answer)]),
  command: (row, values) => callCommand(updateCall(row, values)),
});

const create = action({
  id: 'integrations.create-a',
  key: 'n',
  on: 'list',
  title: 'new',
  help: 'bring in another tenant; its client secret is sent once and never shown again',
  uses: [createProviderA, deleteProviderA, listProviderA],
  form: (_row: AccountA) => newFields(),
  send: (_, values) => creating(values),
  made: (answer) => (answer as Answer)?.made,
  done: (_, values, answer) =>
    receipt(
      `added ${values.tenant}${otherwise((answer as Answer)?.row?.attributes, changesOf(values), titles)}; the service tries its credentials in a while`,
      answer,
    ),
  undo: (_, values, answer) =>
    (answer as Answer)?.made === undefined
      ? []
      : [call(deleteProviderA, { body: { tenant_name: values.tenant, client_id: values.client } })],
  command: (_, values) => callCommand(createCall(values)),
});

const hostsCall = ({ attributes }: AccountA, filters: string) =>
  call(filterProviderA, {
    body: {
      tenant_name: attributes.tenant_name,
      client_id: attributes.client_id,
      host_filters: words(filters).join(','),
    },
  });

const hosts = action({
  id: 'integrations.filter-a',
  key: 'f',
  title: 'hosts',
  help: 'which hosts are brought in, by tag',
  uses: [filterProviderA, listProviderA],
  bulk: false,
  enabled: named,
  form: (row: AccountA) => ({ hosts: filterField('hosts', row.attributes.host_filters) }),
  send: (row, values) => readingAfter(hostsCall(row, values.hosts), accounts, row.id),
  show: (row, values) => ({ ...row, attributes: { ...row.attributes, host_filters: words(values.hosts).join(',') } }),
  truth: (row, answer) => (answer as Answer)?.row ?? row,
  done(row, values, answer) {
    const filters = (answer as Answer)?.row?.attributes.host_filters ?? words(values.hosts).join(',');
    return receipt(`${nameOf(row)} brings in ${filters === '' ? 'all hosts' : `hosts with ${filters}`}`, answer);
  },
  undo: (before) => [hostsCall(before, before.attributes.host_filters ?? '')],
  command: (row, values) => callCommand(hostsCall(row, values.hosts)),
});

const deleteCall = ({ attributes }: AccountA) =>
  call(deleteProviderA, {
    body: { tenant_name: attributes.tenant_name ?? '', client_id: attributes.client_id ?? '' },
  });

const remove = action<AccountA>({
  id: 'integrations.delete-a',
  key: 'd',
  title: 'delete',
  help: 'take the account out; its secret is needed to bring it back',
  uses: [deleteProviderA],
  bulk: false,
  enabled: named,
  confirm: ([row]) => ({
    question: `remove ${row ? nameOf(row) : 'the account'}?`,
    details: [
      `client ${row?.attributes.client_id ?? ''}`,
      'its metrics and resources are no longer collected',
      'it cannot be brought back without its client secret',
    ],
    destructive: true,
    typed: typedName(row ? nameOf(row) : ''),
  }),
  send: (row) => deleteCall(row),
  removes: true,
  done: (row) => `removed ${nameOf(row)}`,
  command: (row) => callCommand(deleteCall(row)),
});

/** Accounts of provider_a (spec: provider_a account; contract/integrations.md 1). */
export const accountsA = list<AccountA>({
  id: 'integrations.a',
  title: 'provider_a',
  load: () => ({ key: 'provider_a accounts', of: ['provider_a_account'], plan: accounts }),
  idOf: (row) => row.id,
  nameOf,
  columns: [
    {
      id: 'state',
      title: 'STATE',
      min: 9,
      priority: 1,
      text: (row) => health(row.attributes).text,
      tone: (row) => health(row.attributes).tone,
      sort: (row) => gravity(row.attributes),
      downwards: true,
    },
    { id: 'tenant', title: 'TENANT', min: 20, share: 6, max: 36, priority: 1, text: nameOf, sort: nameOf },
    {
      id: 'hosts',
      title: 'HOSTS',
      min: 10,
      share: 2,
      max: 60,
      priority: 2,
      text: (row) => row.attributes.host_filters || 'all',
      tone: (row) => (row.attributes.host_filters ? 'plain' : 'dim'),
    },
    {
      id: 'resources',
      title: 'RESOURCES',
      min: 9,
      priority: 3,
      text: (row) => yesNo(row.attributes.resource_collection_enabled) ?? '',
    },
    { id: 'posture', title: 'POSTURE', min: 7, priority: 4, text: (row) => yesNo(row.attributes.cspm_enabled) ?? '' },
    {
      id: 'client',
      title: 'CLIENT',
      min: 14,
      share: 3,
      max: 36,
      priority: 5,
      text: (row) => row.attributes.client_id ?? '',
      tone: () => 'dim',
    },
  ],
  sorted: { by: 'state', down: true },
  words: (row) => faultWords(row),
  comparable: (row) => gistOf(row.attributes),
  reads: [listProviderA],
  schema: v.looseObject({ attributes: providerAAccount }),
  detail: {
    tabs: (row, _, context) => [
      {
        kind: 'lines',
        id: 'account',
        title: 'account',
        lines: [...atTop(row), ...told(providerAAccount, shownOf(row), titles, context)],
      },
      { kind: 'lines', id: 'raw', title: 'raw', lines: rawLines(providerAAccount, row.attributes, context) },
    ],
    preview: (row) => [
      head(nameOf(row)),
      ...faultLines(row.attributes),
      text(`client: ${row.attributes.client_id ?? 'not told'}`),
      text(`hosts: ${row.attributes.host_filters || 'all'}`),
    ],
  },
  actions: [edit, create, hosts, remove],
  empty: 'no account of provider_a is configured: n adds one',
  command: () => callCommand(call(listProviderA)),
});

/** The attributes with the one list that `metrics_config` is about; the raw tab has the whole of it. */
const shownOf = ({ attributes }: AccountA) => ({
  ...attributes,
  metrics_config: excludedOf(attributes) ?? attributes.metrics_config,
});

const faultWords = (row: AccountA): string =>
  faultLines(row.attributes)
    .map((it) => (it.kind === 'text' ? it.text : ''))
    .join(' ');

function atTop(row: AccountA) {
  const lines = faultLines(row.attributes);
  return lines.length > 0 ? [...lines, gap] : [];
}
