import { expect, test } from 'vitest';
import { plain } from '../../src/lib/painted.ts';
import { framedLines } from '../../src/scene/scene.ts';
import { layerKindOf } from '../../src/session/layers/index.ts';
import { paletteRows } from '../../src/session/layers/palette.ts';
import type { Binding, Moment } from '../../src/session/state/moment.ts';
import type { Layer, LayerOf } from '../../src/session/state/state.ts';
import { bareLayer } from '../support/bare-layer.ts';
import { textsOf, theme } from '../support/line-examples.ts';

const at = Date.UTC(2026, 4, 6, 12);
const nowOf = (more: object): Moment =>
  ({ context: { now: at, zone: 'UTC', profile: {} }, screens: [], state: { messages: [] }, ...more }) as never;
/** The lines of a layer in its frame, without the border at the right. */
function drawnIn(width: number, height: number, layer: Layer, now: Moment): string[] {
  const pane = layerKindOf(layer).lines(layer, now, { width: width - 2, height: height - 2, theme });
  return textsOf(framedLines({ ...pane, width, height, active: true }, theme)).map((text) => text.replace(/ *│?$/, ''));
}

test('a job shows what it goes through, a bar, what happens then and how long it runs; once it has ended, its outcome alone', () => {
  const job: LayerOf<'job'> = { kind: 'job', id: 'j', since: at - 4000, title: 'Upload', stopping: false };
  const drawn = (layer: LayerOf<'job'>) => drawnIn(40, 8, layer, nowOf({})).slice(1, -1);
  const progress = {
    ...{ step: 'sending', part: 0.5, notes: ['part 2 again'], over: 1 },
    stages: [
      ['file', '3 rows'],
      ['parts', '2 parts'],
      ['rows', ''],
    ] as const,
  };
  expect(drawn({ ...job, after: 'night is selected', progress })).toEqual([
    '│  ✓ file   3 rows',
    '│  ▸ parts  ████░░░ 50%  Sending',
    '│    rows',
    '│    part 2 again',
    '│    Then night is selected',
    '│',
  ]);
  expect(drawnIn(40, 3, { ...job, progress }, nowOf({}))[0]).toMatch(/^┌ Upload ─+ 4s ┐?$/);
  expect(drawn({ ...job, progress: { step: 'creating', notes: ['no bar'] } }).slice(0, 2)).toEqual([
    '│  ▸ Creating',
    '│    no bar',
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
      title: 'Alerting, not muted',
      count: 3,
      isDense: true as const,
      items: [
        { lead: 'P1', name: 'Failing resources in catalog-api', rest: '(since 11:48)', more: [], entries: [] },
        { lead: 'P2', name: 'Disk', more: [], entries: [] },
        { lead: '1 more', more: [], entries: [] },
      ],
    },
    {
      title: 'Done',
      items: [{ lead: '10:30 muted', name: 'Disk of a very long name', more: ['now ALERT'], entries: [] }],
    },
  ],
};
const handover: LayerOf<'timeline'> = {
  ...{ kind: 'timeline', view: 'handover', entries: [], cursor: 1, unsettled: false },
  report,
};

test('the handover has its titles beside its lines where there is room, else above, and short items share a line', () => {
  const drawn = (width: number) => drawnIn(width, 12, handover, nowOf({}));
  expect(drawn(110).slice(1, 4)).toEqual([
    '│ Alerting, not muted  3             P1 Failing resources in catalog-api (since 11:48) ·>P2 Disk · 1 more',
    '│',
    '│ Done                                10:30 muted Disk of a very long name · now ALERT',
  ]);
  const narrow = drawn(50);
  expect(narrow[0]).toMatch(/^┌ Handover of acme · last 8h ─+┐$/);
  expect(narrow.slice(1, 7)).toEqual([
    '│ Alerting, not muted  3',
    '│ P1 Failing resources in catalog-api (since 11:…',
    '│>P2 Disk · 1 more',
    '│',
    '│ Done',
    '│  10:30 muted Disk of a very long name',
  ]);
});

test('what was done and undone stands below each other in the handover, only what is wrapped is indented', () => {
  const more = [
    'Disk: 07:46 muted',
    'panic in payments-worker: 07:46 resolved',
    'NoMethodError in api: 07:46 resolved',
  ];
  const sections = [{ title: 'Done and undone', items: [{ more, entries: [] }] }];
  const layer = { ...handover, cursor: 1, report: { ...report, sections } };
  expect(drawnIn(44, 7, layer, nowOf({})).slice(1, 6)).toEqual([
    '│ Done and undone',
    '│  Disk: 07:46 muted',
    '│  panic in payments-worker: 07:46',
    '│    resolved',
    '│  NoMethodError in api: 07:46 resolved',
  ]);
});

test('the handover of a night with 19 alerts is one screen of 80x24: in columns, with the item under the cursor in full at the foot', () => {
  const alert = (at: number) => ({
    lead: 'P2',
    name: `Failing resources in service-${at} [prod]`,
    rest: '(since 11:48)',
    more: [],
    entries: [],
  });
  const [first] = report.sections;
  const done = report.sections[1] as (typeof report.sections)[number];
  const items = Array.from({ length: 19 }, (_, at) => alert(at));
  const sections = [
    { ...first, count: 19, items },
    { ...first, title: 'Open, not assigned', count: 4, items: items.slice(0, 4) },
    { ...done, items: [...done.items, ...done.items, ...done.items] },
  ] as typeof report.sections;
  const drawn = drawnIn(80, 21, { ...handover, report: { ...report, sections } }, nowOf({}));
  expect(drawn.slice(1, 3)).toEqual([
    '│ Alerting, not muted  19',
    '│ P2 Failing resources in service-0 [… >P2 Failing resources in service-1 […',
  ]);
  expect(drawn.slice(11, 16)).toEqual([
    '│ P2 Failing resources in service-18 …',
    '│ Open, not assigned  4',
    '│ P2 Failing resources in service-0 […  P2 Failing resources in service-1 […',
    '│ P2 Failing resources in service-2 […  P2 Failing resources in service-3 […',
    '│ Done',
  ]);
  expect(drawn[20]).toMatch(/^└ P2 Failing resources in service-1 \[prod\] \(since 11:48\) ─+ 2\/26 ┘$/);
});

test('the handover is one screen of 100x20 and 60x20, too: titles share a line with the first item', () => {
  const items = Array.from({ length: 19 }, (_, at) => ({
    ...{ lead: 'P2', name: `Failing resources in service-${at} [prod]`, more: [], entries: [] },
  }));
  const section = (title: string, count: number) => ({
    ...{ title, count, items: items.slice(0, count), isDense: true as const },
  });
  const sections = [
    section('Alerting, not muted', 19),
    section('Will notify when its mute ends', 2),
    section('Open, not assigned', 4),
  ];
  const drawnAt = (width: number) => drawnIn(width, 17, { ...handover, report: { ...report, sections } }, nowOf({}));
  const at100 = drawnAt(100);
  expect(at100[1]).toMatch(/^│ Alerting, not muted {2}19 +P2 Failing resources in service-0 \[prod\]$/);
  expect(at100.slice(13, 16)).toEqual([
    expect.stringMatching(/^│ Open, not assigned {2}4 +P2 Failing resources in service-0 \[prod\]$/),
    expect.stringMatching(/service-1.*service-2/),
    expect.stringMatching(/service-3/),
  ]);
  // A title that is wider than a column has its line.
  expect(drawnAt(60).slice(11, 14)).toEqual([
    '│ Will notify when its mute ends  2',
    expect.stringMatching(/^│ P2 Failing.*P2 Failing/),
    expect.stringMatching(/^│ Open, not assigned {2}4 +P2 Failing/),
  ]);
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
  const layer: LayerOf<'timeline'> = { kind: 'timeline', view: 'edits', entries, cursor: 2, unsettled: false };
  const drawn = drawnIn(80, 5, layer, nowOf({ screens }));
  expect(drawn[0]).toContain('Timeline (UTC) all [edits] changes messages');
  expect(drawn.slice(1, 4)).toEqual([
    '│  12:00:00  applied  undid: enabled Staging',
    '│  12:00:00  applied  enabled Staging  Undone',
    '│> 12:00:00  applied  disabled Staging',
  ]);
});

test('an edit of the journal that is too long loses the end of its name, and keeps what was done', () => {
  const target = 'IndexOutOfBoundsException in store-kiosk';
  const said = `Assigned ${target} to you, now ACKNOWLEDGED`;
  const edit = { id: '1', at, operation: 'issues.assign', target, said, outcome: 'applied', text: 'Undone' } as const;
  const entries = [{ ...edit, undoable: false, checkable: true }];
  const layer: LayerOf<'timeline'> = { kind: 'timeline', view: 'edits', entries, cursor: 0, unsettled: false };
  const drawn = (width: number) => drawnIn(width, 3, layer, nowOf({}))[1];
  expect(drawn(80)).toBe('│> 12:00:00  applied  assigned IndexOutOfBoun… to you, now ACKNOWLEDGED  Undone');
  // A name that is no longer one would say nothing.
  expect(drawn(70)).toBe('│> 12:00:00  applied  assigned IndexOutOfBoundsException in store-ki…');
});

test('on a narrow terminal a message that waits keeps its end', () => {
  const parts = ['Mute on ', { name: 'Certificate of storefront-web expires' }, ' ends in 3 min (12:03 UTC)'];
  const messages = [{ text: '', parts, tone: 'warn', at, notice: 'n' }];
  const drawn = (width: number) =>
    drawnIn(width, 3, bareLayer('timeline', { view: 'messages' }), nowOf({ messages }))[1];
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
  const drawn = (height: number) => drawnIn(60, height, { kind: 'profiles', items, cursor: 1 }, nowOf({})).slice(1, -1);
  expect(drawn(7).slice(2)).toEqual([
    '│',
    '│     API key           variable beta',
    '│     Polls             every 15s',
  ]);
  expect(drawn(6).join()).not.toContain('API key');
  // What a line has no room for goes on in the next one.
  const long = [{ ...items[0], facts: [['Service', 'a simulator in this process; nothing is sent']] }] as never;
  expect(drawnIn(50, 8, { kind: 'profiles', items: long, cursor: 0 }, nowOf({})).slice(3, 5)).toEqual([
    '│     Service           a simulator in this',
    '│                       process; nothing is sent',
  ]);
});

const items = Array.from({ length: 30 }, (_, place) => ({
  id: `i${place}`,
  label: `verb ${place} 値 ${'long '.repeat(place)}`,
  key: 'x',
  hint: place % 3 ? 'why not' : undefined,
  run: { type: 'openHelp' } as const,
}));

test('a menu scrolls with its cursor, and says the hint of its row whole where its line cuts it', () => {
  const drawn = (cursor: number) => drawnIn(60, 7, { kind: 'menu', title: 'Menu', items, cursor }, nowOf({}));
  for (let cursor = 0; cursor < items.length; cursor += 1) {
    const chosen = drawn(cursor).filter((text) => text.startsWith('│> '));
    expect(chosen).toEqual([expect.stringContaining(`verb ${cursor} `)]);
  }
  expect(drawn(0).at(-1)).toMatch(/1\/30 ┘$/);
});

test('a question always shows its answers', () => {
  const question = { question: 'delete this? '.repeat(12), details: ['値'.repeat(150), 'b'.repeat(500)] };
  const drawn = (confirm: LayerOf<'confirm'>['confirm']) =>
    drawnIn(
      60,
      12,
      { kind: 'confirm', confirm, typed: { text: '', cursor: 0 }, yes: { type: 'askUndo' } },
      nowOf({}),
    ).join('\n');
  expect(drawn(question)).toContain('[y] Yes  [N] No (default)');
  expect(drawn(question)).toContain('… and more');
  expect(drawn({ ...question, enter: 'undoes it' })).toContain('Enter: undoes it · Esc');
  expect(drawn({ ...question, typed: 'checkout errors' })).toContain('Type checkout errors and Enter to confirm,');
});

const helpOf = (below: readonly Partial<Binding>[], cursor: number) => ({
  layer: { kind: 'help', query: { text: '', cursor: 0 }, cursor, searching: false } as const,
  now: { ...nowOf({ below }), view: { screen: { title: 'Monitors' } } } as Moment,
});
const helpIn = (width: number, height: number, { layer, now }: ReturnType<typeof helpOf>) =>
  layerKindOf(layer).lines(layer, now, { width, height, theme }).lines;

test('help has one line for a key, and says the chosen one whole, with why it cannot, where its line cuts it', () => {
  const below = ['a', 'b', 'c'].map(
    (key): Partial<Binding> => ({
      keys: [key],
      title: 'mute',
      help: 'Mute the monitor, or the group under the cursor',
      group: 'write',
      refused: `it needs the permission of ${key}`,
      run: { type: 'openJobs' },
    }),
  );
  const lines = helpIn(70, 14, helpOf(below, 1));
  const texts = textsOf(lines.map(({ spans }) => spans)).map((text) => text.trimEnd());
  expect(texts.slice(1, 4)).toEqual([
    '  Write    a  Mute the monitor, or the group under the cursor  (it ne…',
    '>          b  Mute the monitor, or the group under the cursor  (it ne…',
    '           c  Mute the monitor, or the group under the cursor  (it ne…',
  ]);
  expect(texts.join('\n')).toMatch(
    / Mute the monitor, or the group under the cursor {2}\(it needs the\n permission of b\)/,
  );
  const sent = lines.map(({ send }) => send).filter((send) => send !== undefined);
  expect(sent.map((send) => (send.type === 'moveInLayer' ? send.by : send.type)).join(' ')).toBe('-1 choose 1');
});

test('help that does not fit stands in two columns on a wide terminal', () => {
  const bindings = (group: Binding['group'], ...keys: string[]): Partial<Binding>[] =>
    keys.map((key) => ({ keys: [key], title: `do ${key}`, group, run: { type: 'openJobs' } }));
  const texts = (width: number, height: number, below: Partial<Binding>[], cursor = 5) =>
    textsOf(helpIn(width, height, helpOf(below, cursor)).map(({ spans }) => spans)).map((text) => text.trimEnd());
  const one = bindings('move', 'a', 'b', 'c', 'd', 'e', 'f');
  const signs = texts(140, 30, one).filter((text) => /marked|goes there/.test(text)).length;
  expect(texts(140, 5 + signs, one).slice(0, 5)).toEqual([
    ' / search',
    `  Move     a  Do a${' '.repeat(63)}e  Do e`,
    `           b  Do b${' '.repeat(52)}>          f  Do f`,
    '           c  Do c',
    '           d  Do d',
  ]);
});

test('hints of a palette stand below each other; a label that leaves its hint no room is cut, and no other', () => {
  const rowsOf = (some: Parameters<typeof paletteRows>[0], width: number) => {
    const { rows, cutHints } = paletteRows(some, width, plain`…`);
    return { texts: textsOf(rows), cutHints };
  };
  const recent = ['mute', 'New error in recommendations [prod]'].map((label) => ({ label, hint: 'open it' }));
  expect(new Set(rowsOf(recent, 120).texts.map((text) => text.indexOf('open it'))).size).toBe(1);
  const long = [{ label: 'x'.repeat(70), hint: 'opens the monitor' }, { label: 'y'.repeat(50) }];
  const { texts, cutHints } = rowsOf(long, 78);
  expect(texts[0]).toMatch(/^x{56}… {2}opens the monitor *$/);
  expect(texts[1]).toContain('y'.repeat(50));
  expect(cutHints).toEqual(['', '']);
  // Hints and keys stay where they are while the items change.
  const all = [{ label: 'delete by force', hint: 'h', key: 'ctrl+y' }];
  const placesOf = (items: Parameters<typeof paletteRows>[0]) => {
    const [text = ''] = textsOf(paletteRows(items, 78, plain`…`, all).rows);
    return [text.indexOf('h'), text.trimEnd().length];
  };
  expect(placesOf([{ label: 'x', hint: 'h', key: 'k' }])).toEqual([17, 71]);
  expect(placesOf(all)).toEqual([17, 76]);
  // Keys stand near their hints, and no hint is cut while there is room.
  const keyed = (hint: string, width: number) =>
    rowsOf([{ label: 'x'.repeat(50), hint, key: 'K' }], width).texts[0] ?? '';
  expect(keyed('short', 200).indexOf('K')).toBe(keyed('short', 160).indexOf('K'));
  expect(keyed('h'.repeat(95), 200)).toContain(`${'h'.repeat(95)}  K`);
});

test('below the profiles stands what the row under the cursor cuts, on as many lines as it takes', () => {
  const problem = 'cannot connect to 127.0.0.1:9 (connection refused): is the service running?';
  const gone = { name: 'gone', current: false, isOfFleet: true, says: 'https://monitoring.example.test · dev' };
  const layer: LayerOf<'profiles'> = {
    ...{ kind: 'profiles', cursor: 0, fleet: { gone: { problem } } },
    items: [{ ...gone, facts: [['API key', 'environment variable KEY']] }],
  };
  const drawn = (width: number) => drawnIn(width, 14, layer, nowOf({})).map((text) => text.trim());
  expect(drawn(60).slice(3, 9)).toEqual([
    '│',
    '│     Problem           cannot connect to 127.0.0.1:9',
    '│                       (connection refused): is the',
    '│                       service running?',
    '│     Service           https://monitoring.example.test ·',
    '│                       dev',
  ]);
  expect(drawn(160).slice(3, 6)).toEqual([
    '│',
    `│     Problem           ${problem}`,
    '│     API key           environment variable KEY',
  ]);
});
