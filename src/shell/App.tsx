import { Box } from 'ink';
import { useMemo, useSyncExternalStore } from 'react';
import { Header } from '../../components/Header.tsx';
import { Notice } from '../../components/Notice.tsx';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { isTooSmall, smallest } from '../session/list/geometry.ts';
import type { Session } from '../session/session.ts';
import { Body } from './Body.tsx';
import { Boundary } from './Boundary.tsx';
import { Foot, footRows } from './Foot.tsx';
import { createStrip, createSubject, freshSpans, hostOf, profileSpans } from './header.ts';
import { Layer, panelHeight } from './Layers.tsx';
import { createRowPainter } from './rows.ts';

export interface AppProps {
  readonly session: Session;
  readonly theme: Theme;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: () => ReadonlySet<string>;
  /** Whether the terminal is still busy with earlier output. */
  readonly behind: () => boolean;
}

/** The whole frame: header, body or layer, flash line, hints. Always as many lines as the terminal has. */
export function App({ session, theme, pending, behind }: AppProps) {
  const subject = useMemo(() => createSubject(session, theme, behind), [session, theme, behind]);
  useSyncExternalStore(session.store.subscribe, subject);
  const painter = useMemo(() => createRowPainter(), []);
  const strip = useMemo(() => createStrip(), []);
  const now = session.now();
  const { state } = now;
  const { columns, rows } = state.size;
  const { room } = now.view;
  if (isTooSmall(state.size)) {
    return (
      <Notice
        text={plain`needs ${smallest.columns}x${smallest.rows}, has ${columns}x${rows}${quitWarning(now)}`}
        width={columns}
        height={rows}
        theme={theme}
      />
    );
  }
  const top = state.layers.at(-1);
  const panel = top ? panelHeight({ layer: top, now, width: columns, theme }, room.bodyRows) : 0;
  const bodyRows = room.bodyRows - (footRows(now, columns, theme) - 2);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header
        profile={profileSpans(session, now, theme)}
        screens={strip(session, now)}
        host={hostOf(session, now)}
        right={freshSpans(session, now, theme, behind())}
        width={columns}
        theme={theme}
      />
      {panel !== undefined && (
        <Boundary of={now.state} width={columns} height={bodyRows - panel} theme={theme}>
          <Body now={now} room={room} height={bodyRows - panel} theme={theme} painter={painter} pending={pending()} />
        </Boundary>
      )}
      {top && (
        <Boundary of={now.state} width={columns} height={panel ?? bodyRows} theme={theme}>
          <Layer layer={top} now={now} width={columns} height={panel ?? bodyRows} theme={theme} />
        </Boundary>
      )}
      <Foot now={now} width={columns} theme={theme} />
    </Box>
  );
}

/** The warning before quitting, which is shown even where nothing else fits. */
function quitWarning({ state }: ReturnType<Session['now']>): Painted {
  return state.warnedQuit ? plain`: ${paint(state.warnedOf)}, q again quits` : plain``;
}
