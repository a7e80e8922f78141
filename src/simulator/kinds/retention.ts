import type { orderFilters, updateFilter } from '../../api/retention-filters.ts';
import { collection } from '../server/collection.ts';
import { type ApiRequest, type Handler, ok, refused, type ServiceWorld } from '../server/handler.ts';
import type { Random } from '../server/random.ts';
import { readSentBody } from '../server/sent-body.ts';
import { reorder, type StoredFilter } from '../server/store.ts';
import { seconds } from '../server/wire-values.ts';

/** Retention filters in their order (docs/contract/retention-filters.md). `server/keys.ts` checks that the caller is an administrator. */
const kind = 'apm_retention_filter';
const normal = 'spans-sampling-processor';

/** An id of 22 URL-safe base64 characters, as retention filters and archives have. */
export function shortId(random: Random): string {
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

/** The settings in the body: every one, but an update may leave the name as it is. */
function settingsIn(request: ApiRequest): Settings {
  const { attributes } = readSentBody<typeof updateFilter>(request).data;
  const { name, enabled, filter, filter_type, rate, trace_rate = 0 } = attributes;
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

/** Moves the named filters to the front, in that order; the others follow. */
const order: Handler = (request, world) => {
  const { filters: stored } = world.org;
  const ids = readSentBody<typeof orderFilters>(request).data.map(({ id }) => id);
  const unknown = ids.find((id) => !stored.has(id));
  if (unknown !== undefined) return refused(400, `retention filter with id: '${unknown}' not found`);
  reorder(stored, ids);
  return ok({});
};

/** The collection of retention filters, by path. */
export const retentionCollections = { '/api/v2/apm/config/retention-filters': filters };

/** The handler of their order, by endpoint id. */
export const retentionHandlers: Readonly<Record<string, Handler>> = {
  'retention.order': order,
};
