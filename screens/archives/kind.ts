import { deleteArchive, destination, getArchive, getOrder, listArchives } from '../../src/api/archives.ts';
import { ask, call } from '../../src/api/endpoint.ts';
import { problemResult } from '../../src/api/problem.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';

/** Log archives. Their order is a resource of its own, which not everybody who may list archives may read. */
export const archiveKind = kind({
  noun: 'archive',
  of: ['archives', 'archive_order'],
  list: () => call(listArchives),
  get: (id) => call(getArchive, { archive_id: id }),
  remove: (id) => call(deleteArchive, { archive_id: id }),
  name: (row) => row.attributes.name,
  *order() {
    const answer = yield* ask(call(getOrder));
    if (!answer.ok) return answer;
    const ids = answer.value?.data?.attributes?.archive_ids;
    return ids == null
      ? problemResult('unreadable', 'the response has no order of archives')
      : { ...answer, value: ids };
  },
});

export type ArchiveRow = RowOf<typeof archiveKind>;

type Attributes = ArchiveRow['attributes'];
type Loose = Readonly<Record<string, unknown>>;

/** Members of a destination and of its integration that each form takes (docs/contract/logs-archives.md#archive). */
const taken: Readonly<Record<string, readonly string[]>> = {
  provider_a: ['container', 'storage_account', 'region', 'client_id', 'tenant_id'],
  provider_b: ['bucket', 'client_email', 'project_id'],
  provider_c: ['bucket', 'encryption', 'storage_class', 'account_id', 'role_name', 'access_key_id'],
};
/** Forms of a destination, the first one for a new archive. */
export const forms = ['provider_a', 'provider_b', 'provider_c'] as const;

/** Members that may be left out and may not be null. */
const optional = [
  'include_tags',
  'rehydration_tags',
  'compression_method',
  'partitioning_attributes',
  'lookup_attributes',
];

/** How a bucket of provider_c is accessed: with an access key, or with an account and a role. */
export const accessBy = (ids: { readonly access_key_id?: string | null | undefined } | null | undefined) =>
  ids?.access_key_id ? 'key' : 'role';

/** Fields of the form that decide about a destination and are none of its members. */
interface DestinationValues {
  readonly by?: 'key' | 'role' | undefined;
  readonly encryption?: string | undefined;
}

/**
 * The attributes as they may be sent. A destination of another form keeps what that form takes, of provider_c there is one
 * way of access and a key only for its encryption, and null means that a member is left out.
 */
export function tidyDestination(
  attributes: Attributes,
  values: DestinationValues,
  before: Attributes | undefined,
): Attributes {
  const bare = withoutNull(attributes, optional) as Attributes;
  const to = attributes.destination;
  if (to == null) return bare;
  const was = before?.destination?.type;
  const type = to.type ?? forms[0];
  const names = was != null && was !== type ? taken[type] : undefined;
  const told = withoutNull({ ...to, type }, Object.keys(destination.entries));
  const ids = to.integration && withoutNull(to.integration, Object.values(taken).flat());
  const kept = names ? only(told, [...names, 'type', 'path', 'integration']) : told;
  const own = { ...kept, ...(ids ? { integration: names ? only(ids, names) : ids } : {}) };
  const next = type === 'provider_c' ? providerC(own, values) : own;
  return { ...bare, destination: next as NonNullable<Attributes['destination']> };
}

/** Members of a destination in provider_c: role or access key, never both; only one kind of encryption has a key. */
function providerC(to: Loose, { by, encryption }: DestinationValues): Loose {
  const ids = (to.integration ?? {}) as Loose;
  const others = (by ?? accessBy(ids)) === 'key' ? ['account_id', 'role_name'] : ['access_key_id'];
  const { encryption: told, ...rest } = { ...to, integration: without(ids, others) } as Loose;
  if (told == null || encryption === '') return rest;
  const isKeyed = encryption === undefined || encryption === 'SSE_KMS';
  return { ...rest, encryption: isKeyed ? withoutNull(told, ['key']) : without(told as Loose, ['key']) };
}

const chosen = (value: object, keeps: (name: string, inner: unknown) => boolean): Loose =>
  Object.fromEntries(Object.entries(value).filter(([name, inner]) => keeps(name, inner)));
const only = (value: object, names: readonly string[]) => chosen(value, (name) => names.includes(name));
const without = (value: object, names: readonly string[]) => chosen(value, (name) => !names.includes(name));
const withoutNull = (value: object, names: readonly string[]) =>
  chosen(value, (name, inner) => inner !== null || !names.includes(name));

/** Where it writes, in one line: `logs/web`; an answer may hold no destination at all. */
export function destinationText({ attributes }: Resource<Attributes>): string {
  const to = attributes.destination;
  if (to == null) return '';
  const place = to.type === 'provider_a' ? [to.storage_account, to.container] : [to.bucket];
  return [...place, to.path?.replace(/^\/+/, '')].filter((part) => part != null && part !== '').join('/');
}
