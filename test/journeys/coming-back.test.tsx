import { expect, test } from 'vitest';
import { hasIssues } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';

const bare = { monitors: 24, issues: 0, columns: 120, rows: 30 } as const;

const before = { cursor: '' };

test(
  'screen, filter, sort and cursor survive a restart',
  journey(
    async (user) => {
      await user.opens('monitors');
      await user.presses('/', 'a', 'return', 'S', '2', 'j', 'j', 'j');
      before.cursor = user.session.now().view.cursor ?? '';
    },
    {
      ...bare,
      async restarted(user) {
        const { view } = user.session.now();
        expect(view.own).toMatchObject({ filter: 'a', sort: { by: 'name' } });
        expect(view.at).toBeGreaterThan(0);
        expect(view.cursor).toBe(before.cursor);
      },
    },
  ),
);

test(
  'the range of issues survives a restart, and so does the moment of the last key',
  journey(
    async (user, _, clock) => {
      await user.presses('t', '3');
      await user.settles();
      expect(user.session.now().context.lastLook).toBeUndefined();
      await clock.passes('20m');
    },
    {
      ...bare,
      before: (service) => hasIssues(service, 2),
      async restarted(user, _, clock) {
        const { view, context } = user.session.now();
        expect(view.own.asked.range).toBe(view.list.ranges?.options[2]);
        expect(Math.round((clock.now() - (context.lastLook ?? 0)) / 60_000)).toBe(20);
      },
    },
  ),
);
