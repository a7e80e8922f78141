import type { Undoable } from '../send/pending-edit.ts';
import { findScreen } from '../send/redo.ts';
import type { Moment } from '../state/moment.ts';

/** Whether an edit was made on the screen in front; a line of Home stands for a row of the list that it was made on. */
export const isHere = (edit: Undoable, { screens, view }: Moment): boolean =>
  findScreen(edit, screens)?.id === view.screen.id || view.acting.list.id === edit.list;

export const screenName = (edit: Undoable, { screens }: Moment): string =>
  findScreen(edit, screens)?.title ?? edit.list;
