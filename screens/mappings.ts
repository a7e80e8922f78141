import { getMapping, listMappings, listTeams } from '../src/api/authn-mappings.ts';
import { listRoles } from '../src/api/roles.ts';
import {
  ageColumn,
  type Column,
  type DetailLine,
  gap,
  momentPair,
  outputField,
  pair,
  section,
  textColumn,
  textLine,
} from '../src/describe/column.ts';
import type { Context } from '../src/describe/context.ts';
import { detailOf, listOf, unreadLines } from '../src/describe/list-detail.ts';
import type { Screen } from '../src/describe/screen.ts';
import { readMoment } from '../src/lib/time.ts';
import { items, toAmount, toWord } from '../src/lib/values.ts';
import { comparable, createAction, deleteAction, editAction } from './mappings/edit.ts';
import {
  keptMapping,
  loadMappings,
  type MappingRow,
  mappingKind,
  mappingSearch,
  mappingTarget,
} from './mappings/kind.ts';

const attributeKey = (row: MappingRow): string => row.attributes.attribute_key ?? '';
const attributeValue = (row: MappingRow): string => row.attributes.attribute_value ?? '';
const changedAt = (row: MappingRow): number | undefined => readMoment(row.attributes.modified_at);

const columns: readonly Column<MappingRow>[] = [
  textColumn({
    id: 'key',
    title: 'ATTRIBUTE',
    min: 12,
    max: 30,
    priority: 1,
    text: attributeKey,
  }),
  textColumn({
    id: 'value',
    min: 16,
    max: 50,
    priority: 1,
    text: attributeValue,
  }),
  {
    id: 'kind',
    title: 'TO',
    called: 'role or team',
    min: 4,
    priority: 2,
    text: (row) => mappingTarget(row)?.kind ?? '?',
    tone(row) {
      const target = mappingTarget(row);
      return target?.kind === 'team' ? 'info' : target ? 'plain' : 'warn';
    },
    sort: (row) => mappingTarget(row)?.kind ?? '',
  },
  {
    id: 'target',
    title: 'ROLE OR TEAM',
    called: 'name of the role or team',
    min: 14,
    flex: true,
    priority: 1,
    text(row) {
      const target = mappingTarget(row);
      return target?.name ?? target?.id ?? 'unknown';
    },
    tone: (row) => (mappingTarget(row)?.name === undefined ? 'dim' : 'plain'),
    sort: (row) => mappingTarget(row)?.name?.toLowerCase() ?? '',
  },
  ageColumn({ id: 'modified', title: 'UPDATED', min: 7, priority: 4 }, changedAt),
];

const countText = (value: unknown): string =>
  toWord(value) === '' ? '' : String(toAmount(value) ?? `not a number: ${toWord(value)}`);

/** What is known of the role or team. */
function targetLines(row: MappingRow): readonly DetailLine[] {
  const target = mappingTarget(row);
  if (!target) return [];
  const { handle, summary, avatar, banner, user_count, link_count, managed, receives_permissions_from } = target.about;
  const details: readonly (readonly [string, string])[] =
    target.kind === 'team'
      ? [
          ['Handle', toWord(handle)],
          ['Summary', toWord(summary)],
          ['Avatar', toWord(avatar)],
          ['Banner', toWord(banner)],
          ['Members', countText(user_count)],
          ['Links', countText(link_count)],
        ]
      : [
          ['Users', countText(user_count)],
          ['Built-in', toWord(managed) === 'true' ? 'yes' : ''],
          ['Inherits from', items(receives_permissions_from).map(toWord).join(', ')],
        ];
  return details.flatMap(([label, detail]) => (detail === '' ? [] : pair(label, detail)));
}

function overview(row: MappingRow, context: Context): readonly DetailLine[] {
  const target = mappingTarget(row);
  return [
    textLine(
      target?.kind === 'team' ? 'Users with this attribute join the team' : 'Users with this attribute get the role',
      'dim',
    ),
    gap,
    pair('Attribute', attributeKey(row)),
    pair('Value', attributeValue(row)),
    pair(target?.kind === 'team' ? 'Team' : target ? 'Role' : 'Grants', target?.name ?? target?.id),
    ...targetLines(row),
    gap,
    momentPair('Created', readMoment(row.attributes.created_at), context),
    momentPair('Updated', changedAt(row), context),
    pair('ID', row.id),
    ...(target ? [pair(target.kind === 'team' ? 'Team ID' : 'Role ID', target.id)] : []),
    pair('Attribute ID', row.attributes.saml_assertion_attribute_id),
    ...unreadLines(row),
  ];
}

/** What Enter shows of a mapping. */
const detail = detailOf(mappingKind, {
  sections: (row, _, context) => [section('mapping', '', overview(row, context))],
});

/** Which role or team a person gets at sign-in, by the attributes of the identity provider (docs/contract/authn-mappings.md). */
export const mappingList = listOf(mappingKind, {
  id: 'mappings',
  title: 'Mappings',
  load: loadMappings,
  every: 60,
  output: () =>
    mappingKind.output({
      more: [
        outputField('target', 'text', 'role or team', (row) => mappingTarget(row)?.kind),
        outputField('target_id', 'id', 'id of the role or team', (row) => mappingTarget(row)?.id),
        outputField('target_name', 'text', 'name of the role or team', (row) => mappingTarget(row)?.name),
      ],
    }),
  columns,
  sorted: { by: 'value', down: false },
  search: mappingSearch,
  words(row) {
    const { id = '', about } = mappingTarget(row) ?? {};
    return [id, toWord(about?.handle), toWord(about?.summary)].join(' ');
  },
  reads: [listMappings, getMapping, listRoles, listTeams],
  detail,
  comparable,
  actions: [createAction, editAction, deleteAction],
  kept: keptMapping,
  empty: 'No mappings. n: new mapping, s: search',
});

/** Screen 5. */
export const mappings: Screen = { id: 'mappings', title: 'Mappings', key: '5', lists: [mappingList] };
