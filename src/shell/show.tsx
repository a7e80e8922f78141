import { type Instance, render, useApp } from 'ink';
import { useEffect } from 'react';
import type { Theme } from '../../components/theme.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Session } from '../session/session.ts';
import type { SuspendTerminal } from '../terminal/lend.ts';
import { LEAVE_MOUSE, LEAVE_PASTES, MARK_PASTES, REPORT_MOUSE } from '../terminal/sequences.ts';
import { App } from './App.tsx';
import { attach, type Keys } from './attached.ts';
import { mouseMessage } from './mouse.ts';

/** A session shown on a terminal. */
export interface Show {
  /** Shows another session (another profile); the old one is not closed here. */
  turn(to: Drawn): void;
  readonly suspendTerminal: SuspendTerminal;
  /** Shows everything again. */
  redraw(): void;
  /** Forgets what is on the screen: the next frame is drawn whole. */
  forget(): void;
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
export function show(with_: {
  readonly drawn: Drawn;
  readonly clock: Clock;
  readonly stdout: NodeJS.WriteStream;
  readonly keys: Keys;
  readonly behind: () => boolean;
  /** Resolves when the terminal has taken all output so far; false where frames were skipped meanwhile. */
  readonly drained: () => Promise<boolean>;
  readonly raw: (on: boolean) => void;
  /** Frames per second at most; tests raise it to see each frame at once. */
  readonly maxFps?: number;
  /** The terminal answered a query. */
  readonly replied?: (text: string) => void;
  readonly crashed: (error: unknown) => void;
}): Show & { readonly instance: Instance } {
  const { stdout } = with_;
  const held: { drawn: Drawn; suspend?: SuspendTerminal } = { drawn: with_.drawn };
  const size = () => held.drawn.session.send({ do: 'size', columns: stdout.columns, rows: stdout.rows });
  // Registered before Ink's own listener, so that the next frame has the new size.
  stdout.on('resize', size);
  const attached = attach({
    session: with_.drawn.session,
    clock: with_.clock,
    keys: with_.keys,
    raw: with_.raw,
    markPastes: (on) => stdout.write(on ? MARK_PASTES : LEAVE_PASTES),
    mouse: {
      report: (on) => stdout.write(on ? REPORT_MOUSE : LEAVE_MOUSE),
      act(event) {
        const { session, theme } = held.drawn;
        const message = mouseMessage(event, session, theme, with_.behind());
        if (message) session.send(message);
      },
    },
    written: () => instance.waitUntilRenderFlush(),
    drained: with_.drained,
    resumed: size,
    ...present({ replied: with_.replied }),
  });

  const lend = (suspendTerminal: SuspendTerminal) => {
    held.suspend = attached.lending(suspendTerminal);
  };
  const root = () => <Root drawn={held.drawn} behind={with_.behind} lend={lend} />;

  const instance = render(root(), {
    stdout,
    stdin: process.stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    alternateScreen: true,
    interactive: true,
    isScreenReaderEnabled: false,
    maxFps: with_.maxFps ?? 60,
  });
  instance.waitUntilExit().catch(with_.crashed);
  attached.follow(with_.drawn.session);

  return {
    instance,
    turn(to) {
      held.drawn = to;
      instance.rerender(root());
      size();
      attached.follow(to.session);
    },
    suspendTerminal: () => {
      if (!held.suspend) throw new Error('the terminal was lent before the first frame');
      return held.suspend();
    },
    forget: instance.clear,
    redraw() {
      instance.clear();
      instance.rerender(root());
    },
    close() {
      attached.close();
      stdout.off('resize', size);
      instance.unmount();
      with_.raw(false);
    },
  };
}

/** Gets Ink's `suspendTerminal`, which only components can reach. */
function Root({
  drawn,
  behind,
  lend,
}: {
  readonly drawn: Drawn;
  readonly behind: () => boolean;
  readonly lend: (suspendTerminal: SuspendTerminal) => void;
}) {
  const { suspendTerminal } = useApp();
  useEffect(() => lend(suspendTerminal), [lend, suspendTerminal]);
  const { session, theme, pending } = drawn;
  return <App key={session.profile.name} session={session} theme={theme} pending={pending} behind={behind} />;
}
