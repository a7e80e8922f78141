import { bareMonitor } from '../../screens/monitors/row.ts';
import { readMuteUntil } from '../../screens/monitors/until.ts';
import { wholeMonitor } from '../../screens/monitors/whole.ts';
import { monitorList, muteAction, unmuteAction } from '../../screens/monitors.ts';
import { notOffered } from '../api/plan.ts';
import type { AnyAction } from '../describe/action.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { createPerformer } from '../session/edit/perform.ts';
import { factsFor } from './facts.ts';
import type { House } from './house.ts';
import { type Exit, exits } from './io.ts';
import { complain, failed, tell } from './say.ts';
import type { Connection } from './start.ts';

type MuteValues = Parameters<typeof muteAction.send>[1];
type UnmuteValues = Parameters<typeof unmuteAction.send>[1];

/** Flags of `orgdeck monitors mute`. */
export interface MuteFlags extends Flags {
  readonly for?: string;
  readonly scope?: string;
  readonly reason?: string;
}

/** `orgdeck monitors mute <id> --for 1h [--scope S] [--reason T]`: the dashboard's own action, with its receipt. */
export async function muteMonitor(house: House, id: string, flags: MuteFlags): Promise<Exit> {
  const { io } = house;
  const until = readMuteUntil(flags.for ?? '', { now: io.clock.now(), zone: io.zone });
  if (!until.ok) {
    complain(io, `--for: ${until.text}`);
    return exits.usage;
  }
  const values: MuteValues = {
    until: until.value,
    scope: flags.scope?.trim() || '*',
    reason: flags.reason?.trim() ?? '',
  };
  return house.with(flags, (connection) => perform(house, connection, id, muteAction as AnyAction, values));
}

/** Flags of `orgdeck monitors unmute`. */
export interface UnmuteFlags extends Flags {
  readonly scope?: string;
  readonly all?: boolean;
}

/** `orgdeck monitors unmute <id> [--scope S | --all]`; without either the only mute there is. */
export async function unmuteMonitor(house: House, id: string, flags: UnmuteFlags): Promise<Exit> {
  if (flags.scope !== undefined && flags.all) {
    complain(house.io, 'give --scope or --all, not both');
    return exits.usage;
  }
  const scope = flags.scope?.trim();
  const values: UnmuteValues = flags.all ? { which: 'all' } : scope ? { which: 'scope', scope } : { which: 'only' };
  return house.with(flags, (connection) => perform(house, connection, id, unmuteAction as AnyAction, values));
}

/** Reads the monitor, so that the action knows what it acts on, and performs the action as the dashboard does. */
async function perform(
  house: House,
  connection: Connection,
  id: string,
  action: AnyAction,
  values: unknown,
): Promise<Exit> {
  const { io } = house;
  const { client, journal } = connection;
  if (connection.settings.readOnly) {
    complain(io, 'this profile is read-only: nothing was sent');
    return exits.failed;
  }
  const context = factsFor(io, connection);
  const whole = await client.run(wholeMonitor({ id } as Parameters<typeof wholeMonitor>[0]).plan(context));
  if (!whole.ok && !(notOffered(whole.problem) && action.id === unmuteAction.id)) return failed(io, whole.problem);
  const { row, notes } = whole.ok ? whole.value : { row: bareMonitor(id), notes: [] };
  for (const note of notes) complain(io, note);
  const enabled = action.enabled?.(row, context) ?? true;
  if (enabled !== true) {
    complain(io, `${row.name}: ${enabled}`);
    return exits.failed;
  }
  const remembered: Promise<void>[] = [];
  const perform = createPerformer({
    client,
    random: io.random,
    remember: (group, target, calls) => remembered.push(journal.remember(group, target, calls)),
  });
  const { results, problem } = await perform({ action, list: monitorList, rows: [row], values }, context);
  await Promise.all(remembered);
  if (problem) return failed(io, problem);
  tell(
    io,
    results.map((share) => share.text),
  );
  return results.every((share) => share.ok) ? exits.done : exits.failed;
}
