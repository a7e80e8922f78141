import * as v from 'valibot';
import { type Call, operationsOf } from './endpoint.ts';
import {
  createBody,
  createdWithin,
  many,
  moment,
  name,
  nothing,
  numberedPages,
  one,
  permissionName,
  queryOf,
  resource,
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

const own = '/api/v2/current_user/application_keys';
const org = '/api/v2/application_keys';
const account = '/api/v2/service_accounts/{service_account_id}/application_keys';
/** Some answers hold none by the contract, such as lists; where a deployment sends one all the same, it is hidden too. */
const secrets = ['data.attributes.key'];

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
  verb: 'update',
  method: 'PATCH',
  repeat: 'settable',
  isApplied: keyBecame,
  body: updateBody('application_keys', { name: v.optional(name), scopes }),
  response: one(applicationKey),
} as const;

const ownKeys = operationsOf({
  of: 'application_keys',
  reading: ['user_app_keys'],
  editing: ['user_app_keys'],
  origin: 'spec',
  source: 'docs/contract/keys.md#own-keys',
  secrets,
});

export const listOwnKeys = ownKeys.endpoint({
  id: 'keys.list-own',
  title: 'List my application keys',
  verb: 'list',
  path: own,
  origin: 'addition',
  query: queryOf({ ...keyQuery, include }),
  response: many(applicationKey),
});

/** The answer is the one place where the secret of a new key is shown; it cannot be asked for again everywhere. */
export const createOwnKey = ownKeys.endpoint({
  id: 'keys.create-own',
  title: 'Create an application key for me',
  verb: 'create',
  path: own,
  body: applicationKeyNew,
  response: one(applicationKey),
});

export const getOwnKey = ownKeys.endpoint({
  id: 'keys.get-own',
  title: 'Show one of my application keys',
  verb: 'get',
  path: `${own}/{app_key_id}`,
  origin: 'addition',
  response: one(applicationKey),
});

export const updateOwnKey = ownKeys.endpoint({
  id: 'keys.update-own',
  title: 'Rename one of my application keys, or change its scopes',
  ...edit,
  path: `${own}/{app_key_id}`,
  readBack: 'keys.get-own',
});

export const deleteOwnKey = ownKeys.endpoint({
  id: 'keys.delete-own',
  title: 'Delete one of my application keys',
  verb: 'delete',
  path: `${own}/{app_key_id}`,
  response: nothing,
});

const orgKeys = operationsOf({
  of: 'application_keys',
  reading: ['org_app_keys_read'],
  editing: ['org_app_keys_write'],
  origin: 'addition',
  source: 'docs/contract/keys.md#organization-keys',
  secrets,
});

export const listOrgKeys = orgKeys.endpoint({
  id: 'keys.list-org',
  title: 'List application keys of the organization',
  verb: 'list',
  path: org,
  query: queryOf({ ...keyQuery, include, 'filter[owned_by]': text }),
  response: many(applicationKey),
});

export const getOrgKey = orgKeys.endpoint({
  id: 'keys.get-org',
  title: 'Show one application key of the organization',
  verb: 'get',
  path: `${org}/{app_key_id}`,
  query: queryOf({ include }),
  response: one(applicationKey),
});

export const updateOrgKey = orgKeys.endpoint({
  id: 'keys.update-org',
  title: "Rename anyone's application key, or change its scopes",
  ...edit,
  path: `${org}/{app_key_id}`,
  readBack: 'keys.get-org',
});

export const deleteOrgKey = orgKeys.endpoint({
  id: 'keys.delete-org',
  title: "Delete anyone's application key",
  verb: 'delete',
  path: `${org}/{app_key_id}`,
  response: nothing,
});

const accountKeys = operationsOf({
  of: 'application_keys',
  reading: ['service_account_write'],
  editing: ['service_account_write'],
  origin: 'addition',
  source: 'docs/contract/keys.md#service-accounts',
  secrets,
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

export const listAccountKeys = accountKeys.endpoint({
  id: 'service-accounts.list-keys',
  title: 'List application keys of a service account',
  verb: 'list',
  path: account,
  query: queryOf(keyQuery),
  response: many(applicationKey),
});

export const createAccountKey = accountKeys.endpoint({
  id: 'service-accounts.create-key',
  title: 'Create an application key for a service account',
  verb: 'create',
  path: account,
  body: applicationKeyNew,
  response: one(applicationKey),
});

export const getAccountKey = accountKeys.endpoint({
  id: 'service-accounts.get-key',
  title: 'Show one application key of a service account',
  verb: 'get',
  path: `${account}/{app_key_id}`,
  response: one(applicationKey),
});

export const updateAccountKey = accountKeys.endpoint({
  id: 'service-accounts.update-key',
  title: 'Rename an application key of a service account, or change its scopes',
  ...edit,
  path: `${account}/{app_key_id}`,
  readBack: 'service-accounts.get-key',
});

export const deleteAccountKey = accountKeys.endpoint({
  id: 'service-accounts.delete-key',
  title: 'Delete an application key of a service account',
  verb: 'delete',
  path: `${account}/{app_key_id}`,
  response: nothing,
});

/** Every operation on application keys, and the service accounts that own some of them. */
export const keyEndpoints = [...ownKeys.all, ...orgKeys.all, ...accountKeys.all];
