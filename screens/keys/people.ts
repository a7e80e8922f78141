import { listAccountKeys, listOrgKeys } from '../../src/api/application-keys.ts';
import { listPermissions, listRoles } from '../../src/api/roles.ts';
import { getUser, listUsers, userPermissions } from '../../src/api/users.ts';
import { choiceField, textField } from '../../src/describe/field.ts';
import { listOf } from '../../src/describe/kind-list.ts';
import type { List } from '../../src/describe/screen.ts';
import { personColumns } from './person-columns.ts';
import { personDetail } from './person-detail.ts';
import {
  comparablePerson,
  createAccountAction,
  createPersonAction,
  disableAction,
  editPersonAction,
  enableAction,
} from './person-edit.ts';
import { changeKeyAction, createKeyAction, deleteKeyAction } from './person-keys.ts';
import { type PersonRow, people, userRoles } from './person-kind.ts';

/** The search at the start: people who can sign in, or are invited. */
const initial: Readonly<Record<string, string>> = { text: '', kind: 'all', status: 'Active,Pending' };

const peopleSearch: NonNullable<List<PersonRow>['search']> = {
  initial,
  form: (search) => ({
    text: textField('Search', search.text, { hint: 'In name, email and handle; empty = all users' }),
    kind: choiceField('Type', search.kind, [
      { value: 'all', label: 'users and service accounts' },
      { value: 'people', label: 'users' },
      { value: 'accounts', label: 'service accounts' },
    ]),
    status: choiceField('Status', search.status, [
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

/** People and service accounts, who own the application keys (docs/contract/users.md; docs/contract/keys.md#service-accounts). */
export const peopleList = listOf(people, {
  id: 'people',
  title: 'Users',
  every: 60,
  output: () =>
    people.output({
      more: [{ name: 'roles', type: 'list of objects', says: '`id` and `name` of each role', value: userRoles }],
    }),
  columns: personColumns,
  sorted: { by: 'name', down: false },
  search: peopleSearch,
  words: (row) => `${row.attributes.handle ?? ''} ${row.attributes.title ?? ''}`,
  reads: [listUsers, getUser, userPermissions, listAccountKeys, listOrgKeys, listRoles, listPermissions],
  detail: personDetail,
  comparable: comparablePerson,
  actions: [
    editPersonAction,
    createPersonAction,
    createAccountAction,
    disableAction,
    enableAction,
    createKeyAction,
    changeKeyAction,
    deleteKeyAction,
  ],
  empty: 'No users. n: new user, s: search',
});
