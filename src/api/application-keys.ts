import * as v from 'valibot';
import type { Call } from './endpoint.ts';
import {
  createBody,
  createdWithin,
  many,
  moment,
  name,
  numberedPages,
  one,
  permissionName,
  queryOf,
  resource,
  resourceOperations,
  searchTerms,
  text,
  toManyOf,
  toOne,
  updateBody,
} from './envelope.ts';
import { user } from './users.ts';

/** An application key. `key` is the secret and is missing from most answers (docs/contract/keys.md#application-key). */
const applicationKey = resource(
  'application_keys',
  { name: text, created_at: moment, last4: text, key: text, scopes: v.array(permissionName), last_used_at: moment },
  { owned_by: toOne, leak_information: toOne },
);

const scopes = v.optional(v.nullable(v.array(permissionName)));
const applicationKeyNew = createBody('application_keys', { name, scopes });

const keyQuery = {
  ...numberedPages,
  ...createdWithin,
  sort: searchTerms('name', '-name', 'created_at', '-created_at', 'last4', '-last4'),
  filter: text,
};
const include = searchTerms('owned_by');

/** Some answers hold none by the contract, such as lists; where a deployment sends one all the same, it is hidden too. */
const secrets = ['data.attributes.key'] as const;
const responses = { list: many(applicationKey), single: one(applicationKey) };
/** What operations on keys have in common, whoever has the keys. */
const shared = { item: 'app_key_id', responses, of: 'application_keys', secrets } as const;

type Settings = NonNullable<v.InferOutput<typeof applicationKey>['attributes']>;

const settingsOf = (body: unknown): Settings =>
  (body as { data?: { attributes?: Settings | null } | null } | null | undefined)?.data?.attributes ?? {};

/** No scopes are stored as null: the key has every permission of its owner then (docs/contract/keys.md#choices). */
const scopesOf = ({ scopes }: Settings): string => (scopes ?? []).toSorted().join(' ');

/** For `isApplied`: name and scopes as far as they were sent, in whatever order the scopes come back. */
function keyBecame(sent: Call, read: unknown): boolean {
  const [ours, theirs] = [settingsOf(sent.body), settingsOf(read)];
  return (
    (ours.name === undefined || ours.name === theirs.name) &&
    (ours.scopes === undefined || scopesOf(ours) === scopesOf(theirs))
  );
}

/** How a key is edited, whoever has it. */
const edit = {
  method: 'PATCH',
  repeat: 'settable',
  isApplied: keyBecame,
  body: updateBody('application_keys', { name: v.optional(name), scopes }),
} as const;

const ownKeys = resourceOperations({
  path: '/api/v2/current_user/application_keys',
  ...shared,
  reading: ['user_app_keys'],
  editing: ['user_app_keys'],
  origin: 'spec',
  source: 'docs/contract/keys.md#own-keys',
});

export const listOwnKeys = ownKeys.list({
  id: 'keys.list-own',
  title: 'List my application keys',
  origin: 'addition',
  query: queryOf({ ...keyQuery, include }),
});

/** The answer is the one place where the secret of a new key is shown; it cannot be asked for again everywhere. */
export const createOwnKey = ownKeys.create({
  id: 'keys.create-own',
  title: 'Create an application key for me',
  body: applicationKeyNew,
});

export const getOwnKey = ownKeys.get({
  id: 'keys.get-own',
  title: 'Show one of my application keys',
  origin: 'addition',
});

export const updateOwnKey = ownKeys.update({
  id: 'keys.update-own',
  title: 'Rename one of my application keys, or change its scopes',
  ...edit,
  readBack: 'keys.get-own',
});

export const deleteOwnKey = ownKeys.delete({ id: 'keys.delete-own', title: 'Delete one of my application keys' });

const orgKeys = resourceOperations({
  path: '/api/v2/application_keys',
  ...shared,
  reading: ['org_app_keys_read'],
  editing: ['org_app_keys_write'],
  origin: 'addition',
  source: 'docs/contract/keys.md#organization-keys',
});

export const listOrgKeys = orgKeys.list({
  id: 'keys.list-org',
  title: 'List application keys of the organization',
  query: queryOf({ ...keyQuery, include, 'filter[owned_by]': text }),
});

export const getOrgKey = orgKeys.get({
  id: 'keys.get-org',
  title: 'Show one application key of the organization',
  query: queryOf({ include }),
});

export const updateOrgKey = orgKeys.update({
  id: 'keys.update-org',
  title: "Rename anyone's application key, or change its scopes",
  ...edit,
  readBack: 'keys.get-org',
});

export const deleteOrgKey = orgKeys.delete({ id: 'keys.delete-org', title: "Delete anyone's application key" });

const accountKeys = resourceOperations({
  path: '/api/v2/service_accounts/{service_account_id}/application_keys',
  ...shared,
  reading: ['service_account_write'],
  editing: ['service_account_write'],
  origin: 'addition',
  source: 'docs/contract/keys.md#service-accounts',
});

/** Service accounts are users; their keys are the only ones that somebody else creates (docs/contract/keys.md#service-accounts). */
export const createServiceAccount = accountKeys.endpoint({
  id: 'service-accounts.create',
  title: 'Create a service account',
  verb: 'create',
  of: 'users',
  touches: ['roles'],
  path: '/api/v2/service_accounts',
  readBack: 'users.list',
  body: createBody(
    'users',
    { email: name, service_account: v.literal(true), name: v.optional(text), title: v.optional(text) },
    { roles: v.optional(toManyOf('roles')) },
  ),
  response: one(user),
});

export const listAccountKeys = accountKeys.list({
  id: 'service-accounts.list-keys',
  title: 'List application keys of a service account',
  query: queryOf(keyQuery),
});

export const createAccountKey = accountKeys.create({
  id: 'service-accounts.create-key',
  title: 'Create an application key for a service account',
  body: applicationKeyNew,
});

export const getAccountKey = accountKeys.get({
  id: 'service-accounts.get-key',
  title: 'Show one application key of a service account',
});

export const updateAccountKey = accountKeys.update({
  id: 'service-accounts.update-key',
  title: 'Rename an application key of a service account, or change its scopes',
  ...edit,
  readBack: 'service-accounts.get-key',
});

export const deleteAccountKey = accountKeys.delete({
  id: 'service-accounts.delete-key',
  title: 'Delete an application key of a service account',
});

/** Every operation on application keys, and the service accounts that own some of them. */
export const keyEndpoints = [...ownKeys.all, ...orgKeys.all, ...accountKeys.all];
