import type { Context } from '../../src/describe/context.ts';
import { differenceText } from '../../src/describe/edit-receipt.ts';
import { checksField, textField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt } from '../../src/describe/receipt.ts';
import { permissionPicks } from '../../src/describe/resource-picks.ts';
import { settingsOf } from '../../src/describe/setting.ts';
import { type Edited, editing } from '../../src/describe/setting-edits.ts';
import { same } from '../../src/lib/merge.ts';
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
import { keyDeleteAction } from './key-delete-action.ts';
import { createReceipt, newSecret } from './new-secret.ts';

/** Scopes in a receipt. */
const scopesReceipt = (scopes: Scopes, owner: string): string =>
  scopes?.length ? `scopes ${scopes.join(', ')}` : `no scopes: it may do all that ${owner} may`;

/** Warnings to show before scopes change. */
function scopeWarnings(row: AppKeyRow, scopes: readonly string[], owner: string, context: Context): readonly string[] {
  return [
    ...(isKeyInUse(row, context)
      ? [
          `WARNING: it ends in ${row.attributes.last4} like the key that this dashboard uses:`,
          'what it may do here changes at once, and the way back may be closed then',
        ]
      : []),
    ...(scopes.length === 0 ? [`without scopes it may do all that ${owner} may, now and later`] : []),
    ...(row.attributes.scopes === undefined ? ['what it may do now was not told, so it cannot be taken back'] : []),
  ];
}

/** The actions that edit, clear scopes, delete and create keys of one path. */
export function keyActions(endpoints: KeyEndpoints) {
  const { id, owner } = endpoints;
  const keys = applicationKeys(endpoints);
  const setting = settingsOf(keys);
  const settings = {
    name: setting('name', 'name', (now) =>
      textField('name', now, { required: true, hint: 'what will use it, and where' }),
    ),
    // Merged as one value, not as a set: two edits that each remove scopes could leave none, and none means no limit.
    scopes: setting(
      'scopes',
      'scopes',
      (now) =>
        checksField(
          'scopes',
          (now ?? []).map((name) => ({ id: name, label: name })),
          permissionPicks,
          { free: true, hint: `Enter picks permissions; none = all that ${owner} may` },
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

  function done(_: unknown, __: unknown, { before, asked, now }: Edited<AppKeyRow>, context: Context): Receipt {
    const [was, name] = [keys.nameOf(before), keys.nameOf(asked)];
    const { scopes } = asked.attributes;
    const limits = same(before.attributes.scopes, scopes) ? '' : scopesReceipt(scopes, owner);
    const changes =
      was === name
        ? receipt`${namePart(name)}: ${limits}`
        : receipt`renamed ${namePart(was)} to ${namePart(name)}${limits && `, now ${limits}`}`;
    return receipt`${changes}${differenceText({ kind: keys, settings }, before, asked, now, context)}`;
  }

  return {
    keys,
    comparable: edits.comparable,
    edit: edits.edit({
      id: `keys.edit-${id}`,
      help: 'rename it, or change what it is limited to; the difference is shown first',
      confirm([row], { scopes }, context) {
        const details = row && scopes ? scopeWarnings(row, scopes, owner, context) : [];
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
            .map((row) => `${keys.nameOf(row)}: ${scopesText(row.attributes.scopes, owner) || 'scopes not told'}`),
          ...new Set(rows.flatMap((row) => scopeWarnings(row, [], owner, context))),
        ],
        destructive: true,
      }),
      done,
    }),
    remove: keyDeleteAction<AppKeyRow>({
      id: `keys.delete-${id}`,
      kind: keys,
      help: 'whatever uses it is refused from then on; the name is typed first',
      isInUse: isKeyInUse,
    }),
    create: edits.make({
      id: 'keys.create',
      main: true,
      help: 'a new application key of yours; its secret is shown once',
      uses: [endpoints.create({ name: '' }).endpoint],
      create: ({ name, scopes }: NewKey) => endpoints.create({ name, ...(scopes && { scopes }) }),
      confirm: (_, { name, scopes = [] }) =>
        scopes.length > 0
          ? undefined
          : {
              question: `create ${name} without scopes? y = yes`,
              details: [`it may do all that ${owner} may, now and later`],
            },
      done: (_, __, made) => createReceipt(keys, made),
      secret: (made) => newSecret(made),
    }),
  };
}

/** What can be done to keys of one's ownEndpoints, and to anybody's. */
export const ownActions = keyActions(ownEndpoints);
/** Actions on all keys of the organisation. */
export const orgActions = keyActions(orgEndpoints);
