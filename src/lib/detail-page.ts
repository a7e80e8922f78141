import { keptPer } from './function-results.ts';
import { paint, paintLines } from './paint.ts';
import { joinPainted, type Painted, plain, sliced } from './painted.ts';
import { cells, fit, wrap } from './text.ts';

/** A line to read, as descriptions give it (src/describe/column.ts); `T` is what a tone may be. */
type Prose<T> =
  | { readonly kind: 'pair'; readonly label: string; readonly value: string; readonly tone?: T | undefined }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: T | undefined }
  | {
      readonly kind: 'facts';
      readonly facts: readonly {
        readonly label?: string | undefined;
        readonly text: string;
        readonly tone?: T | undefined;
      }[];
    }
  | { readonly kind: 'head'; readonly text: string }
  | { readonly kind: 'gap' };

/** A part of a line as it is drawn. */
interface Piece<T> {
  readonly text: Painted;
  readonly tone?: T | 'dim' | 'label' | 'strong' | undefined;
  /** Whether the piece continues the last one of the line above, which was too long for one line. */
  readonly continues?: boolean;
  /** Whether the piece is the title of a section. */
  readonly isTitle?: boolean;
}

/** A line as it is drawn. */
export type LaidLine<T> = readonly Piece<T>[];

const widestLabel = 32;
/** Cells before a value that stands on lines of its own, under its label. */
const indent = plain`  `;

/**
 * Lays out the lines of a detail in `width` cells: painted, labels in their own column, long values wrapped.
 */
export function layoutLines<T>(lines: readonly Prose<T>[], width: number): readonly LaidLine<T>[] {
  return byHead(lines).flatMap((part) => layoutProse(part, labelCells([part], width), width));
}

/** The lines above the first head, and those from each head on: a short label stands near its value whatever another part needs. */
function byHead<T>(lines: readonly Prose<T>[]): readonly (readonly Prose<T>[])[] {
  const heads = lines.flatMap(({ kind }, at) => (kind === 'head' ? [at] : []));
  return [0, ...heads].map((from, at) => lines.slice(from, heads[at] ?? lines.length));
}

/**
 * Cells for the labels of these lines, so that their values stand below each other: all that the longest label needs where it is
 * short or the longest value still fits beside it, else at most 45 % of the width.
 */
function labelCells(groups: readonly (readonly Prose<unknown>[])[], width: number): number {
  const pairs = groups.flatMap((lines) => lines.filter((line) => line.kind === 'pair'));
  const longest = longestOf(pairs.map(({ label }) => label));
  const most = Math.min(widestLabel, Math.floor(width * 0.45));
  const isBeside = longest + 2 + longestOf(pairs.map(({ value }) => value)) <= width;
  return isBeside ? longest : Math.min(longest, most);
}

const longestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, cells(paint(text))), 0);

/** Lays out lines of a detail with labels of this width in cells; not cached. */
const layoutProse = <T>(lines: readonly Prose<T>[], label: number, width: number): LaidLine<T>[] =>
  lines.flatMap((line) => layoutLine(line, label, width));

function layoutLine<T>(line: Prose<T>, label: number, width: number): LaidLine<T>[] {
  switch (line.kind) {
    case 'gap':
      return [[]];
    case 'head':
      return wrapped<T>(paint(line.text), width, 'strong');
    case 'facts':
      return layoutFacts(line.facts, width);
    case 'text':
      return paintLines(line.text).flatMap((part) => wrapped(part, width, line.tone));
    case 'pair': {
      const value = paint(line.value);
      const room = Math.max(1, width - label - 2);
      const labels = label > 0 ? wrap(paint(line.label), label) : [];
      // An id or an address is read, and selected with the mouse, in one piece.
      const word = longestWord(value);
      if (word > room && word <= width) {
        const before = word <= width - cells(indent) ? indent : plain``;
        return [
          ...labels.map((text) => [{ text, tone: 'label' as const }]),
          ...wrapped<T>(value, width - cells(before), line.tone).map((pieces) => [{ text: before }, ...pieces]),
        ];
      }
      const values = wrapped<T>(value, room, line.tone);
      return Array.from({ length: Math.max(values.length, labels.length) }, (_, at) => [
        { text: plain`${fit(labels[at] ?? plain``, label)}  `, tone: 'label' },
        ...(values[at] ?? []),
      ]);
    }
  }
}

const longestWord = (text: string): number => text.split(' ').reduce((most, word) => Math.max(most, cells(word)), 0);

const wrapped = <T>(text: Painted, width: number, tone: Piece<T>['tone']): LaidLine<T>[] =>
  wrap(text, width).map((part, at) => [{ text: part, tone, ...(at > 0 ? { continues: true } : {}) }]);

const between = plain` · `;

/** Facts one after the other; one that does not fit begins a line, and is wrapped where it is longer than that. */
function layoutFacts<T>(facts: Extract<Prose<T>, { kind: 'facts' }>['facts'], width: number): Piece<T>[][] {
  const lines: Piece<T>[][] = [];
  let used = 0;
  for (const { label, text, tone } of facts) {
    const painted = paint(text);
    const labeled = label === undefined ? plain`` : plain`${paint(label)} `;
    const wide = cells(labeled) + cells(painted);
    const line = lines.at(-1);
    const piece: Piece<T>[] = [
      ...(labeled === '' ? [] : [{ text: labeled, tone: 'label' as const }]),
      { text: painted, tone },
    ];
    if (line && used + cells(between) + wide <= width) {
      line.push({ text: between, tone: 'dim' }, ...piece);
      used += cells(between) + wide;
    } else if (wide <= width) {
      lines.push(piece);
      used = wide;
    } else {
      const [first = [], ...rest] = wrapped(joinPainted([labeled, painted]), width, tone);
      lines.push(withLabel(first, labeled), ...rest.map((line) => [...line]));
      used = width;
    }
  }
  return lines;
}

/** The label at the beginning of a wrapped fact looks like that of any other. */
const withLabel = <T>([{ text, ...piece } = { text: plain`` }, ...rest]: LaidLine<T>, label: string): Piece<T>[] =>
  label === ''
    ? [{ text, ...piece }, ...rest]
    : [{ text: sliced(text, 0, label.length), tone: 'label' }, { ...piece, text: sliced(text, label.length) }, ...rest];

/** The lines that `room` has place for. A heading is not the last of them: its text is more than it. */
export function firstLines<T>(lines: readonly LaidLine<T>[], room: number): readonly LaidLine<T>[] {
  if (lines.length <= room) return lines;
  const last = lines.slice(0, room).findLastIndex(([piece]) => piece !== undefined && piece.tone !== 'strong');
  return lines.slice(0, last + 1);
}

/** Plain texts on lines of at most `width` cells, for a view that is made to be copied from. */
export function layoutText(lines: readonly Painted[], width: number): Painted[] {
  return lines.flatMap((line) => wrap(line, width));
}

/** A headed part of a page, as descriptions give it (src/describe/column.ts). */
interface Part<T> {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly Prose<T>[];
}

/** A section on a page: from which line of its column, and how many lines with its title. */
interface Place {
  readonly id: string;
  readonly at: number;
  readonly length: number;
}

/** A page as it is drawn: columns beside each other, which scroll together. */
export interface LaidPage<T> {
  readonly columns: readonly { readonly lines: readonly LaidLine<T>[]; readonly sections: readonly Place[] }[];
  /** Cells of each column. */
  readonly width: number;
  /** Lines of the longest column. */
  readonly height: number;
}

/** Cells between two columns of a page. */
export const pageGap = 3;
/** No column of several is narrower. */
const leastWidth = 56;
/** From this width on, a page of more than `tallColumn` lines is divided though all of it is seen at once. */
const widePage = 150;
const tallColumn = 24;
/** A section of at most so many lines is shown without scrolling where the terminal has room for it. */
const shortSection = 30;
/** Sections whose labels need at most so many cells have their values below each other; wider labels are of their section alone. */
const sharedLabel = 20;

const laidOut = keptPer<object, LaidPage<never>>();

/**
 * Lays out sections in `width` cells, of which `rows` lines are seen at once: in the fewest columns that show every short
 * section without scrolling, else in those that hide the fewest lines of them; in a wide terminal a long column is two. The
 * first columns are filled first, so that what is read later moves little, but only up to 24 lines where that is enough, so
 * that none is empty beside a long one. `aside` stands in the last of several columns, where these leave room for it. The last result per
 * array is cached.
 */
export const layoutPage = <T>(
  sections: readonly Part<T>[],
  width: number,
  rows: number,
  aside: readonly Part<T>[] = [],
): LaidPage<T> =>
  laidOut(sections, [width, rows], () => pageOf(sections, width, rows, aside) as LaidPage<never>) as LaidPage<T>;

function pageOf<T>(sections: readonly Part<T>[], width: number, rows: number, aside: readonly Part<T>[]): LaidPage<T> {
  const shown = sections.filter(({ lines }) => lines.length > 0);
  const fitting = Math.floor((width + pageGap) / (leastWidth + pageGap));
  const most = Math.min(shown.length, fitting);
  const beside = aside.filter(({ lines }) => lines.length > 0);
  if (fitting > 1 && shown.length > 0 && beside.length > 0)
    return besideOthers(shown, beside, Math.min(fitting, mostBeside), width, rows);
  let page = inColumns(shown, 1, width, rows);
  for (let count = 2; count <= most && page.hidden > 0; count += 1) {
    const wider = inColumns(shown, count, width, rows);
    if (wider.hidden >= page.hidden) continue;
    const even = inColumns(shown, count, width, Math.min(rows, tallColumn));
    page = even.hidden === 0 ? even : wider;
  }
  if (page.columns.length === 1 && width >= widePage && page.height > tallColumn) {
    const halves = inColumns(shown, 2, width, Math.min(rows, tallColumn));
    // A long section of long lines would only get longer.
    if (halves.height < page.height) page = halves;
  }
  return page;
}

/** Columns at most where the last one is of other things than the rest. */
const mostBeside = 3;
/** Lines of a section that is worth its title. */
const leastOfSection = 2;

/**
 * The page in the fewest columns that leave the last one to what stands aside; where the page needs that one, too, or gets lower with
 * it than a long column, they share it. What stands aside is cut to the lines in sight: it hides nothing of the page.
 */
function besideOthers<T>(
  parts: readonly Part<T>[],
  aside: readonly Part<T>[],
  most: number,
  width: number,
  rows: number,
): LaidPage<T> {
  let count = 2;
  let page = inColumns(parts, count, width, rows, 1);
  for (; page.hidden > 0 && count < most; count += 1)
    page = inColumns(parts, count + 1, width, rows, Math.min(count, parts.length));
  const besides = laidOf(aside, page.width);
  let isShared = page.hidden > 0 && parts.length >= count;
  if (isShared) page = inColumns(parts, count, width, rows);
  else if (page.height > tallColumn && parts.length >= count) {
    const even = inColumns(parts, count, width, Math.min(rows, tallColumn));
    const height = [...besides, even.columns.at(-1) ?? { lines: [] }].reduce(
      (sum, { lines }) => sum + lines.length + 1,
      -1,
    );
    isShared = Math.max(even.height, height) < page.height;
    if (isShared) page = even;
  }
  const last = (isShared && page.columns.at(-1)) || { lines: [], sections: [] };
  const others: Laid<T>[] = [];
  let left = rows - (last.lines.length > 0 ? last.lines.length + 1 : 0);
  for (const { id, lines } of besides) {
    const shown = wholeLines(lines, left);
    if (shown.length < Math.min(leastOfSection, lines.length)) break;
    others.push({ id, lines: shown });
    left -= lines.length + 1;
  }
  const own = page.laid.filter(({ id }) => last.sections.some((place) => place.id === id));
  const columns = [
    ...(isShared ? page.columns.slice(0, -1) : page.columns),
    ...column([...others, ...own], rows).columns,
  ];
  return { columns, width: page.width, height: Math.max(...columns.map(({ lines }) => lines.length)) };
}

/** The first lines, `most` at most: what is wrapped is shown to its end, or not at all. */
function wholeLines<T>(lines: readonly LaidLine<T>[], most: number): readonly LaidLine<T>[] {
  let end = Math.max(0, most);
  while (lines[end]?.at(-1)?.continues) end -= 1;
  return lines.slice(0, end);
}

type Laid<T> = { readonly id: string; readonly lines: readonly LaidLine<T>[] };

function laidOf<T>(parts: readonly Part<T>[], width: number): readonly Laid<T>[] {
  const wanted = parts.map(({ lines }) => labelCells([lines], width));
  const shared = Math.max(0, ...wanted.filter((label) => label <= sharedLabel));
  return parts.map(({ id, title, lines }, at): Laid<T> => {
    const titled: LaidLine<T>[] = title === '' ? [] : [[{ text: paint(title), tone: 'strong', isTitle: true }]];
    return { id, lines: [...titled, ...layoutProse(lines, Math.max(shared, wanted[at] ?? 0), width)] };
  });
}

/** `used`: how many of the `count` columns. */
function inColumns<T>(parts: readonly Part<T>[], count: number, width: number, rows: number, used = count) {
  const each = Math.max(1, Math.floor((width - pageGap * (count - 1)) / count));
  const laid = laidOf(parts, each);
  const { columns, hidden } = divided(laid, used, rows);
  return { columns, hidden, laid, width: each, height: Math.max(0, ...columns.map(({ lines }) => lines.length)) };
}

interface Division<T> {
  readonly columns: LaidPage<T>['columns'];
  /** Lines of short sections below the first `rows`. */
  readonly hidden: number;
}

/** The sections in their order in `count` columns: of the divisions that hide the least, the one with the fullest first columns. */
function divided<T>(sections: readonly Laid<T>[], count: number, rows: number): Division<T> {
  if (count === 1) return column(sections, rows);
  let best: Division<T> | undefined;
  for (let size = sections.length - count + 1; size > 0 && best?.hidden !== 0; size -= 1) {
    const first = column(sections.slice(0, size), rows);
    if (best && first.hidden >= best.hidden) continue;
    const rest = divided(sections.slice(size), count - 1, rows);
    const hidden = first.hidden + rest.hidden;
    if (!best || hidden < best.hidden) best = { columns: [...first.columns, ...rest.columns], hidden };
  }
  return best ?? column(sections, rows);
}

function column<T>(sections: readonly Laid<T>[], rows: number): Division<T> {
  const lines: LaidLine<T>[] = [];
  const places: Place[] = [];
  let hidden = 0;
  for (const section of sections) {
    if (lines.length > 0) lines.push([]);
    const [at, length] = [lines.length, section.lines.length];
    places.push({ id: section.id, at, length });
    lines.push(...section.lines);
    // One line more for its title.
    if (length <= shortSection + 1) hidden += Math.max(0, Math.min(length, lines.length - rows));
  }
  return { columns: [{ lines, sections: places }], hidden };
}

/** A place of a page that survives when lines above it come or go: so many lines below the beginning of a section. */
export interface Anchor {
  /** Undefined: counted from the beginning of the page. */
  readonly section?: string | undefined;
  readonly top: number;
}

/** The first line to show, when `rows` lines are seen at once. */
export function pageTop({ columns, height }: LaidPage<unknown>, { section, top }: Anchor, rows: number): number {
  const place = columns.flatMap(({ sections }) => sections).find(({ id }) => id === section);
  return Math.max(0, Math.min((place?.at ?? 0) + top, height - rows));
}

/** The anchor of this line. */
export function pageAnchor({ columns }: LaidPage<unknown>, line: number): Anchor {
  const place = columns.flatMap(({ sections }) => sections).find(({ at, length }) => at <= line && line <= at + length);
  return line <= 0 || !place ? { top: Math.max(0, line) } : { section: place.id, top: line - place.at };
}
