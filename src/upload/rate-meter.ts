import type { Clock } from '../lib/clock.ts';

/** Transfer rate in bytes per second; undefined before there is a measurement. */
export interface RateMeter {
  /** Starts measuring. */
  begin(): void;
  /** Counts bytes that were sent. */
  went(bytes: number): void;
  /** Over the last ten seconds. */
  rate(): number | undefined;
  /** Since the beginning. */
  average(): number | undefined;
}

const windowMs = 10_000;
const least = 1000;

/** Creates a meter at 0 bytes on the given clock. */
export function createRateMeter(clock: Clock): RateMeter {
  let marks: { readonly at: number; readonly total: number }[] = [{ at: clock.now(), total: 0 }];
  const state = { total: 0, begun: clock.now() };
  const since = (first: (typeof marks)[number] | undefined): number | undefined => {
    const spent = first ? clock.now() - first.at : 0;
    if (!first || spent < least || state.total <= first.total) return undefined;
    return ((state.total - first.total) / spent) * 1000;
  };
  return {
    begin() {
      Object.assign(state, { total: 0, begun: clock.now() });
      marks = [{ at: clock.now(), total: 0 }];
    },
    went(bytes) {
      state.total += bytes;
      const now = clock.now();
      // A mark for each tenth of a second is enough to tell a rate.
      const last = marks.at(-1);
      if (last && marks.length > 1 && now - last.at < 100)
        marks[marks.length - 1] = { at: last.at, total: state.total };
      else marks.push({ at: now, total: state.total });
      // One mark from before the window stays, so that the window is full.
      const first = marks.findLastIndex((mark) => mark.at <= now - windowMs);
      marks = marks.slice(Math.max(0, first));
    },
    rate: () => since(marks[0]),
    average: () => since({ at: state.begun, total: 0 }),
  };
}
