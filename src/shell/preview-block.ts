import { framed } from '../../components/Frame.tsx';
import type { LinesProps } from '../../components/Lines.tsx';
import type { Span } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { condensed, type Fact, type Line, text } from '../describe/column.ts';
import type { AnyList } from '../describe/screen.ts';
import { areAlike } from '../lib/alike.ts';
import { firstLines, layoutLines } from '../lib/detail-lines.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { Now } from '../session/now.ts';
import type { View } from '../session/view.ts';
import type { PaneProps } from './paneprops.ts';

interface Said {
  readonly lines: readonly (readonly Span[])[];
  /** Whether there is more than fits. */
  readonly isCut: boolean;
}

/** What was said of the rows of a list last, the newest first: a cursor comes back to rows that it has just left. */
const said = new WeakMap<AnyList, readonly (Said & { readonly on: readonly unknown[] })[]>();
const mostSaid = 8;

/** The lines of the row under the cursor; the same ones while nothing else is known of it. */
function saidOf({ view, context, edition }: Now, width: number, height: number, { glyphs }: Theme): Said {
  const { row, list, room, known } = view;
  const isShort = room.previewRows > 0;
  const on = [row, edition, isShort, width, height, context.unsavedOrder, known.value, known.problem];
  const last = said.get(list) ?? [];
  const before = last.find((one) => areAlike(one.on, on));
  if (before) return before;
  const all =
    row === undefined ? [text(withoutRow(view, glyphs.ellipsis), 'dim')] : (list.detail?.preview?.(row, context) ?? []);
  const laid = inSight(isShort ? condensed(all) : all, width - 4, height);
  const now = { on, lines: laid.lines.map((line) => [{ text: plain` ` }, ...line]), isCut: laid.isCut };
  said.set(list, [now, ...last.slice(0, mostSaid - 1)]);
  return now;
}

/** What stands in place of a row. */
function withoutRow({ known }: View, ellipsis: string): string {
  if (known.value !== undefined) return 'No row under the cursor';
  return known.problem ? 'Not loaded' : `Loading${ellipsis}`;
}

/** The lines that fit. What another line in sight says again is said once. */
function inSight(lines: readonly Line[], width: number, height: number) {
  const lay = (some: readonly Line[]) => {
    const laid = layoutLines(some, width);
    return { lines: firstLines(laid, height), isCut: laid.length > height };
  };
  const again = lines.flatMap((line) => (line.kind === 'facts' ? line.facts.filter(isSaidBelow) : []));
  if (again.length === 0) return lay(lines);
  const without = lay(
    lines.map((line) =>
      line.kind === 'facts' ? { ...line, facts: line.facts.filter((fact) => !isSaidBelow(fact)) } : line,
    ),
  );
  const seen = without.lines.flat().map((piece) => piece.text);
  const isSeen = (word: string) => seen.some((part) => part.includes(word));
  return again.every((fact) => paint(fact.text).split(' ').every(isSeen)) ? without : lay(lines);
}

const isSaidBelow = (fact: Fact): boolean => fact.isSaidBelow === true;

/** The row under the cursor: what decides about it in few lines below the list, all of it beside the list. */
export function previewBlock({ now, width, height, theme, active }: Omit<PaneProps, 'painter'>): LinesProps {
  const { view } = now;
  const title = view.row === undefined ? plain`Preview` : paint(view.list.nameOf(view.row));
  const { lines, isCut } = saidOf(now, width, height - 2, theme);
  return framed({
    title: [{ text: title, tone: 'dim' }],
    footRight: isCut ? more(active, theme) : [],
    width,
    height,
    theme,
    active: false,
    lines,
  });
}

/** Enter belongs to a panel below, where there is one. */
const more = (active: boolean, { glyphs }: Theme): readonly Span[] => [
  { text: active ? plain`Enter: more` : plain`${glyphs.ellipsis}`, tone: 'dim' },
];
