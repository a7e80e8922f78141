import { createApiKey, deleteApiKey, getApiKey, listApiKeys, updateApiKey } from '../../src/api/api-keys.ts';
import { type AttributesOf, call } from '../../src/api/endpoint.ts';
import type { Context } from '../../src/describe/context.ts';
import { differenceText } from '../../src/describe/edit-receipt.ts';
import { textField, toggleField } from '../../src/describe/field.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { isSameJson } from '../../src/lib/merge.ts';
import { field, toWord } from '../../src/lib/unchecked-values.ts';
import { type AnyKey, keyNameField, leakNotes, nameOfKey } from './key-columns.ts';
import { keyDeleteAction } from './key-delete-action.ts';
import { createReceipt, newSecret, withoutSecret } from './new-secret.ts';
import { readRelationships } from './relationships.ts';

const include = ['created_by', 'modified_by'] as const;

/** API keys of the current API (docs/contract/keys.md#api-keys). */
export const apiKeys = kind({
  noun: 'API key',
  short: 'key',
  of: ['api_keys', 'users'],
  pages({ search }) {
    const filter = search.text?.trim() ?? '';
    const query = { include: [...include], sort: 'name' };
    return call(listApiKeys, { query: { ...query, ...(filter !== '' && { filter }) } });
  },
  extra({ attributes, relationships }, included) {
    const { created_by, modified_by, leak_information } = relationships ?? {};
    const references = [created_by?.data, modified_by?.data, leak_information?.data];
    return { ...withoutSecret({ ...attributes }), ...readRelationships(relationships, references, included) };
  },
  notes({ rows, meta, asked }) {
    const allowed = Number(toWord(field(meta, 'max_allowed')));
    const isUnfiltered = !asked.search.text?.trim();
    const isNearLimit = isUnfiltered && allowed > 0 && rows.length >= allowed * 0.9;
    return [...leakNotes(rows), ...(isNearLimit ? [`${rows.length} of ${allowed} allowed`] : [])];
  },
  get: (id) => call(getApiKey, { api_key_id: id, query: { include: [...include] } }),
  remove: (id) => call(deleteApiKey, { api_key_id: id }),
  name: (row) => nameOfKey(row),
});

/** A row of the list of API keys. */
export type ApiKeyRow = RowOf<typeof apiKeys>;

/** Whether the key has the last four characters of the API key that this dashboard uses. */
export function isApiKeyInUse({ attributes }: AnyKey, context: Context): boolean {
  const end = context.ends?.apiKey ?? '';
  return end !== '' && attributes.last4 === end;
}

const setting = defineSettings(apiKeys);
const settings = {
  name: setting('name', 'name', keyNameField),
  category: setting(
    'category',
    'category',
    (now, row) =>
      textField('Category', now, {
        ...(row ? {} : { hint: 'Empty = service default' }),
        check: (typed) => typed !== '' || !now || 'Category cannot be removed, only changed',
      }),
    { place: (category) => category || undefined, unknownUntold: true },
  ),
  remote: setting(
    'remote configuration',
    'remote_config_read_enabled',
    (now) => toggleField('Remote configuration', now, 'Agents can read their configuration with this key'),
    { untold: true, omit: 'new', unknownUntold: true },
  ),
};

const edits = editing({
  kind: apiKeys,
  settings,
  uses: [updateApiKey],
  // Attributes that the service sets by itself.
  own: ['created_at', 'modified_at', 'key', 'last4', 'date_last_used', 'used_in_last_24_hours', 'last_used_date'],
  // An update must repeat the name (docs/contract/keys.md#api-keys).
  patch: (id, changes: Partial<AttributesOf<typeof updateApiKey>>, row) =>
    call(updateApiKey, {
      api_key_id: id,
      body: { data: { id, type: 'api_keys', attributes: { name: row.attributes.name ?? '', ...changes } } },
    }),
});

export const { comparable } = edits;

/** `n`: a new key; its secret is shown once. */
export const createAction = edits.make({
  id: 'api-keys.create',
  main: true,
  help: 'Create an API key of the organization; its secret is shown once',
  uses: [createApiKey],
  starts: { remote_config_read_enabled: true },
  create: (attributes: AttributesOf<typeof createApiKey>) =>
    call(createApiKey, { body: { data: { type: 'api_keys', attributes } } }),
  done: (_, __, made) => createReceipt(apiKeys, made),
  secret: (made) => newSecret(made),
});

/** `e`: name, category and remote configuration. */
export const editAction = edits.edit({
  id: 'api-keys.edit',
  help: 'Edit name, category and remote configuration',
  done(_, __, { before, asked: requested, now }, context) {
    const [old, wanted] = [before.attributes, requested.attributes];
    const [oldName, name] = [before, requested].map(apiKeys.nameOf);
    const isSwitched = !isSameJson(old.remote_config_read_enabled, wanted.remote_config_read_enabled);
    const changes = [
      ...(oldName === name ? [] : [`renamed from ${oldName}`]),
      ...(isSameJson(old.category, wanted.category) ? [] : [`category ${wanted.category}`]),
      ...(isSwitched ? [`remote configuration ${wanted.remote_config_read_enabled ? 'on' : 'off'}`] : []),
    ];
    return `Saved ${name}: ${changes.join(', ')}${differenceText({ kind: apiKeys, settings }, before, requested, now, context)}`;
  },
});

/** `d`: the name is typed first. */
export const deleteAction = keyDeleteAction({
  id: 'api-keys.delete',
  kind: apiKeys,
  isInUse: isApiKeyInUse,
});
