import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import { systemClock } from '../../src/lib/time.ts';
import { memoryRecorder } from './calls.ts';

/** A client of the service there with its keys, on the real clock and with a journal in memory. */
export const clientAt = (
  { url, apiKey, appKey }: { readonly url: string; readonly apiKey: string; readonly appKey: string },
  more: Partial<ClientOptions> = {},
): Client =>
  createClient({
    origin: url,
    keys: { apiKey, appKey },
    readOnly: false,
    clock: systemClock,
    recorder: memoryRecorder(),
    random: Math.random,
    find: findEndpoint,
    ...more,
  });
