import { deleteArchive, destination, getArchive, getOrder, listArchives } from '../../src/api/archives.ts';
import { ask, call } from '../../src/api/endpoint.ts';
import { problemResult } from '../../src/api/problem.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import { isObject, type JsonObject, only, without } from '../../src/lib/values.ts';

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

/** Members that a destination, or its integration, has only with some types (docs/contract/logs-archives.md#archive). */
const membersOfType: Readonly<Record<string, readonly string[]>> = {
  provider_a: ['container', 'storage_account', 'region', 'client_id', 'tenant_id'],
  provider_b: ['bucket', 'client_email', 'project_id'],
  provider_c: ['bucket', 'encryption', 'storage_class', 'account_id', 'role_name', 'access_key_id'],
};
/** The type of the destination of a new archive. */
export const firstType = 'provider_a';

/** Members that may be left out and may not be null. */
const optional = [
  'include_tags',
  'rehydration_tags',
  'compression_method',
  'partitioning_attributes',
  'lookup_attributes',
];

/** How a bucket of provider_c is accessed: with an access key, or with an account and a role. */
export const accessBy = (integration: { readonly access_key_id?: string | null | undefined } | null | undefined) =>
  integration?.access_key_id ? 'key' : 'role';

/** What the form says of a destination in provider_c; undefined where the form was not used. */
interface DestinationValues {
  readonly by?: 'key' | 'role' | undefined;
  readonly encryption?: string | undefined;
}

/**
 * The attributes as they may be sent: a destination whose type was changed keeps only what the new type has, one in provider_c
 * has one way of access, and a key only for the encryption that takes one. A known member that is null is left out.
 */
export function tidyDestination(
  attributes: Attributes,
  values: DestinationValues,
  before: Attributes | undefined,
): Attributes {
  const others = withoutNull(attributes, optional) as Attributes;
  const target = attributes.destination;
  if (target == null) return others;
  const typeBefore = before?.destination?.type;
  const type = target.type ?? firstType;
  const ofType = typeBefore != null && typeBefore !== type ? membersOfType[type] : undefined;
  const kept = (members: JsonObject) => (ofType ? only(members, [...ofType, 'type', 'path', 'integration']) : members);
  const integration = target.integration && kept(withoutNull(target.integration, Object.values(membersOfType).flat()));
  const members = kept(withoutNull({ ...target, type }, Object.keys(destination.entries)));
  const tidied = integration ? { ...members, integration } : members;
  const sent = type === 'provider_c' ? tidyProviderC(tidied, values) : tidied;
  return { ...others, destination: sent as NonNullable<Attributes['destination']> };
}

function tidyProviderC(target: JsonObject, { by, encryption }: DestinationValues): JsonObject {
  const ids = (target.integration ?? {}) as JsonObject;
  const unused = (by ?? accessBy(ids)) === 'key' ? ['account_id', 'role_name'] : ['access_key_id'];
  const { encryption: before, ...rest } = { ...target, integration: without(ids, unused) } as JsonObject;
  if (!isObject(before) || encryption === '') return rest;
  const hasKey = encryption === undefined || encryption === 'SSE_KMS';
  return { ...rest, encryption: hasKey ? withoutNull(before, ['key']) : without(before, ['key']) };
}

const withoutNull = (value: JsonObject, names: readonly string[]): JsonObject =>
  without(
    value,
    names.filter((name) => value[name] === null),
  );

/** Where an archive writes, in one line: `logs/web`; empty where the response has no destination. */
export function destinationText({ attributes }: Resource<Attributes>): string {
  const to = attributes.destination;
  if (to == null) return '';
  const place = to.type === 'provider_a' ? [to.storage_account, to.container] : [to.bucket];
  return [...place, to.path?.replace(/^\/+/, '')].filter((part) => part != null && part !== '').join('/');
}
