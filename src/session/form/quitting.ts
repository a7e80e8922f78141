import type { Screen } from '../../describe/screen.ts';
import type { Moment, Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { flash } from '../state/state-changes.ts';
import { unkeptLabels } from './drafts.ts';

/** What quitting, or a switch of profiles, would lose now, as sentences; empty: nothing. Drafts of forms are kept. */
export function lossText(state: State, screens: readonly Screen[]): string {
  const lists = screens.flatMap((screen) => screen.lists);
  const orders = lists.filter((list) => state.lists[list.id]?.moving !== undefined).map((list) => list.title);
  const typed = state.layers.flatMap((layer) => (layer.kind === 'form' ? unkeptLabels(layer) : []));
  const programs = [...state.layers, ...(state.behind ?? [])].flatMap((layer) =>
    layer.kind === 'job' && layer.isProgram && !layer.ended ? [layer.title] : [],
  );
  const secrets = [...state.layers, ...(state.secrets ?? [])].flatMap((layer) =>
    layer.kind === 'secret' && !layer.copied ? [layer.secret.title] : [],
  );
  const drafts = state.keepTrouble !== undefined && Object.keys(state.drafts).length > 0;
  const isSecretLost = state.underWay.some((edit) => edit.hasSecret);
  const sent = `An edit is still being sent${isSecretLost ? ', and the secret that it shows once would be lost' : ''}`;
  return [
    state.underWay.length > 0 ? sent : '',
    secrets.length > 0 ? `Not copied: ${secrets.join(', ')}` : '',
    programs.length > 0 ? `Still running: ${programs.join(', ')}` : '',
    orders.length > 0 ? `Unsaved order of ${orders.join(', ')} (Ctrl-S saves it)` : '',
    typed.length > 0 ? `Not saved in a draft: ${typed.join(', ')}` : '',
    drafts ? 'Drafts are not on the disk' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/**
 * Ends the program with this exit code. Where something would be lost, the first key warns, and `advice` says what to do; a
 * second one while the warning is shown ends it.
 */
export function quitOrWarn(
  state: State,
  code: number,
  { context, screens }: Moment,
  advice = 'Press again to quit anyway',
): Next {
  const lost = lossText(state, screens);
  const isWarned = state.warnedQuit && state.warnedOf === lost && state.flash?.text.startsWith(`${lost}. `);
  if (lost === '' || isWarned) return { state, effects: [{ ask: 'quit', code }] };
  return { state: flash({ ...state, warnedQuit: true, warnedOf: lost }, `${lost}. ${advice}`, 'warn', context.now) };
}
