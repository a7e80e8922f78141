import { Box } from 'ink';
import type { Line } from '../src/describe/column.ts';
import { layoutLines } from '../src/lib/detail-lines.ts';
import { Lines } from './Lines.tsx';
import { Tabs, type TabsProps } from './Tabs.tsx';

export interface DetailProps extends TabsProps {
  readonly lines: readonly Line[];
  /** First line shown, counted in what `layoutLines` gives. */
  readonly top: number;
  /** With the line of the tabs. Without tabs the lines have all of it. */
  readonly height: number;
}

/** The detail of a row. */
export function Detail({ tabs, tab, lines, top, width, height, theme }: DetailProps) {
  const strip = tabs.length > 0 ? 1 : 0;
  const room = Math.max(0, height - strip);
  return (
    <Box flexDirection="column" width={width} height={Math.max(0, height)} flexShrink={0}>
      {strip > 0 && height > 0 ? <Tabs tabs={tabs} tab={tab} width={width} theme={theme} /> : null}
      <Lines lines={layoutLines(lines, width).slice(top, top + room)} width={width} height={room} theme={theme} />
    </Box>
  );
}
