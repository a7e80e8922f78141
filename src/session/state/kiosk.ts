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

/** Whether a kiosk refuses it: it reaches a shell, a file of a person's choice, another profile or what a profile keeps. */
export const isOffInKiosk = (message: Message): boolean =>
  off.has(message.type) || (message.type === 'setTheme' && message.isSaved);
