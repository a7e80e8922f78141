import { isObject, isSameJson, present } from '../lib/values.ts';
import { undoGroup } from './fold-undone.ts';
import type { Entry, SavedCall } from './journal-entry.ts';

/**
 * The edits with the ids that things have now. What an undo has created again has another id than what was deleted: older
 * edits of it, and edits that name it (a member, a place in an order), are checked and undone at the new one. Ids stand in
 * parameters and in members called `id`, `…_id`, `…_ids` and `restricted_roles`; queries and other texts stay as they are.
 * An edit that has its way back at a thing that was deleted and is not there again (its creation, a mute, a member) says that it
 * is not undone, and why.
 */
export function withIdsNow(entries: readonly Entry[]): Entry[] {
  const ids = restoredIds(entries);
  const gone = goneThings(entries, ids);
  if (ids.size === 0 && gone.size === 0) return [...entries];
  const idNow = (domain: string, id: string, before: readonly string[] = []): string => {
    const next = ids.get(keyOf(domain, id));
    return next === undefined || before.includes(next) ? id : idNow(domain, next, [...before, id]);
  };
  const memberNow = (value: unknown, name: string, domain: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => memberNow(item, name, domain));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, memberNow(one, inner, domain)]));
    if (!/^id$|_ids?$|^restricted_roles$/.test(name) || !['string', 'number', 'bigint'].includes(typeof value))
      return value;
    const now = idNow(domainOfName(name) ?? domain, String(value));
    if (now === String(value)) return value;
    return typeof value === 'string' ? now : Number.isSafeInteger(Number(now)) ? Number(now) : BigInt(now);
  };
  const callNow = (call: SavedCall): SavedCall => {
    const named = (value: unknown) => memberNow(value, '', domainOf(call));
    const { body } = call;
    return {
      ...call,
      params: named(call.params) as SavedCall['params'],
      ...(body !== undefined && { body: named(body) }),
    };
  };
  const isUndo = ({ action, outcome }: Entry) => action === 'undo' && outcome?.state === 'applied';
  const undos = Map.groupBy(entries.filter(isUndo), ({ group }) => group);
  return entries.map((entry) => {
    const undo = entry.undo.map(callNow);
    const begun = undos.get(undoGroup(entry.id))?.map(({ call }) => call.endpoint);
    // Every request would be about what is not there.
    const lost = undo.map((call) =>
      idsOf(call)
        .map((id) => gone.get(`${entry.origin} ${id}`))
        .find(Boolean),
    );
    return {
      ...entry,
      target: { ...entry.target, id: idNow(domainOf(entry.call), entry.target.id) },
      call: callNow(entry.call),
      undo,
      ...present({ begun }),
      ...(lost[0] !== undefined && !lost.includes(undefined) && { notUndone: `${lost[0]} was deleted since` }),
      ...(isSameJson(undo, entry.undo) ? {} : { hasNewIds: true }),
    };
  });
}

/** The names of the things that were deleted and not created again, by deployment and id: deployments may use the same numbers. */
function goneThings(entries: readonly Entry[], restored: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const gone = new Map<string, string>();
  for (const { call, target, outcome, undone, origin } of entries) {
    const [id, ...others] = Object.values(call.params);
    // What ends a mute deletes a downtime, and is about a monitor.
    const isOfTarget = id !== undefined && id === target.id && others.length === 0;
    const isDelete = /\.delete(?!-rows)/.test(call.endpoint) && outcome?.state === 'applied' && !undone;
    const key = keyOf(domainOf(call), id ?? '');
    if (isOfTarget && isDelete && !restored.has(key)) gone.set(`${origin} ${key}`, target.name || id);
  }
  return gone;
}

/** What a request is about: the ids of its path, and those that its body calls `monitor_id` and the like. */
function idsOf(call: SavedCall): readonly string[] {
  const inBody = (value: unknown): readonly string[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) =>
          name.endsWith('_id') ? keyOf(domainOfName(name) ?? '', String(one)) : inBody(one),
        )
      : [];
  return [...Object.values(call.params).map((id) => keyOf(domainOf(call), id)), ...inBody(call.body)];
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
      ids.set(keyOf(domainOf(call), id), outcome.made);
  }
  return ids;
}

/** `mappings` of `mappings.delete`. */
const domainOf = ({ endpoint }: SavedCall): string => endpoint.slice(0, endpoint.indexOf('.'));

/** `monitors` of `monitor_id`; none of `id`, which is of what the request is about. */
const domainOfName = (name: string): string | undefined => /^(.+)_ids?$/.exec(name)?.[1]?.concat('s');

/** Numbers are ids of one domain alone: others may have the same. */
const keyOf = (domain: string, id: string): string => (/^\d+$/.test(id) ? `${domain} ${id}` : id);
