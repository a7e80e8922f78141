import { call } from '../../src/api/endpoint.ts';
import { listAccountKeys, listOrgKeys } from '../../src/api/keys.ts';
import { listPermissions, listRoles } from '../../src/api/roles.ts';
import { getUser, listUsers, userPermissions } from '../../src/api/users.ts';
import { callCommand } from '../../src/describe/command.ts';
import { list } from '../../src/describe/screen.ts';
import type { PersonRow } from './person.ts';
import { personActions } from './personedit.ts';
import { personKeyActions } from './personkeys.ts';
import { initialSearch, loadPeople, searchForm, searchSays } from './personload.ts';
import { personColumns, personDetail } from './personview.ts';

/** Whose the keys are: people and service accounts (contract/users.md; contract/keys.md 4). */
export const people = list<PersonRow>({
  id: 'people',
  title: 'People',
  load: loadPeople,
  every: 60,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns: personColumns,
  sorted: { by: 'name', down: false },
  search: { form: searchForm, initial: initialSearch, says: searchSays },
  words: (row) => `${row.handle} ${row.title}`,
  reads: [listUsers, getUser, userPermissions, listAccountKeys, listOrgKeys, listRoles, listPermissions],
  detail: personDetail,
  actions: [...personActions, ...personKeyActions],
  empty: 'nobody is found: s searches for others',
  command: (row) => callCommand(call(getUser, { user_id: row.id })),
});
