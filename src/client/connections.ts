import { systemClock } from '../lib/time.ts';
import type { Connect, Dispatcher } from './undici.ts';

/** Milliseconds that a connection of reads is kept at most: many services, and networks, end or forget one that is idle for a minute. */
const keptMs = 55_000;
/** Where the service says less, in `Keep-Alive`, that holds. */
export const kept = { keepAliveTimeout: keptMs, keepAliveMaxTimeout: keptMs };
/** Milliseconds that a connection waits for its edit. */
const readyMs = 3_000;

/** The connections of reads, which are kept between them. */
export interface ReadConnections {
  /** What the next read is sent over. After a sleep of the machine, in which no timer ran, nothing that was kept. */
  next(): ReadPool;
  /** After a read over a kept connection of `pool` had no answer: no other read goes over one that was kept as long. */
  renew(pool: ReadPool): void;
  close(): Promise<void>;
}

interface ReadPool {
  readonly dispatcher: Dispatcher;
  /** How many connections it has opened: a read between two equal numbers went over one that was there. */
  opened(): number;
}

export function createReadConnections(open: () => Dispatcher): ReadConnections {
  const opened = (): ReadPool => {
    const dispatcher = open();
    let count = 0;
    dispatcher.on('connect', () => {
      count += 1;
    });
    return { dispatcher, opened: () => count };
  };
  let pool = opened();
  let usedAt = systemClock.now();
  const renew = (stale: ReadPool) => {
    if (stale !== pool) return;
    pool = opened();
    void stale.dispatcher.close();
  };
  return {
    next() {
      const now = systemClock.now();
      if (now - usedAt > keptMs) renew(pool);
      usedAt = now;
      return pool;
    },
    renew,
    close: () => pool.dispatcher.destroy(),
  };
}

/** A connection that is opened before its edit, so that the edit does not wait for it. */
export interface ReadyConnection {
  /** Opens one, unless one is there. One that no edit takes within three seconds is dropped: the service may close it. */
  open(): void;
  /** What the edits of a pool connect with: the one that is ready, else one of their own. */
  readonly connect: Connect;
  drop(): void;
}

export function createReadyConnection({ protocol, host, hostname, port }: URL, connect: Connect): ReadyConnection {
  type Opened = Parameters<Parameters<Connect>[1]>;
  let ready: { readonly opened: Promise<Opened>; readonly wait: () => void } | undefined;
  const take = () => {
    const taken = ready;
    ready = undefined;
    taken?.wait();
    return taken?.opened;
  };
  const drop = () => void take()?.then(([, socket]) => socket?.destroy());
  return {
    open() {
      if (ready) return;
      // An address of IPv6 is one in brackets only in a URL.
      const place = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port };
      const opened = new Promise<Opened>((open) => connect(place, (...given) => open(given)));
      ready = { opened, wait: systemClock.after(readyMs, drop) };
    },
    async connect(options, callback) {
      const [, socket] = (await take()) ?? [];
      // One that has ended while it waited, or never came, is none.
      if (socket?.readyState === 'open') callback(null, socket);
      else connect(options, callback);
    },
    drop,
  };
}
