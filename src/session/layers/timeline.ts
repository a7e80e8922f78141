import type { Context } from '../../describe/context.ts';
import type { Screen } from '../../describe/screen.ts';
import { handoverMarkdown } from '../../journal/handover-report.ts';
import { type Copied, copiedLines, paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { offsetName } from '../../lib/time.ts';
import { readSince, startInWords } from '../../lib/typed-time.ts';
import { wholePieces } from '../../scene/board-block.ts';
import type { Line, Spans } from '../../scene/scene.ts';
import { type Room, type Speech, typing } from '../../scene/span.ts';
import { editedLine } from '../keyboard/editor.ts';
import { goTo } from '../list/cursor.ts';
import { type EntryDeed, firstShift, shifts, uncheckable } from '../outside/outside.ts';
import { confirmLayer } from '../stack/confirm.ts';
import { type LayerKind, type LayerPane, rowsPane, sameRow, stepKeys, typedLine } from '../stack/kind.ts';
import type { MessageOf, TimelineView } from '../state/message.ts';
import { type Binding, leave, type Moment, type Next, on } from '../state/moment.ts';
import type { MenuItem, State } from '../state/state.ts';
import { messageLines, pop, push, swap, withoutNotices } from '../state/state-changes.ts';
import { handoverLines, handoverSpeech } from './handover-lines.ts';
import {
  entriesAt,
  entryFor,
  entryWords,
  eventRows,
  eventsOf,
  itemsOf,
  lineKeys,
  messageAt,
  messageRows,
  messageWords,
  placeOf,
  type Report,
  shownReport,
  type Timeline,
} from './timeline-lines.ts';

/** The views in the order of Tab. */
const views: readonly TimelineView[] = ['handover', 'all', 'edits', 'changes', 'messages'];

/** The handover of the shift, and the timeline of what has happened: edits, changes of states, messages. */
export const timeline: LayerKind<Timeline> = {
  keys(layer, state, screens) {
    if (layer.asking)
      return [on(['return'], layer.asking.for === 'note' ? 'save' : 'apply', { type: 'choose' }, 1), leave(['esc'])];
    const isMessages = layer.view === 'messages';
    return [
      ...stepKeys(true),
      ...(isMessages ? messageKeys(layer, state) : eventKeys(layer, state, screens)),
      ...viewKeys(layer),
      leave(isMessages ? ['esc', 'q', '!', 'backspace'] : undefined),
    ];
  },
  place: 'body',
  lines(layer, now, room) {
    const heard = askedSpeech(layer, now);
    const report = shownReport(layer);
    if (report) return handoverPane(layer, report, heard, now, room);
    const pane = eventsPane(layer, now, room);
    return { ...pane, speech: () => ({ title: plain``, ...pane.speech?.(), part: layer.view, ...heard }) };
  },
  prompt: (layer, now, room) => layer.asking && askedLine(layer.asking, now, room),
  isShowing: true,
  takesText: (layer) => layer.asking !== undefined,
  typed: (state, layer, typed) => ({
    state: layer.asking
      ? swap(state, { ...layer, asking: { for: layer.asking.for, line: typedLine(layer.asking.line, typed) } })
      : state,
  }),
  rowKeys: (layer, world) => lineKeys(layer, world.state, world.messages),
  update: {
    moveView(state, layer, { by }) {
      const view = views[(views.indexOf(layer.view) + by + views.length) % views.length] ?? 'handover';
      return { state: swap(state, { ...layer, view, cursor: 0 }) };
    },
    saveReport: (state, layer) => ({ state, effects: [{ ask: 'saveReport', text: markdownOf(layer) }] }),
    openShiftMenu: (state, layer) => ({
      state: push(state, { kind: 'menu', title: 'Shift', items: shiftItems(layer), cursor: 0 }),
    }),
    setShift: (state, _, { shift }) => ({ state, effects: [{ ask: 'journal', shift }] }),
    openShiftStart: (state, layer) => ({
      state: swap(state, { ...layer, asking: { for: 'since', line: editedLine() } }),
    }),
    openNote: (state, layer) => ({
      state: swap(state, { ...layer, asking: { for: 'note', line: editedLine(state.note?.text) } }),
    }),
    choose: (state, layer, _, world) =>
      layer.asking ? asked(state, layer, layer.asking, world) : opened(state, layer, world),
    closeLayer: (state, layer) => ({ state: layer.asking ? swap(state, { ...layer, asking: undefined }) : pop(state) }),
    openEntry: (state, layer, _, world) => opened(state, layer, world),
    dismissNotice(state, layer, _, world) {
      const { notice = '' } = world.messages[layer.cursor] ?? {};
      // The cursor stays at its place: on the next one.
      return { state: swap(withoutNotices(state, [notice]), { ...layer }) };
    },
    openEntryMenu: (state, layer) => ({
      state: push(state, { kind: 'menu', title: 'Actions', items: entryItems(layer, state), cursor: 0 }),
    }),
    runOnEntry,
  },
};

function handoverPane(layer: Timeline, report: Report, heard: Partial<Speech>, now: Moment, room: Room): LayerPane {
  const items = itemsOf(layer).length;
  const dot = plain` ${room.theme.glyphs.dot} `;
  const about = [shiftTitle(layer), report.shift, report.by && `by ${report.by}`];
  const title: Spans = [
    { text: plain`Handover of ${paint(report.profile)}`, bold: true },
    ...about.flatMap((text) => (text ? [{ text: plain`${dot}${paint(text)}`, tone: 'dim' as const }] : [])),
  ];
  const { lines, cut } = handoverLines(report, layer.cursor, now, room);
  return {
    title: wholePieces(title, room.width - 4),
    ...(cut === undefined ? {} : { foot: [{ text: cut }] }),
    footRight: items > 0 ? [{ text: plain`${layer.cursor + 1}/${items}`, tone: 'dim' }] : [],
    lines,
    speech: () => ({ ...handoverSpeech(report, layer.cursor), part: 'handover', ...heard }),
  };
}

const nothing: Readonly<Record<TimelineView, string>> = {
  handover: 'Loading…',
  all: 'Nothing has happened yet',
  edits: 'No edits yet',
  changes: 'No state changes seen yet',
  messages: 'No messages',
};

/** The events of a view; of all, their views are named in the title. */
function eventsPane(layer: Timeline, now: Moment, room: Room): LayerPane {
  const { view, cursor, isLoading, unsettled, trouble } = layer;
  const { context, messages } = now;
  const zone = paint(offsetName(context.now, context.zone));
  const isMessages = view === 'messages';
  const events = eventsOf(layer, now.state);
  const rows = isMessages ? messageRows(messages, context, room) : eventRows(events, now, room);
  const none = unsettled ? 'Every edit has an outcome. q: continue' : nothing[view];
  const empty = isLoading && !isMessages ? 'Loading…' : (trouble ?? none);
  const head = view === 'handover' ? plain`Handover` : plain`Timeline (${zone})`;
  const title = unsettled ? plain`Edits of an earlier run without an outcome (${zone})` : head;
  const says = isMessages ? { says: () => messageWords(messages, context) } : undefined;
  const choose = { type: 'openEntry' } as const;
  const pane = rowsPane({ ...{ title, rows, cursor, choose }, empty: paint(empty), ...says }, now, room);
  return unsettled || view === 'handover'
    ? pane
    : { ...pane, title: [{ text: title, bold: true }, ...viewSpans(view)] };
}

/** ` all [edits] changes messages`. */
const viewSpans = (shown: TimelineView): Spans =>
  views.slice(1).map((view) => {
    return view === shown
      ? { text: plain` [${paint(view)}]`, bold: true }
      : { text: plain` ${paint(view)}`, tone: 'dim' };
  });

type Asking = NonNullable<Timeline['asking']>;

/** The line that asks, with what is typed and what it means. */
function askedLine({ for: subject, line: typed, error }: Asking, now: Moment, { width, theme }: Room): Line<never> {
  const isNote = subject === 'note';
  const hint = isNote
    ? 'for the next shift; empty removes it'
    : typed.text === ''
      ? '22:00, yesterday 22:00 or 6h'
      : '';
  const remark = paint(error ?? (hint === '' ? meantSince(typed.text, now.context) : hint));
  const most = isNote ? width : 30;
  const spans: Spans = [
    { text: plain` ${paint(subject)} `, tone: 'info' },
    ...typing(typed, Math.max(10, Math.min(most, width - remark.length - 10)), theme),
    { text: plain`  ${remark}`, tone: error === undefined ? 'dim' : 'bad' },
  ];
  return { spans, role: 'prompt' };
}

/** What is asked for in words. */
function askedSpeech({ asking }: Timeline, { context }: Moment): Partial<Speech> {
  if (!asking) return {};
  const { for: subject, line, error } = asking;
  const typed = paint(line.text);
  if (subject === 'note') return { prompt: plain`Note for the next shift: ${typed}` };
  return {
    remarks: [
      { about: 'means', text: paint(meantSince(line.text, context)), token: line.text },
      { about: 'error', text: error ? plain`Error: ${paint(error)}` : plain`` },
    ],
    prompt: plain`Shift since: ${typed}`,
  };
}

/** What was typed is applied: the shift begins then, or the note is kept. */
function asked(state: State, layer: Timeline, { for: subject, line }: Asking, { context }: Moment): Next {
  const closed = swap(state, { ...layer, asking: undefined });
  if (subject === 'note') {
    const text = line.text.trim();
    const note = text === '' ? undefined : { at: context.now, text };
    // It will be the last line, which may be out of sight.
    const shown = swap(closed, { ...layer, asking: undefined, cursor: lineKeys(layer, state).length });
    return { state: { ...shown, note }, effects: [{ ask: 'journal', shift: layer.shift ?? firstShift }] };
  }
  const read = readSince(line.text, context.now, context.zone);
  if (!read.ok) return { state: swap(state, { ...layer, asking: { for: subject, line, error: read.text } }) };
  return { state: closed, effects: [{ ask: 'journal', shift: { since: read.at } }] };
}

/** Enter on a line: its row, its list, or its message in full. */
function opened(state: State, layer: Timeline, world: Moment): Next {
  const message = messageAt(layer, state, world.messages);
  if (message) {
    const lines = messageLines(message, world);
    return { state: push(state, { kind: 'text', title: 'Message', lines, top: 0 }) };
  }
  const place = placeOf(layer, state, world.screens);
  return place ? goTo(state, place, world.screens) : { state };
}

/** Checks, repeats, dismisses or undoes the edit under the cursor; an undo always asks, a repeat in production. */
function runOnEntry(state: State, layer: Timeline, message: MessageOf<'runOnEntry'>, world: Moment): Next {
  const { what: subject } = message;
  const entry = entryFor(layer, state, subject);
  if (!entry) return { state };
  const { production, name } = world.context.profile;
  const done = `${entryWords(entry, world.screens).done} ${entry.target}`;
  const isAsked = subject === 'undo' || (subject === 'repeat' && production);
  if (!isAsked || message.sure) return { state, effects: [{ ask: 'entry', id: entry.id, what: subject, name: done }] };
  const where = production ? ` in production (${name})` : '';
  const question = `${subject === 'undo' ? 'Undo' : 'Send again'}${where}: ${done}?`;
  return { state: push(state, confirmLayer({ question }, { ...message, sure: true }, world)) };
}

/** The keys on a message. The notices that wait are the first rows. */
const messageKeys = ({ cursor }: Timeline, { notices }: State): readonly Binding[] => [
  on(['return'], 'show in full', { type: 'openEntry' }, 1),
  on(['d'], 'dismiss the notice', { type: 'dismissNotice' }, cursor < notices.length ? 2 : undefined, {
    refused: cursor < notices.length ? undefined : 'no notice',
  }),
];

/** The keys on an event or a line of the handover. */
function eventKeys(layer: Timeline, state: State, screens: readonly Screen[]): readonly Binding[] {
  const isLoading = layer.isLoading ? 'still loading' : undefined;
  const isDoubtful = entryFor(layer, state, 'repeat') !== undefined;
  const undo = entryFor(layer, state, 'undo') ? undefined : (isLoading ?? 'no undo recorded');
  const items = entryItems(layer, state);
  const opens = messageAt(layer, state, []) ?? placeOf(layer, state, screens);
  const none = entriesAt(layer, state).length > 0 ? items[0]?.refused : 'no edit';
  return [
    on(['return'], 'open', { type: 'openEntry' }, 2, {
      help: 'Open its row',
      refused: opens ? undefined : (isLoading ?? 'no row'),
    }),
    on(['x'], 'actions', { type: 'openEntryMenu' }, isDoubtful || layer.unsettled ? 3 : undefined, {
      help: 'Check again, send again or dismiss an edit whose outcome is unknown',
      refused: items.every(({ refused }) => refused !== undefined) ? (isLoading ?? none) : undefined,
    }),
    on(['u'], 'undo', { type: 'runOnEntry', what: 'undo' }, undo === undefined ? 6 : undefined, {
      help: 'Undo this edit; asks first',
      refused: undo,
    }),
  ];
}

/** What can be done about the edit under the cursor whose outcome is in doubt. */
function entryItems(layer: Timeline, state: State): readonly MenuItem[] {
  const edits = entriesAt(layer, state);
  const known = edits.some(({ isDismissed }) => isDismissed)
    ? 'sent again or dismissed already'
    : 'its outcome is known already';
  const why = edits.some(({ outcome }) => outcome === 'sending') ? 'still being sent' : known;
  const item = (key: string, label: string, hint: string, subject: EntryDeed, refused?: string): MenuItem => ({
    ...{ id: subject, key, label, hint, run: { type: 'runOnEntry', what: subject } },
    refused: refused ?? (entryFor(layer, state, subject) ? undefined : why),
  });
  const doubtful = entryFor(layer, state, 'check');
  const unread = doubtful && !doubtful.checkable ? uncheckable : undefined;
  return [
    item('c', 're-check', 'Check whether it was applied', 'check', unread),
    item('r', 'retry', 'Send it again', 'repeat'),
    item('f', 'dismiss', 'Leave it as is and stop asking', 'forget'),
  ];
}

/** The keys of a view; an earlier run's edits without an outcome have no other one. */
function viewKeys(layer: Timeline): readonly Binding[] {
  if (layer.unsettled) return [];
  const next = on(['tab', ']'], layer.view === 'handover' ? 'timeline' : 'next view', { type: 'moveView', by: 1 }, 9, {
    help: 'Handover, all events, edits, state changes, messages',
  });
  const last = on(['shift+tab', '['], 'last view', { type: 'moveView', by: -1 });
  if (layer.view !== 'handover') return [next, last];
  const refused = layer.isLoading ? 'still loading' : undefined;
  return [
    on(['y'], 'copy', { type: 'copyText', what: 'the handover', text: markdownOf(layer) }, 1, {
      help: 'Copy the handover as Markdown',
      refused,
    }),
    on(['T'], 'shift', { type: 'openShiftMenu' }, 10, { help: 'Change how far back the handover goes' }),
    on(['e'], 'note', { type: 'openNote' }, 8, { help: 'Write a note for the next shift', refused }),
    on(['ctrl+s'], 'save', { type: 'saveReport' }, 7, { help: 'Write the handover as Markdown into a file', refused }),
    next,
    last,
  ];
}

function shiftItems({ shift = firstShift }: Timeline): readonly MenuItem[] {
  const title = (hours: number) => (hours === 24 * 7 ? 'last week' : `last ${hours}h`);
  const fixed = shifts.map((choice, place): MenuItem => {
    const hint = JSON.stringify(choice) === JSON.stringify(shift) ? 'current' : undefined;
    const label = 'hours' in choice ? title(choice.hours) : '';
    return { ...{ id: label, key: `${place + 1}`, label, hint }, run: { type: 'setShift', shift: choice } };
  });
  const typed = { id: 'since', key: 't', label: 'since…', hint: '22:00, yesterday 22:00 or 6h' };
  return [...fixed, { ...typed, run: { type: 'openShiftStart' } }];
}

const markdownOf = ({ report }: Timeline): Copied => copiedLines(report ? handoverMarkdown(report).split('\n') : []);

/** `last 8h`; undefined where its start was typed. */
export const shiftTitle = ({ shift = firstShift }: Pick<Timeline, 'shift'>) =>
  'hours' in shift ? `last ${shift.hours}h` : undefined;

/** What the typed start of the shift means so far; empty while it means nothing. */
function meantSince(typed: string, { now, zone }: Pick<Context, 'now' | 'zone'>): string {
  const read = readSince(typed, now, zone);
  return read.ok ? startInWords(read.at, now, zone) : '';
}

/** Entries were read: they take their place in the open timeline, with the cursor on its line. Those of an earlier run open it. */
export function journalRead(state: State, message: MessageOf<'journalRead'>): State {
  const { entries, changes = [], unsettled, trouble, report, shift = firstShift } = message;
  const top = state.layers.at(-1);
  // Whoever left before it was read does not want it back.
  if (top?.kind !== 'timeline' && !unsettled) return state;
  const view = unsettled ? 'edits' : 'handover';
  const layer: Timeline = { kind: 'timeline', view, entries, changes, cursor: 0, unsettled, trouble, report, shift };
  if (top?.kind !== 'timeline') return push(state, layer);
  const next = { ...layer, view: top.view, asking: top.asking };
  const cursor =
    top.view === 'messages' ? top.cursor : sameRow(lineKeys(next, state), lineKeys(top, state), top.cursor);
  return swap(state, { ...next, cursor });
}
