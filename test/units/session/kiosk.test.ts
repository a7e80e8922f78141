import { expect, test } from 'vitest';
import { isOffInKiosk } from '../../../src/session/kiosk.ts';

test('a kiosk changes its theme until the program ends, and saves none in the profile', () => {
  expect(isOffInKiosk({ do: 'theme', name: 'mono', isSaved: true })).toBe(true);
  expect(isOffInKiosk({ do: 'theme', name: 'mono', isSaved: false })).toBe(false);
});
