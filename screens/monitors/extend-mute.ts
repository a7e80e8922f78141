import { getDowntime, updateDowntime, updateDowntimeV1 } from '../../src/api/downtimes.ts';
import { ask, type Call, call, type Plan } from '../../src/api/endpoint.ts';
import { getMonitor, muteMonitor } from '../../src/api/monitors.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { action, type Foresight, quoteWord } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Field, textField } from '../../src/describe/field.ts';
import { type Receipt, receipt, receiptSubject, warning } from '../../src/describe/receipt.ts';
import { nextWindows, type Recurrence } from '../../src/lib/recurrence.ts';
import { plural } from '../../src/lib/text.ts';
import { spans } from '../../src/lib/time.ts';
import { endInWords, readDuration } from '../../src/lib/typed-time.ts';
import { present } from '../../src/lib/values.ts';
import {
  endsAt,
  firstLength,
  lengthChoices,
  type MuteEnd,
  meantField,
  readMuteUntil,
  refusedAsPast,
  type TimeContext,
  untilArgument,
} from './mute-until.ts';
import {
  describeMute,
  distinct,
  endWords,
  findMutes,
  flaggedMute,
  isNamed,
  isSameScope,
  longerOver,
  type Mute,
  muteSource,
  muteUnder,
  scopedName,
  untilWords,
} from './mutes.ts';
import { arrayOrEmpty, keptFor, type MonitorRow, mutesIn, toEnd, toObject, toText } from './row.ts';
import { moveEndCall, rulesCall } from './silence.ts';
import { readMonitorWhole } from './whole-monitor.ts';

/** The rules of a downtime before and after its windows were made longer; how long one lasts now. */
interface Lengthened {
  readonly before: readonly Recurrence[];
  readonly after: readonly Recurrence[];
  readonly zone: string;
  readonly length: number;
}

/**
 * Makes every window of a rule so much longer, of several rules that of the window which runs or comes next: one window has no end of its
 * own (docs/contract/monitors.md#downtimes-of-v2). Whatever else the downtime says stays.
 */
function* lengthening(mute: Mute, by: number, now: number): Plan<Result<Lengthened>> {
  const { id = '', repeats } = mute;
  const got = yield* ask(call(getDowntime, { downtime_id: id }));
  if (!got.ok) return got;
  const { schedule } = toObject(toObject(toObject(got.value).data).attributes);
  const before = arrayOrEmpty(toObject(schedule).recurrences) as readonly Recurrence[];
  const zone = toText(toObject(schedule).timezone) ?? repeats?.zone ?? 'UTC';
  const [window] = nextWindows(before, zone, now, 1) ?? [];
  const rule = before.find((one) => nextWindows([one], zone, now, 1)?.[0]?.start === window?.start);
  const length = (readDuration(rule?.duration ?? '') ?? 0) + by;
  if (!window || !rule)
    return problemResult('conflict', `the windows of ${muteSource(mute)} are not known here: edit it in Mutes`);
  if (length < minute) return problemResult('invalid', 'a window lasts a minute or longer');
  const after = before.map((one) => (one === rule ? { ...one, duration: `${Math.round(length / minute)}m` } : one));
  const sent = yield* ask<unknown>(rulesCall(id, zone, after));
  return sent.ok ? { ...sent, value: { before, after, zone, length } } : sent;
}

const minute = 60_000;

/** What the receipt of a rule says. */
export const lengthWords = ({ length }: Lengthened): string => `every window of its rule lasts ${spans(length)} now`;

/** By how much, or until when; `which` is the scope of the mute, empty for the only one there is. */
interface ExtendValues {
  readonly until: MuteEnd;
  readonly which: string;
  /** Id of the downtime that is meant, also where it silences more than this monitor. */
  readonly downtime?: string;
}

/** The answer of an extension. */
export interface Extended {
  readonly mute: Mute;
  /** Milliseconds since the epoch, null = forever. */
  readonly asked: number | null;
  /** The end that the answer shows; undefined = it shows no such mute. */
  readonly shown: number | null | undefined;
  /** Of a downtime that repeats: its rules, of which every window lasts longer. */
  readonly lengthened?: Lengthened;
}

/** Mutes that have an end. One that silences more than this monitor is moved from its own row, or by its id. */
function extendable(row: MonitorRow, context: Pick<Context, 'now' | 'subRowId'>, downtime?: string): readonly Mute[] {
  if (downtime !== undefined) return distinct(row.mutes).filter((mute) => isNamed(mute, downtime) && mute.end !== null);
  const subRowId = muteUnder(context);
  if (subRowId?.monitor === row.id) return subRowId.end === null ? [] : [subRowId];
  return findMutes(row, context.now).filter((mute) => mute.end !== null && !mute.wide);
}

function* extending(row: MonitorRow, values: ExtendValues, context: Context): Plan<Result<Extended>> {
  const { downtime } = values;
  const isUnknown = downtime !== undefined || (row.partial && muteUnder(context) === undefined);
  const known = isUnknown ? yield* readMonitorWhole(row.id, context) : undefined;
  if (known && !known.ok) return known;
  const now = known ? known.value.row : row;
  const all = extendable(now, context, downtime);
  const meant = values.which === '' ? all : all.filter((mute) => isSameScope(mute.scope, values.which));
  const [mute] = meant;
  if (!mute || meant.length > 1)
    return problemResult(
      'conflict',
      mute
        ? `${row.name} has ${plural(meant.length, 'mute')} with an end: ${meant.map((one) => flaggedMute(one, context)).join('; ')}. Choose one`
        : `${row.name} has no ${downtime === undefined ? 'mute' : `downtime ${downtime}`} with an end`,
    );
  const moved = yield* movingEnd(mute, endsAt(values.until, mute.end ?? context.now), context);
  return moved.ok ? moved : { ok: false, problem: keptFor(row, moved.problem) };
}

const ruleNote = 'A repeating mute is extended in every window, not in one alone';

/** Moves the end of one mute. */
export function* movingEnd(mute: Mute, requestedEnd: number | null, context: Context): Plan<Result<Extended>> {
  const past = refusedAsPast(requestedEnd, context.now);
  if (past) return past;
  if (mute.repeats) return yield* lengtheningUntil(mute, requestedEnd, context);
  const sent = yield* ask<unknown>(moveEndCall(mute, requestedEnd));
  return sent.ok ? { ...sent, value: { mute, asked: requestedEnd, shown: shownIn(sent.value, mute, context) } } : sent;
}

/** Makes the windows of a rule as much longer as the one that runs or comes next has to be. */
function* lengtheningUntil(mute: Mute, end: number | null, { now }: Context): Plan<Result<Extended>> {
  if (end === null) return problemResult('invalid', 'the windows of a rule need an end');
  const done = yield* lengthening(mute, end - (mute.end ?? now), now);
  return done.ok ? { ...done, value: { mute, asked: end, shown: end, lengthened: done.value } } : done;
}

/** The end that an answer shows for a mute. */
function shownIn(answer: unknown, mute: Mute, context: Context): number | null | undefined {
  if (mute.by === 'mute')
    return mutesIn(answer, mute.monitor, context.now).find(
      (shown) => shown.by === 'mute' && isSameScope(shown.scope, mute.scope),
    )?.end;
  const told =
    mute.by === 'v1' ? toObject(answer) : toObject(toObject(toObject(toObject(answer).data).attributes).schedule);
  return 'end' in told ? toEnd(told.end) : undefined;
}

const later = (row: MonitorRow, mute: Mute, end: number | null): MonitorRow => ({
  ...row,
  mutes: row.mutes.map((one) =>
    one.wide === mute.wide &&
    (one.id === undefined ? mute.by !== 'v2' && isSameScope(one.scope, mute.scope) : isNamed(mute, one.id))
      ? { ...one, end }
      : one,
  ),
});

/** The receipt of an answer without the mute that was asked for. */
export const noSuchMute = (what: Receipt, asked: number | null, context: Context): Receipt =>
  warning(receipt`the answer does not show the mute ${untilWords(asked, context)}: check the mutes of ${what}`);

/** The receipt of a mute that was given an end and has none. */
export const endIgnored = (what: Receipt): Receipt =>
  warning(receipt`Muted ${what} forever: the service ignored the end, mute it again`);

/** `Muted until 12:30 UTC: disk full`, from what the answer shows. */
export function extendReceipt(row: MonitorRow, extended: Extended, context: Context): Receipt {
  const { mute, asked, shown, lengthened } = extended;
  const subject = scopedName(mute.scope, row);
  if (lengthened) return receipt`Extended the mute of ${subject}: ${lengthWords(lengthened)}`;
  if (shown === undefined) return noSuchMute(subject, asked, context);
  if (shown === null && asked !== null) return endIgnored(subject);
  const over = longerOver(later(row, mute, shown).mutes, mute.scope, shown, context.now);
  if (over)
    return receipt`Muted ${untilWords(over.end, context)} by ${muteSource(over, 'another')}: ${subject}; the extended mute ends ${shown === null ? 'never' : endWords(shown, context)}`;
  return receipt`Muted ${untilWords(shown, context)}: ${subject}`;
}

/** What was typed, as it is understood. `end` is what a length is added to: the end of the mute, `each` where several are extended. */
const addedWords = (until: MuteEnd, end: number | 'each', { now, zone }: TimeContext): string =>
  until.kind === 'for' && end === 'each'
    ? `${spans(until.ms)} longer each`
    : endInWords(endsAt(until, end === 'each' ? now : end) ?? Infinity, now, zone);

/** By how much, or until when: a length, a time, or `forever`. */
export const addedField = (context: Context, end: number | 'each'): Field<MuteEnd> => {
  const about = ['Duration to add, or end time', '45m, until 07:30, 9am tomorrow, forever'] as const;
  return meantField(about, context, readMuteUntil, (until, moment) => addedWords(until, end, moment));
};

/** What the bar of an extension offers; `end` is the end of the only mute, if there is one. */
export const extendBar = (subject: string, end: number | null | undefined, context: Context) => ({
  title: `Extend ${subject}`,
  choices: lengthChoices.map((choice) => ({ ...choice, title: `+${choice.title}` })),
  inputs: [
    { key: 't', name: 'until' as const, title: 'other…', field: addedField(context, end ?? 'each'), ends: true },
  ],
  values: firstLength,
});

/** The end that a mute would get, and the one that it has. */
export const foreseenEnd = (until: MuteEnd, end: number, context: Context, more = ''): Foresight => ({
  end: untilWords(endsAt(until, end), context),
  text: `instead of ${endWords(end, context)}${more}`,
  isWarning: false,
});

/** The flag that names a downtime by its id. */
export const downtimeField = () =>
  textField('Downtime', '', { hint: 'The downtime with this ID, even if it mutes more than this monitor' });

/** The call that gives back the end, or the rules. */
export const unextend = ({ mute, lengthened }: Extended): Call =>
  lengthened ? rulesCall(mute.id ?? '', lengthened.zone, lengthened.before) : moveEndCall(mute, mute.end);

/** Moves the end of a mute: a length is added to the end that it has. */
export const extendAction = action<MonitorRow, ExtendValues, Extended>({
  id: 'monitors.extend',
  handover: 'mute',
  key: '+',
  main: true,
  title: 'extend',
  help: 'Extend a mute by a duration, or to a time',
  uses: [muteMonitor, updateDowntimeV1, updateDowntime, getMonitor, getDowntime],
  enabled: (row, context) => {
    if (row.partial || extendable(row, context).length > 0) return true;
    const live = findMutes(row, context.now);
    if (live.length === 0) return 'not muted';
    const wide = live.find((mute) => mute.wide);
    return wide
      ? `its mute covers more than this monitor: extend it in the mutes of the detail (--downtime ${wide.id ?? ''})`
      : 'it is muted forever';
  },
  line: {
    asks: 'flags',
    meant: ['downtime'],
    fields: (context) => ({
      for: addedField(context, 'each'),
      scope: textField('Scope', '', { hint: 'Scope of the mute to extend, if there are several' }),
      downtime: downtimeField(),
    }),
    says: ({ until }, context) => addedWords(until, 'each', context),
    values: (read: { readonly for: MuteEnd; readonly scope: string; readonly downtime: string }) => ({
      ok: true,
      value: { until: read.for, which: read.scope, ...present({ downtime: read.downtime || undefined }) },
    }),
  },
  bar: (rows, context) => {
    const [row] = rows;
    const mutes = rows.length === 1 && row ? extendable(row, context) : [];
    const options = mutes.map((mute) => ({ value: mute.scope, label: describeMute(mute, context) }));
    return {
      ...extendBar(
        receiptSubject(rows, ({ name }) => name, 'mute'),
        mutes.length === 1 ? mutes[0]?.end : undefined,
        context,
      ),
      cycles: options.length > 1 ? [{ key: 's', name: 'which', title: 'which', options }] : [],
      foresees: ({ until, which }) => {
        const mute = mutes.find(({ scope }) => which === '' || scope === which);
        return mute?.end == null ? undefined : foreseenEnd(until, mute.end, context);
      },
      values: { ...firstLength, which: options.length > 1 ? (options[0]?.value ?? '') : '' },
    };
  },
  confirm: (_, { downtime }, context) => {
    if (downtime !== undefined)
      return {
        question: `Extend downtime ${downtime}, for all that it mutes?`,
        details: [ruleNote],
        destructive: true,
      };
    const subRowId = muteUnder(context);
    if (!subRowId?.wide) return undefined;
    return {
      question: `Extend ${muteSource(subRowId)}?`,
      details: [describeMute(subRowId, context)],
      destructive: true,
    };
  },
  send: extending,
  show: (row, values, context) => {
    const [mute] = extendable(row, context, values.downtime).filter(
      (mute) => values.which === '' || isSameScope(mute.scope, values.which),
    );
    return mute ? later(row, mute, endsAt(values.until, mute.end ?? context.now)) : row;
  },
  truth: (row, { mute, shown }) => (shown === undefined ? row : later(row, mute, shown)),
  done: (row, _, extended, context) => extendReceipt(row, extended, context),
  undo: (_, __, extended) => [unextend(extended)],
  command: (row, { until, which, downtime }, context) => {
    const { wide = false, id, scope = which } = (context && muteUnder(context)) ?? {};
    const named = downtime ?? (wide ? id : undefined);
    return [
      `orgdeck monitors extend ${quoteWord(row.id)} --for ${quoteWord(untilArgument(until))}`,
      ...(named === undefined ? [] : [`--downtime ${quoteWord(named)}`]),
      ...(named !== undefined || scope === '' ? [] : [`--scope ${quoteWord(scope)}`]),
    ].join(' ');
  },
});
