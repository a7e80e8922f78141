import { expect, test } from 'vitest';
import { bindingSentence } from '../../../src/session/state/binding.ts';

test('a key is said by its help where that names it, else by its title and its help', () => {
  expect(bindingSentence({ title: 'mute', help: 'Mute the monitor; you choose for how long' })).toBe(
    'Mute the monitor; you choose for how long',
  );
  expect(bindingSentence({ title: 'time range', help: 'Change the time range; it is 1h now' })).toBe(
    'Change the time range; it is 1h now',
  );
  expect(bindingSentence({ title: 'new', help: 'Create a renewal' })).toBe('New: Create a renewal');
  expect(bindingSentence({ title: 'quit' })).toBe('Quit');
});
