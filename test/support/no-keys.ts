import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { keyWatch } from './key-watch.ts';

// Set up for the tests of faults and of the terminal: no key may stand in anything that their programs write.
const watch = keyWatch();
beforeAll(() => watch.begins());
afterEach(() => expect(watch.found(), 'a key was written').toEqual([]));
afterAll(() => {
  watch.ends();
  expect(watch.found(), 'a key was written').toEqual([]);
});
