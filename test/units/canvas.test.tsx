import { Box } from 'ink';
import { use, useState } from 'react';
import { expect, test } from 'vitest';
import { CanvasContext } from '../../components/canvas.ts';
import { Drawing, type PlacedBlock } from '../../components/Drawing.tsx';
import { Lines } from '../../components/Lines.tsx';
import { paint } from '../../src/lib/paint.ts';
import { safeBlocks } from '../../src/shell/Body.tsx';
import { mount } from '../../src/shell/mount.tsx';
import { bare, draw, theme } from '../support/component-examples.tsx';

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

test('a drawing that has changed is one frame of its turn, and no component is drawn again', async () => {
  const frames: string[] = [];
  const held = { said: 'one', changed: () => {}, renders: 0 };
  const blocks = (): readonly PlacedBlock[] => [
    { x: 0, y: 0, lines: [[{ text: paint(held.said) }]], width: 8, height: 1, theme },
    { x: 8, y: 1, lines: [[{ text: paint('beside') }], [{ text: paint('too low') }]], width: 6, height: 1, theme },
  ];
  function Drawn() {
    held.changed = use(CanvasContext)?.changed ?? held.changed;
    held.renders += 1;
    return <Drawing width={14} height={2} blocks={blocks} />;
  }
  const mounted = mount(<Drawn />, (frame) => frames.push(frame));
  await mounted.written();
  const { renders } = held;
  held.changed();
  held.said = 'two';
  held.changed();
  await mounted.written();
  expect(frames).toEqual(['one\n        beside', 'two\n        beside']);
  expect(held.renders).toBe(renders);
  mounted.close();
});

test('an error of a drawing is told', async () => {
  const held = { isBroken: false, changed: () => {} };
  function Drawn() {
    held.changed = use(CanvasContext)?.changed ?? held.changed;
    const blocks = (): readonly PlacedBlock[] => {
      if (held.isBroken) throw new Error('broken while drawn');
      return [];
    };
    return <Drawing width={9} height={1} blocks={blocks} />;
  }
  const mounted = mount(<Drawn />, () => {});
  await mounted.written();
  held.isBroken = true;
  held.changed();
  await expect(mounted.failed).rejects.toThrow('broken while drawn');
  mounted.close();
});

test('a line keeps no border of another block', () => {
  const line = [{ text: paint('line') }];
  const around = (side: string) => (
    <Lines
      lines={[line, line, line]}
      sides={[{ text: paint(side) }, { text: paint(side) }]}
      width={8}
      height={3}
      theme={theme}
    />
  );
  expect(draw(around('|')).split('\n')[1]).toBe('|line  |');
  expect(draw(around('!')).split('\n')[1]).toBe('!line  !');
});

test('a body that throws is a sentence of its size', () => {
  const broken = {
    state: { size: { columns: 60, rows: 20 } },
    get view(): never {
      throw new Error('broken while drawn');
    },
  };
  const [block, ...others] = safeBlocks({ now: broken, height: 9, theme } as unknown as Parameters<
    typeof safeBlocks
  >[0]);
  expect(others).toEqual([]);
  expect(block).toMatchObject({ x: 0, y: 0, width: 60, height: 9 });
  expect(bare(<Lines {...(block as PlacedBlock)} />)).toMatch(/this cannot be shown: .*broken\n? *while drawn/);
});
