import { expect, test } from 'vitest';
import { Menu } from '../../../components/Menu.tsx';
import { paint } from '../../../src/lib/paint.ts';
import { drawn } from '../../support/drawn.tsx';
import { theme } from '../../support/line-examples.ts';

const rows = ['mute', 'unmute', 'extend'].map((text) => ['|', ` ${text} `, '|'].map((part) => ({ text: paint(part) })));
const menu = (cursor: number) => <Menu rows={rows} cursor={cursor} width={12} theme={theme} />;

test('a menu marks the chosen row between its borders, wherever the cursor goes, and hears no keys', async () => {
  const screen = drawn(menu(0));
  expect(screen.lines()).toEqual(['| mute |', '| unmute |', '| extend |']);
  const chosen = (text: string) => `|\u001B[7m ${text} \u001B[0m|`;
  expect(screen.frame().split('\n')).toEqual([chosen('mute'), '| unmute |', '| extend |']);
  for (const key of ['j', '\r', '2', '\u001b[B']) screen.presses(key);
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.frame().split('\n')[0]).toBe(chosen('mute'));
  screen.turn(menu(2));
  expect(screen.frame().split('\n')).toEqual(['| mute |', '| unmute |', chosen('extend')]);
  screen.close();
});
