import { type Painted, plain } from '../../lib/painted.ts';
import { wrap } from '../../lib/text.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import { choosable, windowAt } from '../../scene/span.ts';
import { spanText } from '../../scene/speech.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { LayerPane, Room } from './kind.ts';

/** What goes somewhere, asks or shows: nothing of it sends an edit. */
const harmless: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'openScreen',
  'openPlace',
  'openSubject',
  'openView',
  'openViewMenu',
  'openTimeline',
  'openProfiles',
  'openHelp',
  'openPalette',
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
