import { test } from 'vitest';

/** Within this one test the runner runs the tests of the other files, as often as it needs. */
test('the changes', () => {});
