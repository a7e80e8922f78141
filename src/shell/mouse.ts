import { type Scene, sentAt } from '../scene/scene.ts';
import type { MouseEvent } from '../session/keyboard/keyboard.ts';
import type { Message } from '../session/state/message.ts';
import type { State } from '../session/state/state.ts';

/** Rows that one turn of the wheel moves by. */
const wheelRows = 3;

/**
 * What an event of the mouse does: the wheel moves by rows, a click sends what its line or its cells send. No click sends an edit.
 * Undefined where nothing is.
 */
export function mouseMessage(
  { kind, column, row }: MouseEvent,
  { layers }: State,
  scene: () => Scene<Message>,
): Message | undefined {
  if (kind === 'press') return sentAt(scene(), column, row);
  const by = kind === 'down' ? wheelRows : -wheelRows;
  return layers.length > 0 ? { type: 'moveInLayer', by } : { type: 'moveCursor', by };
}
