import type { Screen } from '../../describe/screen.ts';
import type { Moment, Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { flash } from '../state/state-changes.ts';
import { unkept } from './drafts.ts';

/** What quitting or another profile would lose now; empty where nothing would be. Drafts of forms are kept. */
export function unsaved(state: State, screens: readonly Screen[]): string {
  const lists = screens.flatMap((screen) => screen.lists);
  const orders = lists.filter((list) => state.lists[list.id]?.moving !== undefined).map((list) => list.title);
  const typed = state.layers.flatMap((layer) => (layer.kind === 'form' ? unkept(layer) : []));
  const programs = [...state.layers, ...(state.behind ?? [])].flatMap((layer) =>
    layer.kind === 'job' && layer.isProgram && !layer.ended ? [layer.title] : [],
  );
  const drafts = state.keepTrouble !== undefined && Object.keys(state.drafts).length > 0;
  return [
    state.editsUnderWay > 0 ? 'A change is still being sent' : '',
    programs.length > 0 ? `Still running: ${programs.join(', ')}` : '',
    orders.length > 0 ? `Unsaved order of ${orders.join(', ')} (Ctrl-S saves it)` : '',
    typed.length > 0 ? `Not saved in a draft: ${typed.join(', ')}` : '',
    drafts ? 'Drafts are not on the disk' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** How a key that quits is meant all the same. */
export const pressAgain = 'Press again to quit anyway';

/** Ends the program with this exit code; where something would be lost, only at the second key, while the question is on the screen. */
export function leaving(state: State, code: number, how: string, { context, screens }: Moment): Next {
  const lost = unsaved(state, screens);
  const isAsked = state.warnedQuit && state.warnedOf === lost && state.flash?.text.startsWith(`${lost}. `);
  if (lost === '' || isAsked) return { state, effects: [{ ask: 'quit', code }] };
  return { state: flash({ ...state, warnedQuit: true, warnedOf: lost }, `${lost}. ${how}`, 'warn', context.now) };
}
