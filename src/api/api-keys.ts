import * as v from 'valibot';
import {
  createBody,
  createdWithin,
  fields,
  flag,
  many,
  moment,
  name,
  numberedPages,
  one,
  queryOf,
  resource,
  resourceOperations,
  searchTerms,
  text,
  toOne,
  updateBody,
} from './envelope.ts';

/** An API key of the modern form (docs/contract/keys.md#api-keys). `key` is the secret. */
const apiKey = resource(
  'api_keys',
  {
    name: text,
    created_at: moment,
    modified_at: moment,
    last4: text,
    key: text,
    category: text,
    remote_config_read_enabled: flag,
    date_last_used: moment,
    used_in_last_24_hours: flag,
    last_used_date: fields({ timestamp: moment, description: text }),
  },
  { created_by: toOne, modified_by: toOne, leak_information: toOne },
);

/** An API key of the v1 form: the secret is its own identifier (docs/contract/keys.md#api-keys-of-v1). */
const apiKeyV1 = fields({ created: text, created_by: text, key: text, name: text });

const oneV1 = v.looseObject({ api_key: v.nullish(apiKeyV1) });
const manyV1 = v.looseObject({ api_keys: v.nullish(v.array(apiKeyV1), () => []) });

const nameOf = (body: unknown): unknown => (body as { name?: unknown } | null | undefined)?.name;

const v2 = resourceOperations({
  path: '/api/v2/api_keys',
  item: 'api_key_id',
  responses: { list: many(apiKey), single: one(apiKey) },
  of: 'api_keys',
  reading: ['api_keys_read'],
  editing: ['api_keys_write'],
  origin: 'addition',
  source: 'docs/contract/keys.md#api-keys',
  // Lists hold none by the contract; where a deployment sends one all the same, it is hidden too.
  secrets: ['data.attributes.key'],
});

const include = v.union([text, v.array(searchTerms('created_by', 'modified_by'))]);

export const listApiKeys = v2.list({
  id: 'api-keys.list',
  title: 'List API keys of the organization',
  query: queryOf({
    ...numberedPages,
    ...createdWithin,
    'filter[modified_at][start]': moment,
    'filter[modified_at][end]': moment,
    'filter[category]': text,
    'filter[remote_config_read_enabled]': flag,
    sort: searchTerms('name', '-name', 'created_at', '-created_at', 'modified_at', '-modified_at', 'last4', '-last4'),
    filter: text,
    include,
  }),
});

const apiKeyOptions = { category: v.optional(text), remote_config_read_enabled: v.optional(flag) };

export const createApiKey = v2.create({
  id: 'api-keys.create',
  title: 'Create an API key',
  body: createBody('api_keys', { name, ...apiKeyOptions }),
});

export const getApiKey = v2.get({ id: 'api-keys.get', title: 'Show one API key', query: queryOf({ include }) });

export const updateApiKey = v2.update({
  id: 'api-keys.update',
  title: 'Rename an API key',
  method: 'PATCH',
  repeat: 'settable',
  readBack: 'api-keys.get',
  body: updateBody('api_keys', { name, ...apiKeyOptions }),
});

export const deleteApiKey = v2.delete({
  id: 'api-keys.delete',
  title: 'Delete an API key',
  permission: ['api_keys_delete'],
});

const v1 = resourceOperations({
  path: '/api/v1/api_key',
  item: 'key',
  responses: { list: manyV1, single: oneV1 },
  of: 'api_keys',
  reading: ['api_keys_read'],
  editing: ['api_keys_write'],
  origin: 'spec',
  source: 'docs/contract/keys.md#api-keys-of-v1',
});

export const listApiKeysV1 = v1.list({
  id: 'api-keys.list-v1',
  title: 'List API keys, v1 form: the answer holds every secret',
  secrets: ['api_keys.key'],
});

/** Answers 200, not 201 (docs/contract/keys.md#api-keys-of-v1). */
export const createApiKeyV1 = v1.create({
  id: 'api-keys.create-v1',
  title: 'Create an API key, v1 form',
  origin: 'addition',
  body: v.looseObject({ name }),
  secrets: ['api_key.key'],
});

/** The path holds the secret, so its address may be written nowhere. */
export const getApiKeyV1 = v1.get({
  id: 'api-keys.get-v1',
  title: 'Show one API key, v1 form',
  secrets: ['{key}', 'api_key.key'],
});

/** The service writes `name` only; the other fields are accepted and ignored (docs/contract/keys.md#api-keys-of-v1). */
export const updateApiKeyV1 = v1.update({
  id: 'api-keys.update-v1',
  title: 'Rename an API key, v1 form',
  method: 'PUT',
  repeat: 'settable',
  readBack: 'api-keys.get-v1',
  isApplied: (sent, read) => nameOf(sent.body) === nameOf((read as { api_key?: unknown } | null)?.api_key),
  body: v.looseObject({
    name,
    created: v.optional(text),
    created_by: v.optional(text),
    key: v.optional(text),
  }),
  secrets: ['{key}', 'key', 'api_key.key'],
});

/** Answers 200 with the key that is gone (docs/contract/keys.md#api-keys-of-v1). */
export const deleteApiKeyV1 = v1.endpoint({
  id: 'api-keys.delete-v1',
  title: 'Delete an API key, v1 form',
  verb: 'delete',
  path: '/api/v1/api_key/{key}',
  permission: ['api_keys_delete'],
  origin: 'addition',
  response: oneV1,
  secrets: ['{key}', 'api_key.key'],
});

/** Every operation on API keys. */
export const apiKeyEndpoints = [...v2.all, ...v1.all];
