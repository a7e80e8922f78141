import { at } from '../../lib/object-paths.ts';
import { collection } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, ok, refused, type ServiceWorld } from '../server/handler.ts';
import { asObject } from '../server/wire-values.ts';
import type { Account } from './account-store.ts';
import { knownFields, pairKey, postureRefusal } from './cloud-accounts.ts';

/** The members of every response, without the key. `host_filters` is one text here. */
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

/** An account of the deprecated form with defaults for missing members. */
export function makeAccountBV1(sent: Readonly<Record<string, unknown>>, id: string, now: number): Account {
  return { fields: { ...defaults, errors: [], ...sent, id }, created: now };
}

const accountKey = (body: unknown): string => pairKey(at(body, 'project_id'), at(body, 'client_email'));

/** Stores the merged fields under the identity of the body. */
function store(account: Account, fields: Account['fields'], { body }: ApiRequest, { org }: ServiceWorld): ApiResponse {
  org.accounts.bV1.set(accountKey(body), { ...account, fields });
  return ok({});
}

/** The body identifies the account; the response to an edit is an empty object. */
const accounts = collection<Account, Account['fields']>({
  rows: ({ org }) => org.accounts.bV1,
  find: ({ body }, { org }) => org.accounts.bV1.get(accountKey(body)),
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
        return { fields: { ...defaults, ...fields, errors: [], id, project_id: '', host_filters }, created };
      }),
    ],
  },
  read: ({ body, now }, { org, random }, before) => {
    const sent = asObject(body) ?? {};
    const stored = before ?? org.accounts.bV1.get(accountKey(body)) ?? makeAccountBV1({}, random.uuid(), now);
    const { project_id, client_email } = sent;
    const fields = { ...stored.fields, ...knownFields(sent, defaults), project_id, client_email };
    return postureRefusal(fields, 'is_cspm_enabled') ?? fields;
  },
  make: (fields, request, world) =>
    store(
      world.org.accounts.bV1.get(accountKey(request.body)) ?? { fields, created: request.now },
      fields,
      request,
      world,
    ),
  change: store,
  remove: (_, { body }, { org }) => {
    org.accounts.bV1.delete(accountKey(body));
    return ok({});
  },
});

/** The collection of the deprecated form of provider_b, by path. */
export const providerBV1Collections = { '/api/v1/integration/provider_b': accounts };
