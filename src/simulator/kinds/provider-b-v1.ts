import { type Answer, type Ask, asObject, at, isAnswer, ok, refused, type World } from '../server/answer.ts';
import { collection } from '../server/collection.ts';
import type { Account } from './account-store.ts';
import { known, missing, pair, postureFault } from './cloud-accounts.ts';

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

const named = (body: unknown): string => pair(at(body, 'project_id'), at(body, 'client_email'));

/** Fields left out keep their value; the key itself is not changed this way. */
function store(account: Account, fields: Account['fields'], { body }: Ask, { org }: World): Answer {
  org.accounts.bV1.set(named(body), { ...account, fields });
  return ok({});
}

/** Accounts are named by their bodies, and every edit answers with an empty object. */
const accounts = collection<Account, Account['fields']>({
  rows: ({ org }) => org.accounts.bV1,
  refuses: ({ endpoint, body }) => missing(body, endpoint.verb === 'create' ? needed : identity),
  find: ({ body }, { org }) => org.accounts.bV1.get(named(body)),
  // An unknown account is 200 as well.
  missing: (_, { endpoint }) =>
    endpoint.verb === 'delete' ? ok({}) : refused(400, 'There is no account with this project_id and client_email'),
  show: ({ fields }) => fields,
  // The federated accounts belong to this list too, without a project (contract/integrations.md, 2).
  list: {
    rows: (_, { org }) => [
      ...org.accounts.bV1.values(),
      ...[...org.accounts.b.values()].map(({ id, fields, created }) => {
        const host_filters = (fields.host_filters as string[]).join(',');
        return { fields: { ...defaults, ...fields, errors: [], id, project_id: '', host_filters }, created };
      }),
    ],
  },
  read: ({ body, now }, { org, random }, before) => {
    const sent = asObject(body) ?? {};
    const taken = known(sent, defaults);
    if (isAnswer(taken)) return taken;
    const there = before ?? org.accounts.bV1.get(named(body)) ?? makeAccountBV1({}, random.uuid(), now);
    const { project_id, client_email } = sent;
    const fields = { ...there.fields, ...taken, project_id, client_email };
    return postureFault(fields, 'is_cspm_enabled') ?? fields;
  },
  make: (fields, ask, world) =>
    store(world.org.accounts.bV1.get(named(ask.body)) ?? { fields, created: ask.now }, fields, ask, world),
  change: store,
  remove: (_, { body }, { org }) => {
    org.accounts.bV1.delete(named(body));
    return ok({});
  },
});

/** The deprecated form of provider_b, by its path. */
export const providerBV1Collections = { '/api/v1/integration/provider_b': accounts };
