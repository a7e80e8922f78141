import { at } from '../../lib/values.ts';
import type { Operations } from '../server/collection.ts';
import { asNumber, asText, type Handler, isTrue, noContent, ok, refused } from '../server/handler.ts';
import type { Silence } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { showV1 } from './downtimes.ts';
import { showMonitor } from './monitor-view.ts';
import { editRefusal, onMonitor, parseScope } from './monitors.ts';
import { cancel, downtimeStatus, scopeKey, silence } from './silences.ts';

/**
 * POST …/mute (docs/contract/monitors.md#mute). Ignores unknown members of the body: a misspelled `end` mutes for
 * ever, as on the public service. A second mute of the same scope replaces the first.
 */
const mute = onMonitor((monitor, request, world) => {
  const refusal = editRefusal(request, world, monitor);
  if (refusal) return refusal;
  const tags = parseScope(request.query.get('scope') ?? at(request.body, 'scope'));
  const scope = tags.length > 0 ? tags : ['*'];
  const sent = request.query.get('end') ?? at(request.body, 'end');
  const end = asNumber(sent ?? undefined);
  if (sent !== null && sent !== undefined && Number.isNaN(end))
    return refused(400, "The value provided for parameter 'end' is invalid");
  for (const one of mutesOf(world.org, monitor.id))
    if (scopeKey(one.scope) === scopeKey(scope)) world.org.silences.delete(one.uuid);
  const made = { made: 'mute', creator: request.caller.user.id, monitor: monitor.id, scope } as const;
  silence(world, { ...made, end: Number.isNaN(end) ? null : end * 1000 }, request.now);
  return ok(showMonitor(world, monitor, { downtimes: true }, request.now));
});

/** The entries of `silenced`: active mutes and v1 downtimes of this monitor. */
const silencedEntries = (org: Org, id: string, now: number): Silence[] =>
  [...org.silences.values()].filter(
    (one) => one.monitor === id && one.made !== 'v2' && downtimeStatus(one, now) === 'active',
  );

const mutesOf = (org: Org, id: string): Silence[] =>
  [...org.silences.values()].filter((one) => one.monitor === id && one.made === 'mute');

/**
 * POST …/unmute (docs/contract/monitors.md#unmute). The query takes precedence over the body. Ends the
 * requested `silenced` entries; v2 downtimes and those that match by tags continue.
 */
const unmute = onMonitor((monitor, request, world) => {
  const refusal = editRefusal(request, world, monitor);
  if (refusal) return refusal;
  const everything = request.query.has('all_scopes')
    ? isTrue(request.query.get('all_scopes'))
    : at(request.body, 'all_scopes') === true;
  const key = scopeKey(parseScope(request.query.get('scope') ?? at(request.body, 'scope')));
  const ended = silencedEntries(world.org, monitor.id, request.now).filter(
    (one) => everything || scopeKey(one.scope) === key,
  );
  if (ended.length === 0 && !everything)
    return refused(400, `${monitor.type} "${monitor.name}" is already unmuted on ${key}`);
  for (const one of ended) {
    if (one.made === 'mute') world.org.silences.delete(one.uuid);
    else cancel(one, request.now);
  }
  return ok(showMonitor(world, monitor, { downtimes: true }, request.now));
});

const isGlobal = (one: Silence): boolean =>
  one.monitor === null &&
  one.made === 'v1' &&
  scopeKey(one.scope) === '*' &&
  one.monitorTags.every((tag) => tag === '*');

const muteAll: Handler = (request, world) => {
  const end = asNumber(at(request.body, 'end'));
  const downtime = {
    made: 'v1',
    creator: request.caller.user.id,
    message: asText(at(request.body, 'message')) ?? '',
  } as const;
  const created = silence(world, { ...downtime, end: Number.isNaN(end) ? null : end * 1000 }, request.now);
  return ok(showV1(world.org, created, request.now));
};

const unmuteAll: Handler = (request, world) => {
  const all = [...world.org.silences.values()].filter(
    (one) => isGlobal(one) && downtimeStatus(one, request.now) === 'active',
  );
  if (all.length === 0) return refused(400, 'Monitoring is not currently globally muted');
  for (const one of all) cancel(one, request.now);
  return noContent;
};

/** Operations of mutes. */
export const muteOperations: Operations = {
  'monitors.mute': mute,
  'monitors.unmute': unmute,
  'monitors.mute-all': muteAll,
  'monitors.unmute-all': unmuteAll,
};
