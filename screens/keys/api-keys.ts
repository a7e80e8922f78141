import { getApiKey, listApiKeys } from '../../src/api/api-keys.ts';
import { call } from '../../src/api/endpoint.ts';
import { notOffered } from '../../src/api/plan.ts';
import { type Column, type DetailLine, pair, plainColumn, section } from '../../src/describe/column.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/detail.ts';
import { listOf } from '../../src/describe/kind-list.ts';
import { ageColumn, momentPair, textColumn } from '../../src/describe/standard-columns.ts';
import { yesNo } from '../../src/lib/text.ts';
import {
  type ApiKeyRow,
  apiKeys,
  comparable,
  createAction,
  deleteAction,
  editAction,
  isApiKeyInUse,
} from './api-key-edit.ts';
import {
  keyLines,
  lastFourColumn,
  leaked,
  nameColumn,
  nameSearch,
  readNullableMoment,
  stateColumn,
} from './key-columns.ts';
import { advised } from './problem-advice.ts';
import { personItem, relatedPerson } from './relationships.ts';

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
  load: (query) => advised(apiKeys.load(query), (problem) => (notOffered(problem) ? '. ]: go to API keys v1' : '')),
  every: 60,
  output: () =>
    apiKeys.output({
      more: [
        {
          name: 'creator',
          type: 'object',
          says: '`id` and `name` of who created it',
          value: (row) => personItem(creatorOf(row)),
        },
      ],
    }),
  columns,
  sorted: { by: 'leak', down: true },
  states: [leaked],
  search: nameSearch,
  words: (row) => `${row.attributes.last4} ${creatorOf(row)?.email ?? ''} ${modifierOf(row)?.name ?? ''}`,
  reads: [listApiKeys, getApiKey],
  detail: detailOf(apiKeys, {
    sections: (row, _, context) => [section('key', '', overview(row, context))],
  }),
  comparable,
  actions: [createAction, editAction, deleteAction],
  empty: 'No API keys. n: new key, s: search',
  command: (row) => call(getApiKey, { api_key_id: row.id }),
});
