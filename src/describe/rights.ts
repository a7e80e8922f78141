import { ask, call, type Endpoint, type Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import { listPermissions } from '../api/roles.ts';
import { userPermissions } from '../api/users.ts';
import type { Single } from './source.ts';
import type { VocabularyContext } from './vocabulary-words.ts';

/** What a person's roles lack: names of permissions as the service writes them. */
export interface Rights {
  readonly missing: readonly string[];
}

/**
 * The permissions of the service's catalog that no role of this person grants: two requests. A permission that the
 * catalog does not list is not missing: every person may have it (`user_access_read`, docs/contract/roles.md#operations).
 */
export const readRights = (personId: string): Single<Rights> => ({
  key: `rights of ${personId}`,
  of: [],
  *plan({ vocabulary }): Plan<Result<Rights>> {
    const held = yield* ask(call(userPermissions, { user_id: personId }));
    if (!held.ok) return held;
    const names = new Set(namesOf(held.value));
    // The admin permission stands for all others (docs/contract/roles.md#default-permissions).
    const admin = vocabulary?.permission('admin') ?? 'admin';
    if (names.has(admin)) return { ...held, value: { missing: [] } };
    const all = yield* ask(call(listPermissions));
    if (!all.ok) return all;
    return { ...all, value: { missing: namesOf(all.value).filter((name) => !names.has(name)) } };
  },
});

interface Listed {
  readonly data?:
    | readonly { readonly attributes?: { readonly name?: string | null | undefined } | null | undefined }[]
    | null
    | undefined;
}

const namesOf = (answer: Listed | null | undefined): string[] =>
  (answer?.data ?? []).flatMap(({ attributes }) => attributes?.name ?? []);

/** The permissions that an operation needs and these roles lack, in the deployment's words; undefined when none is. */
export function lacking(
  { permission, otherwise = [] }: Endpoint,
  missing: ReadonlySet<string>,
  { vocabulary }: VocabularyContext,
): string | undefined {
  if (missing.size === 0) return undefined;
  const lacks = (name: string) => missing.has(vocabulary?.permission(name) ?? name);
  if (otherwise.some((name) => !lacks(name))) return undefined;
  const names = permission.filter(lacks).map((name) => vocabulary?.permission(name) ?? name);
  return names.length === 0 ? undefined : names.join(' and ');
}
