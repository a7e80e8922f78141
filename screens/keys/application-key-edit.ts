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
import type { Context } from '../../src/describe/context.ts';
import { differenceText } from '../../src/describe/edit-receipt.ts';
import { checksField, textField } from '../../src/describe/field.ts';
import { pageSize } from '../../src/describe/read-pages.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { permissionPicks } from '../../src/describe/resource-picks.ts';
import { settingsOf } from '../../src/describe/setting.ts';
import { type Edited, editing } from '../../src/describe/setting-edits.ts';
import { same } from '../../src/lib/merge.ts';
import { keyName, leakNotes } from './key-columns.ts';
import { deletingKey } from './key-delete.ts';
import { relatedBy, relatedId } from './related.ts';
import { madeSay, newSecret, withoutSecret } from './secret.ts';

type Sent = AttributesOf<typeof updateOwnKey>;
type New = AttributesOf<typeof createOwnKey>;

/** The path that keys are reached by: as one's own, as the organisation's, or as those of a service account. */
export interface Door {
  readonly id: string;
  /** Whose keys they are, said of the owner. */
  readonly whose: string;
  page(query: NonNullable<Args<typeof listOrgKeys>['query']>): Call<ResponseOf<typeof listOwnKeys>>;
  get(id: string): Call<ResponseOf<typeof getOwnKey>>;
  update(id: string, attributes: Sent): Call;
  remove(id: string): Call;
  /** Only its owner makes a key, and whoever may write a service account makes one for it. */
  create(attributes: New): Call;
}

const bodyOf = (id: string, attributes: Sent) => ({ data: { id, type: 'application_keys' as const, attributes } });

const bodyOfNew = (attributes: New) => ({ data: { type: 'application_keys' as const, attributes } });

/** Keys of the caller (contract/keys.md 2). */
export const own: Door = {
  id: 'own',
  whose: 'you',
  page: ({ 'filter[owned_by]': _, ...query }) => call(listOwnKeys, { query }),
  get: (id) => call(getOwnKey, { app_key_id: id }),
  update: (id, attributes) => call(updateOwnKey, { app_key_id: id, body: bodyOf(id, attributes) }),
  remove: (id) => call(deleteOwnKey, { app_key_id: id }),
  create: (attributes) => call(createOwnKey, { body: bodyOfNew(attributes) }),
};

/** Keys of everybody (contract/keys.md 3). */
export const org: Door = {
  id: 'org',
  whose: 'its owner',
  page: (query) => call(listOrgKeys, { query: { ...query, include: 'owned_by' } }),
  get: (id) => call(getOrgKey, { app_key_id: id, query: { include: 'owned_by' } }),
  update: (id, attributes) => call(updateOrgKey, { app_key_id: id, body: bodyOf(id, attributes) }),
  remove: (id) => call(deleteOrgKey, { app_key_id: id }),
  create: own.create,
};

/** Keys of a service account (contract/keys.md 4). */
export const doorOfAccount = (account: string): Door => ({
  id: `account ${account}`,
  whose: 'the account',
  page: ({ 'filter[owned_by]': _, include: __, ...query }) =>
    call(listAccountKeys, { service_account_id: account, query }),
  get: (id) => call(getAccountKey, { service_account_id: account, app_key_id: id }),
  update: (id, attributes) =>
    call(updateAccountKey, { service_account_id: account, app_key_id: id, body: bodyOf(id, attributes) }),
  remove: (id) => call(deleteAccountKey, { service_account_id: account, app_key_id: id }),
  create: (attributes) => call(createAccountKey, { service_account_id: account, body: bodyOfNew(attributes) }),
});

/** Application keys behind a door. Scopes stand in one order, because theirs means nothing; none are null. */
export const keysBehind = (door: Door) =>
  kind({
    noun: 'application key',
    short: 'key',
    key: `${door.id} application key`,
    of: ['application_keys', 'users'],
    page(number, { search }) {
      const text = search.text?.trim() ?? '';
      return door.page({
        'page[size]': pageSize,
        'page[number]': number,
        sort: 'name',
        ...(text !== '' && { filter: text }),
        ...(search.owner && { 'filter[owned_by]': search.owner }),
      });
    },
    extra({ attributes, relationships }, included) {
      const scopes = attributes?.scopes && { scopes: inOrder(attributes.scopes) };
      const { owned_by, leak_information } = relationships ?? {};
      return {
        ...withoutSecret({ ...attributes, ...scopes }),
        ...relatedBy(relationships, [owned_by?.data, leak_information?.data], included),
      };
    },
    // A deployment without the filter answers everybody's.
    keeps: (row, { search }) =>
      !search.owner || [undefined, search.owner].includes(relatedId(row.relationships?.owned_by)),
    notes: ({ rows }) => leakNotes(rows),
    get: door.get,
    remove: door.remove,
    name: (row) => keyName(row),
  });

export type AppKeyRow = RowOf<ReturnType<typeof keysBehind>>;
type Scopes = AppKeyRow['attributes']['scopes'];

/** No scopes are null on the wire: an empty list means the same to some deployments only (contract/keys.md 2). */
const inOrder = (scopes: readonly string[]): string[] | null => (scopes.length === 0 ? null : scopes.toSorted());

/**
 * Whether it is the key that this dashboard uses, as far as can be told: its last four characters, and its owner where
 * both are known.
 */
export function isKeyInUse(row: Pick<AppKeyRow, 'attributes' | 'relationships'>, context: Context): boolean {
  const end = context.ends?.appKey ?? '';
  const owner = relatedId(row.relationships?.owned_by);
  const isMine = owner === undefined || context.me === undefined || owner === context.me.id;
  return end !== '' && row.attributes.last4 === end && isMine;
}

/** Scopes as a column says them. */
export function scopesSay(scopes: Scopes, whose: string): string {
  if (scopes === undefined) return '';
  return scopes?.length ? scopes.join(', ') : `all that ${whose} may`;
}

/** The same for a receipt: what it may do now. */
const limitsSay = (scopes: Scopes, whose: string): string =>
  scopes?.length ? `scopes ${scopes.join(', ')}` : `no scopes: it may do all that ${whose} may`;

/** What must be known before scopes change. */
function scopeWarnings(row: AppKeyRow, scopes: readonly string[], whose: string, context: Context): readonly string[] {
  return [
    ...(isKeyInUse(row, context)
      ? [
          `WARNING: it ends in ${row.attributes.last4} like the key that this dashboard uses:`,
          'what it may do here changes at once, and the way back may be closed then',
        ]
      : []),
    ...(scopes.length === 0 ? [`without scopes it may do all that ${whose} may, now and later`] : []),
    ...(row.attributes.scopes === undefined ? ['what it may do now was not told, so it cannot be taken back'] : []),
  ];
}

/** Edit, clear scopes, delete and create through one door. */
export function actionsBehind(door: Door) {
  const { id, whose } = door;
  const keys = keysBehind(door);
  const setting = settingsOf(keys);
  const settings = {
    name: setting('name', 'name', (now) =>
      textField('name', now, { required: true, hint: 'what will use it, and where' }),
    ),
    // One value and no set: two who each narrow a key could leave nothing between them, and nothing means everything.
    scopes: setting(
      'scopes',
      'scopes',
      (now) =>
        checksField(
          'scopes',
          (now ?? []).map((name) => ({ id: name, label: name })),
          permissionPicks,
          { free: true, hint: `Enter picks permissions; none = all that ${whose} may` },
        ),
      { place: inOrder, unknownUntold: true },
    ),
  };
  const edits = editing({
    kind: keys,
    settings,
    uses: [door.update('', {}).endpoint],
    own: ['created_at', 'key', 'last4', 'last_used_at'],
    patch: (key, changes: Sent) => door.update(key, changes),
  });

  function done(_: unknown, __: unknown, { before, asked, now }: Edited<AppKeyRow>, context: Context): string {
    const [was, name] = [keys.nameOf(before), keys.nameOf(asked)];
    const { scopes } = asked.attributes;
    const limits = same(before.attributes.scopes, scopes) ? '' : limitsSay(scopes, whose);
    const said =
      was === name ? `${name}: ${limits}` : [`renamed ${was} to ${name}`, limits].filter(Boolean).join(', now ');
    return said + differenceText({ kind: keys, settings }, before, asked, now, context);
  }

  return {
    keys,
    comparable: edits.comparable,
    edit: edits.edit({
      id: `keys.edit-${id}`,
      help: 'rename it, or change what it is limited to; the difference is shown first',
      confirm([row], { scopes }, context) {
        const details = row && scopes ? scopeWarnings(row, scopes, whose, context) : [];
        if (!row || details.length === 0) return undefined;
        return { question: `change the scopes of ${keys.nameOf(row)}? y = yes`, details };
      },
      done,
    }),
    clear: edits.to(() => ({ scopes: [] }), {
      id: `keys.clear-${id}`,
      key: 'c',
      title: 'clear scopes',
      main: false,
      help: 'no limits any more: it may do all that its owner may; asks first',
      enabled: (row) => row.attributes.scopes !== null || 'it has no scopes',
      confirm: (rows, _, context) => ({
        question: `clear the scopes of ${rows[0] && rows.length === 1 ? keys.nameOf(rows[0]) : `${rows.length} keys`}? y = yes`,
        details: [
          ...rows
            .slice(0, 5)
            .map((row) => `${keys.nameOf(row)}: ${scopesSay(row.attributes.scopes, whose) || 'scopes not told'}`),
          ...new Set(rows.flatMap((row) => scopeWarnings(row, [], whose, context))),
        ],
        destructive: true,
      }),
      done,
    }),
    remove: deletingKey<AppKeyRow>({
      id: `keys.delete-${id}`,
      kind: keys,
      help: 'whatever uses it is refused from then on; the name is typed first',
      isInUse: isKeyInUse,
    }),
    create: edits.make({
      id: 'keys.create',
      main: true,
      help: 'a new application key of yours; its secret is shown once',
      uses: [door.create({ name: '' }).endpoint],
      create: ({ name, scopes }: New) => door.create({ name, ...(scopes && { scopes }) }),
      confirm: (_, { name, scopes = [] }) =>
        scopes.length > 0
          ? undefined
          : {
              question: `create ${name} without scopes? y = yes`,
              details: [`it may do all that ${whose} may, now and later`],
            },
      done: (_, __, made) => madeSay(keys, made),
      secret: (made) => newSecret(made),
    }),
  };
}

/** What can be done to keys of one's own, and to anybody's. */
export const ownActions = actionsBehind(own);
export const orgActions = actionsBehind(org);
