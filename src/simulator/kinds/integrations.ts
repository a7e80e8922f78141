import { at } from '../../lib/values.ts';
import { type Collection, type CollectionList, collection, type Operations } from '../server/collection.ts';
import {
  type ApiResponse,
  asList,
  asObject,
  asText,
  type Handler,
  isResponse,
  ok,
  refused,
  requires,
  type ServiceWorld,
  sentAttributes,
} from '../server/handler.ts';
import { createRandom, hash } from '../server/random.ts';
import type { FederatedAccount, Org } from '../server/store.ts';

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

/** How the accounts of one provider in v1 differ from those of the other. */
interface Paired {
  rows(org: Org): Map<string, Fields>;
  /** The two members that identify an account. */
  readonly names: readonly [string, string];
  /** The settings that a body may have. */
  readonly defaults: Readonly<Fields>;
  /** The setting that needs resource collection. */
  readonly posture: string;
  readonly list: CollectionList<Fields>;
  /** A new account without its settings, or the refusal. */
  fresh(sent: Readonly<Fields>, world: ServiceWorld): Fields | ApiResponse;
  /** The identity that an edit gives to an account. */
  renamed?(sent: Readonly<Fields>, before: Readonly<Fields>): Fields;
}

/** Accounts of v1: the body identifies one, and the response to an edit is an empty object. */
function pairedAccounts({ rows, names, defaults, posture, list, fresh, renamed }: Paired): Collection<Fields> {
  const keyOf = (fields: unknown): string => pairKey(at(fields, names[0]), at(fields, names[1]));
  const keep = (org: Org, fields: Fields): ApiResponse => {
    rows(org).set(keyOf(fields), fields);
    return ok({});
  };
  return collection<Fields, Fields>({
    rows: ({ org }) => rows(org),
    find: ({ body }, { org }) => rows(org).get(keyOf(body)),
    // Deleting an unknown account is a 200 as well.
    missing(_, { endpoint, body }) {
      if (endpoint.verb === 'delete') return ok({});
      // The hosts of an account may be sent in any shape.
      const lacking = names.find((name) => !at(body, name));
      return lacking ? requires(lacking) : refused(400, `There is no account with this ${names.join(' and ')}`);
    },
    show: (fields) => fields,
    list,
    // Creating an existing account updates it (docs/contract/integrations.md#choices).
    read: ({ body }, world, before) => {
      const sent = asObject(body) ?? {};
      const stored = before ?? rows(world.org).get(keyOf(sent)) ?? fresh(sent, world);
      if (isResponse(stored)) return stored;
      const fields = { ...stored, ...knownFields(sent, defaults), ...(before && renamed?.(sent, before)) };
      if (keyOf(fields) !== keyOf(sent) && rows(world.org).has(keyOf(fields)))
        return refused(400, 'An account with the new names exists already');
      return postureRefusal(fields, posture) ?? fields;
    },
    make: (fields, _, { org }) => keep(org, fields),
    change: (_, fields, { body }, { org }) => {
      if (keyOf(fields) !== keyOf(body)) rows(org).delete(keyOf(body));
      return keep(org, fields);
    },
    remove: (_, { body }, { org }) => {
      rows(org).delete(keyOf(body));
      return ok({});
    },
  });
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
const makeAccountA = (sent: Readonly<Fields>): Fields => ({ ...defaultsA, errors: [], warnings: [], ...sent });

/** Stores an account of provider_a; returns its key. */
export function storeAccountA({ org }: ServiceWorld, fields: Readonly<Fields>): string {
  const key = pairKey(fields.tenant_name, fields.client_id);
  org.accounts.a.set(key, makeAccountA(fields));
  return key;
}

const accountsA = pairedAccounts({
  rows: ({ accounts }) => accounts.a,
  names: ['tenant_name', 'client_id'],
  defaults: defaultsA,
  posture: 'cspm_enabled',
  list: {
    rows: (_, { org }) =>
      org.accounts.a.size > 0
        ? [...org.accounts.a.values()]
        : refused(400, 'provider_a Integration not yet installed. Please install before performing this action.'),
  },
  fresh: ({ tenant_name, client_id, client_secret, secretless_auth_enabled }) =>
    !secretless_auth_enabled && !asText(client_secret)
      ? requires('client_secret')
      : makeAccountA({ tenant_name, client_id }),
  renamed: ({ new_tenant_name, new_client_id }, { tenant_name, client_id }) => ({
    tenant_name: asText(new_tenant_name) || tenant_name,
    client_id: asText(new_client_id) || client_id,
  }),
});

const setHostFilters = accountsA.on((account, { body }) => {
  account.host_filters = at(body, 'host_filters') ?? '';
  return ok({});
});

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

/** Stores a federated account, with defaults and mirrored deprecated lists; returns its id. */
export function storeAccountB({ org, random }: ServiceWorld, sent: Readonly<Fields>, projects: readonly string[]) {
  const { id: given, ...attributes } = sent;
  const id = asText(given) ?? random.uuid();
  org.accounts.b.set(id, { id, fields: mirrored({ ...defaultsB }, attributes), projects });
  return id;
}

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

const accountsB = collection<FederatedAccount, Fields>({
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
  make: (fields, _, { org, random }) => {
    const account = { id: random.uuid(), fields, projects: [] };
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

/** Stores an account of provider_b in its deprecated form; returns its key. */
export function storeAccountBV1({ org, random }: ServiceWorld, fields: Readonly<Fields>): string {
  const key = pairKey(fields.project_id, fields.client_email);
  org.accounts.bV1.set(key, { ...defaultsBV1, errors: [], ...fields, id: random.uuid() });
  return key;
}

const accountsBV1 = pairedAccounts({
  rows: ({ accounts }) => accounts.bV1,
  names: ['project_id', 'client_email'],
  defaults: defaultsBV1,
  posture: 'is_cspm_enabled',
  // The list includes the federated accounts, without a project (docs/contract/integrations.md#provider_b-v1).
  list: {
    rows: (_, { org }) => [
      ...org.accounts.bV1.values(),
      ...[...org.accounts.b.values()].map(({ id, fields }) => {
        const host_filters = (fields.host_filters as string[]).join(',');
        return { ...defaultsBV1, ...fields, errors: [], id, project_id: '', host_filters };
      }),
    ],
  },
  fresh: ({ project_id, client_email }, { random }) => ({
    ...defaultsBV1,
    errors: [],
    id: random.uuid(),
    project_id,
    client_email,
  }),
});

/** Operations of cloud accounts. */
export const integrationOperations: Operations = {
  '/api/v1/integration/provider_a': accountsA,
  '/api/v1/integration/provider_b': accountsBV1,
  '/api/v2/integration/provider_b/accounts': accountsB,
  'integrations.filter-a': setHostFilters,
  'integrations.delegate-b': showDelegate,
  'integrations.make-delegate-b': makeDelegate,
};
