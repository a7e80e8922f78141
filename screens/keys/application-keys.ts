import { getOrgKey, getOwnKey, listOrgKeys, listOwnKeys } from '../../src/api/application-keys.ts';
import { call } from '../../src/api/endpoint.ts';
import { listPermissions } from '../../src/api/roles.ts';
import { listUsers } from '../../src/api/users.ts';
import { type Column, gap, head, type Line, pair, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/detail.ts';
import { pickField } from '../../src/describe/field.ts';
import { peopleSource, shortPersonName } from '../../src/describe/people.ts';
import { type List, list } from '../../src/describe/screen.ts';
import {
  type AppKeyRow,
  type Door,
  isKeyInUse,
  org,
  orgActions,
  own,
  ownActions,
  scopesSay,
} from './application-key-edit.ts';
import {
  ageColumn,
  endColumn,
  firstLines,
  keyName,
  momentOf,
  momentPair,
  nameColumn,
  nameSearch,
  stateColumn,
} from './key-columns.ts';
import { personIn } from './related.ts';

/** Absent in the caller's own list. */
const ownerOf = (row: AppKeyRow): Person | undefined => personIn(row, row.relationships?.owned_by);

const ownerColumn: Column<AppKeyRow> = {
  id: 'owner',
  title: 'OWNER',
  min: 12,
  share: 1,
  max: 30,
  priority: 3,
  text(row, context) {
    const owner = ownerOf(row);
    return owner && owner.id === context.me?.id ? 'you' : (owner?.name ?? '');
  },
  sort: (row) => ownerOf(row)?.name.toLowerCase() ?? '',
};

const columnsOf = (door: Door): readonly Column<AppKeyRow>[] => [
  stateColumn<AppKeyRow>(isKeyInUse),
  nameColumn(keyName),
  endColumn(),
  ...(door === org ? [ownerColumn] : []),
  {
    id: 'scopes',
    title: 'SCOPES',
    min: 18,
    share: 3,
    priority: 4,
    text: (row) => scopesSay(row.attributes.scopes, door.whose),
    tone: (row) => (row.attributes.scopes === null ? 'warn' : 'plain'),
    sort: (row) => row.attributes.scopes?.length ?? Number.POSITIVE_INFINITY,
  },
  ageColumn({ id: 'used', title: 'USED', priority: 5 }, (row) => momentOf(row.attributes.last_used_at)),
  ageColumn({ id: 'created', title: 'CREATED', priority: 6 }, (row) => momentOf(row.attributes.created_at)),
];

function overview(door: Door, row: AppKeyRow, context: Context): readonly Line[] {
  const { created_at, last_used_at, scopes } = row.attributes;
  const owner = ownerOf(row) ?? (door === own ? context.me : undefined);
  const again = `the service shows it again: orgdeck call ${door.get('').endpoint.id} --app_key_id ${row.id} --reveal`;
  return [
    ...firstLines(row, isKeyInUse(row, context), context),
    pair('owner', owner && (owner.id === context.me?.id ? `${owner.name} (you)` : owner.name)),
    momentPair('created', created_at, context),
    momentPair('last used', last_used_at, context),
    ...(row.secret ? [pair('secret', again, 'dim')] : []),
    pair('id', row.id),
    gap,
    head('scopes'),
    ...(scopes === undefined ? [text('the service does not say', 'dim')] : []),
    ...(scopes === null ? [text(`none: it may do all that ${door.whose} may`, 'warn')] : []),
    ...(scopes ?? []).map((scope) => text(scope)),
  ];
}

/** What the lists of both doors have in common. */
function listOf(door: Door, { keys, comparable, edit, clear, remove }: typeof ownActions) {
  return {
    load: keys.load,
    every: 60,
    idOf: (row: AppKeyRow) => row.id,
    nameOf: keys.nameOf,
    columns: columnsOf(door),
    sorted: { by: 'leak', down: true },
    search: nameSearch,
    words: (row: AppKeyRow) =>
      `${row.attributes.last4} ${row.attributes.scopes?.join(' ') ?? ''} ${ownerOf(row)?.email ?? ''}`,
    detail: detailOf(keys, {
      tabs: (row, _, context) => [{ kind: 'lines', id: 'key', title: 'key', lines: overview(door, row, context) }],
      preview: (row, context) => [head(keyName(row)), ...overview(door, row, context)],
    }),
    comparable,
    // Nobody makes a key for another person: n makes one of one's own in both lists.
    actions: [ownActions.create, edit, clear, remove],
  };
}

/** Names, and the owner. */
const ownerSearch: NonNullable<List<AppKeyRow>['search']> = {
  initial: { text: '', owner: '' },
  form: (asked) => ({
    ...nameSearch.form(asked),
    owner: pickField(
      'owned by',
      asked.owner ? { id: asked.owner, label: shortPersonName(asked.owner) } : undefined,
      peopleSource,
      { hint: 'Enter picks a person; Ctrl-U takes it out' },
    ),
  }),
  says: (asked) =>
    [nameSearch.says(asked), asked.owner ? `owner:${shortPersonName(asked.owner)}` : ''].filter(Boolean).join(' '),
};

/** Application keys of the caller (contract/keys.md 2). */
export const ownKeyList = list<AppKeyRow>({
  ...listOf(own, ownActions),
  id: 'keys-own',
  title: 'My keys',
  reads: [listOwnKeys, getOwnKey, listPermissions],
  empty: 'no application keys of yours with this name: n makes one, s searches for another',
  command: (row) => callCommand(call(getOwnKey, { app_key_id: row.id })),
});

/** Application keys of everybody (contract/keys.md 3). */
export const orgKeyList = list<AppKeyRow>({
  ...listOf(org, orgActions),
  id: 'keys-org',
  title: "Organisation's keys",
  search: ownerSearch,
  reads: [listOrgKeys, getOrgKey, listPermissions, listUsers],
  empty: 'no application keys with this name and owner: s searches for others',
  command: (row) => callCommand(call(getOrgKey, { app_key_id: row.id })),
});
