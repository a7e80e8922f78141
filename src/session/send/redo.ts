import type { Screen } from '../../describe/screen.ts';
import type { Undoable } from './pending-edit.ts';

/** The screen that an edit was made on. */
export const findScreen = (edit: Undoable, screens: readonly Screen[]): Screen | undefined =>
  screens.find((screen) => screen.lists.some((list) => list.id === edit.list));

/**
 * Why an edit that was undone cannot be made again as it was; undefined where it can. A redo is the edit itself, sent
 * anew: it meets later changes like any other edit.
 */
export function whyNoRedo({ forward: { action }, steps }: Undoable): string | undefined {
  if (action.removes) return 'no redo: what was deleted came back with a new id. d deletes it again';
  if (steps.some(({ calls: [first, ...others] }) => first?.endpoint.verb === 'create' && others.length > 0))
    return 'no redo: what was replaced came back with a new id. Edit it again';
  if (action.secret) return 'no redo: it would have another secret. Create it again from its form';
  return undefined;
}
