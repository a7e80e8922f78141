import type { AnyAction } from '../../describe/action.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { pastTense } from '../../lib/past-tense.ts';
import type { JournalEntry } from '../outside/outside.ts';

/** What a handover covers: the last hours, or everything since a moment (epoch milliseconds). */
export type Shift = { readonly hours: number } | { readonly since: number };

/** The shifts to choose from. */
export const shifts: readonly Shift[] = [8, 12, 24, 24 * 7].map((hours) => ({ hours }));

/** The shift of the report until a person chooses another. */
export const firstShift: Shift = { hours: 8 };

/** The list whose action has this id. */
export const listOfAction = (action: string, screens: readonly Screen[]): AnyList | undefined =>
  screens.flatMap(({ lists }) => lists).find(({ actions }) => actions.some(({ id }) => id === action));

/** The action with this id. */
export const actionOf = (action: string, screens: readonly Screen[]): AnyAction | undefined =>
  listOfAction(action, screens)?.actions.find(({ id }) => id === action);

/** `mute`: what this operation does; the word itself where no action has it: `undo`, `call`. */
export const doesWords = (operation: string, screens: readonly Screen[]): string =>
  actionOf(operation, screens)?.title ?? operation;

/** `muted`, `disabled`: what an edit did. */
export const didWords = (
  { operation, isOn }: Pick<JournalEntry, 'operation' | 'isOn'>,
  screens: readonly Screen[],
): string => pastTense(doesWords(operation, screens), isOn);
