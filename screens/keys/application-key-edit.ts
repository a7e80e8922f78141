import type { Context } from '../../src/describe/context.ts';
import { differenceText } from '../../src/describe/edit-receipt.ts';
import { checksField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt, receiptSubject } from '../../src/describe/receipt.ts';
import { permissionPicks } from '../../src/describe/resource-picks.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { type EditedRow, editing } from '../../src/describe/setting-edits.ts';
import { isSameJson } from '../../src/lib/merge.ts';
import {
  type KeyChanges,
  type KeyEndpoints,
  type NewKey,
  orgEndpoints,
  ownEndpoints,
} from './application-key-endpoints.ts';
import {
  type AppKeyRow,
  applicationKeys,
  isKeyInUse,
  type Scopes,
  scopesText,
  sortedScopes,
} from './application-key-kind.ts';
import { keyNameField } from './key-columns.ts';
import { keyDeleteAction } from './key-delete-action.ts';
import { createReceipt, newSecret } from './new-secret.ts';

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

  function done(
    _: unknown,
    __: unknown,
    { before, asked: requested, now }: EditedRow<AppKeyRow>,
    context: Context,
  ): Receipt {
    const [was, name] = [keys.nameOf(before), keys.nameOf(requested)];
    const { scopes } = requested.attributes;
    const limits = isSameJson(before.attributes.scopes, scopes) ? '' : scopesReceipt(scopes, owner);
    const changes =
      was === name
        ? receipt`Saved ${namePart(name)}: ${limits}`
        : receipt`Renamed ${namePart(was)} to ${namePart(name)}${limits && `, now ${limits}`}`;
    return receipt`${changes}${differenceText({ kind: keys, settings }, before, requested, now, context)}`;
  }

  return {
    keys,
    comparable: edits.comparable,
    edit: edits.edit({
      id: `keys.edit-${id}`,
      help: 'Edit name and scopes; shows the differences before saving',
      confirm([row], { scopes }, context) {
        const details = row && scopes ? scopeWarnings(row, scopes, owner, context) : [];
        if (!row || details.length === 0) return undefined;
        return { question: `Change the scopes of ${keys.nameOf(row)}?`, details };
      },
      done,
    }),
    clear: edits.to(() => ({ scopes: [] }), {
      id: `keys.clear-${id}`,
      title: 'clear scopes',
      main: false,
      help: 'Remove all scopes (grants everything the owner can do)',
      enabled: (row) => row.attributes.scopes !== null || 'no scopes to clear',
      confirm: (rows, _, context) => ({
        question: `Clear the scopes of ${receiptSubject(rows, keys.nameOf, 'key')}?`,
        details: [
          ...rows
            .slice(0, 5)
            .map((row) => `${keys.nameOf(row)}: ${scopesText(row.attributes.scopes, owner) || 'scopes unknown'}`),
          ...new Set(rows.flatMap((row) => scopeWarnings(row, [], owner, context))),
        ],
        destructive: true,
      }),
      done,
    }),
    remove: keyDeleteAction<AppKeyRow>({
      id: `keys.delete-${id}`,
      kind: keys,
      isInUse: isKeyInUse,
    }),
    create: edits.make({
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
      done: (_, __, made) => createReceipt(keys, made),
      secret: (made) => newSecret(made),
    }),
  };
}

/** Actions on the caller's own keys. */
export const ownActions = keyActions(ownEndpoints);
/** Actions on all keys of the organization. */
export const orgActions = keyActions(orgEndpoints);
