import { Box } from 'ink';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Lines } from '../../components/Lines.tsx';
import { paint } from '../../src/lib/paint.ts';
import { mount } from '../../src/shell/mount.tsx';
import { draw, theme } from '../support/component-examples.tsx';

function Block({ texts, width }: { readonly texts: readonly string[]; readonly width: number }) {
  const lines = texts.map((text) => [{ text: paint(text) }]);
  return <Lines lines={lines} width={width} height={texts.length} theme={theme} />;
}

const Pair = ({ above }: { readonly above: readonly string[] }) => (
  <Box flexDirection="column" width={12} height={4}>
    <Block texts={above} width={12} />
    <Box>
      <Block texts={['値 left', 'too long for it']} width={8} />
      <Block texts={['|', '|']} width={1} />
    </Box>
  </Box>
);

test('blocks stand where they are laid out, cut to their width; what is below the frame is left out', () => {
  expect(draw(<Pair above={['one']} />).split('\n')).toEqual(['one', '値 left |', 'too lon…|', '']);
  expect(draw(<Pair above={['one', '', 'three']} />).split('\n')).toEqual(['one', '', 'three', '値 left |']);
});

test('a block that only moves is drawn at its new place, a removed one is gone, and a turn has one frame', async () => {
  const frames: string[] = [];
  const mounted = mount(<Pair above={['one']} />, (frame) => frames.push(frame));
  mounted.turn(<Pair above={['one', 'two']} />);
  expect(frames).toEqual([]);
  await mounted.written();
  expect(frames).toEqual(['one\ntwo\n値 left |\ntoo lon…|']);
  mounted.turn(<Block texts={['alone']} width={9} />);
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
    return <Block texts={['whole']} width={9} />;
  }
  const mounted = mount(<Failing />, (frame) => frames.push(frame));
  await mounted.written();
  held.fail();
  await expect(mounted.failed).rejects.toThrow('broken while drawing');
  expect(frames.filter((frame) => frame !== '')).toEqual(['whole']);
});
