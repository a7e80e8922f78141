import { expect, test } from 'vitest';
import { hasIssues, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';

const twenty = {
  monitors: 0,
  issues: 0,
  columns: 120,
  rows: 24,
  before: (service: Parameters<typeof hasIssues>[0]) => hasIssues(service, 20),
} as const;

test(
  'keys that are revoked during a bulk edit stop it and the polls, and a sentence says what to do',
  journey(async (user, service, clock) => {
    await user.presses('*', 'A', '20');
    service.refuses(401, { times: 1000, body: { errors: ['Unauthorized'] } });
    const before = service.received().length;
    await user.presses('return');
    await user.sees('20 of 20 failed');
    // Four requests run at once; at most two more follow the first 401.
    expect(service.received().length - before).toBeLessThanOrEqual(6);
    const then = service.received().length;
    await user.sees('keys refused: P');
    await user.sees('not sent: the keys are not accepted (401); renew them');
    await user.presses('q', 'ctrl+r');
    for (let at = 0; at < 5; at += 1) await clock.passes('1m');
    await user.sees('not sent: the keys are not accepted (401); renew them');
    await user.presses('q', 'r');
    await user.sees(/✗ .* not sent: the keys are not accepted \(401\)/);
    expect(service.received()).toHaveLength(then);
    expect(stateOf(service, 1)).toBe('OPEN');
  }, twenty),
);
