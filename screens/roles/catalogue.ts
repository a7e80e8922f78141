import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listPermissions, listRoles, listRoleTemplates, type RoleTemplate } from '../../src/api/roles.ts';
import { head, pair, subColumn, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { list, type Rows, type Single } from '../../src/describe/screen.ts';
import { idIn } from '../../src/lib/loose.ts';
import { plural } from '../../src/lib/text.ts';
import { catalogue, rolePages } from './load.ts';
import { fromTemplateAction, type TemplateRow } from './make.ts';
import { isManaged, nameOf, type PermissionRow, permissionIds, type RoleRow, userCount } from './row.ts';
import { underId } from './under.ts';

/** Roles that hold a permission: no operation tells, so every role is read and looked through. */
function holders(permission: PermissionRow): Single<readonly RoleRow[]> {
  return {
    key: `roles that hold ${permission.id}`,
    of: ['roles'],
    *plan(): Plan<Result<readonly RoleRow[]>, readonly RoleRow[]> {
      const held = ({ rows }: Rows<RoleRow>) => rows.filter((it) => permissionIds(it)?.includes(permission.id));
      const all = yield* inside(rolePages(), held);
      return all.ok ? { ...all, value: held(all.value) } : all;
    },
  };
}

/** Every permission there is, and which roles hold it. */
export const permissionList = list<PermissionRow>({
  id: 'permissions',
  title: 'Permissions',
  load: () => ({
    key: 'list of permissions',
    of: [],
    *plan(context): Plan<Result<Rows<PermissionRow>>> {
      const all = yield* inside(catalogue.plan(context));
      return all.ok ? { ...all, value: { rows: all.value } } : all;
    },
  }),
  // It does not change by edits, and may be 100 kB.
  every: 300,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns: [
    {
      id: 'group',
      title: 'GROUP',
      min: 16,
      share: 1,
      max: 32,
      priority: 2,
      text: (row) => row.group,
      tone: () => 'info',
      sort: (row) => `${row.group.toLowerCase()}\u0000${row.name}`,
    },
    {
      id: 'name',
      title: 'PERMISSION',
      min: 24,
      share: 2,
      max: 48,
      priority: 1,
      text: (row) => row.name,
      sort: (row) => row.name,
    },
    {
      id: 'kind',
      title: 'KIND',
      min: 6,
      priority: 3,
      text: (row) => row.kind,
      tone: (row) => (row.kind === 'write' ? 'warn' : 'dim'),
      sort: (row) => row.kind,
    },
    {
      id: 'fixed',
      title: 'FIXED',
      min: 7,
      priority: 4,
      text: (row) => (row.isDefault ? 'default' : ''),
      tone: () => 'dim',
      sort: (row) => (row.isDefault ? 0 : 1),
    },
    { id: 'title', title: 'WHAT', min: 16, share: 2, priority: 5, text: (row) => row.title, tone: () => 'dim' },
  ],
  sorted: { by: 'group', down: false },
  words: (row) => row.about,
  detail: {
    load: holders,
    tabs: (row, roles: readonly RoleRow[] | undefined, context) => [
      {
        kind: 'rows',
        id: 'roles',
        title: roles === undefined ? 'roles' : `roles ${roles.length}`,
        empty: roles === undefined ? 'reading' : 'no role holds it',
        columns: [
          subColumn({ id: 'name', title: 'ROLE', min: 20, share: 2, priority: 1 }),
          subColumn({ id: 'users', title: 'USERS', min: 6, align: 'right', priority: 1 }),
          subColumn({ id: 'kind', title: 'KIND', min: 8, priority: 2 }),
        ],
        rows: (roles ?? []).map((it) => ({
          id: underId({ kind: 'role', id: it.id, name: nameOf(it) }),
          cells: {
            name: nameOf(it),
            users: String(userCount(it) ?? '?'),
            kind: isManaged(it, context) ? 'built-in' : '',
          },
          tones: { kind: 'info' },
        })),
      },
      { kind: 'lines', id: 'permission', title: 'permission', lines: aboutPermission(row) },
    ],
    preview: (row) => [head(row.name), ...aboutPermission(row)],
  },
  reads: [listPermissions, listRoles],
  actions: [],
  empty: 'no permissions: the service tells none',
  command: () => callCommand(call(listPermissions)),
});

const aboutPermission = (row: PermissionRow) => [
  ...(row.title === '' ? [] : [text(row.title, 'strong')]),
  ...(row.about === '' ? [] : [text(row.about)]),
  pair('group', row.group),
  pair('kind', row.kind),
  pair('fixed', row.isDefault ? 'a default: every role has it, it is neither granted nor revoked' : 'no'),
  pair('id', row.id),
];

const withoutTemplates = 'this deployment has no templates for roles (a preview): [ goes back, n there makes a role';

/** Proposals for roles: a preview that a deployment may not have. */
export const templateList = list<TemplateRow>({
  id: 'role-templates',
  title: 'Templates',
  load: () => ({
    key: 'role templates',
    of: ['roles'],
    *plan(): Plan<Result<Rows<TemplateRow>>> {
      const answer = yield* ask(call(listRoleTemplates));
      if (!answer.ok) {
        const { problem } = answer;
        // A preview may be closed as well as missing (contract/roles.md 2).
        const isClosed = problem.kind === 'notOffered' || problem.status === 404 || problem.status === 403;
        return isClosed ? { ok: false, problem: { ...problem, kind: 'notOffered', text: withoutTemplates } } : answer;
      }
      const all = answer.value?.data ?? [];
      const rows = all.flatMap((it) => templateRow(it) ?? []);
      const lost = all.length - rows.length;
      const notes = lost > 0 ? [`${plural(lost, 'template')} without an id and a name left out`] : [];
      return { ...answer, value: { rows, notes } };
    },
  }),
  every: 300,
  idOf: (row) => row.id,
  nameOf: (row) => row.name || `template ${row.id}`,
  columns: [
    {
      id: 'name',
      title: 'NAME',
      min: 20,
      share: 1,
      max: 40,
      priority: 1,
      text: (row) => row.name || '(no name)',
      tone: (row) => (row.name === '' ? 'dim' : 'plain'),
      sort: (row) => row.name.toLowerCase(),
    },
    { id: 'about', title: 'WHAT', min: 20, share: 3, priority: 2, text: (row) => row.about },
  ],
  detail: {
    tabs: (row) => [{ kind: 'lines', id: 'template', title: 'template', lines: aboutTemplate(row) }],
    preview: (row) => aboutTemplate(row),
  },
  reads: [listRoleTemplates],
  actions: [fromTemplateAction],
  empty: 'no templates: [ goes back, n there makes a role',
  command: () => callCommand(call(listRoleTemplates)),
});

function templateRow(it: RoleTemplate): TemplateRow | undefined {
  const name = it.attributes?.name?.trim() ?? '';
  const id = idIn(it) ?? name;
  return id === '' ? undefined : { id, name, about: it.attributes?.description ?? '' };
}

const aboutTemplate = (row: TemplateRow) => [
  head(row.name || '(no name)'),
  text(row.about === '' ? 'nothing more is told' : row.about),
  text('n makes a role of this name; its permissions are yours to choose', 'dim'),
];
