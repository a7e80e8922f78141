import { updateDowntime, updateDowntimeV1 } from '../../src/api/downtimes.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { ask } from '../../src/api/plan.ts';
import { problemResult } from '../../src/api/problem.ts';
import { action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { textField } from '../../src/describe/field.ts';
import { receipt } from '../../src/describe/receipt.ts';
import { coversText, type LedgerRow } from './ledger-row.ts';
import { isAhead, type MuteTime, reasonField, timeField, timeWords, untilArgument } from './mute-until.ts';
import { type Mute, repeatWords } from './mutes.ts';
import { editCall, type Schedule } from './silence.ts';

/** The values of a downtime; the time is undefined where it stays. */
interface EditedMute {
  readonly time: MuteTime | undefined;
  readonly scope: string;
  readonly reason: string;
}

const before = ({ repeats, start, end }: Mute): Schedule => repeats ?? { start: start ?? null, end };

/** When it holds as it is, as it would be typed: `every Tue 22:00 for 2h`, `from 2026-05-07T09:00:00Z until 2026-05-07T10:00:00Z`. */
function typedTime(mute: Mute, context: Context): string {
  if (mute.repeats) return repeatWords(mute, context);
  const { start = context.now, end } = mute;
  return untilArgument(end === null ? { kind: 'forever' } : { kind: 'once', start, end });
}

/** The changes of an edit; nothing where everything stays. */
function changesOf({ mute }: LedgerRow, { time, scope, reason }: EditedMute, { zone }: Context) {
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
      : receipt`Edited the mute of ${coversText(row)}: ${timeWords(time, context)}`,
  undo: ({ mute }, values): readonly Call[] => [
    editCall(mute, {
      ...(values.time !== undefined && { schedule: before(mute) }),
      ...(values.scope !== mute.scope && { scope: mute.scope }),
      ...(values.reason !== (mute.why ?? '') && { reason: mute.why ?? '' }),
    }),
  ],
});

/** The time, undefined where it stays; windows alone: what runs at once is a new mute. */
function editedTime(mute: Mute | undefined, context: Context) {
  const field = timeField('Time', context);
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
