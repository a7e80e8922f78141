import { Writable } from 'node:stream';
import { Box, render } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Block } from '../../components/Block.tsx';
import { CanvasContext, createCanvas } from '../../components/canvas.ts';
import { Lines } from '../../components/Lines.tsx';
import { type Scene, sentAt } from '../scene/scene.ts';
import type { Theme } from '../scene/theme.ts';
import type { MouseEvent } from '../session/keyboard/keyboard.ts';
import type { Session } from '../session/session.ts';
import type { Message } from '../session/state/message.ts';
import type { State } from '../session/state/state.ts';
import type { ReleaseKeys } from '../terminal/leave-terminal.ts';
import {
  ASK_KEY_CODES,
  LEAVE_KEY_CODES,
  LEAVE_MOUSE,
  LEAVE_PASTES,
  MARK_PASTES,
  REPORT_MOUSE,
  SEND_KEY_CODES,
} from '../terminal/sequences.ts';
import { attach, type TerminalUse } from './attached.ts';
import { readStanding } from './header.ts';
import { scene } from './scene.ts';

interface AppProps {
  readonly session: Session;
  readonly theme: Theme;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: () => ReadonlySet<string>;
  /** Whether the terminal is still busy with earlier output. */
  readonly behind: () => boolean;
}

/** The frame of the present moment. */
export function App({ session, theme, pending, behind }: AppProps) {
  useSyncExternalStore(session.store.subscribe, session.store.getState);
  const standing = readStanding(session, behind());
  const { columns, rows, header, blocks, message, hints } = scene(session.now(), {
    theme,
    pending: pending(),
    standing,
  });
  const foot = [...message, ...hints];
  const body = rows - foot.length - (header ? 1 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {header && <Lines lines={[header.spans]} width={columns} theme={theme} />}
      <Box width={columns} height={body} flexShrink={0}>
        {blocks.map((block) => (
          <Block key={`${block.x} ${block.y}`} block={block} theme={theme} />
        ))}
      </Box>
      <Lines lines={foot.map(({ spans }) => spans)} width={columns} theme={theme} />
    </Box>
  );
}

/** A tree of components whose frames are handed over. */
interface Mounted {
  /** Draws another tree, which keeps what is alike. */
  turn(node: ReactNode): void;
  /** What is drawn now. */
  frame(): string;
  /** Resolves when all that was asked for has been handed over. */
  written(): Promise<void>;
  /** Rejects with the error of a component that nothing in the tree caught. */
  readonly failed: Promise<unknown>;
  close(): void;
}

/**
 * Draws components: Ink keeps the tree and lays out its boxes, the canvas puts the lines into them. `frame` is called with each
 * frame, whole, once in a turn of the event loop.
 */
export function mount(node: ReactNode, frame: (frame: string) => void): Mounted {
  const held = { isDue: false, isOpen: true };
  const broken = Promise.withResolvers<never>();
  const hand = () => {
    held.isDue = false;
    try {
      if (held.isOpen) frame(canvas.frame());
    } catch (error) {
      broken.reject(error);
    }
  };
  const due = () => {
    if (!held.isDue) queueMicrotask(hand);
    held.isDue = true;
  };
  const canvas = createCanvas();
  const instance = render(<Outer canvas={canvas}>{node}</Outer>, {
    stdout: nowhere(),
    stdin: process.stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: false,
    isScreenReaderEnabled: false,
    // Without a limit on the frames of a second, which would delay keys.
    debug: true,
    // Comes when the boxes are laid out, just before the components learn of them.
    onRender: due,
  });
  return {
    turn: (next) => instance.rerender(<Outer canvas={canvas}>{next}</Outer>),
    frame: canvas.frame,
    written: () => instance.waitUntilRenderFlush(),
    failed: Promise.race([instance.waitUntilExit(), broken.promise]),
    close() {
      held.isOpen = false;
      instance.unmount();
    },
  };
}

/** A tree on a canvas. Ink draws the boxes of its own flow only: of this one, which is outside, it draws nothing. */
export function Outer({
  canvas,
  children,
}: {
  readonly canvas: ReturnType<typeof createCanvas>;
  readonly children: ReactNode;
}) {
  return (
    <CanvasContext value={canvas}>
      <Box position="absolute" flexDirection="column" ref={canvas.root}>
        {children}
      </Box>
    </CanvasContext>
  );
}

/** Where Ink's own output goes, of which there is none. */
function nowhere(): NodeJS.WriteStream {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  return Object.assign(stream, { columns: 1000, rows: 1000, isTTY: false }) as unknown as NodeJS.WriteStream;
}

/** Rows that one turn of the wheel moves by. */
const wheelRows = 3;

/**
 * What an event of the mouse does: the wheel moves by rows, a click sends what its line or its cells send. No click sends an edit.
 * Undefined where nothing is.
 */
function mouseMessage(
  { kind, column, row }: MouseEvent,
  { layers }: State,
  scene: () => Scene<Message>,
): Message | undefined {
  if (kind === 'press') return sentAt(scene(), column, row);
  const by = kind === 'down' ? wheelRows : -wheelRows;
  return layers.length > 0 ? { type: 'moveInLayer', by } : { type: 'moveCursor', by };
}

/** A session shown on a terminal. */
export interface Show {
  /** Shows another session (another profile); the old one is not closed here. */
  turn(to: Drawn): void;
  readonly releaseKeys: ReleaseKeys;
  /** Says again what was left out while the terminal did not keep up; of a screen: nothing, its newest frame is drawn anyway. */
  again(): void;
  /** Releases keyboard and renderer; the owner of the terminal restores it. */
  close(): void;
}

export interface Drawn {
  readonly session: Session;
  readonly theme: Theme;
  readonly pending: () => ReadonlySet<string>;
}

/**
 * Connects a session to a terminal: bytes to keys, state to frames, size to state. Ink gets no keyboard: its reader would
 * let a terminal's replies act as keys, and passes typed-ahead keys on as one key.
 */
export function showSession(
  with_: TerminalUse & {
    readonly drawn: Drawn;
    /** Takes whole frames. */
    readonly stdout: NodeJS.WriteStream;
    /** Sets or resets modes of the terminal. */
    readonly control: (sequence: string) => void;
    readonly behind: () => boolean;
    /** The terminal takes a query that it does not know in silence. */
    readonly mayAsk: boolean;
    readonly crashed: (error: unknown) => void;
  },
): Show & Pick<Mounted, 'written'> {
  const { stdout } = with_;
  const held = { drawn: with_.drawn };
  const size = () => held.drawn.session.send({ type: 'setSize', columns: stdout.columns, rows: stdout.rows });
  stdout.on('resize', size);
  const attached = attach({
    ...with_,
    session: with_.drawn.session,
    markPastes: (on) => with_.control(on ? MARK_PASTES : LEAVE_PASTES),
    mouse: {
      report: (on) => with_.control(on ? REPORT_MOUSE : LEAVE_MOUSE),
      act(event) {
        const { session, theme, pending } = held.drawn;
        const now = session.now();
        const standing = readStanding(session, with_.behind());
        const message = mouseMessage(event, now.state, () => scene(now, { theme, pending: pending(), standing }));
        if (message) session.send(message);
      },
    },
    codeKeys: (on) => with_.control(on ? SEND_KEY_CODES : LEAVE_KEY_CODES),
    written: () => mounted.written(),
    resumed: size,
  });

  const root = () => <Root drawn={held.drawn} behind={with_.behind} />;
  const mounted = mount(root(), (frame) => stdout.write(frame));
  mounted.failed.catch(with_.crashed);
  attached.follow(with_.drawn.session);
  // Asked on the program's own screen: codes of keys belong to the screen on which they were asked for.
  if (with_.mayAsk)
    void mounted
      .written()
      .then(with_.drained)
      .then(() => void (attached.isLent() || with_.control(ASK_KEY_CODES)));

  return {
    turn(to) {
      held.drawn = to;
      mounted.turn(root());
      size();
      attached.follow(to.session);
    },
    releaseKeys: attached.releaseKeys,
    written: mounted.written,
    again: () => {},
    close() {
      attached.close();
      stdout.off('resize', size);
      mounted.close();
      with_.raw(false);
    },
  };
}

function Root({ drawn, behind }: { readonly drawn: Drawn; readonly behind: () => boolean }) {
  const { session, theme, pending } = drawn;
  return <App key={session.profile.name} session={session} theme={theme} pending={pending} behind={behind} />;
}
