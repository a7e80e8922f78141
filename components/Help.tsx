import { paint } from '../src/lib/paint.ts';
import { type Painted, plain, spaces } from '../src/lib/painted.ts';
import { cells, fit, wrap } from '../src/lib/text.ts';
import { Lines } from './Lines.tsx';
import { choosable, fitSpans, flow, type Span, windowAt } from './span.ts';
import type { Theme } from './theme.ts';
import { typing } from './typing.ts';

interface HelpRow {
  readonly keys: Painted;
  readonly title: Painted;
  /** Why it is unavailable now. */
  readonly reason?: Painted | undefined;
}

export interface HelpProps {
  /** Those that match the query, in order. */
  readonly groups: readonly { readonly title: Painted; readonly rows: readonly HelpRow[] }[];
  /** As typed. */
  readonly query: string;
  /** Graphemes before the cursor while the query is being typed; undefined at rest. */
  readonly cursorInQuery?: number;
  /** Place of the chosen row, counted over all groups. */
  readonly cursor: number;
  /** Signs that lists draw and what they mean; always in sight, on the last lines. */
  readonly legend?: readonly { readonly sign: Painted; readonly meaning: Painted }[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** A line above the legend, and the place of the row that it belongs to. */
interface HelpLine {
  readonly spans: readonly Span[];
  readonly place?: number;
}

/** Rows that are too many for one column stand in two from so many cells on. */
const twoColumns = 140;

/** What stands where: the lines in sight by column, each with the place of its row, and the lines of the legend. */
export function helpLayout(props: Omit<HelpProps, 'query' | 'cursorInQuery'>) {
  const { groups, cursor, legend = [], width, height, theme } = props;
  const signs = legend.map(({ sign, meaning }): Span[] => [
    { text: sign, tone: 'info' },
    { text: plain` ${meaning}`, tone: 'dim' },
  ]);
  const below = flow(signs, width - 1, 3, theme.glyphs.ellipsis).map((line): Span[] => [{ text: plain` ` }, ...line]);
  const room = Math.max(0, height - 1 - below.length);
  const whole = helpLines(groups, cursor, width, theme);
  const isHalved = whole.length > room && width >= twoColumns;
  const columnWidth = isHalved ? Math.floor(width / 2) : width;
  const lines = isHalved ? helpLines(groups, cursor, columnWidth, theme) : whole;
  const inSight = isHalved ? 2 * room - 1 : room;
  const first = lines.findIndex(({ place }) => place === cursor);
  const last = lines.findLastIndex(({ place }) => place === cursor);
  // The head of the first group is seen with its first rows.
  const top = last < inSight - 1 ? 0 : windowAt(first, inSight, lines.length, last);
  // The head of a group stands over its rows, and no column begins with a gap.
  const until = lines.findLastIndex(({ place }, at) => place !== undefined && at < top + room) + 1;
  const from = isHalved ? lines.findIndex(({ spans }, at) => spans.length > 0 && at >= until) : -1;
  const columns = [
    lines.slice(top, Math.max(until, top + Math.min(1, room))),
    from < 0 ? [] : lines.slice(from, from + room),
  ];
  return { below, room, columns, columnWidth, isCut: lines.length > inSight };
}

/** The help: every binding, searchable and runnable. */
export function Help(props: HelpProps) {
  const { query, cursorInQuery, width, height, theme } = props;
  const { below, room, columns, columnWidth } = helpLayout(props);
  const [left = [], right = []] = columns;
  const search: Span[] =
    cursorInQuery === undefined
      ? [{ text: query === '' ? plain` / search` : plain` /${paint(query)}`, tone: 'dim' }]
      : [{ text: plain` /` }, ...typing({ text: query, cursor: cursorInQuery }, Math.max(1, width - 2), theme)];
  const beside = (line: HelpLine, at: number): readonly Span[] =>
    right[at] ? [...fitSpans(line.spans, columnWidth), ...right[at].spans] : line.spans;
  const shown = left.map(beside);
  const gap = Array.from({ length: room - shown.length }, (): Span[] => []);
  return <Lines lines={[search, ...shown, ...gap, ...below]} width={width} height={height} theme={theme} />;
}

function helpLines(groups: HelpProps['groups'], cursor: number, width: number, theme: Theme): readonly HelpLine[] {
  const rows = groups.flatMap((group) => group.rows);
  const keyCells = Math.min(
    Math.floor(width / 3),
    rows.reduce((most, row) => Math.max(most, cells(row.keys)), 0),
  );
  const lines: HelpLine[] = [];
  let place = 0;
  for (const group of groups) {
    if (group.rows.length === 0) continue;
    if (lines.length > 0) lines.push({ spans: [] });
    lines.push({ spans: [{ text: plain` ${group.title}`, tone: 'strong' }] });
    for (const row of group.rows) {
      const chosen = place === cursor;
      for (const [at, line] of rowLines(row, keyCells, width - 2, theme.glyphs.ellipsis).entries()) {
        lines.push({ spans: choosable(line, width, chosen && at === 0, theme), place });
      }
      place += 1;
    }
  }
  if (rows.length === 0) lines.push({ spans: [{ text: plain`  No match`, tone: 'dim' }] });
  return lines;
}

/** What the key does and why it cannot now, both whole: on as many lines as they need, beside the key. */
function rowLines({ keys, title, reason }: HelpRow, keyCells: number, width: number, ellipsis: Painted): Span[][] {
  const tone = reason === undefined ? 'plain' : 'dim';
  const lead = plain`${fit(keys, keyCells, 'left', ellipsis)}  `;
  const sentence = reason === undefined ? title : plain`${title}  (${reason})`;
  return wrap(sentence, Math.max(8, width - cells(lead))).map((text, at): Span[] => [
    at === 0 ? { text: lead, tone: reason === undefined ? 'info' : 'dim' } : { text: spaces(cells(lead)) },
    { text, tone },
  ]);
}
