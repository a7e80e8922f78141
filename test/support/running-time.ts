/** How long one turn of a wait takes at most, milliseconds. */
const turnMs = 5;

/**
 * Measures the time in which this process runs. On a machine that many share, real time passes without it: a wait of 60 ms would end
 * before a response that is one millisecond of work. Each turn counts as 5 ms at most, however late it comes.
 */
export function runningTime(): { passed(): number; readonly turnMs: number } {
  let [sum, at] = [0, performance.now()];
  return {
    turnMs,
    passed() {
      const now = performance.now();
      sum += Math.min(now - at, turnMs);
      at = now;
      return sum;
    },
  };
}

/** Lets so much of that time pass. */
export async function passesRunning(ms: number): Promise<void> {
  const time = runningTime();
  for (let left = ms; left > 0; left = ms - time.passed())
    await new Promise((done) => setTimeout(done, Math.min(left, turnMs)));
}
