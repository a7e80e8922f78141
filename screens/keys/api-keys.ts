import { createApiKey, deleteApiKey, getApiKey, listApiKeys, updateApiKey } from '../../src/api/api-keys.ts';
import { type AttributesOf, call, isNotOffered } from '../../src/api/endpoint.ts';
import { type Problem, withAdvice } from '../../src/api/problem.ts';
import {
  ageColumn,
  type Column,
  type DetailLine,
  momentPair,
  pair,
  plainColumn,
  section,
  textColumn,
} from '../../src/describe/column.ts';
import type { Context, Person, Source } from '../../src/describe/context.ts';
import { textField, toggleField } from '../../src/describe/field.ts';
import { detailOf, listOf } from '../../src/describe/list-detail.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { yesNo } from '../../src/lib/text.ts';
import { field, toAmount } from '../../src/lib/values.ts';
import {
  type AnyKey,
  keyDeleteAction,
  keyLines,
  keyNameField,
  lastFourColumn,
  leaked,
  leakNotes,
  leakOutput,
  nameColumn,
  nameOfKey,
  nameSearch,
  personOutput,
  readNullableMoment,
  readRelationships,
  relatedPerson,
  saidEnding,
  showingSecret,
  stateColumn,
  withoutSecret,
} from './any-key.ts';

/** The list with advice appended to its problem: what to do instead, as in `; use the list of API keys v1`. */
export const advised = <Row>(source: Source<Row>, advice: (problem: Problem) => string): Source<Row> => ({
  ...source,
  *plan(context) {
    const read = yield* source.plan(context);
    return read.ok ? read : withAdvice(read.problem, advice(read.problem));
  },
});

const include = ['created_by', 'modified_by'] as const;

/** API keys of the current API (docs/contract/keys.md#api-keys). */
export const apiKeys = kind({
  noun: 'API key',
  short: 'key',
  of: ['api_keys', 'users'],
  pages({ search }) {
    const filter = search.text?.trim() ?? '';
    const query = { include: [...include], sort: 'name' };
    return call(listApiKeys, { query: { ...query, ...(filter !== '' && { filter }) } });
  },
  extra({ attributes, relationships }, included) {
    const { created_by, modified_by, leak_information } = relationships ?? {};
    const references = [created_by?.data, modified_by?.data, leak_information?.data];
    return { ...withoutSecret({ ...attributes }), ...readRelationships(relationships, references, included) };
  },
  notes({ rows, meta, asked }) {
    const allowed = toAmount(field(meta, 'max_allowed'));
    const isUnfiltered = !asked.search.text?.trim();
    const isNearLimit = isUnfiltered && allowed && rows.length >= allowed * 0.9;
    return [...leakNotes(rows), ...(isNearLimit ? [`${rows.length} of ${allowed} allowed`] : [])];
  },
  get: (id) => call(getApiKey, { api_key_id: id, query: { include: [...include] } }),
  remove: (id) => call(deleteApiKey, { api_key_id: id }),
  name: (row) => nameOfKey(row),
});

/** A row of the list of API keys. */
export type ApiKeyRow = RowOf<typeof apiKeys>;

/** Whether the key has the last four characters of the API key that this dashboard uses. */
export function isApiKeyInUse({ attributes }: AnyKey, context: Context): boolean {
  const end = context.ends?.apiKey ?? '';
  return end !== '' && attributes.last4 === end;
}

const setting = defineSettings(apiKeys);
const settings = {
  name: setting('name', 'name', keyNameField),
  category: setting(
    'category',
    'category',
    (now, row) =>
      textField('Category', now, {
        ...(row ? {} : { hint: 'Empty = service default' }),
        check: (typed) => typed !== '' || !now || 'Category cannot be removed, only changed',
      }),
    { place: (category) => category || undefined, unknownUntold: true },
  ),
  remote: setting(
    'remote configuration',
    'remote_config_read_enabled',
    (now) => toggleField('Remote configuration', now, 'Agents can read their configuration with this key'),
    { untold: true, omit: 'new', unknownUntold: true },
  ),
};

const edits = editing({
  kind: apiKeys,
  settings,
  uses: [updateApiKey],
  // Attributes that the service sets by itself.
  own: ['created_at', 'modified_at', 'key', 'last4', 'date_last_used', 'used_in_last_24_hours', 'last_used_date'],
  // An update must repeat the name (docs/contract/keys.md#api-keys).
  patch: (id, changes: Partial<AttributesOf<typeof updateApiKey>>, row) =>
    call(updateApiKey, {
      api_key_id: id,
      body: { data: { id, type: 'api_keys', attributes: { name: row.attributes.name ?? '', ...changes } } },
    }),
});

const { comparable } = edits;

/** `n`: a new key; its secret is shown once. */
const createAction = showingSecret(
  edits.make({
    id: 'api-keys.create',
    main: true,
    help: 'Create an API key of the organization; its secret is shown once',
    uses: [createApiKey],
    starts: { remote_config_read_enabled: true },
    create: (attributes: AttributesOf<typeof createApiKey>) =>
      call(createApiKey, { body: { data: { type: 'api_keys', attributes } } }),
    verb: 'Created API key',
    says: saidEnding,
  }),
);

/** `e`: name, category and remote configuration. */
export const editAction = edits.edit({
  id: 'api-keys.edit',
  help: 'Edit name, category and remote configuration',
});

/** `d`: the name is typed first. */
const deleteAction = keyDeleteAction({
  id: 'api-keys.delete',
  kind: apiKeys,
  isInUse: isApiKeyInUse,
});

const { nameOf } = apiKeys;
const creatorOf = (row: ApiKeyRow): Person | undefined => relatedPerson(row, row.relationships?.created_by);
const modifierOf = (row: ApiKeyRow): Person | undefined => relatedPerson(row, row.relationships?.modified_by);

/** When the key was last used: newer deployments answer `date_last_used`, older ones `last_used_date`. */
export function lastUsed({ attributes }: ApiKeyRow): string | null | undefined {
  const { date_last_used, last_used_date } = attributes;
  return date_last_used === undefined ? last_used_date?.timestamp : date_last_used;
}

/** Whether agents may read their configuration with the key, in these words; empty where the service does not say. */
const remoteText = ({ attributes }: ApiKeyRow, on: string, off: string): string => {
  const remote = attributes.remote_config_read_enabled;
  return remote == null ? '' : remote ? on : off;
};

const columns: readonly Column<ApiKeyRow>[] = [
  stateColumn<ApiKeyRow>(isApiKeyInUse),
  { ...nameColumn(nameOf), flex: true },
  lastFourColumn(),
  textColumn({
    id: 'category',
    min: 9,
    max: 20,
    priority: 5,
    text: (row) => row.attributes.category ?? '',
  }),
  plainColumn({
    id: 'remote',
    called: 'remote configuration',
    firsts: ['off first', 'on first'],
    min: 6,
    priority: 6,
    text: (row) => remoteText(row, 'on', 'off'),
    tone: () => 'dim',
    sort: (row) => (row.attributes.remote_config_read_enabled ? 1 : 0),
  }),
  textColumn({
    id: 'creator',
    title: 'CREATED BY',
    min: 12,
    max: 30,
    priority: 4,
    text: (row) => creatorOf(row)?.name ?? '',
  }),
  ageColumn({ id: 'used', min: 7, priority: 3 }, (row) => readNullableMoment(lastUsed(row))),
  ageColumn({ id: 'created', min: 7, priority: 7 }, (row) => readNullableMoment(row.attributes.created_at)),
];

function overview(row: ApiKeyRow, context: Context): readonly DetailLine[] {
  const { category, created_at, modified_at } = row.attributes;
  const revealHint = `to show it: orgdeck call ${getApiKey.id} --api_key_id ${row.id} --reveal`;
  return [
    ...keyLines(row, isApiKeyInUse(row, context), context),
    pair('Category', category),
    pair('Remote configuration', remoteText(row, 'yes', 'no')),
    momentPair('Last used', readNullableMoment(lastUsed(row)), context),
    pair('Used in 24 h', yesNo(row.attributes.used_in_last_24_hours)),
    momentPair('Created', readNullableMoment(created_at), context),
    pair('Created by', creatorOf(row)?.name),
    momentPair('Updated', readNullableMoment(modified_at), context),
    pair('Updated by', modifierOf(row)?.name),
    ...(row.secret ? [pair('Secret', revealHint, 'dim')] : []),
    pair('ID', row.id),
  ];
}

/** API keys of the current API (docs/contract/keys.md#api-keys). */
export const apiKeyList = listOf(apiKeys, {
  id: 'api-keys',
  title: 'API keys',
  load: (query) =>
    advised(apiKeys.load(query), (problem) => (isNotOffered(problem) ? '; use the list of API keys v1' : '')),
  every: 60,
  output: () =>
    apiKeys.output({ more: [leakOutput, personOutput('creator', '`id` and `name` of who created it', creatorOf)] }),
  columns,
  sorted: { by: 'leak', down: true },
  states: [leaked],
  search: nameSearch,
  words: (row) => `${row.attributes.last4 ?? ''} ${creatorOf(row)?.email ?? ''} ${modifierOf(row)?.name ?? ''}`,
  reads: [listApiKeys, getApiKey],
  detail: detailOf(apiKeys, {
    sections: (row, _, context) => [section('key', '', overview(row, context))],
  }),
  comparable,
  actions: [createAction, editAction, deleteAction],
  empty: 'No API keys. n: new key, s: search',
  command: (row) => call(getApiKey, { api_key_id: row.id }),
});
