import { paint } from '../../lib/paint.ts';
import { plain, repeated } from '../../lib/painted.ts';
import { capitalized, fit, wrap } from '../../lib/text.ts';
import { span } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { asLines, type Spans } from '../../scene/scene.ts';
import { listTexts, type Room, type Span, type Speech } from '../../scene/span.ts';
import type { Theme } from '../../scene/theme.ts';
import { askOrSend } from '../edit/begin-edit.ts';
import { canUndo, type RowResult } from '../send/pending-edit.ts';
import { type LayerKind, rowsPane, stepKeys } from '../stack/kind.ts';
import type { MessageOf } from '../state/message.ts';
import { leave, type Moment, type Next, on } from '../state/moment.ts';
import { isBulk, isUndoableEdit, type Layer, type LayerOf, type State } from '../state/state.ts';
import { flash, pop, push, swap, withOwn } from '../state/state-changes.ts';

type JobDone = MessageOf<'jobDone'>;

/** Waits for the read that an action needs, or for the keys of a profile that is opened. Leaving it drops what is read. */
export const wait: LayerKind<LayerOf<'wait'>> = {
  keys: () => [leave(['esc', 'q', 'backspace'])],
  place: 'body',
  lines: ({ title, pending }) => ({
    title: [{ text: paint(title), bold: true }],
    lines: asLines([[{ text: pending ? plain` Loading current values` : plain` Reading its keys`, tone: 'dim' }]]),
  }),
  takesText: () => false,
  update: {},
};

/** A long job: its progress and its outcome. It goes on when its layer is left. */
export const job: LayerKind<LayerOf<'job'>> = {
  keys: (layer) =>
    layer.ended
      ? [leave(['esc', 'q', 'return', 'backspace'])]
      : [
          on(['c'], layer.stopping ? 'stopping' : 'cancel', { type: 'cancelJob' }, 1, { deliberate: true }),
          leave(['esc', 'q'], 'keep running'),
        ],
  place: 'panel',
  lines: (layer, { context: { now } }, room) => ({
    title: [{ text: paint(layer.title), bold: true }],
    titleRight: [{ text: paint(span((layer.ended?.at ?? now) - layer.since)), tone: 'dim' }],
    lines: asLines(jobLines(layer, room)),
    speech: () => jobSpeech(layer),
  }),
  isShowing: true,
  takesText: () => false,
  update: {
    // While it runs, `W` opens the layer again.
    closeLayer: (state, layer) => ({
      state: layer.ended ? pop(state) : { ...pop(state), behind: [...(state.behind ?? []), layer] },
    }),
    cancelJob: (state, layer) => ({
      state: swap(state, { ...layer, stopping: true }),
      effects: [{ ask: 'cancelJob', id: layer.id }],
    }),
  },
};

/** What a job goes through, with a bar at what it is at; once it has ended, its outcome alone. */
function jobLines({ progress, ended, stopping, after }: LayerOf<'job'>, { width, theme }: Room): readonly Spans[] {
  const remark = (text: string, tone: NonNullable<Span['tone']>): Spans[] =>
    wrap(paint(text), Math.max(10, width - 4)).map((row) => [{ text: plain`  ${row}`, tone }]);
  const { glyphs } = theme;
  if (ended) return [[], ...remark(`${ended.ok ? glyphs.ok : glyphs.bad} ${ended.text}`, ended.ok ? 'good' : 'bad')];
  const { share, step = 'Starting', notes = [], stages = [], stagesDone = 0 } = progress ?? {};
  const nameWidth = Math.max(...stages.map(([name]) => name.length));
  const bar = share === undefined ? [] : progressBar(share, width, theme);
  return [
    ...(stages.length > 0
      ? []
      : [
          ...remark(`${glyphs.shut} ${step}`, 'strong'),
          ...(share === undefined ? [] : [[{ text: plain`    ` }, ...bar]]),
        ]),
    ...stages.map(([name, fact], index): Spans => {
      const state = index < stagesDone ? 'done' : index === stagesDone ? 'now' : 'later';
      const details: Record<typeof state, Spans> = {
        done: [{ text: paint(fact) }],
        now: [...bar, { text: paint(capitalized(step)), tone: 'strong' }],
        later: [],
      };
      return stageLine(
        state,
        [{ text: plain`${fit(paint(name), nameWidth)}  `, tone: 'label' }, ...details[state]],
        theme,
      );
    }),
    ...notes.flatMap((note) => remark(`  ${note}`, 'plain')),
    ...(after === undefined ? [] : remark(`  Then ${after}`, 'dim')),
    ...(stopping ? remark('  Stopping', 'warn') : []),
  ];
}

/** A line about a stage of long work, behind a mark for its state. */
export function stageLine(state: 'done' | 'now' | 'later', spans: Spans, { glyphs }: Theme): Spans {
  const mark: Span = {
    done: { text: glyphs.ok, tone: 'good' as const },
    now: { text: glyphs.shut, tone: 'info' as const },
    later: { text: plain` `, tone: 'dim' as const },
  }[state];
  return [{ ...mark, text: plain`  ${mark.text} ` }, ...spans];
}

/** What is said of a job: each step as it begins, every tenth of the work, and the end. */
function jobSpeech({ title, progress, ended, stopping }: LayerOf<'job'>): Speech {
  const share = progress?.share;
  const tens = share === undefined ? plain`` : plain`${Math.floor(share * 10) * 10}%`;
  return {
    title: paint(title),
    remarks: [
      { about: 'step', text: paint(progress?.step) },
      { about: 'part', text: tens },
      { about: 'stopping', text: stopping && !ended ? plain`stopping` : plain`` },
      { about: 'ended', text: ended ? plain`${ended.ok ? plain`` : plain`Error: `}${paint(ended.text)}` : plain`` },
    ],
  };
}

/** `████░░ 60%`: a share from 0 to 1 as a bar in a room of this width, and in percent. */
export function progressBar(share: number, width: number, { ascii }: Theme): Spans {
  const cells = Math.min(20, Math.floor(width / 5));
  const filled = Math.round(share * cells);
  return [
    { text: repeated(ascii ? plain`#` : plain`█`, filled), tone: 'good' },
    { text: repeated(ascii ? plain`.` : plain`░`, cells - filled), tone: 'dim' },
    { text: plain` ${Math.floor(share * 100)}%  ` },
  ];
}

/**
 * A job has ended: its layer shows the outcome or what it printed, wherever it is in the stack; of a job that was left only
 * the flash tells, and `W` opens what it printed. The row that it created is shown as soon as it is read; the cursor goes
 * to it from the job's own layer, and never under a person who has gone on.
 */
export function jobDone(before: State, message: JobDone, { view: { list }, context: { now } }: Moment): Next {
  const { id, ok, text, made: createdId, lines } = message;
  const isOurs = list.actions.some((action) => id.startsWith(`${action.id} `));
  const index = before.layers.findIndex((layer) => layer.kind === 'job' && layer.id === id);
  const isOnTop = index >= 0 && index === before.layers.length - 1;
  const state =
    createdId !== undefined && isOurs
      ? withOwn(before, list, { made: [createdId], ...(isOnTop ? { cursor: createdId } : {}) })
      : withTyped(before, message);
  const withFlash = (next: State, keys?: string): Next => ({
    state: flash(next, text, ok ? 'good' : 'bad', now, keys),
  });
  const ended = { at: now, ok, text };
  const layer = state.layers[index];
  if (layer?.kind === 'job') {
    const outcome = lines ? printed(layer.title, lines) : { ...layer, ended };
    return withFlash({ ...state, layers: state.layers.with(index, outcome) });
  }
  const { behind = [] } = state;
  if (!lines) return withFlash({ ...state, behind: behind.filter((left) => left.id !== id) });
  return withFlash(
    { ...state, behind: behind.map((left) => (left.id === id ? { ...left, lines, ended } : left)) },
    'W output',
  );
}

/** What was typed for a job of which nothing came is the draft of its form again. */
function withTyped(state: State, { id, ok, made }: JobDone): State {
  const layer = [...state.layers, ...(state.behind ?? [])].find((layer) => layer.kind === 'job' && layer.id === id);
  const [form, draft] = (layer?.kind === 'job' && layer.typed) || [];
  if (ok || made !== undefined || form === undefined || draft === undefined) return state;
  return { ...state, drafts: { [form]: draft, ...state.drafts } };
}

const printed = (title: string, lines: readonly string[]): LayerOf<'text'> => ({ kind: 'text', title, lines, top: 0 });

/** Opens the layer of the job that was left last, or what its program printed. */
export function openJob(state: State): State {
  const layer = state.behind?.at(-1);
  if (!layer) return state;
  return push(
    { ...state, behind: state.behind?.slice(0, -1) ?? [] },
    layer.lines ? printed(layer.title, layer.lines) : layer,
  );
}

/** Updates the progress of a job, wherever it is in the stack, or in the background. */
export function jobProgressed({ behind, ...state }: State, { id, progress }: MessageOf<'jobProgressed'>): State {
  const updated = <L extends Layer>(layer: L): L =>
    layer.kind === 'job' && layer.id === id ? { ...layer, progress } : layer;
  return { ...state, layers: state.layers.map(updated), ...present({ behind: behind?.map(updated) }) };
}

/** The outcome of a bulk edit for each row. */
export const results: LayerKind<LayerOf<'results'>> = {
  keys: (layer, state) => [
    ...stepKeys(true),
    on(['r'], 'retry failed', { type: 'retryFailed' }, 1, {
      refused: layer.results.some(isRetried) ? undefined : whyNoRetry(layer),
    }),
    on(['u'], 'undo the rest', { type: 'askUndo' }, 2, { refused: whyNotUndone(layer, state) }),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  place: 'body',
  lines({ title, results, cursor }, now, room) {
    const { width, height, theme } = room;
    const rows = results.map(
      ({ ok, name, text }): Spans => [
        { text: plain`${ok ? theme.glyphs.ok : theme.glyphs.bad} `, tone: ok ? 'good' : 'bad' },
        // A receipt has the name itself.
        ...(ok && text.includes(name) ? [] : [{ text: plain`${paint(name)}  ` }]),
        { text: paint(text), tone: ok ? 'dim' : 'bad' },
      ],
    );
    const list = { ...room, height: height - refusalLines };
    const says = () =>
      results.map(({ ok, name, text }) => listTexts([ok ? plain`done` : plain`Error`, paint(name), paint(text)]));
    const pane = rowsPane({ title: paint(title), rows, says, cursor, choose: undefined, empty: plain`` }, now, list);
    const at = results[cursor];
    const refusal = at && !at.ok ? wrap(paint(at.text), width - 4).slice(0, refusalLines - 1) : [];
    const blanks = Array.from({ length: Math.max(0, list.height - pane.lines.length) + 1 }, (): Spans => []);
    return {
      ...pane,
      lines: [
        ...pane.lines,
        ...asLines(blanks),
        ...asLines(
          refusal.map((line) => [{ text: plain`   ${line}`, tone: 'bad' }]),
          'problem',
        ),
      ],
    };
  },
  isShowing: true,
  takesText: () => false,
  rowKeys: (layer) => layer.results.map(({ id }) => id),
  update: {
    retryFailed(state, layer, _, world) {
      const rows = layer.results.filter(isRetried).map((result) => result.row);
      // What was left out is none of these.
      return askOrSend(state, { ...layer.pending, leftOut: undefined, isOfForm: undefined, rows }, world);
    },
  },
};

/** What may have been applied is checked first (docs/design/receipts.md): sent again, it could be done twice. */
const isRetried = ({ ok, problem }: RowResult): boolean => !ok && problem?.kind !== 'unknown';

const whyNoRetry = ({ results }: LayerOf<'results'>): string =>
  results.every(({ ok }) => ok) ? 'none failed' : 'H, Tab: check what is unknown first';

/** Lines under the results for the whole refusal of the row under the cursor, one of them empty. */
const refusalLines = 4;

/** Why `u` does not undo these rows: some are still being sent, another edit was the last, or they are undone by now. */
function whyNotUndone({ results, pending }: LayerOf<'results'>, state: State): string | undefined {
  if (state.underWay.some((edit) => isUndoableEdit(edit) || isBulk(edit))) return 'rows are still being sent';
  const last = state.undo.at(-1);
  const done = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
  const isLast =
    last?.forward.action.id === pending.action.id && canUndo(last) && last.steps.every(({ id }) => done.has(id));
  return isLast ? undefined : 'nothing in it to undo';
}
