import type { AnswerOf, Args, Call } from '../../src/api/endpoint.ts';
import { call } from '../../src/api/endpoint.ts';
import {
  deleteOrgKey,
  deleteOwnKey,
  getOrgKey,
  getOwnKey,
  listOrgKeys,
  listOwnKeys,
  updateOrgKey,
  updateOwnKey,
} from '../../src/api/keys.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { nameless, personOf } from '../../src/describe/people.ts';
import { field, idIn, items, word } from '../../src/lib/loose.ts';
import { readMoment } from '../../src/lib/time.ts';
import { type Leak, leakOf, momentOf } from './shared.ts';

/** An application key as a row (contract/keys.md 1). The secret is never part of it. */
export interface AppKeyRow {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  /** Names of permissions; null = everything that its owner may; undefined = not told. */
  readonly scopes: readonly string[] | null | undefined;
  readonly created?: number;
  /** Milliseconds; null = never, undefined = not told. */
  readonly used?: number | null;
  /** Absent in the caller's own list. */
  readonly owner?: Person;
  readonly leak?: Leak;
}

/** The path that a key is reached by: as one's own, or as one of the organisation's. */
export interface Door {
  readonly id: 'own' | 'org';
  readonly list: typeof listOwnKeys | typeof listOrgKeys;
  readonly get: typeof getOwnKey | typeof getOrgKey;
  readonly update: typeof updateOwnKey | typeof updateOrgKey;
  readonly remove: typeof deleteOwnKey | typeof deleteOrgKey;
  page(query: Args<typeof listOrgKeys>['query']): Call<AnswerOf<typeof listOwnKeys>>;
  read(id: string): Call<AnswerOf<typeof getOwnKey>>;
  /** Whose keys they are, said of the owner. */
  readonly whose: string;
}

export const own: Door = {
  id: 'own',
  list: listOwnKeys,
  get: getOwnKey,
  update: updateOwnKey,
  remove: deleteOwnKey,
  page: ({ 'filter[owned_by]': _, ...query } = {}) => call(listOwnKeys, { query }),
  read: (id) => call(getOwnKey, { app_key_id: id }),
  whose: 'you',
};

export const org: Door = {
  id: 'org',
  list: listOrgKeys,
  get: getOrgKey,
  update: updateOrgKey,
  remove: deleteOrgKey,
  page: (query) => call(listOrgKeys, { query: { ...query, include: 'owned_by' } }),
  read: (id) => call(getOrgKey, { app_key_id: id, query: { include: 'owned_by' } }),
  whose: 'its owner',
};

/** A row out of an answer, whatever of it is missing; undefined without an id. */
export function readAppKey(it: unknown, included: readonly unknown[] = []): AppKeyRow | undefined {
  const id = idIn(it);
  if (id === undefined) return undefined;
  const about = field(it, 'attributes');
  return {
    id,
    name: word(field(about, 'name')) || `key ${id.slice(0, 8)}`,
    last4: word(field(about, 'last4')),
    scopes: scopesIn(about),
    created: readMoment(field(about, 'created_at')),
    used: momentOf(about, 'last_used_at'),
    owner: ownerOf(it, included),
    leak: leakOf(it, included),
  };
}

/** The scopes that an answer tells. */
export function scopesIn(attributes: unknown): AppKeyRow['scopes'] {
  const told = field(attributes, 'scopes');
  if (told === null) return null;
  return Array.isArray(told) ? items(told).map(word) : undefined;
}

function ownerOf(it: unknown, included: readonly unknown[]): Person | undefined {
  const id = idIn(field(field(it, 'relationships'), 'owned_by'));
  if (id === undefined) return undefined;
  const found = included.find((one) => /^users?$/.test(word(field(one, 'type'))) && idIn(one) === id);
  return personOf(found as Parameters<typeof personOf>[0]) ?? { id, name: nameless(id) };
}

/**
 * Whether it is the key that this dashboard uses, as far as can be told: its last four characters, and its owner where
 * both are known.
 */
export function isKeyInUse(row: AppKeyRow, context: Context): boolean {
  const end = context.ends?.appKey ?? '';
  const isMine = row.owner === undefined || context.me === undefined || row.owner.id === context.me.id;
  return end !== '' && row.last4 === end && isMine;
}

/** Scopes as a column or a receipt says them. */
export function scopesSay(scopes: AppKeyRow['scopes'], whose = 'its owner'): string {
  if (scopes === undefined) return '';
  if (scopes === null || scopes.length === 0) return `all that ${whose} may`;
  return scopes.join(', ');
}

/** The same for a receipt: what it may do now. */
export function limitsSay(scopes: AppKeyRow['scopes'], whose = 'its owner'): string {
  if (scopes === undefined) return 'scopes that the service did not tell';
  return scopes?.length ? `scopes ${scopes.join(', ')}` : `no scopes: it may do all that ${whose} may`;
}

/** What a key is called in receipts and questions. */
export const nameOf = (row: AppKeyRow): string => row.name;
