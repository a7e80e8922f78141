import { findEndpoint } from '../../src/api/all-endpoints.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/create-client.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { memoryRecorder } from './calls.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** A seeded organization without activity, with 130 monitors, and an administrator's client; the caller ends both. */
export async function live(): Promise<{ readonly service: Simulator; readonly client: Client }> {
  const service = createSimulator({ seed: 3, monitors: 130, issues: 0, rate: 0, lively: false });
  const { url, apiKey, appKey } = await service.start();
  const client = createClient({
    origin: url,
    keys: { apiKey, appKey },
    readOnly: false,
    clock: systemClock,
    recorder: memoryRecorder(),
    random: () => 0.5,
    find: findEndpoint,
  });
  return { service, client };
}
