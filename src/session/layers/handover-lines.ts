import { type Handover, nothingDone } from '../../journal/handover-report.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain, spaces } from '../../lib/painted.ts';
import { cells, wrap } from '../../lib/text.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import {
  choosable,
  cutSpans,
  listTexts,
  type Room,
  type Span,
  type Speech,
  spanCells,
  windowAt,
} from '../../scene/span.ts';
import type { Theme } from '../../scene/theme.ts';
import { rowSends } from '../stack/kind.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';

type HandoverSection = Handover['sections'][number];
type HandoverItem = HandoverSection['items'][number];

/** Cells of the titles of sections, where they stand beside what they are about. */
const titleCells = 35;
/** Cells from which they do. */
const wide = 100;

/**
 * The lines in sight of the handover of a shift, and the item under the cursor in full where its line has no room for all of
 * it; the cursor moves from one of its items to the next.
 */
export function handoverLines(
  report: Handover,
  cursor: number,
  now: Moment,
  room: Room,
): { readonly lines: readonly Line<Message>[]; readonly cut: Painted | undefined } {
  const lines = fittingLines(report, cursor, room);
  return { lines: inSight(lines, cursor, now, room), cut: cutItem(report, cursor, lines) };
}

function inSight(lines: readonly ReportLine[], cursor: number, now: Moment, { height }: Room): Line<Message>[] {
  const isAt = ({ items }: ReportLine) => items.includes(cursor);
  // The title of the first section is seen with its first line.
  const top =
    cursor === 0 ? 0 : windowAt(Math.max(0, lines.findIndex(isAt)), height, lines.length, lines.findLastIndex(isAt));
  return lines.slice(top, top + height).flatMap(({ spans, items }): Line<Message>[] => {
    const [first] = items;
    if (first === undefined) return asLines([spans]);
    const isCursor = items.includes(cursor);
    const send = rowSends(isCursor ? cursor : first, cursor, { type: 'openEntry' }, now);
    return [{ spans, role: 'row', isCursor, send }];
  });
}

interface ReportLine {
  readonly spans: Spans;
  /** Numbers of its items; none for a title. */
  readonly items: readonly number[];
}

/** How much is left out for the report to be on one screen. */
interface Tightness {
  /** Sections without a blank line between them. */
  readonly isJoined?: boolean;
  /** Short items in columns; with the title of their section in the first place, where it fits. */
  readonly columns?: 'items' | 'titles';
}

const tightnesses: readonly Tightness[] = [
  {},
  { isJoined: true },
  { isJoined: true, columns: 'items' },
  { isJoined: true, columns: 'titles' },
];

/** The lines of the report, on one screen where it can be. */
function fittingLines(report: Handover, cursor: number, room: Room): readonly ReportLine[] {
  let lines: readonly ReportLine[] = [];
  for (const how of tightnesses) {
    lines = allLines(report, cursor, room, how);
    if (lines.length <= room.height) break;
  }
  return lines;
}

function cutItem(report: Handover, cursor: number, lines: readonly ReportLine[]): Painted | undefined {
  const item = report.sections.flatMap(({ items }) => items)[cursor];
  const whole = item && joinPainted(wordsOf(item).map(({ text }) => text));
  if (whole === undefined || item?.more.length !== 0) return undefined;
  const line = lines.find(({ items }) => items.includes(cursor));
  return line && joinPainted(line.spans.map(({ text }) => text)).includes(whole) ? undefined : whole;
}

/** The lines of the report, each at most as wide as the room. */
function allLines({ sections }: Handover, cursor: number, room: Room, how: Tightness): readonly ReportLine[] {
  if (sections.length === 0) return [{ spans: [{ text: plain` ${paint(nothingDone)}`, tone: 'dim' }], items: [] }];
  const lines: ReportLine[] = [];
  let first = 0;
  for (const [place, section] of sections.entries()) {
    if (place > 0 && !how.isJoined) lines.push({ spans: [], items: [] });
    for (const { spans, items } of sectionLines(section, cursor - first, room, how))
      lines.push({ spans, items: items.map((index) => first + index) });
    first += section.items.length;
  }
  return lines;
}

/** The lines of a section with its title: beside them, above them, or in the first column. */
function sectionLines(section: HandoverSection, cursor: number, room: Room, how: Tightness): readonly ReportLine[] {
  const { theme } = room;
  const isBeside = room.width >= wide;
  const width = isBeside ? room.width - titleCells : room.width;
  const title = titleOf(section);
  if (how.columns === 'titles' && !isBeside && section.isDense && spanCells(title) <= columnsIn(width)[1] - 2)
    return columnLines(section, cursor, width, theme, title);
  const inColumns = how.columns !== undefined;
  const content = section.isDense
    ? (inColumns ? columnLines : denseLines)(section, cursor, width, theme)
    : section.items.flatMap((item, index) =>
        itemLines(item, index === cursor, width, theme).map((spans) => ({ spans, items: [index] })),
      );
  return isBeside ? beside(section, content) : [{ spans: title, items: [] }, ...content];
}

/** ` Alerting, not muted  21`. */
const titleOf = ({ title, count }: HandoverSection): Spans => [
  { text: plain` ${paint(title)}`, tone: 'strong' },
  ...(count === undefined ? [] : [{ text: plain`  ${count}` }]),
];

/** The lines of a section with its title before the first. */
function beside(section: HandoverSection, lines: readonly ReportLine[]): readonly ReportLine[] {
  const title = titleOf(section);
  const head: Spans = [...title, { text: spaces(Math.max(1, titleCells - spanCells(title))) }];
  return lines.map(({ spans, items }, index) => ({
    spans: [...(index === 0 ? head : [{ text: spaces(titleCells) }]), ...spans],
    items,
  }));
}

/** What is said of an item around its name. */
const wordsOf = ({ lead, name, rest }: Pick<HandoverItem, 'lead' | 'name' | 'rest'>): readonly Span[] => [
  ...(lead === undefined ? [] : [{ text: name === undefined ? paint(lead) : plain`${paint(lead)} ` }]),
  ...(name === undefined ? [] : [{ text: paint(name), tone: 'strong' as const }]),
  ...(rest === undefined ? [] : [{ text: plain` ${paint(rest)}`, tone: 'dim' as const }]),
];

/** Short items one behind the other, as many as a line has room for; the one under the cursor is marked. */
function denseLines({ items }: HandoverSection, cursor: number, width: number, theme: Theme): readonly ReportLine[] {
  const lines: { spans: Span[]; items: number[] }[] = [];
  for (const [index, item] of items.entries()) {
    const dot = plain` ${theme.glyphs.dot}`;
    const line = lines.at(-1);
    const spans = markedItem(wordsOf(item), index === cursor);
    if (line && spanCells(line.spans) + cells(dot) + spanCells(spans) <= width - 1) {
      line.spans.push({ text: dot, tone: 'dim' }, ...spans);
      line.items.push(index);
    } else lines.push({ spans: [...spans], items: [index] });
  }
  return lines;
}

/** Cells of a column of short items, at least; there are two on any terminal. */
const columnCells = 45;

/** How many columns of short items there are, and the cells of each. */
function columnsIn(width: number): readonly [columns: number, column: number] {
  const columns = Math.max(2, Math.floor(width / columnCells));
  return [columns, Math.floor((width - 1) / columns)];
}

/**
 * Short items in columns, behind the title where it is among them. One that is too long loses what is said behind its name
 * first, then the end of the name.
 */
function columnLines(
  { items }: HandoverSection,
  cursor: number,
  width: number,
  theme: Theme,
  title?: Spans,
): readonly ReportLine[] {
  const [columns, column] = columnsIn(width);
  const entries = items.map((item, index): ReportLine => {
    const { rest, ...short } = item;
    const isWhole = spanCells(wordsOf(item)) <= column - 2;
    const words = cutSpans(wordsOf(isWhole ? item : short), column - 2, theme.glyphs.ellipsis);
    return { spans: markedItem(words, index === cursor), items: [index] };
  });
  const places = title ? [{ spans: title, items: [] }, ...entries] : entries;
  return Array.from({ length: Math.ceil(places.length / columns) }, (_, line): ReportLine => {
    const shown = places.slice(line * columns, (line + 1) * columns);
    return {
      spans: shown.flatMap(({ spans }) => [...spans, { text: spaces(column - spanCells(spans)) }]),
      items: shown.flatMap((place) => place.items),
    };
  });
}

/** With its mark where it is the one under the cursor. */
const markedItem = (words: Spans, isChosen: boolean): Spans =>
  [{ text: isChosen ? plain`>` : plain` ` }, ...words].map((span) => (isChosen ? { ...span, inverse: true } : span));

/** The name on the first line, what is true now behind it where there is room, else below. */
function itemLines(item: HandoverItem, chosen: boolean, width: number, theme: Theme): readonly Spans[] {
  const first: Span[] = [...wordsOf(item)];
  const below: Span[][] = [];
  const before: Painted = plain` ${theme.glyphs.dot} `;
  // Without a name before it, each stands for itself: only what is wrapped is indented.
  const partIndent = first.length > 0 ? indent : indent - 2;
  for (const more of item.more) {
    const text = paint(more);
    const isFirst = first.length === 0;
    const isRoom = below.length === 0 && spanCells(first) + cells(before) + cells(text) <= width - 2;
    if (isRoom) first.push({ text: isFirst ? text : plain`${before}${text}` });
    else
      for (const [at, row] of wrap(text, width - indent).entries())
        below.push([{ text: plain`${spaces(at > 0 ? indent : partIndent)}${row}` }]);
  }
  const [head, ...rest] =
    first.length === 0 ? below.map(([span]) => [{ text: paint(span?.text.trim()) }]) : [first, ...below];
  return [choosable(head ?? [], width, chosen, theme), ...rest];
}

const indent = 4;

/** The items of the handover one after the other. */
export function handoverSpeech({ shift, sections }: Handover, index: number): Speech {
  const texts = sections.flatMap(({ title, items }) =>
    items.map(({ lead, name, rest, more }) => {
      const head = [lead, name, rest].filter((part) => part !== undefined).join(' ');
      return plain`${paint(title)}: ${listTexts([paint(head), ...more.map((text) => paint(text))])}`;
    }),
  );
  return {
    title: plain`Handover, ${paint(shift)}. y copies it, Tab shows the timeline`,
    rows: { texts, at: index, most: Number.POSITIVE_INFINITY, none: paint(nothingDone) },
  };
}
