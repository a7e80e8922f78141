import type { Context } from '../../describe/context.ts';
import type { Message } from './message.ts';

/** Why something is refused with `--kiosk`. */
export const offInKiosk = 'off in kiosk mode';

const off: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'suspend',
  'openEditor',
  'saveReport',
  'openProfiles',
  'runOnProfile',
  'askKeys',
  'useProfile',
  'removeProfile',
]);

/**
 * Whether a kiosk refuses it: it reaches a shell, a file of a person's choice, another profile or what a profile keeps. A kiosk that
 * began with the fleet comes back to it, and opens no profile there.
 */
export function isOffInKiosk({ isKiosk, showsFleet }: Context['profile'], message: Message): boolean {
  if (!isKiosk || (showsFleet && message.type === 'openProfiles')) return false;
  return off.has(message.type) || (message.type === 'setTheme' && message.isSaved);
}
