import { Box } from 'ink';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Block } from '../../components/Block.tsx';
import { FieldInput } from '../../components/Field.tsx';
import { drawnLine, Lines } from '../../components/Lines.tsx';
import { Menu } from '../../components/Menu.tsx';
import { paint } from '../../src/lib/paint.ts';
import type { ThemeName } from '../../src/lib/setting-values.ts';
import { asLines, type SceneBlock } from '../../src/scene/scene.ts';
import type { Span } from '../../src/scene/span.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { mount } from '../../src/shell/show.tsx';
import { drawn } from '../support/drawn.tsx';
import { mono, plain, theme } from '../support/line-examples.ts';

const spans = (text: string) => [{ text: paint(text) }];

const Some = ({ texts, width }: { readonly texts: readonly string[]; readonly width: number }) => (
  <Lines lines={texts.map(spans)} width={width} theme={theme} />
);

test('without signs beyond ASCII our sentences keep their cells', () => {
  const screen = drawn(<Lines lines={[spans('a–b—c…d·e→f’g“h”值')]} width={20} theme={plain} />);
  expect(screen.lines()).toEqual(['a-b-c~d-e>f\'g"h"值']);
  screen.close();
});

test('a tone that is seen on blanks is for the words alone, a cursor for the blanks too, and a cut line tells the cells it takes', () => {
  const text = paint(' bad  row ');
  const drawnAs = (more: object) => drawnLine([{ text, tone: 'bad', ...more }], 20, mono).text.replaceAll('\u001b', '');
  expect(drawnAs({})).toBe(' [1;7mbad[0m  [1;7mrow[0m ');
  expect(drawnAs({ inverse: true })).toBe('[1;7m bad  row [0m');
  expect(drawnLine(spans('値値値'), 4, theme)).toEqual({ text: '値…', cells: 3 });
});

test.each<readonly [name: ThemeName, span: Omit<Span, 'text'>, drawn: string]>([
  ['default', { tone: 'dim' }, '[2m a  b [0m'],
  ['light', { tone: 'warn' }, '[35m a  b [0m'],
  ['high-contrast', { tone: 'good' }, '[1;92m a  b [0m'],
  // The underline of a tone is for the words alone; that of a text with a fault is for all of it.
  ['high-contrast', { tone: 'bad' }, ' [1;4;91ma[0m  [1;4;91mb[0m '],
  ['high-contrast', { tone: 'bad', underline: true }, '[1;4;91m a  b [0m'],
])('in the theme %s %j is drawn by its sequence', (name, span, drawn) => {
  const theme = createTheme({ name, noColor: false, ascii: false });
  expect(drawnLine([{ text: paint(' a  b '), ...span }], 20, theme).text.replaceAll('\u001b', '')).toBe(drawn);
});

test('pieces of a row are joined from left to right, and one that begins in another follows it', () => {
  const at = (left: number, text: string) => (
    <Box position="absolute" left={left}>
      <Some texts={[text]} width={9} />
    </Box>
  );
  const screen = drawn(
    <Box width={20} height={1}>
      {at(9, 'right')}
      {at(0, 'left')}
      {at(2, 'in it')}
    </Box>,
  );
  expect(screen.frame()).toBe('leftin it  right');
  screen.close();
});

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

const base: SceneBlock<never> = { title: spans('Menu'), lines: [], x: 2, y: 1, width: 16, height: 6, active: true };

test.each<readonly [string, Partial<SceneBlock<never>>, readonly string[]]>([
  [
    'text, fields at rest and the rows of a menu between its borders',
    {
      height: 8,
      lines: [
        { spans: spans('type to filter'), role: 'prompt' },
        { spans: [...spans('['), { text: paint('Disk  '), field: { secret: false } }, ...spans(']')], role: 'field' },
        { spans: [...spans('['), { text: paint('key   '), field: { secret: true } }, ...spans(']')], role: 'field' },
        { spans: spans('  mute'), role: 'choice' },
        { spans: spans('> unmute'), role: 'choice', isCursor: true },
        { spans: spans('two mutes'), role: 'text' },
      ],
    },
    [
      '  ┌ Menu ────────┐',
      '  │type to filter│',
      '  │[Disk  ]      │',
      '  │[•••   ]      │',
      '  │  mute        │',
      '  │{> unmute}{      }│',
      '  │two mutes     │',
      '  └──────────────┘',
    ],
  ],
  [
    'a menu alone, with the cursor on its first row',
    {
      height: 4,
      lines: [
        { spans: spans('> mute'), role: 'choice', isCursor: true },
        { spans: spans('  unmute'), role: 'choice' },
      ],
    },
    ['  ┌ Menu ────────┐', '  │{> mute}{        }│', '  │  unmute      │', '  └──────────────┘'],
  ],
  [
    'lines without a border',
    { border: 'none', height: 2, lines: asLines([spans('one'), spans('two')]) },
    ['  one', '  two'],
  ],
])('a block stands at its place: %s', (_, more, lines) => {
  const screen = drawn(
    <Box width={20} height={10}>
      <Block block={{ ...base, ...more }} theme={mono} />
    </Box>,
  );
  const seen = screen.frame().replaceAll('\u001B[7m', '{').replaceAll('\u001B[0m', '}');
  expect(seen.trimEnd().split('\n')).toEqual(['', ...lines]);
  screen.close();
});

const field = (text: string, secret: boolean) => (
  <FieldInput span={{ text: paint(text), field: { secret } }} theme={theme} />
);

test('a field at rest shows its text in its cells, of a secret a mask for each letter, and hears no keys', async () => {
  const screen = drawn(field('a\u001b[31m値  ', false));
  expect(screen.lines()).toEqual(['a␛[31m値']);
  screen.presses('x', '\u007f');
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.lines()).toEqual(['a␛[31m値']);
  screen.turn(field('xxx  ', true));
  expect(screen.lines()).toEqual(['•••']);
  screen.close();
});

const menuRows = ['mute', 'unmute', 'extend', 'close'].map((text) =>
  ['|', ` ${text} `, '|'].map((part) => ({ text: paint(part) })),
);
const menu = (cursor: number, count = 3) => (
  <Menu rows={menuRows.slice(0, count)} cursor={cursor} width={12} theme={theme} />
);

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
  screen.turn(menu(2, 4));
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.frame().split('\n')).toEqual(['| mute |', '| unmute |', chosen('extend'), '| close |']);
  screen.close();
});
