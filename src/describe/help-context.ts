import type { Context } from './context.ts';

/** The context of what is only listed, as in a help: no service has been asked. */
export const helpContext: Context = {
  now: 0,
  zone: 'UTC',
  recent: [],
  profile: { name: '', production: false, readOnly: true },
  origin: '',
  offered: () => true,
  trend: () => [],
  ascii: true,
};
