import { call, type Plan, type ResponseOf } from '../src/api/endpoint.ts';
import type { Result } from '../src/api/problem.ts';
import { getRole, listRolePermissions, listRoles, listRoleTemplates, listRoleUsers } from '../src/api/roles.ts';
import {
  ageColumn,
  amountColumn,
  type Column,
  head,
  outputField,
  plainColumn,
  section,
  textColumn,
  textLine,
} from '../src/describe/column.ts';
import type { Rows } from '../src/describe/context.ts';
import { textField } from '../src/describe/field.ts';
import { listOf } from '../src/describe/list-detail.ts';
import { kind, type RowOf } from '../src/describe/resource.ts';
import type { Screen } from '../src/describe/screen.ts';
import { readMoment } from '../src/lib/time.ts';
import { idIn, items } from '../src/lib/values.ts';
import { detail, permissionList } from './roles/detail.ts';
import { cloneAction, comparable, deleteAction, editAction, fromTemplateAction, newAction } from './roles/edit.ts';
import { grantAction, revokeAction } from './roles/grant.ts';
import { inheritedRoles, isManaged, keptRole, type RoleRow, roleKind, userCount } from './roles/kind.ts';
import { addAction, removeAction } from './roles/members.ts';

type Template = NonNullable<ResponseOf<typeof listRoleTemplates>['data']>[number];

const templateKind = kind({
  noun: 'template',
  of: ['roles'],
  list: () => call(listRoleTemplates),
  // A template without an id is identified by its name.
  bareList: ({ data }) => ({
    data: (items(data) as readonly Template[]).map((one) => ({ ...one, id: idIn(one) ?? one.attributes?.name })),
  }),
  name: (row) => row.attributes.name,
});
type TemplateRow = RowOf<typeof templateKind>;

const nameIn = (row: TemplateRow): string => row.attributes.name?.trim() ?? '';

const noTemplates = 'this deployment has no role templates (a preview feature): create a role without one';

/** Templates for roles: a preview, which a deployment may not offer. */
const templateList = listOf(templateKind, {
  id: 'role-templates',
  title: 'Templates',
  load(query) {
    const all = templateKind.load(query);
    return {
      ...all,
      *plan(context): Plan<Result<Rows<TemplateRow>>, Rows<TemplateRow>> {
        const read = yield* all.plan(context);
        if (read.ok) return read;
        const { problem } = read;
        // A deployment may refuse a preview as well as not have it (docs/contract/roles.md#operations).
        const isClosed = problem.kind === 'notOffered' || problem.status === 404 || problem.status === 403;
        return isClosed ? { ok: false, problem: { ...problem, kind: 'notOffered', text: noTemplates } } : read;
      },
    };
  },
  every: 300,
  columns: [
    textColumn({
      id: 'name',
      min: 20,
      max: 40,
      priority: 1,
      text: (row) => nameIn(row) || '(no name)',
      tone: (row) => (nameIn(row) === '' ? 'dim' : 'plain'),
    }),
    {
      id: 'about',
      title: 'DESCRIPTION',
      min: 20,
      flex: true,
      priority: 2,
      text: (row) => row.attributes.description ?? '',
    },
  ],
  detail: {
    sections: (row) => [section('template', '', [head(nameIn(row) || '(no name)'), ...templateLines(row)])],
    preview: (row) => templateLines(row),
  },
  reads: [listRoleTemplates],
  actions: [fromTemplateAction],
  empty: 'No templates: [: back to the roles, where n creates one',
  command: () => call(listRoleTemplates),
});

const templateLines = (row: TemplateRow) => [
  textLine(row.attributes.description || 'No description'),
  textLine('n: create a role with this name and permissions that you select', 'dim'),
];

const { nameOf } = roleKind;

/** Columns of roles. */
const columns: readonly Column<RoleRow>[] = [
  textColumn({
    id: 'name',
    min: 18,
    flex: true,
    priority: 1,
    text: nameOf,
    tone: (row, context) => (isManaged(row, context) ? 'info' : 'plain'),
  }),
  amountColumn({
    id: 'users',
    min: 6,
    priority: 1,
    tone: (row) => (userCount(row) === 0 ? 'dim' : 'plain'),
    amount: userCount,
  }),
  amountColumn({
    id: 'permissions',
    title: 'PERMS',
    called: 'permissions',
    min: 6,
    priority: 3,
    amount: (row) => row.attributes.permissions?.length,
  }),
  textColumn({
    id: 'inherits',
    min: 12,
    max: 30,
    priority: 4,
    text: (row) => inheritedRoles(row).join(', '),
    tone: () => 'dim',
  }),
  plainColumn({
    id: 'kind',
    firsts: ['built-in first', 'built-in last'],
    min: 8,
    priority: 2,
    text: (row, context) => (isManaged(row, context) ? 'built-in' : ''),
    tone: () => 'info',
    sort: (row, context) => (isManaged(row, context) ? 0 : 1),
  }),
  ageColumn({ id: 'changed', title: 'UPDATED', min: 8, priority: 5 }, (row) => readMoment(row.attributes.modified_at)),
  ageColumn({ id: 'created', min: 8, priority: 6 }, (row) => readMoment(row.attributes.created_at)),
];

/** Roles, which grant permissions to users (docs/contract/roles.md). */
export const roleList = listOf(roleKind, {
  id: 'roles',
  title: 'Roles',
  output: () =>
    roleKind.output({
      more: [
        outputField('permissions', 'list of texts', 'ids of its permissions', (row) => row.attributes.permissions),
      ],
    }),
  columns,
  sorted: { by: 'name', down: false },
  search: {
    form: (search) => ({ filter: textField('Name contains', search.filter, { placeholder: 'engineers' }) }),
    initial: { filter: '' },
    says: (search) => (search.filter?.trim() ? `"${search.filter.trim()}"` : ''),
  },
  words: (row, context) => (isManaged(row, context) ? 'built-in managed' : ''),
  reads: [listRoles, getRole, listRolePermissions, listRoleUsers],
  detail,
  comparable,
  actions: [editAction, addAction, newAction, removeAction, grantAction, revokeAction, cloneAction, deleteAction],
  kept: keptRole,
  empty: 'No roles. n: new role, s: search',
});

/** Screen 4. */
export const roles: Screen = { id: 'roles', title: 'Roles', key: '4', lists: [roleList, permissionList, templateList] };
