import { apiKeyEndpoints } from './api-keys.ts';
import { keyEndpoints } from './application-keys.ts';
import { archiveEndpoints } from './archives.ts';
import { mappingEndpoints, teamEndpoints } from './authn-mappings.ts';
import { downtimeEndpoints } from './downtimes.ts';
import type { Endpoint } from './endpoint.ts';
import { errorEndpoints } from './error-tracking.ts';
import { integrationEndpoints } from './integrations.ts';
import { monitorEndpoints } from './monitors.ts';
import { retentionEndpoints } from './retention-filters.ts';
import { roleEndpoints } from './roles.ts';
import { tableEndpoints } from './tables.ts';
import { userEndpoints } from './users.ts';

/** Every operation of the contract, one domain after the other; the order of the README's table. */
export const endpoints: readonly Endpoint[] = [
  ...errorEndpoints,
  ...monitorEndpoints,
  ...downtimeEndpoints,
  ...userEndpoints,
  ...keyEndpoints,
  ...apiKeyEndpoints,
  ...roleEndpoints,
  ...mappingEndpoints,
  ...teamEndpoints,
  ...integrationEndpoints,
  ...tableEndpoints,
  ...retentionEndpoints,
  ...archiveEndpoints,
];

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** The operation with this id; undefined when there is none. */
export function findEndpoint(id: string): Endpoint | undefined {
  return byId.get(id);
}
