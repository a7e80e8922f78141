import { present } from '../../lib/present-members.ts';
import { firstShift, type Shift } from '../state/handover.ts';
import { type Doers, type EffectOf, type EffectPorts, sayDone } from './ports.ts';

/** Reads the journal and its handover, and does what is asked about an edit of it. */
export function createJournalEffects(ports: EffectPorts): Doers<'journal' | 'saveReport' | 'entry'> {
  const { cache, clock, outside, send } = ports;

  const refreshJournal = async (shift: Shift = firstShift) => {
    const { entries, report, trouble } = await outside.journal(await ports.handover(shift));
    send({ type: 'journalRead', entries, changes: ports.changes(), unsettled: false, trouble, report, shift });
  };

  const doEntry = async ({ id, what, name }: EffectOf<'entry'>): Promise<void> => {
    const isEdit = what === 'repeat' || what === 'undo';
    if (isEdit) send({ type: 'sendingChanged', by: 1 });
    const text = await outside.entry(id, what, name);
    if (isEdit) send({ type: 'sendingChanged', by: -1 });
    const top = ports.state().layers.at(-1);
    if (top?.kind === 'timeline' && top.unsettled)
      send({ type: 'journalRead', ...(await outside.unsettled()), unsettled: true });
    else await refreshJournal(top?.kind === 'timeline' ? top.shift : undefined);
    // What can be done about it is done in the journal.
    const keys = top?.kind === 'timeline' ? undefined : 'H';
    send({ type: 'showFlash', flash: { text, tone: 'info', at: clock.now(), ...present({ keys }) } });
    cache.refresh();
  };

  return {
    journal: ({ shift }) => refreshJournal(shift),
    saveReport: ({ text }) => outside.saveReport?.(text).then((saved) => sayDone(ports, saved)),
    entry: doEntry,
  };
}
