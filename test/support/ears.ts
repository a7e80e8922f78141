import type { Session } from '../../src/session/session.ts';
import { nothingSaid, toHearing, unsaid } from '../../src/shell/plain.ts';

/** What is new to hear of a session since the last call, at the time of its clock. */
export function ears(session: Session): () => string {
  let said = nothingSaid;
  return () => {
    const next = unsaid(said, toHearing(session), session.now().context.now);
    said = next.said;
    return next.text;
  };
}
