import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { type UserPermission, userPermissions } from '../../src/api/users.ts';
import {
  type DetailLine,
  pair,
  type Section,
  type SubRow,
  section,
  subColumn,
  type Tab,
  textLine,
} from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/detail.ts';
import { ageText, momentPair } from '../../src/describe/standard-columns.ts';
import { yesNo } from '../../src/lib/text.ts';
import { field, idIn, items } from '../../src/lib/unchecked-values.ts';
import { type AppKeyRow, applicationKeys, scopesText } from './application-key-kind.ts';
import { endingText, nameOfKey, readNullableMoment } from './key-columns.ts';
import { statusTone } from './person-columns.ts';
import { endpointsFor } from './person-keys.ts';
import { isService, type PersonRow, people, userRoles, userStatus } from './person-kind.ts';
import { findLeak } from './relationships.ts';

/** What the detail of a person reads besides the person: permissions and application keys. */
interface PersonDetail {
  readonly permissions: readonly UserPermission[];
  readonly keys: readonly AppKeyRow[];
  /** Why a part could not be read. */
  readonly missing: { readonly permissions?: string; readonly keys?: string };
}

/** Reads permissions and keys; `missing` says why one of them could not be read. */
function* readDetail(row: PersonRow, context: Context): Plan<Result<PersonDetail>, PersonDetail> {
  const granted = yield* ask(call(userPermissions, { user_id: row.id }));
  if (!granted.ok && granted.problem.kind === 'canceled') return granted;
  const permissions = granted.ok ? (granted.value?.data ?? []) : [];
  const missing = granted.ok ? {} : { permissions: granted.problem.text };
  const listed = applicationKeys(endpointsFor(row)).load({ search: { owner: row.id }, range: '' });
  const keys = yield* inside(listed.plan(context), ({ rows }) => ({ permissions, keys: rows, missing }));
  if (!keys.ok && keys.problem.kind === 'canceled') return keys;
  const more = keys.ok
    ? { permissions, keys: keys.value.rows, missing }
    : { permissions, keys: [], missing: { ...missing, keys: keys.problem.text } };
  return toResult(more);
}

/** The ids that a relationship names, where there are any: in an envelope or as they are. */
function besides(label: string, relation: unknown): readonly DetailLine[] {
  const ids = items(field(relation, 'data') ?? relation).flatMap((one) => idIn(one) ?? []);
  return ids.length === 0 ? [] : [pair(label, ids.join(', '))];
}

function sectionsOf(row: PersonRow, context: Context): readonly Section[] {
  const { name, email, handle, title, created_at, modified_at, last_login_time, ...account } = row.attributes;
  const methods = account.allowed_login_methods ?? [];
  const roles = userRoles(row);
  const person = [
    ...(row.id === context.me?.id ? [textLine('Owner of the key of this session', 'info')] : []),
    pair('Name', name),
    pair('Email', email),
    pair('Handle', handle === email ? '' : handle),
    pair('Title', title),
    pair('Status', userStatus(row), statusTone(row)),
    pair('Type', isService(row) ? 'service account' : 'user'),
    pair('Verified', yesNo(account.verified)),
    pair(
      'Second factor',
      yesNo(account.mfa_enabled),
      account.mfa_enabled === false && !isService(row) ? 'warn' : undefined,
    ),
    ...(methods.length > 0 ? [pair('Signs in by', methods.join(', '))] : []),
    momentPair('Created', readNullableMoment(created_at), context),
    momentPair('Updated', readNullableMoment(modified_at), context),
    momentPair('Last sign-in', readNullableMoment(last_login_time), context),
    ...besides('Other organizations', row.relationships?.other_orgs),
    ...besides('Other accounts', row.relationships?.other_users),
    pair('ID', row.id),
  ];
  const held =
    roles.length === 0 ? [textLine('None: no permissions', 'dim')] : roles.map((role) => textLine(role.name));
  return [section('person', '', person), section('roles', 'Roles', held)];
}

/** The permissions that the roles of a person give, a line for each group. */
function permissionSection(more: PersonDetail | undefined): Section {
  const names = (more?.permissions ?? []).flatMap(({ attributes }) =>
    attributes?.name ? [{ name: attributes.name, group: attributes.group_name || '(no group)' }] : [],
  );
  const groups = [...Map.groupBy(names, ({ group }) => group)].toSorted(([one], [other]) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  );
  const lines = groups.map(([group, held]) => pair(group, held.map(({ name }) => name).join(', ')));
  const missing = more?.missing.permissions;
  const none = !more ? 'Loading…' : missing === undefined ? 'None' : `Not read: ${missing}`;
  return section(
    'permissions',
    names.length === 0 ? 'Permissions' : `Permissions ${names.length}`,
    lines.length > 0 ? lines : [textLine(none, missing === undefined ? 'dim' : 'warn')],
  );
}

function keysTab(more: PersonDetail | undefined, context: Context): Tab {
  const rows = (more?.keys ?? []).map((key): SubRow => {
    const { last4, scopes, last_used_at } = key.attributes;
    const isLeaked = findLeak(key) !== undefined;
    return {
      id: key.id,
      cells: {
        state: isLeaked ? 'LEAKED' : '',
        name: nameOfKey(key),
        last4: endingText(last4),
        scopes: scopesText(scopes),
        used: ageText(readNullableMoment(last_used_at), context),
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
    title: rows.length === 0 ? 'Keys' : `Keys ${rows.length}`,
    empty: more && (missing === undefined ? 'No application keys' : `Not read: ${missing}`),
    columns: [
      subColumn({ id: 'state', min: 6, priority: 3 }),
      subColumn({ id: 'name', min: 16, max: 48, priority: 1 }),
      subColumn({ id: 'last4', title: 'LAST 4', min: 6, priority: 2 }),
      subColumn({ id: 'scopes', min: 18, flex: true, priority: 4 }),
      subColumn({ id: 'used', min: 7, align: 'right', priority: 5 }),
    ],
    rows,
  };
}

/** What Enter shows of a person. */
export const personDetail = detailOf(people, {
  more: { of: ['application_keys'], read: readDetail },
  sections: (row, more: PersonDetail | undefined, context) => [...sectionsOf(row, context), permissionSection(more)],
  tabs: (_, more: PersonDetail | undefined, context) => [keysTab(more, context)],
});
