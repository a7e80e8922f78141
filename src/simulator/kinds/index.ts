import type { Endpoint } from '../../api/endpoint.ts';
import type { Served } from '../server/collection.ts';
import type { Handler } from '../server/handler.ts';
import { records } from '../server/records.ts';
import { apiKeyCollections } from './api-keys.ts';
import { applicationKeyCollections } from './application-keys.ts';
import { archiveCollections, archiveHandlers } from './archives.ts';
import { downtimeCollections, downtimeHandlers } from './downtimes.ts';
import { downtimeV1Collections, downtimeV1Handlers } from './downtimes-v1.ts';
import { issueSearchHandlers } from './issue-search.ts';
import { issueHandlers } from './issues.ts';
import { mappingCollections } from './mappings.ts';
import { monitorSearchHandlers } from './monitor-search.ts';
import { monitorCollections, monitorHandlers } from './monitors.ts';
import { muteHandlers } from './mutes.ts';
import { providerACollections, providerAHandlers } from './provider-a.ts';
import { providerBCollections, providerBHandlers } from './provider-b.ts';
import { providerBV1Collections } from './provider-b-v1.ts';
import { retentionCollections, retentionHandlers } from './retention.ts';
import { roleCollections, roleHandlers } from './roles.ts';
import { tableRowHandlers } from './table-rows.ts';
import { tableCollections } from './tables.ts';
import { teamCollections } from './teams.ts';
import { uploadHandlers } from './uploads.ts';
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
