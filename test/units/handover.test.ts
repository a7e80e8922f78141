import { expect, test } from 'vitest';
import {
  type HandoverFacts,
  handoverMarkdown,
  handoverReport,
  outcomeText,
  receiptAround,
} from '../../src/journal/handover-report.ts';
import {
  type Entry,
  foldUndone,
  isUndoable,
  readEntryLine,
  toEntries,
  undoGroup,
} from '../../src/journal/journal-entry.ts';

const noon = Date.UTC(2026, 4, 6, 12, 0, 0);
const minutes = (before: number) => noon - before * 60_000;

const facts: HandoverFacts = {
  profile: 'acme',
  zone: 'UTC',
  now: noon,
  since: minutes(480),
  openEnds: [
    {
      ...{ title: 'Alerting, not muted', count: 4, list: 'monitors' },
      named: [{ lead: 'P1', name: 'web *down*', rest: '(since 04:40)', row: '7' }],
    },
  ],
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

/** What a receipt tells of fields; one whose name begins so is on no form. */
const changes = (of: Readonly<Record<string, readonly [from: unknown, to: unknown]>>) => ({
  changes: Object.entries(of).map(([field, [from, to]]) => {
    return { field, label: field.startsWith('_') ? null : field, from, to };
  }),
  ...{ facts: {}, leaves: [] },
});

const reportOf = (entries: readonly Entry[], about = facts) => handoverMarkdown(handoverReport(entries, about));

test('a shift without edits says so', () => {
  expect(reportOf([], { ...facts, openEnds: [] }).split('\n')).toEqual([
    '# Handover of acme',
    '',
    '2026-05-06 04:00 to 12:00 UTC',
    '',
    'No edits, and nothing open.',
  ]);
});

test('an edit that changes no setting is told as its receipt tells it', () => {
  const about = { ...facts, describe: (one: Entry) => ({ ...facts.describe(one), listTitle: 'Archives' }) };
  const said = 'Added reader Auditors to thing 3; 2 readers';
  const added = entry('archives.add-reader', '3', 90, { said });
  const saved = entry('keys-own.clear', '5', 85, { said: 'Saved thing 5: no scopes (all your permissions)' });
  const uuid = '2371efb9-a65b-4827-bcfd-b1a28a12cfbd';
  const made = entry('roles.create', '4', 80, { consequences: changes({ permissions: [null, [uuid, uuid]] }) });
  expect(
    reportOf([added, saved, made], { ...about, openEnds: [] })
      .split('\n')
      .slice(-3),
  ).toEqual([
    '- 10:30 added reader Auditors to **thing 3** in Archives · 2 readers',
    '- 10:35 saved **thing 5** in Archives · no scopes (all your permissions)',
    '- 10:40 created **thing 4** in Archives · permissions: 2',
  ]);
});

test('a shift: what is open first, then what was done, with what is true now or the old and the new values', () => {
  const edit = entry('monitors.edit', '3', 100, {
    consequences: changes({ name: ['old', 'new'], count: [1, 2], _modified: [3, 4] }),
  });
  const report = reportOf(
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
    '# Handover of acme',
    '',
    '2026-05-06 04:00 to 12:00 UTC, by R. Vale',
    '',
    '## Outcome unknown',
    '',
    '- 10:30 delete **thing 4** · may have happened · its state now was not read',
    '',
    '## Alerting, not muted (4)',
    '',
    '- P1 **web \\*down\\*** (since 04:40)',
    '- 3 more',
    '',
    '## Done (4)',
    '',
    '- 08:40 muted, 09:30 muted **[thing 1](https://web.test/monitors/1)** · now ALERT, muted (all groups) until 16:00 UTC, reason: deploy, set by R. Vale',
    '- 09:40 muted **thing 2** · its state now was not read',
    '- 10:00 resolved **E \\*01\\*** · its state now was not read',
    '- 10:20 edited **thing 3** · name: old → new · count: 1 → 2',
    '',
    '## Refused',
    '',
    '- 10:40 edit **thing 5** · refused 403: not allowed',
  ]);
});

test('the only edit of a row is told by its receipt, to another reader; several by what they did', () => {
  const told = (id: string, ago: number, said: string) => entry('monitors.mute', id, ago, { said });
  const report = reportOf(
    [
      told('2', 140, 'Muted thing 2 until 10:40 UTC (1h)'),
      entry('issues.assign', '9', 120, { said: 'Assigned thing 9 to you and acknowledged it' }),
      told('3', 110, 'Muted thing 3 until 10:40 UTC (1h)'),
      told('3', 100, 'Muted thing 3 until 12:40 UTC (2h)'),
      told('4', 90, 'All was muted'),
      told('1', 85, 'Muted thing 1 until 16:00 UTC'),
    ],
    { ...facts, openEnds: [] },
  );
  expect(report.match(/^- .*/gm)?.map((line) => line.replace(' · its state now was not read', ''))).toEqual([
    '- 09:40 muted **thing 2** until 10:40 UTC (1h)',
    '- 10:00 assigned **thing 9** to R. Vale and acknowledged it',
    '- 10:10 muted, 10:20 muted **thing 3**',
    '- 10:30 muted **thing 4**',
    expect.stringMatching(/^- 10:35 muted \S+thing 1\S+ · now ALERT, muted .all groups. until 16:00 UTC, reason/),
  ]);
  expect(receiptAround('Muted web-1 now', 'web-1')).toEqual({ before: 'Muted ', after: ' now' });
  expect(receiptAround('web-1 is muted', 'web-1')).toBeUndefined();
});

test('what was undone is folded into one line, whoever undid it', () => {
  const report = reportOf(
    [
      entry('monitors.mute', '1', 200),
      entry('monitors.mute', '2', 195),
      entry('undo', '1', 190),
      entry('monitors.edit', '3', 100, { undone: true }),
    ],
    { ...facts, openEnds: [] },
  );
  expect(report.match(/^- .*/gm)).toEqual([
    '- 08:45 muted **thing 2** · its state now was not read',
    '- thing 3: 10:20 edited · thing 1: 08:40 muted',
  ]);
});

test('what was undone is told once where it is alike, and a switch by the half that it was turned to', () => {
  const body = { data: { attributes: { enabled: false } } };
  const toggle = entry('filters.enable/disable', '5', 50, {
    undone: true,
    before: { attributes: { enabled: true } },
    call: { endpoint: 'x', params: {}, query: {}, body },
  });
  const twice = [200, 200.1].map((ago) => entry('issues.resolve', '4', ago, { undone: true, id: `${ago}` }));
  expect(reportOf([...twice, toggle], { ...facts, openEnds: [] }).match(/^- .*/gm)).toEqual([
    '- thing 4: 08:39 resolved, 08:40 resolved · thing 5: 11:10 disabled',
  ]);
  const alike = [200.1, 200.2].map((ago) => entry('issues.resolve', '4', ago, { undone: true, id: `${ago}` }));
  expect(reportOf(alike, { ...facts, openEnds: [] }).match(/^- .*/gm)).toEqual(['- thing 4: 08:39 resolved']);
});

test('an undo names the edit that it undid: the one of its group, else the last one of its row before it', () => {
  const [mute, extend] = [entry('monitors.mute', '1', 200), entry('monitors.extend', '1', 150, { undone: true })];
  const [named, nearest] = [entry('undo', '1', 100, { group: undoGroup(extend.id) }), entry('undo', '1', 160)];
  const { undid } = foldUndone([mute, nearest, extend, named]);
  expect([mute, nearest, extend, named].map(undid)).toEqual([undefined, mute, undefined, extend]);
  // Also where nothing else tells that it was undone, and where a later edit of the row stands.
  const [later, back] = [entry('monitors.extend', '1', 150), entry('undo', '1', 100, { group: undoGroup(mute.id) })];
  expect(foldUndone([mute, later, back])).toMatchObject({ kept: [later], undone: [mute] });
});

test('a line names its edits in the journal, and the row of an open end where its list is', () => {
  const edits = [entry('monitors.mute', '1', 200), entry('monitors.mute', '1', 150)];
  const { sections } = handoverReport(edits, facts);
  expect(sections.map(({ title, items }) => [title, ...items.map(({ entries, place }) => [entries, place])])).toEqual([
    ['Alerting, not muted', [[], { list: 'monitors', row: '7' }], [[], { list: 'monitors' }]],
    ['Done', [edits.map(({ id }) => id), undefined]],
  ]);
  const undone = edits.map((edit) => ({ ...edit, undone: true }));
  const {
    unread,
    openEnds: [end = expect.fail()],
  } = { ...facts, unread: ['Monitors'] };
  const parts = [1, 2].map(
    (count) => handoverReport(undone, { ...facts, unread, openEnds: [{ ...end, count }] }).sections,
  );
  expect(
    parts[0]?.map(({ title, isDense, items }) => [title, isDense, items.map(({ lead, entries }) => [lead, entries])]),
  ).toEqual([
    ['Not read', true, [['Monitors', []]]],
    ['Alerting, not muted', true, [['P1', []]]],
    ['Done and undone', undefined, [[undefined, edits.map(({ id }) => id)]]],
  ]);
  expect(parts[1]?.[1]?.items.map(({ lead }) => lead)).toEqual(['P1', '1 more']);
});

test('the undo of an edit from before the shift is told, and the edit is not', () => {
  const mute = entry('monitors.mute', '1', 500, { undone: true });
  const undo = entry('undo', '1', 100, { group: undoGroup(mute.id) });
  const report = reportOf([mute, undo], { ...facts, openEnds: [] });
  expect(report.match(/^- .*/gm)).toEqual([expect.stringMatching(/^- 10:20 undid mute \*\*\S*thing 1\S* · now ALERT/)]);
});

test('an undo that failed folds nothing', () => {
  const undo = entry('undo', '1', 190, { outcome: { state: 'refused', attempts: 1 } });
  const report = reportOf([entry('monitors.mute', '1', 200), undo], facts);
  expect(report).toContain('08:40 muted **');
  expect(report).not.toContain('Done and undone');
});

test('an edit in flight is told as being sent, not as one to check', () => {
  const { outcome: _, ...rest } = entry('monitors.mute', '1', 0, { isSending: true });
  expect(reportOf([rest], { ...facts, openEnds: [] })).toContain(
    '- 12:00 mute **[thing 1](https://web.test/monitors/1)** · being sent · ',
  );
});

test('an edit of several requests is told once, and folded as one where it was undone', () => {
  const move = (ago: number) => entry('monitors.move', '1', ago, { group: 'g' });
  expect(reportOf([move(200), move(200)]).match(/moved/g)).toHaveLength(1);
  const undone = reportOf([move(200), move(200), entry('undo', '1', 100, { group: 'u' })]);
  expect(undone).toContain('- thing 1: 08:40 moved');
  expect(undone).not.toContain('## Done (');
  // The undo is known by the last request of the edit.
  const last = entry('monitors.move', '1', 200, { group: 'g', undone: true });
  const named = reportOf([move(200), last, entry('undo', '1', 100, { group: undoGroup(last.id) })]);
  expect(named).toContain('- thing 1: 08:40 moved');
  expect(named).not.toContain('## Done (');
});

const change = (of: Parameters<typeof changes>[0], action = 'monitors.edit') =>
  entry(action, '3', 100, { consequences: changes(of) });
const told = (of: Parameters<typeof changes>[0]) => reportOf([change(of)]).match(/edited \*\*thing 3\*\*(.*)/)?.[1];

test('a change is told by what its receipt says of the settings of its form, never as JSON', () => {
  expect(told({ 'span rate': [1, 0.5], _quiet: [false, true] })).toBe(' · span rate: 1 → 0.5');
  expect(told({ fields: [null, [{ name: 'sku' }, { name: 'count' }]] })).toBe(' · fields: sku, count');
  expect(told({ options: [[{ a: 1 }], [{ a: 2 }]] })).toBe(' · options: changed');
  expect(told({ options: [[{ a: 1 }], [{ a: 1 }, { b: 2 }]] })).toBe(' · options: 1 item → 2 items');
  expect(told({ options: [null, { a: 1 }], quiet: [null, false], text: ['x', ''], none: [[], ['a']] })).toBe(
    ' · options: set · quiet: no · text: x → none · none: none → a',
  );
  const eight = Object.fromEntries([...'abcdefgh'].map((name) => [name, [1, 2] as const]));
  expect(told(eight)).toMatch(/ · f: 1 → 2 · 2 more$/);
  const { g, h, ...six } = eight;
  expect([told(six), told({ ...six, g: [1, 2] })]).toEqual([
    expect.stringMatching(/^ · a: .* · f: 1 → 2$/),
    expect.stringMatching(/^ · a: .* · f: 1 → 2 · 1 more$/),
  ]);
  expect(reportOf([{ ...change({ count: [1, 2] }), said: 'Saved thing 3: count' }])).toContain(
    '**thing 3** · count: 1 → 2',
  );
  expect(reportOf([entry('monitors.edit', '3', 100)])).toMatch(/edited \*\*thing 3\*\*$/m);
});

test('of a new thing what it has is told, but for its name', () => {
  expect(told({ name: [null, 'thing 3'], note: [null, ''], count: [null, 2] })).toBe(' · count: 2');
});

test('what belongs to a list as a whole is told by the title of the list alone', () => {
  const describe = (of: Parameters<HandoverFacts['describe']>[0]) => ({ ...facts.describe(of), listTitle: 'Filters' });
  const target = { id: '', name: 'Filters' };
  const order = entry('retention.order', '', 100, { target, said: 'Moved Filters up' });
  expect(reportOf([order], { ...facts, describe })).toMatch(/^- 10:20 ordered of Filters$/m);
  // What was made has its name in the receipt alone; of several requests in that of the one that made it.
  const made = { outcome: { state: 'applied', attempts: 1, made: '7' } } as const;
  const requests = [
    entry('retention.create', '', 90, { target, group: 'g', said: 'Checked Filters' }),
    entry('retention.create', '', 80, { target, group: 'g', said: 'Created Errors in Filters', ...made }),
  ];
  expect(reportOf(requests, { ...facts, describe })).toMatch(/^- 10:30 created Errors in Filters$/m);
  expect(reportOf(requests.slice(1), { ...facts, describe })).toMatch(/^- 10:40 created Errors in Filters$/m);
  const created = entry('retention.create', '3', 70, { said: 'Created thing 3', ...made });
  expect(reportOf([created], { ...facts, describe })).toMatch(/^- 10:50 created \*\*thing 3\*\* in Filters$/m);
});

test('a line knows the row that it is about; a shift longer than a day tells the days', () => {
  const describe = (of: Parameters<HandoverFacts['describe']>[0]) => ({ ...facts.describe(of), list: 'monitors' });
  const edits = [entry('monitors.edit', '3', 100), entry('monitors.edit', '', 90)];
  const { sections } = handoverReport(edits, { ...facts, describe });
  expect(sections.flatMap(({ items }) => items.map(({ name, place }) => [name, place]))).toEqual([
    ['web *down*', { list: 'monitors', row: '7' }],
    [undefined, { list: 'monitors' }],
    ['thing 3', { list: 'monitors', row: '3' }],
    ['thing ', undefined],
  ]);
  const long = { ...facts, since: noon - 86_400_001 };
  expect(reportOf([entry('monitors.mute', '2', 140)], long)).toContain('2026-05-06 09:40 muted');
  expect(reportOf([entry('monitors.mute', '2', 140)], { ...facts, since: noon - 86_400_000 })).toContain(
    '- 09:40 muted',
  );
});

const ends = (state: 'applied' | 'refused' | 'unknown', attempts = 1) => ({ outcome: { state, attempts } });
const checked = { settled: { by: 'check', at: noon } } as const;

test.each<[string, Partial<Entry>]>([
  ['applied after 2 attempts', ends('applied', 2)],
  ['applied', ends('applied')],
  ['applied, as a later read showed', { ...ends('applied'), ...checked }],
  ['not applied, as a later read showed', { ...ends('refused'), ...checked }],
  ['refused', { ...ends('refused'), settled: { by: 'answer', at: noon } }],
  ['refused 409: it is gone', { outcome: { state: 'refused', attempts: 1, status: 409, text: 'it is gone' } }],
  ['UNKNOWN: check', ends('unknown')],
  [
    'UNKNOWN: check: another user has changed it',
    { outcome: { ...ends('unknown').outcome, text: 'another user has changed it' } },
  ],
  [
    'UNKNOWN: no answer; check before you repeat it',
    { outcome: { ...ends('unknown').outcome, text: 'no answer; check before you repeat it' } },
  ],
  ['Outcome unknown, dismissed', { ...ends('unknown'), forgotten: true }],
  ['being sent', { isSending: true }],
  ['applied, not undone: it is gone', { notUndone: 'it is gone' }],
  ['Undone', { undone: true }],
])('an outcome in words: %s', (text, more) => {
  expect(outcomeText(entry('monitors.mute', '1', 0, more))).toBe(text);
});

test('an edit without an outcome is to be checked until it is dismissed', () => {
  const { outcome: _, ...open } = entry('monitors.mute', '1', 0);
  expect([open, { ...open, forgotten: true }].map(outcomeText)).toEqual([
    'NO OUTCOME: check',
    'Outcome unknown, dismissed',
  ]);
});

test('an edit without a way back has no undo', () => {
  const again = entry('monitors.mute', '1', 0);
  const back = [{ endpoint: 'x', params: {}, query: {} }];
  expect([again, { ...again, undo: back }].map(isUndoable)).toEqual([false, true]);
});

test('a line of the journal without what its kind needs is left out, and a later doubt changes no outcome', () => {
  const { outcome: _, ...intent } = entry('monitors.mute', '1', 0);
  expect(readEntryLine(intent)).toEqual(intent);
  for (const name of ['id', 'call', 'target', 'run', 'at', 'origin'])
    expect(readEntryLine({ ...intent, [name]: undefined }), name).toBeUndefined();
  for (const kind of ['outcome', 'undo', 'other']) expect(readEntryLine({ kind, id: 'a' }), kind).toBeUndefined();
  const state = (one: 'applied' | 'unknown', at: number) =>
    ({ kind: 'outcome', id: intent.id, at, by: 'answer', outcome: { state: one, attempts: 1 } }) as const;
  const joined = (...states: readonly ('applied' | 'unknown')[]) =>
    toEntries([intent, ...states.map(state)])[0]?.outcome?.state;
  expect([joined('unknown', 'applied'), joined('applied', 'unknown'), joined('unknown')]).toEqual([
    'applied',
    'applied',
    'unknown',
  ]);
});

test('a switch is told by the half that it was turned to', () => {
  const describe = (of: Parameters<HandoverFacts['describe']>[0]) => ({
    ...facts.describe(of),
    verb: 'enable/disable',
  });
  const toggled = [
    { ...change({ enabled: [true, false], _modified: [1, 2] }), said: 'Turned off thing 3' },
    change({ enabled: [false, true] }),
  ];
  expect(
    toggled.map((edit) => reportOf([edit], { ...facts, describe }).match(/\d\d:\d\d .*thing 3\*\*.*/)?.[0]),
  ).toEqual(['10:20 disabled **thing 3**', '10:20 enabled **thing 3**']);
});

test('a mute tells the reason that it was sent with, once', () => {
  const mute = (id: string, message: string) =>
    entry('monitors.mute', id, 100, { call: { endpoint: 'x', params: {}, query: {}, body: { message } } });
  // The last edit of a row that says why counts, and one without a reason says nothing.
  const report = reportOf([mute('1', 'deploy'), mute('2', 'disk'), mute('2', 'disk swap'), mute('2', '')]);
  expect(report.match(/deploy/g)).toHaveLength(1);
  expect(report).toContain('10:20 muted **thing 2** · its state now was not read · reason: disk swap');
});

test('edits are told in the order of their times, however they are given', () => {
  const edits = [entry('issues.resolve', '1', 90), entry('issues.mute', '2', 60), entry('monitors.edit', '3', 30)];
  expect(reportOf(edits.toReversed())).toBe(reportOf(edits));
  const two = [entry('monitors.edit', '3', 90), entry('monitors.edit', '4', 30)];
  expect(reportOf(two.toReversed())).toBe(reportOf(two));
  expect(reportOf(two)).toMatch(/thing 3[\s\S]*thing 4/);
  const mixed = [entry('monitors.edit', '3', 90), entry('monitors.mute', '4', 60), entry('monitors.mute', '5', 480)];
  expect(reportOf(mixed)).toMatch(/thing 5[\s\S]*thing 3[\s\S]*thing 4/);
});
