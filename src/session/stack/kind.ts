import type { Context, Source } from '../../describe/context.ts';
import type { Pick } from '../../describe/picks.ts';
import type { Screen } from '../../describe/screen.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { wrap } from '../../lib/text.ts';
import { asLines, type Line, type Pane, type Spans } from '../../scene/scene.ts';
import { choosable, type Room, spanText, typing, windowAt } from '../../scene/span.ts';
import type { Theme } from '../../scene/theme.ts';
import { type EditedLine, edit, insert } from '../keyboard/editor.ts';
import { type Message, type MessageOf, opensOver, type TopMessage } from '../state/message.ts';
import { type Binding, leave, type Moment, type Next, on } from '../state/moment.ts';
import type { Layer, State } from '../state/state.ts';
import { swap } from '../state/state-changes.ts';

/** Typed or pasted text; where it is empty, an editing key by its name. */
export interface TypedText {
  readonly text: string;
  readonly key: string;
}

type Handler<L, M> = (state: State, layer: L, message: M, world: Moment) => Next;

/** The handlers of a layer, one for each message that it takes. */
type Handlers<L> = {
  readonly [K in TopMessage['type']]?: Handler<L, MessageOf<K>>;
};

/** What is drawn of a layer. */
export interface LayerPane extends Pane<Message> {
  /** Lines that a panel needs inside its border, where not as many as it has. */
  readonly needs?: number;
  /** Cells with its border where another pane stands beside it. */
  readonly width?: number;
  readonly beside?: Pane<Message>;
  /** Whether the lines of the pane stand in place of the hints, too. */
  readonly hasHints?: boolean;
}

/** Over the body, in a panel below the list, or in place of the message. */
export type SketchPlace = 'body' | 'panel' | 'foot';

/** The keys, behavior and lines of one kind of layer. Pure. */
export interface LayerKind<L extends Layer> {
  /** The keys of the layer while it is on top. */
  keys(layer: L, state: State, screens: readonly Screen[], context: Context): readonly Binding[];
  readonly place: SketchPlace | ((layer: L) => SketchPlace);
  /** Whether the layer has no border: its room is all of its place. */
  readonly isBare?: true;
  /** `room`: that inside its border. */
  lines(layer: L, now: Moment, room: Room): LayerPane;
  /** The line that is typed into, in place of the message; undefined where there is none. */
  prompt?(layer: L, now: Moment, room: Room): Line<Message> | undefined;
  /** Whether it asks for nothing: the keys of everywhere lead away from it. */
  readonly isShowing?: true;
  /** Whether keys without a binding are text for this layer. */
  takesText(layer: L): boolean;
  /** Why keys without a binding do nothing now, where that is worth more than the name of the key. */
  refuses?(layer: L): string | undefined;
  /** Handlers of messages. Without one, `pop` closes the layer, `step` moves its cursor, and others do nothing. */
  readonly update: Handlers<L>;
  /** Handles text for its line. */
  typed?(state: State, layer: L, typed: TypedText, world: Moment): Next;
  /** What identifies each row that its cursor moves through, so that it stays on its row where others come and go. */
  rowKeys?(layer: L, world: Moment): readonly string[];
  /** Whether what is nearest to what is typed comes first: a cursor on the first row stays there. */
  nearestFirst?(layer: L): boolean;
  /** What is read while the layer is on top. */
  reads?(layer: L): Source<Pick>;
  /** The question whose answer sends an edit or loses a secret; the same object as long as it is asked. */
  question?(layer: L): object | undefined;
  /** What a person must have seen before a key chooses, by identity; undefined where it is known unseen. */
  choice?(layer: L, world: Moment): object | undefined;
}

/** Bindings that move a cursor through rows, or lines; `letters`: with letter keys, where no text is typed. `hint`: the place of one line and one page down in the footer. */
export const stepKeys = (letters: boolean, hint?: number): Binding[] => {
  const step = (keys: string[], title: string, by: number) =>
    on(keys, title, { type: 'moveInLayer', by }, by > 0 && by < 1e9 ? hint : undefined, { group: 'move' });
  return [
    step(letters ? ['j', 'down'] : ['down', 'ctrl+n'], 'down', 1),
    step(letters ? ['k', 'up'] : ['up', 'ctrl+p'], 'up', -1),
    step(letters ? ['ctrl+d', 'pagedown'] : ['pagedown'], 'page down', 10),
    step(letters ? ['ctrl+u', 'pageup'] : ['pageup'], 'page up', -10),
    ...(letters ? [step(['g', 'home'], 'top', -1e9), step(['G', 'end'], 'bottom', 1e9)] : []),
  ];
};

/** What a pick list takes besides its text: `/` before the first letter as in lists, and Backspace leaves only then. */
export const textKeys = ({ typing, query }: { readonly typing: boolean; readonly query: EditedLine }): Binding[] =>
  typing || query.text !== ''
    ? [leave(['esc'])]
    : [on(['/'], 'filter', { type: 'startTyping' }), leave(['esc', 'backspace'])];

/** Moves the cursor of the layer on top by rows, within their bounds. */
export const stepped = (state: State, layer: Extract<Layer, { cursor: number }>, by: number, rows: number): Next => ({
  state: swap(state, { ...layer, cursor: Math.max(0, Math.min(rows - 1, layer.cursor + by)) }),
});

/** The place of the row that the cursor was on; where that row has gone, of the one that took its place. */
export function sameRow(rows: readonly string[], before: readonly string[], cursor: number): number {
  const row = before[cursor];
  // Two rows may be named alike.
  const same = row === undefined ? -1 : rows[cursor] === row ? cursor : rows.indexOf(row);
  return same >= 0 ? same : Math.min(cursor, Math.max(0, rows.length - 1));
}

/** The line after text or an editing key. */
export const typedLine = (line: EditedLine, { text, key }: TypedText): EditedLine =>
  text !== '' ? insert(line, text) : (edit(line, key) ?? line);

/** The line after `/` in which a text is typed, in place of the message. */
export const promptLine = (line: EditedLine, width: number, theme: Theme): Line<never> => ({
  spans: [{ text: plain` /`, tone: 'info' }, ...typing(line, width - 3, theme)],
  role: 'prompt',
});

/** What goes somewhere, asks or shows: nothing of it sends an edit. */
const harmless: ReadonlySet<Message['type']> = new Set<Message['type']>([
  ...opensOver,
  'openScreen',
  'openPlace',
  'openSubject',
  'openView',
  'openViewMenu',
  'openJobs',
  'setSort',
  'openSortMenu',
  'setTimeRange',
  'openTimeMenu',
  'openFilter',
  'openSearch',
  'openFind',
  'togglePreview',
  'refresh',
  'togglePause',
  'setTheme',
  'toggleMouse',
  'copyText',
  'copyId',
  'openCopyMenu',
  'openCommandMenu',
  'showLink',
  'openLink',
]);

/** What choosing an item does, where that cannot send an edit. */
export const chooses = (item: { readonly run: Message } | undefined): Message | undefined =>
  harmless.has(item?.run.type ?? 'askQuit') ? { type: 'choose' } : undefined;

/** What choosing a row sends: the cursor goes there; of the row under it, `choose`, or that it takes a key. */
export function rowSends(row: number, cursor: number, choose: Message | undefined, { context }: Moment): Message {
  if (row !== cursor) return { type: 'moveInLayer', by: row - cursor };
  return (
    choose ?? {
      type: 'showFlash',
      flash: { text: 'Enter chooses it: a click never sends an edit', tone: 'info', at: context.now },
    }
  );
}

/** Rows with a cursor, and what choosing the one under it does; undefined where that might send an edit. */
interface Rows {
  readonly rows: readonly Spans[];
  readonly cursor: number;
  readonly choose: Message | undefined;
}

/** The rows that fit, around the one under the cursor. */
export function rowLines({ rows, cursor, choose }: Rows, now: Moment, { width, height, theme }: Room): Line<Message>[] {
  const top = windowAt(cursor, height, rows.length);
  return rows.slice(top, top + Math.max(0, height)).map((spans, line) => ({
    spans: choosable(spans, width, top + line === cursor, theme),
    role: 'row',
    isCursor: top + line === cursor,
    send: rowSends(top + line, cursor, choose, now),
  }));
}

/** The rows of a menu that fit. It scrolls when the cursor leaves it, and is drawn by a package that marks the chosen row. */
export function menuLines(
  { rows, cursor, choose }: Rows,
  now: Moment,
  { width, height, theme }: Room,
): Line<Message>[] {
  const index = Math.max(0, Math.min(cursor, rows.length - 1));
  const shown = Math.max(0, Math.min(rows.length, height));
  const top = Math.max(0, index - shown + 1);
  return rows.slice(top, top + shown).map((spans, line) => ({
    spans: choosable(spans, width, top + line === index, { ...theme, selected: {} }),
    role: 'choice',
    isCursor: top + line === index,
    send: rowSends(top + line, index, choose, now),
  }));
}

/** The foot of a list of `count` rows with room for fewer: where its cursor is, `3/40`. */
export const placeIn = (count: number, cursor: number, room: number): Spans =>
  count > room ? [{ text: plain`${Math.min(cursor, count - 1) + 1}/${count}`, tone: 'dim' }] : [];

/** Rows with a cursor over the body, or what stands in their place. `says`: the rows in words, where not those of their spans. */
export function rowsPane(
  {
    title,
    empty,
    says: describe,
    ...list
  }: Rows & { readonly title: Painted; readonly empty: Painted; readonly says?: () => readonly Painted[] },
  now: Moment,
  room: Room,
): LayerPane {
  const { rows, cursor } = list;
  return {
    title: [{ text: title, bold: true }],
    speech: () => ({ title, rows: { texts: describe?.() ?? rows.map(spanText), at: cursor, none: empty } }),
    footRight: rows.length > 0 ? [{ text: plain`${cursor + 1}/${rows.length}`, tone: 'dim' }] : [],
    lines:
      rows.length > 0
        ? rowLines(list, now, room)
        : asLines(wrap(empty, room.width - 2).map((text) => [{ text: plain` ${text}`, tone: 'dim' }])),
  };
}
