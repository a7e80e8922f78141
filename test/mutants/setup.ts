import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Number of the site under test; -1: none, and every site that a test file reaches is written down. */
    mutant: number;
    /** File for what was reached: a line of JSON for each test file. */
    reached: string;
  }
}

/** A loop that its change made endless ends here. */
const longest = 300_000;

const active = inject('mutant');
const state = { times: 0 };
/** 1 for each site that ran; there are fewer than this. */
const reached = new Uint8Array(active < 0 ? 100_000 : 0);

Object.assign(globalThis, {
  __orgdeckMutant:
    active < 0
      ? (number: number): boolean => {
          reached[number] = 1;
          return false;
        }
      : (number: number): boolean => {
          if (number !== active) return false;
          if (++state.times > longest) throw new Error('an endless loop');
          return true;
        },
});

if (active < 0) {
  const times = { start: 0 };
  beforeAll(() => {
    times.start = performance.now();
  });
  afterAll(() => {
    const { testPath } = expect.getState();
    const line = {
      test: testPath,
      ms: Math.round(performance.now() - times.start),
      reached: [...reached.keys()].filter((number) => reached[number]),
    };
    appendFileSync(inject('reached'), `${JSON.stringify(line)}\n`);
  });
}
