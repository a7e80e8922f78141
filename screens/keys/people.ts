import { listAccountKeys, listOrgKeys } from '../../src/api/application-keys.ts';
import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listPermissions, listRoles } from '../../src/api/roles.ts';
import { getUser, listUsers, type UserPermission, userPermissions } from '../../src/api/users.ts';
import {
  type Column,
  gap,
  head,
  type Line,
  pair,
  type SubRow,
  subColumn,
  type Tab,
  type Tone,
  text,
} from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/detail.ts';
import { choiceField, textField } from '../../src/describe/field.ts';
import { type List, list } from '../../src/describe/screen.ts';
import { type AppKeyRow, keysBehind, scopesSay } from './application-key-edit.ts';
import { ageColumn, ageText, ending, keyName, momentOf, momentPair } from './key-columns.ts';
import {
  comparable,
  disableAction,
  editAction,
  enableAction,
  inviteAction,
  isService,
  openAccountAction,
  type PersonRow,
  people,
  rolesOf,
  statusOf,
} from './person-edit.ts';
import { changeKeyAction, createKeyAction, deleteKeyAction, doorOf } from './person-keys.ts';
import { leakOf } from './related.ts';

const { nameOf } = people;
const tones = new Map<string, Tone>(Object.entries({ Active: 'good', Pending: 'warn', Disabled: 'dim' }));

/** Columns of people and service accounts. */
const columns: readonly Column<PersonRow>[] = [
  {
    id: 'status',
    title: 'STATUS',
    min: 8,
    priority: 2,
    text: statusOf,
    tone: (row) => tones.get(statusOf(row)) ?? 'plain',
    sort: statusOf,
  },
  {
    id: 'name',
    title: 'NAME',
    min: 16,
    share: 2,
    max: 40,
    priority: 1,
    text: nameOf,
    sort: (row) => nameOf(row).toLowerCase(),
  },
  {
    id: 'kind',
    title: 'KIND',
    min: 7,
    priority: 3,
    text: (row) => (isService(row) ? 'service' : 'person'),
    tone: (row) => (isService(row) ? 'info' : 'dim'),
    sort: (row) => (isService(row) ? 1 : 0),
  },
  {
    id: 'email',
    title: 'E-MAIL',
    min: 18,
    share: 2,
    max: 50,
    priority: 4,
    text: (row) => row.attributes.email ?? '',
    sort: (row) => row.attributes.email ?? '',
  },
  {
    id: 'roles',
    title: 'ROLES',
    min: 12,
    share: 1,
    max: 40,
    priority: 5,
    text: (row) =>
      rolesOf(row)
        .map((role) => role.name)
        .join(', ') || 'none',
    tone: (row) => (rolesOf(row).length === 0 ? 'dim' : 'plain'),
    sort: (row) => rolesOf(row).length,
  },
  ageColumn({ id: 'created', title: 'CREATED', priority: 6 }, (row) => momentOf(row.attributes.created_at)),
];

/** What a person may do and the application keys they own. */
interface More {
  readonly permissions: readonly UserPermission[];
  readonly keys: readonly AppKeyRow[];
  /** Why a part of it could not be read. */
  readonly missing: { readonly permissions?: string; readonly keys?: string };
}

/** Neither read must succeed. */
function* reading(row: PersonRow, context: Context): Plan<Result<More>, More> {
  const may = yield* ask(call(userPermissions, { user_id: row.id }));
  if (!may.ok && may.problem.kind === 'cancelled') return may;
  const permissions = may.ok ? (may.value?.data ?? []) : [];
  const missing = may.ok ? {} : { permissions: may.problem.text };
  const listed = keysBehind(doorOf(row)).load({ search: { owner: row.id }, range: '' });
  const keys = yield* inside(listed.plan(context), ({ rows }) => ({ permissions, keys: rows, missing }));
  if (!keys.ok && keys.problem.kind === 'cancelled') return keys;
  const more = keys.ok
    ? { permissions, keys: keys.value.rows, missing }
    : { permissions, keys: [], missing: { ...missing, keys: keys.problem.text } };
  return { ok: true, value: more, status: 200, unread: [] };
}

function overview(row: PersonRow, context: Context): readonly Line[] {
  const { name, email, handle, title, created_at, last_login_time } = row.attributes;
  const roles = rolesOf(row);
  return [
    ...(row.id === context.me?.id ? [text('the owner of the key that this dashboard uses', 'info')] : []),
    pair('name', name),
    pair('e-mail', email),
    pair('handle', handle === email ? '' : handle),
    pair('title', title),
    pair('status', statusOf(row), tones.get(statusOf(row))),
    pair('kind', isService(row) ? 'service account' : 'person'),
    momentPair('created', created_at, context),
    momentPair('last sign-in', last_login_time, context),
    pair('id', row.id),
    gap,
    head('roles'),
    ...(roles.length === 0 ? [text('none: nothing is allowed', 'dim')] : roles.map((role) => text(role.name))),
  ];
}

function permissionLines(more: More | undefined): readonly Line[] {
  if (!more) return [text('reading', 'dim')];
  if (more.missing.permissions !== undefined) return [text(`not read: ${more.missing.permissions}`, 'warn')];
  const named = more.permissions.filter((one) => one.attributes?.name);
  if (named.length === 0) return [text('none', 'dim')];
  const groups = Map.groupBy(named, (one) => one.attributes?.group_name ?? '');
  return [...groups].flatMap(([group, permissions], at): Line[] => [
    ...(at > 0 ? [gap] : []),
    ...(group === '' ? [] : [head(group)]),
    ...permissions.map((one) => text(one.attributes?.name ?? '')),
  ]);
}

function keysTab(row: PersonRow, more: More | undefined, context: Context): Tab {
  const { whose } = doorOf(row);
  const rows = (more?.keys ?? []).map((key): SubRow => {
    const { last4, scopes, last_used_at } = key.attributes;
    const isLeaked = leakOf(key) !== undefined;
    return {
      id: key.id,
      cells: {
        state: isLeaked ? 'LEAKED' : '',
        name: keyName(key),
        last4: ending(last4),
        scopes: scopesSay(scopes, whose),
        used: ageText(momentOf(last_used_at), context),
      },
      tones: {
        state: 'bad',
        name: isLeaked ? 'bad' : 'plain',
        scopes: scopes === null ? 'warn' : 'plain',
        used: 'dim',
      },
    };
  });
  const missing = more?.missing.keys;
  return {
    kind: 'rows',
    id: 'keys',
    title: rows.length === 0 ? 'keys' : `keys ${rows.length}`,
    empty: !more ? 'reading' : missing === undefined ? 'no application keys' : `not read: ${missing}`,
    columns: [
      subColumn({ id: 'state', title: 'STATE', min: 6, priority: 3 }),
      subColumn({ id: 'name', title: 'NAME', min: 16, share: 2, priority: 1 }),
      subColumn({ id: 'last4', title: 'ENDS', min: 5, priority: 2 }),
      subColumn({ id: 'scopes', title: 'SCOPES', min: 18, share: 3, priority: 4 }),
      subColumn({ id: 'used', title: 'USED', min: 7, align: 'right', priority: 5 }),
    ],
    rows,
  };
}

/** Everybody who may sign in or will, until a person asks otherwise. */
const initial: Readonly<Record<string, string>> = { text: '', kind: 'all', status: 'Active,Pending' };

const search: NonNullable<List<PersonRow>['search']> = {
  initial,
  form: (asked) => ({
    text: textField('search', asked.text, { hint: 'in name, e-mail and handle; empty lists everybody' }),
    kind: choiceField('which', asked.kind, [
      { value: 'all', label: 'people and service accounts' },
      { value: 'people', label: 'people' },
      { value: 'accounts', label: 'service accounts' },
    ]),
    status: choiceField('status', asked.status, [
      { value: 'Active,Pending', label: 'active and pending' },
      { value: 'Active', label: 'active' },
      { value: 'Pending', label: 'pending' },
      { value: 'Disabled', label: 'disabled' },
      { value: '', label: 'any' },
    ]),
  }),
  says({ text: typed = '', kind = '', status = '' }) {
    const which = kind === 'all' ? '' : kind;
    const state = status === initial.status ? '' : status.toLowerCase();
    return [which, state, typed.trim() && `"${typed.trim()}"`].filter(Boolean).join(' ');
  },
};

/** Whose the keys are: people and service accounts (contract/users.md; contract/keys.md 4). */
export const peopleList = list<PersonRow>({
  id: 'people',
  title: 'People',
  load: people.load,
  every: 60,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'name', down: false },
  search,
  words: (row) => `${row.attributes.handle ?? ''} ${row.attributes.title ?? ''}`,
  reads: [listUsers, getUser, userPermissions, listAccountKeys, listOrgKeys, listRoles, listPermissions],
  detail: detailOf(people, {
    more: { of: ['application_keys'], read: reading },
    tabs: (row, more: More | undefined, context) => [
      { kind: 'lines', id: 'person', title: isService(row) ? 'account' : 'person', lines: overview(row, context) },
      keysTab(row, more, context),
      { kind: 'lines', id: 'permissions', title: 'permissions', lines: permissionLines(more) },
    ],
    preview: (row, context) => [head(nameOf(row)), ...overview(row, context)],
  }),
  comparable,
  actions: [
    editAction,
    inviteAction,
    openAccountAction,
    disableAction,
    enableAction,
    createKeyAction,
    changeKeyAction,
    deleteKeyAction,
  ],
  empty: 'nobody is found: s searches for others',
  command: (row) => callCommand(call(getUser, { user_id: row.id })),
});
