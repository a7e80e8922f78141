import {
  createAccountKey,
  createOwnKey,
  deleteAccountKey,
  deleteOrgKey,
  deleteOwnKey,
  getAccountKey,
  getOrgKey,
  getOwnKey,
  listAccountKeys,
  listOrgKeys,
  listOwnKeys,
  updateAccountKey,
  updateOrgKey,
  updateOwnKey,
} from '../../src/api/application-keys.ts';
import { type Args, type AttributesOf, type Call, call, type ResponseOf } from '../../src/api/endpoint.ts';

/** What an update of a key sends. */
export type KeyChanges = AttributesOf<typeof updateOwnKey>;
/** What a new key is made of. */
export type NewKey = AttributesOf<typeof createOwnKey>;

/** The operations on application keys by one path: the caller's own, the organization's, or a service account's. */
export interface KeyEndpoints {
  readonly id: string;
  /** What a sentence calls the owner of these keys. */
  readonly owner: string;
  pages(query: NonNullable<Args<typeof listOrgKeys>['query']>): Call<ResponseOf<typeof listOwnKeys>>;
  get(id: string): Call<ResponseOf<typeof getOwnKey>>;
  update(id: string, attributes: KeyChanges): Call;
  remove(id: string): Call;
  /** Creates a key of the caller, or of the service account. */
  create(attributes: NewKey): Call;
}

const updateBody = (id: string, attributes: KeyChanges) => ({
  data: { id, type: 'application_keys' as const, attributes },
});

const createBody = (attributes: NewKey) => ({ data: { type: 'application_keys' as const, attributes } });

/** The caller's own keys (docs/contract/keys.md#own-keys). */
export const ownEndpoints: KeyEndpoints = {
  id: 'own',
  owner: 'your',
  pages: ({ 'filter[owned_by]': _, ...query }) => call(listOwnKeys, { query }),
  get: (id) => call(getOwnKey, { app_key_id: id }),
  update: (id, attributes) => call(updateOwnKey, { app_key_id: id, body: updateBody(id, attributes) }),
  remove: (id) => call(deleteOwnKey, { app_key_id: id }),
  create: (attributes) => call(createOwnKey, { body: createBody(attributes) }),
};

/** All keys of the organization (docs/contract/keys.md#organization-keys). */
export const orgEndpoints: KeyEndpoints = {
  id: 'org',
  owner: 'its owner’s',
  pages: (query) => call(listOrgKeys, { query: { ...query, include: 'owned_by' } }),
  get: (id) => call(getOrgKey, { app_key_id: id, query: { include: 'owned_by' } }),
  update: (id, attributes) => call(updateOrgKey, { app_key_id: id, body: updateBody(id, attributes) }),
  remove: (id) => call(deleteOrgKey, { app_key_id: id }),
  create: ownEndpoints.create,
};

/** The keys of a service account (docs/contract/keys.md#service-accounts). */
export const accountEndpoints = (account: string): KeyEndpoints => ({
  id: `account ${account}`,
  owner: 'the account’s',
  pages: ({ 'filter[owned_by]': _, include: __, ...query }) =>
    call(listAccountKeys, { service_account_id: account, query }),
  get: (id) => call(getAccountKey, { service_account_id: account, app_key_id: id }),
  update: (id, attributes) =>
    call(updateAccountKey, { service_account_id: account, app_key_id: id, body: updateBody(id, attributes) }),
  remove: (id) => call(deleteAccountKey, { service_account_id: account, app_key_id: id }),
  create: (attributes) => call(createAccountKey, { service_account_id: account, body: createBody(attributes) }),
});
