/** The most entries that stay although nobody watches them. */
export const mostUnwatched = 60;
/** Milliseconds that an unwatched entry stays after it was last read or shown. */
export const longestUnwatched = 30 * 60_000;

/** When the entries of the cache were last used, so that what was opened once does not stay for ever. */
export interface Uses {
  /** Notes that an entry is used now. */
  touch(key: string): void;
  /** Takes out the entries to remove: those unused for too long, then the longest unused beyond `mostUnwatched`. */
  expired(isHeld: (key: string) => boolean): readonly string[];
}

export function createUses(now: () => number): Uses {
  // In the order of their last use, oldest first.
  const usedAt = new Map<string, number>();
  return {
    touch(key) {
      usedAt.delete(key);
      usedAt.set(key, now());
    },
    expired(isHeld) {
      const free = [...usedAt].filter(([key]) => !isHeld(key));
      const tooMany = free.length - mostUnwatched;
      const keys = free
        .filter(([, at], index) => index < tooMany || now() - at >= longestUnwatched)
        .map(([key]) => key);
      for (const key of keys) usedAt.delete(key);
      return keys;
    },
  };
}
