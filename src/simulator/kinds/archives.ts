import {
  type addReader,
  archiveBody,
  compression,
  type createArchive,
  encryption,
  type setOrder as sendOrder,
  storageClass,
} from '../../api/archives.ts';
import { knownWords } from '../../api/envelope.ts';
import type { orderFilters, updateFilter } from '../../api/retention-filters.ts';
import { at } from '../../lib/values.ts';
import { collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  ok,
  readSentBody,
  refused,
  type ServiceWorld,
  seconds,
} from '../server/handler.ts';
import type { Random } from '../server/random.ts';
import { type Archive, reorder, type StoredFilter } from '../server/store.ts';
import { showRole } from './users.ts';

/** Retention filters in their order (docs/contract/retention-filters.md). `server/keys.ts` checks that the caller is an administrator. */
const kind = 'apm_retention_filter';
const normal = 'spans-sampling-processor';

/** An id of 22 URL-safe base64 characters, as retention filters and archives have. */
function shortId(random: Random): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from({ length: 22 }, () => random.pick([...letters])).join('');
}

const isBuiltIn = (filter: StoredFilter): boolean => filter.created_at === 0;

/** Stores a filter at the end of the order. */
export function storeFilter(
  { org, random }: Pick<ServiceWorld, 'org' | 'random'>,
  given: Partial<StoredFilter> & Pick<StoredFilter, 'name'>,
): StoredFilter {
  const filter: StoredFilter = {
    id: shortId(random),
    enabled: true,
    filter: { query: '*' },
    filter_type: normal,
    rate: 1,
    trace_rate: 0,
    editable: true,
    created_at: 0,
    created_by: '',
    modified_at: 0,
    modified_by: '',
    ...given,
  };
  org.filters.set(filter.id, filter);
  return filter;
}

type Settings = Pick<StoredFilter, 'enabled' | 'filter' | 'filter_type' | 'rate' | 'trace_rate'> &
  Partial<Pick<StoredFilter, 'name'>>;

/** The settings in the body: every one, but an update may leave the name as it is. Refuses those that a built-in filter keeps. */
function settingsIn(request: ApiRequest, _: ServiceWorld, before?: StoredFilter): Settings | ApiResponse {
  const { attributes } = readSentBody<typeof updateFilter>(request).data;
  const { name, enabled, filter, filter_type, rate, trace_rate = 0 } = attributes;
  const isKept = (name ?? before?.name) === before?.name && filter_type === before?.filter_type;
  if (before && isBuiltIn(before) && !isKept) return refused(400, 'A built-in filter keeps its name and type');
  return { ...(name !== undefined && { name }), enabled, filter, filter_type, rate, trace_rate };
}

const filters = collection<StoredFilter, Settings>({
  rows: ({ org }) => org.filters,
  missing: (id) => refused(404, `retention filter with id: '${id}' not found`),
  // Only lists tell the place.
  show: ({ id, ...attributes }, { endpoint: { verb } }, _, place) => ({
    type: kind,
    id,
    attributes: { ...attributes, ...(verb === 'list' ? { execution_order: place } : {}) },
  }),
  list: { page: null },
  refusesEdit: (filter, { endpoint }) =>
    !filter.editable || (endpoint.verb === 'delete' && isBuiltIn(filter)) ? refused(403, 'Forbidden') : undefined,
  read: settingsIn,
  make: (settings, { now, caller }, world) => {
    const [moment, creator] = [seconds(now), caller.user.email];
    return storeFilter(world, {
      name: '',
      ...settings,
      created_at: moment,
      created_by: creator,
      modified_at: moment,
      modified_by: creator,
    });
  },
  change: (filter, settings, { now, caller }) => {
    Object.assign(filter, settings, { modified_at: seconds(now), modified_by: caller.user.email });
  },
  remove: ({ id }, _, { org }) => {
    org.filters.delete(id);
    return ok({});
  },
});

const isRepeated = (ids: readonly string[]): boolean => new Set(ids).size < ids.length;

/** Moves the named filters to the front, in that order; the others follow. */
const order: Handler = (request, world) => {
  const { filters: stored } = world.org;
  const ids = readSentBody<typeof orderFilters>(request).data.map(({ id }) => id);
  const unknown = ids.find((id) => !stored.has(id));
  if (unknown !== undefined) return refused(400, `retention filter with id: '${unknown}' not found`);
  if (ids.length === 0 || isRepeated(ids)) return refused(400, 'The order names no filter, or one twice');
  reorder(stored, ids);
  return ok({});
};

/** Operations of retention filters. */
export const retentionOperations: Operations = {
  '/api/v2/apm/config/retention-filters': filters,
  'retention.order': order,
};

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
  { org, random }: Pick<ServiceWorld, 'org' | 'random'>,
  attributes: Readonly<Record<string, unknown>>,
  given: Partial<Archive> & Pick<Archive, 'edited'>,
): Archive {
  const archive: Archive = {
    id: shortId(random),
    readers: new Set(),
    state: null,
    ...given,
    attributes: { ...defaults, ...attributes },
  };
  org.archives.set(archive.id, archive);
  return archive;
}

type Sent = ReturnType<typeof readSentBody<typeof createArchive>>['data']['attributes'];

/** What the schema lets through, because other deployments may have further words, and is refused here all the same. */
function faultIn({ destination, compression_method: packed = 'GZIP', rehydration_tags: tags = [] }: Sent) {
  const untold = tags.find((tag) => !tag.includes(':'));
  if (untold !== undefined) return `rehydration_tags: ${untold}`;
  if (!knownWords(compression).includes(packed)) return `compression_method: ${packed}`;
  if (destination.type !== 'provider_c') return undefined;
  const { integration, encryption: { type, key } = { type: 'NO_OVERRIDE' }, storage_class = 'STANDARD' } = destination;
  if ('role_name' in integration && integration.access_key_id != null)
    return 'integration: account_id with role_name, or access_key_id';
  if (!knownWords(encryption).includes(type)) return `encryption: ${type}`;
  if (type === 'SSE_KMS' && !key?.trim()) return 'encryption: SSE_KMS needs a key';
  return knownWords(storageClass).includes(storage_class) ? undefined : `storage_class: ${storage_class}`;
}

const archives = collection<Archive, Record<string, unknown>>({
  rows: ({ org }) => org.archives,
  missing: (id) => refused(404, `Archive ${id} not found`),
  show: (archive, { now }) => ({
    type: 'archives',
    id: archive.id,
    attributes: { state: archive.state ?? stateOf(archive, now), ...archive.attributes },
  }),
  list: { page: null },
  read: (request) => {
    const { attributes } = readSentBody<typeof createArchive>(request).data;
    const fault = faultIn(attributes);
    if (fault !== undefined) return refused(400, `Invalid ${fault}`);
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => settable.includes(name)));
  },
  make: (configuration, request, world) => storeArchive(world, configuration, { edited: request.now }),
  // A replacement: members that were not sent return to their defaults. Id, position and readers stay.
  change: (archive, configuration, { now }) => {
    Object.assign(archive, { attributes: { ...defaults, ...configuration }, edited: now, state: null });
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
  archives.on((archive, request, { org }) => {
    const { id } = readSentBody<typeof addReader>(request).data;
    if (!org.roles.has(id)) return refused(400, `Role ${id} not found`);
    if (to === 'added') archive.readers.add(id);
    else archive.readers.delete(id);
    return emptyResponse;
  });

const showOrder = ({ org }: ServiceWorld): ApiResponse =>
  ok({ data: { type: 'archive_order', attributes: { archive_ids: [...org.archives.keys()] } } });

/** The order must name every archive exactly once. */
const setOrder: Handler = (request, world) => {
  const { archives } = world.org;
  const ids = readSentBody<typeof sendOrder>(request).data.attributes.archive_ids;
  const missing = [...archives.keys()].find((id) => !ids.includes(id));
  if (missing !== undefined) return refused(422, `Missing order for archive ${missing}`);
  const unknown = ids.find((id) => !archives.has(id));
  if (unknown !== undefined) return refused(400, `Archive ${unknown} not found`);
  if (isRepeated(ids)) return refused(400, 'The order names an archive twice');
  reorder(archives, ids);
  return showOrder(world);
};

/** Operations of archives, their readers and their order. */
export const archiveOperations: Operations = {
  '/api/v2/logs/config/archives': archives,
  'archives.readers': readers,
  'archives.add-reader': changeReader('added'),
  'archives.remove-reader': changeReader('removed'),
  'archives.order': (_, world) => showOrder(world),
  'archives.set-order': setOrder,
};
