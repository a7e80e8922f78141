import type { Client } from '../../src/client/client.ts';
import { clientAt } from './client-at.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** A seeded organization without activity, with 130 monitors, and an administrator's client; the caller ends both. */
export async function live(): Promise<{ readonly service: Simulator; readonly client: Client }> {
  const service = createSimulator({ seed: 3, monitors: 130, issues: 0, rate: 0, lively: false });
  return { service, client: clientAt(await service.start(), { random: () => 0.5 }) };
}
