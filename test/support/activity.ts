import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { runningTime } from './running-time.ts';

/** Reports when the program under test is idle, so that tests need no sleeps. */
export interface Activity {
  /** The number of events so far: requests begun and ended, and calls of `happened`. */
  count(): number;
  /** Counts an event other than a request: a frame, a state change. */
  happened(): void;
  /** Resolves after the next event beyond `count`, or after `withinMs` of real time. */
  beyond(count: number, withinMs: number): Promise<void>;
  /**
   * Resolves when no request is pending, everything is drawn and written, and two turns of the event loop changed
   * nothing; or after `withinMs` in which this process runs, because a service may withhold an answer.
   */
  settled(withinMs: number): Promise<void>;
  close(): void;
}

/** The request of an undici diagnostics message; one object per request. */
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
      const time = runningTime();
      for (let quiet = 0; quiet < 2; ) {
        const { count } = state;
        await flush();
        if (time.passed() >= withinMs) return;
        quiet = state.count === count ? quiet + 1 : 0;
        if (underWay.size === 0) continue;
        await beyond(state.count, time.turnMs);
        quiet = 0;
      }
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
