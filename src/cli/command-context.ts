import type { Context } from '../describe/context.ts';
import { present } from '../lib/values.ts';
import type { Io } from './io.ts';
import type { OpenConnection } from './start.ts';

/** The context of descriptions without a dashboard: no trends, no recent people, no cursor. */
export function factsFor(io: Io, { client, settings }: OpenConnection): Context {
  return {
    now: io.clock.now(),
    zone: io.zone,
    recent: [],
    profile: { name: settings.name, production: settings.production, readOnly: settings.readOnly },
    origin: client.origin,
    ...present({ web: settings.webUrl }),
    vocabulary: client.vocabulary,
    ends: client.ends(),
    offered: client.offered,
    trend: () => [],
    ascii: settings.ascii,
  };
}
