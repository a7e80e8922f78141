import { findEndpoint } from '../api/all-endpoints.ts';
import { findReadBack } from '../api/endpoint.ts';
import type { Client } from '../client/client.ts';
import { compareWithRead } from '../client/compare-with-read.ts';
import { type Entry, reviveCall } from '../journal/journal-entry.ts';

/** What a fresh read shows instead of the edit; undefined where it shows the edit, or shows nothing for certain. */
export async function changedSince(client: Pick<Client, 'send'>, entry: Entry): Promise<string | undefined> {
  const call = reviveCall(entry.call, findEndpoint);
  const look = call && findReadBack(call, findEndpoint);
  if (!look) return undefined;
  const seen = await client.send(look);
  if (!seen.ok) return seen.problem.kind === 'notFound' ? undefined : `it could not be read: ${seen.problem.text}`;
  switch (compareWithRead(call, seen.value, entry.before)) {
    case 'other':
      return 'someone has changed it since: nothing was sent';
    case 'before':
      return 'it is as it was before the edit: nothing was sent';
    default:
      return undefined;
  }
}
