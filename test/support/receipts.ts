import { stateActions } from '../../screens/issues/edit.ts';
import { rowOfIssue } from '../../screens/issues/row.ts';
import { muteReceipt } from '../../screens/monitors/mute-receipt.ts';
import { endWords } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { unmuteAction } from '../../screens/monitors/unmute.ts';
import { editAction, filters } from '../../screens/retention/edit.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import { continued } from '../../src/lib/text.ts';
import { contextOf } from './plans.ts';
import { there } from './there.ts';

const context = contextOf();
const end = context.now + 3_600_000;

/**
 * Receipts in the words of their actions: journeys hold what was done, and a changed sentence changes `support/stored/texts` and the
 * unit test of that receipt alone.
 */
export const receiptOf = {
  /** Up to the moment of the end: `Muted Disk until`; with null the whole of a mute without an end. */
  mute(name: string, shown: number | null = end): string {
    const given = { way: 'mute', scope: '*', asked: shown, shown, mutes: [] } as const;
    return receiptText(muteReceipt(monitor(name), given, '', context)).replace(` ${endWords(end, context)}`, '');
  },

  /** Where no other mute is left. */
  unmute(name: string): string {
    const row = monitor(name);
    const mute = { monitor: '1', by: 'mute', scope: '*', end, wide: false } as const;
    const answer = { ended: [{ mute }], gone: [], whole: { row, notes: [] } };
    return receiptText(unmuteAction.done(row, { which: 'only' }, answer, context));
  },

  resolve: (name: string): string => receiptOf.state('issues.resolve', name),
  acknowledge: (name: string): string => receiptOf.state('issues.acknowledge', name),

  /** Of an action that sets the state of an issue. */
  state(id: string, name: string): string {
    const action = stateActions.find((one) => one.id === id);
    const row = { ...rowOfIssue('1', {}, new Map()), type: name };
    const state = action?.show?.(row, {}, context)?.state;
    return action ? receiptText(action.done(row, {}, { data: { attributes: { state } } }, context)) : '';
  },

  /** Of an undo of what this receipt or its beginning says. */
  undo: (receipt: string): string => `Undone: ${receiptOf.clause(receipt)}`,

  /** In the middle of a sentence. */
  clause: (receipt: string): string => continued(receipt),

  /** Of an edit of settings. */
  save(name: string): string {
    const row = there(filters.row({ id: '1', attributes: { name } }));
    return receiptText(editAction.done(row, {}, { before: row, asked: row, now: row }, context));
  },
};

const monitor = (name: string): MonitorRow => there(readMonitor({ id: 1, name }, context.now));
