import { at } from '../../lib/object-paths.ts';
import { collection } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, type Handler, ok, refused, type ServiceWorld } from '../server/handler.ts';
import { asObject, asText } from '../server/wire-values.ts';
import type { Account } from './account-store.ts';
import { knownFields, pairKey, postureRefusal } from './cloud-accounts.ts';

/** The members of every response; it never returns `client_secret`, the new names and `metrics_config`. */
const defaults: Readonly<Record<string, unknown>> = {
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
export function makeAccountA(sent: Readonly<Record<string, unknown>>, now: number): Account {
  return { fields: { ...defaults, errors: [], warnings: [], ...sent }, created: now };
}

const accountKey = (body: unknown): string => pairKey(at(body, 'tenant_name'), at(body, 'client_id'));

/** The stored members with the sent ones, or the refusal. New names rename the account unless they are taken. */
function mergedFields(
  { body }: ApiRequest,
  { org }: ServiceWorld,
  before: Account['fields'],
): Account['fields'] | ApiResponse {
  const sent = asObject(body) ?? {};
  const tenant_name = asText(sent.new_tenant_name) || before.tenant_name;
  const client_id = asText(sent.new_client_id) || before.client_id;
  const after = pairKey(tenant_name, client_id);
  if (after !== accountKey(body) && org.accounts.a.has(after))
    return refused(400, 'An account with the new names exists already');
  const fields = { ...before, ...knownFields(sent, defaults), tenant_name, client_id };
  return postureRefusal(fields, 'cspm_enabled') ?? fields;
}

/** The body identifies the account; the response to an edit is an empty object. */
const accounts = collection<Account, Account['fields']>({
  rows: ({ org }) => org.accounts.a,
  find: ({ body }, { org }) => org.accounts.a.get(accountKey(body)),
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
    const stored = before ?? world.org.accounts.a.get(accountKey(sent));
    if (!stored && !sent.secretless_auth_enabled && !asText(sent.client_secret))
      return refused(400, "Required parameter 'client_secret' is missing");
    if (before) return mergedFields(request, world, before.fields);
    const { tenant_name, client_id, new_tenant_name: _, new_client_id: __, ...rest } = sent;
    const initial = { ...defaults, errors: [], warnings: [], ...stored?.fields, tenant_name, client_id };
    return mergedFields({ ...request, body: { tenant_name, client_id, ...rest } }, world, initial);
  },
  make: (fields, { body, now }, { org }) => {
    org.accounts.a.set(accountKey(body), { fields, created: org.accounts.a.get(accountKey(body))?.created ?? now });
    return ok({});
  },
  change: (account, fields, { body }, { org }) => {
    const [before, after] = [accountKey(body), pairKey(fields.tenant_name, fields.client_id)];
    if (after !== before) org.accounts.a.delete(before);
    org.accounts.a.set(after, { ...account, fields });
    return ok({});
  },
  remove: (_, { body }, { org }) => {
    org.accounts.a.delete(accountKey(body));
    return ok({});
  },
});

const filter = accounts.on((account, { body }) => {
  const { host_filters = '' } = asObject(body) ?? {};
  account.fields = { ...account.fields, host_filters };
  return ok({});
});

/** The collection of provider_a accounts, by path. */
export const providerACollections = { '/api/v1/integration/provider_a': accounts };

/** The handler of host filters, by endpoint id. */
export const providerAHandlers: Readonly<Record<string, Handler>> = { 'integrations.filter-a': filter };
