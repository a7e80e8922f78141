import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** What a program under test is doing, so that a test waits for the end of it and not for a number of milliseconds. */
export interface Activity {
  /** Counts what happened so far: requests begun and ended, and whatever was told by `happened`. */
  count(): number;
  /** Something happened that no request tells: a frame, a change of state. */
  happened(): void;
  /** Resolves when more has happened than `count` said, or after `withinMs` of real time. */
  beyond(count: number, withinMs: number): Promise<void>;
  /**
   * Resolves when no request is under way, nothing is left to draw or to write, and two turns of the event loop changed
   * nothing; or after `withinMs` of real time, because a service may withhold an answer.
   */
  settled(withinMs: number): Promise<void>;
  close(): void;
}

/** A request as undici tells of it; the object is the same each time. */
const requestOf = (message: unknown): object => (message as { readonly request: object }).request;

/** Follows the HTTP requests of this process. `flush` lets the program draw and write what it has ready. */
export function createActivity(flush: () => Promise<unknown>): Activity {
  const state = { count: 0 };
  const underWay = new Set<object>();
  const waiting = new Set<() => void>();
  const happened = () => {
    state.count += 1;
    for (const go of [...waiting]) go();
  };
  const on = (channel: string, hear: (request: object) => void) => {
    const listen = (message: unknown) => {
      hear(requestOf(message));
      happened();
    };
    subscribe(channel, listen);
    return () => unsubscribe(channel, listen);
  };
  const stops = [
    on('undici:request:create', (request) => underWay.add(request)),
    on('undici:request:trailers', (request) => underWay.delete(request)),
    on('undici:request:error', (request) => underWay.delete(request)),
  ];

  const beyond: Activity['beyond'] = (count, withinMs) =>
    new Promise((done) => {
      if (state.count > count) return done();
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        done();
      };
      const timer = setTimeout(go, withinMs);
      waiting.add(go);
    });

  return {
    count: () => state.count,
    happened,
    beyond,
    async settled(withinMs) {
      const end = performance.now() + withinMs;
      for (let quiet = 0; quiet < 2; ) {
        const { count } = state;
        await flush();
        const leftMs = end - performance.now();
        if (leftMs <= 0) return;
        quiet = state.count === count ? quiet + 1 : 0;
        if (underWay.size === 0) continue;
        await beyond(state.count, leftMs);
        quiet = 0;
      }
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
