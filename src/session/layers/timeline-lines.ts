import type { Context } from '../../describe/context.ts';
import type { RowPlace } from '../../describe/derived.ts';
import type { ReceiptPart } from '../../describe/receipt.ts';
import type { Screen } from '../../describe/screen.ts';
import { receiptAround } from '../../journal/handover-report.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import { cells, continued } from '../../lib/text.ts';
import { calendarDay, exactTime } from '../../lib/time.ts';
import { leastName, onOneLine, toastMark } from '../../scene/edge-lines.ts';
import type { Spans } from '../../scene/scene.ts';
import { listTexts, type Room, spanCells, toneWords } from '../../scene/span.ts';
import type { Theme } from '../../scene/theme.ts';
import { didWords, doesWords, type EntryDeed, type JournalEntry, listOfAction } from '../outside/outside.ts';
import type { Flash, ListedChange } from '../state/message.ts';
import type { LayerOf, State } from '../state/state.ts';
import { paintedParts } from '../state/state-changes.ts';

export type Timeline = LayerOf<'timeline'>;

/** Something that happened: an edit of the journal, a change of a state between two reads, or a message of this run. */
type TimelineEvent =
  | { readonly kind: 'edit'; readonly at: number; readonly entry: JournalEntry }
  | { readonly kind: 'change'; readonly at: number; readonly change: ListedChange }
  | { readonly kind: 'message'; readonly at: number; readonly message: Flash };

/**
 * The events of a view, the newest first; none of the handover, which has lines of its own. The view of all events has only those
 * messages that are problems or notices: what was done is there as an edit, and a refused key is no event.
 */
export function eventsOf(
  { view, entries, changes = [] }: Pick<Timeline, 'view' | 'entries' | 'changes'>,
  { messages }: Pick<State, 'messages'>,
): readonly TimelineEvent[] {
  const edits = () => entries.map((entry): TimelineEvent => ({ kind: 'edit', at: entry.at, entry }));
  const stateChanges = () => changes.map((change): TimelineEvent => ({ kind: 'change', at: change.at, change }));
  const toEvent = (message: Flash): TimelineEvent => ({ kind: 'message', at: message.at, message });
  if (view === 'handover') return [];
  if (view === 'edits') return edits();
  if (view === 'changes') return stateChanges();
  if (view === 'messages') return messages.map(toEvent);
  const warnings = messages.filter(({ tone, parts }) => tone === 'bad' || (tone === 'warn' && parts !== undefined));
  return [...edits(), ...stateChanges(), ...warnings.map(toEvent)].toSorted((one, other) => other.at - one.at);
}

/** How a time is told among these others: without its day where all are of today, `isShort`: without its seconds. */
function timeAmong(all: readonly { readonly at: number }[], { now, zone }: Context, isShort = false) {
  const today = calendarDay(now, zone);
  const from = all.every(({ at }) => calendarDay(at, zone) === today) ? today.length + 1 : 0;
  return ({ at }: { readonly at: number }): Painted =>
    paint(exactTime(at, zone).slice(from, isShort ? today.length + 6 : undefined));
}

/** The events in rows: when, what kind, and what happened. */
export function eventRows(
  events: readonly TimelineEvent[],
  { context, screens }: { readonly context: Context; readonly screens: readonly Screen[] },
  room: Room,
): readonly Spans[] {
  const timeOf = timeAmong(events, context);
  return events.map((event): Spans => {
    const time = plain`${timeOf(event)}  `;
    const width = room.width - cells(time) - 2;
    return [{ text: time, tone: 'dim', keep: true }, ...cutNameFirst(eventSpans(event, screens, room, width), width)];
  });
}

function eventSpans(event: TimelineEvent, screens: readonly Screen[], { theme }: Room, width: number): Spans {
  if (event.kind === 'message') return messageSpans(event.message, width, theme);
  if (event.kind === 'change') {
    const { name, from, to } = event.change;
    return [
      { text: plain`${paint('state'.padEnd(9))}`, tone: 'info' },
      { text: plain`${paint(from.word)} → ${paint(to.word)}  ` },
      { text: paint(name), tone: 'strong' },
    ];
  }
  const { did, note } = entryWords(event.entry, screens);
  const { outcome, said, target } = event.entry;
  const words = said === undefined ? [{ text: plain`${paint(did)} ` }, nameSpan(target)] : receiptSpans(said, target);
  return [
    {
      text: plain`${paint(outcome.padEnd(9))}`,
      tone: outcome === 'applied' ? 'good' : outcome === 'refused' ? 'warn' : 'bad',
    },
    ...words,
    { text: note === '' ? plain`` : plain`  ${paint(note)}`, tone: 'dim' },
  ];
}

/** The spans of an event, of which the name is cut first where they are too wide; not where too little of it would be left. */
function cutNameFirst(spans: Spans, width: number): Spans {
  const isName = ({ tone }: Spans[number]) => tone === 'strong';
  const name = spanCells(spans.filter(isName));
  const room = width - spanCells(spans) + name;
  return room < Math.min(name, leastName)
    ? spans
    : spans.map((span) => (isName(span) ? span : { ...span, keep: true }));
}

const nameSpan = (name: string): Spans[number] => ({ text: paint(name), tone: 'strong' });

/** A receipt with the name in it. */
function receiptSpans(said: string, name: string): Spans {
  const parts = receiptAround(said, name);
  if (!parts) return [{ text: paint(continued(said)) }];
  return [{ text: paint(continued(parts.before)) }, nameSpan(name), { text: paint(parts.after) }];
}

/** The messages in rows; those that wait stand first. */
export function messageRows(messages: readonly Flash[], context: Context, room: Room): readonly Spans[] {
  const { width, theme } = room;
  // On a narrow terminal the end of a message is worth more: those that wait come first anyway.
  const waiting = width < 68 ? plain`` : plain`waiting  `;
  const timeOf = timeAmong(messages, context, true);
  return messages.map((message): Spans => {
    const time = plain`${timeOf(message)}  `;
    const waits = message.waits ? waiting : plain``;
    return [{ text: time, tone: 'dim' }, ...messageSpans(message, width - cells(time) - 2, theme, waits)];
  });
}

/** A message: its mark, `waits` where it is a notice, and its text. */
function messageSpans({ text, parts = [text], tone }: Flash, width: number, theme: Theme, waits = plain``): Spans {
  const mark = plain`${toastMark(tone, theme.glyphs)} `;
  return [
    { text: mark, tone },
    { text: waits, tone: 'strong' },
    { text: listedText(parts, width - cells(mark) - cells(waits), theme), tone: tone === 'good' ? 'plain' : tone },
  ];
}

/** The messages in words. */
export function messageWords(messages: readonly Flash[], context: Context): readonly Painted[] {
  const timeOf = timeAmong(messages, context, true);
  return messages.map((message) => {
    const text = plain`${toneWords[message.tone]}${paint(message.text)}`;
    return listTexts([timeOf(message), message.waits ? plain`waiting` : plain``, text]);
  });
}

/** A message in a row: its names are shortened, so that its consequence can be read. */
function listedText(parts: readonly ReceiptPart[], room: number, { glyphs }: Theme): Painted {
  const painted = paintedParts(parts);
  return onOneLine(painted, room, glyphs.ellipsis, leastName) ?? joinPainted(painted.map(({ text }) => text));
}

/**
 * An edit in words: `done` as if it was applied, `did` what it did or would have done (`muted`, `mute`), and a `note` on what the
 * outcome alone does not say: `after 2 attempts`.
 */
export function entryWords(entry: JournalEntry, screens: readonly Screen[]) {
  const { operation, outcome, text, undid } = entry;
  const isPlain = text === outcome || outcome === 'sending';
  const note = text.startsWith(`${outcome} `) ? text.slice(outcome.length + 1) : text;
  const done = `${didWords(entry, screens)}${undid ? `: ${didWords(undid, screens)}` : ''}`;
  return { did: outcome === 'applied' ? done : doesWords(operation, screens), done, note: isPlain ? '' : note };
}

export type Report = NonNullable<Timeline['report']>;

/** The handover, in its own view. */
export const shownReport = ({ report, view }: Timeline): Report | undefined =>
  view === 'handover' ? report : undefined;

/** The lines of the handover that the cursor moves through. */
export const itemsOf = ({ report }: Timeline) => report?.sections.flatMap(({ items }) => items) ?? [];

/** The event under the cursor; undefined in the handover. */
const eventAt = (layer: Timeline, state: State): TimelineEvent | undefined => eventsOf(layer, state)[layer.cursor];

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

/** The newest edit under the cursor about which this can be done. */
export function entryFor(layer: Timeline, state: State, deed: EntryDeed): JournalEntry | undefined {
  return entriesAt(layer, state).findLast((entry) => allows(entry, deed));
}

function allows(entry: JournalEntry, deed: EntryDeed): boolean {
  if (deed === 'undo') return entry.undoable;
  const isOpen = entry.outcome === 'open' || entry.outcome === 'unknown';
  // The outcome of a dismissed edit can still be looked up, but the edit is not sent a second time.
  if (entry.isDismissed && deed !== 'check') return false;
  return isOpen || (deed !== 'check' && entry.repeatable === true);
}

/** The list of an edit's row. Of an undo, which belongs to no list, that of another edit of the row. */
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

/** What identifies each line, so that the cursor finds it again: its edit or notice; in the handover the first of its edits, or its text. */
export function lineKeys(layer: Timeline, state: State, messages = state.messages): readonly string[] {
  if (layer.view === 'messages') return messages.map(({ notice, at, text }) => notice ?? `${at} ${text}`);
  if (layer.view === 'handover')
    return itemsOf(layer).map(({ entries: [first], lead, name, place }) => first ?? [lead, name, place?.row].join(' '));
  return eventsOf(layer, state).map((event) =>
    event.kind === 'edit'
      ? event.entry.id
      : `${event.at} ${event.kind === 'change' ? event.change.id : event.message.text}`,
  );
}
