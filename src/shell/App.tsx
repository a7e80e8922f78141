import { Box } from 'ink';
import { use, useMemo, useSyncExternalStore } from 'react';
import { CanvasContext } from '../../components/canvas.ts';
import { Drawing, type PlacedBlock } from '../../components/Drawing.tsx';
import { headerLine } from '../../components/Header.tsx';
import { Lines } from '../../components/Lines.tsx';
import { Notice } from '../../components/Notice.tsx';
import type { Theme } from '../../components/theme.ts';
import type { Screen } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { isTooSmall, smallest } from '../session/list/geometry.ts';
import type { Now } from '../session/now.ts';
import type { Session } from '../session/session.ts';
import { front, type State } from '../session/state.ts';
import { Body, type BodyProps, safeBlocks } from './Body.tsx';
import { Boundary } from './Boundary.tsx';
import { footLines } from './foot.ts';
import { createStrip, createSubject, freshSpans, hostOf, profileSpans } from './header.ts';
import { isInFoot, Layer, panelHeight } from './Layers.tsx';
import { createRowPainter } from './rows.ts';

export interface AppProps {
  readonly session: Session;
  readonly theme: Theme;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: () => ReadonlySet<string>;
  /** Whether the terminal is still busy with earlier output. */
  readonly behind: () => boolean;
}

/**
 * The whole frame: header, body or layer, flash line, hints. Always as many lines as the terminal has. Where nothing but lines is in it,
 * the canvas asks for them: no component is drawn again for a key.
 */
export function App({ session, theme, pending, behind }: AppProps) {
  const changed = use(CanvasContext)?.changed;
  const shown = useMemo(() => createShown(session, theme, behind, changed), [session, theme, behind, changed]);
  useSyncExternalStore(shown.subscribe, shown.now);
  const painter = useMemo(() => createRowPainter(), []);
  const strip = useMemo(() => createStrip(), []);
  const now = session.now();
  const { state } = now;
  const { columns, rows } = state.size;
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
  const headerOf = (now: Now) => {
    const right = freshSpans(session, now, theme, behind());
    shown.drawn(right);
    return headerLine({
      profile: profileSpans(session, theme),
      screens: strip(session, now),
      host: hostOf(session),
      right,
      width: columns,
      theme,
    });
  };
  const bodyOf = (now: Now, height: number): BodyProps => ({
    now,
    room: now.view.room,
    height,
    theme,
    painter,
    active: isInFront(now.state),
    pending: pending(),
  });
  if (isOfLines(state, session.screens)) {
    const blocks = (): readonly PlacedBlock[] => {
      const now = session.now();
      const foot = footLines(now, columns, theme);
      const height = rows - 1 - foot.length;
      return [
        { x: 0, y: 0, lines: [headerOf(now)], width: columns, height: 1, theme },
        ...safeBlocks(bodyOf(now, height)).map((block) => ({ ...block, y: block.y + 1 })),
        { x: 0, y: 1 + height, lines: foot, width: columns, height: foot.length, theme },
      ];
    };
    return <Drawing width={columns} height={rows} blocks={blocks} />;
  }
  const { bodyRows: most } = now.view.room;
  const top = state.layers.at(-1);
  const panel = top ? panelHeight({ layer: top, now, width: columns, theme }, most) : 0;
  const foot = footLines(now, columns, theme);
  const bodyRows = most - (foot.length - 2);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Lines lines={[headerOf(now)]} width={columns} height={1} theme={theme} />
      {panel !== undefined && (
        <Boundary of={state} width={columns} height={bodyRows - panel} theme={theme}>
          <Body {...bodyOf(now, bodyRows - panel)} />
        </Boundary>
      )}
      {top && (
        <Boundary of={state} width={columns} height={panel ?? bodyRows} theme={theme}>
          <Layer layer={top} now={now} width={columns} height={panel ?? bodyRows} theme={theme} />
        </Boundary>
      )}
      <Lines lines={foot} width={columns} height={foot.length} theme={theme} />
    </Box>
  );
}

/** Whether the frame is nothing but lines: no component of a board or of a layer is in it. */
function isOfLines(state: State, screens: readonly Screen[]): boolean {
  return !front(state, screens).list.board && !isTooSmall(state.size) && isInFront(state);
}

/** Whether no layer covers the body or stands below it. */
function isInFront({ layers }: State): boolean {
  const top = layers.at(-1);
  return top === undefined || isInFoot(top);
}

/**
 * What components are drawn from: while the frame is nothing but lines, only its size. Then `changed` is called in their place where the
 * frame would be another one.
 */
function createShown(session: Session, theme: Theme, behind: () => boolean, changed: (() => void) | undefined) {
  const subject = createSubject(session);
  const subjectNow = () => subject.now(() => freshSpans(session, session.now(), theme, behind()));
  const isNow = () => isOfLines(session.store.getState().state, session.screens);
  return {
    drawn: subject.drawn,
    now() {
      if (!isNow()) return subjectNow();
      const { columns, rows } = session.store.getState().state.size;
      return `${columns}x${rows}`;
    },
    subscribe(turned: () => void) {
      const held = { drawn: subjectNow() };
      return session.store.subscribe(() => {
        const before = held.drawn;
        held.drawn = subjectNow();
        turned();
        if (held.drawn !== before && isNow()) changed?.();
      });
    },
  };
}

/** The warning before quitting, which is shown even where nothing else fits. */
function quitWarning({ state }: Now): Painted {
  return state.warnedQuit ? plain`: ${paint(state.warnedOf)}, q again quits` : plain``;
}
