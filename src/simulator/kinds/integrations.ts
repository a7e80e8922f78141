import { at } from '../../lib/values.ts';
import { collection } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  asList,
  asObject,
  asText,
  type Handler,
  ok,
  refused,
  type ServiceWorld,
  sentAttributes,
} from '../server/handler.ts';
import { createRandom, hash } from '../server/random.ts';
import type { Account, Accounts } from '../server/store.ts';

type Fields = Record<string, unknown>;

/** The map key of a pair of identifiers. */
export const pairKey = (one: unknown, other: unknown): string =>
  JSON.stringify([asText(one) ?? '', asText(other) ?? '']);

/** The fields of a body that an account has; null stands for their default. */
const knownFields = (sent: Readonly<Fields>, defaults: Readonly<Fields>): Fields =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      Object.hasOwn(defaults, name) && value !== undefined ? [[name, value ?? defaults[name]]] : [],
    ),
  );

/** The refusal of posture scanning without resource collection, on create and on edit. */
function postureRefusal(fields: Readonly<Fields>, posture: string): ApiResponse | undefined {
  return fields[posture] === true && fields.resource_collection_enabled !== true
    ? refused(400, 'Resource Collection must be enabled for CSM to be enabled')
    : undefined;
}

/** The members of every response; it never returns `client_secret`, the new names and `metrics_config`. */
const defaultsA: Readonly<Fields> = {
  host_filters: '',
  app_service_plan_filters: '',
  container_app_filters: '',
  automute: false,
  cspm_enabled: false,
  custom_metrics_enabled: false,
  resource_collection_enabled: true,
  metrics_enabled: true,
  metrics_enabled_default: true,
  usage_metrics_enabled: true,
  resource_provider_configs: [],
  secretless_auth_enabled: false,
};

/** An account of provider_a with defaults for missing members. */
export function makeAccountA(sent: Readonly<Fields>, now: number): Account {
  return { fields: { ...defaultsA, errors: [], warnings: [], ...sent }, created: now };
}

const accountKeyA = (body: unknown): string => pairKey(at(body, 'tenant_name'), at(body, 'client_id'));

/** The stored members with the sent ones, or the refusal. New names rename the account unless they are taken. */
function mergedFieldsA(
  { body }: ApiRequest,
  { org }: ServiceWorld,
  before: Account['fields'],
): Account['fields'] | ApiResponse {
  const sent = asObject(body) ?? {};
  const tenant_name = asText(sent.new_tenant_name) || before.tenant_name;
  const client_id = asText(sent.new_client_id) || before.client_id;
  const after = pairKey(tenant_name, client_id);
  if (after !== accountKeyA(body) && org.accounts.a.has(after))
    return refused(400, 'An account with the new names exists already');
  const fields = { ...before, ...knownFields(sent, defaultsA), tenant_name, client_id };
  return postureRefusal(fields, 'cspm_enabled') ?? fields;
}

/** The body identifies the account; the response to an edit is an empty object. */
const accountsA = collection<Account, Account['fields']>({
  rows: ({ org }) => org.accounts.a,
  find: ({ body }, { org }) => org.accounts.a.get(accountKeyA(body)),
  // Deleting an unknown account is a 200 as well.
  missing: (_, { endpoint }) =>
    endpoint.verb === 'delete' ? ok({}) : refused(400, 'There is no account with this tenant_name and client_id'),
  show: ({ fields }) => fields,
  list: {
    rows: (_, { org }) =>
      org.accounts.a.size > 0
        ? [...org.accounts.a.values()]
        : refused(400, 'provider_a Integration not yet installed. Please install before performing this action.'),
  },
  // Creating an existing account updates it (docs/contract/integrations.md#choices).
  read: (request, world, before) => {
    const sent = asObject(request.body) ?? {};
    const stored = before ?? world.org.accounts.a.get(accountKeyA(sent));
    if (!stored && !sent.secretless_auth_enabled && !asText(sent.client_secret))
      return refused(400, "Required parameter 'client_secret' is missing");
    if (before) return mergedFieldsA(request, world, before.fields);
    const { tenant_name, client_id, new_tenant_name: _, new_client_id: __, ...rest } = sent;
    const initial = { ...defaultsA, errors: [], warnings: [], ...stored?.fields, tenant_name, client_id };
    return mergedFieldsA({ ...request, body: { tenant_name, client_id, ...rest } }, world, initial);
  },
  make: (fields, { body, now }, { org }) => {
    org.accounts.a.set(accountKeyA(body), { fields, created: org.accounts.a.get(accountKeyA(body))?.created ?? now });
    return ok({});
  },
  change: (account, fields, { body }, { org }) => {
    const [before, after] = [accountKeyA(body), pairKey(fields.tenant_name, fields.client_id)];
    if (after !== before) org.accounts.a.delete(before);
    org.accounts.a.set(after, { ...account, fields });
    return ok({});
  },
  remove: (_, { body }, { org }) => {
    org.accounts.a.delete(accountKeyA(body));
    return ok({});
  },
});

const setHostFilters = accountsA.on((account, { body }) => {
  const { host_filters = '' } = asObject(body) ?? {};
  account.fields = { ...account.fields, host_filters };
  return ok({});
});

/** The collection of provider_a accounts, by path. */
export const providerACollections = { '/api/v1/integration/provider_a': accountsA };

/** The handler of host filters, by endpoint id. */
export const providerAHandlers: Readonly<Record<string, Handler>> = { 'integrations.filter-a': setHostFilters };

const accountType = 'provider_b_service_account';

const defaultsB: Readonly<Fields> = {
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
export const makeAccountB = (sent: Readonly<Fields>): Fields => mirrored({ ...defaultsB }, sent);

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
  const rest = { type: accountType, attributes: mixed, ...(meta ? { meta } : {}) };
  return random.chance(0.5) ? { id, ...rest } : { ...rest, id };
}

const emailTaken = (world: ServiceWorld, email: unknown, but?: string): boolean =>
  [...world.org.accounts.b].some(([id, account]) => id !== but && account.fields.client_email === email);

type Federated = Accounts['b'] extends Map<string, infer T> ? T : never;

const accountsB = collection<Federated, Fields>({
  rows: ({ org }) => org.accounts.b,
  missing: (_, { endpoint }) =>
    endpoint.verb === 'delete' ? refused(400, 'Account not found') : refused(404, 'Account not found'),
  show: ({ id, fields, projects }, { endpoint }, world) =>
    accountBody(world, id, fields, endpoint.verb === 'list' ? { accessible_projects: projects } : undefined),
  list: { page: null },
  read: (request, world, before) => {
    // Deployments have undocumented switches: unknown members are stored as sent.
    const attributes = sentAttributes(request.body);
    const sent = { ...attributes, ...knownFields(attributes, defaultsB) };
    const { client_email } = sent;
    if (client_email !== undefined && emailTaken(world, client_email, before?.id))
      return refused(before ? 400 : 409, `A service account with the e-mail ${client_email} exists already`);
    const fields = mirrored(before?.fields ?? { ...defaultsB }, sent);
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
export const providerBCollections = { '/api/v2/integration/provider_b/accounts': accountsB };

/** Handlers of the principal that provider_b must trust, by endpoint id. */
export const providerBHandlers: Readonly<Record<string, Handler>> = {
  'integrations.delegate-b': showDelegate,
  'integrations.make-delegate-b': makeDelegate,
};

/** The members of every response, without the key. `host_filters` is one text here. */
const defaultsBV1: Readonly<Fields> = {
  host_filters: '',
  automute: false,
  is_cspm_enabled: false,
  is_security_command_center_enabled: false,
  resource_collection_enabled: false,
  is_resource_change_collection_enabled: false,
  cloud_run_revision_filters: [],
  monitored_resource_configs: [],
};

/** An account of the deprecated form with defaults for missing members. */
export function makeAccountBV1(sent: Readonly<Fields>, id: string, now: number): Account {
  return { fields: { ...defaultsBV1, errors: [], ...sent, id }, created: now };
}

const accountKeyBV1 = (body: unknown): string => pairKey(at(body, 'project_id'), at(body, 'client_email'));

/** Stores the merged fields under the identity of the body. */
function storeBV1(
  account: Account,
  fields: Account['fields'],
  { body }: ApiRequest,
  { org }: ServiceWorld,
): ApiResponse {
  org.accounts.bV1.set(accountKeyBV1(body), { ...account, fields });
  return ok({});
}

/** The body identifies the account; the response to an edit is an empty object. */
const accountsBV1 = collection<Account, Account['fields']>({
  rows: ({ org }) => org.accounts.bV1,
  find: ({ body }, { org }) => org.accounts.bV1.get(accountKeyBV1(body)),
  // Deleting an unknown account is a 200 as well.
  missing: (_, { endpoint }) =>
    endpoint.verb === 'delete' ? ok({}) : refused(400, 'There is no account with this project_id and client_email'),
  show: ({ fields }) => fields,
  // The list includes the federated accounts, without a project (docs/contract/integrations.md#provider_b-v1).
  list: {
    rows: (_, { org }) => [
      ...org.accounts.bV1.values(),
      ...[...org.accounts.b.values()].map(({ id, fields, created }) => {
        const host_filters = (fields.host_filters as string[]).join(',');
        return { fields: { ...defaultsBV1, ...fields, errors: [], id, project_id: '', host_filters }, created };
      }),
    ],
  },
  read: ({ body, now }, { org, random }, before) => {
    const sent = asObject(body) ?? {};
    const stored = before ?? org.accounts.bV1.get(accountKeyBV1(body)) ?? makeAccountBV1({}, random.uuid(), now);
    const { project_id, client_email } = sent;
    const fields = { ...stored.fields, ...knownFields(sent, defaultsBV1), project_id, client_email };
    return postureRefusal(fields, 'is_cspm_enabled') ?? fields;
  },
  make: (fields, request, world) =>
    storeBV1(
      world.org.accounts.bV1.get(accountKeyBV1(request.body)) ?? { fields, created: request.now },
      fields,
      request,
      world,
    ),
  change: storeBV1,
  remove: (_, { body }, { org }) => {
    org.accounts.bV1.delete(accountKeyBV1(body));
    return ok({});
  },
});

/** The collection of the deprecated form of provider_b, by path. */
export const providerBV1Collections = { '/api/v1/integration/provider_b': accountsBV1 };
