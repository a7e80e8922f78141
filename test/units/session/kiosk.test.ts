import { expect, test } from 'vitest';
import { uploadAction } from '../../../screens/tables/upload.ts';
import type { Context } from '../../../src/describe/context.ts';
import { isOffInKiosk, whyRefused } from '../../../src/session/state/moment.ts';

const kiosk = { name: 'wall', production: false, readOnly: false, isKiosk: true };

test('a kiosk changes its theme until the program ends, and saves none in the profile', () => {
  expect(isOffInKiosk(kiosk, { type: 'setTheme', name: 'mono', isSaved: true })).toBe(true);
  expect(isOffInKiosk(kiosk, { type: 'setTheme', name: 'mono', isSaved: false })).toBe(false);
});

test('a kiosk that began with the fleet comes back to it, and opens no profile there', () => {
  expect(isOffInKiosk(kiosk, { type: 'openProfiles' })).toBe(true);
  expect(isOffInKiosk({ ...kiosk, showsFleet: true }, { type: 'openProfiles' })).toBe(false);
  expect(isOffInKiosk({ ...kiosk, showsFleet: true }, { type: 'runOnProfile', what: 'use' })).toBe(true);
  expect(isOffInKiosk({ ...kiosk, isKiosk: false }, { type: 'runOnProfile', what: 'use' })).toBe(false);
});

test('a kiosk refuses jobs before it asks anything: they read files of this machine', () => {
  const at = (isKiosk: boolean) => ({ profile: { isKiosk }, offered: () => true }) as unknown as Context;
  expect(whyRefused(uploadAction, undefined, at(false))).toBeUndefined();
  expect(whyRefused(uploadAction, undefined, at(true))).toBe('off in kiosk mode');
});
