import { at } from '../../lib/object-paths.ts';
import { collection } from '../server/collection.ts';
import { type ApiResponse, type Handler, isResponse, ok, refused, type World } from '../server/handler.ts';
import type { Random } from '../server/random.ts';
import { type RetentionFilter, reorder } from '../server/store.ts';
import { asList, asText, seconds, sentAttributes } from '../server/wire-values.ts';
import { nameIn } from './secrets.ts';

/** Retention filters in their order (docs/contract/retention-filters.md). `server/keys.ts` checks that the caller is an administrator. */
const kind = 'apm_retention_filter';
const normal = 'spans-sampling-processor';
const types = [normal, 'spans-errors-sampling-processor', 'spans-appsec-sampling-processor'];

const invalid = (text: string): ApiResponse => refused(400, 'Invalid Pipeline', text);

/** An id of 22 URL-safe base64 characters, as retention filters and archives have. */
export function shortId(random: Random): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from({ length: 22 }, () => random.pick([...letters])).join('');
}

/** A filter in the response format; `place` is its `execution_order`, only in lists. */
function show(filter: RetentionFilter, place?: number): unknown {
  return {
    type: kind,
    id: filter.id,
    attributes: {
      name: filter.name,
      enabled: filter.enabled,
      ...(place === undefined ? {} : { execution_order: place }),
      filter: { query: filter.query },
      filter_type: filter.type,
      rate: filter.rate,
      trace_rate: filter.traceRate,
      editable: filter.editable,
      created_at: filter.created,
      created_by: filter.creator,
      modified_at: filter.modified,
      modified_by: filter.modifier,
      ...filter.overrides,
    },
  };
}

const isBuiltIn = (filter: RetentionFilter): boolean => filter.created === 0;

/** Stores a filter at the end of the order. */
export function storeFilter(
  { org, random }: Pick<World, 'org' | 'random'>,
  known: Partial<RetentionFilter> & Pick<RetentionFilter, 'name'>,
): RetentionFilter {
  const filter: RetentionFilter = {
    id: shortId(random),
    enabled: true,
    query: '*',
    type: normal,
    rate: 1,
    traceRate: 0,
    editable: true,
    created: 0,
    creator: '',
    modified: 0,
    modifier: '',
    overrides: {},
    ...known,
  };
  org.filters.set(filter.id, filter);
  return filter;
}

type Settings = Pick<RetentionFilter, 'name' | 'enabled' | 'query' | 'type' | 'rate' | 'traceRate'>;

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** The settings in the body, or the refusal; create and update require every one. */
function settingsIn(body: unknown): Settings | ApiResponse {
  if (at(body, 'data.type') !== kind) return refused(400, `Field 'type' is invalid, expected value is '${kind}'`);
  const sent = sentAttributes(body);
  const [name, query] = [nameIn(sent.name), nameIn(at(sent, 'filter.query'))];
  const { enabled, rate, trace_rate: traceRate = 0 } = sent;
  if (name === undefined) return invalid("'name' must exist and not be empty");
  if (query === undefined) return invalid("'filter.query' must exist and not be empty");
  if (typeof enabled !== 'boolean') return invalid("'enabled' must exist");
  if (!isShare(rate)) return invalid("'rate' must exist and be between 0 and 1");
  if (!isShare(traceRate)) return invalid("'trace_rate' must be between 0 and 1");
  const type = asText(sent.filter_type);
  if (type === undefined || !types.includes(type)) return wrongType(types.join("', '"));
  return { name, enabled, query, type, rate, traceRate };
}

const wrongType = (expected: string): ApiResponse =>
  refused(400, `Field 'filter_type' is invalid, expected value is '${expected}'`);

const filters = collection<RetentionFilter, Settings>({
  rows: ({ org }) => org.filters,
  missing: (id) => refused(404, `retention filter with id: '${id}' not found`),
  show: (filter, request, _, place) => show(filter, request.endpoint.verb === 'list' ? place : undefined),
  list: { page: null },
  refusesEdit: (filter, { endpoint }) =>
    !filter.editable || (endpoint.verb === 'delete' && isBuiltIn(filter)) ? refused(403, 'Forbidden') : undefined,
  read: ({ body }, _, before) => (before ? changesIn(body, before) : creationIn(body)),
  make: (settings, { now, caller }, world) => {
    const [moment, who] = [seconds(now), caller.user.email];
    return storeFilter(world, { ...settings, created: moment, creator: who, modified: moment, modifier: who });
  },
  change: (filter, settings, { now, caller }) => {
    Object.assign(filter, settings, { modified: seconds(now), modifier: caller.user.email });
  },
  remove: ({ id }, _, { org }) => {
    org.filters.delete(id);
    return ok({});
  },
});

/** The settings of a new filter; only one type can be created. */
function creationIn(body: unknown): Settings | ApiResponse {
  const sent = at(body, 'data.attributes.filter_type');
  return sent === undefined || sent === normal ? settingsIn(body) : wrongType(normal);
}

/** The new settings of a filter, or the refusal; ignores the id in the body. */
function changesIn(body: unknown, before: RetentionFilter): Settings | ApiResponse {
  const settings = settingsIn(body);
  if (isResponse(settings) || !isBuiltIn(before)) return settings;
  if (settings.name !== before.name) return invalid('A built-in filter cannot be renamed');
  if (settings.type !== before.type) return wrongType(before.type);
  if (settings.query !== before.query) return invalid('The query of a built-in filter cannot be changed');
  return settings;
}

/** Moves the named filters to the front, in that order; the others follow. */
const order: Handler = (request, world) => {
  const { filters: stored } = world.org;
  const named = asList(at(request.body, 'data')) ?? [];
  const ids = named.map((value) => asText(at(value, 'id')) ?? '');
  if (ids.length === 0) return invalid('At least one filter must be named');
  if (named.some((value) => at(value, 'type') !== kind))
    return refused(400, `Field 'type' is invalid, expected value is '${kind}'`);
  const unknown = ids.find((id) => !stored.has(id));
  if (unknown !== undefined) return refused(400, `retention filter with id: '${unknown}' not found`);
  if (new Set(ids).size < ids.length) return invalid('A filter is named twice');
  reorder(stored, ids);
  return ok({});
};

/** The collection of retention filters, by path. */
export const retentionCollections = { '/api/v2/apm/config/retention-filters': filters };

/** The handler of their order, by endpoint id. */
export const retentionHandlers: Readonly<Record<string, Handler>> = {
  'retention.order': order,
};
