import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects the garbage of a heap that is almost empty, in 4 ms, after which V8 lets it grow to 80 MB before it collects everything again.
 * The limit that V8 begins with sinks with each collection of young objects until it is 8 MB above what is alive, so a start would collect
 * everything before its first rows, in 25 ms, although nearly all of it is alive.
 */
export function collectFirst(): void {
  setFlagsFromString('--heap-growing-percent=1500');
  setFlagsFromString('--expose-gc');
  runInNewContext('typeof gc === "function" && gc()');
  // V8 takes compiled code only under the flags under which it was kept.
  setFlagsFromString('--no-expose-gc');
  setFlagsFromString('--heap-growing-percent=0');
}

/**
 * Bytes of the young generation at which it stops growing once the program has started; V8 would take 100 MB for it on a large
 * machine. With less, a key spends its time collecting.
 */
const youngBytes = 8_000_000;
/** How much the old generation may grow beyond what is alive before it is collected, in percent; V8 may quadruple it. */
const growth = 25;
/**
 * How much the old generation may grow until the first rows: enough that nearly nothing that a start makes is collected. Where V8 does collect
 * during a start, the limit that it computes from this holds until the next collection: with 1500, 13 MB that were alive became 80 MB
 * of garbage while 100,000 monitors were read.
 */
const growthOfStart = 150;

/** The engine whose memory is limited. */
export interface Engine {
  setFlag(flag: string): void;
  /** Bytes that the young generation holds, free ones included. */
  youngBytes(): number;
  /** Calls back after collections until the returned function is called. */
  onCollection(then: () => void): () => void;
}

interface Limits {
  /** Works under V8's own values of the flags. Not after `started`. */
  unlimited<T>(work: () => T): T;
  /** The first rows have had their time: what runs now is many rows, and worth optimizing. */
  optimize(): void;
  started(): void;
}

/**
 * Flags until the first rows, and V8's own values. Nothing is optimized: the compilers would use 13 MB and 150 ms of other threads for
 * functions that a start calls often. Nothing is marked in the background, because nearly everything is alive.
 * One thread collects young garbage, 1 MB at a time: four use 30 ms more and are no faster.
 */
const untilRows = [
  ['--no-maglev', '--maglev'],
  ['--no-turbofan', '--turbofan'],
  ['--no-incremental-marking', '--incremental-marking'],
  ['--no-parallel-scavenge', '--parallel-scavenge'],
  // V8 lowers the limit that `collectFirst` sets where little is allocated.
  [`--heap-growing-percent=${growthOfStart}`, `--heap-growing-percent=${growth}`],
] as const;

/** Flags for as long as the program runs, and V8's own values. */
const always = [
  // The WebAssembly of layout and HTTP is never optimized: for the parser of HTTP alone, which jumps over bodies, the compiler takes up
  // to 30 MB. (V8 can only name the one function that may be optimized: none has that number.)
  ['--wasm-tier-up-filter=10000000', '--wasm-tier-up-filter=-1'],
  // Young garbage is collected also while the old is marked: V8 would let it grow to 18 MB until then, and keep most of it as old.
  ['--no-separate-gc-phases', '--separate-gc-phases'],
] as const;

/**
 * Keeps the memory of a dashboard small: what is alive after a thousand keys is 40 MB, what V8 held by its own choice over 200.
 * Until `started`, which lets it grow to 8 MB, the young generation does not grow at all, because nearly everything that a start makes
 * stays alive. Until `optimize` no code is optimized. The flags are set while the program runs, because a flag on the command line would
 * need a second start.
 */
export function limitMemory(engine: Engine = v8): Limits {
  const limit = () => {
    engine.setFlag('--semi-space-growth-factor=1');
    for (const [flag] of [...always, ...untilRows]) engine.setFlag(flag);
  };
  const optimize = () => {
    for (const [, own] of untilRows) engine.setFlag(own);
  };
  const lift = () => {
    engine.setFlag('--semi-space-growth-factor=2');
    optimize();
  };
  limit();
  return {
    unlimited(work) {
      lift();
      for (const [, own] of always) engine.setFlag(own);
      engine.setFlag('--heap-growing-percent=0');
      try {
        return work();
      } finally {
        limit();
      }
    },
    optimize,
    started() {
      lift();
      const isFull = () => engine.youngBytes() >= youngBytes;
      const stopGrowing = () => engine.setFlag('--semi-space-growth-factor=1');
      if (isFull()) return stopGrowing();
      const stop = engine.onCollection(() => {
        if (!isFull()) return;
        stopGrowing();
        stop();
      });
    },
  };
}

const v8: Engine = {
  setFlag: setFlagsFromString,
  youngBytes: () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0,
  onCollection(then) {
    // Loaded here, because no first rows need it.
    const { PerformanceObserver } = process.getBuiltinModule('node:perf_hooks');
    const observer = new PerformanceObserver(then);
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};
