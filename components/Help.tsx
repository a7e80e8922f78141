import { paint } from '../src/lib/paint.ts';
import { type Painted, plain } from '../src/lib/painted.ts';
import { cells, fit } from '../src/lib/text.ts';
import { Lines } from './Lines.tsx';
import { choosable, flow, type Span, windowAt } from './span.ts';
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

/** What stands where: the place of the row on each line that is in sight, undefined for others, and the lines of the legend. */
export function helpLayout({
  groups,
  cursor,
  legend = [],
  width,
  height,
  theme,
}: Pick<HelpProps, 'groups' | 'cursor' | 'legend' | 'width' | 'height' | 'theme'>) {
  const signs = legend.map(({ sign, meaning }): Span[] => [
    { text: sign, tone: 'info' },
    { text: plain` ${meaning}`, tone: 'dim' },
  ]);
  const below = flow(signs, width - 1, 3, theme.glyphs.ellipsis).map((line): Span[] => [{ text: plain` ` }, ...line]);
  const filled = groups.filter(({ rows }) => rows.length > 0);
  const before = filled.map((_, at) => filled.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0));
  const places = filled.flatMap(({ rows }, at) => [
    ...(at > 0 ? [undefined] : []),
    undefined,
    ...rows.map((_, row) => (before[at] ?? 0) + row),
  ]);
  const room = Math.max(0, height - 1 - below.length);
  const chosenLine = Math.max(0, places.indexOf(cursor));
  const top = chosenLine < room - 1 ? 0 : windowAt(chosenLine, room, places.length);
  return { below, room, top, places: places.slice(top, top + room) };
}

/** The help: every binding, searchable and runnable. */
export function Help(props: HelpProps) {
  const { groups, query, cursorInQuery, cursor, width, height, theme } = props;
  const { ellipsis } = theme.glyphs;
  const rows = groups.flatMap((group) => group.rows);
  const keyCells = Math.min(
    Math.floor(width / 3),
    rows.reduce((most, row) => Math.max(most, cells(row.keys)), 0),
  );
  const lines: (readonly Span[])[] = [];
  let at = -1;
  for (const group of groups) {
    if (group.rows.length === 0) continue;
    if (lines.length > 0) lines.push([]);
    lines.push([{ text: plain` ${group.title}`, tone: 'strong' }]);
    for (const row of group.rows) {
      at += 1;
      lines.push(choosable(rowSpans(row, keyCells, width - 2, ellipsis), width, at === cursor, theme));
    }
  }
  if (rows.length === 0) lines.push([{ text: plain`  No match`, tone: 'dim' }]);
  const { below, room, top } = helpLayout(props);
  const search: Span[] =
    cursorInQuery === undefined
      ? [{ text: query === '' ? plain` / search` : plain` /${paint(query)}`, tone: 'dim' }]
      : [{ text: plain` /` }, ...typing({ text: query, cursor: cursorInQuery }, Math.max(1, width - 2), theme)];
  const shown = lines.slice(top, top + room);
  const gap = Array.from({ length: room - shown.length }, (): Span[] => []);
  return <Lines lines={[search, ...shown, ...gap, ...below]} width={width} height={height} theme={theme} />;
}

/** A reason stays whole: what the key does is cut before it. */
function rowSpans({ keys, title, reason }: HelpRow, keyCells: number, width: number, ellipsis: Painted): Span[] {
  const tone = reason === undefined ? 'plain' : 'dim';
  const lead = plain`${fit(keys, keyCells, 'left', ellipsis)}  `;
  const why = reason === undefined ? plain`` : plain`  (${reason})`;
  const room = Math.max(8, width - cells(lead) - cells(why));
  const what = cells(title) > room ? fit(title, room, 'left', ellipsis) : title;
  return [
    { text: lead, tone: reason === undefined ? 'info' : 'dim' },
    { text: what, tone },
    { text: why, tone: 'dim' },
  ];
}
