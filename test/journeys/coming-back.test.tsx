import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { rawCall } from '../../src/api/endpoint.ts';
import { setIssueState } from '../../src/api/error-tracking.ts';
import { parseExact, stringifyExact } from '../../src/lib/json.ts';
import type { Snapshot } from '../../src/session/outside/saved-session.ts';
import { toHearing } from '../../src/shell/plain.ts';
import { hasIssues, issueId } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const story = stories(journey, {});

const bare = { monitors: 24, issues: 0, columns: 120, rows: 30 } as const;

const before = { cursor: '', sort: undefined as unknown };

story(
  'screen, filter, sort and cursor survive a restart',
  {
    ...bare,
    async restarted(user) {
      const { view } = user.session.now();
      expect(view.listState).toMatchObject({ filter: 'a', sort: before.sort });
      expect(view.cursorAt).toBeGreaterThan(0);
      expect(view.cursor).toBe(before.cursor);
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('/', 'a', 'return', 'S', '3', 'j', 'j', 'j');
    const { view } = user.session.now();
    before.cursor = view.cursor ?? '';
    before.sort = view.listState.sort;
    expect(before.sort).toBeDefined();
  },
);

story(
  'the range of issues survives a restart, and so does the moment of the last key',
  {
    ...bare,
    before: (service) => hasIssues(service, 2),
    async restarted(user, _, clock) {
      const { view, context } = user.session.now();
      expect(view.listState.asked.range).toBe(view.list.ranges?.options[2]);
      expect(Math.round((clock.now() - (context.lastLook ?? 0)) / 60_000)).toBe(20);
    },
  },
  async (user, _, clock) => {
    await user.presses('T', '3');
    await user.settles();
    await clock.passes('20m');
  },
);

story(
  'a view is saved under a name, opened from the menu, the palette and the start, and deleted',
  {
    ...bare,
    async restarted(user) {
      await user.presses('q', '1');
      user.session.send({ type: 'openView', name: 'full disks' });
      expect(user.session.now().view).toMatchObject({ screen: { id: 'monitors' }, listState: { filter: 'disk' } });
      user.session.send({ type: 'openView', name: 'gone' });
      await user.sees('No view is called gone: there are full disks');
      await user.presses('b', 'd');
      // What is on screen has no names of the program.
      expect(user.session.now().state.layers.at(-1)).toMatchObject({ items: [{ hint: 'Monitors' }] });
      await user.presses('1');
      await user.sees('Delete view full disks?');
      expect(user.session.now().state.views).toHaveLength(1);
      await user.presses('y');
      await user.sees('Deleted view full disks');
      expect(user.session.now().state.views).toEqual([]);
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('/', 'disk', 'return', 'b', 's');
    await user.sees('Save view');
    await user.presses('full disks', 'ctrl+s');
    await user.sees('Saved view full disks');
    await user.presses('q', '1');
    await user.presses('b', '1');
    await user.settles();
    expect(user.session.now().view).toMatchObject({ screen: { id: 'monitors' }, listState: { filter: 'disk' } });
    await user.presses('q', '1', ':', 'view full', 'return');
    await user.settles();
    expect(user.session.now().view).toMatchObject({ screen: { id: 'monitors' }, listState: { filter: 'disk' } });
  },
);

story(
  'Up brings back earlier filters and searches, also after a restart',
  {
    ...bare,
    async restarted(user) {
      await user.presses('/', 'up');
      expect(user.session.now().view.listState.filter).toBe('disk');
      await user.presses('up');
      expect(user.session.now().view.listState.filter).toBe('cpu');
      await user.presses('down', 'down');
      expect(user.session.now().view.listState.filter).toBe('');
      await user.presses('esc', 's', 'muted:true', 'ctrl+s', 's', 'ctrl+u', 'status:ok', 'ctrl+s', 's', 'up', 'up');
      await user.sees('muted:true');
      await user.presses('ctrl+s');
      expect(Object.values(user.session.now().view.listState.asked.search)).toContain('muted:true');
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('/', 'cpu', 'return', 'q', '/', 'disk', 'return', 'q');
  },
);

const offline = {
  ...bare,
  monitors: 0,
  before: (service: Simulator) => hasIssues(service, 3),
} as const;

story(
  'the last list is shown at once, marked stale, and cannot be edited until it has been read again',
  {
    ...offline,
    async restarted(user, service) {
      await user.sees(/E01.*\n.*E02.*\n.*E03/);
      const stale = () => toHearing(user.session).remarks.find(({ about }) => about === 'stale')?.text;
      expect(stale()).toMatch(/^Stale: rows of an earlier run, \d+s old, until they are read again$/);
      // Behind it what the key that is refused would have asked for.
      await user.sends('A');
      await user.sends('3');
      await user.sees('The rows are from before this start: wait until they are read again · ignored: 3');
      expect(service.received('PUT')).toEqual([]);
      service.recovers();
      await user.presses('ctrl+r');
      await user.sees(/[●*] live/);
      expect(stale()).toBe('');
      await user.presses('A');
      await user.sees(receiptOf.acknowledge('E01'));
    },
  },
  async (user, service) => {
    await user.sees('E03');
    service.refuses(403, { times: 500, match: 'issues' });
  },
);

/** Whether a snapshot was there before each start. */
const wasKept: boolean[] = [];

story(
  'snapshot off: nothing is kept, and what was kept is removed',
  {
    ...offline,
    snapshot: 'off',
    async leaves(directory) {
      const file = join(directory, 'snapshot-test.json');
      wasKept.push(existsSync(file));
      if (wasKept.length === 1) writeFileSync(file, '{}', { mode: 0o600 });
    },
    async restarted(user) {
      await user.neverSees('E01');
      expect(wasKept).toEqual([false, false]);
    },
  },
  async (user, service) => {
    await user.sees('E03');
    expect(existsSync(join(dirname(user.journal.path), 'snapshot-test.json'))).toBe(false);
    service.refuses(403, { times: 500, match: 'issues' });
  },
);

const kept = { directory: '', rows: new Map<string, readonly unknown[]>() };

story(
  'rows of every kept list survive the file unchanged; new rows of a night are in their place and marked',
  {
    columns: 120,
    rows: 30,
    monitors: 30,
    issues: 0,
    before: (service) => hasIssues(service, 3),
    leaves: async (directory) => {
      kept.directory = directory;
    },
    async restarted(user) {
      await user.sees('E04');
      const { view } = user.session.now();
      expect(view.waiting).toBe(0);
      expect([1, 2, 3, 4].map((n) => view.listState.seen?.has(issueId(n)))).toEqual([true, true, true, false]);
      const file = parseExact(readFileSync(join(kept.directory, 'snapshot-test.json'), 'utf8')) as {
        readonly value: Snapshot;
      };
      for (const { list, rows } of file.value) {
        const read = kept.rows.get(list);
        expect(new Set(rows), list).toEqual(new Set(read));
      }
      expect(file.value.map(({ list }) => list).sort()).toEqual([...kept.rows.keys()].sort());
    },
  },
  async (user, service) => {
    for (const screen of ['monitors', 'roles', 'mappings', 'tables', 'retention', 'archives', 'issues']) {
      await user.opens(screen);
      await user.settles();
      const { view } = user.session.now();
      expect(view.list.kept).toBeDefined();
      expect(view.rows.size, screen).toBeGreaterThan(0);
      kept.rows.set(view.list.id, parseExact(stringifyExact(view.ids.map((id) => view.rows.get(id)))) as unknown[]);
    }
    hasIssues(service, 4);
  },
);

story(
  'lines of the journal that cannot be read are counted at the start, with the file, also where an action is no text',
  {
    ...bare,
    screen: 'home',
    async earlier(journal) {
      const resolve = rawCall(setIssueState, { issue_id: issueId(1) });
      await journal.intent(resolve, { action: 'issues.resolve', target: { id: issueId(1), name: 'E01 in web' } });
      const line = readFileSync(journal.path, 'utf8').replace('"issues.resolve"', '5');
      appendFileSync(journal.path, `not JSON\n{"kind":"later","id":"1"}\n${line}`);
    },
  },
  async (user) => {
    await user.sees('Left out, because they cannot be read as edits: 3 lines of');
    await user.presses('H');
    await user.sees('E01 in web');
  },
);
