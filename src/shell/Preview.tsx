import { Frame } from '../../components/Frame.tsx';
import type { Span } from '../../components/span.ts';
import { condensed, text } from '../describe/column.ts';
import type { AnyList } from '../describe/screen.ts';
import { areAlike } from '../lib/alike.ts';
import { firstLines, layoutLines } from '../lib/detail-lines.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { Now } from '../session/now.ts';
import type { PaneProps } from './paneprops.ts';

/** What was said of a list last, since a cursor that goes on seldom comes back within an edition. */
const said = new WeakMap<AnyList, { readonly on: readonly unknown[]; readonly lines: readonly (readonly Span[])[] }>();

/** The lines of the row under the cursor; the same ones while the row is, and nothing else is known of it. */
function linesOf({ view, context, edition }: Now, width: number, height: number): readonly (readonly Span[])[] {
  const { row, list, room } = view;
  const isShort = room.previewRows > 0;
  const on = [row, edition, isShort, width, height];
  const before = said.get(list);
  if (before && areAlike(before.on, on)) return before.lines;
  const none = [text('No row under the cursor', 'dim')];
  const all = row === undefined ? none : (list.detail?.preview?.(row, context) ?? []);
  const laid = firstLines(layoutLines(isShort ? condensed(all) : all, width - 4), height);
  const lines = laid.map((line) => [{ text: plain` ` }, ...line]);
  said.set(list, { on, lines });
  return lines;
}

/** The row under the cursor: what decides about it in few lines below the list, all of it beside the list. */
export function Preview({ now, width, height, theme }: Omit<PaneProps, 'painter'>) {
  const { view } = now;
  const title = view.row === undefined ? plain`Preview` : paint(view.list.nameOf(view.row));
  return (
    <Frame
      title={[{ text: title, tone: 'dim' }]}
      width={width}
      height={height}
      theme={theme}
      active={false}
      lines={linesOf(now, width, height - 2)}
    />
  );
}
