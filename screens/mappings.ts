import { call } from '../src/api/endpoint.ts';
import { getMapping, listMappings } from '../src/api/mappings.ts';
import { listRoles } from '../src/api/roles.ts';
import { listTeams } from '../src/api/teams.ts';
import { type Column, gap, head, type Line, pair, text } from '../src/describe/column.ts';
import { callCommand } from '../src/describe/command.ts';
import type { Context } from '../src/describe/context.ts';
import { type Detail, list, type Screen } from '../src/describe/screen.ts';
import { stringifyExact } from '../src/lib/json.ts';
import { absolute, age } from '../src/lib/time.ts';
import { createAction, deleteAction, editAction } from './mappings/edit.ts';
import {
  initialSearch,
  loadMappings,
  searchForm,
  searchSays,
  type WholeMapping,
  wholeMapping,
} from './mappings/load.ts';
import { type MappingRow, nameOf } from './mappings/row.ts';

const columns: readonly Column<MappingRow>[] = [
  {
    id: 'key',
    title: 'ATTRIBUTE',
    min: 12,
    share: 1,
    max: 30,
    priority: 1,
    text: (row) => row.key,
    sort: (row) => row.key.toLowerCase(),
  },
  {
    id: 'value',
    title: 'VALUE',
    min: 16,
    share: 2,
    max: 50,
    priority: 1,
    text: (row) => row.value,
    sort: (row) => row.value.toLowerCase(),
  },
  {
    id: 'kind',
    title: 'TO',
    min: 4,
    priority: 2,
    text: (row) => row.target?.kind ?? '?',
    tone: (row) => (row.target?.kind === 'team' ? 'info' : row.target ? 'plain' : 'warn'),
    sort: (row) => row.target?.kind ?? '',
  },
  {
    id: 'target',
    title: 'ROLE OR TEAM',
    min: 14,
    share: 2,
    max: 50,
    priority: 1,
    text: (row) => row.target?.name ?? row.target?.id ?? 'not told',
    tone: (row) => (row.target?.name === undefined ? 'dim' : 'plain'),
    sort: (row) => row.target?.name?.toLowerCase() ?? '',
  },
  {
    id: 'modified',
    title: 'CHANGED',
    min: 7,
    align: 'right',
    priority: 4,
    text: (row, context) => (row.modified === undefined ? '' : age(row.modified, context.now)),
    tone: () => 'dim',
    sort: (row) => row.modified ?? Number.NaN,
    downwards: true,
  },
];

const moment = (label: string, at: number | undefined, context: Context): Line =>
  pair(label, at === undefined ? undefined : absolute(at, context.zone));

function overview(row: MappingRow, context: Context): Line[] {
  return [
    text(
      row.target?.kind === 'team'
        ? 'whoever signs in with this attribute joins the team'
        : 'whoever signs in with this attribute gets the role',
      'dim',
    ),
    gap,
    pair('attribute', row.key),
    pair('value', row.value),
    pair(row.target?.kind ?? 'leads to', row.target?.name ?? row.target?.id),
    ...Object.entries(row.about).flatMap(([label, said]) => (said === '' ? [] : [pair(label, said)])),
    gap,
    moment('created', row.created, context),
    moment('changed', row.modified, context),
    pair('id', row.id),
    ...(row.target ? [pair(`${row.target.kind} id`, row.target.id)] : []),
  ];
}

const detail: Detail<MappingRow> = {
  load: wholeMapping,
  inside: { get: (whole: WholeMapping) => whole.row, set: (whole: WholeMapping, row) => ({ ...whole, row }) },
  tabs: (row, whole: WholeMapping | undefined, context) => [
    { kind: 'lines', id: 'mapping', title: 'mapping', lines: overview(whole?.row ?? row, context) },
    {
      kind: 'lines',
      id: 'raw',
      title: 'raw',
      lines: whole
        ? stringifyExact(whole.raw, 2)
            .split('\n')
            .map((line) => text(line))
        : [text('reading', 'dim')],
    },
  ],
  preview: (row, context) => [head(nameOf(row)), ...overview(row, context)],
};

/** Who gets which role or joins which team, by what the identity provider says (contract/authn-mappings.md). */
export const mappingList = list<MappingRow>({
  id: 'mappings',
  title: 'Mappings',
  load: loadMappings,
  every: 60,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'value', down: false },
  search: { form: searchForm, initial: initialSearch, says: searchSays },
  words: (row) => `${row.target?.id ?? ''} ${Object.values(row.about).join(' ')}`,
  reads: [listMappings, getMapping, listRoles, listTeams],
  detail,
  actions: [createAction, editAction, deleteAction],
  empty: 'no mappings: n makes one, s searches for others',
  command: (row) => callCommand(call(getMapping, { authn_mapping_id: row.id })),
});

/** Screen 5. */
export const mappings: Screen = { id: 'mappings', title: 'Mappings', key: '5', lists: [mappingList] };
