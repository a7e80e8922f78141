import { getDowntime, updateDowntime, updateDowntimeV1 } from '../../src/api/downtimes.ts';
import { ask, type Call, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { action, quoteWord } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { textField, toggleField } from '../../src/describe/field.ts';
import { receipt, receiptSubject, warning } from '../../src/describe/receipt.ts';
import { nextWindows, type Recurrence, withoutFirst } from '../../src/lib/recurrence.ts';
import {
  addedField,
  type Extended,
  extendBar,
  foreseenEnd,
  lengthWords,
  movingEnd,
  noSuchMute,
  unextend,
} from './extend-mute.ts';
import { coversText, type LedgerRow } from './ledger-row.ts';
import {
  endsAt,
  isAhead,
  type MuteEnd,
  type MuteTime,
  reasonField,
  timeField,
  timeWords,
  untilArgument,
} from './mute-until.ts';
import { endWords, isSameEnd, type Mute, muteSource, repeatWords, untilWords } from './mutes.ts';
import { arrayOrEmpty, type MonitorRow, toObject } from './row.ts';
import { editCall, rulesCall, type Schedule } from './silence.ts';
import { definitionOf, endOfMute, restoreCalls, type Unmuted, unmuteAction, unmuting } from './unmute.ts';
import { wideQuestion } from './unmute-choice.ts';

/** The values of a downtime; the time is undefined where it stays. */
interface EditedMute {
  readonly time: MuteTime | undefined;
  readonly scope: string;
  readonly reason: string;
}

const before = ({ repeats, start, end }: Mute): Schedule => repeats ?? { start: start ?? null, end };

/** The context of its times: those of a rule are in the zone of the rule, whoever edits it. */
const timed = (mute: Mute | undefined, context: Context): Context => ({
  ...context,
  zone: mute?.repeats?.zone ?? context.zone,
});

/** When it holds as it is, as it would be typed: `every Tue 22:00 for 2h`, `from 2026-05-07T09:00:00Z until 2026-05-07T10:00:00Z`. */
function typedTime(mute: Mute, context: Context): string {
  if (mute.repeats) return repeatWords(mute, context);
  const { start = context.now, end } = mute;
  return untilArgument(end === null ? { kind: 'forever' } : { kind: 'once', start, end });
}

/** The changes of an edit; nothing where everything stays. */
function changesOf({ mute }: LedgerRow, { time, scope, reason }: EditedMute, context: Context) {
  const { zone } = timed(mute, context);
  return {
    ...(time && isAhead(time) && { schedule: time.kind === 'once' ? time : { zone, rules: [time.rule] } }),
    ...(scope !== mute.scope && { scope }),
    ...(reason !== (mute.why ?? '') && { reason }),
  };
}

/** `e` in Mutes: another time, scope or reason for what is to come or repeats. What the form does not show stays. */
export const editMuteAction = action<LedgerRow, EditedMute>({
  id: 'mutes.edit',
  handover: 'mute',
  key: 'e',
  title: 'edit',
  noun: 'mute',
  preposition: 'of',
  help: 'Edit the time, scope or reason of an upcoming or repeating mute',
  uses: [updateDowntime, updateDowntimeV1],
  bulk: false,
  enabled({ mute, isAhead: isComing, isOver }) {
    if (isOver) return 'it has ended';
    return isComing || mute.repeats ? true : 'it runs now: + extends it, M ends it';
  },
  line: {
    asks: 'form',
    fields: (context) => ({
      time: editedTime(undefined, context),
      scope: textField('Scope', ''),
      reason: reasonField(),
    }),
  },
  form: ({ mute }, context) => ({
    time: editedTime(mute, context),
    scope: textField('Scope', mute.scope, { required: true, hint: '* for all groups' }),
    reason: { ...reasonField(), initial: mute.why ?? '' },
  }),
  extent: ([row]) => ({ ...(row && { subject: `mute of ${coversText(row)}` }), how: '', hits: '' }),
  reviews: true,
  *send(row: LedgerRow, values, context) {
    if (row.mute.by === 'v1' && values.time?.kind === 'every')
      return problemResult('invalid', 'a downtime of the first version does not repeat: plan a new one');
    return yield* ask<unknown>(editCall(row.mute, changesOf(row, values, context)));
  },
  done: (row, { time }, _, context) =>
    time === undefined
      ? receipt`Edited the mute of ${coversText(row)}`
      : receipt`Edited the mute of ${coversText(row)}: ${timeWords(time, timed(row.mute, context))}`,
  undo: ({ mute }, values): readonly Call[] => [
    editCall(mute, {
      ...(values.time !== undefined && { schedule: before(mute) }),
      ...(values.scope !== mute.scope && { scope: mute.scope }),
      ...(values.reason !== (mute.why ?? '') && { reason: mute.why ?? '' }),
    }),
  ],
});

/** The time, undefined where it stays; windows alone: what runs at once is a new mute. */
function editedTime(mute: Mute | undefined, { zone, ...more }: Context) {
  const context = timed(mute, { ...more, zone });
  const field = timeField(context.zone === zone ? 'Time' : `Time in ${context.zone}`, context);
  const initial = mute ? typedTime(mute, context) : '';
  return {
    ...field,
    initial,
    read(typed: string) {
      if (typed.trim() === initial) return { ok: true, value: undefined } as const;
      const read = field.read(typed);
      if (!read.ok || isAhead(read.value)) return read;
      return { ok: false, text: 'windows such as 22:00-23:30; to mute from now on, create a new mute' } as const;
    },
  };
}

/** The listed monitor that a mute was read from; undefined where it is gone. */
const monitorOf = ({ mute, monitors }: LedgerRow): MonitorRow | undefined =>
  monitors.find(({ id }) => id === mute.monitor);

const only = ({ mute }: LedgerRow) => ({ which: 'one', mute }) as const;

/** What is ended of a downtime that repeats: the rule, or the window that runs or comes next alone. */
interface EndValues {
  readonly window?: boolean;
}

/** Takes the window that runs or comes next out of the rules of a downtime: they begin with the next one. */
function* skipping({ mute }: LedgerRow, context: Context): Plan<Result<Unmuted>> {
  const downtime = yield* definitionOf(mute, context);
  const { repeats, id = '' } = downtime.mute;
  if (!repeats) return problemResult('conflict', `${muteSource(mute)} does not repeat: end it as a whole`);
  const { schedule } = toObject(toObject(downtime.definition).attributes);
  const before = arrayOrEmpty(toObject(schedule).recurrences) as readonly Recurrence[];
  const [window] = nextWindows(before, repeats.zone, context.now, 1) ?? [];
  if (!window)
    return problemResult('conflict', `the windows of ${muteSource(mute)} are not known here: end it as a whole`);
  const after = before.flatMap((rule) => {
    const isIts = nextWindows([rule], repeats.zone, context.now, 1)?.[0]?.start === window.start;
    return isIts ? (withoutFirst(rule, repeats.zone, context.now) ?? []) : [rule];
  });
  // A rule without a further window ends as a whole.
  if (after.length === 0) return yield* endOfMute(mute, context);
  const sent = yield* ask<unknown>(rulesCall(id, repeats.zone, after));
  return sent.ok ? toResult<Unmuted>({ ended: [], gone: [], skipped: { window, before, after } }) : sent;
}

function done(row: LedgerRow, _: unknown, answer: Unmuted, context: Context) {
  const { mute, isAhead } = row;
  const subject = coversText(row);
  const zone = mute.repeats?.zone ?? context.zone;
  if (answer.skipped) {
    const [next] = nextWindows(answer.skipped.after, zone, context.now, 1) ?? [];
    const follows = next ? `, next ${endWords(next.start, context)}` : '';
    return receipt`Ended one window of ${subject}, ${endWords(answer.skipped.window.start, context)}; the rule goes on${follows}`;
  }
  const monitor = isAhead || mute.repeats ? undefined : monitorOf(row);
  if (monitor) return unmuteAction.done(monitor, only(row), answer, context);
  if (answer.ended.length === 0) return receipt`The mute of ${subject} had already ended`;
  if (mute.repeats) return receipt`Ended the rule of ${subject}, ${repeatWords(mute, context)}`;
  return isAhead
    ? receipt`Canceled the mute of ${subject} that was to begin ${endWords(mute.start ?? context.now, context)}`
    : receipt`Unmuted ${subject}`;
}

/**
 * Ends a mute where it is listed, also one to come. `M` on a mute whose monitor is listed unmutes that monitor instead. Of one that
 * repeats a menu asks whether the rule ends, or one window: the service has no end of one window, so the rule then begins with the next.
 */
export const endAction = action<LedgerRow, EndValues, Unmuted>({
  id: 'mutes.end',
  handover: 'mute',
  key: 'M',
  main: true,
  title: 'unmute',
  help: 'End the mute, even if its monitor is gone; of a repeating mute all windows, or one',
  brief: 'End mutes and downtimes, also upcoming ones, even if the monitor is gone',
  uses: [...unmuteAction.uses, updateDowntime],
  already: ({ isOver }) => (isOver ? 'already ended' : undefined),
  line: {
    asks: 'flags',
    fields: () => ({
      window: toggleField('Window', false, 'Only the current or next window of a repeating mute; later windows stay'),
    }),
    values: ({ window }: { window: boolean }) => ({ ok: true, value: { window } }),
  },
  values: (rows) => (rows.length === 1 && rows[0]?.mute.repeats ? undefined : {}),
  bar: ([row], context) => ({
    title: `End ${row ? coversText(row) : 'mute'}`,
    choices: [
      {
        key: '1',
        title: `one window, ${endWords(row?.mute.start ?? context.now, context)}: the rule begins with the next`,
        values: { window: true },
      },
      { key: 'a', title: `the rule, ${row ? repeatWords(row.mute, context) : ''}`, values: { window: false } },
    ],
    values: {},
  }),
  confirm: (rows, { window }, context) =>
    window
      ? undefined
      : wideQuestion(
          rows.map(({ mute }) => mute),
          context,
        ),
  send: (row: LedgerRow, { window }, context) => {
    if (window) return skipping(row, context);
    const monitor = row.isAhead || row.mute.repeats ? undefined : monitorOf(row);
    return monitor ? unmuting(monitor, only(row), context) : endOfMute(row.mute, context);
  },
  done,
  undo: ({ mute }, _, answer, { now }) =>
    answer.skipped
      ? [rulesCall(mute.id ?? '', mute.repeats?.zone ?? 'UTC', answer.skipped.before)]
      : restoreCalls(answer, now),
  command: (row, { window }) => `orgdeck mutes end ${quoteWord(row.id)}${window ? ' --window' : ''}`,
});

interface ListedEnd {
  readonly until: MuteEnd;
}

/**
 * `+` in Mutes on what is no mute of a listed monitor: a rule, a tag, or what is to come. `+` on a mute of a monitor is that of monitors.
 * Of a rule every window becomes longer.
 */
export const extendListedAction = action<LedgerRow, ListedEnd, Extended>({
  id: 'mutes.extend',
  handover: 'mute',
  key: '+',
  main: true,
  title: 'extend',
  help: 'Extend a mute by a duration, or to a time; of a repeating mute every window',
  uses: [getDowntime, updateDowntime, updateDowntimeV1],
  already: ({ isOver }) => (isOver ? 'already ended' : undefined),
  enabled: ({ mute }) => {
    if (mute.end === null) return 'it is muted forever';
    return mute.by === 'mute' ? 'it is extended at its monitor' : true;
  },
  line: {
    asks: 'flags',
    fields: (context) => ({ for: addedField(context, 'each') }),
    values: (read: { readonly for: MuteEnd }) => ({ ok: true, value: { until: read.for } }),
  },
  bar: (rows, context) => {
    const [row] = rows.length === 1 ? rows : [];
    const { end, repeats } = row?.mute ?? {};
    return {
      ...extendBar(receiptSubject(rows, coversText, 'mute'), end, context),
      foresees: ({ until }) => {
        if (end == null) return undefined;
        const rule = row && repeats ? `; every window gets as much longer, ${repeatWords(row.mute, context)}` : '';
        return { ...foreseenEnd(until, end, context, rule), isWarning: rule !== '' };
      },
    };
  },
  send: ({ mute }: LedgerRow, { until }, context) => movingEnd(mute, endsAt(until, mute.end ?? context.now), context),
  done: (row, _, { lengthened, asked, shown }, context) => {
    const subject = coversText(row);
    if (shown === undefined) return noSuchMute(receipt`${subject}`, asked, context);
    const said = receipt`Extended the mute of ${subject}: ${lengthened ? lengthWords(lengthened) : untilWords(shown, context)}`;
    return isSameEnd(shown, asked) ? said : warning(said);
  },
  undo: (_, __, extended) => [unextend(extended)],
  command: (row, { until }) => `orgdeck mutes extend ${quoteWord(row.id)} --for ${quoteWord(untilArgument(until))}`,
});
