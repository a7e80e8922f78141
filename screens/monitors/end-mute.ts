import { updateDowntime } from '../../src/api/downtimes.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { action } from '../../src/describe/action.ts';
import { quoteWord } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { toggleField } from '../../src/describe/field.ts';
import { receipt } from '../../src/describe/receipt.ts';
import { nextWindows, type Recurrence, withoutFirst } from '../../src/lib/recurrence.ts';
import { coversText, type LedgerRow } from './ledger-row.ts';
import { endWords, muteSource, repeatWords } from './mutes.ts';
import { arrayOrEmpty, type MonitorRow, toObject } from './row.ts';
import { rulesCall } from './silence.ts';
import { definitionOf, endOfMute, restoreCalls, type Unmuted, unmuteAction, unmuting } from './unmute.ts';
import { unmuteQuestion } from './unmute-choice.ts';

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
  confirm: (rows, { window }, context) => (rows[0] && !window ? unmuteQuestion([], only(rows[0]), context) : undefined),
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
