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
import {
  ageColumn,
  type Column,
  type DetailLine,
  momentPair,
  outputField,
  pair,
  section,
  textColumn,
} from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/list-detail.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { list } from '../../src/describe/screen.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { digest } from '../../src/lib/text.ts';
import {
  keyDeleteAction,
  keyLines,
  keyNameField,
  lastFourColumn,
  nameColumn,
  nameOfKey,
  readNullableMoment,
  saidEnding,
  showingSecret,
  stateColumn,
} from './any-key.ts';
import { advised, isApiKeyInUse } from './api-keys.ts';

type OneKey = ResponseOf<typeof getApiKeyV1>;
type ManyKeys = ResponseOf<typeof listApiKeysV1>;

/**
 * A key of an answer as a resource. The v1 API identifies a key by its secret alone, so a digest of the secret is the id;
 * a key without a secret has none and is left out.
 */
function resourceOf(key: OneKey['api_key']) {
  const secret = key?.key?.trim() ?? '';
  // Four characters of a short secret would give away too much of it.
  const last4 = secret.length >= 16 ? secret.slice(-4) : '';
  return {
    id: secret === '' ? undefined : digest(secret),
    attributes: { ...key, key: masked(secret), last4 },
    secret: () => secret,
  };
}

/** API keys of the v1 API (docs/contract/keys.md#api-keys-of-v1). */
export const apiKeysV1 = kind({
  noun: 'API key',
  short: 'key',
  key: 'API key v1',
  of: ['api_keys'],
  list: () => call(listApiKeysV1),
  bareList: (answer) => ({ data: ((answer as ManyKeys).api_keys ?? []).map(resourceOf) }),
  extra: ({ secret }) => ({ secret }),
  get: (_, row) => call(getApiKeyV1, { key: secretOf(row) }),
  bare: (answer) => ({ data: resourceOf((answer as OneKey).api_key) }),
  remove: (_, row) => call(deleteApiKeyV1, { key: secretOf(row) }),
  notes: ({ context }) =>
    context.offered(listApiKeys.id) ? ['the same keys over the v1 API, which does not report leaks'] : [],
  name: (row) => nameOfKey(row),
});

/** A row of the list of v1 keys. */
export type ApiKeyV1Row = RowOf<typeof apiKeysV1>;

const secretOf = (row: { secret(): string } | undefined): string => row?.secret() ?? '';

const { nameOf } = apiKeysV1;
const setting = defineSettings(apiKeysV1);
const settings = { name: setting('name', 'name', keyNameField) };
const ignored = 'the service ignores it';
const edits = editing({
  kind: apiKeysV1,
  settings,
  uses: [updateApiKeyV1],
  fixed: { created: ignored, created_by: ignored, key: ignored },
  patch: (_, { name = '' }: { readonly name?: string }, row) =>
    call(updateApiKeyV1, { key: secretOf(row), body: { name } }),
});

const renameAction = edits.edit({
  id: 'api-keys.edit-v1',
  title: 'rename',
  help: 'Rename the key; the v1 API edits nothing else',
  reviews: false,
});

const createAction = showingSecret(
  edits.make({
    id: 'api-keys.create-v1',
    help: 'Create an API key over the v1 API; its secret is shown once',
    uses: [createApiKeyV1],
    create: ({ name }: { readonly name: string }) => call(createApiKeyV1, { body: { name } }),
    verb: 'Created API key',
    says: saidEnding,
  }),
  'Anyone with this secret can send data as the organization. Store it in a password manager',
);

const deleteAction = keyDeleteAction({
  id: 'api-keys.delete-v1',
  kind: apiKeysV1,
  isInUse: isApiKeyInUse,
});

// This API does not report leaks, so there is nothing to sort by, and of a key that is not in use nothing is known.
const { sort: _, ...stateColumnUnsorted } = stateColumn<ApiKeyV1Row>(isApiKeyInUse);
const stateUnknown: Column<ApiKeyV1Row> = {
  ...stateColumnUnsorted,
  text: (row, context) => stateColumnUnsorted.text(row, context) || '–',
  says: (row, context) => stateColumnUnsorted.text(row, context) || 'leak unknown',
  tone: (row, context) => (isApiKeyInUse(row, context) ? 'info' : 'dim'),
};

const columns: readonly Column<ApiKeyV1Row>[] = [
  stateUnknown,
  { ...nameColumn(nameOf), flex: true },
  lastFourColumn(),
  textColumn({
    id: 'creator',
    title: 'CREATED BY',
    min: 14,
    max: 40,
    priority: 3,
    text: (row) => row.attributes.created_by ?? '',
  }),
  ageColumn({ id: 'created', min: 7, priority: 4 }, (row) => readNullableMoment(row.attributes.created)),
];

const overview = (row: ApiKeyV1Row, context: Context): readonly DetailLine[] => [
  ...keyLines(row, isApiKeyInUse(row, context), context),
  momentPair('Created', readNullableMoment(row.attributes.created), context),
  pair('Created by', row.attributes.created_by),
  pair('Secret', 'hidden: the v1 API uses it as the ID of the key', 'dim'),
];

/** Kinds of problems after which the other API may still answer. */
const useOtherApi = ['forbidden', 'notFound', 'notOffered'];

/** API keys of the v1 API, for deployments without the current one (docs/contract/keys.md#api-keys-of-v1). */
export const apiKeyV1List = list<ApiKeyV1Row>({
  id: 'api-keys-v1',
  title: 'API keys v1',
  load: (query) =>
    advised(apiKeysV1.load(query), ({ kind }) =>
      useOtherApi.includes(kind) ? ': some deployments switch the v1 API off; use the list of API keys' : '',
    ),
  every: 60,
  idOf: (row) => row.id,
  nameOf,
  output: () => ({
    fields: [
      outputField('last4', 'text', 'the last four characters', (row) => row.attributes.last4),
      outputField('created_at', 'time', 'when it was created', (row) => row.attributes.created),
      outputField('created_by', 'text', 'who created it', (row) => row.attributes.created_by),
    ],
  }),
  columns,
  sorted: { by: 'name', down: false },
  words: (row) => `${row.attributes.last4} ${row.attributes.created_by ?? ''}`,
  reads: [listApiKeysV1, getApiKeyV1],
  detail: detailOf(apiKeysV1, {
    sections: (row, _, context) => [section('key', '', overview(row, context))],
  }),
  comparable: edits.comparable,
  actions: [renameAction, createAction, deleteAction],
  empty: 'No API keys',
  command: (row) => call(getApiKeyV1, { key: secretOf(row) }),
});
