import { expect, test } from 'vitest';
import { type HandoverFacts, handoverReport } from '../../src/journal/handover-report.ts';
import type { Entry } from '../../src/journal/journal-entry.ts';

const noon = Date.UTC(2026, 4, 6, 12, 0, 0);
const minutes = (before: number) => noon - before * 60_000;

const facts: HandoverFacts = {
  profile: 'acme',
  zone: 'UTC',
  now: noon,
  since: minutes(480),
  openEnds: ['Alerting and not muted: web *down*'],
  describe({ action, target }) {
    const verb = action.split('.')[1] ?? action;
    const part = verb === 'mute' ? 'mute' : action.startsWith('issues') ? 'triage' : 'change';
    return {
      verb,
      part,
      now: target.id === '1' ? 'ALERT, muted (all groups) until 16:00 UTC, reason: deploy, set by R. Vale' : undefined,
      link: target.id === '1' ? 'https://web.test/monitors/1' : undefined,
    };
  },
};

const entry = (action: string, id: string, ago: number, more: Partial<Entry> = {}): Entry => ({
  kind: 'intent',
  id: `${action} ${id} ${ago}`,
  at: minutes(ago),
  run: { host: 'h', pid: 1, began: '' },
  org: 'acme',
  origin: 'https://api.acme.test',
  actor: 'R. Vale',
  action,
  target: { id, name: `thing ${id}` },
  before: undefined,
  call: { endpoint: 'x', params: {}, query: {} },
  outcome: { state: 'applied', attempts: 1 },
  undo: [],
  undone: false,
  forgotten: false,
  ...more,
});

test('a shift without edits says so', () => {
  expect(handoverReport([], { ...facts, openEnds: [] }).split('\n')).toEqual([
    '# Hand-over of acme',
    '',
    '2026-05-06 04:00 to 12:00 UTC',
    '',
    'No edits, and nothing open.',
  ]);
});

test('a shift: open ends first, then mutes as they are now, issues, changes with old and new values', () => {
  const edit = entry('monitors.edit', '3', 100, {
    before: { id: '3', attributes: { name: 'old', query: 'same', count: 1 } },
    call: {
      endpoint: 'x',
      params: {},
      query: {},
      body: { data: { attributes: { name: 'new', query: 'same', count: 2 } } },
    },
  });
  const report = handoverReport(
    [
      entry('monitors.mute', '1', 200),
      entry('monitors.mute', '1', 150),
      entry('monitors.mute', '2', 140),
      entry('issues.resolve', '9', 120, { target: { id: '9', name: 'E *01*' } }),
      edit,
      entry('monitors.delete', '4', 90, { outcome: { state: 'unknown', attempts: 3 } }),
      entry('monitors.edit', '5', 80, { outcome: { state: 'refused', attempts: 1, status: 403, text: 'not allowed' } }),
      entry('monitors.edit', '6', 9000),
    ],
    facts,
  );
  expect(report.split('\n')).toEqual([
    '# Hand-over of acme',
    '',
    '2026-05-06 04:00 to 12:00 UTC, by R. Vale',
    '',
    '## Open ends',
    '',
    '- **Outcome unknown, check:** delete **thing 4** at 10:30 · not read since',
    '- Alerting and not muted: web \\*down\\*',
    '',
    '## Mutes',
    '',
    '- **[thing 1](https://web.test/monitors/1)**: muted 08:40, muted 09:30 · now: ALERT, muted (all groups) until 16:00 UTC, reason: deploy, set by R. Vale',
    '- **thing 2**: muted 09:40 · not read since',
    '',
    '## Issues',
    '',
    '- **E \\*01\\***: resolved 10:00 · not read since',
    '',
    '## Created and changed',
    '',
    '- **thing 3**: edited 10:20 · name: old → new · count: 1 → 2',
    '',
    '## Refused',
    '',
    '- edit **thing 5** at 10:40 · refused 403: not allowed',
  ]);
});

test('what was undone is folded into one line, whoever undid it', () => {
  const report = handoverReport(
    [
      entry('monitors.mute', '1', 200),
      entry('undo', '1', 190),
      entry('monitors.edit', '3', 100, { undone: true }),
      entry('monitors.mute', '2', 60),
    ],
    { ...facts, openEnds: [] },
  );
  expect(report.match(/^- .*/gm)).toEqual(['- **thing 2**: muted 11:00 · not read since']);
  expect(report).toContain(
    'Done and undone: **thing 3**: edited 10:20; **[thing 1](https://web.test/monitors/1)**: muted 08:40.',
  );
});

test('an undo that failed folds nothing', () => {
  const undo = entry('undo', '1', 190, { outcome: { state: 'refused', attempts: 1 } });
  const report = handoverReport([entry('monitors.mute', '1', 200), undo], facts);
  expect(report).toContain('**: muted 08:40');
  expect(report).not.toContain('Done and undone');
});
