import type { Context } from '../../src/describe/context.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import type { KeyEndpoints } from './application-key-endpoints.ts';
import { leakNotes, nameOfKey } from './key-columns.ts';
import { withoutSecret } from './new-secret.ts';
import { readRelationships, relatedId } from './relationships.ts';

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
export type Scopes = AppKeyRow['attributes']['scopes'];

/**
 * Scopes, sorted; null for none, as on the wire: an empty list means the same to some deployments only (docs/contract/keys.md#own-keys).
 */
export const sortedScopes = (scopes: readonly string[]): string[] | null =>
  scopes.length === 0 ? null : scopes.toSorted();

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
