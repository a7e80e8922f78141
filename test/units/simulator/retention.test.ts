import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const path = '/api/v2/apm/config/retention-filters';
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];

test('reading needs an administrator, beside the permission', () =>
  simulated(async ({ service, at, as }) => {
    const id = service.has('apm_retention_filter', { name: 'a' });
    const reader = as({ apiKey: at.apiKey, appKey: at.readOnlyAppKey });
    const permitted = as(service.keys.make({ permissions: ['apm_retention_filter_read'] }));
    for (const where of [path, `${path}/${id}`]) {
      expect(said(await reader.get(where))).toEqual([403, { errors: ['Forbidden'] }]);
      expect((await permitted.get(where)).status).toBe(200);
    }
  }));

test('a furnished organization has built-in filters first', () =>
  simulatedWith(async (client) => {
    const { data } = (await client.get(path)).body;
    expect(data.length).toBeGreaterThanOrEqual(14);
    expect(data.slice(0, 2).map((one: { attributes: object }) => one.attributes)).toEqual([
      expect.objectContaining({ filter_type: 'spans-errors-sampling-processor', created_at: 0, created_by: '' }),
      expect.objectContaining({ filter_type: 'spans-appsec-sampling-processor', modified_at: 0 }),
    ]);
    expect(data.some((one: { attributes: { editable: boolean } }) => !one.attributes.editable)).toBe(true);
  }));
