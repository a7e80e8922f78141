import { expect, test } from 'vitest';
import { limitMemory } from '../../src/start/heap-flags.ts';

/** An engine whose young generation doubles at a collection where it may. */
function engine(young: number) {
  const held = { young, factor: 2, collected: undefined as (() => void) | undefined };
  const flags: string[] = [];
  const limit = limitMemory({
    setFlag(flag) {
      flags.push(flag);
      held.factor = Number(/growth-factor=(\d)/.exec(flag)?.[1] ?? held.factor);
    },
    youngBytes: () => held.young,
    onCollection(then) {
      held.collected = then;
      return () => {
        held.collected = undefined;
      };
    },
  });
  const collects = () => {
    held.young *= held.factor;
    held.collected?.();
    return held.young;
  };
  return { flags, held, limit, collects };
}

test('the young generation does not grow during the start, then to 8 MB and no further', () => {
  const { limit, collects, held } = engine(1_100_000);
  expect([collects(), collects()]).toEqual([1_100_000, 1_100_000]);
  limit.started();
  expect([collects(), collects(), collects(), collects(), collects()]).toEqual([
    2_200_000, 4_400_000, 8_800_000, 8_800_000, 8_800_000,
  ]);
  // Nobody listens to collections any more.
  expect(held.collected).toBeUndefined();
});

test('a young generation that is large already does not grow, and the old one is bounded from the first rows on', () => {
  const { limit, collects, flags } = engine(16_000_000);
  const now = () => flags.findLast((flag) => flag.includes('heap-growing-percent'));
  // Ten times as much, in a start with a full collection, is 60 MB of garbage later.
  expect(now()).toBe('--heap-growing-percent=150');
  expect(limit.unlimited(now)).toBe('--heap-growing-percent=0');
  limit.optimize();
  expect(now()).toBe('--heap-growing-percent=25');
  limit.started();
  expect(collects()).toBe(16_000_000);
});

test('the compilers that optimize wait for the first rows, that of WebAssembly for ever, and code is kept as if they had not', () => {
  const { limit, flags } = engine(1_100_000);
  const waiting = ['maglev', 'turbofan', 'incremental-marking', 'parallel-scavenge'];
  const always = ['wasm-tier-up-filter', 'separate-gc-phases'];
  const now = (names: readonly string[]) => names.map((name) => flags.findLast((flag) => flag.includes(name)));
  const [waitingOff, waitingOwn] = [waiting.map((name) => `--no-${name}`), waiting.map((name) => `--${name}`)];
  // Young garbage is collected also while the old is marked.
  const alwaysOff = ['--wasm-tier-up-filter=10000000', '--no-separate-gc-phases'];
  const alwaysOwn = ['--wasm-tier-up-filter=-1', '--separate-gc-phases'];
  const bothNow = () => [now(waiting), now(always)];
  expect(bothNow()).toEqual([waitingOff, alwaysOff]);
  expect(limit.unlimited(bothNow)).toEqual([waitingOwn, alwaysOwn]);
  expect(bothNow()).toEqual([waitingOff, alwaysOff]);
  limit.optimize();
  expect(bothNow()).toEqual([waitingOwn, alwaysOff]);
  limit.started();
  expect(bothNow()).toEqual([waitingOwn, alwaysOff]);
});
