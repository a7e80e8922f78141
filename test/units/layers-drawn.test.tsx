import { expect, test } from 'vitest';
import type { LayerOf } from '../../src/session/layers/layer.ts';
import type { Now } from '../../src/session/now.ts';
import { JournalLayer, MessagesLayer, ProfilesLayer } from '../../src/shell/ListLayers.tsx';
import { JobLayer } from '../../src/shell/OnceLayer.tsx';
import { lines, theme } from '../support/component-examples.tsx';

const at = Date.UTC(2026, 4, 6, 12);
const nowOf = (world: object): Now =>
  ({ context: { now: at, zone: 'UTC' }, world: { screens: [], ...world } }) as never;
const trimmed = (layer: Parameters<typeof lines>[0]) => lines(layer).map((text) => text.replace(/ *│?$/, ''));

test('a job says its step and how far it is; once it has ended, its outcome alone', () => {
  const job: LayerOf<'job'> = { kind: 'job', id: 'j', title: 'Upload', stopping: false };
  const drawn = (layer: LayerOf<'job'>) =>
    trimmed(<JobLayer layer={layer} now={nowOf({})} width={40} height={8} theme={theme} />).slice(1, -1);
  const progress = { step: 'checking the file', part: 0.5, notes: ['1 MB of 2 MB'] };
  expect(drawn({ ...job, progress }).filter((text) => text !== '│')).toEqual([
    '│  Checking the file',
    '│  █████████████░░░░░░░░░░░░░ 50%',
    '│  1 MB of 2 MB',
  ]);
  expect(drawn({ ...job, progress: { step: 'creating', notes: ['no bar'] } }).slice(1, 4)).toEqual([
    '│  Creating',
    '│',
    '│  no bar',
  ]);
  const ended = { ok: false, text: 'Nothing was sent: line 4' };
  expect(drawn({ ...job, progress, ended }).filter((text) => text !== '│')).toEqual(['│  ✗ Nothing was sent: line 4']);
});

const report = {
  profile: 'acme',
  shift: '2026-05-06 04:00 to 12:00 UTC',
  by: 'Robin Vale',
  sections: [
    {
      title: 'Open ends',
      items: [
        {
          lead: 'Alerting, not muted:',
          name: 'Failing resources in catalog-api [prod]',
          did: '(P1, since 11:48)',
          more: [],
          entries: [],
        },
        { lead: 'Alerting, not muted:', name: 'Disk', did: '(P2)', more: [], entries: [] },
        { lead: 'Outcome unknown: delete', name: 'Disk of a very long name', did: 'at 10:30', more: [], entries: [] },
      ],
    },
  ],
};
const journal: LayerOf<'journal'> = { kind: 'journal', entries: [], cursor: 2, unsettled: false, report };

test('in the hand-over a name is whole, and the title loses whole pieces', () => {
  const drawn = (width: number) =>
    trimmed(<JournalLayer layer={journal} now={nowOf({})} width={width} height={8} theme={theme} />);
  expect(drawn(100)[2]).toBe('│  Alerting, not muted: Failing resources in catalog-api [prod] (P1, since 11:48)');
  const narrow = drawn(60);
  expect(narrow[0]).toMatch(/^┌ Hand-over of acme · last 8h ─+┐$/);
  expect(narrow.slice(2, 5)).toEqual([
    '│  Failing resources in catalog-api [prod]',
    '│    Alerting, not muted (P1, since 11:48)',
    '│  Disk · Alerting, not muted (P2)',
  ]);
  expect(drawn(46).slice(5, 7)).toEqual(['│> Disk of a very long name', '│    Outcome unknown: delete at 10:30']);
});

test('an edit of the journal says what a switch was turned to and what was undone; the title has the zone', () => {
  const outcome = 'applied' as const;
  const edit = { id: '1', at, target: 'Staging', outcome, text: outcome, undoable: false, checkable: true };
  const toggle = { title: 'enable/disable', id: 'retention.toggle' };
  const screens = [{ lists: [{ actions: [toggle] }] }];
  const entries = [
    { ...edit, operation: 'undo', undid: { operation: 'retention.toggle', isOn: true } },
    { ...edit, operation: 'retention.toggle', isOn: true, text: 'Undone' },
    { ...edit, operation: 'retention.toggle', isOn: false },
  ];
  const layer: LayerOf<'journal'> = { kind: 'journal', entries, cursor: 2, unsettled: false, isRaw: true };
  const drawn = trimmed(<JournalLayer layer={layer} now={nowOf({ screens })} width={80} height={5} theme={theme} />);
  expect(drawn[0]).toContain('All edits (UTC)');
  expect(drawn.slice(1, 4)).toEqual([
    '│  2026-05-06 12:00:00  applied  undid: enabled Staging',
    '│  2026-05-06 12:00:00  applied  enabled Staging  Undone',
    '│> 2026-05-06 12:00:00  applied  disabled Staging',
  ]);
});

test('on a narrow terminal a message that waits keeps its end', () => {
  const parts = ['Mute on ', { name: 'Certificate of storefront-web expires' }, ' ends in 3 min (12:03 UTC)'];
  const messages = [{ text: '', parts, tone: 'warn', at, notice: 'n' }];
  const drawn = (width: number) =>
    trimmed(
      <MessagesLayer
        layer={{ kind: 'messages', cursor: 0 }}
        now={nowOf({ messages })}
        width={width}
        height={3}
        theme={theme}
      />,
    )[1];
  expect(drawn(60)).toBe('│> 12:00  ! Mute on Certificate … ends in 3 min (12:03 UTC)');
  expect(drawn(100)).toContain('! waiting  Mute on Certificate of storefront-web expires ends in 3 min');
});

test('the profile under the cursor says where its keys come from, where the rows leave room for all of it', () => {
  const items = ['acme', 'beta'].map((name) => ({
    name,
    says: '',
    current: false,
    facts: [
      ['API key', `variable ${name}`],
      ['Polls', 'every 15s'],
    ] as const,
  }));
  const drawn = (height: number) =>
    trimmed(
      <ProfilesLayer
        layer={{ kind: 'profiles', items, cursor: 1 }}
        now={nowOf({})}
        width={60}
        height={height}
        theme={theme}
      />,
    ).slice(1, -1);
  expect(drawn(7).slice(2)).toEqual([
    '│',
    '│     API key           variable beta',
    '│     Polls             every 15s',
  ]);
  expect(drawn(6).join()).not.toContain('API key');
});
