import { afterName, nothingDone } from '../../journal/handover-markdown.ts';
import type { Handover } from '../../journal/handover-report.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { cells, wrap } from '../../lib/text.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import { choosable, type Span, spanCells, windowAt } from '../../scene/span.ts';
import { listTexts, type Speech } from '../../scene/speech.ts';
import type { Theme } from '../../scene/theme.ts';
import type { Room } from '../stack/kind.ts';
import { rowSends } from '../stack/row-lines.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';

type HandoverItem = Handover['sections'][number]['items'][number];

/** The lines in sight of the hand-over of a shift; the cursor moves from one of its items to the next. */
export function reportLines(report: Handover, cursor: number, now: Moment, room: Room): readonly Line<Message>[] {
  const { width, height, theme } = room;
  const lines = allLines(report, cursor, width, theme);
  const first = lines.findIndex(({ item }) => item === cursor);
  const last = lines.findLastIndex(({ item }) => item === cursor);
  // The head of the first section is seen with its first line.
  const top = cursor === 0 ? 0 : windowAt(Math.max(0, first), height, lines.length, last);
  return lines
    .slice(top, top + height)
    .flatMap(({ spans, item }): Line<Message>[] =>
      item === undefined
        ? asLines([spans])
        : [{ spans, role: 'row', isCursor: item === cursor, send: rowSends(item, cursor, { type: 'openEntry' }, now) }],
    );
}

interface ReportLine {
  readonly spans: Spans;
  /** Number of its item; undefined for a heading. */
  readonly item?: number;
}

/** The lines of the report, each at most `width` cells. */
function allLines({ sections }: Handover, cursor: number, width: number, theme: Theme): readonly ReportLine[] {
  const lines: ReportLine[] = [];
  const heading = (spans: Spans) => lines.push({ spans });
  let index = 0;
  if (sections.length === 0) heading([{ text: plain` ${paint(nothingDone)}`, tone: 'dim' }]);
  for (const [place, { title, items }] of sections.entries()) {
    if (place > 0) heading([]);
    heading([{ text: plain` ${paint(title)}`, tone: 'strong' }]);
    // Lines that begin alike are laid out alike.
    const apart = new Set(items.filter((item) => isTooWide(item, width)).map(({ lead }) => lead));
    for (const item of items) {
      const isApart = item.name !== undefined && apart.has(item.lead);
      for (const spans of itemLines(item, isApart, index === cursor, width, theme)) lines.push({ spans, item: index });
      index += 1;
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
): readonly Spans[] {
  const { lead, name } = item;
  const first: Span[] = [
    ...(lead === undefined || isApart ? [] : [{ text: name === undefined ? paint(lead) : plain`${paint(lead)} ` }]),
    ...(name === undefined ? [] : [{ text: paint(name), tone: 'strong' as const }]),
  ];
  const below: Span[][] = [];
  for (const { text, before } of partsOf(item, isApart, plain` ${theme.glyphs.dot} `)) {
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

/** What is said of an item besides its name, with what stands before each part on the line of the name. */
function partsOf(item: HandoverItem, isApart: boolean, dot: Painted): readonly { text: Painted; before: Painted }[] {
  const { lead, did, more } = item;
  const done =
    isApart && lead !== undefined ? `${did?.startsWith('(') ? lead.replace(/:$/, '') : lead} ${did ?? ''}` : did;
  return [
    ...(done === undefined ? [] : [{ text: paint(done), before: isApart ? dot : paint(afterName(item)) }]),
    ...more.map((text) => ({ text: paint(text), before: dot })),
  ];
}

/** The items of the hand-over one after the other. */
export function reportSpeech({ shift, sections }: Handover, index: number): Speech {
  const texts = sections.flatMap(({ title, items }) =>
    items.map((item) => {
      const { lead, name, did, more } = item;
      const head = [lead, name].filter((part) => part !== undefined).join(' ');
      const what = did === undefined ? head : `${head}${head === '' ? '' : afterName(item)}${did}`;
      return plain`${paint(title)}: ${listTexts([paint(what), ...more.map((text) => paint(text))])}`;
    }),
  );
  return {
    title: plain`Hand-over, ${paint(shift)}. y copies it, Tab lists all edits`,
    rows: { texts, at: index, most: Number.POSITIVE_INFINITY, none: paint(nothingDone) },
  };
}
