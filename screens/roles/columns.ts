import type { Column } from '../../src/describe/column.ts';
import { age, readMoment } from '../../src/lib/time.ts';
import { inheritsOf, isManaged, nameOf, permissionIds, type RoleRow, userCount } from './row.ts';

/** Columns of roles. */
export const columns: readonly Column<RoleRow>[] = [
  {
    id: 'name',
    title: 'NAME',
    min: 18,
    share: 3,
    max: 60,
    priority: 1,
    text: nameOf,
    tone: (row, context) => (isManaged(row, context) ? 'info' : 'plain'),
    sort: (row) => nameOf(row).toLowerCase(),
  },
  {
    id: 'users',
    title: 'USERS',
    min: 6,
    align: 'right',
    priority: 1,
    text: (row) => String(userCount(row) ?? '?'),
    tone: (row) => (userCount(row) === 0 ? 'dim' : 'plain'),
    sort: (row) => userCount(row) ?? Number.NaN,
    downwards: true,
  },
  {
    id: 'permissions',
    title: 'PERMS',
    min: 6,
    align: 'right',
    priority: 3,
    text: (row) => String(permissionIds(row)?.length ?? '?'),
    sort: (row) => permissionIds(row)?.length ?? Number.NaN,
    downwards: true,
  },
  {
    id: 'inherits',
    title: 'INHERITS',
    min: 12,
    share: 1,
    max: 30,
    priority: 4,
    text: (row) => inheritsOf(row).join(', '),
    tone: () => 'dim',
    sort: (row) => inheritsOf(row).join(', '),
  },
  {
    id: 'kind',
    title: 'KIND',
    min: 8,
    priority: 2,
    text: (row, context) => (isManaged(row, context) ? 'built-in' : ''),
    tone: () => 'info',
    sort: (row, context) => (isManaged(row, context) ? 0 : 1),
  },
  {
    id: 'changed',
    title: 'CHANGED',
    min: 8,
    align: 'right',
    priority: 5,
    text: (row, context) => since(row.attributes.modified_at, context.now),
    tone: () => 'dim',
    sort: (row) => readMoment(row.attributes.modified_at) ?? Number.NaN,
    downwards: true,
  },
  {
    id: 'created',
    title: 'CREATED',
    min: 8,
    align: 'right',
    priority: 6,
    text: (row, context) => since(row.attributes.created_at, context.now),
    tone: () => 'dim',
    sort: (row) => readMoment(row.attributes.created_at) ?? Number.NaN,
    downwards: true,
  },
];

function since(moment: string | null | undefined, now: number): string {
  const at = readMoment(moment);
  return at === undefined ? '' : age(at, now);
}
