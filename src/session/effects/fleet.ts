import type { Outside } from '../outside/outside.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';

/** Has the fleet read while the list of profiles is open, and no longer. */
export function createFleet({ watchFleet }: Pick<Outside, 'watchFleet'>, send: (message: Message) => void) {
  let stop: (() => void) | undefined;
  return ({ layers }: Pick<State, 'layers'>): void => {
    const isOpen = layers.some(({ kind }) => kind === 'profiles');
    if (isOpen) stop ??= watchFleet?.((name, standing) => send({ type: 'fleetRead', name, standing }));
    else {
      stop?.();
      stop = undefined;
    }
  };
}
