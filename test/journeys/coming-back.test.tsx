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

test(
  'a view is saved under a name, opened from the menu, the palette and the start, and deleted',
  journey(
    async (user) => {
      await user.opens('monitors');
      await user.presses('/', 'disk', 'return', 'b', 's');
      await user.sees('Save view');
      await user.presses('full disks', 'ctrl+s');
      await user.sees('saved view full disks');
      await user.presses('q', '1');
      await user.presses('b', '1');
      await user.settles();
      expect(user.session.now().view).toMatchObject({ screen: { id: 'monitors' }, own: { filter: 'disk' } });
      await user.presses('q', '1', ':', 'view full', 'return');
      await user.settles();
      expect(user.session.now().view).toMatchObject({ screen: { id: 'monitors' }, own: { filter: 'disk' } });
    },
    {
      ...bare,
      async restarted(user) {
        await user.presses('q', '1');
        user.session.send({ do: 'openView', name: 'full disks' });
        expect(user.session.now().view).toMatchObject({ screen: { id: 'monitors' }, own: { filter: 'disk' } });
        user.session.send({ do: 'openView', name: 'gone' });
        await user.sees('no view is called gone: there are full disks');
        await user.presses('b', 'd', '1');
        await user.sees('deleted view full disks');
        expect(user.session.now().state.views).toEqual([]);
      },
    },
  ),
);

test(
  'Up brings back earlier filters and searches, also after a restart',
  journey(
    async (user) => {
      await user.opens('monitors');
      await user.presses('/', 'cpu', 'return', 'q', '/', 'disk', 'return', 'q');
    },
    {
      ...bare,
      async restarted(user) {
        await user.presses('/', 'up');
        expect(user.session.now().view.own.filter).toBe('disk');
        await user.presses('up');
        expect(user.session.now().view.own.filter).toBe('cpu');
        await user.presses('down', 'down');
        expect(user.session.now().view.own.filter).toBe('');
        await user.presses('esc', 's', 'muted:true', 'ctrl+s', 's', 'ctrl+u', 'status:ok', 'ctrl+s', 's', 'up', 'up');
        await user.sees('muted:true');
        await user.presses('ctrl+s');
        expect(Object.values(user.session.now().view.own.asked.search)).toContain('muted:true');
      },
    },
  ),
);
