import { Frame } from '../../components/Frame.tsx';
import { condensed, text } from '../describe/column.ts';
import { firstLines, layoutLines } from '../lib/detail-lines.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { PaneProps } from './paneprops.ts';

/** The row under the cursor: what decides about it in few lines below the list, all of it beside the list. */
export function Preview({ now, width, height, theme }: Omit<PaneProps, 'painter'>) {
  const { view, context } = now;
  const none = [text('No row under the cursor', 'dim')];
  const all = view.row === undefined ? none : (view.list.detail?.preview?.(view.row, context) ?? []);
  const lines = view.room.previewRows > 0 ? condensed(all) : all;
  const title = view.row === undefined ? plain`Preview` : paint(view.list.nameOf(view.row));
  return (
    <Frame
      title={[{ text: title, tone: 'dim' }]}
      width={width}
      height={height}
      theme={theme}
      active={false}
      lines={firstLines(layoutLines(lines, width - 4), height - 2).map((line) => [{ text: plain` ` }, ...line])}
    />
  );
}
