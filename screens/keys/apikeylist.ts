import { getApiKey, listApiKeys } from '../../src/api/apikeys.ts';
import { call } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { hideSecrets } from '../../src/api/secrets.ts';
import { type Column, head, type Line, pair, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { everyPage, pageSize } from '../../src/describe/pages.ts';
import { type Detail, type ListQuery, list, type Rows, type Single, type Source } from '../../src/describe/screen.ts';
import { field, items, word } from '../../src/lib/loose.ts';
import { type ApiKeyRow, isApiKeyInUse, readApiKey } from './apikey.ts';
import { apiKeyActions } from './apikeyedit.ts';
import {
  ageColumn,
  endColumn,
  ending,
  leakLines,
  momentPair,
  nameColumn,
  nameSearch,
  rawLines,
  stateColumn,
} from './shared.ts';

const people = ['created_by', 'modified_by'] as const;

function load({ search }: ListQuery): Source<ApiKeyRow> {
  const filter = search.text?.trim() ?? '';
  const asked = { include: [...people], sort: 'name', ...(filter === '' ? {} : { filter }) };
  return {
    key: `api keys ${filter}`,
    of: ['api_keys', 'users'],
    *plan(): Plan<Result<Rows<ApiKeyRow>>, Rows<ApiKeyRow>> {
      const read = yield* everyPage({
        page: (number) => call(listApiKeys, { query: { ...asked, 'page[size]': pageSize, 'page[number]': number } }),
        rows: ({ items: all, included }) => all.map((it) => readApiKey(it, included)).filter((it) => it !== undefined),
        notes({ items: all, meta }) {
          const leaked = all.filter((it) => readApiKey(it)?.leak).length;
          const most = Number(word(field(meta, 'max_allowed')));
          return [
            ...(leaked === 0 ? [] : [`${leaked} LEAKED: delete and replace`]),
            ...(filter === '' && most > 0 && all.length >= most * 0.9 ? [`${all.length} of at most ${most}`] : []),
          ];
        },
      });
      if (read.ok || !notOffered(read.problem)) return read;
      return { ok: false, problem: { ...read.problem, text: `${read.problem.text}: ] goes on to API keys v1` } };
    },
  };
}

interface Whole {
  readonly row: ApiKeyRow;
  readonly raw: unknown;
  readonly tells: boolean;
}

function wholeApiKey(row: ApiKeyRow): Single<Whole> {
  return {
    key: `api key ${row.id}`,
    of: ['api_keys', 'users'],
    *plan(): Plan<Result<Whole>> {
      const answer = yield* ask(call(getApiKey, { api_key_id: row.id, query: { include: [...people] } }));
      if (!answer.ok) return answer;
      const { value, count } = hideSecrets(answer.value, getApiKey.secrets);
      const read = readApiKey(field(value, 'data'), items(field(value, 'included')));
      return { ...answer, value: { row: read ?? row, raw: field(value, 'data'), tells: count > 0 } };
    },
  };
}

const columns: readonly Column<ApiKeyRow>[] = [
  stateColumn<ApiKeyRow>(isApiKeyInUse),
  nameColumn(),
  endColumn(),
  {
    id: 'category',
    title: 'CATEGORY',
    min: 9,
    share: 1,
    max: 20,
    priority: 5,
    text: (row) => row.category,
    sort: (row) => row.category,
  },
  {
    id: 'remote',
    title: 'REMOTE',
    min: 6,
    priority: 6,
    text: (row) => (row.remote === undefined ? '' : row.remote ? 'on' : 'off'),
    tone: () => 'dim',
    sort: (row) => (row.remote ? 1 : 0),
  },
  {
    id: 'creator',
    title: 'CREATED BY',
    min: 12,
    share: 1,
    max: 30,
    priority: 4,
    text: (row) => row.creator?.name ?? '',
    sort: (row) => row.creator?.name.toLowerCase() ?? '',
  },
  ageColumn({ id: 'used', title: 'USED', priority: 3 }, (row) => row.used),
  ageColumn({ id: 'created', title: 'CREATED', priority: 7 }, (row) => row.created),
];

function overview(row: ApiKeyRow, context: Context, whole?: Whole): Line[] {
  const again = `the service shows it again: orgdeck call ${getApiKey.id} --api_key_id ${row.id} --reveal`;
  return [
    ...leakLines(row.leak, context),
    ...(isApiKeyInUse(row, context) ? [text('it ends like the key that this dashboard uses', 'info')] : []),
    pair('ends in', ending(row.last4)),
    pair('category', row.category),
    pair('remote configuration', row.remote === undefined ? undefined : row.remote ? 'may read it' : 'may not read it'),
    momentPair('last used', row.used, context),
    momentPair('created', row.created, context),
    pair('created by', row.creator?.name),
    momentPair('modified', row.modified, context),
    pair('modified by', row.modifier?.name),
    ...(whole?.tells ? [pair('secret', again, 'dim')] : []),
    pair('id', row.id),
  ];
}

const detail: Detail<ApiKeyRow> = {
  load: wholeApiKey,
  inside: { get: (whole: Whole) => whole.row, set: (whole: Whole, row) => ({ ...whole, row }) },
  tabs: (row, whole: Whole | undefined, context) => [
    { kind: 'lines', id: 'key', title: 'key', lines: overview(whole?.row ?? row, context, whole) },
    { kind: 'lines', id: 'raw', title: 'raw', lines: rawLines(whole?.raw) },
  ],
  preview: (row, context) => [head(row.name), ...overview(row, context)],
};

/** API keys of the modern form (contract/keys.md 5.1). */
export const apiKeys = list<ApiKeyRow>({
  id: 'api-keys',
  title: 'API keys',
  load,
  every: 60,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns,
  sorted: { by: 'leak', down: true },
  search: nameSearch,
  words: (row) => `${row.last4} ${row.creator?.email ?? ''} ${row.modifier?.name ?? ''}`,
  reads: [listApiKeys, getApiKey],
  detail,
  actions: apiKeyActions,
  empty: 'no API keys with this name: s searches for another',
  command: (row) => callCommand(call(getApiKey, { api_key_id: row.id })),
});
