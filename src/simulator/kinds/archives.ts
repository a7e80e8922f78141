import { archiveBody, compression, encryption, storageClass } from '../../api/archives.ts';
import type { AnySchema } from '../../api/endpoint.ts';
import { knownWords } from '../../api/envelope.ts';
import { at } from '../../lib/object-paths.ts';
import { collection, schemaRefusal } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, type Handler, ok, refused, type World } from '../server/handler.ts';
import type { Random } from '../server/random.ts';
import { type Archive, reorder } from '../server/store.ts';
import { asList, asObject, asText, sentAttributes } from '../server/wire-values.ts';
import { showRole } from './permissions.ts';
import { shortId } from './retention.ts';

/** Archives of logs, their order and their readers (docs/contract/logs-archives.md). */
const emptyResponse: ApiResponse = { status: 204, type: '' };

/** Defaults of members that were not sent. */
const defaults = {
  include_tags: false,
  rehydration_tags: [],
  rehydration_max_scan_size_in_gb: null,
  compression_method: 'GZIP',
  partitioning_attributes: [],
  lookup_attributes: [],
};
/** What a request may set: the members of its schema. */
const settable = Object.keys(archiveBody.entries.data.entries.attributes.entries);

/** Milliseconds for which a newly configured archive has the state `UNKNOWN`. */
const unknownFor = 60_000;

/** The health of an archive: unknown until the first write. */
function stateOf(archive: Pick<Archive, 'edited' | 'attributes'>, now: number): string {
  if (now - archive.edited < unknownFor) return 'UNKNOWN';
  const place = at(archive.attributes, 'destination.bucket') ?? at(archive.attributes, 'destination.container');
  return String(place).includes('fail') ? 'FAILING' : 'WORKING';
}

/** Stores an archive at the end of the order, with defaults for missing members. */
export function storeArchive(
  { org }: { readonly org: World['org'] },
  random: Random,
  attributes: Readonly<Record<string, unknown>>,
  known: Partial<Archive> & Pick<Archive, 'edited'>,
): Archive {
  const archive: Archive = {
    id: shortId(random),
    readers: new Set(),
    overrides: {},
    ...known,
    attributes: { ...defaults, ...attributes },
  };
  org.archives.set(archive.id, archive);
  return archive;
}

/** The configuration in the request, or the refusal. */
function configurationIn(request: ApiRequest): Record<string, unknown> | ApiResponse {
  const sent = sentAttributes(request.body);
  const wrong =
    schemaRefusal(request.endpoint, request.body) ?? wrongWords(sent) ?? wrongDestination(sent) ?? wrongTags(sent);
  if (wrong) return wrong;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => settable.includes(name)));
}

/** The refusal of an unknown enum value; absent members pass. */
function wrongWords(sent: Readonly<Record<string, unknown>>): ApiResponse | undefined {
  const checked: readonly (readonly [place: string, value: unknown, schema: AnySchema])[] = [
    ['compression_method', sent.compression_method, compression],
    ['destination.storage_class', at(sent, 'destination.storage_class'), storageClass],
    ['destination.encryption.type', at(sent, 'destination.encryption.type'), encryption],
  ];
  const found = checked.find(
    ([, value, schema]) => value !== undefined && !knownWords(schema).includes(asText(value) ?? ''),
  );
  return found && refused(400, `Invalid ${found[0]}: ${asText(found[1]) ?? 'no text'}`);
}

/** Checks the two rules of provider_c that span several fields. */
function wrongDestination(sent: Readonly<Record<string, unknown>>): ApiResponse | undefined {
  const integration = asObject(at(sent, 'destination.integration')) ?? {};
  const [role, key] = ['account_id' in integration || 'role_name' in integration, 'access_key_id' in integration];
  if (role && key)
    return refused(400, 'Invalid destination.integration: either account_id and role_name, or access_key_id');
  const kms = asObject(at(sent, 'destination.encryption'));
  return kms?.type === 'SSE_KMS' && !asText(kms.key)
    ? refused(400, 'Invalid destination.encryption: SSE_KMS needs a key')
    : undefined;
}

function wrongTags(sent: Readonly<Record<string, unknown>>): ApiResponse | undefined {
  const tag = asList(sent.rehydration_tags)?.find((entry) => !String(entry).includes(':'));
  return tag === undefined ? undefined : refused(400, `Invalid rehydration_tags: ${String(tag)} has no colon`);
}

const archives = collection<Archive, Record<string, unknown>>({
  rows: ({ org }) => org.archives,
  missing: (id) => refused(404, `Archive ${id} not found`),
  show: ({ id, overrides, ...archive }, { now }) => ({
    type: 'archives',
    id,
    attributes: { state: stateOf(archive, now), ...archive.attributes, ...overrides },
  }),
  list: { page: null },
  read: configurationIn,
  make: (configuration, request, world) => storeArchive(world, world.random, configuration, { edited: request.now }),
  // A replacement: members that were not sent return to their defaults. Id, position and readers stay.
  change: (archive, configuration, { now }) => {
    Object.assign(archive, { attributes: { ...defaults, ...configuration }, edited: now, overrides: {} });
  },
  remove: ({ id }, _, { org }) => {
    org.archives.delete(id);
    return emptyResponse;
  },
});

const readers = archives.on((archive, _, { org }) => {
  const roles = [...archive.readers].flatMap((id) => org.roles.get(id) ?? []);
  const page = { total_count: roles.length, total_filtered_count: roles.length };
  return ok({ data: roles.map((role) => showRole(org, role)), meta: { page } });
});

/** Adds or removes a reader role; idempotent. */
const changeReader = (to: 'added' | 'removed'): Handler =>
  archives.on((archive, { body }, { org }) => {
    const id = asText(at(body, 'data.id')) ?? '';
    if (at(body, 'data.type') !== 'roles') return refused(400, 'Invalid data.type: must be roles');
    if (!org.roles.has(id)) return refused(400, `Role ${id} not found`);
    if (to === 'added') archive.readers.add(id);
    else archive.readers.delete(id);
    return emptyResponse;
  });

const showOrder = ({ org }: World): ApiResponse =>
  ok({ data: { type: 'archive_order', attributes: { archive_ids: [...org.archives.keys()] } } });

/** The order must name every archive exactly once. */
const setOrder: Handler = (request, world) => {
  const { archives } = world.org;
  if (at(request.body, 'data.type') !== 'archive_order')
    return refused(400, 'Invalid data.type: must be archive_order');
  const ids = asList(at(request.body, 'data.attributes.archive_ids'))?.map((id) => asText(id) ?? '');
  if (!ids) return refused(400, 'Invalid archive_ids: must be a list');
  const missing = [...archives.keys()].find((id) => !ids.includes(id));
  if (missing !== undefined) return refused(422, `Missing order for archive ${missing}`);
  const unknown = ids.find((id) => !archives.has(id));
  if (unknown !== undefined) return refused(400, `Archive ${unknown} not found`);
  if (new Set(ids).size < ids.length) return refused(400, 'Invalid archive_ids: an archive is named twice');
  reorder(archives, ids);
  return showOrder(world);
};

/** The archive collection, by path. */
export const archiveCollections = { '/api/v2/logs/config/archives': archives };

/** Handlers of archive readers and order, by endpoint id. */
export const archiveHandlers: Readonly<Record<string, Handler>> = {
  'archives.readers': readers,
  'archives.add-reader': changeReader('added'),
  'archives.remove-reader': changeReader('removed'),
  'archives.order': (_, world) => showOrder(world),
  'archives.set-order': setOrder,
};
