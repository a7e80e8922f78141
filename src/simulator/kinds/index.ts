import type { Endpoint } from '../../api/endpoint.ts';
import { records, type Served } from '../server/collection.ts';
import type { Handler } from '../server/handler.ts';
import { archiveCollections, archiveHandlers, retentionCollections, retentionHandlers } from './archives.ts';
import { downtimeCollections, downtimeHandlers, downtimeV1Collections, downtimeV1Handlers } from './downtimes.ts';
import {
  providerACollections,
  providerAHandlers,
  providerBCollections,
  providerBHandlers,
  providerBV1Collections,
} from './integrations.ts';
import { issueSearchHandlers } from './issue-search.ts';
import { issueHandlers } from './issues.ts';
import { apiKeyCollections, applicationKeyCollections } from './keys.ts';
import { mappingCollections, teamCollections } from './mappings.ts';
import { monitorSearchHandlers } from './monitor-search.ts';
import { monitorCollections, monitorHandlers } from './monitors.ts';
import { muteHandlers } from './mutes.ts';
import { roleCollections, roleHandlers } from './roles.ts';
import { tableRowHandlers } from './table-rows.ts';
import { tableCollections, uploadHandlers } from './tables.ts';
import { userCollections, userHandlers } from './users.ts';

/** Ordinary collections by their path: list, get, create, update and delete come from the verb of the endpoint. */
const collections: Readonly<Record<string, Served>> = {
  ...monitorCollections,
  ...downtimeV1Collections,
  ...downtimeCollections,
  ...userCollections,
  ...applicationKeyCollections,
  ...apiKeyCollections,
  ...roleCollections,
  ...teamCollections,
  ...mappingCollections,
  ...retentionCollections,
  ...archiveCollections,
  ...providerACollections,
  ...providerBV1Collections,
  ...providerBCollections,
  ...tableCollections,
};

/** Handlers of the other operations, by endpoint id. */
const handlers: Readonly<Record<string, Handler>> = {
  ...monitorHandlers,
  ...monitorSearchHandlers,
  ...muteHandlers,
  ...downtimeV1Handlers,
  ...downtimeHandlers,
  ...issueHandlers,
  ...issueSearchHandlers,
  ...userHandlers,
  ...roleHandlers,
  ...retentionHandlers,
  ...archiveHandlers,
  ...providerAHandlers,
  ...providerBHandlers,
  ...tableRowHandlers,
  ...uploadHandlers,
};

/** The handler of an operation: its own, else that of the collection at its path, else generic record storage. */
export function findHandler({ id, verb, path }: Endpoint): Handler {
  const collection = collections[path.replace(/\/\{\w+\}$/, '')];
  const isOrdinary = verb !== 'act' && verb !== 'check' && verb !== 'search';
  return handlers[id] ?? (isOrdinary ? collection?.[verb] : undefined) ?? records;
}
