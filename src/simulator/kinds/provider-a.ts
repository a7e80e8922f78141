import {
  type Answer,
  type Ask,
  asObject,
  asText,
  type Handler,
  isAnswer,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { type Account, known, missing, pair, postureFault } from './cloud-accounts.ts';

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

const list: Handler = (_, world) => {
  const { a } = world.org.accounts;
  if (a.size === 0)
    return refused(400, 'provider_a Integration not yet installed. Please install before performing this action.');
  return ok([...a.values()].map((it) => it.fields));
};

/** An existing pair is laid over, not refused (contract/integrations.md, 4). */
const create: Handler = (ask, world) => {
  const absent = missing(ask.body, identity);
  if (absent) return absent;
  const sent = asObject(ask.body) ?? {};
  const { a } = world.org.accounts;
  const key = pair(sent.tenant_name, sent.client_id);
  const there = a.get(key);
  if (!there && sent.secretless_auth_enabled !== true) {
    const secret = missing(ask.body, ['client_secret']);
    if (secret) return secret;
  }
  const taken = known(sent, defaults);
  if (isAnswer(taken)) return taken;
  const fields = {
    ...(there?.fields ?? { ...defaults, errors: [], warnings: [] }),
    ...taken,
    tenant_name: sent.tenant_name,
    client_id: sent.client_id,
  };
  const wrong = postureFault(fields, 'cspm_enabled');
  if (wrong) return wrong;
  a.set(key, { fields, created: there?.created ?? ask.now });
  return ok({});
};

function found(ask: Ask, world: World): Account | Answer {
  const absent = missing(ask.body, identity);
  if (absent) return absent;
  const sent = asObject(ask.body) ?? {};
  return (
    world.org.accounts.a.get(pair(sent.tenant_name, sent.client_id)) ??
    refused(400, 'There is no account with this tenant_name and client_id')
  );
}

/** Fields left out keep their value; new names move the account, never onto another one. */
const update: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const sent = asObject(ask.body) ?? {};
  const taken = known(sent, defaults);
  if (isAnswer(taken)) return taken;
  const tenant_name = asText(sent.new_tenant_name) || it.fields.tenant_name;
  const client_id = asText(sent.new_client_id) || it.fields.client_id;
  const { a } = world.org.accounts;
  const [before, after] = [pair(sent.tenant_name, sent.client_id), pair(tenant_name, client_id)];
  if (after !== before && a.has(after)) return refused(400, 'An account with the new names exists already');
  const fields = { ...it.fields, ...taken, tenant_name, client_id };
  const wrong = postureFault(fields, 'cspm_enabled');
  if (wrong) return wrong;
  if (after !== before) a.delete(before);
  a.set(after, { ...it, fields });
  return ok({});
};

/** An account that is already gone is 200 as well. */
const remove: Handler = (ask, world) => {
  const absent = missing(ask.body, identity);
  if (absent) return absent;
  const sent = asObject(ask.body) ?? {};
  world.org.accounts.a.delete(pair(sent.tenant_name, sent.client_id));
  return ok({});
};

const filter: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const { host_filters } = asObject(ask.body) ?? {};
  if (typeof host_filters !== 'string') return refused(400, "Required parameter 'host_filters' is missing");
  it.fields = { ...it.fields, host_filters };
  return ok({});
};

/** provider_a, by the id of the endpoint. */
export const providerAHandlers: Readonly<Record<string, Handler>> = {
  'integrations.list-a': list,
  'integrations.create-a': create,
  'integrations.update-a': update,
  'integrations.delete-a': remove,
  'integrations.filter-a': filter,
};
