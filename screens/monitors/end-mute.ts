import { action } from '../../src/describe/action.ts';
import { quoteWord } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { receipt } from '../../src/describe/receipt.ts';
import { coversText, type LedgerRow } from './ledger-row.ts';
import type { MonitorRow } from './row.ts';
import { endOfMute, restoreCalls, type Unmuted, unmuteAction, unmuting } from './unmute.ts';
import { unmuteQuestion } from './unmute-choice.ts';

/** The listed monitor that a mute was read from; undefined where it is gone. */
const monitorOf = ({ mute, monitors }: LedgerRow): MonitorRow | undefined =>
  monitors.find(({ id }) => id === mute.monitor);

const only = ({ mute }: LedgerRow) => ({ which: 'one', mute }) as const;

function done(row: LedgerRow, _: unknown, answer: Unmuted, context: Context) {
  const monitor = monitorOf(row);
  if (monitor) return unmuteAction.done(monitor, only(row), answer, context);
  const subject = coversText(row);
  return answer.ended.length > 0 ? receipt`Unmuted ${subject}` : receipt`The mute of ${subject} had already ended`;
}

/** Ends a mute where it is listed. `M` on a mute whose monitor is listed unmutes that monitor instead. */
export const endAction = action<LedgerRow, Record<string, never>, Unmuted>({
  id: 'mutes.end',
  handover: 'mute',
  key: 'M',
  main: true,
  title: 'unmute',
  help: 'End the mute, also where its monitor is gone',
  brief: 'End mutes and downtimes, also of a monitor that is gone',
  uses: unmuteAction.uses,
  confirm: (rows, _, context) => (rows[0] ? unmuteQuestion([], only(rows[0]), context) : undefined),
  send: (row, _, context) => {
    const monitor = monitorOf(row);
    return monitor ? unmuting(monitor, only(row), context) : endOfMute(row.mute, context);
  },
  done,
  undo: (_, __, answer) => restoreCalls(answer),
  command: (row) => `orgdeck mutes end ${quoteWord(row.id)}`,
});
