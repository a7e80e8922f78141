import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Bytes of the young generation at which it is told to stop growing; it may double once more before. V8 would take 100 MB for
 * it on a large machine.
 */
const youngBytes = 4_000_000;
/** How much the old generation may grow beyond what is alive before it is collected, in percent; V8 may quadruple it. */
const growth = 40;

/**
 * Keeps the garbage of a dashboard small: what is alive after a thousand keys is 40 MB, what V8 held by its own choice over 200.
 * The flags are set while the program runs, because a flag on the command line would need a second start. A key takes up to a tenth more CPU time.
 */
export function limitMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    if (young && young.space_size < youngBytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
