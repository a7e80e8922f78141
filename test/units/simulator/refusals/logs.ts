import { data, forbidden, type Refusal, refusals, related } from './row.ts';

const archives = '/api/v2/logs/config/archives';
const archiveOrder = '/api/v2/logs/config/archive-order';
const filters = '/api/v2/apm/config/retention-filters';
const filterOrder = `${filters}-execution-order`;
const filterKind = 'apm_retention_filter';

const order = (archive_ids: readonly string[]) => data('archive_order', { archive_ids });

const role = { account_id: '000011112222', role_name: 'writer' };
const archive = (destination: object, more: object = {}) =>
  data('archives', {
    ...{ name: 'web', query: '*', ...more },
    destination: { type: 'provider_c', bucket: 'logs', integration: role, ...destination },
  });

const archiveRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['logs-archives.md 6', [`POST ${archives}`, `PUT ${archives}/archive-1`], 400, 'Invalid integration: account_id with role_name, or access_key_id', archive({ integration: { ...role, access_key_id: 'k' } })],
    ['logs-archives.md 6', `POST ${archives}`, 400, 'Invalid encryption: SSE_KMS needs a key', archive({ encryption: { type: 'SSE_KMS' } }), archive({ encryption: { type: 'SSE_KMS', key: ' ' } })],
    ['logs-archives.md 6', `POST ${archives}`, 400, 'Invalid encryption: ROT13', archive({ encryption: { type: 'ROT13' } })],
    ['logs-archives.md 6', `POST ${archives}`, 400, 'Invalid storage_class: TAPE', archive({ storage_class: 'TAPE' })],
    ['logs-archives.md 6', `POST ${archives}`, 400, 'Invalid compression_method: ZIP', archive({}, { compression_method: 'ZIP' })],
    ['logs-archives.md 6', `POST ${archives}`, 400, 'Invalid rehydration_tags: web', archive({}, { rehydration_tags: ['team:a', 'web'] })],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 422, 'Missing order for archive archive-1', order(['archive-2']), order([])],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 400, 'Archive nobody not found', order(['archive-1', 'archive-2', 'nobody'])],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 400, 'The order names an archive twice', order(['archive-1', 'archive-2', 'archive-1'])],
    ['logs-archives.md 4', `POST ${archives}/archive-1/readers`, 400, 'Role nobody not found', related('roles', 'nobody')],
    ['logs-archives.md 4', `GET ${archives}/ghost/readers`, 404, 'Archive ghost not found'],
    ['logs-archives.md 4', `POST ${archives}/ghost/readers`, 404, 'Archive ghost not found', related('roles', 'role-1')],
  ]),
  ...forbidden('logs-archives.md 5', 'logs_read_archives', [`GET ${archiveOrder}`, `POST ${archives}`]),
  ...forbidden('logs-archives.md 5', 'logs_read_archives', [`GET ${archives}/x/readers`], 'Forbidden'),
  ...forbidden('logs-archives.md 5', 'logs_read_config', [`GET ${archives}`]),
];

const settings = {
  name: 'checkout errors',
  enabled: true,
  filter: { query: 'service:checkout status:error' },
  filter_type: 'spans-sampling-processor',
  rate: 0.5,
};
const builtIn = { name: 'Error Default', filter_type: 'spans-errors-sampling-processor' };
const filter = (more: object, id?: string) => data(filterKind, { ...settings, ...more }, id);
const filterIds = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ type: filterKind, id })) });

const retentionRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['retention-filters.md 4', `DELETE ${filters}/built-in`, 403, 'Forbidden'],
    ['retention-filters.md 4', `PUT ${filters}/built-in`, 400, 'A built-in filter keeps its name and type', filter({ ...builtIn, name: 'x' }, 'built-in'), filter({ name: builtIn.name }, 'built-in')],
    ['retention-filters.md 4', `POST ${filters}`, 400, "Invalid Pipeline | 'rate' must exist and be between 0 and 1", filter({ rate: 2 }), filter({ rate: undefined })],
    ['retention-filters.md 4', `PUT ${filters}/filter-1`, 400, "Invalid Pipeline | 'rate' must exist and be between 0 and 1", filter({ rate: -1 }, 'filter-1')],
    ['retention-filters.md 4', `POST ${filters}`, 400, "Field 'filter_type' is invalid, expected value is 'spans-sampling-processor'", filter(builtIn)],
    ['retention-filters.md 4', `PUT ${filters}/fixed`, 403, 'Forbidden', filter({}, 'fixed')],
    ['retention-filters.md 4', `DELETE ${filters}/fixed`, 403, 'Forbidden'],
    ['retention-filters.md 4', `PUT ${filterOrder}`, 400, "retention filter with id: 'nobody' not found", filterIds('filter-1', 'nobody')],
    ['retention-filters.md 4', `PUT ${filterOrder}`, 400, 'The order names no filter, or one twice', filterIds(), filterIds('filter-1', 'filter-1')],
  ]),
  ...forbidden(
    'retention-filters.md 1',
    'apm_retention_filter_read',
    [`POST ${filters}`, `PUT ${filters}/filter-1`, `DELETE ${filters}/filter-1`, `PUT ${filterOrder}`],
    'Forbidden',
  ),
];

/** Archives of logs and retention filters. */
export const logs: readonly Refusal[] = [...archiveRows, ...retentionRows];
