import {
  type Answer,
  type Ask,
  asObject,
  asText,
  at,
  type Handler,
  isAnswer,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { collection } from '../server/collection.ts';
import type { Account } from './account-store.ts';
import { known, missing, pair, postureFault } from './cloud-accounts.ts';

const identity = ['tenant_name', 'client_id'];

/** What every answer says; `client_secret`, the new names and `metrics_config` are never returned. */
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

/** An account of provider_a with every default filled in. */
export function makeAccountA(sent: Readonly<Record<string, unknown>>, now: number): Account {
  return { fields: { ...defaults, errors: [], warnings: [], ...sent }, created: now };
}

const named = (body: unknown): string => pair(at(body, 'tenant_name'), at(body, 'client_id'));

/** What was sent laid over what was there; new names move an account, never onto another one. */
function laidOver({ body }: Ask, { org }: World, before: Account['fields']): Account['fields'] | Answer {
  const sent = asObject(body) ?? {};
  const taken = known(sent, defaults);
  if (isAnswer(taken)) return taken;
  const tenant_name = asText(sent.new_tenant_name) || before.tenant_name;
  const client_id = asText(sent.new_client_id) || before.client_id;
  const after = pair(tenant_name, client_id);
  if (after !== named(body) && org.accounts.a.has(after))
    return refused(400, 'An account with the new names exists already');
  const fields = { ...before, ...taken, tenant_name, client_id };
  return postureFault(fields, 'cspm_enabled') ?? fields;
}

/** Accounts are named by their bodies, and every edit answers with an empty object. */
const accounts = collection<Account, Account['fields']>({
  rows: ({ org }) => org.accounts.a,
  refuses: ({ body }) => missing(body, identity),
  find: ({ body }, { org }) => org.accounts.a.get(named(body)),
  // An account that is already gone is 200 as well.
  missing: (_, { endpoint }) =>
    endpoint.verb === 'delete' ? ok({}) : refused(400, 'There is no account with this tenant_name and client_id'),
  show: ({ fields }) => fields,
  list: {
    rows: (
      _,
      {
        org: {
          accounts: { a },
        },
      },
    ) =>
      a.size > 0
        ? [...a.values()]
        : refused(400, 'provider_a Integration not yet installed. Please install before performing this action.'),
  },
  // An existing pair is laid over, not refused (contract/integrations.md, 4).
  read: (ask, world, before) => {
    const sent = asObject(ask.body) ?? {};
    const there = before ?? world.org.accounts.a.get(named(sent));
    const secret = there || sent.secretless_auth_enabled === true ? undefined : missing(sent, ['client_secret']);
    if (secret) return secret;
    if (before) return laidOver(ask, world, before.fields);
    const { tenant_name, client_id, new_tenant_name: _, new_client_id: __, ...rest } = sent;
    const begun = { ...defaults, errors: [], warnings: [], ...there?.fields, tenant_name, client_id };
    return laidOver({ ...ask, body: { tenant_name, client_id, ...rest } }, world, begun);
  },
  make: (fields, { body, now }, { org }) => {
    org.accounts.a.set(named(body), { fields, created: org.accounts.a.get(named(body))?.created ?? now });
    return ok({});
  },
  change: (account, fields, { body }, { org }) => {
    const [before, after] = [named(body), pair(fields.tenant_name, fields.client_id)];
    if (after !== before) org.accounts.a.delete(before);
    org.accounts.a.set(after, { ...account, fields });
    return ok({});
  },
  remove: (_, { body }, { org }) => {
    org.accounts.a.delete(named(body));
    return ok({});
  },
});

const filter = accounts.on((account, { body }) => {
  const { host_filters } = asObject(body) ?? {};
  if (typeof host_filters !== 'string') return refused(400, "Required parameter 'host_filters' is missing");
  account.fields = { ...account.fields, host_filters };
  return ok({});
});

/** Accounts of provider_a, by their path. */
export const providerACollections = { '/api/v1/integration/provider_a': accounts };

/** Their filters alone, by the id of the endpoint. */
export const providerAHandlers: Readonly<Record<string, Handler>> = { 'integrations.filter-a': filter };
