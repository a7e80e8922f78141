import { getOrgKey, getOwnKey, listOrgKeys, listOwnKeys } from '../../src/api/application-keys.ts';
import { call } from '../../src/api/endpoint.ts';
import { listPermissions } from '../../src/api/roles.ts';
import { listUsers } from '../../src/api/users.ts';
import {
  ageColumn,
  type Column,
  momentPair,
  pair,
  plainColumn,
  type Section,
  section,
  textLine,
} from '../../src/describe/column.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { pickField } from '../../src/describe/field.ts';
import { detailOf, listOf } from '../../src/describe/list-detail.ts';
import { peopleSource, shortPersonName } from '../../src/describe/picks.ts';
import type { List } from '../../src/describe/screen.ts';
import {
  keyLines,
  lastFourColumn,
  leaked,
  leakOutput,
  nameColumn,
  nameOfKey,
  nameSearch,
  personOutput,
  readNullableMoment,
  relatedPerson,
  stateColumn,
} from './any-key.ts';
import {
  type AppKeyRow,
  isKeyInUse,
  type KeyEndpoints,
  orgActions,
  orgEndpoints,
  ownActions,
  ownEndpoints,
  scopesText,
} from './application-key-edit.ts';

/** Undefined in the list of the caller's own keys. */
const ownerOf = (row: AppKeyRow): Person | undefined => relatedPerson(row, row.relationships?.owned_by);

const ownerColumn: Column<AppKeyRow> = plainColumn({
  id: 'owner',
  min: 12,
  max: 30,
  priority: 3,
  text(row, context) {
    const owner = ownerOf(row);
    return owner && owner.id === context.me?.id ? 'you' : (owner?.name ?? '');
  },
  sort: (row) => ownerOf(row)?.name.toLowerCase() ?? '',
});

const columns: readonly Column<AppKeyRow>[] = [
  stateColumn<AppKeyRow>(isKeyInUse),
  { ...nameColumn(nameOfKey), max: 34, flex: true },
  lastFourColumn(),
  ownerColumn,
  plainColumn({
    id: 'scopes',
    firsts: ['fewest first', 'most first'],
    min: 10,
    // Wider only where all columns have room: when a key was used last says more than its third scope.
    max: 32,
    priority: 4,
    // The detail says whose permissions are the limit.
    text: (row) => scopesText(row.attributes.scopes),
    tone: (row) => (row.attributes.scopes === null ? 'warn' : 'plain'),
    sort: (row) => row.attributes.scopes?.length ?? Number.POSITIVE_INFINITY,
  }),
  ageColumn({ id: 'used', min: 7, priority: 3 }, (row) => readNullableMoment(row.attributes.last_used_at)),
  ageColumn({ id: 'created', min: 7, priority: 6 }, (row) => readNullableMoment(row.attributes.created_at)),
];

function sectionsOf(endpoints: KeyEndpoints, row: AppKeyRow, context: Context): readonly Section[] {
  const { created_at, last_used_at, scopes } = row.attributes;
  const owner = ownerOf(row) ?? (endpoints === ownEndpoints ? context.me : undefined);
  const revealHint = `to show it: orgdeck call ${endpoints.get('').endpoint.id} --app_key_id ${row.id} --reveal`;
  const key = [
    ...keyLines(row, isKeyInUse(row, context), context),
    pair('Owner', owner && (owner.id === context.me?.id ? `${owner.name} (you)` : owner.name)),
    momentPair('Created', readNullableMoment(created_at), context),
    momentPair('Last used', readNullableMoment(last_used_at), context),
    ...(row.secret ? [pair('Secret', revealHint, 'dim')] : []),
    pair('ID', row.id),
  ];
  const held = [
    ...(scopes === undefined ? [textLine('Unknown', 'dim')] : []),
    ...(scopes === null ? [textLine(scopesText(scopes, endpoints.owner), 'warn')] : []),
    ...(scopes ?? []).map((scope) => textLine(scope)),
  ];
  return [section('key', '', key), section('scopes', 'Scopes', held)];
}

/** Members that differ between the lists of application keys. */
type Own = Pick<List<AppKeyRow>, 'id' | 'title' | 'reads' | 'empty'> & Partial<List<AppKeyRow>>;

/** A list of application keys. */
function keyList(endpoints: KeyEndpoints, { keys, comparable, edit, clear, remove }: typeof ownActions, owner: Own) {
  return listOf(keys, {
    every: 60,
    output: () => keys.output({ more: [leakOutput, personOutput('owner', '`id` and `name` of its owner', ownerOf)] }),
    columns,
    sorted: { by: 'leak', down: true },
    states: [leaked],
    search: nameSearch,
    words: (row) =>
      `${row.attributes.last4 ?? ''} ${row.attributes.scopes?.join(' ') ?? ''} ${ownerOf(row)?.email ?? ''}`,
    detail: detailOf(keys, {
      sections: (row, _, context) => sectionsOf(endpoints, row, context),
    }),
    comparable,
    // Nobody can create a key for another person: in both lists `n` creates one of the caller.
    actions: [ownActions.create, edit, clear, remove],
    ...owner,
  });
}

/** The search by name and owner. */
const ownerSearch: NonNullable<List<AppKeyRow>['search']> = {
  initial: { text: '', owner: '' },
  form: (search) => ({
    ...nameSearch.form(search),
    owner: pickField(
      'Owner',
      search.owner ? { id: search.owner, label: shortPersonName(search.owner) } : undefined,
      peopleSource,
      { hint: 'Enter opens the list; Ctrl-U clears' },
    ),
  }),
  says: (search) =>
    [nameSearch.says(search), search.owner ? `owner:${shortPersonName(search.owner)}` : ''].filter(Boolean).join(' '),
};

/** The caller's own application keys (docs/contract/keys.md#own-keys). */
export const ownKeyList = keyList(ownEndpoints, ownActions, {
  id: 'keys-own',
  title: 'My keys',
  columns: columns.filter((column) => column !== ownerColumn),
  reads: [listOwnKeys, getOwnKey, listPermissions],
  empty: 'No application keys of yours. n: new key, s: search',
});

/** All application keys of the organization (docs/contract/keys.md#organization-keys). */
export const orgKeyList = keyList(orgEndpoints, orgActions, {
  id: 'keys-org',
  title: 'Organization keys',
  search: ownerSearch,
  reads: [listOrgKeys, getOrgKey, listPermissions, listUsers],
  empty: 'No application keys. s: search',
  command: (row) => call(getOrgKey, { app_key_id: row.id }),
});
