import type { Client } from '../client/client.ts';
import type { Clock } from '../lib/clock.ts';
import { nextTurn } from '../lib/run-in-slices.ts';
import { type Cache, createCache } from './cache.ts';

/**
 * The cache of what this client reads. A read begins in the next turn of the event loop: the frame of the key that asks for it is
 * written first, which would wait for the request to be made, 3 ms.
 */
export const cacheOf = (
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
