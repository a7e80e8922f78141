import { type Instance, render, useApp } from 'ink';
import { useEffect } from 'react';
import type { Theme } from '../../components/theme.ts';
import type { Clock } from '../lib/clock.ts';
import { createKeyboard } from '../session/keys/keyboard.ts';
import type { Session } from '../session/session.ts';
import type { SuspendTerminal } from '../terminal/lend.ts';
import { App } from './App.tsx';

/** A session shown on a terminal. */
export interface Show {
  /** Shows another session (another profile); the old one is not closed here. */
  turn(to: Drawn): void;
  readonly suspendTerminal: SuspendTerminal;
  /** Draws every cell again. */
  redraw(): void;
  readonly instance: Instance;
  /** Releases keyboard and renderer; the owner of the terminal restores it. */
  close(): void;
}

export interface Drawn {
  readonly session: Session;
  readonly theme: Theme;
  readonly pending: () => ReadonlySet<string>;
}

/** The source of keys: standard input in raw mode, or a test's double. */
export interface Keys {
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
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
  readonly crashed: (error: unknown) => void;
}): Show {
  const { stdout, clock } = with_;
  const held: {
    drawn: Drawn;
    suspend?: SuspendTerminal;
    isLent: boolean;
    /** What was announced, or is about to be. */
    undrawn: readonly object[];
    stop: () => void;
  } = {
    drawn: with_.drawn,
    undrawn: [],
    isLent: false,
    stop: () => {},
  };
  const keyboard = createKeyboard({
    clock,
    key: (key) => held.drawn.session.press(key),
    paste: (text) => held.drawn.session.paste(text),
  });
  const feed = (chunk: Uint8Array | string) => keyboard.feed(chunk);
  const size = () => held.drawn.session.send({ do: 'size', columns: stdout.columns, rows: stdout.rows });
  // Registered before Ink's own listener, so that the next frame has the new size.
  stdout.on('resize', size);
  with_.keys.on('data', feed);
  with_.raw(true);
  stdout.write('\x1b[?2004h');

  const lend = (suspendTerminal: SuspendTerminal) => {
    held.suspend = async () => {
      with_.raw(false);
      with_.keys.off('data', feed);
      stdout.write('\x1b[?2004l');
      held.isLent = true;
      const lent = await suspendTerminal();
      return {
        async resume() {
          await lent.resume();
          held.isLent = false;
          stdout.write('\x1b[?2004h');
          with_.raw(true);
          with_.keys.on('data', feed);
          size();
          held.undrawn = [];
          follow();
        },
      };
    };
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

  /** Tells the session once the frame that shows it is drawn and the terminal has taken it. */
  const announce = async (session: Session, undrawn: object) => {
    do await instance.waitUntilRenderFlush();
    while (!(await with_.drained()));
    if (!held.isLent) session.shown(undrawn);
  };
  const follow = () => {
    const { session } = held.drawn;
    if (held.isLent) return;
    const before = held.undrawn;
    held.undrawn = session.undrawn();
    for (const one of held.undrawn) if (!before.includes(one)) void announce(session, one);
  };
  const listen = () => {
    held.stop();
    held.stop = held.drawn.session.store.subscribe(follow);
    follow();
  };
  listen();

  return {
    instance,
    turn(to) {
      held.drawn = to;
      instance.rerender(root());
      size();
      listen();
    },
    suspendTerminal: () => {
      if (!held.suspend) throw new Error('the terminal was lent before the first frame');
      return held.suspend();
    },
    redraw() {
      instance.clear();
      instance.rerender(root());
    },
    close() {
      with_.keys.off('data', feed);
      stdout.off('resize', size);
      held.stop();
      keyboard.close();
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
