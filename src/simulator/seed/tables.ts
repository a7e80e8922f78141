import type { World } from '../server/handler.ts';
import { createRandom, hash } from '../server/random.ts';
import { putTable } from './put.ts';
import { regions, teams } from './words.ts';

const hour = 3_600_000;

type Row = Readonly<Record<string, string | number>>;

/** Reference tables of every source and in every state (contract/reference-tables.md, 5). */
export function seedTables(world: World, now: number): void {
  const { seed } = world.org;
  const random = createRandom(hash(seed, 'tables'));
  const people = [...world.org.users.values()].filter((user) => user.status === 'Active').slice(0, 12);
  const put = (table_name: string, hours: number, more: Record<string, unknown>): void => {
    const by = random.pick(people)?.id ?? '';
    const updated_at = new Date(now - hours * hour).toISOString();
    putTable(world, { id: random.uuid(), table_name, updated_at, created_by: by, last_updated_by: by, ...more }, now);
  };
  const rows = (count: number, row: (number: number) => Row): Row[] =>
    Array.from({ length: count }, (_, at) => row(at + 1));
  const handle = (number: number): string => teams[number % teams.length]?.[0] ?? 'core';

  put('oncall_routes', 5, {
    description: 'Who is called for which service, and in which order',
    tags: ['team:platform', 'source:wiki'],
    rows: rows(140, (index) => ({
      service: `service-${index}`,
      team: handle(index),
      tier: 1 + (index % 4),
      page: `#${handle(index)}`,
    })),
  });
  put('office_networks', 240, {
    description: '',
    rows: rows(38, (index) => ({
      cidr: `10.${index}.0.0/16`,
      office: regions[index % regions.length] ?? '',
      floor: index % 9,
    })),
  });
  put('country_names', 9000, {
    description: 'ISO codes and what people call them',
    tags: [],
    rows: [
      { code: 'de', name: 'Deutschland' },
      { code: 'jp', name: '日本' },
      { code: 'il', name: 'ישראל' },
      { code: 'ci', name: 'Côte d’Ivoire, formerly "Ivory Coast"' },
      { code: 'xk', name: '' },
    ],
  });
  put('blocked_agents', 30, {
    description: 'Bot user agents',
    status: 'DONE_WITH_ERRORS',
    rows: rows(210, (index) => ({
      agent: `crawler-${index}/1.${index % 7}`,
      reason: index % 3 === 0 ? 'scraper' : 'scanner',
    })),
    file_metadata: { error_row_count: 17 },
  });
  put('merchant_limits', 2, {
    description: 'Daily limits by merchant, from finance',
    source: 'PROVIDER_A',
    rows: rows(90, (index) => ({
      merchant: `m-${1000 + index}`,
      limit: index * 250,
      currency: index % 2 === 0 ? 'EUR' : 'USD',
    })),
    file_metadata: {
      sync_enabled: true,
      access_details: {
        provider_a_detail: {
          provider_a_client_id: random.uuid(),
          provider_a_container_name: 'finance',
          provider_a_storage_account_name: 'shopexports',
          provider_a_tenant_id: random.uuid(),
          file_path: 'daily/merchant_limits.csv',
        },
      },
    },
  });
  put('feature_flags', 1, {
    source: 'PROVIDER_B',
    tags: ['team:storefront'],
    rows: rows(64, (index) => ({ flag: `flag_${index}`, owner: handle(index), percent: (index * 7) % 101 })),
    file_metadata: {
      sync_enabled: true,
      access_details: {
        provider_b_detail: {
          provider_b_bucket_name: 'shop-flags',
          provider_b_project_id: 'search-prod',
          provider_b_service_account_email: 'tables@search-prod.accounts.example.test',
          file_path: 'flags.csv',
        },
      },
    },
  });
  put('known_devices', 12, {
    description: 'Serial numbers from the device register; too many to list',
    source: 'PROVIDER_C',
    row_count: 4_120_883,
    rows: rows(500, (index) => ({ serial: `SN${100_000 + index}`, model: `model ${index % 11}`, site: handle(index) })),
    file_metadata: {
      access_details: {
        provider_c_detail: {
          provider_c_account_id: '000011112222',
          provider_c_bucket_name: 'device-register',
          file_path: 'export/devices.csv',
        },
      },
    },
  });
  put('vat_rates', 48, {
    source: 'PROVIDER_C',
    status: 'ERROR',
    file_metadata: {
      error_type: 'CONFIGURATION_ERROR',
      error_message: 'The file cannot be read with the access details that were given',
      access_details: {
        provider_c_detail: {
          provider_c_account_id: '000011112222',
          provider_c_bucket_name: 'finance-exports',
          file_path: 'vat.csv',
        },
      },
    },
  });
  put('delivery_zones', 0.05, { description: 'Being read', status: 'PROCESSING', row_count: 0 });
  put('price_overrides', 0.02, { source: 'PROVIDER_A', status: 'INITIALIZED', file_metadata: { access_details: {} } });
  put('runtime_owners', 3, {
    description: 'Written by the deploy pipeline',
    source: 'API',
    created_by: '',
    last_updated_by: '',
    rows: rows(75, (index) => ({ runtime: `rt-${index}`, team: handle(index) })),
  });
  put('open_changes', 1, {
    source: 'TRACKER_B',
    created_by: '',
    rows: rows(21, (index) => ({ change: `CHG00${400 + index}`, state: index % 4 === 0 ? 'scheduled' : 'open' })),
  });
  put('customer_segments', 70, {
    source: 'WAREHOUSE',
    last_updated_by: '',
    tags: ['owner:analytics'],
    rows: rows(33, (index) => ({ segment: `segment ${index}`, size: index * 1311 })),
  });
  put('payroll_groups', 400, { description: 'Restricted to the people team', restricted: true, row_count: 88 });
}
