import { asObject, type Handler, isAnswer, ok, refused, type World } from '../server/answer.ts';
import { type Account, known, missing, pair, postureFault } from './cloud-accounts.ts';

const identity = ['project_id', 'client_email'];

/** The parts of a key file without which nothing can be read from the provider. */
const needed = ['type', ...identity, 'private_key'];

/** What every answer says; nothing of the key is ever returned. `host_filters` is one text here. */
const defaults: Readonly<Record<string, unknown>> = {
  host_filters: '',
  automute: false,
  is_cspm_enabled: false,
  is_security_command_center_enabled: false,
  resource_collection_enabled: false,
  is_resource_change_collection_enabled: false,
  cloud_run_revision_filters: [],
  monitored_resource_configs: [],
};

/** An account of the deprecated form with every default filled in. */
export function makeAccountBV1(sent: Readonly<Record<string, unknown>>, id: string, now: number): Account {
  return { fields: { ...defaults, errors: [], ...sent, id }, created: now };
}

/** The federated accounts belong to this list too, without a project (contract/integrations.md, 2). */
const list: Handler = (_, world) => {
  const { bV1, b } = world.org.accounts;
  const federated = [...b].map(([id, { fields }]) => ({
    ...defaults,
    ...fields,
    errors: [],
    id,
    project_id: '',
    host_filters: (fields.host_filters as string[]).join(','),
  }));
  return ok([...[...bV1.values()].map((it) => it.fields), ...federated]);
};

const create: Handler = (ask, world) => {
  const absent = missing(ask.body, needed);
  if (absent) return absent;
  const sent = asObject(ask.body) ?? {};
  const there = world.org.accounts.bV1.get(pair(sent.project_id, sent.client_email));
  return laid(world, sent, there ?? makeAccountBV1({}, world.random.uuid(), ask.now));
};

/** Fields left out keep their value; the key itself is not changed this way. */
const update: Handler = (ask, world) => {
  const absent = missing(ask.body, identity);
  if (absent) return absent;
  const sent = asObject(ask.body) ?? {};
  const there = world.org.accounts.bV1.get(pair(sent.project_id, sent.client_email));
  if (!there) return refused(400, 'There is no account with this project_id and client_email');
  return laid(world, sent, there);
};

function laid(world: World, sent: Record<string, unknown>, it: Account) {
  const taken = known(sent, defaults);
  if (isAnswer(taken)) return taken;
  const { project_id, client_email } = sent;
  const fields = { ...it.fields, ...taken, project_id, client_email };
  const wrong = postureFault(fields, 'is_cspm_enabled');
  if (wrong) return wrong;
  world.org.accounts.bV1.set(pair(project_id, client_email), { ...it, fields });
  return ok({});
}

/** An unknown account is 200 as well. */
const remove: Handler = (ask, world) => {
  const absent = missing(ask.body, identity);
  if (absent) return absent;
  const sent = asObject(ask.body) ?? {};
  world.org.accounts.bV1.delete(pair(sent.project_id, sent.client_email));
  return ok({});
};

/** The deprecated form of provider_b, by the id of the endpoint. */
export const providerBV1Handlers: Readonly<Record<string, Handler>> = {
  'integrations.list-b-v1': list,
  'integrations.create-b-v1': create,
  'integrations.update-b-v1': update,
  'integrations.delete-b-v1': remove,
};
