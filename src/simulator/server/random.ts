/** A 32-bit mix of texts and numbers; the same parts give the same number on every machine. */
export function hash(...parts: readonly (string | number)[]): number {
  let mixed = 0x811c9dc5;
  for (const part of parts) {
    const text = typeof part === 'number' ? String(part) : part;
    for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
    mixed = Math.imul(mixed ^ 0x2c, 0x01000193);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A generator of its own; two with the same seed give the same numbers. */
export function createRandom(seed: number) {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) | 0;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const hex = (digits: number): string => {
    let text = '';
    while (text.length < digits)
      text += Math.floor(next() * 65536)
        .toString(16)
        .padStart(4, '0');
    return text.slice(0, digits);
  };
  const shuffle = <T>(list: readonly T[]): T[] => {
    const copy = [...list];
    for (let at = copy.length - 1; at > 0; at -= 1) {
      const other = Math.floor(next() * (at + 1));
      [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
    }
    return copy;
  };
  return {
    /** In [0, 1). */
    next,
    /** An integer in [low, high]. */
    between: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    chance: (share: number): boolean => next() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    /** `count` different members, in list order. */
    some: <T>(list: readonly T[], count: number): T[] => {
      const chosen = new Set(shuffle(list.map((_, at) => at)).slice(0, count));
      return list.filter((_, at) => chosen.has(at));
    },
    shuffle,
    /** A version 4 shaped identifier. */
    uuid: (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[Math.floor(next() * 4)]}${hex(3)}-${hex(12)}`,
  };
}

/** A deterministic random generator. */
export type Random = ReturnType<typeof createRandom>;
