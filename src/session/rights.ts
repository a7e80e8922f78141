import type { Cache, CachedRead, CacheEntry } from '../cache/cache.ts';
import { type Rights, readRights } from '../describe/rights.ts';
import type { Single } from '../describe/source.ts';
import type { Clock } from '../lib/clock.ts';

/** Milliseconds until another look whether the rate limits leave room. */
const retryMs = 60_000;
const none: ReadonlySet<string> = new Set();

export interface RightsOptions {
  readonly cache: Pick<Cache, 'ask'>;
  readonly clock: Clock;
  readonly question: <T>(of: Single<T>) => CachedRead<T>;
  readonly hasRoom: () => boolean;
  /** Ends when what is on screen has been read. */
  readonly front: () => Promise<unknown>;
  readonly changed: () => void;
}

/** What the owner of the keys lacks: read once, after what is on screen, while the rate limits leave room. */
export function createRights(with_: RightsOptions): {
  /** Names of permissions as the service writes them; none while that is unknown. */
  missing(): ReadonlySet<string>;
  /** Reads what this person lacks, also where it was read before. */
  read(personId: string): void;
  close(): void;
} {
  const { clock, changed } = with_;
  const held = { missing: none, isClosed: false, cancel: () => {} };
  const read = async (personId: string): Promise<void> => {
    held.cancel();
    await with_.front();
    if (held.isClosed) return;
    if (!with_.hasRoom()) {
      held.cancel = clock.after(retryMs, () => void read(personId));
      return;
    }
    const known = (await with_.cache.ask(with_.question(readRights(personId)), 0)) as CacheEntry<Rights>;
    held.missing = known.value && !known.problem ? new Set(known.value.missing) : none;
    changed();
  };
  return {
    missing: () => held.missing,
    read: (personId) => void read(personId),
    close() {
      held.isClosed = true;
      held.cancel();
    },
  };
}
