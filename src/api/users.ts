import * as v from 'valibot';
import {
  createBody,
  fields,
  flag,
  int,
  many,
  moment,
  one,
  permissionName,
  queryOf,
  resource,
  resourceOperations,
  searchTerms,
  severalReferences,
  text,
  toMany,
  toManyOf,
  toOne,
  updateBody,
} from './envelope.ts';

/** People, who am I, the check of credentials: docs/contract/users.md, docs/contract/conventions.md#credential-check. */

/** Whether a person may sign in. */
const userStatus = searchTerms('Active', 'Pending', 'Disabled');

/** A user (docs/contract/users.md#user). `name` may be null or empty: fall back to email, handle, id. */
export const user = resource(
  'users',
  {
    name: text,
    handle: text,
    email: text,
    icon: text,
    title: text,
    status: userStatus,
    disabled: flag,
    verified: flag,
    service_account: flag,
    mfa_enabled: flag,
    created_at: moment,
    modified_at: moment,
    last_login_time: moment,
    allowed_login_methods: v.array(text),
    uuid: text,
  },
  { roles: toMany, org: toOne, other_orgs: severalReferences, other_users: severalReferences },
);

/** One entry of the permission catalog; `name` is stable and is also the scope of an application key. */
export const permission = resource('permissions', {
  name: permissionName,
  display_name: text,
  description: text,
  created: moment,
  group_name: text,
  display_type: searchTerms('read', 'write', 'other'),
  restricted: flag,
  name_aliases: v.array(permissionName),
});

const operations = resourceOperations({
  path: '/api/v2/users',
  item: 'user_id',
  responses: { list: many(user), single: one(user) },
  of: 'users',
  reading: ['user_access_read'],
  editing: ['user_access_manage'],
  origin: 'addition',
  source: 'docs/contract/users.md#operations',
});

/** People of the organization, page by page from 0. Stop on a page shorter than asked: totals can be stale. */
export const listUsers = operations.list({
  id: 'users.list',
  title: 'List users of the organization',
  query: queryOf({
    /** 1 to 100, 10 unless sent. */
    'page[size]': int,
    /** From 0. */
    'page[number]': int,
    /** `-` in front sorts downward. */
    sort: searchTerms('name', '-name', 'modified_at', '-modified_at'),
    /** Contradicts `sort` where documented: better not sent. */
    sort_dir: searchTerms('asc', 'desc'),
    /** Free text over name, handle and email. */
    filter: text,
    'filter[status]': v.array(userStatus),
  }),
});

/** One person. */
export const getUser = operations.get({ id: 'users.get', title: 'Show one user' });

/** The union of the permissions of a person's roles; empty without roles. */
export const userPermissions = operations.endpoint({
  id: 'users.permissions',
  title: 'List the permissions of a user',
  verb: 'check',
  path: '/api/v2/users/{user_id}/permissions',
  response: many(permission),
});

/** Creates a person as Pending; 409 when the email exists. */
export const createUser = operations.create({
  id: 'users.create',
  title: 'Create a user',
  touches: ['roles'],
  permission: ['user_access_invite'],
  body: createBody(
    'users',
    { email: text, name: v.nullish(text), title: v.nullish(text) },
    { roles: v.optional(toManyOf('roles')) },
  ),
});

/** Changes a person; `data.id` must equal the id of the path (422 otherwise). */
export const updateUser = operations.update({
  id: 'users.update',
  title: 'Edit a user',
  touches: ['current_user', 'application_keys'],
  method: 'PATCH',
  otherwise: ['service_account_write'],
  repeat: 'settable',
  readBack: 'users.get',
  mayBeEmpty: true,
  body: updateBody('users', {
    name: v.nullish(text),
    email: v.optional(text),
    disabled: v.optional(flag),
    title: v.nullish(text),
  }),
});

/** Disables a person (nobody is ever deleted); 404 when already disabled. */
export const disableUser = operations.delete({
  id: 'users.disable',
  title: 'Disable a user',
  touches: ['application_keys'],
  otherwise: ['service_account_write'],
});

/** The owner of the application key. A scoped key may be refused; older deployments answer 404. */
export const currentUser = operations.endpoint({
  id: 'current-user.get',
  title: 'Show the user of these keys',
  verb: 'get',
  of: 'current_user',
  path: '/api/v2/current_user',
  permission: [],
  response: one(user),
});

/** Checks the API key alone: 200 `{valid: true}`, else 403. */
operations.endpoint({
  id: 'keys.validate',
  title: 'Check the API key',
  verb: 'check',
  of: 'validation',
  path: '/api/v1/validate',
  permission: [],
  response: fields({ valid: flag }),
  source: 'docs/contract/conventions.md#credential-check',
});

/** Checks both keys: 200 `{status: "ok"}`; newer deployments only. */
operations.endpoint({
  id: 'keys.validate-both',
  title: 'Check the API key and the application key',
  verb: 'check',
  of: 'validation',
  path: '/api/v2/validate_keys',
  permission: [],
  response: fields({ status: text }),
  source: 'docs/contract/conventions.md#credential-check',
});

/** Every operation on people and credentials. */
export const userEndpoints = operations.all;
