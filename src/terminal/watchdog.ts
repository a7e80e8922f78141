import { Worker } from 'node:worker_threads';

/** Ends this process when its loop is blocked. */
export interface Watchdog {
  stop(): Promise<void>;
}

/**
 * Runs beside the loop. It counts its own ticks without a beat, not the time: a machine that slept, or a process that
 * was stopped, has stopped the watchdog too. Text, because the bundle is one file.
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
 * A loop that has been blocked for `limitMs` (10 s unless told) cannot hear a signal or restore anything, so it is
 * ended, and the watcher (by its process id) gives the terminal back and says why. The exit code is 137.
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
