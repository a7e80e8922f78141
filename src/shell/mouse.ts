import { screenAt } from '../../components/Header.tsx';
import { spanCells } from '../../components/span.ts';
import { tabAt } from '../../components/Tabs.tsx';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import type { MouseEvent } from '../session/keys/keyboard.ts';
import type { DetailView } from '../session/list/detail-view.ts';
import { insideDetail, windowTop } from '../session/list/geometry.ts';
import type { Message } from '../session/message.ts';
import type { Now } from '../session/now.ts';
import type { Session } from '../session/session.ts';
import type { View } from '../session/view.ts';
import { lineAt } from './BoardPane.tsx';
import { footLines } from './foot.ts';
import { freshSpans, hostOf, profileSpans, stripOf } from './header.ts';
import { titleOf } from './list-title.ts';
import { layerMessage } from './mouse-layers.ts';

/** Rows that one turn of the wheel moves by. */
const wheelRows = 3;
/** Cells of a border, and of the gap behind its corner. */
const corner = 2;
/** Lines above the first row of a list: the header, the border with the title, the heads of the columns. */
const aboveRows = 3;

/**
 * What an event of the mouse does, from where it is on the screen as it is drawn: the wheel moves by rows; a click on a
 * screen of the strip or on a tab turns to it, one on a row moves the cursor there, and opens the row under the cursor.
 * No click sends an edit. Undefined where nothing is.
 */
export function mouseMessage(event: MouseEvent, session: Session, theme: Theme, behind: boolean): Message | undefined {
  const now = session.now();
  const { state, view } = now;
  const { kind, column, row } = event;
  const top = state.layers.at(-1);
  if (kind !== 'press') {
    const by = kind === 'down' ? wheelRows : -wheelRows;
    return top ? { do: 'step', by } : { do: 'move', by };
  }
  if (top) return layerMessage(top, event, now, theme);
  if (row === 0) {
    const header = {
      profile: profileSpans(session, theme),
      screens: stripOf(session, now),
      host: hostOf(session),
      right: freshSpans(session, now, theme, behind),
      width: state.size.columns,
      theme,
    };
    const place = screenAt(header, column);
    const key = place === undefined ? undefined : header.screens[place]?.key;
    const to = session.screens.find((screen) => screen.key !== undefined && screen.key === key);
    return to && { do: 'screen', id: to.id };
  }
  const height = view.room.bodyRows - (footLines(now, state.size.columns, theme).length - 2);
  if (view.list.board) {
    const id = lineAt(now, view.room.detailWidth, height, { column, row: row - 1 });
    return id === undefined ? undefined : clicked(view.places.get(id), view.at);
  }
  return view.detail
    ? detailMessage(view.detail, view, height, column, row)
    : listMessage(now, theme, height, column, row);
}

/** Opens the row under the cursor; else the cursor moves to the row that was clicked. */
function clicked(place: number | undefined, at: number): Message | undefined {
  if (place === undefined) return undefined;
  return place === at ? { do: 'open' } : { do: 'move', by: place - at };
}

function listMessage(now: Now, theme: Theme, height: number, column: number, row: number): Message | undefined {
  const { view } = now;
  const lines = height - Math.min(view.room.previewRows, Math.max(0, height - 8));
  if (row > lines || column >= view.room.listWidth) return undefined;
  const top = windowTop(view.own.top, view.at, Math.max(1, lines - 3), view.ids.length);
  if (row === 1) {
    const shown = view.ids.slice(top, top + lines - 3);
    let from = corner;
    for (const span of titleOf(now, theme, view.room.listWidth - 4, shown)) {
      const until = from + spanCells([span]);
      const to = view.screen.lists.findIndex((list) => list.id !== view.list.id && paint(list.title) === span.text);
      if (to >= 0 && column >= from && column < until)
        return { do: 'tab', by: to - view.screen.lists.findIndex(({ id }) => id === view.list.id) };
      from = until;
    }
    return undefined;
  }
  const at = top + row - aboveRows;
  return row < aboveRows || row >= lines || view.ids[at] === undefined ? undefined : clicked(at, view.at);
}

/** On a detail: its tabs, and the rows of one with rows, which nothing opens. */
function detailMessage(
  { tabs, tabAt: open, tab, subRowAt }: DetailView,
  view: View,
  height: number,
  column: number,
  row: number,
): Message | undefined {
  if (row === 2) {
    const titles = tabs.map(({ id, title }) => ({ id, title: paint(title) }));
    const to = tabAt({ tabs: titles, tab: open, width: insideDetail(view.room.detailWidth) }, column - corner);
    return to === undefined || to === open ? undefined : { do: 'tab', by: to - open };
  }
  if (tab.kind !== 'rows') return undefined;
  const room = Math.max(1, height - 4);
  const top = windowTop(view.own.detail?.top ?? 0, subRowAt, room, tab.rows.length);
  const at = top + row - aboveRows - 1;
  const isRow = row > aboveRows && row < height && tab.rows[at] !== undefined && at !== subRowAt;
  return isRow ? { do: 'move', by: at - subRowAt } : undefined;
}
