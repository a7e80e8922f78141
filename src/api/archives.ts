import * as v from 'valibot';
import type { AnySchema } from './endpoint.ts';
import {
  addsMember,
  createBody,
  fields,
  flag,
  int,
  many,
  name,
  nothing,
  one,
  placed,
  removesMember,
  resource,
  resourceOperations,
  searchTerms,
  text,
  toOneOf,
} from './envelope.ts';
import { role } from './roles.ts';

/** How an archive packs what it writes. */
export const compression = searchTerms('GZIP', 'ZSTD');
/** Storage classes of provider_c. */
export const storageClass = searchTerms('STANDARD', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING', 'GLACIER_IR');
/** Encryption of provider_c; `SSE_KMS` needs a key. */
export const encryption = placed(
  'archives.destination.encryption.type',
  searchTerms('NO_OVERRIDE', 'SSE_PROVIDER_C', 'SSE_KMS'),
);

/** The form of a destination, whose name a deployment may have made its own. */
const kind = <S extends AnySchema>(schema: S): S => placed('archives.destination.type', schema);

/** Where an archive writes; which fields it has follows from `type` (docs/contract/logs-archives.md#archive). */
export const destination = fields({
  type: kind(searchTerms('provider_a', 'provider_b', 'provider_c')),
  container: text,
  storage_account: text,
  bucket: text,
  path: text,
  region: text,
  integration: fields({
    client_id: text,
    tenant_id: text,
    client_email: text,
    project_id: text,
    account_id: text,
    role_name: text,
    access_key_id: text,
  }),
  encryption: fields({ type: encryption, key: text }),
  storage_class: storageClass,
});

/** An archive. `destination` may be null; `state` is the service's word on its health, never sent. */
export const archive = resource('archives', {
  name: text,
  query: text,
  destination,
  include_tags: flag,
  rehydration_tags: v.array(text),
  rehydration_max_scan_size_in_gb: int,
  compression_method: compression,
  partitioning_attributes: v.array(text),
  lookup_attributes: v.array(text),
  state: searchTerms('UNKNOWN', 'WORKING', 'FAILING', 'WORKING_AUTH_LEGACY'),
});

/** A log goes to the first archive of the order whose query matches. */
const archiveOrder = resource('archive_order', { archive_ids: v.array(text) });

const path = v.optional(text);
/** What may be sent as a destination, each form with what it needs. */
const destinationSent = v.variant('type', [
  v.looseObject({
    type: kind(v.literal('provider_a')),
    container: name,
    storage_account: name,
    integration: v.looseObject({ client_id: name, tenant_id: name }),
    path,
    region: v.optional(text),
  }),
  v.looseObject({
    type: kind(v.literal('provider_b')),
    bucket: name,
    integration: v.looseObject({ client_email: name, project_id: v.optional(text) }),
    path,
  }),
  v.looseObject({
    type: kind(v.literal('provider_c')),
    bucket: name,
    integration: v.union([
      v.looseObject({ account_id: name, role_name: name }),
      v.looseObject({ access_key_id: name }),
    ]),
    path,
    encryption: v.optional(v.looseObject({ type: encryption, key: v.optional(text) })),
    storage_class: v.optional(storageClass),
  }),
]);

/** The whole configuration, for create and for replace: what is left out falls back to its default. */
export const archiveBody = createBody('archives', {
  name,
  query: text,
  destination: destinationSent,
  include_tags: v.optional(flag),
  rehydration_tags: v.optional(v.array(text)),
  rehydration_max_scan_size_in_gb: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1)))),
  compression_method: v.optional(compression),
  partitioning_attributes: v.optional(v.array(text)),
  lookup_attributes: v.optional(v.array(text)),
});

const base = '/api/v2/logs/config/archives';
const readers = `${base}/{archive_id}/readers` as const;
const order = '/api/v2/logs/config/archive-order';

const operations = resourceOperations({
  path: base,
  item: 'archive_id',
  responses: { list: many(archive), single: one(archive) },
  of: 'archives',
  reading: ['logs_read_archives'],
  editing: ['logs_write_archives'],
  origin: 'spec',
  source: 'docs/contract/logs-archives.md#operations',
});

export const listArchives = operations.list({ id: 'archives.list', title: 'List archives' });

/** Answers 200, not 201. New archives go to the end of the order. */
export const createArchive = operations.create({
  id: 'archives.create',
  title: 'Create an archive',
  body: archiveBody,
});

export const getArchive = operations.get({ id: 'archives.get', title: 'Show one archive' });

/** Replaces the whole configuration: send everything that was read, except `state`. */
export const replaceArchive = operations.update({
  id: 'archives.replace',
  title: 'Replace the configuration of an archive',
  method: 'PUT',
  repeat: 'replace',
  readBack: 'archives.get',
  body: archiveBody,
});

export const deleteArchive = operations.delete({ id: 'archives.delete', title: 'Delete an archive' });

/** The roles that may rehydrate from the archive; an empty list restricts nobody. */
export const listReaders = operations.endpoint({
  id: 'archives.readers',
  title: 'List readers of an archive',
  verb: 'list',
  of: 'roles',
  path: readers,
  permission: ['logs_read_config'],
  response: many(role),
});

/** Adding twice changes nothing. */
export const addReader = operations.endpoint({
  id: 'archives.add-reader',
  title: 'Add a reader to an archive',
  ...addsMember,
  touches: ['roles'],
  path: readers,
  readBack: 'archives.readers',
  body: toOneOf('roles'),
  response: nothing,
});

/** A DELETE with a body; removing a role that is no reader changes nothing. */
export const removeReader = operations.endpoint({
  id: 'archives.remove-reader',
  title: 'Remove a reader from an archive',
  ...removesMember,
  touches: ['roles'],
  path: readers,
  body: toOneOf('roles'),
  response: nothing,
});

/** May be refused to somebody who may list archives: show the order of the list then. */
export const getOrder = operations.endpoint({
  id: 'archives.order',
  title: 'Show the order of archives',
  verb: 'get',
  of: 'archive_order',
  path: order,
  permission: ['logs_read_config'],
  response: one(archiveOrder),
});

/** Names every archive exactly once; a missing one is refused with 422. */
export const setOrder = operations.endpoint({
  id: 'archives.set-order',
  title: 'Reorder archives',
  verb: 'update',
  of: 'archive_order',
  touches: ['archives'],
  method: 'PUT',
  path: order,
  repeat: 'replace',
  readBack: 'archives.order',
  body: createBody('archive_order', { archive_ids: v.array(text) }),
  response: one(archiveOrder),
});

/** Every operation on logs archives. */
export const archiveEndpoints = operations.all;
