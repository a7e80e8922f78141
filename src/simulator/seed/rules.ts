import { storeArchive } from '../kinds/archives.ts';
import { storeMapping } from '../kinds/mappings.ts';
import { storeFilter } from '../kinds/retention.ts';
import type { World } from '../server/handler.ts';
import { createRandom } from '../server/random.ts';
import { escapeTexts } from './words.ts';

const day = 86_400_000;

/** Identity provider attributes mapped to roles, by role name. */
const toRoles: readonly (readonly [key: string, value: string, role: string])[] = [
  ['groups', 'everybody', 'Service Read Only Role'],
  ['groups', 'engineering', 'Service Standard Role'],
  ['groups', 'platform-admins', 'Service Admin Role'],
  ['groups', 'sre', 'On call'],
  ['groups', 'sre-weekend', 'On call, weekend'],
  ['groups', 'payments', 'Payments engineers'],
  ['groups', 'checkout', 'Checkout engineers'],
  ['groups', 'storefront', 'Storefront engineers'],
  ['groups', 'mobile', 'Mobile engineers'],
  ['department', 'Finance', 'Finance'],
  ['department', 'Internal audit', 'Auditors'],
  ['department', 'Customer care', 'Log readers (customer care)'],
  ['member_of', 'cn=security,ou=groups,dc=example,dc=test', 'Security response'],
  ['office', '東京', '東京チーム'],
  ['employment', 'contractor', 'Contractors 2024'],
];
/** Identity provider attributes mapped to teams, by handle. */
const toTeams: readonly (readonly [key: string, value: string, team: string])[] = [
  ['squad', 'payments', 'payments'],
  ['squad', 'search', 'search'],
  ['office', '東京', 'tokyo'],
  ['squad', 'platform', 'platform'],
];

/** Mappings to roles and to teams (contract/authn-mappings.md 6). */
export function seedMappings(world: World, now: number): void {
  const { org } = world;
  const random = createRandom(org.seed + 6);
  const keep = (key: string, value: string, type: 'roles' | 'team', id: string | undefined): void => {
    if (id === undefined) return;
    const created = now - random.between(30, 900) * day;
    const modified = created + random.between(0, 20) * day;
    storeMapping({ ...world, random }, now, { key, value, target: { type, id }, created, modified });
  };
  for (const [key, value, name] of toRoles)
    keep(key, value, 'roles', [...org.roles.values()].find((role) => role.name === name)?.id);
  for (const [key, value, handle] of toTeams)
    keep(key, value, 'team', [...org.teams.values()].find((team) => team.handle === handle)?.id);
}

const errors = 'spans-errors-sampling-processor';
const appsec = 'spans-appsec-sampling-processor';

/** Name, query, how many spans and traces are kept. */
const filters: readonly (readonly [name: string, query: string, rate: number, traceRate: number])[] = [
  ['Checkout errors', 'service:checkout-api status:error', 1, 1],
  ['Payments, everything', 'service:(payments-api OR payments-worker) env:prod', 1, 0],
  ['Slow search', 'service:search-api @duration:>2s', 0.5, 0],
  ['Storefront, a sample', 'service:storefront-web env:prod', 0.05, 0],
  ['Synthetic traffic', '@http.useragent:*probe*', 0.01, 0],
  ['Staging', 'env:staging', 0.1, 0],
  ['Fraud scoring, all decisions', 'service:fraud-scoring resource_name:decide', 1, 0.2],
  ['Batch jobs', 'service:(reports OR warehouse-sync) operation_name:job', 0.25, 0],
  ['ショップアプリ', 'service:(shop-ios OR shop-android) @usr.country:JP', 0.4, 0.4],
  ['Orders over 500', 'service:orders-api @order.total:>500', 1, 0],
  [escapeTexts[1] ?? '', 'service:edge-gateway', 0.001, 0],
  ['Old gateway', 'service:gateway-v1', 0, 0],
];

/** Two built-in filters, one that the service manages, and a dozen of the organisation's own (contract/retention-filters.md 5). */
export function seedFilters(world: World, now: number): void {
  const { org } = world;
  const random = createRandom(org.seed + 7);
  const own = { ...world, random };
  const people = [...org.users.values()].filter((user) => user.status === 'Active');
  storeFilter(own, { name: 'Error Default', query: 'status:error', type: errors, rate: 1 });
  storeFilter(own, { name: 'Application Security Default', query: '@appsec.event:true', type: appsec, rate: 1 });
  filters.forEach(([name, query, rate, traceRate], at) => {
    const created = Math.floor((now - random.between(10, 700) * day) / 1000);
    const creator = random.pick(people);
    storeFilter(own, {
      name,
      query,
      rate,
      traceRate,
      enabled: at % 6 !== 5,
      editable: at !== 4,
      created,
      creator: at % 5 === 3 ? creator.id : creator.email,
      modified: Math.min(Math.floor(now / 1000), created + random.between(0, 40) * 86_400),
      modifier: random.pick(people).email,
    });
  });
}

const writer = { account_id: '000011112222', role_name: 'archive-writer' };
const reader = { client_id: '00000000-0000-4000-8000-00000000c11e', tenant_id: '00000000-0000-4000-8000-0000007e4a47' };

/** Archives of every destination; the readers are roles by name. */
const archives: readonly (readonly [attributes: Record<string, unknown>, readers?: string])[] = [
  [
    {
      name: 'payments, seven years',
      query: 'service:(payments-api OR payments-worker OR invoices)',
      include_tags: true,
      rehydration_tags: ['team:payments', 'origin:archive'],
      rehydration_max_scan_size_in_gb: 500,
      destination: {
        type: 'provider_c',
        bucket: 'shop-logs-payments',
        path: '/payments',
        integration: writer,
        encryption: { type: 'SSE_KMS', key: 'key/shop-logs-payments' },
        storage_class: 'GLACIER_IR',
      },
    },
    'Auditors,Log archivists',
  ],
  [
    {
      name: 'audit trail',
      query: 'source:audit',
      include_tags: true,
      rehydration_tags: ['origin:archive'],
      destination: { type: 'provider_c', bucket: 'shop-logs-audit', integration: writer, storage_class: 'STANDARD_IA' },
    },
    'Auditors',
  ],
  [
    {
      name: 'security events',
      query: 'source:(edge-gateway OR appsec) status:(warn OR error)',
      include_tags: true,
      destination: {
        type: 'provider_b',
        bucket: 'shop-security-logs',
        path: 'security',
        integration: { client_email: 'log-writer@projects.example.test', project_id: 'shop-security' },
      },
    },
    'Security response',
  ],
  [
    {
      name: 'mobile crashes',
      query: 'service:(shop-ios OR shop-android OR courier-app) status:error',
      rehydration_max_scan_size_in_gb: 100,
      destination: {
        type: 'provider_b',
        bucket: 'shop-mobile',
        integration: { client_email: 'log-writer@projects.example.test' },
      },
    },
  ],
  [
    {
      name: 'warehouse',
      query: 'service:(warehouse-sync OR inventory-api)',
      include_tags: true,
      destination: {
        type: 'provider_a',
        container: 'warehouse',
        storage_account: 'shoplogs',
        path: '/logs',
        region: 'eu-north',
        integration: reader,
      },
    },
  ],
  [
    {
      name: '東京の店舗',
      query: '@store.country:JP',
      rehydration_tags: ['office:tokyo'],
      destination: { type: 'provider_a', container: 'tokyo', storage_account: 'shoplogsjp', integration: reader },
    },
    '東京チーム',
  ],
  [
    {
      name: 'old gateway (bucket is gone)',
      query: 'service:gateway-v1',
      destination: { type: 'provider_c', bucket: 'fail-old-gateway', integration: { access_key_id: 'EXAMPLEKEYID' } },
    },
  ],
  [
    {
      name: 'debug, thirty days',
      query: 'status:debug env:prod',
      compression_method: 'ZSTD',
      partitioning_attributes: ['service', 'env'],
      lookup_attributes: ['trace_id', '@usr.id'],
      destination: {
        type: 'provider_c',
        bucket: 'shop-logs-debug',
        integration: writer,
        encryption: { type: 'NO_OVERRIDE' },
      },
    },
  ],
  [
    {
      name: 'everything else',
      query: '*',
      include_tags: true,
      destination: {
        type: 'provider_c',
        bucket: 'shop-logs',
        path: '/all',
        integration: writer,
        storage_class: 'INTELLIGENT_TIERING',
      },
    },
    'Service Admin Role',
  ],
];

/** Seeds archives in routing order, some with restricted readers (contract/logs-archives.md 6). */
export function seedArchives({ org }: World, now: number): void {
  const random = createRandom(org.seed + 8);
  for (const [attributes, names] of archives) {
    const wanted = names?.split(',') ?? [];
    const readers = [...org.roles.values()].filter((role) => wanted.includes(role.name)).map((role) => role.id);
    storeArchive({ org }, random, attributes, {
      edited: now - random.between(1, 400) * day,
      readers: new Set(readers),
    });
  }
  const legacy = [...org.archives.values()][3];
  if (legacy) legacy.overrides = { state: 'WORKING_AUTH_LEGACY' };
}
