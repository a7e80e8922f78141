import type { RowPlace } from '../../describe/derived.ts';
import type { Screen } from '../../describe/screen.ts';
import type { JournalEntry } from '../outside/outside.ts';
import { listOfAction } from '../state/handover.ts';
import type { Flash, Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import { eventsOf, type Timeline, type TimelineEvent } from './timeline-events.ts';

export type EntryDeed = Extract<Message, { type: 'runOnEntry' }>['what'];

export type Report = NonNullable<Timeline['report']>;

/** The handover where it is what is shown. */
export const shownReport = ({ report, view }: Timeline): Report | undefined =>
  view === 'handover' ? report : undefined;

/** The lines of the handover that the cursor moves through. */
export const itemsOf = ({ report }: Timeline) => report?.sections.flatMap(({ items }) => items) ?? [];

export const timelineRows = (layer: Timeline, state: State, messages: readonly Flash[]): readonly unknown[] => {
  if (layer.view === 'messages') return messages;
  return layer.view === 'handover' ? itemsOf(layer) : eventsOf(layer, state);
};

const eventAt = (layer: Timeline, state: State): TimelineEvent | undefined =>
  layer.view === 'handover' ? undefined : eventsOf(layer, state)[layer.cursor];

/** The message under the cursor. */
export function messageAt(layer: Timeline, state: State, messages: readonly Flash[]): Flash | undefined {
  if (layer.view === 'messages') return messages[layer.cursor];
  const event = eventAt(layer, state);
  return event?.kind === 'message' ? event.message : undefined;
}

/** The edits under the cursor, oldest first. */
export function entriesAt(layer: Timeline, state: State): readonly JournalEntry[] {
  const event = eventAt(layer, state);
  if (layer.view !== 'handover') return event?.kind === 'edit' ? [event.entry] : [];
  const byId = new Map(layer.entries.map((entry) => [entry.id, entry]));
  return itemsOf(layer)[layer.cursor]?.entries.flatMap((id) => byId.get(id) ?? []) ?? [];
}

/** The edit under the cursor that this can be done about, the newest first. */
export function entryFor(layer: Timeline, state: State, what: EntryDeed): JournalEntry | undefined {
  return entriesAt(layer, state).findLast((entry) => isFor(entry, what));
}

function isFor(entry: JournalEntry, subject: EntryDeed): boolean {
  if (subject === 'undo') return entry.undoable;
  const isOpen = entry.outcome === 'open' || entry.outcome === 'unknown';
  // The outcome of a dismissed edit can still be looked up, but the edit is not sent a second time.
  if (entry.isDismissed && subject !== 'check') return false;
  return isOpen || (subject !== 'check' && entry.repeatable === true);
}

/** Whether Enter leads somewhere. */
export function hasPlace(layer: Timeline, state: State): boolean {
  if (layer.view === 'handover') return itemsOf(layer)[layer.cursor]?.place !== undefined;
  const event = eventAt(layer, state);
  return event !== undefined && (event.kind !== 'edit' || Boolean(event.entry.targetId));
}

/** The list of an edit's row; an undo is of the list of the edit that it undid. */
const listOf = ({ operation, targetId }: JournalEntry, { entries }: Timeline, screens: readonly Screen[]) =>
  [operation, ...entries.flatMap((other) => (other.targetId === targetId ? [other.operation] : []))]
    .map((action) => listOfAction(action, screens))
    .find((list) => list !== undefined);

/** The list and the row that the line under the cursor is about; the list alone where it is about several rows. */
export function placeOf(layer: Timeline, state: State, screens: readonly Screen[]): RowPlace | undefined {
  if (layer.view === 'handover') return itemsOf(layer)[layer.cursor]?.place;
  const event = eventAt(layer, state);
  if (event?.kind === 'change') return { list: event.change.list, row: event.change.id };
  if (event?.kind !== 'edit') return undefined;
  const { targetId } = event.entry;
  const list = listOf(event.entry, layer, screens)?.id;
  return targetId && list !== undefined ? { list, row: targetId } : undefined;
}

/** What each line is known by: its edit; of a handover the first of its edits, or its text. */
export function linesOf(layer: Timeline, state: State): readonly string[] {
  if (layer.view === 'handover')
    return itemsOf(layer).map(({ entries: [first], lead, name, place }) => first ?? [lead, name, place?.row].join(' '));
  return eventsOf(layer, state).map((event) =>
    event.kind === 'edit'
      ? event.entry.id
      : `${event.at} ${event.kind === 'change' ? event.change.id : event.message.text}`,
  );
}
