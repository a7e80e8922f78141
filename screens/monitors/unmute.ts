import {
  createDowntime,
  createDowntimeV1,
  deleteDowntime,
  deleteDowntimeV1,
  getDowntime,
  getDowntimeV1,
} from '../../src/api/downtimes.ts';
import { ask, call, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { getMonitor, muteMonitor, unmuteMonitor } from '../../src/api/monitors.ts';
import { type Problem, problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { action, quoteWord } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { textField, toggleField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt, receiptSubject, warning } from '../../src/describe/receipt.ts';
import type { Recurrence, Window } from '../../src/lib/recurrence.ts';
import { plural } from '../../src/lib/text.ts';
import { span } from '../../src/lib/time.ts';
import { present } from '../../src/lib/values.ts';
import { downtimeField } from './extend-mute.ts';
import {
  covers,
  describeMute,
  findMutes,
  isNamed,
  isSameScope,
  lastEnd,
  leftMute,
  type Mute,
  muteSource,
  muteUnder,
  scopedName,
  untilWords,
  wideWords,
} from './mutes.ts';
import { keptFor, type MonitorRow, readMonitor, toObject } from './row.ts';
import { endCall, restoreCall } from './silence.ts';
import { chosen, targets, type UnmuteValues, unmuteQuestion } from './unmute-choice.ts';
import { readDowntime, readMonitorWhole, toldMute, type Whole } from './whole-monitor.ts';

/** A mute that was ended, with the downtime as it was read before, from which undo creates it again. */
interface Ended {
  readonly mute: Mute;
  readonly definition?: unknown;
}

/** The answer of an unmute. */
export interface Unmuted {
  readonly ended: readonly Ended[];
  /** Mutes that had already ended. */
  readonly gone: readonly Mute[];
  /** Of the ended ones those that a downtime hid. */
  readonly hidden?: readonly Mute[];
  /** The monitor as read afterward; undefined when that failed, with the reason in `unsure`. */
  readonly whole?: Whole;
  readonly unsure?: string;
  /** The window that a rule was to leave out, with its rules before and after. */
  readonly skipped?: {
    readonly window: Window;
    readonly before: readonly Recurrence[];
    readonly after: readonly Recurrence[];
  };
}

/** Ends the chosen mutes, downtimes before plain mutes, then reads the monitor again. */
export function* unmuting(row: MonitorRow, values: UnmuteValues, context: Context): Plan<Result<Unmuted>> {
  const found = yield* targets(row, values, context);
  if (!found.ok) return found;
  const ended: Ended[] = [];
  const gone: Mute[] = [];
  for (const mute of found.value.filter((mute) => mute.by !== 'mute')) {
    const known = yield* definitionOf(mute, context);
    const refused = refusedBy(known, values);
    if (refused !== undefined) return stopped(problemResult('conflict', refused).problem, found.value, ended, context);
    const result = yield* endDowntime(known.mute);
    if (result.ok) ended.push(known);
    else if (isOver(result.problem)) gone.push(mute);
    else return stopped(keptFor(row, result.problem), found.value, ended, context);
  }
  const keys = found.value.filter((mute) => mute.by === 'mute');
  // Where mutes cannot be read, there may be several.
  const isAll = values.which === 'all' && (keys.length > 1 || row.bare === true);
  const calls = isAll
    ? [{ mutes: keys, one: call(unmuteMonitor, { monitor_id: row.id, query: { all_scopes: true } }) }]
    : keys.map((mute) => ({ mutes: [mute], one: endCall(mute) }));
  let answer: unknown;
  for (const { mutes, one } of calls) {
    const result = yield* ask<unknown>(one);
    if (result.ok) ended.push(...mutes.map((mute) => ({ mute })));
    if (result.ok) answer = result.value;
    else if (isAlreadyOff(result.problem)) gone.push(...mutes);
    else return stopped(keptFor(row, result.problem), found.value, ended, context);
  }
  const after = yield* readAfter(row, answer, context);
  return yield* withHidden(row, values, { ended, gone, ...after }, context);
}

/** Ends what the ended downtimes hid, where there is any, and reads the monitor once more then. */
function* withHidden(row: MonitorRow, values: UnmuteValues, unmuted: Unmuted, context: Context): Plan<Result<Unmuted>> {
  const hidden: Mute[] = [];
  let answer: unknown;
  for (const mute of hiddenBy(unmuted.ended, unmuted.whole, values, context)) {
    const result = yield* ask<unknown>(endCall(mute));
    if (!result.ok) continue;
    hidden.push(mute);
    answer = result.value;
  }
  if (hidden.length === 0) return toResult(unmuted);
  const ended = [...unmuted.ended, ...hidden.map((mute) => ({ mute }))];
  return toResult({ ended, gone: unmuted.gone, hidden, ...(yield* readAfter(row, answer, context)) });
}

/**
 * The mutes that only the end of a downtime shows, where no single mute was meant: the service tells one end for each
 * scope, so that a mute with the scope of a downtime and no later end is not told (docs/contract/monitors.md#silenced).
 */
function hiddenBy(
  ended: readonly Ended[],
  after: Whole | undefined,
  values: UnmuteValues,
  context: Context,
): readonly Mute[] {
  if (!after || values.which === 'downtime' || (values.which === 'one' && !values.alone)) return [];
  const of = ({ scope }: Mute) => ended.filter(({ mute }) => isSameScope(mute.scope, scope));
  return findMutes(after.row, context.now).filter(
    (mute) => mute.by === 'mute' && of(mute).length > 0 && of(mute).every((one) => one.mute.by !== 'mute'),
  );
}

/** Ends a downtime whose monitor is not there: nothing else is told of it afterward, and one that repeats is ended, too. */
export function* endOfMute(mute: Mute, context: Context): Plan<Result<Unmuted>> {
  const known = yield* definitionOf(mute, context);
  const result = yield* endDowntime(known.mute);
  if (result.ok) return toResult({ ended: [known], gone: [] });
  return isOver(result.problem) ? toResult({ ended: [], gone: [mute] }) : result;
}

/** The monitor after its mutes were ended with `answer`. */
function* readAfter(row: MonitorRow, answer: unknown, context: Context): Plan<Pick<Unmuted, 'whole' | 'unsure'>> {
  const after = yield* readMonitorWhole(row.id, context);
  if (after.ok) return { whole: after.value };
  const whole = isNotOffered(after.problem) ? wholeIn(answer, row, context) : undefined;
  return present({ whole, unsure: after.problem.text });
}

/** The monitor from the answer of the unmute, for deployments that do not let it be read. */
function wholeIn(answer: unknown, row: MonitorRow, context: Context): Whole | undefined {
  const after = 'options' in toObject(answer) ? readMonitor(answer, context.now) : undefined;
  return after?.id === row.id ? { row: after, notes: ['its downtimes cannot be read here'] } : undefined;
}

/** Why a downtime is not ended; undefined where it may be. */
function refusedBy(ended: Ended, values: UnmuteValues): string | undefined {
  const { mute } = ended;
  const asked = values.which === 'downtime' || (values.which === 'one' && values.mute.wide);
  if (mute.wide && !asked)
    return `${muteSource(mute)} mutes ${mute.over ?? 'more than this monitor'}: end it in the mutes of the monitor's detail, where it asks first (--downtime ${mute.id ?? ''})`;
  const repeats = mute.repeats !== undefined || toObject(ended.definition).recurrence != null;
  return repeats ? `${muteSource(mute)} repeats: end it, or one window of it, in Mutes` : undefined;
}

/** Ends a downtime; where the deployment has no delete of the first version, it unmutes the scope instead. */
function* endDowntime(mute: Mute): Plan<Result<unknown>> {
  const result = yield* ask(endCall(mute));
  const isMissing = !result.ok && isNotOffered(result.problem);
  return isMissing && mute.by === 'v1' && !mute.wide ? yield* ask(endCall({ ...mute, by: 'mute' })) : result;
}

/** The problem that stopped an unmute, preceded by the scopes that were unmuted before it, with the mutes that stand. */
function stopped(
  problem: Problem,
  all: readonly Mute[],
  ended: readonly Ended[],
  context: Context,
): { ok: false; problem: Problem } {
  if (ended.length === 0) return { ok: false, problem };
  const done = ended.map((ended) => ended.mute.scope).join(', ');
  const left = all.filter(
    (mute) => !ended.some(({ mute: { by, id, scope } }) => by === mute.by && id === mute.id && scope === mute.scope),
  );
  const leaves = left.map((mute) => leftMute(mute, describeMute(mute, context)));
  return { ok: false, problem: { ...problem, text: `unmuted ${done}, then: ${problem.text}`, leaves } };
}

/** Reads a downtime before it is ended: what else it silences, and its definition for undo. */
export function* definitionOf(mute: Mute, context: Context): Plan<Ended> {
  const definition = mute.by === 'mute' ? undefined : yield* readDowntime(mute.by, mute.id ?? '', context);
  return definition ? { mute: toldMute(mute, definition), definition } : { mute };
}

/** Whether the mute had already ended. */
const isOver = (problem: Problem): boolean => problem.kind === 'notFound' || isAlreadyOff(problem);

const isAlreadyOff = (problem: Problem): boolean =>
  [problem.text, ...problem.messages].some((sentence) => /already unmuted/i.test(sentence));

/** `Unmuted web-1`, or `STILL MUTED until 05:00 UTC (downtime 812). Ended the one until 04:00 UTC on web-1`. */
function unmuteReceipt(
  row: MonitorRow,
  values: UnmuteValues,
  { ended: all, hidden = [], whole: fullRow, unsure }: Unmuted,
  context: Context,
): Receipt {
  const ended = all.filter(({ mute }) => !hidden.includes(mute));
  const name = row.bare ? (fullRow?.row.name ?? row.name) : row.name;
  const scopes = ended.map(({ mute }) => mute.scope).filter((scope) => scope !== '*');
  const isWhole = scopes.length < ended.length || scopes.length === 0;
  const subject = scopedName(isWhole ? '*' : scopes.join(', '), { name });
  const also = hidden.map((mute) => `; also ended ${describeHidden(mute, ended, context)}`).join('');
  const first = ended.length > 0 ? receipt`Unmuted ${subject}${also}` : receipt`${namePart(name)} was already unmuted`;
  if (!fullRow)
    return warning(receipt`${first}; whether another mute is left could not be read: ${unsure ?? 'no answer'}`);
  const notes = fullRow.notes.map((note) => `; ${note}`).join('');
  const left = findMutes(fullRow.row, context.now);
  // A mute that is left over what was unmuted is not what was asked for; one of another group is.
  const meant = ended.length > 0 && !isWhole ? scopes : ['*'];
  const over = left.filter(({ scope }) => meant.some((one) => covers(scope, one) || covers(one, scope)));
  const others = left.filter((mute) => !over.includes(mute)).map((mute) => `; ${stillMuted(mute, context)}`);
  // Where the monitor was meant, whatever still mutes it is left.
  const isMonitor = values.which === 'only' || values.which === 'all';
  const leaves = (isMonitor ? left : over).map((mute) => leftMute(mute, stillMuted(mute, context)));
  const remaining = leaves.length > 0 && { leaves };
  if (over.length === 0) return { ...receipt`${first}${others.join('')}${notes}`, ...remaining };
  const still = mutedLongest(over).map((mute) => stillMuted(mute, context));
  const done =
    ended.length === 0 ? first : receipt`Ended ${row.bare ? 'its mute' : endedWords(ended, context)} on ${subject}`;
  return { ...warning(receipt`STILL MUTED ${still.join('; ')}. ${done}${notes}`), ...remaining };
}

/** `a mute until 04:00 UTC that downtime 812 hid`. */
function describeHidden(mute: Mute, ended: readonly Ended[], context: Context): string {
  const by = ended.find((one) => isSameScope(one.mute.scope, mute.scope))?.mute ?? mute;
  return `a mute ${untilWords(mute.end, context)} that ${muteSource(by)} hid`;
}

/** `until 05:00 UTC (downtime 812)`, with the scope where it is not all of the monitor. */
function stillMuted(mute: Mute, context: Context): string {
  const scope = mute.scope === '*' ? '' : `on ${mute.scope} `;
  return `${scope}${untilWords(mute.end, context)} (${muteSource(mute, 'another')}${wideWords(mute)})`;
}

/** The mutes that decide how long it stays muted: of those for all groups the last, else each. */
function mutedLongest(over: readonly Mute[]): readonly Mute[] {
  const last = lastEnd(over.filter(({ scope }) => scope === '*'));
  return last ? [last] : over;
}

/** `the 4h one`, `the one until 04:00 UTC`, `2 mutes`. */
function endedWords(ended: readonly Ended[], context: Context): string {
  const [first] = ended;
  if (!first || ended.length > 1) return plural(ended.length, 'mute');
  const { start, end } = first.mute;
  if (end === null) return 'the one without an end';
  return start === undefined ? `the one ${untilWords(end, context)}` : `the ${span(end - start)} one`;
}

/** Ends one mute at once; several are a menu, whose `a` ends all that mute this monitor alone. */
export const unmuteAction = action<MonitorRow, UnmuteValues, Unmuted>({
  id: 'monitors.unmute',
  handover: 'mute',
  key: 'M',
  main: true,
  title: 'unmute',
  help: 'End the mute of the monitor; where it has several, you choose which',
  brief: 'End the mute of monitors',
  uses: [
    unmuteMonitor,
    deleteDowntimeV1,
    deleteDowntime,
    muteMonitor,
    createDowntimeV1,
    createDowntime,
    getMonitor,
    getDowntimeV1,
    getDowntime,
  ],
  already: (row, context) =>
    row.partial || muteUnder(context) !== undefined || findMutes(row, context.now).length > 0 ? undefined : 'not muted',
  line: {
    asks: 'flags',
    fields: () => ({
      scope: textField('Scope', '', { hint: "Only the mutes of this scope; '*' is the whole monitor" }),
      downtime: downtimeField(),
      all: toggleField('All', false, 'All mutes that mute only this monitor'),
    }),
    values({ scope, downtime, all }: { scope: string; downtime: string; all: boolean }) {
      if ([scope !== '', downtime !== '', all].filter(Boolean).length > 1)
        return { ok: false, text: 'give only one of --scope, --downtime and --all' };
      if (all) return { ok: true, value: { which: 'all' } };
      if (downtime !== '') return { ok: true, value: { which: 'downtime', id: downtime } };
      return { ok: true, value: scope === '' ? { which: 'only' } : { which: 'scope', scope } };
    },
  },
  values: chosen,
  bar: (rows, context) => {
    const mutes = rows.length === 1 && rows[0] ? findMutes(rows[0], context.now) : [];
    return {
      title: `Unmute ${receiptSubject(rows, ({ name }) => name, 'monitor')}`,
      choices: [
        ...mutes.map((mute, at) => ({
          key: at < 9 ? String(at + 1) : '',
          title: describeMute(mute, context),
          values: { which: 'one' as const, mute },
        })),
        { key: 'a', title: 'all mutes of this monitor alone', values: { which: 'all' as const } },
      ],
      values: { which: 'only' },
    };
  },
  confirm: unmuteQuestion,
  send: unmuting,
  show: (row, values) => ({
    ...row,
    mutes: row.mutes.filter((mute) => (mute.wide && values.which !== 'downtime') || !isMeant(mute, values)),
    mutedUntil: undefined,
  }),
  truth: (row, { whole }) => {
    if (row.bare) return whole?.row ?? row;
    return whole ? { ...row, mutes: whole.row.mutes, mutedUntil: undefined } : row;
  },
  done: unmuteReceipt,
  undo: (before, _, unmuted, { now }) => (before.bare ? [] : restoreCalls(unmuted, now)),
  command: (row, values) => {
    const scope = values.which === 'one' ? values.mute.scope : values.which === 'scope' ? values.scope : undefined;
    const downtime =
      values.which === 'downtime' ? values.id : values.which === 'one' && values.mute.wide ? values.mute.id : undefined;
    const [flag, word] = downtime === undefined ? ['scope', scope === '*' ? '' : scope] : ['downtime', downtime];
    const how = values.which === 'all' ? ' --all' : word ? ` --${flag} ${quoteWord(word)}` : '';
    return `orgdeck monitors unmute ${quoteWord(row.id)}${how}`;
  },
});

/** The calls that bring back what was ended. */
export const restoreCalls = ({ ended }: Unmuted, now: number) =>
  ended.flatMap(({ mute, definition }) => restoreCall(mute, now, definition) ?? []);

/** Whether an unmute ends this mute, as the row shows it until the service answers; ending a downtime also removes its key of `silenced`. */
function isMeant(candidate: Mute, values: UnmuteValues): boolean {
  if (values.which === 'all' || values.which === 'only') return true;
  if (values.which === 'scope') return isSameScope(candidate.scope, values.scope);
  if (values.which === 'downtime') return isNamed(candidate, values.id);
  const { mute } = values;
  return candidate.id !== undefined && (candidate.by === mute.by || mute.twin !== undefined)
    ? isNamed(mute, candidate.id)
    : candidate.by !== 'v2' && isSameScope(candidate.scope, mute.scope);
}
