import { data, forbidden, type Refusal, refusals, related } from './row.ts';

const archives = '/api/v2/logs/config/archives';
const archiveOrder = '/api/v2/logs/config/archive-order';
const filters = '/api/v2/apm/config/retention-filters';
const filterOrder = `${filters}-execution-order`;
const filterKind = 'apm_retention_filter';

const role = { account_id: '000011112222', role_name: 'archive-writer' };
const bucket = { type: 'provider_c', bucket: 'logs', integration: role };
const container = {
  type: 'provider_a',
  container: 'c',
  storage_account: 's',
  integration: { client_id: 'i', tenant_id: 't' },
};
const { integration: _, ...withoutIntegration } = container;
const archive = (more: object) => data('archives', { name: 'web', query: 'service:web', destination: bucket, ...more });
const to = (destination: unknown) => archive({ destination });
const order = (archive_ids: readonly string[]) => data('archive_order', { archive_ids });

const archiveRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to(null), to({}), to({ type: 'provider_d' })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to(withoutIntegration), to({ ...container, container: '' })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to({ ...container, integration: { client_id: 'i' } })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to({ type: 'provider_b', bucket: 'b', integration: {} })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to({ ...bucket, integration: {} })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to({ ...bucket, integration: { account_id: '1' } })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.destination/, to({ ...bucket, encryption: {} })],
    ['logs-archives.md 2', `POST ${archives}`, 400, 'Invalid destination.integration: either account_id and role_name, or access_key_id', to({ ...bucket, integration: { ...role, access_key_id: 'k' } })],
    ['logs-archives.md 2', `POST ${archives}`, 400, 'Invalid destination.encryption: SSE_KMS needs a key', to({ ...bucket, encryption: { type: 'SSE_KMS' } })],
    ['logs-archives.md 2', `POST ${archives}`, 400, 'Invalid destination.encryption.type: ROT13', to({ ...bucket, encryption: { type: 'ROT13' } })],
    ['logs-archives.md 2', `POST ${archives}`, 400, 'Invalid destination.storage_class: ATTIC', to({ ...bucket, storage_class: 'ATTIC' })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.name/, archive({ name: '' })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.query/, archive({ query: undefined })],
    ['logs-archives.md 2', `POST ${archives}`, 400, 'Invalid compression_method: ARJ', archive({ compression_method: 'ARJ' })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.rehydration_max_scan_size_in_gb/, archive({ rehydration_max_scan_size_in_gb: 0 })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.rehydration_max_scan_size_in_gb/, archive({ rehydration_max_scan_size_in_gb: 1.5 })],
    ['logs-archives.md 2', `POST ${archives}`, 400, 'Invalid rehydration_tags: team has no colon', archive({ rehydration_tags: ['team'] })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.attributes\.include_tags/, archive({ include_tags: 'yes' })],
    ['logs-archives.md 2', `POST ${archives}`, 400, /^Invalid data\.type/, data('archive', archive({}).data.attributes)],
    ['logs-archives.md 2', `PUT ${archives}/archive-1`, 400, /^Invalid data\.attributes/, data('archives', { name: 'half' })],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 422, 'Missing order for archive archive-1', order(['archive-2']), order([])],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 400, 'Archive nobody not found', order(['archive-1', 'archive-2', 'nobody'])],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 400, 'Invalid archive_ids: an archive is named twice', order(['archive-1', 'archive-2', 'archive-1'])],
    ['logs-archives.md 3', `PUT ${archiveOrder}`, 400, 'Invalid data.type: must be archive_order', data('order', { archive_ids: ['archive-1', 'archive-2'] })],
    ['logs-archives.md 4', `POST ${archives}/archive-1/readers`, 400, 'Role nobody not found', related('roles', 'nobody')],
    ['logs-archives.md 4', `POST ${archives}/archive-1/readers`, 400, 'Invalid data.type: must be roles', related('users', 'role-1')],
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
const filter = (more: object, id?: string) => data(filterKind, { ...settings, ...more }, id);
const filterIds = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ type: filterKind, id })) });
const writes = [`POST ${filters}`, `PUT ${filters}/filter-1`];
const wrongType = "Field 'filter_type' is invalid, expected value is 'spans-sampling-processor'";
const wrongKind = `Field 'type' is invalid, expected value is '${filterKind}'`;
const builtIn = (more: object) =>
  filter({
    name: 'Error Default',
    filter: { query: 'status:error' },
    filter_type: 'spans-errors-sampling-processor',
    ...more,
  });

const retentionRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'rate' must exist and be between 0 and 1", filter({ rate: 1.01 })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'rate' must exist and be between 0 and 1", filter({ rate: -0.1 })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'rate' must exist and be between 0 and 1", filter({ rate: undefined })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'rate' must exist and be between 0 and 1", filter({ rate: 'all' })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'name' must exist and not be empty", filter({ name: ' ' })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'filter.query' must exist and not be empty", filter({ filter: {} })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'filter.query' must exist and not be empty", filter({ filter: { query: '' } })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'enabled' must exist", filter({ enabled: undefined })],
    ['retention-filters.md 4', writes, 400, "Invalid Pipeline | 'trace_rate' must be between 0 and 1", filter({ trace_rate: 2 })],
    ['retention-filters.md 4', writes, 400, /^Field 'filter_type' is invalid/, filter({ filter_type: undefined })],
    ['retention-filters.md 4', writes, 400, /^Field 'filter_type' is invalid/, filter({ filter_type: 'other' })],
    ['retention-filters.md 4', writes, 400, wrongKind, data('filter', settings)],
    ['retention-filters.md 4', `POST ${filters}`, 400, wrongType, filter({ filter_type: 'spans-errors-sampling-processor' })],
    ['retention-filters.md 4', `POST ${filters}`, 400, wrongType, filter({ filter_type: 'spans-appsec-sampling-processor' })],
    ['retention-filters.md 4', `PUT ${filters}/built-in`, 400, 'Invalid Pipeline | A built-in filter cannot be renamed', builtIn({ name: 'Mine' })],
    ['retention-filters.md 4', `PUT ${filters}/built-in`, 400, "Field 'filter_type' is invalid, expected value is 'spans-errors-sampling-processor'", builtIn({ filter_type: 'spans-sampling-processor' })],
    ['retention-filters.md 4', `PUT ${filters}/built-in`, 400, 'Invalid Pipeline | The query of a built-in filter cannot be changed', builtIn({ filter: { query: '*' } })],
    ['retention-filters.md 4', `DELETE ${filters}/built-in`, 403, 'Forbidden'],
    ['retention-filters.md 4', `PUT ${filters}/fixed`, 403, 'Forbidden', filter({})],
    ['retention-filters.md 4', `DELETE ${filters}/fixed`, 403, 'Forbidden'],
    ['retention-filters.md 4', `PUT ${filterOrder}`, 400, 'Invalid Pipeline | At least one filter must be named', filterIds()],
    ['retention-filters.md 4', `PUT ${filterOrder}`, 400, 'Invalid Pipeline | A filter is named twice', filterIds('filter-1', 'filter-1')],
    ['retention-filters.md 4', `PUT ${filterOrder}`, 400, "retention filter with id: 'nobody' not found", filterIds('filter-1', 'nobody')],
    ['retention-filters.md 4', `PUT ${filterOrder}`, 400, wrongKind, { data: [{ type: 'filter', id: 'filter-1' }] }],
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
