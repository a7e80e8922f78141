import { wholePieces } from '../../components/Block.tsx';
import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import { choosable, type Span, spanCells, windowAt } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { cells, wrap } from '../lib/text.ts';
import { afterName, itemsOf, nothingDone, shiftTitle } from '../session/layers/journal.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import type { LayerProps } from './layerprops.ts';

type Report = NonNullable<LayerOf<'journal'>['report']>;
type HandoverItem = ReturnType<typeof itemsOf>[number];

type ReportProps = LayerProps<LayerOf<'journal'>> & { readonly report: Report };

/** The lines in sight. */
function shownLines({ layer, report, width, height, theme }: ReportProps): readonly ReportLine[] {
  const room = height - 2;
  const lines = reportLines(report, layer.cursor, width - 2, theme);
  const first = lines.findIndex(({ item }) => item === layer.cursor);
  const last = lines.findLastIndex(({ item }) => item === layer.cursor);
  // The head of the first section is seen with its first line.
  const top = layer.cursor === 0 ? 0 : windowAt(Math.max(0, first), room, lines.length, last);
  return lines.slice(top, top + room);
}

/** Place of the item on a line of the report, counted from its frame; undefined where none is. */
export const reportPlaceAt = (props: ReportProps, line: number): number | undefined =>
  shownLines(props)[line - 1]?.item;

/** The hand-over of the shift, as plain text; the cursor moves from one of its lines to the next. */
export function ReportLayer(props: ReportProps) {
  const { layer, report, width, height, theme } = props;
  const items = itemsOf(layer).length;
  const dot = plain` ${theme.glyphs.dot} `;
  const about = [shiftTitle(layer), report.shift, report.by && `by ${report.by}`];
  const title: readonly Span[] = [
    { text: plain`Hand-over of ${paint(report.profile)}`, bold: true },
    ...about.flatMap((text) => (text ? [{ text: plain`${dot}${paint(text)}`, tone: 'dim' as const }] : [])),
  ];
  return (
    <Frame
      title={wholePieces(title, width - 6)}
      footRight={items > 0 ? [{ text: plain`${layer.cursor + 1}/${items}`, tone: 'dim' }] : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Lines lines={shownLines(props).map(({ spans }) => spans)} width={width - 2} height={height - 2} theme={theme} />
    </Frame>
  );
}

interface ReportLine {
  readonly spans: readonly Span[];
  /** Number of its item; undefined for a heading. */
  readonly item?: number;
}

/** The lines of the report, each at most `width` cells. */
function reportLines({ sections }: Report, cursor: number, width: number, theme: Theme): readonly ReportLine[] {
  const lines: ReportLine[] = [];
  const heading = (spans: readonly Span[]) => lines.push({ spans });
  let at = 0;
  if (sections.length === 0) heading([{ text: plain` ${paint(nothingDone)}`, tone: 'dim' }]);
  for (const [place, { title, items }] of sections.entries()) {
    if (place > 0) heading([]);
    heading([{ text: plain` ${paint(title)}`, tone: 'strong' }]);
    // Lines that begin alike are laid out alike.
    const apart = new Set(items.filter((item) => isTooWide(item, width)).map(({ lead }) => lead));
    for (const item of items) {
      const isApart = item.name !== undefined && apart.has(item.lead);
      for (const spans of itemLines(item, isApart, at === cursor, width, theme)) lines.push({ spans, item: at });
      at += 1;
    }
  }
  return lines;
}

const indent = 4;

/** Whether a name has no room behind what is said of it. */
const isTooWide = ({ lead, name }: HandoverItem, width: number): boolean =>
  lead !== undefined && name !== undefined && cells(paint(`${lead} ${name}`)) > width - 2;

/**
 * The name and what was done on the first line, what is true now behind it where there is room, else below. What is `isApart`
 * says all but the name below, so that the name is whole.
 */
function itemLines(
  item: HandoverItem,
  isApart: boolean,
  chosen: boolean,
  width: number,
  theme: Theme,
): readonly (readonly Span[])[] {
  const { lead, name, did, more } = item;
  const dot = plain` ${theme.glyphs.dot} `;
  const first: Span[] = [
    ...(lead === undefined || isApart ? [] : [{ text: name === undefined ? paint(lead) : plain`${paint(lead)} ` }]),
    ...(name === undefined ? [] : [{ text: paint(name), tone: 'strong' as const }]),
  ];
  const below: Span[][] = [];
  const done =
    isApart && lead !== undefined ? `${did?.startsWith('(') ? lead.replace(/:$/, '') : lead} ${did ?? ''}` : did;
  const parts = [
    ...(done === undefined ? [] : [{ text: paint(done), before: isApart ? dot : paint(afterName(item)) }]),
    ...more.map((text) => ({ text: paint(text), before: dot })),
  ];
  for (const { text, before } of parts) {
    const isFirst = first.length === 0;
    const isRoom = below.length === 0 && spanCells(first) + cells(before) + cells(text) <= width - 2;
    if (isRoom) first.push({ text: isFirst ? text : plain`${before}${text}` });
    else for (const row of wrap(text, width - indent)) below.push([{ text: plain`    ${row}` }]);
  }
  const [onlyBelow] = below;
  if (first.length === 0 && onlyBelow) {
    const [head, ...others] = below.map(([span]) => [{ text: paint(span?.text.trim()) }]);
    return [choosable(head ?? [], width, chosen, theme), ...others.map((row) => choosable(row, width, false, theme))];
  }
  return [choosable(first, width, chosen, theme), ...below];
}
