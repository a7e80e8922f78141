import { condensed, type DetailLine, type LineFact, textLine } from '../describe/column.ts';
import { firstLines, layoutLines } from '../lib/detail-lines.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { asLines, type SceneBlock } from '../scene/scene.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import type { Moment } from '../session/state/moment.ts';
import type { View } from '../session/state/view.ts';
import type { BlockRoom } from './block-props.ts';

interface Said {
  readonly lines: readonly (readonly Span[])[];
  /** Whether there is more than fits. */
  readonly isCut: boolean;
}

/** The lines of the row under the cursor. */
function saidOf({ view, context }: Moment, width: number, height: number, { glyphs }: Theme): Said {
  const { row, list, room } = view;
  const all =
    row === undefined
      ? [textLine(withoutRow(view, glyphs.ellipsis), 'dim')]
      : (list.detail?.preview?.(row, context) ?? []);
  const laid = inSight(room.previewRows > 0 ? condensed(all) : all, width - 4, height);
  return { lines: laid.lines.map((line) => [{ text: plain` ` }, ...line]), isCut: laid.isCut };
}

/** What stands in place of a row. */
function withoutRow({ read }: View, ellipsis: string): string {
  return read.value === undefined ? `Loading${ellipsis}` : 'No row under the cursor';
}

/** The lines that fit. What another line in sight says again is said once. */
function inSight(lines: readonly DetailLine[], width: number, height: number) {
  const lay = (some: readonly DetailLine[]) => {
    const laid = layoutLines(some, width);
    return { lines: firstLines(laid, height), isCut: laid.length > height };
  };
  const repeated = lines.flatMap((line) => (line.kind === 'facts' ? line.facts.filter(isSaidBelow) : []));
  if (repeated.length === 0) return lay(lines);
  const without = lay(
    lines.map((line) =>
      line.kind === 'facts' ? { ...line, facts: line.facts.filter((fact) => !isSaidBelow(fact)) } : line,
    ),
  );
  const seen = without.lines.flat().map((piece) => piece.text);
  const isSeen = (word: string) => seen.some((part) => part.includes(word));
  return repeated.every((fact) => paint(fact.text).split(' ').every(isSeen)) ? without : lay(lines);
}

const isSaidBelow = (fact: LineFact): boolean => fact.isSaidBelow === true;

/** The row under the cursor: what decides about it in few lines below the list, all of it beside the list. */
export function previewBlock({ now, theme, active, ...place }: Omit<BlockRoom, 'pending'>): SceneBlock<never> {
  const { view } = now;
  const title = view.row === undefined ? plain`Preview` : paint(view.list.nameOf(view.row));
  const { lines, isCut } = saidOf(now, place.width, place.height - 2, theme);
  return {
    ...place,
    title: [{ text: title, tone: 'dim' }],
    footRight: isCut ? more(active, theme) : [],
    active: false,
    lines: asLines(lines),
  };
}

/** Enter belongs to a panel below, where there is one. */
const more = (active: boolean, { glyphs }: Theme): readonly Span[] => [
  { text: active ? plain`Enter: more` : plain`${glyphs.ellipsis}`, tone: 'dim' },
];
