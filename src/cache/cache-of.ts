import type { Client } from '../client/client.ts';
import { nextTurn } from '../lib/slices.ts';
import type { Clock } from '../lib/time.ts';
import { type Cache, createCache } from './cache.ts';

/**
 * The cache of what this client reads. A read begins in the next turn of the event loop, after the frame of the key that asks for it
 * is written: making the request takes a millisecond and more.
 */
export const openCache = (
  client: Pick<Client, 'run' | 'holdBack' | 'slowdown'>,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Cache =>
  createCache({
    run: async (plan, how) => {
      await nextTurn();
      return client.run(plan, how);
    },
    clock,
    random,
    holdBack: () => client.holdBack(),
    slowdown: client.slowdown,
  });
