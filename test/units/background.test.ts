import { expect, test } from 'vitest';
import { isLightBackground } from '../../src/terminal/terminal-capabilities.ts';

test.each([
  ['\u001B]11;rgb:ffff/ffff/ffff\u0007', true],
  ['\u001B]11;rgb:fd/f6/e3\u001B\\', true],
  ['\u001B]11;rgba:eeee/eeee/eeee/ffff\u001B\\', true],
  ['\u001B]11;rgb:0000/0000/0000\u0007', false],
  // Blue is darker to the eye than its number says.
  ['\u001B]11;rgb:0000/0000/ffff\u0007', false],
  ['\u001B]10;rgb:ffff/ffff/ffff\u0007', undefined],
  ['\u001B[?62c', undefined],
  ['\u001B]11;white\u0007', undefined],
])('the reply %j', (reply, isLight) => {
  expect(isLightBackground(reply)).toBe(isLight);
});
