import type { Session } from '../../src/session/session.ts';
import { toHearing } from '../../src/shell/plain/hearing.ts';
import { nothingSaid, unsaid } from '../../src/shell/plain/remark.ts';

/** What is new to hear of a session since the last call, at the time of its clock. */
export function ears(session: Session): () => string {
  let said = nothingSaid;
  return () => {
    const next = unsaid(said, toHearing(session), session.now().context.now);
    said = next.said;
    return next.text;
  };
}
