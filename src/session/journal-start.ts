import type { Clock } from '../lib/clock.ts';
import { plural } from '../lib/text.ts';
import type { Outside } from './outside/outside.ts';
import type { Flash, Message } from './state/message.ts';

/** Milliseconds after which the journal is read although no rows have come: the service may not answer. */
const withoutRowsMs = 2000;

/** Milliseconds in which the frame with the first rows is drawn. */
const drawingMs = 50;

/**
 * Reads the journal at a start: after the first rows, because nothing that they need is in it, and after the owner of the
 * keys, whose organization says which edits are of here. Where it was read before that, it is read once more.
 */
export interface JournalStart {
  start(): void;
  /** What is in front was read. */
  rowsAreThere(): void;
  /** The read of the owner has ended. */
  ownerIsRead(): void;
  close(): void;
}

export function createJournalStart(with_: {
  readonly clock: Clock;
  readonly unsettled: Outside['unsettled'];
  /** Whether the service is still asked who owns the keys. */
  readonly asksOwner: () => boolean;
  /** Whether a person is at work, whom a layer would stop. */
  readonly isBusy: () => boolean;
  /** A layer has opened that no key has asked for. */
  readonly opened: () => void;
  /** Reads what else is wanted of the journal. */
  readonly read: () => void;
  readonly send: (message: Message) => void;
  readonly say: (text: string, tone: Flash['tone'], keys?: string) => void;
}): JournalStart {
  const { clock, send, say } = with_;
  const held = { hasRows: false, isRead: false, isEarly: false, told: new Set<string>(), cancel: () => {} };

  const read = async () => {
    held.isRead = true;
    held.isEarly = with_.asksOwner();
    const unsettled = with_.unsettled();
    with_.read();
    const { entries, trouble, skipped } = await unsettled;
    const isNews = entries.some(({ id }) => !held.told.has(id));
    for (const { id } of entries) held.told.add(id);
    if (isNews && with_.isBusy())
      say(`${plural(entries.length, 'edit')} of an earlier run without an outcome`, 'warn', 'H');
    else if (isNews) {
      send({ type: 'journalRead', entries, unsettled: true });
      with_.opened();
    }
    if (skipped !== undefined) say(skipped, 'warn');
    if (trouble !== undefined) say(`Edits without an outcome could not be listed: ${trouble}`, 'bad', 'H');
  };
  const after = (ms: number) => {
    held.cancel();
    held.cancel = clock.after(ms, () => void read());
  };

  const readWhenDue = () => {
    if (held.hasRows && !held.isRead && !with_.asksOwner()) after(drawingMs);
  };

  return {
    start: () => after(withoutRowsMs),
    rowsAreThere() {
      if (held.hasRows) return;
      held.hasRows = true;
      readWhenDue();
    },
    ownerIsRead() {
      if (held.isEarly) void read();
      else readWhenDue();
    },
    close: () => held.cancel(),
  };
}
