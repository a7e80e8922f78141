import type { Endpoint } from '../../api/endpoint.ts';
import { type Operations, records } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, type Handler, isResponse, type ServiceWorld } from '../server/handler.ts';
import { archiveOperations, retentionOperations } from './archives.ts';
import { downtimeOperations } from './downtimes.ts';
import { integrationOperations } from './integrations.ts';
import { issueSearchOperations } from './issue-search.ts';
import { issueOperations } from './issues.ts';
import { keyOperations } from './keys.ts';
import { mappingOperations } from './mappings.ts';
import { monitorSearchOperations } from './monitor-search.ts';
import { monitorOperations } from './monitors.ts';
import { muteOperations } from './mutes.ts';
import { roleOperations } from './roles.ts';
import { tableRowOperations } from './table-rows.ts';
import { tableOperations } from './tables.ts';
import { userOperations } from './users.ts';

const served: Operations = {
  ...monitorOperations,
  ...monitorSearchOperations,
  ...muteOperations,
  ...downtimeOperations,
  ...issueOperations,
  ...issueSearchOperations,
  ...userOperations,
  ...keyOperations,
  ...roleOperations,
  ...mappingOperations,
  ...retentionOperations,
  ...archiveOperations,
  ...integrationOperations,
  ...tableOperations,
  ...tableRowOperations,
};

/** The handler of an operation: its own, else that of the collection at its path, else generic record storage. */
export function findHandler({ id, verb, path }: Endpoint): Handler {
  const own = served[id] ?? served[path.replace(/\/\{\w+\}$/, '')] ?? records;
  if (typeof own === 'function') return own;
  return verb === 'act' || verb === 'check' || verb === 'search' ? records : own[verb];
}

/** The refusal where the object of the path does not exist; v1 API keys are looked for when their body has been read (docs/contract/keys.md#choices). */
export function findMissing(request: ApiRequest, world: ServiceWorld): ApiResponse | undefined {
  const { path } = request.endpoint;
  const place = path.replace(/\/\{\w+\}[^}]*$/, '');
  const named = place === path || place === '/api/v1/api_key' ? undefined : served[place];
  const found = typeof named === 'object' ? named.find(request, world) : {};
  return isResponse(found) ? found : undefined;
}
