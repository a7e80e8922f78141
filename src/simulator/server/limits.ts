import type { Endpoint } from '../../api/endpoint.ts';

/** A rate limit bucket with fixed windows. */
interface Bucket {
  readonly name: string;
  readonly limit: number;
  /** Seconds. */
  readonly period: number;
  used: number;
  window: number;
}

/** The rate limit's decision about one request. */
interface Counted {
  readonly refused: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The service's error text for a refused request. */
  readonly text: string;
}

/** Limits requests per bucket (docs/contract/conventions.md#rate-limits). */
export interface Limits {
  count(endpoint: Endpoint, now: number): Counted;
  /** Requests per 10 s and bucket; 0 = no limits and no headers, undefined = the buckets of the contract. */
  set(rate: number | undefined): void;
}

/** Name, requests, seconds. Other v1 operations share one bucket of the organization; other v2 operations have one each. */
const known: Readonly<Record<string, readonly [name: string, limit: number, period: number]>> = {
  'monitors.create': ['post_monitors', 500, 10],
  'monitors.update': ['put_monitors', 500, 10],
  'monitors.get': ['get_monitors', 3000, 10],
  'monitors.list': ['get_all_monitors', 1000, 10],
  'monitors.can-delete': ['can_delete', 12_000, 60],
};
/** Operations whose responses have no rate headers (docs/contract/conventions.md#rate-limits). */
const withoutHeaders = new Set(['monitors.mute', 'monitors.unmute', 'monitors.mute-all', 'monitors.unmute-all']);

const notCounted: Counted = { refused: false, headers: {}, text: '' };

/** Empty buckets; `rate` as in `set`. */
export function createLimits(rate: number | undefined): Limits {
  const buckets = new Map<string, Bucket>();
  let chosen = rate;
  const bucketOf = (endpoint: Endpoint): Bucket => {
    const own = endpoint.path.startsWith('/api/v2') ? endpoint.id.replaceAll(/\W/g, '_') : 'org_wide';
    const [name, limit, period] = known[endpoint.id] ?? [own, own === 'org_wide' ? 12_000 : 600, 60];
    const found = buckets.get(name);
    if (found) return found;
    const bucket = { name, limit: chosen ?? limit, period: chosen === undefined ? period : 10, used: 0, window: -1 };
    buckets.set(name, bucket);
    return bucket;
  };
  return {
    set: (next) => {
      chosen = next;
      buckets.clear();
    },
    count: (endpoint, now) => {
      if (chosen === 0) return notCounted;
      const bucket = bucketOf(endpoint);
      const second = Math.floor(now / 1000);
      const window = Math.floor(second / bucket.period);
      if (window !== bucket.window) {
        bucket.window = window;
        bucket.used = 0;
      }
      const refused = bucket.used >= bucket.limit;
      if (!refused) bucket.used += 1;
      if (withoutHeaders.has(endpoint.id) && !refused && chosen === undefined) return notCounted;
      return {
        refused,
        text: `Rate limit of ${bucket.limit} requests in ${bucket.period} seconds reached. Please try again later.`,
        headers: {
          'X-RateLimit-Limit': String(bucket.limit),
          'X-RateLimit-Period': String(bucket.period),
          'X-RateLimit-Remaining': String(bucket.limit - bucket.used),
          'X-RateLimit-Reset': String((window + 1) * bucket.period - second),
          'X-RateLimit-Name': bucket.name,
        },
      };
    },
  };
}
