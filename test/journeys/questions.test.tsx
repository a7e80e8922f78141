import { expect, test } from 'vitest';
import { hasIssues, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 100, rows: 24 } as const;
const inProduction = {
  ...bare,
  production: true,
  before: (service: Parameters<typeof hasIssues>[0]) => hasIssues(service, 2),
};
const story = stories(journey, inProduction);

story(
  'a y before the question was drawn is ignored with a message; the next one counts',
  async (user, service, clock) => {
    clock.stops();
    await user.sends('A');
    await user.sends('y');
    await user.sees('y was pressed before the question was drawn: press it again');
    await user.sees('in production (test)?');
    await clock.passes(200);
    await user.sends('y');
    expect(service.received('PUT')).toEqual([]);
    await clock.passes(300);
    await user.sends('y');
    await user.sees(receiptOf.acknowledge('E01 in web'));
    expect(stateOf(service, 1)).toBe('ACKNOWLEDGED');
    expect(service.received('PUT')).toHaveLength(1);
  },
);

story('No counts at once, and the next question must be readable on its own', async (user, service) => {
  await user.sends('A');
  await user.sends('n');
  await user.loses('in production (test)?');
  await user.presses('r');
  await user.sees('Resolve E01 in web in production (test)?');
  await user.presses('q');
  await user.sends('r');
  await user.sends('y');
  await user.sees('before the question was drawn');
  expect(service.received('PUT')).toEqual([]);
});

test(
  'typed and pasted text does not confirm before the question was drawn',
  journey(
    async (user, service) => {
      await user.presses('*');
      await user.sends('A');
      await user.sends('1');
      await user.sees('Typed before the question was drawn: type it again');
      await user.sends('\x1b[200~12\x1b[201~');
      await user.sends('\r');
      await user.sees('before the question was drawn: press it again');
      expect(service.received('PUT')).toEqual([]);
      await user.presses('12', 'return');
      await user.sees('12 issues ·');
      expect(service.received('PUT')).toHaveLength(12);
    },
    { ...bare, before: (service) => hasIssues(service, 12) },
  ),
);

story('a question that does not fit the terminal cannot be confirmed', async (user, service, clock) => {
  await user.sends('A');
  await user.resizes(40, 10);
  await clock.passes('1s');
  await user.resizes(100, 24);
  await user.sends('y');
  await user.sees('before the question was drawn');
  expect(service.received('PUT')).toEqual([]);
});
