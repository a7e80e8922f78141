import { vi } from 'vitest';

/** Tries until the check passes, for `withinMs` at most: like `expect.poll`, which tests that run at the same time cannot use. */
export const soon = (check: () => void, withinMs = 8000): Promise<void> =>
  vi.waitFor(check, { timeout: withinMs, interval: 50 });
