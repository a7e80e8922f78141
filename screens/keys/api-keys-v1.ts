import {
  createApiKeyV1,
  deleteApiKeyV1,
  getApiKeyV1,
  listApiKeys,
  listApiKeysV1,
  updateApiKeyV1,
} from '../../src/api/api-keys.ts';
import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { masked } from '../../src/api/secrets.ts';
import { type Column, head, type Line, pair } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/detail.ts';
import { differenceText } from '../../src/describe/edit-receipt.ts';
import { textField } from '../../src/describe/field.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { list } from '../../src/describe/screen.ts';
import { settingsOf } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { digest } from '../../src/lib/digest.ts';
import { advised } from './advice.ts';
import { isApiKeyInUse } from './api-key-edit.ts';
import {
  ageColumn,
  endColumn,
  ending,
  firstLines,
  momentOf,
  momentPair,
  nameColumn,
  stateColumn,
} from './key-columns.ts';
import { deletingKey } from './key-delete.ts';
import { madeSay, newSecret } from './secret.ts';

type One = ResponseOf<typeof getApiKeyV1>;
type Many = ResponseOf<typeof listApiKeysV1>;

/**
 * An object of an answer as a resource. In this form the secret is the key's only name, so a row is known by a digest of
 * it; a key without it is none.
 */
function toldBy(key: One['api_key']) {
  const secret = key?.key?.trim() ?? '';
  // Of a short one, four characters would be a good part.
  const last4 = secret.length >= 16 ? secret.slice(-4) : '';
  return {
    id: secret === '' ? undefined : digest(secret),
    attributes: { ...key, key: masked(secret), last4 },
    secret: () => secret,
  };
}

/** API keys of the first form (contract/keys.md 5.2). */
export const apiKeysV1 = kind({
  noun: 'API key',
  short: 'key',
  key: 'API key v1',
  of: ['api_keys'],
  list: () => call(listApiKeysV1),
  bareList: (answer) => ({ data: ((answer as Many).api_keys ?? []).map(toldBy) }),
  extra: ({ secret }) => ({ secret }),
  get: (_, row) => call(getApiKeyV1, { key: secretOf(row) }),
  bare: (answer) => ({ data: toldBy((answer as One).api_key) }),
  remove: (_, row) => call(deleteApiKeyV1, { key: secretOf(row) }),
  notes: ({ context }) =>
    context.offered(listApiKeys.id)
      ? ['the first form of the same keys: of use only where the tab API keys is not offered']
      : [],
  name: ({ attributes }) => attributes.name || `key ${ending(attributes.last4)}`.trim(),
});

export type ApiKeyV1Row = RowOf<typeof apiKeysV1>;

const secretOf = (row: { secret(): string } | undefined): string => row?.secret() ?? '';

const { nameOf } = apiKeysV1;
const setting = settingsOf(apiKeysV1);
const settings = {
  name: setting('name', 'name', (now) =>
    textField('name', now, { required: true, hint: 'what will send with it, and from where' }),
  ),
};
const kept = 'the service accepts it and ignores it';
const edits = editing({
  kind: apiKeysV1,
  settings,
  uses: [updateApiKeyV1],
  fixed: { created: kept, created_by: kept, key: kept },
  patch: (_, { name = '' }: { readonly name?: string }, row) =>
    call(updateApiKeyV1, { key: secretOf(row), body: { name } }),
});

const renameAction = edits.edit({
  id: 'api-keys.rename-v1',
  title: 'rename',
  help: 'another name; nothing else of a key can be changed in this form',
  reviews: false,
  done: (_, __, { before, asked, now }, context) =>
    `renamed ${nameOf(before)} to ${nameOf(asked)}${differenceText({ kind: apiKeysV1, settings }, before, asked, now, context)}`,
});

const createAction = edits.make({
  id: 'api-keys.create-v1',
  help: 'a new API key of the organisation; its secret is shown once',
  uses: [createApiKeyV1],
  create: ({ name }: { readonly name: string }) => call(createApiKeyV1, { body: { name } }),
  done: (_, __, made) => madeSay(apiKeysV1, made),
  secret: (made) =>
    newSecret(made, 'whoever has it may send as the organisation: it belongs into a safe place and nowhere else'),
});

const deleteAction = deletingKey({
  id: 'api-keys.delete-v1',
  kind: apiKeysV1,
  help: 'whatever sends with it is refused from then on; the name is typed first',
  isInUse: isApiKeyInUse,
});

const columns: readonly Column<ApiKeyV1Row>[] = [
  { ...stateColumn<ApiKeyV1Row>(isApiKeyInUse), sort: undefined },
  nameColumn(nameOf),
  endColumn(),
  {
    id: 'creator',
    title: 'CREATED BY',
    min: 14,
    share: 2,
    max: 40,
    priority: 3,
    text: (row) => row.attributes.created_by ?? '',
    sort: (row) => row.attributes.created_by ?? '',
  },
  ageColumn({ id: 'created', title: 'CREATED', priority: 4 }, (row) => momentOf(row.attributes.created)),
];

const overview = (row: ApiKeyV1Row, context: Context): readonly Line[] => [
  ...firstLines(row, isApiKeyInUse(row, context), context),
  momentPair('created', row.attributes.created, context),
  pair('created by', row.attributes.created_by),
  pair('secret', 'not shown: in this form it is also what the service calls the key', 'dim'),
];

const elsewhere = ['forbidden', 'notFound', 'notOffered'];

/** API keys of the first form, for deployments without the modern one (contract/keys.md 5.2). */
export const apiKeyV1List = list<ApiKeyV1Row>({
  id: 'api-keys-v1',
  title: 'API keys v1',
  load: (asked) =>
    advised(apiKeysV1.load(asked), ({ kind }) =>
      elsewhere.includes(kind) ? ': this form is switched off on some deployments, [ goes back to API keys' : '',
    ),
  every: 60,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'name', down: false },
  words: (row) => `${row.attributes.last4} ${row.attributes.created_by ?? ''}`,
  reads: [listApiKeysV1, getApiKeyV1],
  detail: detailOf(apiKeysV1, {
    tabs: (row, _, context) => [{ kind: 'lines', id: 'key', title: 'key', lines: overview(row, context) }],
    preview: (row, context) => [head(nameOf(row)), ...overview(row, context)],
  }),
  comparable: edits.comparable,
  actions: [renameAction, createAction, deleteAction],
  empty: 'no API keys',
  command: (row) => callCommand(call(getApiKeyV1, { key: secretOf(row) })),
});
