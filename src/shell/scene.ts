import { labelText } from '../describe/context.ts';
import { attempt } from '../lib/function-results.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { span as duration } from '../lib/time.ts';
import { hintLine, layoutToast, type ToastProps } from '../scene/edge-lines.ts';
import { asLines, type Line, noticeBlock, type Scene, type SceneBlock, type Spans } from '../scene/scene.ts';
import { type Room, toneWords } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import { layerKindOf } from '../session/layers/index.ts';
import { progressBar, stageLine } from '../session/layers/job.ts';
import { isTooSmall, ownRows, smallest } from '../session/rows/geometry.ts';
import type { LayerPane, SketchPlace } from '../session/stack/kind.ts';
import type { Message } from '../session/state/message.ts';
import { footHints, type Moment } from '../session/state/moment.ts';
import { boxedEdit, type Layer, type State, underWayBoxMs } from '../session/state/state.ts';
import { failedReadText, keyHints, noticeParts, paintedParts } from '../session/state/state-changes.ts';
import { boardBlocks } from './board-blocks.ts';
import { detailBlock, previewBlock } from './detail-block.ts';
import { frameHeader, type Standing } from './header.ts';
import { type BlockRoom, listBlock } from './list-block.ts';
import { joinSteps } from './list-words.ts';

/**
 * The box of an edit of several rows or requests that takes long, below what is on the screen: how far it is, how fast, and what happens
 * next. Keys still go to the screen.
 */
export function underWayBlocks({ state, context }: Moment, space: Place, theme: Theme): readonly SceneBlock<Message>[] {
  const { title = '', since = context.now, rows = 0, ended = 0, isStopping, requests = [] } = boxedEdit(state) ?? {};
  const took = context.now - since;
  if (took < underWayBoxMs) return [];
  const lines = rows > 1 ? rowLines() : requestLines();
  const height = lines.length + 2;
  return [
    {
      ...space,
      ...{ y: space.height - height, height, active: false },
      title: [{ text: paint(title), bold: true }],
      titleRight: [{ text: paint(duration(took, Math.floor)), tone: 'dim' }],
      lines: asLines(lines),
    },
  ];

  function rowLines(): readonly Spans[] {
    const rate = ended / (took / 1000);
    const pace = rate < 1 ? plain`${Math.round(rate * 60)}/min` : plain`${Math.round(rate)}/s`;
    const left =
      ended > 0 ? plain`, ${pace}, ${paint(duration(((rows - ended) / rate) * 1000, Math.ceil))} left` : plain``;
    return [
      [
        { text: plain`  ` },
        ...progressBar(ended / rows, space.width, theme),
        { text: plain`${ended} of ${rows}${isStopping ? plain`` : left}` },
      ],
      [
        isStopping
          ? { text: plain`  Stopping: waiting for rows already sent`, tone: 'warn' }
          : { text: plain`  Ctrl-X stops: rows already sent stay, the others stay marked`, tone: 'dim' },
      ],
    ];
  }

  function requestLines(): readonly Spans[] {
    return requests.map((request, at) =>
      stageLine(at < requests.length - 1 ? 'done' : 'now', [{ text: paint(labelText(request, context)) }], theme),
    );
  }
}

/** What a frame is made from besides the session's moment. */
interface Surroundings {
  readonly theme: Theme;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: ReadonlySet<string>;
  readonly standing: Standing;
}

/** The whole frame; where making it throws, one that says so. */
export function scene(now: Moment, surroundings: Surroundings): Scene<Message> {
  const { columns, rows } = now.state.size;
  const place = { x: 0, y: 0, width: columns, height: rows };
  return attempt(
    () => sceneOf(now, surroundings),
    (fault) => ({ columns, rows, blocks: [faultBlock(now, place, `${fault}; q goes back`)], message: [], hints: [] }),
  );
}

/** Header, blocks, message and hints, always as many lines as the terminal has. */
function sceneOf(now: Moment, { theme, pending, standing }: Surroundings): Scene<Message> {
  const { columns, rows } = now.state.size;
  const frame = { columns, rows };
  if (isTooSmall(frame)) {
    const text = plain`needs ${smallest.columns}x${smallest.rows}, has ${columns}x${rows}: enlarge it, or start with --plain${quitWarning(now)}`;
    const block = noticeBlock({ text, x: 0, y: 0, width: columns, height: rows });
    return { ...frame, blocks: [block], message: [], hints: [] };
  }
  const top = now.state.layers.at(-1);
  const place = top && placeOf(top);
  const foot = footOf(now, top, place, columns, theme);
  const height = rows - 1 - foot.message.length - foot.hints.length;
  const space = { x: 0, y: 0, width: columns, height };
  const bodyOf = (lines: number, active: boolean) =>
    coveredBlocks(now, { ...space, height: lines }, theme) ??
    bodyBlocks({ ...space, height: lines, now, theme, pending, active });
  const over = shown(now, space, () => {
    if (top && place !== 'foot') return layerBlocks(top, now, space, theme);
    return top ? [] : underWayBlocks(now, space, theme);
  });
  // A layer over the whole body hides it; a panel leaves what is above it.
  const left = Math.min(height, ...over.map(({ y }) => y));
  return {
    ...frame,
    header: frameHeader(now, standing, columns, theme),
    blocks: [
      ...(left > 0
        ? bodyOf(
            left,
            over.every(({ active }) => !active),
          )
        : []),
      ...over,
    ],
    ...foot,
  };
}

const placeOf = (layer: Layer): SketchPlace => {
  const { place } = layerKindOf(layer);
  return typeof place === 'function' ? place(layer) : place;
};

type Place = Pick<BlockRoom, 'x' | 'y' | 'width' | 'height'>;

/** The blocks; where making them throws, a sentence in their place. The rest of the frame and the keys go on working. */
const shown = <B extends SceneBlock<Message>>(now: Moment, place: Place, blocks: () => readonly B[]) =>
  attempt<readonly SceneBlock<Message>[]>(blocks, (fault) => [faultBlock(now, place, fault)]);

const faultBlock = ({ view }: Moment, { x, y, width, height }: Place, fault: string): SceneBlock<Message> =>
  noticeBlock({
    text: paint(`${view.screen.title}: this cannot be shown: ${fault}`),
    tone: 'bad',
    ...{ x, y, width, height },
  });

/** The screen in front: list and preview, the detail of one row, or a board. */
export function bodyBlocks({ pending, ...props }: BlockRoom): readonly SceneBlock<Message>[] {
  const { now, height } = props;
  const { view } = now;
  const { listWidth, previewWidth, detailWidth } = view.room;
  const { detail } = view;
  const whole = { ...props, pending, width: detailWidth };
  if (view.blocks.length > 0) return shown(now, whole, () => boardBlocks(whole));
  if (detail) return shown(now, whole, () => [detailBlock({ ...whole, detail })]);
  const offers = offerBlocks(props);
  const y = offers.length;
  const below = rowsBelow(now, height, y);
  const list = { ...props, pending, y, width: listWidth, height: height - y - below };
  const preview =
    below > 0
      ? { ...list, y: y + list.height, height: below }
      : { ...props, x: listWidth, y, width: previewWidth, height: height - y };
  return [
    ...offers,
    ...shown(now, list, () => [listBlock(list)]),
    ...(below > 0 || previewWidth > 0 ? shown(now, preview, () => [previewBlock(preview)]) : []),
  ];
}

/** Lines of the list above a preview, with its borders. */
const listLeast = 8;

/** Lines of the preview below the list, none for its border alone: a panel takes those first that it does not need, then rows. */
function rowsBelow({ state: { size }, view: { room, preview } }: Moment, height: number, above: number): number {
  const left = room.previewRows - Math.max(0, room.bodyRows - height);
  const rows = Math.min(room.previewRows, Math.max(left, ownRows(size, preview)), height - above - listLeast);
  return rows > border ? rows : 0;
}

/** One line above the list: what waits to be gone on with, and the keys that do it. */
function offerBlocks({
  now: { view },
  theme,
  width,
  ...place
}: Omit<BlockRoom, 'pending'>): readonly SceneBlock<Message>[] {
  if (view.offer === undefined) return [];
  const { text, by } = view.offer;
  const keys = plain`x more`;
  const [spans = []] = layoutToast({
    parts: [{ text: paint(text), isName: true }],
    isStanding: true,
    tone: 'warn',
    keys,
    width,
    theme,
  });
  return [
    {
      ...place,
      ...{ width, height: 1, title: [], active: false, border: 'none' },
      lines: [{ spans, role: 'text', send: { type: 'startAction', id: by.id } }],
      speech: () => ({
        remarks: [{ about: 'offer', text: plain`${toneWords.warn}${paint(text)}. ${keys}`, lasting: true }],
      }),
    },
  ];
}

/** Lines of list above a panel, at least. */
const listAbove = 5;
/** Lines of a border. */
const border = 2;

/** The layer that a menu or a question was opened over, above it: it takes no keys and no clicks. */
function coveredBlocks(now: Moment, space: Place, theme: Theme): readonly SceneBlock<Message>[] | undefined {
  const covered = now.state.layers
    .slice(0, -1)
    .findLast((layer) => layerKindOf(layer).isShowing && placeOf(layer) === 'body');
  if (!covered) return undefined;
  return shown(now, space, () =>
    layerBlocks(covered, now, space, theme).map(({ speech: _, ...block }) => ({
      ...block,
      active: false,
      lines: block.lines.map(({ spans, role }) => ({ spans, role })),
    })),
  );
}

/** The layer on top: over the body, or in a panel at its foot that is as high as its lines need. */
function layerBlocks(layer: Layer, now: Moment, space: Place, theme: Theme): readonly SceneBlock<Message>[] {
  const { isBare, lines } = layerKindOf(layer);
  const around = isBare ? 0 : border;
  const paneIn = (height: number): LayerPane =>
    lines(layer, now, { width: space.width - around, height: height - around, theme });
  const fullPane = paneIn(space.height);
  const most = now.view.room.bodyRows;
  const needs = (fullPane.needs ?? fullPane.lines.length) + around;
  // A form that would have to scroll for a few rows of a list is over the body.
  if (placeOf(layer) === 'body' || (layer.kind === 'form' && needs > most - listAbove))
    return placed(fullPane, space, isBare === true);
  const height = Math.min(Math.max(4, most - listAbove), needs);
  return placed(paneIn(height), { ...space, y: space.height - height, height }, isBare === true);
}

function placed(pane: LayerPane, space: Place, isBare: boolean): readonly SceneBlock<Message>[] {
  const { beside, width = space.width, ...own } = pane;
  const rest = { ...space, x: space.x + width, width: space.width - width };
  return [
    { ...own, ...space, width, active: true, border: isBare ? 'none' : 'whole' },
    ...(beside ? [{ ...beside, ...rest, active: false }] : []),
  ];
}

/** The last lines of the frame: a message, or the line that is typed into, and the hints. */
function footOf(
  now: Moment,
  top: Layer | undefined,
  place: SketchPlace | undefined,
  width: number,
  theme: Theme,
): Pick<Scene<Message>, 'message' | 'hints'> {
  const room: Room = { width, height: 1, theme };
  const hints = (): readonly Line<never>[] => [{ spans: hintLine({ hints: footHints(now), width }), role: 'hint' }];
  if (top && place === 'foot') {
    const { lines, hasHints } = layerKindOf(top).lines(top, now, room);
    if (hasHints) return { message: lines, hints: [] };
    // What was typed or pasted into it and ignored.
    const said = now.state.flash?.tone === 'warn' ? layoutToast({ ...saidNow(now), width, theme }) : [];
    return { message: [...asLines(said, 'message'), ...lines], hints: hints() };
  }
  const prompt = top && layerKindOf(top).prompt?.(top, now, room);
  return { message: prompt ? [prompt] : asLines(messageLines(now, width, theme), 'message'), hints: hints() };
}

/** The warning before quitting, which is shown even where nothing else fits. */
function quitWarning({ state }: { readonly state: State }): Painted {
  return state.warnedQuit ? plain`; ${paint(state.warnedOf)}, q again quits` : plain``;
}

/** The lines between the blocks and the hints: the first notice that waits, and the last message; a blank one for neither. */
function messageLines(now: Moment, width: number, theme: Theme): readonly Spans[] {
  const message = saidNow(now);
  const { notices } = now.state;
  const [notice] = notices;
  if (!notice) return layoutToast({ ...message, width, theme });
  const list = now.bindings.find(({ run }) => run.type === 'openTimeline' && run.view === 'messages')?.keys[0];
  const others = notices.length - 1;
  const key = now.bindings.find(({ run }) => run.type === 'handleNotice');
  const keys = [
    ...(key ? [plain`${paint(key.keys[0] ?? '')} ${paint(key.title)}`] : []),
    ...(others > 0 ? [plain`${list === undefined ? plain`` : plain`${paint(list)} `}${others} more`] : []),
  ];
  const lines = layoutToast({
    parts: paintedParts(noticeParts(notice, now.context.now)),
    isStanding: true,
    tone: 'warn',
    keys: joinSteps(keys, theme),
    width,
    theme,
  });
  return message.parts === undefined ? lines : [...lines, ...layoutToast({ ...message, width, theme })];
}

/** Whether what a message offers to press does something now: `u undo` does not where a text is typed. */
const isBound = (hint: string, bindings: Moment['bindings']): boolean => {
  const [key = ''] = hint.toLowerCase().replace('-', '+').split(' ');
  return bindings.some(({ keys }) => keys.includes(key));
};

/** The last message; else why the rows on screen are old. */
export function saidNow({ state, view, bindings }: Moment): Pick<ToastProps, 'parts' | 'tone' | 'keys'> {
  const { flash } = state;
  const top = state.layers.at(-1);
  // A job that has ended shows its outcome itself.
  if (flash && top?.kind === 'job' && top.ended?.text === flash.text) return {};
  if (flash)
    return {
      parts: paintedParts(flash.parts ?? [flash.text]),
      tone: flash.tone,
      ...(flash.keys === undefined || !isBound(flash.keys, bindings) ? {} : { keys: paint(flash.keys) }),
    };
  // Without rows the list shows the same sentence in their place.
  const trouble = view.total > 0 ? view.read.problem : undefined;
  if (state.layers.length > 0) return {};
  if (trouble)
    return { parts: [{ text: paint(failedReadText(trouble, true)) }], tone: 'bad', keys: paint(keyHints.messages) };
  return {};
}
