import { Box } from 'ink';
import { Lines } from '../../components/Lines.tsx';
import type { Span } from '../../components/span.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { Geometry } from '../session/list/geometry.ts';
import type { Session } from '../session/session.ts';
import { DetailPane } from './DetailPane.tsx';
import { ListPane } from './ListPane.tsx';
import { Preview } from './Preview.tsx';
import type { PaneProps } from './paneprops.ts';

export interface BodyProps extends Omit<PaneProps, 'width'> {
  readonly session: Session;
  readonly room: Geometry;
  /** Lines for the body; fewer than `room.bodyRows` while a panel is below it. */
  readonly height: number;
  readonly pending: ReadonlySet<string>;
}

/** The screen in front: rail, list, preview; or the detail of one row. */
export function Body({ session, now, room, height, theme, painter, pending }: BodyProps) {
  const { view } = now;
  const beside = room.previewWidth > 0 && !view.detail;
  const below = room.previewRows > 0 && !view.detail ? Math.min(room.previewRows, Math.max(0, height - 8)) : 0;
  return (
    <Box flexDirection="row" height={height} flexShrink={0}>
      {room.rail > 0 && <Rail session={session} now={now} width={room.rail} height={height} theme={theme} />}
      {view.detail ? (
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

/** The screens, one a line; the cursor shows which of them is in front. */
function Rail({ session, now, width, height, theme }: Omit<PaneProps, 'painter'> & { readonly session: Session }) {
  const lines: Span[][] = session.screens.map((screen) => {
    const here = screen.id === now.state.screen;
    return [
      { text: here ? theme.glyphs.cursor : plain` `, tone: here ? 'info' : 'dim' },
      { text: plain`${screen.key === undefined ? plain` ` : paint(screen.key)} `, tone: 'dim' },
      { text: paint(screen.title.toLowerCase()), tone: here ? 'strong' : 'plain' },
    ];
  });
  return <Lines lines={[[], ...lines]} width={width} height={height} theme={theme} />;
}
