import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { Screen } from '../../src/describe/screen.ts';
import { cells } from '../../src/lib/text.ts';
import { createTheme } from '../../src/scene/theme.ts';
import type { Session } from '../../src/session/session.ts';
import type { Message } from '../../src/session/state/message.ts';
import type { Layer } from '../../src/session/state/state.ts';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { readStanding } from '../../src/shell/header.ts';
import { scene } from '../../src/shell/scene.ts';
import { App } from '../../src/shell/show.tsx';
import { draw } from '../support/drawn.tsx';
import { type JourneyOptions, journey } from '../support/journey.tsx';
import { everyLayer, unruly } from '../support/layers.ts';

const theme = createTheme({ name: 'default', noColor: false, ascii: false });
interface Size {
  readonly columns: number;
  readonly rows: number;
}
const sizes = [60, 80, 100, 140, 200].flatMap((columns) => [16, 24, 50].map((rows): Size => ({ columns, rows })));
const smallest: Size = { columns: 60, rows: 16 };
const usual: Size = { columns: 80, rows: 24 };
const largest: Size = { columns: 200, rows: 50 };

/** How much is drawn: in every run each width and each height once, in a long one every width with every height. */
interface Extent {
  readonly lists: readonly Size[];
  readonly marked: readonly Size[];
  readonly tabs: readonly Size[];
  /** Of the layer with this number, so that each size is drawn with some layers. */
  readonly layers: (at: number) => readonly Size[];
}
const few = [smallest, usual, largest];
const quick: Extent = {
  lists: [...few, { columns: 60, rows: 50 }, { columns: 100, rows: 24 }, { columns: 140, rows: 16 }],
  marked: [smallest, usual],
  tabs: [smallest, largest],
  layers: (at) => [...few, ...sizes.slice(at % sizes.length).slice(0, 1)],
};
const whole: Extent = {
  lists: sizes,
  marked: few,
  tabs: few,
  layers: (at) => sizes.filter((_, number) => number % 3 === at % 3),
};

const codes = /\u001b\[[\d;]*m/g;
/** Control and direction characters, which no frame may contain. */
const unpainted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const concealing = /\u001b\[(\d+;)*8m/;

/** Faults of the session's current frame: too few or too many lines, no header or keys, lines too wide, or unpainted text. */
function frameFaults(session: Session, what: string): string[] {
  const { columns, rows } = session.now().state.size;
  const drawn = draw(<App session={session} theme={theme} pending={() => new Set()} behind={() => false} />);
  const lines = drawn.replaceAll(codes, '').split('\n');
  const where = `${what} at ${columns}x${rows}`;
  const foreign = lines.findIndex((line) => unpainted.test(line));
  const { name } = session.now().context.profile;
  const wide = lines.findIndex((line) => cells(line) > columns);
  return [
    ...(lines.length === rows ? [] : [`${where}: ${lines.length} lines`]),
    // Where the parts are higher than the frame, the first and the last line are left out.
    ...(lines[0]?.includes(name) ? [] : [`${where}: its first line is not the header: ${lines[0]}`]),
    ...(lines.at(-1)?.trim() ? [] : [`${where}: its last line has no keys`]),
    ...(foreign < 0 ? [] : [`${where}: line ${foreign + 1} is not painted: ${JSON.stringify(lines[foreign])}`]),
    ...(concealing.test(drawn) ? [`${where}: a text conceals what follows it`] : []),
    ...(wide < 0 ? [] : [`${where}: line ${wide + 1} has ${cells(lines[wide] ?? '')} cells: ${lines[wide]}`]),
  ];
}

const flash = { text: unruly, tone: 'bad', at: 0, keys: keyHints.undo } as const;
const notice = {
  key: 'one',
  subject: { parts: [unruly] },
  ...{ at: 0, ends: 1, end: '09:00 UTC', list: 'monitors', rowId: '1', action: 'monitors.extend' },
} as const;

/** What a click may send: what moves, opens or shows. */
const harmless: ReadonlySet<string> = new Set<Message['type']>([
  ...([
    'moveCursor',
    'openCurrent',
    'moveInLayer',
    'moveTab',
    'openScreen',
    'showFlash',
    'toggleChoice',
    'openEntry',
    'runOnProfile',
  ] as const),
]);

/** Layers in which choosing a row may be harmless; whether it is, the row says. */
const choosing: ReadonlySet<string> = new Set(['help', 'palette', 'menu', 'take'] satisfies Layer['kind'][]);

/** Messages of a frame's lines that might send an edit. */
function clickFaults(session: Session, what: string): string[] {
  const { header, blocks } = scene(session.now(), {
    theme,
    pending: new Set(),
    standing: readStanding(session, false),
  });
  const spots = blocks.flatMap(({ titleSpots = [], lines }) => [
    ...titleSpots,
    ...lines.flatMap(({ spots = [] }) => spots),
  ]);
  const sent = [...blocks.flatMap(({ lines }) => lines), ...(header?.spots ?? []), ...spots].map(
    ({ send }) => send?.type,
  );
  const mayChoose = choosing.has(session.now().state.layers.at(-1)?.kind ?? '');
  return sent
    .filter((message) => message !== undefined && !harmless.has(message) && !(mayChoose && message === 'choose'))
    .map((message) => `${what}: a click sends ${message}`);
}

/** The frames of these sizes, one after the other. */
function atSizes(session: Session, what: string, chosen: readonly Size[]): string[] {
  return chosen.flatMap(({ columns, rows }) => {
    session.send({ type: 'setSize', columns, rows });
    return [...frameFaults(session, what), ...clickFaults(session, what)];
  });
}

const setting: JourneyOptions = {
  monitors: 30,
  issues: 30,
  before(service) {
    const fields = { error_type: unruly, error_message: unruly, service: unruly, file_path: unruly };
    service.has('issue', { id: '00000000-0000-4000-8000-000000000001', total_count: 1e9, ...fields });
    service.has('monitor', { name: unruly, message: unruly, tags: [unruly], overall_state: 'Alert' });
  },
};

const drawsScreen = (screen: Screen, extent: Extent) =>
  journey(async ({ session }) => {
    const faults: string[] = [];
    session.send({ type: 'openScreen', id: screen.id });
    for (const list of screen.lists) {
      await rests(session);
      faults.push(...atSizes(session, list.id, extent.lists));
      session.send({ type: 'markAll' });
      session.send({ type: 'showFlash', flash });
      faults.push(...atSizes(session, `${list.id} marked`, extent.marked));
      session.send({ type: 'goBack' });
      session.send({ type: 'openCurrent' });
      await rests(session);
      for (const tab of session.now().view.detail?.tabs ?? []) {
        faults.push(...atSizes(session, `${list.id} ${tab.id}`, extent.tabs));
        session.send({ type: 'moveTab', by: 1 });
      }
      if (session.now().view.detail) session.send({ type: 'goBack' });
      session.send({ type: 'moveTab', by: 1 });
    }
    expect(faults).toEqual([]);
  }, setting);

const drawsLayers = (extent: Extent) =>
  journey(async ({ session }) => {
    const faults: string[] = [];
    for (const [at, [kind, layer]] of everyLayer(session.now().view.list).entries()) {
      session.store.setState({ state: { ...session.now().state, layers: [layer] } });
      faults.push(...atSizes(session, kind, extent.layers(at)));
      const { state } = session.now();
      session.store.setState({ state: { ...state, notices: [notice, notice], flash } });
      faults.push(...atSizes(session, `${kind} below messages of two lines`, extent.marked));
      session.store.setState({ state: { ...session.now().state, notices: [], flash: undefined } });
      for (let tries = 0; tries < 3 && session.now().state.layers.length > 0; tries += 1)
        session.send({ type: 'closeLayer' });
      expect(session.now().state.layers, kind).toEqual([]);
    }
    expect(faults).toEqual([]);
  }, setting);

describe('draws exactly as many lines as the terminal has, none too wide', () => {
  test.each(screens.map((screen) => [screen.id, screen] as const))('%s: its lists and details', (_, screen) =>
    drawsScreen(screen, quick)(),
  );
  test('every kind of layer', drawsLayers(quick));
  test.each(screens.map((screen) => [screen.id, screen] as const))(
    '%s: the same at every size',
    { tags: ['long'] },
    (_, screen) => drawsScreen(screen, whole)(),
  );
  test('every kind of layer, at every size', { tags: ['long'] }, drawsLayers(whole));
});

/** Waits until the visible panes have been read. */
async function rests(session: Session): Promise<void> {
  for (;;) {
    const { view } = session.now();
    const { read, detail } = view;
    const hasEnded = read.value !== undefined || read.problem !== undefined;
    if (hasEnded && !read.asking && !read.partial && !detail?.whole.asking) return;
    await new Promise((done) => setTimeout(done, 5));
  }
}

test(
  'the law reports a frame that is too high, and a line that is too wide',
  journey(async ({ session }) => {
    expect(frameFaults(session, 'as it is')).toEqual([]);
    const torn = {
      ...session,
      now: () => ({ ...session.now(), state: { ...session.now().state, size: { columns: 90, rows: 20 } } }),
    };
    const honest = session.now().state.size;
    const view = { ...torn.now(), state: { ...torn.now().state, size: honest } };
    const liar: Session = { ...session, now: countdown([torn.now(), view]) };
    expect(frameFaults(liar, 'torn').join()).toMatch(/30 lines.*(9[1-9]|100) cells/);
  }),
);

/** Returns the values in turn, then the last one repeatedly. */
function countdown<T>(values: readonly T[]): () => T {
  const next = { at: 0 };
  return () => values[Math.min(next.at++, values.length - 1)] as T;
}
