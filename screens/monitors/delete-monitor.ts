import {
  deleteDowntime,
  deleteDowntimeV1,
  getDowntime,
  getDowntimeV1,
  updateDowntime,
  updateDowntimeV1,
} from '../../src/api/downtimes.ts';
import { ask, call, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { canDeleteMonitors, createMonitor, deleteMonitor, getMonitor } from '../../src/api/monitors.ts';
import { type Problem, problemResult, type Result, toResult } from '../../src/api/problem.ts';
import type { Action, Confirmation, RestoreWords } from '../../src/describe/action.ts';
import { type Context, whyUnavailable } from '../../src/describe/context.ts';
import { toggleField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt, receiptSubject, warning } from '../../src/describe/receipt.ts';
import { backText, stopsDelete } from '../../src/describe/standard-actions.ts';
import { plural } from '../../src/lib/text.ts';
import { newBody, readDefinition } from './definition/send.ts';
import type { Definition } from './definition/setting.ts';
import { describeMute, findMutes, type Mute, muteSource, untilWords } from './mutes.ts';
import { arrayOrEmpty, type MonitorRow, toObject } from './row.ts';
import { forMonitorCall } from './silence.ts';
import { endOfMute } from './unmute.ts';
import { readMonitorWhole, type Whole } from './whole-monitor.ts';

/** What changes which monitor a downtime is for. */
const moves = [updateDowntimeV1, updateDowntime];

/** What reads, ends and moves the downtimes of a monitor. */
const downtimeUses = [
  createMonitor,
  getMonitor,
  getDowntimeV1,
  getDowntime,
  deleteDowntimeV1,
  deleteDowntime,
  ...moves,
];

/** The service's sentences on what refers to a monitor; empty when it may be deleted. */
function* references(row: MonitorRow, context: Context): Plan<Result<readonly string[]>> {
  const none = toResult<readonly string[]>([]);
  if (!context.offered(canDeleteMonitors.id)) return none;
  const check = yield* ask(call(canDeleteMonitors, { query: { monitor_ids: [row.id] } }));
  if (check.ok) {
    const words = arrayOrEmpty(toObject(toObject(check.value).errors)[row.id]).map(String);
    return { ...check, value: words };
  }
  const { problem } = check;
  // Without that operation the service refuses the delete itself.
  if (isNotOffered(problem)) return none;
  if (problem.kind !== 'conflict') return check;
  return { ...none, value: problem.messages.length > 0 ? problem.messages : [problem.text] };
}

/** What becomes of the downtimes that are about the monitor alone: the service keeps them. */
interface DeleteValues {
  readonly endsMutes: boolean;
}

/** The answer of a delete: the downtimes of the monitor that stay. */
interface Deleted {
  readonly left: readonly Mute[];
  /** Sentences on what of them could not be read. */
  readonly notes: readonly string[];
  /** As it was read just before; undefined where that failed. */
  readonly definition?: Definition | undefined;
}

const restore: RestoreWords = {
  lost: ['its history', 'references from SLOs and composite monitors', 'cases of its alerts'],
  starts: 'unmuted, in No Data',
  until: {
    operations: moves.map(({ id }) => id),
    says: 'unmuted until the downtimes that stayed are moved to it',
  },
};

const restoreUses = [createMonitor, getMonitor];

/** A test of synthetic monitoring makes its monitor itself. */
const isRestorable = ({ type }: MonitorRow): boolean => type !== 'synthetics alert';

const ownDowntimes = (row: MonitorRow, { now }: Pick<Context, 'now'>): readonly Mute[] =>
  findMutes(row, now).filter(({ by, wide }) => by !== 'mute' && !wide);

/** Deletes a monitor, unless something refers to it and that is not to break, and ends its downtimes afterward where that was asked. */
function* deleting(
  row: MonitorRow,
  { endsMutes }: DeleteValues,
  context: Context,
  isForced: boolean,
): Plan<Result<Deleted>> {
  const used = isForced ? toResult<readonly string[]>([]) : yield* references(row, context);
  if (!used.ok) return used;
  if (used.value.length > 0)
    return problemResult('conflict', usedText(used.value), { messages: used.value, operation: canDeleteMonitors.id });
  const target = yield* withDowntimes(row, endsMutes, context);
  const stored = isRestorable(row) ? yield* readDefinition(row.id, 'kept') : undefined;
  const query = isForced ? { force: true } : {};
  const remove = call(deleteMonitor, { monitor_id: row.id, query });
  const stopped = stored && stopsDelete(stored, remove, restoreUses, context);
  if (stopped) return stopped;
  const gone = yield* ask(remove);
  if (!gone.ok) return { ok: false, problem: isForced ? gone.problem : named(gone.problem) };
  const left: Mute[] = [];
  for (const mute of ownDowntimes(target.row, context)) {
    const ended = endsMutes ? yield* endOfMute(mute, context) : undefined;
    if (!ended?.ok) left.push(mute);
  }
  const untold = endsMutes ? untoldMutes(target.row, context) : [];
  const notes = [...target.notes, ...untold.map(untoldText)];
  return toResult({ left, notes, ...(stored?.ok && { definition: stored.value.attributes }) });
}

/** Downtimes that may be about the monitor alone: whom they silence besides is told by reads that not every deployment offers. */
const untoldMutes = (row: MonitorRow, { now }: Context): readonly Mute[] =>
  findMutes(row, now).filter(({ by, wide, over }) => by !== 'mute' && wide && over === undefined);

const untoldText = (mute: Mute): string =>
  `${muteSource(mute)} stays: whether it mutes other monitors could not be read (mutes end ${mute.id})`;

/** The row with its downtimes, which a search does not tell, and with whom they silence, which a list does not, where they are to end. */
function* withDowntimes(row: MonitorRow, endsMutes: boolean, context: Context): Plan<Whole> {
  if (!row.partial && !(endsMutes && untoldMutes(row, context).length > 0)) return { row, notes: [] };
  const read = yield* readMonitorWhole(row.id, context);
  return read.ok ? read.value : { row, notes: [`its downtimes could not be read: ${read.problem.text}`] };
}

/** What was deleted, which downtimes of it stay until when, and what of them is unknown. */
function deleteReceipt(row: MonitorRow, { left, notes }: Deleted, context: Context, more: string): Receipt {
  const stays = left.map((mute) => `${muteSource(mute)} stays ${untilWords(mute.end, context)} (mutes end ${mute.id})`);
  const told = receipt`Deleted ${namePart(row.name)}${more}${[...stays, ...notes].map((text) => `; ${text}`).join('')}`;
  return notes.length > 0 ? warning(told) : told;
}

/** A way to delete, by force or not: what becomes of the monitor's own downtimes is asked where there are any, and the name must be typed. */
const deletingBy = (
  isForced: boolean,
  warns: string,
  head: Pick<Action<MonitorRow>, 'id' | 'key' | 'title' | 'help' | 'bulk' | 'uses'>,
): Action<MonitorRow, DeleteValues, Deleted> => ({
  ...head,
  restore,
  removes: true,
  confirm: (rows, values, context) =>
    question(rows, [
      backText(restore, restoreUses, whyNotRestorable(rows), context),
      warns,
      ...downtimeDetails(rows, values, context),
    ]),
  send: (row, values, context) => deleting(row, values, context, isForced),
  done: (row, _, deleted, context) =>
    deleteReceipt(row, deleted, context, isForced ? ' and broke references to it' : ''),
  command: (row) => call(deleteMonitor, { monitor_id: row.id, query: isForced ? { force: true } : {} }),
  undo: (_, __, { definition, left }, context) => {
    if (!definition) return [];
    const stayed = left.map(forMonitorCall).filter(({ endpoint }) => whyUnavailable(endpoint, context) === undefined);
    return [call(createMonitor, { body: newBody(definition) }), ...stayed];
  },
  // Its uses hold more than the delete.
  enabled: (_, context) => whyUnavailable(deleteMonitor, context) ?? true,
  values: (rows, context) =>
    rows.some((row) => ownDowntimes(row, context).length > 0) ? undefined : { endsMutes: false },
  bar(rows, context) {
    const mutes = rows.flatMap((row) => ownDowntimes(row, context));
    const [only] = mutes.length === 1 ? mutes : [];
    const words = only
      ? `${muteSource(only)} ${untilWords(only.end, context)} stays`
      : `${plural(mutes.length, 'downtime')} of ${rows.length === 1 ? 'its own' : 'their own'} stay`;
    return {
      title: `Delete ${receiptSubject(rows, ({ name }) => name, 'monitor')}: ${words}`,
      choices: [
        { key: 'k', title: `delete, and keep ${only ? 'it' : 'them'}`, values: { endsMutes: false } },
        { key: 'e', title: `delete, and end ${only ? 'it' : 'them'}`, values: { endsMutes: true } },
      ],
      values: { endsMutes: false },
    };
  },
  line: {
    asks: 'flags',
    fields: () => ({
      'end-mutes': toggleField(
        'End mutes',
        false,
        'Also end the downtimes that mute only this monitor; otherwise they stay',
      ),
    }),
    values: (read: { readonly 'end-mutes': boolean }) => ({ ok: true, value: { endsMutes: read['end-mutes'] } }),
  },
});

/** Why not all of these can be created again. */
const whyNotRestorable = (rows: readonly MonitorRow[]): string | undefined =>
  rows.every(isRestorable) ? undefined : `a synthetic test creates ${rows.length === 1 ? 'this' : 'such a'} monitor`;

/** What a question says of the downtimes. */
function downtimeDetails(rows: readonly MonitorRow[], { endsMutes }: DeleteValues, context: Context): string[] {
  return rows.flatMap((row) =>
    ownDowntimes(row, context).map((mute) => `${endsMutes ? 'Ends' : 'Stays'}: ${describeMute(mute, context)}`),
  );
}

const usedText = (messages: readonly string[]): string =>
  `not deleted: ${messages.join('; ')}. To delete it anyway, delete by force`;

/** Some deployments tell a reference as 401 or 400 of the delete itself (docs/contract/monitors.md#delete). */
function named(problem: Problem): Problem {
  const isUsed = problem.messages.some((text) => /is referenced in|part of the following composite/i.test(text));
  return isUsed ? { ...problem, kind: 'conflict', text: usedText(problem.messages) } : problem;
}

function question(rows: readonly MonitorRow[], details: readonly string[]): Confirmation {
  const [row] = rows;
  const single = rows.length === 1 && row;
  return {
    question: single
      ? `Delete monitor ${row.name}${row.named ? ` (${row.id})` : ''}?`
      : `Delete ${rows.length} monitors?`,
    details,
    destructive: true,
    typed: single ? (row.named ? row.name : '') : String(rows.length),
  };
}

/** `d`: deletes a monitor to which nothing refers. */
export const deleteAction = deletingBy(false, 'Fails if an SLO or composite monitor uses it', {
  id: 'monitors.delete',
  key: 'd',
  title: 'delete',
  help: 'Delete the monitor; fails if an SLO or composite monitor uses it',
  uses: [canDeleteMonitors, deleteMonitor, ...downtimeUses],
});

/** Deletes a monitor even if others refer to it. */
export const forceDeleteAction = deletingBy(true, 'References from SLOs and composite monitors will break', {
  id: 'monitors.delete-force',
  title: 'delete by force',
  help: 'Delete the monitor even if SLOs or composite monitors use it; those references will break',
  bulk: false,
  uses: [deleteMonitor, ...downtimeUses],
});
