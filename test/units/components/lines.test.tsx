import { Box } from 'ink';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Lines } from '../../../components/Lines.tsx';
import { paint } from '../../../src/lib/paint.ts';
import { mount } from '../../../src/shell/show.tsx';
import { drawn } from '../../support/drawn.tsx';
import { theme } from '../../support/line-examples.ts';

const Some = ({ texts, width }: { readonly texts: readonly string[]; readonly width: number }) => (
  <Lines lines={texts.map((text) => [{ text: paint(text) }])} width={width} theme={theme} />
);

const Pair = ({ above }: { readonly above: readonly string[] }) => (
  <Box flexDirection="column" width={12} height={4}>
    <Some texts={above} width={12} />
    <Box>
      <Some texts={['値 left', 'too long for it']} width={8} />
      <Some texts={['|', '|']} width={1} />
    </Box>
  </Box>
);

test('lines stand where they are laid out, cut to their width; what is below the frame is left out', () => {
  const screen = drawn(<Pair above={['one']} />);
  expect(screen.lines()).toEqual(['one', '値 left |', 'too lon…|', '']);
  screen.turn(<Pair above={['one', '', 'three']} />);
  expect(screen.lines()).toEqual(['one', '', 'three', '値 left |']);
  screen.close();
});

test('what only moves is drawn at its new place, what is removed is gone, and a turn has one frame', async () => {
  const frames: string[] = [];
  const mounted = mount(<Pair above={['one']} />, (frame) => frames.push(frame));
  mounted.turn(<Pair above={['one', 'two']} />);
  expect(frames).toEqual([]);
  await mounted.written();
  expect(frames).toEqual(['one\ntwo\n値 left |\ntoo lon…|']);
  mounted.turn(<Some texts={['alone']} width={9} />);
  await mounted.written();
  expect(frames.slice(1)).toEqual(['alone']);
  mounted.close();
  await mounted.written();
  expect(frames).toHaveLength(2);
});

test('an error that nothing in the tree catches is told, and draws nothing', async () => {
  const frames: string[] = [];
  const held = { fail: () => {} };
  function Failing() {
    const [isBroken, setBroken] = useState(false);
    held.fail = () => setBroken(true);
    if (isBroken) throw new Error('broken while drawing');
    return <Some texts={['whole']} width={9} />;
  }
  const mounted = mount(<Failing />, (frame) => frames.push(frame));
  await mounted.written();
  held.fail();
  await expect(mounted.failed).rejects.toThrow('broken while drawing');
  expect(frames.filter((frame) => frame !== '')).toEqual(['whole']);
});
