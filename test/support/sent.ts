import type { TestClock } from './clock.ts';
import type { User } from './person.ts';

/** Lets time pass until no edit is being sent: a response that comes late sets its retry late, too. */
export async function untilSent(user: User, clock: TestClock, step: string | number = '1s'): Promise<void> {
  for (let at = 0; at < 60 && user.session.now().state.underWay.length > 0; at += 1) await clock.passes(step);
}
