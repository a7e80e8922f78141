import { type Painted, plain, repeated } from '../lib/painted.ts';
import type { Block, Spans } from './scene.ts';
import { cutSpans, fitSpans, type Span, spanCells } from './span.ts';
import type { Glyphs, Theme } from './theme.ts';

type Framed = Omit<Block<unknown>, 'x' | 'y'>;

/** All lines of a block, those of its border among them: `height` lines of `width` cells at most. */
export function framedLines(block: Framed, { glyphs }: Theme): readonly Spans[] {
  const { title, titleRight = [], foot = [], footRight = [], lines, width, height, active, border = 'whole' } = block;
  if (border === 'none') return lines.slice(0, height).map(({ spans }) => spans);
  const hasEnd = border === 'whole' || border === 'below';
  const inside = linesInside(block);
  const tone = active ? 'info' : 'dim';
  const { box } = glyphs;
  const left: Span = { text: box.left, tone };
  const right: Spans = width > 1 ? [{ text: box.right, tone }] : [];
  const room = width - 1 - right.length;
  const edge = { width, tone, ellipsis: glyphs.ellipsis } as const;
  const [topLeft, topRight] =
    border === 'below' || border === 'belowOpen' ? [glyphs.teeLeft, glyphs.teeRight] : [box.topLeft, box.topRight];
  return [
    edgeSpans({ ...edge, left: title, right: titleRight, ends: [topLeft, box.top, topRight] }),
    ...Array.from({ length: inside }, (_, at) => [
      left,
      ...fitSpans(lines[at]?.spans ?? [], room, glyphs.ellipsis),
      ...right,
    ]),
    ...(hasEnd
      ? [edgeSpans({ ...edge, left: foot, right: footRight, ends: [box.bottomLeft, box.bottom, box.bottomRight] })]
      : []),
  ].slice(0, Math.max(0, height));
}

/** Lines that a block has room for inside its border. */
function linesInside({ height, border = 'whole' }: Pick<Framed, 'height' | 'border'>): number {
  if (border === 'none') return Math.max(0, height);
  return Math.max(0, height - (border === 'whole' || border === 'below' ? 2 : 1));
}

interface Edge {
  readonly left: Spans;
  readonly right: Spans;
  readonly ends: readonly [Painted, Painted, Painted];
  readonly width: number;
  readonly tone: 'info' | 'dim';
  readonly ellipsis: Glyphs['ellipsis'];
}

/** A line of a border, `┌ left ──── right ┐`; the left is cut before the right, and each has a space on both sides. */
function edgeSpans({ left, right, ends, width, tone, ellipsis }: Edge): Spans {
  const inner = Math.max(0, width - 2);
  const air = (spans: Spans): Spans => (spans.length === 0 ? [] : [{ text: plain` ` }, ...spans, { text: plain` ` }]);
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
