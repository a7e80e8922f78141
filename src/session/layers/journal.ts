import type { Context } from '../../describe/context.ts';
import type { Screen } from '../../describe/screen.ts';
import { handoverMarkdown } from '../../journal/handover-markdown.ts';
import { type Copied, copiedLines } from '../../lib/copied-text.ts';
import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { readSince, startInWords } from '../../lib/start-time.ts';
import { exactTime } from '../../lib/time-text.ts';
import { offsetName } from '../../lib/zone.ts';
import { wholePieces } from '../../scene/board-block.ts';
import type { Line, Spans } from '../../scene/scene.ts';
import type { Speech } from '../../scene/speech.ts';
import { typing } from '../../scene/typing.ts';
import { editedLine } from '../keyboard/line.ts';
import { goTo } from '../list/go-to-place.ts';
import { type JournalEntry, uncheckable } from '../outside/outside.ts';
import type { LayerKind, LayerPane, Room } from '../stack/kind.ts';
import { rowsPane } from '../stack/row-lines.ts';
import { stepKeys, typedLine } from '../stack/stepping.ts';
import { type Binding, leave, on } from '../state/binding.ts';
import { didWords, doesWords, firstShift, listOfAction, nextShift } from '../state/handover.ts';
import type { LayerOf } from '../state/layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { pop, push, swap } from '../state/state-changes.ts';
import { reportLines, reportSpeech } from './report-lines.ts';

type Journal = LayerOf<'journal'>;
type What = Extract<Message, { type: 'runOnEntry' }>['what'];

/** The hand-over of the shift; behind Tab all edits of the journal and their outcomes. */
export const journal: LayerKind<Journal> = {
  keys(layer) {
    if (layer.since) return [on(['return'], 'apply', { type: 'choose' }, 1), leave(['esc'], 'back')];
    return [...stepKeys(true), ...entryKeys(layer), ...reportKeys(layer), leave()];
  },
  place: 'body',
  lines(layer, now, room) {
    const report = shownReport(layer);
    const heard = sinceSpeech(layer, now);
    if (!report) {
      const pane = entriesPane(layer, now, room);
      return { ...pane, speech: () => ({ title: plain``, ...pane.speech?.(), part: 'edits', ...heard }) };
    }
    const items = itemsOf(layer).length;
    const dot = plain` ${room.theme.glyphs.dot} `;
    const about = [shiftTitle(layer), report.shift, report.by && `by ${report.by}`];
    const title: Spans = [
      { text: plain`Hand-over of ${paint(report.profile)}`, bold: true },
      ...about.flatMap((text) => (text ? [{ text: plain`${dot}${paint(text)}`, tone: 'dim' as const }] : [])),
    ];
    return {
      title: wholePieces(title, room.width - 4),
      footRight: items > 0 ? [{ text: plain`${layer.cursor + 1}/${items}`, tone: 'dim' }] : [],
      lines: reportLines(report, layer.cursor, now, room),
      speech: () => ({ ...reportSpeech(report, layer.cursor), part: 'report', ...heard }),
    };
  },
  prompt: (layer, now, room) => layer.since && sinceLine(layer, now, room),
  isShowing: true,
  takesText: (layer) => layer.since !== undefined,
  typed: (state, layer, typed) => ({
    state: swap(state, { ...layer, since: { line: typedLine(layer.since?.line ?? editedLine(), typed) } }),
  }),
  rows: (layer) => (shownReport(layer) ? itemsOf(layer) : layer.entries),
  update: {
    toggleRawEntries: (state, layer) => ({ state: swap(state, { ...layer, isRaw: !layer.isRaw, cursor: 0 }) }),
    saveReport: (state, layer) => ({ state, effects: [{ ask: 'saveReport', text: markdownOf(layer) }] }),
    changeShift: (state, layer) => ({
      state,
      effects: [{ ask: 'journal', shift: nextShift(layer.shift ?? firstShift) }],
    }),
    openShiftStart: (state, layer) => ({ state: swap(state, { ...layer, since: { line: editedLine() } }) }),
    choose(state, layer, _, { context }) {
      if (!layer.since) return { state };
      const read = readSince(layer.since.line.text, context.now, context.zone);
      if (!read.ok) return { state: swap(state, { ...layer, since: { ...layer.since, error: read.text } }) };
      return {
        state: swap(state, { ...layer, since: undefined }),
        effects: [{ ask: 'journal', shift: { since: read.at } }],
      };
    },
    closeLayer: (state, layer) => ({ state: layer.since ? swap(state, { ...layer, since: undefined }) : pop(state) }),
    openEntry(state, layer, _, { screens }) {
      const { list, row } = targetOf(layer, screens) ?? {};
      return { state: list === undefined || !row ? state : goTo(pop(state), { list, row }, screens) };
    },
    runOnEntry(state, layer, message, world) {
      const { what: subject } = message;
      const entry = entryFor(layer, subject);
      if (!entry) return { state };
      const { production, name } = world.context.profile;
      const isEdit = subject === 'undo' || subject === 'repeat';
      const done = `${entryWords(entry, world.screens).done} ${entry.target}`;
      if (!production || message.sure || !isEdit)
        return { state, effects: [{ ask: 'entry', id: entry.id, what: subject, name: done }] };
      const question = `${subject === 'undo' ? 'Undo' : 'Send again'} in production (${name}): ${done}?`;
      return {
        state: push(state, {
          kind: 'confirm',
          confirm: { question, details: [] },
          typed: editedLine(),
          yes: { ...message, sure: true },
        }),
      };
    },
  },
};

/** The edits of the journal and their outcomes. */
function entriesPane(layer: Journal, now: Moment, room: Room): LayerPane {
  const { entries, cursor, isLoading, isRaw, unsettled, trouble } = layer;
  const { context, screens } = now;
  const rows = entries.map((entry): Spans => {
    const { did, target, said: outcomeText } = entryWords(entry, screens);
    const tone = entry.outcome === 'applied' ? 'good' : entry.outcome === 'refused' ? 'warn' : 'bad';
    return [
      { text: plain`${paint(exactTime(entry.at, context.zone))}  `, tone: 'dim' },
      { text: plain`${paint(entry.outcome.padEnd(8))} `, tone },
      { text: plain`${paint(did)} ` },
      { text: paint(target), tone: 'strong' },
      { text: outcomeText === '' ? plain`` : plain`  ${paint(outcomeText)}`, tone: 'dim' },
    ];
  });
  const noEdits = unsettled ? plain`Every edit has an outcome: q continues` : plain`No edits yet`;
  const none = isLoading ? plain`Loading…` : noEdits;
  const zone = paint(offsetName(context.now, context.zone));
  const edits = unsettled ? plain`Edits of an earlier run without an outcome (${zone})` : plain`All edits (${zone})`;
  return rowsPane(
    {
      title: isLoading && !isRaw ? plain`Hand-over` : edits,
      rows,
      cursor,
      choose: { type: 'openEntry' },
      empty: trouble === undefined ? none : paint(trouble),
    },
    now,
    room,
  );
}

/** The start of the shift as it is typed, with what it means or why it was refused. */
function sinceLine(layer: Journal, { context }: Moment, { width, theme }: Room): Line<never> {
  const { line: typed = editedLine(), error } = layer.since ?? {};
  const said = paint(error ?? (typed.text === '' ? '22:00, yesterday 22:00 or 6h' : meantSince(layer, context)));
  const spans: Spans = [
    { text: plain` since `, tone: 'info' },
    ...typing(typed, Math.max(10, Math.min(30, width - said.length - 10)), theme),
    { text: plain`  ${said}`, tone: error === undefined ? 'dim' : 'bad' },
  ];
  return { spans, role: 'prompt' };
}

/** The start of the shift as it is typed, in words. */
const sinceSpeech = (layer: Journal, { context }: Moment): Partial<Speech> =>
  layer.since
    ? {
        remarks: [
          { about: 'means', text: paint(meantSince(layer, context)), token: layer.since.line.text },
          { about: 'error', text: layer.since.error ? plain`Error: ${paint(layer.since.error)}` : plain`` },
        ],
        prompt: plain`Shift since: ${paint(layer.since.line.text)}`,
      }
    : {};

/** What can be done about the edit under the cursor. */
function entryKeys(layer: Journal): readonly Binding[] {
  const isReport = shownReport(layer) !== undefined;
  const doubtful = entryFor(layer, 'check');
  // Where nothing is in doubt, the keys for it are in the help.
  const isNamed = isReport ? doubtful !== undefined : layer.entries.some((entry) => isFor(entry, 'repeat'));
  const hint = (place: number) => (isNamed ? place : undefined);
  const key = (keys: string[], title: string, what: What, place: number | undefined, why: string) =>
    on(keys, title, { type: 'runOnEntry', what }, place, { refused: entryFor(layer, what) ? undefined : why });
  const isLoading = layer.isLoading ? 'still loading' : undefined;
  const isSending = entriesAt(layer).some(({ outcome }) => outcome === 'sending')
    ? 'still being sent'
    : entriesAt(layer).some(({ isDismissed }) => isDismissed)
      ? 'sent again or dismissed already'
      : 'its outcome is known already';
  const noRead = doubtful ? uncheckable : isSending;
  return [
    on(['return'], 'open', { type: 'openEntry' }, 2, {
      help: 'Open its row',
      refused: hasRow(layer) ? undefined : (isLoading ?? 'no row'),
    }),
    on(['c'], 're-check', { type: 'runOnEntry', what: 'check' }, hint(3), {
      refused: doubtful?.checkable ? undefined : noRead,
    }),
    key(['r'], 'retry', 'repeat', hint(4), isSending),
    key(['f'], 'dismiss', 'forget', hint(5), isSending),
    key(['u'], 'undo', 'undo', 6, isLoading ?? 'no undo recorded'),
  ];
}

/** The keys of the report, where there is one. */
function reportKeys(layer: Journal): readonly Binding[] {
  if (layer.report === undefined && !layer.isLoading) return [];
  const refused = layer.isLoading ? 'still loading' : undefined;
  const tab = on(['tab'], layer.isRaw ? 'hand-over' : 'edits', { type: 'toggleRawEntries' }, 9, {
    help: 'Switch between the hand-over of the shift and all edits',
  });
  if (layer.isRaw) return [tab];
  return [
    on(['y'], 'copy', { type: 'copyText', what: 'the hand-over report', text: markdownOf(layer) }, 1, {
      help: 'Copy the report as Markdown',
      refused,
    }),
    on(['t'], 'shift', { type: 'changeShift' }, 7, {
      help: 'Change how far back the report goes: 8, 12 or 24 hours, or a week',
    }),
    on(['s'], 'since', { type: 'openShiftStart' }, 8, {
      help: 'Type when the shift began: 22:00, yesterday 22:00, or 6h',
    }),
    on(['ctrl+s'], 'save', { type: 'saveReport' }, 10, { help: 'Write the report as Markdown into a file', refused }),
    tab,
  ];
}

/** The report where it is what is shown. */
const shownReport = ({ report, isRaw }: Journal) => (isRaw ? undefined : report);

/** The lines of the report that the cursor moves through. */
const itemsOf = ({ report }: Journal) => report?.sections.flatMap(({ items }) => items) ?? [];

const markdownOf = ({ report }: Journal): Copied => copiedLines(report ? handoverMarkdown(report).split('\n') : []);

/** The edits under the cursor, oldest first. */
function entriesAt(layer: Journal): readonly JournalEntry[] {
  if (!shownReport(layer)) return layer.entries.slice(layer.cursor, layer.cursor + 1);
  const byId = new Map(layer.entries.map((entry) => [entry.id, entry]));
  return itemsOf(layer)[layer.cursor]?.entries.flatMap((id) => byId.get(id) ?? []) ?? [];
}

/** The edit under the cursor that this can be done about, the newest first. */
function entryFor(layer: Journal, what: What): JournalEntry | undefined {
  return entriesAt(layer).findLast((entry) => isFor(entry, what));
}

function isFor(entry: JournalEntry, subject: What): boolean {
  if (subject === 'undo') return entry.undoable;
  const isOpen = entry.outcome === 'open' || entry.outcome === 'unknown';
  // The outcome of a dismissed edit can still be looked up, but the edit is not sent a second time.
  if (entry.isDismissed && subject !== 'check') return false;
  return isOpen || (subject !== 'check' && entry.repeatable === true);
}

const hasRow = (layer: Journal): boolean =>
  shownReport(layer)
    ? itemsOf(layer)[layer.cursor]?.place !== undefined
    : Boolean(layer.entries[layer.cursor]?.targetId);

/** What an edit did or tried, to what, and what its outcome does not say: `muted`, `Disk`, `after 2 attempts`. */
function entryWords(entry: JournalEntry, screens: readonly Screen[]) {
  const { operation, target, outcome, text, undid } = entry;
  const isSaid = text === outcome || outcome === 'sending';
  const said = text.startsWith(`${outcome} `) ? text.slice(outcome.length + 1) : text;
  const done = `${didWords(entry, screens)}${undid ? `: ${didWords(undid, screens)}` : ''}`;
  return { did: outcome === 'applied' ? done : doesWords(operation, screens), done, target, said: isSaid ? '' : said };
}

/** The list of an edit's row; an undo is of the list of the edit that it undid. */
const listOf = ({ operation, targetId }: JournalEntry, { entries }: Journal, screens: readonly Screen[]) =>
  [operation, ...entries.flatMap((other) => (other.targetId === targetId ? [other.operation] : []))]
    .map((action) => listOfAction(action, screens))
    .find((list) => list !== undefined);

/** The row under the cursor. */
function targetOf(layer: Journal, screens: readonly Screen[]) {
  if (shownReport(layer)) return itemsOf(layer)[layer.cursor]?.place;
  const entry = layer.entries[layer.cursor];
  return entry && { list: listOf(entry, layer, screens)?.id, row: entry.targetId };
}

/** `last 8h`; undefined where its start was typed. */
export const shiftTitle = ({ shift = firstShift }: Journal) => ('hours' in shift ? `last ${shift.hours}h` : undefined);

/** What the typed start of the shift means so far; empty while it means nothing. */
export function meantSince({ since }: Journal, { now, zone }: Pick<Context, 'now' | 'zone'>): string {
  const read = since && readSince(since.line.text, now, zone);
  return read?.ok ? startInWords(read.at, now, zone) : '';
}

/** Entries were read: they take their place in the open journal, with the cursor on its line. Those of an earlier run open it. */
export function journalRead(state: State, message: Extract<Message, { type: 'journalRead' }>): State {
  const { entries, unsettled, trouble, report, shift = firstShift } = message;
  const top = state.layers.at(-1);
  // Whoever left before it was read does not want it back.
  if (top?.kind !== 'journal' && !unsettled) return state;
  const layer: Journal = { kind: 'journal', entries, cursor: 0, unsettled, trouble, report, shift };
  if (top?.kind !== 'journal') return push(state, layer);
  const next = { ...layer, since: top.since, isRaw: top.isRaw ?? false };
  return swap(state, { ...next, cursor: cursorIn(next, top) });
}

/** The cursor on the line that it was on; where that line has gone, on the one that took its place. */
function cursorIn(layer: Journal, before: Journal): number {
  const at = linesOf(before)[before.cursor];
  const lines = linesOf(layer);
  const same = at === undefined ? -1 : lines.indexOf(at);
  return same >= 0 ? same : Math.min(before.cursor, Math.max(0, lines.length - 1));
}

/** What each line is known by: its edit; of a report the first of its edits, or its text. */
const linesOf = (layer: Journal): readonly string[] =>
  shownReport(layer)
    ? itemsOf(layer).map(({ entries: [first], lead, name, place }) => first ?? [lead, name, place?.row].join(' '))
    : layer.entries.map(({ id }) => id);
