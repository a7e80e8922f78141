import { type addReader, archiveBody, type createArchive, type setOrder as sendOrder } from '../../api/archives.ts';
import { at } from '../../lib/object-paths.ts';
import { collection } from '../server/collection.ts';
import { type ApiResponse, type Handler, ok, refused, type ServiceWorld } from '../server/handler.ts';
import type { Random } from '../server/random.ts';
import { readSentBody } from '../server/sent-body.ts';
import { type Archive, reorder } from '../server/store.ts';
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
  { org }: { readonly org: ServiceWorld['org'] },
  random: Random,
  attributes: Readonly<Record<string, unknown>>,
  given: Partial<Archive> & Pick<Archive, 'edited'>,
): Archive {
  const archive: Archive = {
    id: shortId(random),
    readers: new Set(),
    overrides: {},
    ...given,
    attributes: { ...defaults, ...attributes },
  };
  org.archives.set(archive.id, archive);
  return archive;
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
  read: (request) => {
    const sent = Object.entries(readSentBody<typeof createArchive>(request).data.attributes);
    return Object.fromEntries(sent.filter(([name]) => settable.includes(name)));
  },
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
