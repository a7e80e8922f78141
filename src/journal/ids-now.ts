import { at, isObject, put } from '../lib/object-paths.ts';
import { undoGroup } from './fold-undone.ts';
import type { Entry, SavedCall } from './journal-entry.ts';

/**
 * The edits with the ids that things have now. What an undo has created again has another id than what was deleted: older
 * edits of it are checked and undone at the new one.
 */
export function withIdsNow(entries: readonly Entry[]): Entry[] {
  const ids = restoredIds(entries);
  if (ids.size === 0) return [...entries];
  const idNow = (call: SavedCall, id: string, before: readonly string[] = []): string => {
    const next = ids.get(key(call, id));
    return next === undefined || before.includes(next) ? id : idNow(call, next, [...before, id]);
  };
  const callNow = (call: SavedCall): SavedCall => {
    const params = Object.entries(call.params).map(([name, id]) => [name, idNow(call, id)]);
    const { body } = call;
    const id = at(body, 'data.id');
    const named = isObject(body) && typeof id === 'string' ? { body: put(body, 'data.id', idNow(call, id)) } : {};
    return { ...call, params: Object.fromEntries(params), ...named };
  };
  return entries.map((entry) => ({
    ...entry,
    target: { ...entry.target, id: idNow(entry.call, entry.target.id) },
    call: callNow(entry.call),
    undo: entry.undo.map(callNow),
  }));
}

/** Of each thing that was deleted and created again by an undo, the old id and the new one. */
function restoredIds(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const edits = new Map(entries.map((entry) => [undoGroup(entry.id), entry]));
  const ids = new Map<string, string>();
  for (const { action, group = '', call, outcome } of entries) {
    const edit = action === 'undo' ? edits.get(group) : undefined;
    const [id, ...others] = Object.values(edit?.call.params ?? {});
    const isSame = edit !== undefined && domainOf(edit.call) === domainOf(call);
    if (isSame && outcome?.made !== undefined && id !== undefined && others.length === 0 && id !== outcome.made)
      ids.set(key(call, id), outcome.made);
  }
  return ids;
}

/** `mappings` of `mappings.delete`: ids of other domains may be the same. */
const domainOf = ({ endpoint }: SavedCall): string => endpoint.slice(0, endpoint.indexOf('.'));
const key = (call: SavedCall, id: string): string => `${domainOf(call)} ${id}`;
