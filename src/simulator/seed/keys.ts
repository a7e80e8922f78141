import { secretOf } from '../kinds/secrets.ts';
import type { Leak } from '../server/access.ts';
import type { World } from '../server/handler.ts';
import { storeApiKey, storeApplicationKey } from '../server/keys.ts';
import { createRandom } from '../server/random.ts';
import { escapeTexts } from './words.ts';

const day = 86_400_000;

/** Application keys: name and scopes. */
const application: readonly (readonly [name: string, scopes?: string])[] = [
  ['laptop'],
  ['Laptop (old)'],
  ['ci: deploy markers', 'events_write'],
  ['terraform', 'monitors_read monitors_write dashboards_read dashboards_write slos_read slos_write'],
  ['monitors as code', 'monitors_read monitors_write monitors_downtime'],
  ['weekly report', 'dashboards_read usage_read'],
  ['incident bot', 'incident_read incident_write monitors_read'],
  ['on-call handbook', 'monitors_read dashboards_read'],
  ['notebook exporter', 'notebooks_read'],
  ['try-out, delete me'],
  ['slo report', 'slos_read'],
  ['warehouse tables', 'reference_tables_read reference_tables_write'],
  ['status page', 'monitors_read'],
  ['triage scripts', 'error_tracking_read error_tracking_write cases_read cases_write'],
  ['phone'],
  ['load test 2024'],
  ['東京のスクリプト', 'monitors_read'],
  ['archive audit', 'logs_read_archives logs_read_config'],
  ['key rotation', 'api_keys_read api_keys_write'],
  ['team sync', 'teams_read teams_manage user_access_read'],
  ['dashboards backup', 'dashboards_read'],
  ['cost export', 'cost_read usage_read billing_read'],
  ['chat integration', 'monitors_read monitors_downtime incident_read'],
  ['desk display in the kitchen', 'dashboards_read'],
  ['migration of last year'],
  ['a second key, because the first one is on a machine that nobody finds any more'],
  ['browser tests', 'synthetics_read synthetics_write'],
  ['audit pull', 'audit_logs_read'],
  [escapeTexts[2] ?? '', 'monitors_read'],
  ['Zoë’s key'],
];

/** API keys: name, and whether they were modified after creation. */
const api: readonly (readonly [name: string, changed: boolean])[] = [
  ['agents, production', true],
  ['agents, staging', false],
  ['agents, developers', false],
  ['log forwarder', true],
  ['edge gateway', false],
  ['browser SDK proxy', false],
  ['mobile crash reports', true],
  ['warehouse sync', false],
  ['ci pipelines', false],
  ['data platform', true],
  ['店舗端末', false],
  ['unused since the move', false],
];

/** Seeds about thirty application keys of users and service accounts and a dozen API keys; one of each is leaked. */
export function seedKeys(world: World, now: number): void {
  const { org } = world;
  const random = createRandom(org.seed + 5);
  const own = { ...world, random };
  const people = [...org.users.values()].filter((user) => !user.disabled && user.status === 'Active');
  const serviceAccounts = people.filter((user) => user.service);
  const used = (created: number): number | null =>
    random.chance(0.25) ? null : Math.max(created, now - random.between(0, 90 * 24) * 3_600_000);
  const leak = (source: string): Leak => ({ id: random.uuid(), date: now - 2 * day, source });
  application.forEach(([name, scopes], at) => {
    const serviceAccount = at % 7 === 2 ? serviceAccounts[at % Math.max(1, serviceAccounts.length)] : undefined;
    const owner = serviceAccount ?? (at % 5 === 0 ? people[0] : random.pick(people));
    if (!owner) return;
    const created = now - random.between(3, 900) * day;
    storeApplicationKey(org, {
      id: random.uuid(),
      owner: owner.id,
      name,
      secret: secretOf(own, 40),
      scopes: scopes?.split(' ') ?? null,
      permissions: null,
      created,
      used: used(created),
      leak: name === 'load test 2024' ? leak('a public repository') : null,
      overrides: {},
    });
  });
  api.forEach(([name, changed], at) => {
    const created = now - random.between(20, 1200) * day;
    const creator = at % 4 === 3 ? [...org.users.values()].find((user) => user.disabled) : random.pick(people);
    storeApiKey(org, {
      id: random.uuid(),
      name,
      secret: secretOf(own, 32),
      category: 'default',
      remoteConfig: at % 5 !== 4,
      creator: creator?.id ?? null,
      modifier: changed ? random.pick(people).id : null,
      created,
      modified: changed ? created + random.between(1, 15) * day : created,
      used: name.startsWith('unused') ? null : used(created),
      leak: name === 'browser SDK proxy' ? leak('a web page') : null,
      overrides: {},
    });
  });
}
