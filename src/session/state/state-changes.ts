import type { Problem } from '../../api/problem.ts';
import {
  failureParts,
  failureText,
  type Receipt,
  type ReceiptPart,
  receiptText,
  type Uncreated,
} from '../../describe/receipt.ts';
import type { AnyList } from '../../describe/screen.ts';
import { areAlike } from '../../lib/function-results.ts';
import { paint } from '../../lib/paint.ts';
import { absolute, minutesLeft } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import type { ToastPart } from '../../scene/edge-lines.ts';
import type { ListState } from '../rows/list-state.ts';
import { type FormFor, fieldLine, type OpenForm, settled } from './form-layer.ts';
import type { Flash, RowNotice, TimelineView } from './message.ts';
import type { Moment, Next } from './moment.ts';
import type { Layer, State } from './state.ts';
import type { View } from './view.ts';

/** What a message offers to press: `u undo`. Each stands here once; the footer, the help and the key tables have the titles of bindings. */
export const keyHints = {
  undo: 'u undo',
  undoRest: 'u undo the rest',
  redo: 'Ctrl-Y redo',
  messages: '! more',
} as const;

/** The state with changes to one list's own state. */
export function withOwn(state: State, list: Pick<AnyList, 'id'>, change: Partial<ListState>): State {
  const own = state.lists[list.id] as ListState;
  return { ...state, lists: { ...state.lists, [list.id]: { ...own, ...change } } };
}

export const push = (state: State, layer: Layer): State => ({ ...state, layers: [...state.layers, layer] });
export const pop = (state: State): State => ({ ...state, layers: state.layers.slice(0, -1) });
export const popConfirm = (state: State): State => (state.layers.at(-1)?.kind === 'confirm' ? pop(state) : state);
/** Replaces the layer on top. */
export const swap = (state: State, layer: Layer): State => ({
  ...state,
  layers: [...state.layers.slice(0, -1), layer],
});

/** A step of the form of this request as if it were on top, wherever it is in the stack; one that was closed takes none. */
export function onForm(state: State, of: FormFor, step: (state: State, form: OpenForm) => Next): Next {
  const at = state.layers.findIndex((layer) => layer.kind === 'form' && layer.for === of);
  const form = state.layers[at];
  if (form?.kind !== 'form') return { state };
  const next = step({ ...state, layers: state.layers.slice(0, at + 1) }, form);
  return { ...next, state: { ...next.state, layers: [...next.state.layers, ...state.layers.slice(at + 1)] } };
}

/** The state with a secret that waits, once no layer is open: no key for another one reveals it, and no step closes it unread. */
export function withSecret(state: State): State {
  const [first, ...secrets] = state.secrets ?? [];
  return first && state.layers.length === 0 ? push({ ...state, secrets }, first) : state;
}

export function flash(
  state: State,
  text: string,
  tone: Flash['tone'],
  at: number,
  keys?: string,
  problem?: Problem,
): State {
  return { ...state, flash: { text, tone, at, ...present({ keys, problem }) } };
}

/** The state with the problem of an action as its flash: `Mute failed: …`, or `Mute: …` where the outcome is unknown. */
export function flashProblem(
  state: State,
  subject: string | Uncreated,
  problem: Problem | Pick<Problem, 'text'>,
  at: number,
): State {
  const known = 'kind' in problem ? problem : undefined;
  const next = flash(state, failureText(subject, problem), 'bad', at, keyHints.messages, known);
  const parts = failureParts(subject, problem);
  return next.flash && parts ? { ...next, flash: { ...next.flash, parts } } : next;
}

/** Begins the message about keys that were dropped. */
export const ignoredWord = 'Ignored ';

/** The state with a receipt as its flash: a warning where the result is not what was asked for. */
export function flashReceipt(state: State, receipt: Receipt, now: number, keys?: string): State {
  const tone = receipt.isWarning ? 'warn' : 'good';
  // Keys that were dropped while the edit was under way are told of behind it.
  const dropped = state.flash?.text.startsWith(ignoredWord) ? ` · ${state.flash.text}` : '';
  const text = `${receiptText(receipt)}${dropped}`;
  const parts = dropped === '' ? receipt.parts : [...receipt.parts, dropped];
  return { ...state, flash: { text, parts, tone, at: now, ...present({ keys }) } };
}

/** A form layer for these fields, each with its initial text. */
export function formLayer(title: string, fields: OpenForm['fields'], to: OpenForm['for']): OpenForm {
  const each = Object.entries(fields);
  const texts = Object.fromEntries(each.map(([name, field]) => [name, field.initial]));
  return settled({
    kind: 'form',
    title,
    fields,
    lines: Object.fromEntries(each.map(([name, field]) => [name, fieldLine(field, field.initial)])),
    // A derived field that opens with the derived text stays derived.
    own: each
      .filter(([, field]) => field.follows && field.initial !== '' && field.initial !== field.follows(texts))
      .map(([name]) => name),
    written: Object.fromEntries(
      each.filter(([, field]) => field.kind === 'query').map(([name]) => [name, { diagnostics: [] }]),
    ),
    focus: 0,
    errors: {},
    touched: false,
    busy: false,
    leaving: false,
    labels: Object.fromEntries(each.map(([name, field]) => [name, field.labels ?? {}])),
    files: {},
    for: to,
  });
}

/** Changes the list's query: reads anew, with cursor, marks and order reset. Nothing of that where the same is asked. */
export function asking(state: State, list: AnyList, asked: ListState['asked']): State {
  if (JSON.stringify(state.lists[list.id]?.asked) === JSON.stringify(asked)) return state;
  return withOwn(state, list, {
    asked,
    order: undefined,
    marks: new Set(),
    rowRange: undefined,
    detail: undefined,
    cursor: undefined,
    cursorAt: 0,
    top: 0,
    seen: undefined,
  });
}

/** Opens a layer over those that show; one of its kind that is open already gives way, with those above it. */
export function pushOnce(state: State, layer: Layer): State {
  const open = state.layers.findIndex(({ kind }) => kind === layer.kind);
  return push(open < 0 ? state : { ...state, layers: state.layers.slice(0, open) }, layer);
}

/** The state with these layers only; jobs that run go on behind, and a secret that is not copied waits again. */
export function withLayers({ behind = [], secrets = [], ...state }: State, layers: readonly Layer[]): State {
  const closed = state.layers.filter((layer) => !layers.includes(layer));
  const running = closed.flatMap((layer) => (layer.kind === 'job' && !layer.ended ? [layer] : []));
  const uncopied = closed.flatMap((layer) =>
    layer.kind === 'secret' && !layer.copied ? [{ ...layer, shown: false, leaving: false }] : [],
  );
  const jobs = [...behind, ...running];
  const waiting = [...uncopied, ...secrets];
  return {
    ...state,
    layers,
    ...(jobs.length > 0 ? { behind: jobs } : {}),
    ...(waiting.length > 0 ? { secrets: waiting } : {}),
  };
}

/** Opens the timeline; what is typed before the journal has been read does not reach the list below. */
export const openTimeline = (state: State, view: TimelineView, cursor = 0): Next => ({
  state: pushOnce(state, { kind: 'timeline', view, entries: [], cursor, unsettled: false, isLoading: true }),
  effects: [{ ask: 'journal' }],
});

/** How many messages the log keeps. */
const mostMessages = 200;

/** Whether a message is the one before it with keys, or more keys, that were dropped behind it. */
const goesOn = (before: string, text: string): boolean =>
  text.startsWith(`${before} · `) || (before.includes(' · ignored: ') && text !== before && text.startsWith(before));

/** Adds the current message to the log if it is new and about something. One that continues the last message, or repeats a warning, replaces it. */
export function logged(before: State, state: State): State {
  const { flash, messages } = state;
  if (flash === undefined || flash === before.flash || flash.isPassing) return state;
  const [last] = messages;
  const isSame = last?.text === flash.text && flash.tone === 'warn';
  const isInPlace = isSame || (last !== undefined && goesOn(last.text, flash.text));
  return { ...state, messages: [flash, ...(isInPlace ? messages.slice(1) : messages)].slice(0, mostMessages) };
}

/** A notice as it is true now: `Mute on Disk ends in 4 min (09:00 UTC)`. */
export function noticeParts({ subject, ends, end }: RowNotice, now: number): readonly ReceiptPart[] {
  return [...subject.parts, ` ends in ${minutesLeft(ends - now)} min (${end})`];
}

/** A notice as one sentence. */
export const noticeText = (notice: RowNotice, now: number): string => receiptText({ parts: noticeParts(notice, now) });

/** A notice as the log has it. */
const noticeFlash = (notice: RowNotice, now: number): Flash => ({
  text: noticeText(notice, now),
  parts: noticeParts(notice, now),
  tone: 'warn',
  at: notice.at,
  notice: notice.key,
});

/** Urgent ones first, then in the order of their ends. */
const urgentFirst = (notices: readonly RowNotice[]): readonly RowNotice[] =>
  notices.toSorted(
    (one, other) => Number(other.isUrgent ?? false) - Number(one.isUrgent ?? false) || one.ends - other.ends,
  );

/** Notices of a list that has these alarms now: the others are over. */
export function withAlarms(state: State, list: string, alarms: readonly Pick<RowNotice, 'key' | 'isUrgent'>[]): State {
  const notices = state.notices.flatMap((notice) => {
    if (notice.list !== list) return [notice];
    const alarm = alarms.find(({ key }) => key === notice.key);
    if (!alarm) return [];
    const { isUrgent = false } = alarm;
    return [isUrgent === (notice.isUrgent ?? false) ? notice : { ...notice, isUrgent }];
  });
  return areAlike(notices, state.notices) ? state : { ...state, notices: urgentFirst(notices) };
}

/** Adds notices, the most urgent first, and their texts to the log, the newest first. */
export function withNotices(state: State, notices: readonly RowNotice[]): State {
  const flashes = notices.map((notice) => noticeFlash(notice, notice.at));
  const keys = new Set(notices.map(({ key }) => key));
  const others = state.notices.filter(({ key }) => !keys.has(key));
  return {
    ...state,
    notices: urgentFirst([...others, ...notices]),
    messages: [...flashes.toReversed(), ...state.messages].slice(0, mostMessages),
  };
}

/** Removes the notices of alarms that are handled or over. */
export function withoutNotices(state: State, keys: readonly string[]): State {
  const over = new Set(keys);
  if (!state.notices.some(({ key }) => over.has(key))) return state;
  return { ...state, notices: state.notices.filter(({ key }) => !over.has(key)) };
}

/** The parts of a sentence as a message is drawn of them. */
export const paintedParts = (parts: readonly ReceiptPart[]): readonly ToastPart[] =>
  parts.map((part) => (typeof part === 'string' ? { text: paint(part) } : { text: paint(part.name), isName: true }));

/** The problem of the list's or the detail's last read, if any. */
function readProblem(view: View): Problem | undefined {
  return view.read.problem ?? view.detail?.whole.problem;
}

/** A failed read as a sentence. `isShown`: rows of an earlier read are still on the screen. */
export const failedReadText = ({ text }: Pick<Problem, 'text'>, isShown: boolean): string =>
  `${isShown ? 'Not refreshed' : 'Not loaded'}: ${text}`;

/** What the log shows: notices that wait, the problem or the first note of the rows in front, then the messages of this run. */
export function messagesNow(state: State, view: View, now: number): readonly Flash[] {
  const problem = readProblem(view);
  const [note] = view.read.value?.notes ?? [];
  const text = problem ? failedReadText(problem, view.total > 0) : note;
  const tone = problem ? 'bad' : 'warn';
  const instant = problem?.at ?? view.read.at ?? now;
  // A waiting notice is shown at the head, so that its first message is left out below.
  const waiting = new Set<string | undefined>(state.notices.map(({ key }) => key));
  return [
    ...state.notices.map((notice) => ({ ...noticeFlash(notice, now), waits: true as const })),
    ...(text === undefined
      ? []
      : [{ text, tone, at: instant, details: leftOutLines(view), ...present({ problem }) } as const]),
    ...state.messages.filter(({ notice }) => !waiting.has(notice)),
  ];
}

/** Notes about the rows in front, and the places of what was left out of them. */
function leftOutLines({ read }: View): readonly string[] {
  const { notes = [], unread = [] } = read.value ?? {};
  return [...notes, ...unread.map((place) => `Left out   ${place}`)];
}

/** A message in full, as lines: when, the whole sentence, and everything known about its problem. */
export function messageLines(message: Flash, { context, view }: Moment): readonly string[] {
  const { text, at: instant, problem, details = [] } = message;
  const subject = problem !== undefined && problem === readProblem(view) ? 'reading' : 'edit';
  return [
    text,
    '',
    `Time       ${absolute(instant, context.zone)}`,
    ...(problem ? problemLines(subject, problem) : []),
    ...(details.length > 0 ? ['', ...details] : []),
  ];
}

function problemLines(subject: string, problem: Problem): string[] {
  return [
    `Action     ${subject}`,
    `Kind       ${problem.kind}`,
    ...(problem.operation ? [`Operation  ${problem.operation}`] : []),
    ...(problem.status ? [`Status     ${problem.status}`] : []),
    ...(problem.permission?.length ? [`Requires   ${problem.permission.join(', ')}`] : []),
    ...problem.messages.map((words) => `Server     ${words}`),
    ...(problem.fields ?? []).map((field) => `Field      ${field}`),
  ];
}
