import { getDowntime, updateDowntime, updateDowntimeV1 } from '../../src/api/downtimes.ts';
import { ask } from '../../src/api/plan.ts';
import { action } from '../../src/describe/action.ts';
import { quoteWord } from '../../src/describe/command.ts';
import { receipt } from '../../src/describe/receipt.ts';
import { addedField, type Extended, lengtheningUntil, unextend } from './extend-mute.ts';
import { coversText, type LedgerRow } from './ledger-row.ts';
import { lengthWords } from './lengthen-rule.ts';
import { endsAt, lengths, type MuteEnd, refusedAsPast, untilArgument } from './mute-until.ts';
import { endWords, repeatWords, untilWords } from './mutes.ts';
import { moveEndCall } from './silence.ts';

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
  bar: ([row], context) => ({
    title: `Extend ${row ? coversText(row) : 'mute'}`,
    choices: lengths.map(({ key, title, ms }) => ({
      key,
      title: `+${title}`,
      values: { until: { kind: 'for', ms } },
    })),
    inputs: [
      {
        key: 't',
        name: 'until',
        title: 'other…',
        field: addedField(context, row?.mute.end ?? 'each'),
        ends: true,
      },
    ],
    foresees: ({ until }) => {
      const { end, repeats } = row?.mute ?? {};
      if (end == null) return undefined;
      const rule = row && repeats ? `; every window gets as much longer, ${repeatWords(row.mute, context)}` : '';
      const text = `instead of ${endWords(end, context)}${rule}`;
      return { end: untilWords(endsAt(until, end), context), text, isWarning: rule !== '' };
    },
    values: { until: { kind: 'for', ms: lengths[0].ms } },
  }),
  *send({ mute }: LedgerRow, { until }, context) {
    const end = endsAt(until, mute.end ?? context.now);
    const past = refusedAsPast(end, context.now);
    if (past) return past;
    if (mute.repeats) return yield* lengtheningUntil(mute, end, context);
    const sent = yield* ask<unknown>(moveEndCall(mute, end));
    return sent.ok ? { ...sent, value: { mute, asked: end, shown: end } } : sent;
  },
  done: (row, _, { lengthened, asked }, context) =>
    lengthened
      ? receipt`Extended the mute of ${coversText(row)}: ${lengthWords(lengthened)}`
      : receipt`Extended the mute of ${coversText(row)}: ${untilWords(asked, context)}`,
  undo: (_, __, extended) => [unextend(extended)],
  command: (row, { until }) => `orgdeck mutes extend ${quoteWord(row.id)} --for ${quoteWord(untilArgument(until))}`,
});
