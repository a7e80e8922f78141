import { asNumber, asText, at, gone, type Handler, isTrue, ok, refused } from '../server/answer.ts';
import type { Silence } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { showV1 } from './downtimes-v1.ts';
import { showMonitor } from './monitor-view.ts';
import { guarded, onMonitor, scopesOf } from './monitors.ts';
import { cancel, keyOf, silence, statusOf } from './silences.ts';

/**
 * POST …/mute (contract/monitors.md 2.8). Unknown names in the body are ignored: a misspelt `end` mutes for
 * ever, as on the public service. A second mute of the same scope takes the place of the first.
 */
const mute = onMonitor((monitor, ask, world) => {
  const barred = guarded(ask, world, monitor);
  if (barred) return barred;
  const scopes = scopesOf(ask.query.get('scope') ?? at(ask.body, 'scope'));
  const scope = scopes.length > 0 ? scopes.flatMap((text) => text.split(',')) : ['*'];
  const sent = ask.query.get('end') ?? at(ask.body, 'end');
  const end = asNumber(sent ?? undefined);
  if (sent !== null && sent !== undefined && Number.isNaN(end))
    return refused(400, "The value provided for parameter 'end' is invalid");
  for (const one of mutesOf(world.org, monitor.id))
    if (keyOf(one.scope) === keyOf(scope)) world.org.silences.delete(one.uuid);
  const made = { made: 'mute', creator: ask.caller.user.id, monitor: monitor.id, scope } as const;
  silence(world.org, world.random, { ...made, end: Number.isNaN(end) ? null : end * 1000 }, ask.now);
  return ok(showMonitor(world, monitor, { downtimes: true }, ask.now));
});

/** What stands in `silenced`: mutes, and first-kind downtimes for this monitor alone. */
const keyed = (org: Org, id: string, now: number): Silence[] =>
  [...org.silences.values()].filter(
    (one) => one.monitor === id && one.made !== 'v2' && statusOf(one, now) === 'active',
  );

const mutesOf = (org: Org, id: string): Silence[] =>
  [...org.silences.values()].filter((one) => one.monitor === id && one.made === 'mute');

/**
 * POST …/unmute (spec; effect: contract/monitors.md 2.8). The query string wins over a body. Ends the
 * `silenced` keys asked for; downtimes that match by tags and those of the second kind go on.
 */
const unmute = onMonitor((monitor, ask, world) => {
  const barred = guarded(ask, world, monitor);
  if (barred) return barred;
  const everything = ask.query.has('all_scopes')
    ? isTrue(ask.query.get('all_scopes'))
    : at(ask.body, 'all_scopes') === true;
  const scopes = scopesOf(ask.query.get('scope') ?? at(ask.body, 'scope'));
  const key = keyOf(scopes.flatMap((text) => text.split(',')));
  const ended = keyed(world.org, monitor.id, ask.now).filter((one) => everything || keyOf(one.scope) === key);
  if (ended.length === 0 && !everything)
    return refused(400, `${monitor.type} "${monitor.name}" is already unmuted on ${key}`);
  for (const one of ended) {
    if (one.made === 'mute') world.org.silences.delete(one.uuid);
    else cancel(one, ask.now);
  }
  return ok(showMonitor(world, monitor, { downtimes: true }, ask.now));
});

const isGlobal = (one: Silence): boolean =>
  one.monitor === null && one.made === 'v1' && keyOf(one.scope) === '*' && one.monitorTags.every((tag) => tag === '*');

const muteAll: Handler = (ask, world) => {
  const end = asNumber(at(ask.body, 'end'));
  const made = { made: 'v1', creator: ask.caller.user.id, message: asText(at(ask.body, 'message')) ?? '' } as const;
  const one = silence(world.org, world.random, { ...made, end: Number.isNaN(end) ? null : end * 1000 }, ask.now);
  return ok(showV1(world.org, one, ask.now));
};

const unmuteAll: Handler = (ask, world) => {
  const all = [...world.org.silences.values()].filter((one) => isGlobal(one) && statusOf(one, ask.now) === 'active');
  if (all.length === 0) return refused(400, 'Monitoring is not currently globally muted');
  for (const one of all) cancel(one, ask.now);
  return gone;
};

/** Muting and unmuting, by the id of the endpoint. */
export const muteHandlers: Readonly<Record<string, Handler>> = {
  'monitors.mute': mute,
  'monitors.unmute': unmute,
  'monitors.mute-all': muteAll,
  'monitors.unmute-all': unmuteAll,
};
