import { findEndpoint } from '../api/all-endpoints.ts';
import { findReadBack } from '../api/endpoint.ts';
import { type Problem, problemResult } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { compareWithRead, sentFields } from '../client/compare-with-read.ts';
import { type Entry, reviveCall } from '../journal/journal-entry.ts';

/** Why a fresh read speaks against the undo of an edit; undefined where it shows the edit, or shows nothing for certain. */
export async function changedSince(client: Pick<Client, 'send'>, entry: Entry): Promise<Problem | undefined> {
  const call = reviveCall(entry.call, findEndpoint);
  const look = call && findReadBack(call, findEndpoint);
  if (!look) return undefined;
  const seen = await client.send(look);
  if (!seen.ok && seen.problem.kind === 'notFound') return undefined;
  if (!seen.ok) return { ...seen.problem, text: `it could not be read: ${seen.problem.text}` };
  const conflict = (why: string) => problemResult('conflict', `${why}: nothing was sent`).problem;
  const found = compareWithRead(call, seen.value, entry.before);
  // Of an order there is no row before: it is as the edit has left it, or it has changed.
  const fields = sentFields(call.body, seen.value);
  const isTold = fields.length > 0 && fields.every(({ seen: now }) => now !== undefined);
  switch (found === 'unclear' && entry.before === undefined && isTold ? 'other' : found) {
    case 'other':
      return conflict('someone has changed it since');
    case 'before':
      return conflict('it is as it was before the edit');
    default:
      return undefined;
  }
}
