import { test } from 'vitest';
import { onScreens } from '../support/hostile-screens.ts';

// Alone, because a worker that looks at another terminal takes a frame for drawn that has not arrived.
test(
  '100,000 hostile texts in the rows of every screen drive no terminal, and none loses its tail',
  { tags: ['long', 'faults'], timeout: 840_000 },
  onScreens({ columns: 200, rows: 50, many: 1000, walked: '', paged: '1234567890', wanted: 100_000 }),
);
