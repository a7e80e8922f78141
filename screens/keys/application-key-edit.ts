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
import type { Action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { checksField } from '../../src/describe/field.ts';
import { permissionPicks } from '../../src/describe/picks.ts';
import { receipt, receiptSubject, toReceipt } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { type EditedRow, editing } from '../../src/describe/setting-edits.ts';
import { isSameJson } from '../../src/lib/values.ts';
import {
  keyDeleteAction,
  keyNameField,
  leakNotes,
  nameOfKey,
  readRelationships,
  relatedId,
  saidEnding,
  showingSecret,
  withoutSecret,
} from './any-key.ts';

/** What an update of a key sends. */
type KeyChanges = AttributesOf<typeof updateOwnKey>;
/** What a new key is made of. */
type NewKey = AttributesOf<typeof createOwnKey>;

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
  /** Behind a new key in its receipt: whose it is, if not the caller's. */
  readonly whose?: string;
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
export const accountEndpoints = (account: string, name: string): KeyEndpoints => ({
  id: `account ${account}`,
  owner: 'the account’s',
  pages: ({ 'filter[owned_by]': _, include: __, ...query }) =>
    call(listAccountKeys, { service_account_id: account, query }),
  get: (id) => call(getAccountKey, { service_account_id: account, app_key_id: id }),
  update: (id, attributes) =>
    call(updateAccountKey, { service_account_id: account, app_key_id: id, body: updateBody(id, attributes) }),
  remove: (id) => call(deleteAccountKey, { service_account_id: account, app_key_id: id }),
  create: (attributes) => call(createAccountKey, { service_account_id: account, body: createBody(attributes) }),
  whose: ` of ${name}`,
});

/** The kind of the application keys of one path. Scopes are sorted, because their order means nothing; no scopes are null. */
export const applicationKeys = (endpoints: KeyEndpoints) =>
  kind({
    noun: 'application key',
    short: 'key',
    key: `${endpoints.id} application key`,
    of: ['application_keys', 'users'],
    pages({ search }) {
      const text = search.text?.trim() ?? '';
      return endpoints.pages({
        sort: 'name',
        ...(text !== '' && { filter: text }),
        ...(search.owner && { 'filter[owned_by]': search.owner }),
      });
    },
    extra({ attributes, relationships }, included) {
      const scopes = attributes?.scopes && { scopes: sortedScopes(attributes.scopes) };
      const { owned_by, leak_information } = relationships ?? {};
      return {
        ...withoutSecret({ ...attributes, ...scopes }),
        ...readRelationships(relationships, [owned_by?.data, leak_information?.data], included),
      };
    },
    // A deployment that ignores the filter by owner answers the keys of all owners.
    keeps: (row, { search }) =>
      !search.owner || [undefined, search.owner].includes(relatedId(row.relationships?.owned_by)),
    notes: ({ rows }) => leakNotes(rows),
    get: endpoints.get,
    remove: endpoints.remove,
    name: (row) => nameOfKey(row),
  });

/** A row of a list of application keys. */
export type AppKeyRow = RowOf<ReturnType<typeof applicationKeys>>;
/** Undefined where the service does not tell them, null for no limit. */
type Scopes = AppKeyRow['attributes']['scopes'];

/**
 * Scopes, sorted; null for none, as on the wire: an empty list means the same to some deployments only (docs/contract/keys.md#own-keys).
 */
const sortedScopes = (scopes: readonly string[]): string[] | null => (scopes.length === 0 ? null : scopes.toSorted());

/** Whether this dashboard probably uses the key: compares the last four characters, and the owners where both are known. */
export function isKeyInUse(row: Pick<AppKeyRow, 'attributes' | 'relationships'>, context: Context): boolean {
  const end = context.ends?.appKey ?? '';
  const owner = relatedId(row.relationships?.owned_by);
  const isMine = owner === undefined || context.me === undefined || owner === context.me.id;
  return end !== '' && row.attributes.last4 === end && isMine;
}

/** Scopes in words: their names, or that there is no limit but that of the `owner`; empty where the service does not say. */
export function scopesText(scopes: Scopes, owner?: string): string {
  if (scopes === undefined) return '';
  return scopes?.length ? scopes.join(', ') : owner === undefined ? 'No limit' : `No limit (${owner} permissions)`;
}

/** Scopes in a receipt. */
const scopesReceipt = (scopes: Scopes, owner: string): string =>
  scopes?.length ? `scopes ${scopes.join(', ')}` : `no scopes (all ${owner} permissions)`;

/** Warnings to show before scopes change. */
function scopeWarnings(row: AppKeyRow, scopes: readonly string[], owner: string, context: Context): readonly string[] {
  return [
    ...(isKeyInUse(row, context)
      ? [
          `WARNING: it ends in ${row.attributes.last4}, like the key of this session:`,
          'your permissions here change at once, and you may be unable to undo this',
        ]
      : []),
    ...(scopes.length === 0 ? [`Without scopes it has all ${owner} permissions, now and later`] : []),
    ...(row.attributes.scopes === undefined ? ['Its current scopes are unknown, so this cannot be undone'] : []),
  ];
}

/** The actions that edit, clear scopes, delete and create keys of one path. */
export function keyActions(endpoints: KeyEndpoints) {
  const { id, owner } = endpoints;
  const keys = applicationKeys(endpoints);
  const setting = defineSettings(keys);
  const settings = {
    name: setting('name', 'name', keyNameField),
    // Merged as one value, not as a set: two edits that each remove scopes could leave none, and none means no limit.
    scopes: setting(
      'scopes',
      'scopes',
      (now) =>
        checksField(
          'Scopes',
          (now ?? []).map((name) => ({ id: name, label: name })),
          permissionPicks,
          { free: true, placeholder: `no limit (all ${owner} permissions)` },
        ),
      { place: sortedScopes, unknownUntold: true },
    ),
  };
  const edits = editing({
    kind: keys,
    settings,
    uses: [endpoints.update('', {}).endpoint],
    own: ['created_at', 'key', 'last4', 'last_used_at'],
    patch: (key, changes: KeyChanges) => endpoints.update(key, changes),
  });

  /** An edit whose receipt says the scopes that it has set: what the key may do now. */
  const sayingScopes = <V>(edit: Action<AppKeyRow, V, EditedRow<AppKeyRow>>): typeof edit => ({
    ...edit,
    done(row, values, answer, context) {
      const said = toReceipt(edit.done(row, values, answer, context));
      const { scopes } = answer.asked.attributes;
      const isUnchanged = isSameJson(answer.before.attributes.scopes, scopes);
      return isUnchanged || said.isWarning ? said : receipt`${said}: ${scopesReceipt(scopes, owner)}`;
    },
  });

  return {
    keys,
    comparable: edits.comparable,
    edit: sayingScopes(
      edits.edit({
        id: `keys.edit-${id}`,
        help: 'Edit name and scopes; shows the differences before saving',
        confirm([row], { scopes }, context) {
          const details = row && scopes ? scopeWarnings(row, scopes, owner, context) : [];
          if (!row || details.length === 0) return undefined;
          return { question: `Change the scopes of ${keys.nameOf(row)}?`, details };
        },
      }),
    ),
    clear: sayingScopes(
      edits.to(() => ({ scopes: [] }), {
        id: `keys.clear-${id}`,
        title: 'clear scopes',
        preposition: 'of',
        main: false,
        help: 'Remove all scopes (grants everything the owner can do)',
        enabled: (row) => row.attributes.scopes !== null || 'no scopes to clear',
        confirm: (rows, _, context) => ({
          question: `Clear the scopes of ${receiptSubject(rows, keys.nameOf, 'key')}?`,
          details: [
            ...rows
              .slice(0, 5)
              .map((row) => `${keys.nameOf(row)}: ${scopesText(row.attributes.scopes, owner) || 'scopes unknown'}`),
            ...(rows.length > 5 ? [`and ${rows.length - 5} more`] : []),
            ...new Set(rows.flatMap((row) => scopeWarnings(row, [], owner, context))),
          ],
          destructive: true,
        }),
      }),
    ),
    remove: keyDeleteAction<AppKeyRow>({
      id: `keys.delete-${id}`,
      kind: keys,
      isInUse: isKeyInUse,
    }),
    create: showingSecret(
      edits.make({
        id: 'keys.create',
        main: true,
        help: 'Create an application key for yourself; its secret is shown once',
        uses: [endpoints.create({ name: '' }).endpoint],
        create: ({ name, scopes }: NewKey) => endpoints.create({ name, ...(scopes && { scopes }) }),
        confirm: (_, { name, scopes = [] }) =>
          scopes.length > 0
            ? undefined
            : {
                question: `Create ${name} without scopes?`,
                details: [`It has all ${owner} permissions, now and later`],
              },
        verb: 'Created application key',
        says: (row) => `${saidEnding(row)}${endpoints.whose ?? ''}`,
      }),
    ),
  };
}

/** Actions on the caller's own keys. */
export const ownActions = keyActions(ownEndpoints);
/** Actions on all keys of the organization. */
export const orgActions = keyActions(orgEndpoints);
