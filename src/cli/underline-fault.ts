import { paint } from '../lib/paint.ts';
import { cells, cut, graphemes } from '../lib/text.ts';
import type { Diagnostic } from '../query/language.ts';

/** Most cells of an output line. */
const room = 78;
/** More than this of a text is in no line of `room` cells. */
const most = 400;

/**
 * A query on one line and, under it, the marks below the fault; painted. A query that is too long is cut around the
 * fault, so that this is always seen.
 */
export function underlined(
  query: string,
  { start, end }: Pick<Diagnostic, 'start' | 'end'>,
): [query: string, marks: string] {
  const before = paint(query.slice(Math.max(0, start - most), start));
  const after = paint(query.slice(end, end + most));
  const isLong = query.length > most || cells(before) + cells(paint(query.slice(start, end))) + cells(after) > room;
  const fault = cut(paint(query.slice(start, Math.min(end, start + most))), isLong ? 40 : room);
  const left = room - cells(fault);
  const head = isLong ? lastCells(before, Math.max(Math.floor(left / 2), left - cells(after))) : before;
  const tail = cut(after, left - cells(head));
  return [head + fault + tail, ' '.repeat(cells(head)) + '^'.repeat(Math.max(1, cells(fault)))];
}

/** At most `width` cells of the end of a painted text; what is left out is told by the ellipsis. */
function lastCells(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let errorText = '';
  for (const letter of graphemes(text).toReversed()) {
    if (cells(letter + errorText) > width - 1) break;
    errorText = letter + errorText;
  }
  return `…${errorText}`;
}
