import type { Client } from '../../client/client.ts';

/** Share of every rate limit that must be left for reads that can wait. */
const roomy = 0.6;
/** And how much polls may be slowed down for them. */
const mostSlowdown = 2;

/** Whether the rate limits leave room for reads that can wait. */
export const hasRoom = (client: Client, now: number): boolean =>
  client.holdBack() === 0 &&
  client.slowdown() <= mostSlowdown &&
  client.budgets().every(({ limit, remaining, resetAt }) => limit <= 0 || resetAt <= now || remaining / limit >= roomy);
