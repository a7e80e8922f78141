import { LEAVE_PASTES, MARK_PASTES } from '../../terminal/sequences.ts';
import { attach, type TerminalUse } from '../attached.ts';
import type { Show } from '../show.tsx';
import { toHearing } from './hearing.ts';
import { nothingSaid, type Said, unsaid } from './remark.ts';

/** The size that a session without a frame counts with: what a half page is, and where a detail is cut into lines. */
const plainSize = { columns: 80, rows: 24 } as const;

/** Milliseconds from a change to its lines: what a key sets off at once is said as one. */
const settlingMs = 10;

/**
 * Connects a session to a terminal for a screen reader: what has changed is appended as lines, nothing is drawn twice and
 * nothing is erased. The keys are the same.
 */
export function showPlain(
  with_: TerminalUse & {
    readonly drawn: Parameters<Show['turn']>[0];
    readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
    /** Sets or resets modes of the terminal. */
    readonly control: (sequence: string) => void;
    /** False where the terminal knows no sequences at all. */
    readonly marksPastes: boolean;
  },
): Show {
  const { clock, stdout, marksPastes } = with_;
  const held = { said: nothingSaid as Said, due: undefined as Promise<void> | undefined, stop: () => {} };

  const say = () => {
    held.due = undefined;
    if (attached.isLent()) return;
    const { text, said } = unsaid(held.said, toHearing(attached.session()), clock.now());
    held.said = said;
    if (text !== '') stdout.write(text);
  };
  /** Once after all keys of a chunk and all that follows from them at once. */
  const later = (): Promise<void> => {
    held.due ??= new Promise((done) => {
      clock.after(settlingMs, () => {
        say();
        done();
      });
    });
    return held.due;
  };
  const restate = () => {
    // The last message too: where the terminal lagged, its line may have been left out.
    const lasting = new Map([...held.said.lasting].filter(([about]) => about !== 'message'));
    held.said = { ...nothingSaid, lasting, prompt: held.said.prompt };
    void later();
  };

  const attached = attach({
    ...with_,
    session: with_.drawn.session,
    markPastes: (on) => void (marksPastes && with_.control(on ? MARK_PASTES : LEAVE_PASTES)),
    written: later,
    resumed: restate,
  });
  const follow = (session: Parameters<typeof attached.follow>[0]) => {
    held.stop();
    held.stop = session.store.subscribe(() => void later());
    session.send({ type: 'setSize', ...plainSize });
    attached.follow(session);
    void later();
  };
  follow(with_.drawn.session);

  return {
    turn: ({ session }) => follow(session),
    releaseKeys: attached.releaseKeys,
    again: restate,
    close() {
      held.stop();
      attached.close();
      with_.raw(false);
    },
  };
}
