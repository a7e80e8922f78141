import { screens } from '../../screens/index.ts';
import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { type Call, findReadBack } from '../api/endpoint.ts';
import { type Problem, problemResult } from '../api/problem.ts';
import { checkEdit } from '../client/check-edit.ts';
import type { Client } from '../client/client.ts';
import { compareWithRead, holdsSomething, sentFields } from '../client/compare-with-read.ts';
import { type Entry, reviveCall } from '../journal/journal-entry.ts';
import { listOfAction } from '../session/outside/outside.ts';

/** Why a fresh read speaks against the undo of an edit; undefined where it shows the edit, or shows nothing for certain. */
export async function changedSince(client: Pick<Client, 'send'>, entry: Entry): Promise<Problem | undefined> {
  const call = reviveCall(entry.call, findEndpoint);
  if (call?.endpoint.repeat === 'delete') return thereAgain(client, call, entry);
  const look = call && findReadBack(call, findEndpoint);
  if (!look) return undefined;
  const seen = await client.send(look);
  if (!seen.ok && seen.problem.kind === 'notFound') return undefined;
  if (!seen.ok) return unread(seen.problem);
  const found = compareWithRead(call, seen.value, entry.before);
  // Of an order there is no row before: it is as the edit has left it, or it has changed.
  const fields = sentFields(call.body, seen.value);
  const isTold = fields.length > 0 && fields.every(({ seen: now }) => now !== undefined);
  // What shows both, and neither: a mute has another end.
  const { isApplied, isUnchanged } = call.endpoint;
  const isNeither = isApplied !== undefined && isUnchanged !== undefined && holdsSomething(seen.value);
  switch (found === 'unclear' && (isNeither || (entry.before === undefined && isTold)) ? 'other' : found) {
    case 'other':
      return changed(entry);
    case 'before':
      return {
        ...conflict(entry.hasNewIds ? 'it was deleted with the object' : 'it is already as it was before the edit'),
        isSo: true,
      };
    default:
      return undefined;
  }
}

/** Why an edit is not undone that others have changed since: theirs stands. */
function changed({ action, target }: Entry): Problem {
  const kind = listOfAction(action, screens)?.id ?? '';
  const say = 'someone has changed it since';
  return { ...conflict(say), leaves: [{ kind, id: target.id || null, say }] };
}

/** Why what was deleted is not created again: there is one with its id. */
async function thereAgain(client: Pick<Client, 'send'>, call: Call, { before }: Entry): Promise<Problem | undefined> {
  const check = checkEdit(call, endpoints);
  if (!check) return undefined;
  const seen = await client.send(check.look);
  const found = check.find(seen, before);
  if (found === 'before') return conflict('it is there again');
  // A deployment, or keys, without that read show nothing, today as on the day of the edit.
  const isShut = !seen.ok && (seen.problem.kind === 'notOffered' || seen.problem.kind === 'forbidden');
  return seen.ok || found !== undefined || isShut ? undefined : unread(seen.problem);
}

const conflict = (why: string): Problem => problemResult('conflict', `${why}: nothing was sent`).problem;

const unread = (problem: Problem): Problem => ({ ...problem, text: `it could not be read: ${problem.text}` });
