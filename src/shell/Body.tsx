import { Drawing, type PlacedBlock } from '../../components/Drawing.tsx';
import type { Geometry } from '../session/list/geometry.ts';
import { BoardPane } from './BoardPane.tsx';
import { cannotShow } from './Boundary.tsx';
import { detailBlock } from './detail-block.ts';
import { listBlock } from './list-block.ts';
import type { PaneProps } from './paneprops.ts';
import { previewBlock } from './preview-block.ts';

export interface BodyProps extends Omit<PaneProps, 'width'> {
  readonly room: Geometry;
  /** Lines for the body; fewer than `room.bodyRows` while a panel is below it. */
  readonly height: number;
  readonly pending: ReadonlySet<string>;
}

/** The screen in front: list and preview, the detail of one row, or a board. */
export function Body(props: BodyProps) {
  const { now, room, height, theme, active, pending } = props;
  if (now.view.list.board) return <BoardPane {...{ now, height, theme, active, pending }} width={room.detailWidth} />;
  const blocks = bodyBlocks(props);
  return <Drawing width={room.detailWidth} height={height} blocks={() => blocks} />;
}

/** The blocks of a body that is no board; one that throws is a sentence instead, as `Boundary` draws it. */
export function safeBlocks(body: BodyProps): readonly PlacedBlock[] {
  try {
    return bodyBlocks(body);
  } catch (error) {
    const { height, theme } = body;
    return [{ x: 0, y: 0, ...cannotShow(error, { width: body.now.state.size.columns, height, theme }) }];
  }
}

function bodyBlocks({ now, room, height, theme, active, painter, pending }: BodyProps): readonly PlacedBlock[] {
  const { detail } = now.view;
  if (detail)
    return [{ x: 0, y: 0, ...detailBlock({ now, detail, width: room.detailWidth, height, theme, active, painter }) }];
  const { listWidth, previewWidth, previewRows } = room;
  const below = previewRows > 0 ? Math.min(previewRows, Math.max(0, height - 8)) : 0;
  const upper = height - below;
  return [
    { x: 0, y: 0, ...listBlock({ now, width: listWidth, height: upper, theme, active, painter, pending }) },
    ...(below > 0
      ? [{ x: 0, y: upper, ...previewBlock({ now, width: listWidth, height: below, theme, active }) }]
      : []),
    ...(previewWidth > 0
      ? [{ x: listWidth, y: 0, ...previewBlock({ now, width: previewWidth, height, theme, active }) }]
      : []),
  ];
}
