import type { Theme } from '../scene/theme.ts';
import type { Session } from '../session/session.ts';
import type { ReleaseKeys } from '../terminal/lend-terminal.ts';
import {
  ASK_KEY_CODES,
  LEAVE_KEY_CODES,
  LEAVE_MOUSE,
  LEAVE_PASTES,
  MARK_PASTES,
  REPORT_MOUSE,
  SEND_KEY_CODES,
} from '../terminal/sequences.ts';
import { App } from './App.tsx';
import { attach, type TerminalUse } from './attached.ts';
import { readStanding } from './header.ts';
import { type Mounted, mount } from './mount.tsx';
import { mouseMessage } from './mouse.ts';
import { scene } from './scene.ts';

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
