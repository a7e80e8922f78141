import { format } from 'node:util';
import { afterEach, expect } from 'vitest';

/** Fails each test in which React warned: its development build writes warnings with console.error. */
const warnings: string[] = [];
for (const how of ['error', 'warn'] as const) console[how] = (...parts) => void warnings.push(format(...parts));

afterEach(() => {
  expect(warnings.splice(0)).toEqual([]);
});
