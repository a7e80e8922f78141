import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import {
  getRole,
  listPermissions,
  listRolePermissions,
  listRoles,
  listRoleUsers,
  type Role,
} from '../../src/api/roles.ts';
import type { Pick } from '../../src/describe/action.ts';
import { textField } from '../../src/describe/field.ts';
import { everyPage, pageSize } from '../../src/describe/pages.ts';
import { personOf } from '../../src/describe/people.ts';
import type { ListQuery, Rows, Single, Source } from '../../src/describe/screen.ts';
import { field, idIn, items, word } from '../../src/lib/loose.ts';
import { type PermissionRow, permissionRows, type RoleRow, roleRow } from './row.ts';

/** The server's search: a text in the name. */
export const search = {
  form: (asked: Readonly<Record<string, string>>) => ({
    filter: textField('name has', asked.filter, { placeholder: 'engineers' }),
  }),
  initial: { filter: '' },
  says: (asked: Readonly<Record<string, string>>) => (asked.filter?.trim() ? `"${asked.filter.trim()}"` : ''),
};

/** Every role whose name has the text, page by page. */
export function loadRoles(asked: ListQuery): Source<RoleRow> {
  const filter = asked.search.filter?.trim() ?? '';
  return {
    key: `roles ${filter}`,
    of: ['roles'],
    plan: () => rolePages(filter),
  };
}

/** The roles behind a list, page by page. */
export function rolePages(filter = ''): Plan<Result<Rows<RoleRow>>, Rows<RoleRow>> {
  const asked = { 'page[size]': pageSize, sort: 'name', ...(filter === '' ? {} : { filter }) } as const;
  return everyPage<RoleRow>({
    page: (number) => call(listRoles, { query: { ...asked, 'page[number]': number } }),
    rows: (read) => (read.items as readonly Role[]).flatMap((it) => roleRow(it) ?? []),
    beyond: 's searches by name',
  });
}

/** Somebody who has a role. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: string;
  /** Names of their other roles. */
  readonly others: readonly string[];
}

/** A role with what it grants and who has it. */
export interface WholeRole {
  readonly row: RoleRow;
  readonly permissions: readonly PermissionRow[];
  readonly members: readonly Member[];
  /** What could not be read, and that there are more users than are shown: sentences. */
  readonly notes: readonly string[];
}

/** Pages of users that a detail reads; the picker of `r` searches beyond them on the service. */
const memberPages = 3;

/** The read behind a detail: only the first call can fail it, what goes wrong after it is a note. */
export function wholeRole(row: { readonly id: string }): Single<WholeRole> {
  return {
    key: `role ${row.id}`,
    of: ['roles', 'users'],
    *plan(): Plan<Result<WholeRole>, WholeRole> {
      const got = yield* ask(call(getRole, { role_id: row.id }));
      if (!got.ok) return got;
      const it = roleRow(got.value?.data);
      if (!it) return refusal('unreadable', `the service answered something else than role ${row.id}`);
      const granted = yield* ask(call(listRolePermissions, { role_id: row.id }));
      const notes = [
        ...got.unread.slice(0, 2).map((place) => `could not be read: ${place}`),
        ...(granted.ok ? [] : [`its permissions could not be read: ${granted.problem.text}`]),
      ];
      const permissions = granted.ok ? permissionRows(granted.value) : [];
      const whole = (users: Rows<Member>): WholeRole => ({
        row: it,
        permissions,
        members: users.rows,
        notes: [...notes, ...(users.notes ?? [])],
      });
      const users = yield* inside(membersOf(row.id), whole);
      const failed = users.ok ? [] : [`its users could not be read: ${users.problem.text}`];
      return { ...got, value: whole(users.ok ? users.value : { rows: [], notes: failed }) };
    },
  };
}

function membersOf(id: string): Plan<Result<Rows<Member>>, Rows<Member>> {
  return everyPage<Member>({
    page: (number) =>
      call(listRoleUsers, {
        role_id: id,
        query: { 'page[size]': pageSize, 'page[number]': number, sort: 'name' },
      }),
    rows: (read) => {
      const names = new Map(read.included.map((it) => [idIn(it), word(field(field(it, 'attributes'), 'name'))]));
      return read.items.flatMap((it) => memberOf(it, id, names) ?? []);
    },
    most: memberPages,
    beyond: 'r searches among all of them',
  });
}

function memberOf(it: unknown, role: string, names: ReadonlyMap<string | undefined, string>): Member | undefined {
  const person = personOf(it as Parameters<typeof personOf>[0]);
  if (!person) return undefined;
  const roles = items(field(field(field(it, 'relationships'), 'roles'), 'data')).map((one) => idIn(one));
  const others = roles.filter((one) => one !== undefined && one !== role);
  const status = word(field(field(it, 'attributes'), 'status'));
  return {
    id: person.id,
    name: person.name,
    email: person.email ?? '',
    status,
    others: others.map((one) => names.get(one) || `role ${one}`),
  };
}

/** Users of a role as the service finds them, to take it from one. */
export function memberPicks(role: string, typed: string): Source<Pick> {
  const filter = typed.trim();
  return {
    key: `users of role ${role} ${filter}`,
    of: ['users', 'roles'],
    *plan(): Plan<Result<Rows<Pick>>> {
      const query = { 'page[size]': 20, sort: 'name', ...(filter === '' ? {} : { filter }) } as const;
      const answer = yield* ask(call(listRoleUsers, { role_id: role, query }));
      if (!answer.ok) return answer;
      const rows = (answer.value?.data ?? []).flatMap((it): Pick[] => {
        const person = personOf(it);
        if (!person) return [];
        const contact = [person.email, person.handle].find((one) => one !== undefined && one !== person.name);
        return [{ id: person.id, label: person.name, ...(contact === undefined ? {} : { hint: contact }) }];
      });
      return { ...answer, value: { rows } };
    },
  };
}

/** The catalogue: it does not change by edits, and may be 100 kB, so it is read when it is needed. */
export const catalogue: Single<readonly PermissionRow[]> = {
  key: 'catalogue of permissions',
  of: [],
  *plan(): Plan<Result<readonly PermissionRow[]>> {
    const answer = yield* ask(call(listPermissions));
    return answer.ok ? { ...answer, value: permissionRows(answer.value) } : answer;
  },
};

/** Permissions that can be granted: the default ones cannot, every role has them. */
export function grantable(without: readonly string[] = []): Source<Pick> {
  return {
    key: `permissions to grant, without ${without.join()}`,
    of: [],
    whole: true,
    *plan(context): Plan<Result<Rows<Pick>>> {
      const all = yield* inside(catalogue.plan(context));
      if (!all.ok) return all;
      const rows = all.value.filter((it) => !it.isDefault && !without.includes(it.id)).map(permissionPick);
      return { ...all, value: { rows } };
    },
  };
}

/** A permission as lists of fields and pickers show it. */
export function permissionPick(it: PermissionRow): Pick {
  const hint = [it.group, it.kind].filter((word) => word !== '').join(' · ');
  return { id: it.id, label: it.name, ...(hint === '' ? {} : { hint }) };
}
