import { data, forbidden, type Refusal, refusals } from './row.ts';

const a = '/api/v1/integration/provider_a';
const bV1 = '/api/v1/integration/provider_b';
const b = '/api/v2/integration/provider_b/accounts';
const named = { tenant_name: 't1', client_id: 'c1' };
const key = { project_id: 'p1', client_email: 'one@example.test' };
const federated = (attributes: object) => data('provider_b_service_account', attributes);
const missing = (name: string): string => `Required parameter '${name}' is missing`;
const posture = 'Resource Collection must be enabled for CSM to be enabled';

/** Cloud accounts. */
export const integrations: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['integrations.md 1', [`POST ${a}`, `PUT ${a}`, `DELETE ${a}`, `POST ${a}/host_filters`], 400, missing('tenant_name'), {}],
    ['integrations.md 2', `POST ${bV1}`, 400, missing('type'), {}],
    ['integrations.md 2', [`PUT ${bV1}`, `DELETE ${bV1}`], 400, missing('project_id'), {}],
    ['keys.md 6', ['POST /api/v1/api_key', 'PUT /api/v1/api_key/nobody'], 400, missing('name'), {}],
    ['integrations.md 1', `POST ${a}`, 400, missing('client_secret'), { ...named, client_id: 'new' }],
    ['integrations.md 1', `PUT ${a}`, 400, 'There is no account with this tenant_name and client_id', { ...named, client_id: 'nobody' }],
    ['integrations.md 1', `PUT ${a}`, 400, 'An account with the new names exists already', { ...named, new_client_id: 'c2' }],
    ['integrations.md 1', `PUT ${a}`, 400, posture, { ...named, cspm_enabled: true, resource_collection_enabled: false }],
    ['integrations.md 2', `PUT ${bV1}`, 400, posture, { ...key, is_cspm_enabled: true }],
    ['integrations.md 2', `PUT ${bV1}`, 400, 'There is no account with this project_id and client_email', { ...key, client_email: 'nobody@example.test' }],
    ['integrations.md 3', `POST ${b}`, 409, 'A service account with the e-mail two@example.test exists already', federated({ client_email: 'two@example.test' })],
    ['integrations.md 3', `POST ${b}`, 400, posture, federated({ client_email: 'x@example.test', is_cspm_enabled: true, resource_collection_enabled: false })],
  ]),
  ...forbidden('integrations.md 3', 'provider_b_configuration_edit', [`GET ${b}`, `POST ${b}`]),
];
