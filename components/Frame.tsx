import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import { type Painted, plain, repeated } from '../src/lib/painted.ts';
import { Lines, type LinesProps } from './Lines.tsx';
import { cutSpans, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

export interface FrameProps {
  readonly title: readonly Span[];
  readonly titleRight?: readonly Span[];
  readonly foot?: readonly Span[];
  readonly footRight?: readonly Span[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** The pane that the keys go to. */
  readonly active: boolean;
  /** What is inside, `height - 2` lines of `width - 2` cells: as lines, which then are one block with the border, … */
  readonly lines?: readonly (readonly Span[])[];
  /** … or as components that have blocks of their own. */
  readonly children?: ReactNode;
}

/** A border around lines, as one block. */
export function framed({
  title,
  titleRight = [],
  foot = [],
  footRight = [],
  width,
  height,
  theme,
  active,
  lines,
}: Omit<FrameProps, 'children'> & Required<Pick<FrameProps, 'lines'>>): LinesProps {
  const { box } = theme.glyphs;
  const border = { width, theme, active };
  const top = edgeSpans({ left: title, right: titleRight, ends: [box.topLeft, box.top, box.topRight], ...border });
  const ends = [box.bottomLeft, box.bottom, box.bottomRight] as const;
  const bottom = edgeSpans({ left: foot, right: footRight, ends, ...border });
  const inside = Array.from({ length: Math.max(0, height - 2) }, (_, at) => lines[at] ?? []);
  const side: Span = { text: box.left, tone: borderTone(active) };
  const sides = width > 1 ? ([side, { ...side, text: box.right }] as const) : ([side] as const);
  return { lines: [top, ...inside, bottom], width, height, theme, sides };
}

/** A border with the title inside its top line and the foot inside its bottom line. */
export function Frame({ lines, children, ...props }: FrameProps) {
  if (lines) return <Lines {...framed({ ...props, lines })} />;
  const { title, titleRight = [], foot = [], footRight = [], width, height, theme, active } = props;
  const { box } = theme.glyphs;
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Edge
        left={title}
        right={titleRight}
        ends={[box.topLeft, box.top, box.topRight]}
        width={width}
        theme={theme}
        active={active}
      />
      <Sides width={width} height={Math.max(0, height - 2)} theme={theme} active={active}>
        {children}
      </Sides>
      <Edge
        left={foot}
        right={footRight}
        ends={[box.bottomLeft, box.bottom, box.bottomRight]}
        width={width}
        theme={theme}
        active={active}
      />
    </Box>
  );
}

/** What stands between the top and the bottom line of a border, with the border at its sides. */
export function Sides({
  width,
  height,
  theme,
  active,
  children,
}: Pick<FrameProps, 'width' | 'height' | 'theme' | 'active' | 'children'>) {
  const { left, right } = theme.glyphs.box;
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Side sign={left} {...{ height, theme, active }} />
      <Box flexDirection="column" width={Math.max(0, width - 2)} flexShrink={0}>
        {children}
      </Box>
      {width > 1 && <Side sign={right} {...{ height, theme, active }} />}
    </Box>
  );
}

const Side = memo(
  ({ sign, height, theme, active }: Pick<FrameProps, 'height' | 'theme' | 'active'> & { sign: Painted }) => {
    const line: Span[] = [{ text: sign, tone: borderTone(active) }];
    return <Lines lines={Array<Span[]>(Math.max(0, height)).fill(line)} width={1} height={height} theme={theme} />;
  },
);

const borderTone = (active: boolean) => (active ? 'info' : 'dim');

export interface EdgeProps {
  readonly left: readonly Span[];
  readonly right: readonly Span[];
  readonly ends: readonly [Painted, Painted, Painted];
  readonly width: number;
  readonly theme: Theme;
  readonly active: boolean;
}

/** A line of a border, `┌ left ──── right ┐`; the left is cut before the right, and each has a space on both sides. */
export function Edge(props: EdgeProps) {
  return <Lines lines={[edgeSpans(props)]} width={props.width} height={1} theme={props.theme} />;
}

function edgeSpans({ left, right, ends, width, theme, active }: EdgeProps): readonly Span[] {
  const { ellipsis } = theme.glyphs;
  const tone = borderTone(active);
  const inner = Math.max(0, width - 2);
  const air = (spans: readonly Span[]): readonly Span[] =>
    spans.length === 0 ? [] : [{ text: plain` ` }, ...spans, { text: plain` ` }];
  const rightKept = air(cutSpans(right, Math.max(0, inner - 2), ellipsis));
  const leftRoom = inner - spanCells(rightKept) - 2;
  const leftKept = leftRoom > 0 ? air(cutSpans(left, leftRoom, ellipsis)) : [];
  const rest = inner - spanCells(leftKept) - spanCells(rightKept);
  const line: Span[] = [
    { text: ends[0], tone },
    ...leftKept,
    { text: repeated(ends[1], rest), tone },
    ...rightKept,
    { text: width > 1 ? ends[2] : plain``, tone },
  ];
  return cutSpans(line, width, '');
}
