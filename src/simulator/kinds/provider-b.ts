import { at } from '../../lib/object-paths.ts';
import { collection } from '../server/collection.ts';
import { type Handler, ok, refused, type ServiceWorld } from '../server/handler.ts';
import { createRandom, hash } from '../server/random.ts';
import { asList, sentAttributes } from '../server/wire-values.ts';
import type { Accounts } from './account-store.ts';
import { knownFields, postureRefusal } from './cloud-accounts.ts';

type Fields = Record<string, unknown>;

const type = 'provider_b_service_account';

const defaults: Readonly<Fields> = {
  client_email: '',
  host_filters: [],
  cloud_run_revision_filters: [],
  account_tags: [],
  automute: false,
  is_cspm_enabled: false,
  is_security_command_center_enabled: false,
  resource_collection_enabled: true,
  is_resource_change_collection_enabled: false,
  is_global_location_enabled: true,
  is_per_project_quota_enabled: false,
  metric_namespace_configs: [{ id: 'prometheus', disabled: true, filters: [] }],
  monitored_resource_configs: [],
  region_filter_configs: [],
};

/** The deprecated lists and the resource type that each mirrors. */
const mirrors = { host_filters: 'vm_instance', cloud_run_revision_filters: 'cloud_run_revision' } as const;

/** Attributes of a federated account with defaults and mirrored deprecated lists. */
export const makeAccountB = (sent: Readonly<Fields>): Fields => mirrored({ ...defaults }, sent);

/**
 * The stored attributes with the sent ones. Sent `monitored_resource_configs` determine the two deprecated lists;
 * otherwise sent deprecated lists determine its entries (docs/contract/integrations.md#provider_b: mirror rule).
 */
function mirrored(before: Fields, sent: Readonly<Fields>): Fields {
  const after: Fields = { ...before, ...sent };
  const given = asList(sent.monitored_resource_configs);
  const deprecated = Object.entries(mirrors);
  if (given && (given.length > 0 || deprecated.every(([name]) => sent[name] === undefined))) {
    for (const [name, kind] of deprecated)
      after[name] =
        at(
          given.find((value) => at(value, 'type') === kind),
          'filters',
        ) ?? [];
    return after;
  }
  let entries = asList(before.monitored_resource_configs) ?? [];
  for (const [name, kind] of deprecated) {
    const filters = asList(sent[name]);
    if (!filters) continue;
    entries = entries.filter((entry) => at(entry, 'type') !== kind);
    if (filters.length > 0) entries = [...entries, { type: kind, filters }];
  }
  after.monitored_resource_configs = entries;
  return after;
}

/** The order of attributes is random, and `id` may come last (docs/contract/integrations.md#provider_b). */
function accountBody(world: ServiceWorld, id: string, attributes: Fields, meta?: object): unknown {
  const random = createRandom(hash(world.org.seed, id));
  const mixed = Object.fromEntries(random.shuffle(Object.entries(attributes)));
  const rest = { type, attributes: mixed, ...(meta ? { meta } : {}) };
  return random.chance(0.5) ? { id, ...rest } : { ...rest, id };
}

const emailTaken = (world: ServiceWorld, email: unknown, but?: string): boolean =>
  [...world.org.accounts.b].some(([id, account]) => id !== but && account.fields.client_email === email);

type Federated = Accounts['b'] extends Map<string, infer T> ? T : never;

const accounts = collection<Federated, Fields>({
  rows: ({ org }) => org.accounts.b,
  missing: (_, { endpoint }) =>
    endpoint.verb === 'delete' ? refused(400, 'Account not found') : refused(404, 'Account not found'),
  show: ({ id, fields, projects }, { endpoint }, world) =>
    accountBody(world, id, fields, endpoint.verb === 'list' ? { accessible_projects: projects } : undefined),
  list: { page: null },
  read: (request, world, before) => {
    // Deployments have undocumented switches: unknown members are stored as sent.
    const attributes = sentAttributes(request.body);
    const sent = { ...attributes, ...knownFields(attributes, defaults) };
    const { client_email } = sent;
    if (client_email !== undefined && emailTaken(world, client_email, before?.id))
      return refused(before ? 400 : 409, `A service account with the e-mail ${client_email} exists already`);
    const fields = mirrored(before?.fields ?? { ...defaults }, sent);
    return postureRefusal(fields, 'is_cspm_enabled') ?? fields;
  },
  make: (fields, { now }, { org, random }) => {
    const account = { id: random.uuid(), fields, projects: [], created: now };
    org.accounts.b.set(account.id, account);
    return account;
  },
  change: (account, fields, _, world) => {
    account.fields = fields;
    return { status: 201, body: { data: accountBody(world, account.id, fields) } };
  },
  created: 201,
});

const delegateOf = (email: string): unknown => ({
  type: 'provider_b_sts_delegate',
  id: email,
  attributes: { delegate_account_email: email },
});

const showDelegate: Handler = (_, world) => {
  const { delegate } = world.org.accounts;
  return ok({ data: delegate === null ? null : delegateOf(delegate) });
};

const makeDelegate: Handler = (_, world) => {
  const { accounts, seed } = world.org;
  accounts.delegate ??= `delegate-${hash(seed, 'delegate').toString(36)}@delegates.example.test`;
  return ok({ data: delegateOf(accounts.delegate) });
};

/** The collection of federated provider_b accounts, by path. */
export const providerBCollections = { '/api/v2/integration/provider_b/accounts': accounts };

/** Handlers of the principal that provider_b must trust, by endpoint id. */
export const providerBHandlers: Readonly<Record<string, Handler>> = {
  'integrations.delegate-b': showDelegate,
  'integrations.make-delegate-b': makeDelegate,
};
