import { Box } from 'ink';
import { expect, test } from 'vitest';
import { Block } from '../../../components/Block.tsx';
import { paint } from '../../../src/lib/paint.ts';
import type { SceneBlock as BlockValue } from '../../../src/scene/scene.ts';
import { drawn } from '../../support/drawn.tsx';
import { theme } from '../../support/line-examples.ts';

const spans = (text: string) => [{ text: paint(text) }];
const base: BlockValue<never> = { title: spans('Menu'), lines: [], x: 2, y: 1, width: 16, height: 6, active: true };

test('a block stands at its place: text, a field at rest and the rows of a menu between its borders', () => {
  const screen = drawn(
    <Box width={20} height={8}>
      <Block
        block={{
          ...base,
          lines: [
            { spans: spans('type to filter'), role: 'prompt' },
            {
              spans: [...spans('[ '), { text: paint('Disk  '), field: { secret: false } }, ...spans(' ]')],
              role: 'field',
            },
            { spans: spans('  mute'), role: 'choice' },
            { spans: spans('> unmute'), role: 'choice', isCursor: true },
          ],
        }}
        theme={theme}
      />
    </Box>,
  );
  expect(screen.lines()).toEqual([
    '',
    '  ┌ Menu ────────┐',
    '  │type to filter│',
    '  │[ Disk   ]    │',
    '  │  mute        │',
    '  │> unmute      │',
    '  └──────────────┘',
    '',
  ]);
  screen.close();
});
