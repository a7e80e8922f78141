import { Box } from 'ink';
import type { Geometry } from '../session/list/geometry.ts';
import { BoardPane } from './BoardPane.tsx';
import { DetailPane } from './DetailPane.tsx';
import { ListPane } from './ListPane.tsx';
import { Preview } from './Preview.tsx';
import type { PaneProps } from './paneprops.ts';

export interface BodyProps extends Omit<PaneProps, 'width'> {
  readonly room: Geometry;
  /** Lines for the body; fewer than `room.bodyRows` while a panel is below it. */
  readonly height: number;
  readonly pending: ReadonlySet<string>;
}

/** The screen in front: list and preview, or the detail of one row. */
export function Body({ now, room, height, theme, painter, pending }: BodyProps) {
  const { view } = now;
  const isBoard = view.list.board !== undefined;
  const beside = room.previewWidth > 0 && !view.detail && !isBoard;
  const below = room.previewRows > 0 && !view.detail ? Math.min(room.previewRows, Math.max(0, height - 8)) : 0;
  return (
    <Box flexDirection="row" height={height} flexShrink={0}>
      {isBoard ? (
        <BoardPane now={now} width={room.detailWidth} height={height} theme={theme} pending={pending} />
      ) : view.detail ? (
        <DetailPane
          now={now}
          detail={view.detail}
          width={room.detailWidth}
          height={height}
          theme={theme}
          painter={painter}
        />
      ) : (
        <Box flexDirection="column" height={height} flexShrink={0}>
          <ListPane
            now={now}
            width={room.listWidth}
            height={height - below}
            theme={theme}
            painter={painter}
            pending={pending}
          />
          {below > 0 && <Preview now={now} width={room.listWidth} height={below} theme={theme} />}
        </Box>
      )}
      {beside && <Preview now={now} width={room.previewWidth} height={height} theme={theme} />}
    </Box>
  );
}
