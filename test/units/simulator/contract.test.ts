import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../../src/api/all-endpoints.ts';
import { type Endpoint, pathNames } from '../../../src/api/endpoint.ts';
import { type Asking, asking, restingSimulator } from '../../support/simulated.ts';

/** The id of nothing. */
const nowhere = '00000000-0000-4000-8000-000000000000';

/** By the name of a path parameter an object that is there; of v1 API keys the body is read first. */
const known: Record<string, string> = {
  ...{ monitor_id: '77', role_id: 'role-1', authn_mapping_id: 'mapping-1', app_key_id: 'key-1', api_key_id: 'api-1' },
  ...{ filter_id: 'filter-1', archive_id: 'archive-1', key: nowhere },
};

const service = restingSimulator({ furnished: false });
let ask: Asking;

beforeAll(async () => {
  const at = await service.start();
  ask = asking(at.url, at);
  service.has('monitor', { id: 77 });
  service.has('roles', { id: 'role-1' });
  service.has('authn_mappings', { id: 'mapping-1', role: 'role-1' });
  service.has('application_keys', { id: 'key-1' });
  service.has('api_keys', { id: 'api-1' });
  service.has('apm_retention_filter', { id: 'filter-1' });
  service.has('archives', { id: 'archive-1' });
  const [user_id] = service.org.users.keys();
  Object.assign(known, { user_id, issue_id: service.has('issue', {}), id: service.has('reference_table', {}) });
});
afterAll(() => service.stop());

test.each(endpoints.filter(({ body }) => body !== undefined).map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s refuses a body that its schema does not read, once its object is found',
  async (_, endpoint: Endpoint) => {
    const answerTo = async (to: (name: string) => string) => {
      const { status, body } = await ask(
        endpoint.method,
        endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => to(name)),
        7,
      );
      // Error tracking and reference tables have objects as errors.
      return [status, body.errors[0].detail ?? body.errors[0]];
    };
    const names = pathNames(endpoint.path);
    const isRead = names.every((name) => name in known);
    const wrong = [400, expect.stringMatching(/^Invalid body: /)];
    const missing = [expect.toBeOneOf([400, 404]), expect.not.stringMatching(/^Invalid body/)];
    expect(await answerTo((name) => known[name] ?? nowhere)).toEqual(isRead ? wrong : missing);
    const isLooked = names.length > 0 && !names.includes('key');
    expect(await answerTo(() => nowhere)).toEqual(isLooked ? missing : wrong);
  },
);
