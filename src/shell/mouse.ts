import { screenAt } from '../../components/Header.tsx';
import { spanCells } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import type { MouseEvent } from '../session/keys/keyboard.ts';
import { windowTop } from '../session/list/geometry.ts';
import type { Message } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import { footRows } from './Foot.tsx';
import { freshSpans, hostOf, profileSpans, stripOf } from './header.ts';
import { titleOf } from './list-title.ts';

/** Rows that one turn of the wheel moves by. */
const wheelRows = 3;
/** Cells of a border, and of the gap behind its corner. */
const corner = 2;
/** Lines above the first row of a list: the header, the border with the title, the heads of the columns. */
const aboveRows = 3;

/**
 * What an event of the mouse does, from where it is on the screen as it is drawn: the wheel moves by rows; a click on a
 * screen of the strip or on a tab turns to it, one on a row moves the cursor there, and opens the row under the cursor.
 * Undefined where nothing is.
 */
export function mouseMessage(event: MouseEvent, session: Session, theme: Theme, behind: boolean): Message | undefined {
  const now = session.now();
  const { state, view } = now;
  const { kind, column, row } = event;
  if (kind !== 'press') {
    const by = kind === 'down' ? wheelRows : -wheelRows;
    return state.layers.length > 0 ? { do: 'step', by } : { do: 'move', by };
  }
  if (state.layers.length > 0) return undefined;
  if (row === 0) {
    const header = {
      profile: profileSpans(session, now, theme),
      screens: stripOf(session, now),
      host: hostOf(session, now),
      right: freshSpans(session, now, theme, behind),
      width: state.size.columns,
      theme,
    };
    const place = screenAt(header, column);
    const key = place === undefined ? undefined : header.screens[place]?.key;
    const to = session.screens.find((screen) => screen.key !== undefined && screen.key === key);
    return to && { do: 'screen', id: to.id };
  }
  if (view.list.board || view.detail) return undefined;
  const below = view.room.previewRows;
  const lines = view.room.bodyRows - (footRows(now, state.size.columns, theme) - 2) - below;
  if (row > lines || column >= view.room.listWidth) return undefined;
  const top = windowTop(view.own.top, view.at, Math.max(1, lines - 3), view.ids.length);
  if (row === 1) {
    const shown = view.ids.slice(top, top + lines - 3);
    let from = corner;
    for (const span of titleOf(view, theme, view.room.listWidth - 4, shown)) {
      const until = from + spanCells([span]);
      const to = view.screen.lists.findIndex((list) => list.id !== view.list.id && paint(list.title) === span.text);
      if (to >= 0 && column >= from && column < until)
        return { do: 'tab', by: to - view.screen.lists.findIndex(({ id }) => id === view.list.id) };
      from = until;
    }
    return undefined;
  }
  const at = top + row - aboveRows;
  if (row < aboveRows || row >= lines || view.ids[at] === undefined) return undefined;
  return at === view.at ? { do: 'open' } : { do: 'move', by: at - view.at };
}
