import { Worker } from 'node:worker_threads';

/** Ends this process when its loop is blocked. */
export interface Watchdog {
  stop(): Promise<void>;
}

/**
 * The worker thread's source. It counts its own ticks since the loop's last beat instead of time, because a sleep or a
 * stop suspends it as well. A string, because the bundle is one file.
 */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { beats, limit, tickMs, watcher } = workerData;
const view = new Int32Array(beats);
let last = -1;
let missed = 0;
setInterval(() => {
  const now = Atomics.load(view, 0);
  missed = now === last ? missed + 1 : 0;
  last = now;
  if (missed < limit) return;
  if (watcher !== undefined) {
    try { process.kill(watcher, 'SIGUSR1'); } catch {}
  }
  process.kill(process.pid, 'SIGKILL');
}, tickMs);
`;

/**
 * Kills a process whose loop is blocked for `limitMs` (default 10 s): it cannot handle a signal or restore anything.
 * The watcher (by its process id) restores the terminal and says why. The exit code is 137.
 */
export function startWatchdog(watcher: number | undefined, limitMs = 10_000): Watchdog {
  const tickMs = Math.max(50, Math.round(limitMs / 10));
  const beats = new SharedArrayBuffer(4);
  const view = new Int32Array(beats);
  const beat = setInterval(() => Atomics.add(view, 0, 1), tickMs / 2);
  beat.unref();
  const worker = new Worker(WATCH, {
    eval: true,
    env: {},
    argv: [],
    execArgv: [],
    workerData: { beats, limit: Math.ceil(limitMs / tickMs), tickMs, watcher },
  });
  worker.on('error', () => undefined);
  worker.unref();
  return {
    async stop() {
      clearInterval(beat);
      await worker.terminate();
    },
  };
}
