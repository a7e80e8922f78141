import { expect, test } from 'vitest';
import { screens } from '../../../screens/index.ts';
import { helpEntries } from '../../../src/session/layers/help.ts';
import { bindingSentence } from '../../../src/session/state/moment.ts';
import { bareSession } from '../../support/bare-session.ts';

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

test('the help of each screen is at most 40 lines: keys that belong together share a line, rare actions that of x', async () => {
  const { session } = await bareSession(screens);
  const long = screens.flatMap(({ id, lists }) => {
    session.send({ type: 'openScreen', id });
    const count = helpEntries('', session.now()).length;
    // Besides: the search, two lines of the whole text, three of signs.
    return lists.length > 0 && count > 34 ? [`${id}: ${count} lines, see families in layers/help.ts`] : [];
  });
  expect(long).toEqual([]);
  session.send({ type: 'openScreen', id: 'monitors' });
  const lines = helpEntries('', session.now()).map(({ keys, sentence }) => `${keys} · ${sentence}`);
  expect(lines).toContain('x · More actions: check, delete by force');
  expect(lines).toContain('j k · Down, up');
  expect(lines.find((line) => line.startsWith('0–9'))).toContain('Screens: home, issues, monitors');
  // A search finds each by itself.
  expect(helpEntries('force', session.now()).map(({ keys, sentence }) => [keys, sentence.slice(0, 15)])).toEqual([
    ['', 'Delete by force'],
  ]);
});
