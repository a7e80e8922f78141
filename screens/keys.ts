import { call } from '../src/api/endpoint.ts';
import { getOrgKey, getOwnKey, listOrgKeys, listOwnKeys } from '../src/api/keys.ts';
import { listPermissions } from '../src/api/roles.ts';
import { listUsers } from '../src/api/users.ts';
import { callCommand } from '../src/describe/command.ts';
import { list, type Screen } from '../src/describe/screen.ts';
import { apiKeys } from './keys/apikeylist.ts';
import { apiKeysV1 } from './keys/apikeyv1.ts';
import { type AppKeyRow, nameOf, org, own } from './keys/appkey.ts';
import { appKeyActions } from './keys/appkeyedit.ts';
import { appKeyColumns, appKeyDetail, appKeySearch, loadAppKeys } from './keys/appkeylist.ts';
import { people } from './keys/people.ts';

const words = (row: AppKeyRow) => `${row.last4} ${row.scopes?.join(' ') ?? ''} ${row.owner?.email ?? ''}`;

/** Application keys of the caller (contract/keys.md 2). */
const ownKeys = list<AppKeyRow>({
  id: 'keys-own',
  title: 'My keys',
  load: loadAppKeys(own),
  every: 60,
  idOf: (row) => row.id,
  nameOf,
  columns: appKeyColumns(own),
  sorted: { by: 'leak', down: true },
  search: appKeySearch(own),
  words,
  reads: [listOwnKeys, getOwnKey, listPermissions],
  detail: appKeyDetail(own),
  actions: appKeyActions(own),
  empty: 'no application keys of yours with this name: n makes one, s searches for another',
  command: (row) => callCommand(call(getOwnKey, { app_key_id: row.id })),
});

/** Application keys of everybody (contract/keys.md 3). */
const orgKeys = list<AppKeyRow>({
  id: 'keys-org',
  title: "Organisation's keys",
  load: loadAppKeys(org),
  every: 60,
  idOf: (row) => row.id,
  nameOf,
  columns: appKeyColumns(org),
  sorted: { by: 'leak', down: true },
  search: appKeySearch(org),
  words,
  reads: [listOrgKeys, getOrgKey, listPermissions, listUsers],
  detail: appKeyDetail(org),
  actions: appKeyActions(org),
  empty: 'no application keys with this name and owner: s searches for others',
  command: (row) => callCommand(call(getOrgKey, { app_key_id: row.id })),
});

/** Screen 3: what opens the doors of the organisation, and whose it is. */
export const keys: Screen = {
  id: 'keys',
  title: 'Keys',
  key: '3',
  lists: [ownKeys, orgKeys, apiKeys, apiKeysV1, people],
};
