import { test } from 'vitest';
import type { Confirmation } from '../../src/describe/action.ts';
import { plain } from '../../src/lib/painted.ts';
import { framedLines } from '../../src/scene/scene.ts';
import { layerKindOf } from '../../src/session/layers/index.ts';
import { paletteRows } from '../../src/session/layers/palette.ts';
import type { Binding, Moment } from '../../src/session/state/moment.ts';
import type { Layer, LayerOf } from '../../src/session/state/state.ts';
import { bareLayer } from '../support/bare-layer.ts';
import { theme } from '../support/line-examples.ts';
import { storedAs, sweep, upTo, writtenLines } from '../support/sweeps.ts';

const at = Date.UTC(2026, 4, 6, 12);
const nowOf = (more: object): Moment =>
  ({ context: { now: at, zone: 'UTC', profile: {} }, screens: [], state: { messages: [] }, ...more }) as never;
/** The lines of a layer in its frame. */
const framed = (layer: Layer, width: number, height: number, more: object = {}): string => {
  const pane = layerKindOf(layer).lines(layer, nowOf(more), { width: width - 2, height: height - 2, theme });
  const lines = framedLines({ ...pane, width, height, active: true }, theme);
  return writtenLines(lines, width).replace(/ *(?:\{info:│\}|│)$/gm, '');
};
/** The same at each of these widths. */
const drawn = (title: string, widths: readonly number[], height: number, layer: Layer, more?: object): string =>
  sweep(title, widths, (width) => framed(layer, width, height, more));

test('jobs, questions and profiles are drawn as was reviewed', async () => {
  const job: LayerOf<'job'> = { kind: 'job', id: 'j', since: at - 4000, title: 'Upload', stopping: false };
  const stages = ['file: 3 rows', 'parts: 2 parts', 'rows: '].map((stage) => stage.split(': ') as [string, string]);
  const progress = { step: 'sending', share: 0.5, notes: ['part 2 again'], stagesDone: 1, stages };
  const ended = { at: at - 1000, ok: false, text: 'Nothing was sent: line 4' };
  const question = { question: 'delete this? '.repeat(12), details: ['値'.repeat(150), 'b'.repeat(500)] };
  const confirmLayer = (confirm: Confirmation, text = ''): LayerOf<'confirm'> => ({
    ...{ kind: 'confirm', confirm, typed: { text, cursor: text.length }, yes: { type: 'askUndo' } },
  });
  const confirms = [{}, { enter: 'undoes it' }, { typed: 'checkout errors' }].map((more) =>
    confirmLayer({ ...question, ...more }),
  );
  const facts = (name: string) =>
    [
      ['API key', `variable ${name}`],
      ['Polls', 'every 15s'],
    ] as const;
  const items = ['acme', 'beta'].map((name) => ({ name, says: '', current: false, facts: facts(name) }));
  const long = [{ ...items[0], facts: [['Service', 'a simulator in this process; nothing is sent']] }] as never;
  const problem = 'cannot connect to 127.0.0.1:9 (connection refused): is the service running?';
  const gone = { name: 'gone', current: false, isOfFleet: true, says: 'https://monitoring.example.test · dev' };
  const fleet: LayerOf<'profiles'> = {
    ...{ kind: 'profiles', cursor: 0, fleet: { gone: { problem } } },
    items: [{ ...gone, facts: [['API key', 'environment variable KEY']] }],
  };
  await storedAs('layers/questions', [
    drawn('a job', [40, 60], 8, { ...job, after: 'night is selected', progress }),
    drawn('a low job that begins', [40], 3, { ...job, progress: { ...progress, stagesDone: undefined } as never }),
    drawn('a job without a bar', [40], 8, { ...job, progress: { step: 'creating', notes: ['no bar'] } }),
    drawn('a job that has ended', [40], 8, { ...job, progress, ended }),
    ...confirms.map((layer, nth) => drawn(`question ${nth}`, [60], 12, layer)),
    ...[' checkout errors ', 'checkout  errors'].map((text) =>
      drawn(`typed "${text}"`, [40], 9, confirmLayer({ question: 'Delete?', typed: 'checkout errors' }, text)),
    ),
    drawn('a long text typed', [30], 9, confirmLayer({ question: 'Delete?', typed: 'abc' }, 'abcdefgh'.repeat(5))),
    ...[7, 6].map((height) => drawn(`profiles, ${height}`, [60], height, { kind: 'profiles', items, cursor: 1 })),
    drawn('a text that just fits', [30], 5, { kind: 'text', title: 'Link', lines: ['one', 'two'], top: 0 }),
    drawn('a long secret', [40], 12, {
      ...{ kind: 'secret', shown: true, copied: false, leaving: true },
      secret: { title: 'Secret of ci', value: 'fake-'.repeat(12), notes: ['Keep it.'] },
    }),
    drawn('a long fact', [50], 8, { kind: 'profiles', items: long, cursor: 0 }),
    drawn('a profile with a problem', [60, 160], 14, fleet),
  ]);
});

const item = (lead: string, name?: string, rest?: string, more: readonly string[] = []) => ({
  ...{ lead, more, entries: [], ...(name && { name }), ...(rest && { rest }) },
});
const section = (title: string, items: readonly ReturnType<typeof item>[]) => ({
  title,
  count: items.length,
  items,
  isDense: true as const,
});
const handover = (sections: readonly object[]): LayerOf<'timeline'> => ({
  ...{ kind: 'timeline', view: 'handover', entries: [], cursor: 1, unsettled: false },
  report: { profile: 'acme', shift: '2026-05-06 04:00 to 12:00 UTC', by: 'Robin Vale', sections } as never,
});

test('the handover and the timeline are drawn as was reviewed', async () => {
  const alerts = (count: number) =>
    upTo(0, count - 1).map((nth) => item('P2', `Failing resources in service-${nth} [prod]`, '(since 11:48)'));
  const done = item('10:30 muted', 'Disk of a very long name', '', ['now ALERT']);
  const few = [item('P1', 'Failing resources in catalog-api', '(since 11:48)'), item('P2', 'Disk'), item('1 more')];
  const usual = [section('Alerting, not muted', few), { title: 'Done', items: [done] }];
  const undone = [
    'Disk: 07:46 muted',
    'panic in payments-worker: 07:46 resolved',
    'NoMethodError in api: 07:46 resolved',
  ];
  const night = [
    section('Alerting, not muted', alerts(19)),
    section('Open, not assigned', alerts(4)),
    { title: 'Done', items: [done, done, done] },
  ];
  const wide = [
    section('Alerting, not muted', alerts(19)),
    section('Alerting, mute ends soon', alerts(2)),
    section('Open, not assigned', alerts(4)),
  ];
  const edit = {
    id: '1',
    at,
    target: 'Staging',
    outcome: 'applied' as const,
    text: 'applied',
    undoable: false,
    checkable: true,
  };
  const toggle = { title: 'enable/disable', id: 'retention.toggle' };
  const screens = [{ lists: [{ actions: [toggle] }] }];
  const entries = [
    { ...edit, operation: 'undo', undid: { operation: 'retention.toggle', isOn: true } },
    { ...edit, operation: 'retention.toggle', isOn: true, text: 'Undone' },
    { ...edit, operation: 'retention.toggle', isOn: false },
  ];
  const timeline: LayerOf<'timeline'> = { kind: 'timeline', view: 'edits', entries, cursor: 2, unsettled: false };
  const target = 'IndexOutOfBoundsException in store-kiosk';
  const long = {
    ...edit,
    operation: 'issues.assign',
    target,
    said: `Assigned ${target} to you and acknowledged it`,
    text: 'Undone',
  };
  const parts = ['Mute on ', { name: 'Certificate of storefront-web expires' }, ' ends in 3 min (12:03 UTC)'];
  const messages = [{ text: '', parts, tone: 'warn', at, waits: true }];
  await storedAs('layers/timelines', [
    drawn('a short shift', [50, 63, 110], 12, handover(usual)),
    drawn(
      'what was done and undone',
      [44],
      7,
      handover([{ title: 'Done and undone', items: [{ more: undone, entries: [] }] }]),
    ),
    drawn('a night', [80], 21, handover(night)),
    drawn('the end of a night', [80], 9, { ...handover(night), cursor: 22 }),
    drawn('a night on a low terminal', [60, 100], 17, handover(wide)),
    drawn('edits of a switch', [80], 5, timeline, { screens }),
    drawn('a long edit', [70, 80], 3, { ...timeline, entries: [long], cursor: 0 }),
    drawn('a message that waits', [60, 100], 3, bareLayer('timeline', { view: 'messages' }), { messages }),
    drawn('a message of yesterday', [60], 3, bareLayer('timeline', { view: 'messages' }), {
      messages: [{ text: 'Muted Disk', tone: 'good', at: at - 13 * 3_600_000 }],
    }),
  ]);
});

test('menus, help and the palette are drawn as was reviewed', async () => {
  const items = upTo(0, 29).map((place) => ({
    ...{
      id: `i${place}`,
      label: `verb ${place} 値 ${'long '.repeat(place)}`,
      key: 'x',
      run: { type: 'openHelp' } as const,
    },
    hint: place % 3 ? 'why not' : undefined,
  }));
  const menu = (cursor: number): Layer => ({ kind: 'menu', title: 'Menu', items, cursor });
  const refusal = 'it needs a permission of which you never heard';
  const long = { ...menu(0), items: items.slice(0, 2).map((item) => ({ ...item, refused: refusal })) } as Layer;
  const bindings = (keys: string, more: Partial<Binding>): Partial<Binding>[] =>
    [...keys].map((key) => ({ keys: [key], title: `do ${key}`, run: { type: 'openJobs' }, ...more }));
  const refused = bindings('abc', {
    title: 'mute',
    help: 'Mute the monitor, or the group under the cursor',
    group: 'write',
    refused: refusal,
  });
  const help = (width: number, height: number, below: readonly Partial<Binding>[], cursor: number) =>
    framed({ kind: 'help', query: { text: '', cursor: 0 }, cursor, searching: false }, width, height, {
      below,
      view: { screen: { title: 'Monitors' } },
    });
  const palette = (title: string, items: Parameters<typeof paletteRows>[0], all?: Parameters<typeof paletteRows>[0]) =>
    sweep(title, [78, 120, 160, 200], (width) => {
      const { rows, cutHints } = paletteRows(items, width, plain`…`, all);
      return `${writtenLines(rows)}\n${cutHints.join('|')}`;
    });
  const hint = 'open it';
  await storedAs('layers/menus', [
    sweep('menu at each cursor', upTo(0, 29), (cursor) => framed(menu(cursor), 60, 7)),
    drawn('a long hint', upTo(40, 79), 7, long),
    sweep('one line for a key', upTo(60, 99), (width) => help(width, 16, refused, 1)),
    sweep('two columns', [9, 10, 11], (height) => help(142, height, bindings('abcdef', { group: 'move' }), 5)),
    palette('hints below each other', [
      { label: 'mute', hint },
      { label: 'New error in recommendations [prod]', hint },
    ]),
    palette('a label that is cut', [{ label: 'x'.repeat(70), hint: 'opens the monitor' }, { label: 'y'.repeat(50) }]),
    palette(
      'keys stay',
      [{ label: 'x', hint: 'h', key: 'k' }],
      [{ label: 'delete by force', hint: 'h', key: 'ctrl+y' }],
    ),
    ...['short', 'h'.repeat(95)].map((long) =>
      palette('keys near their hints', [{ label: 'x'.repeat(50), hint: long, key: 'K' }]),
    ),
  ]);
});
