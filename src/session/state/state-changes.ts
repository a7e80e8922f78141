import type { Problem } from '../../api/problem.ts';
import { failureParts, failureText, type Uncreated } from '../../describe/failure.ts';
import { type Receipt, receiptText } from '../../describe/receipt.ts';
import type { AnyList } from '../../describe/screen.ts';
import { present } from '../../lib/present-members.ts';
import type { ListState } from '../rows/list-state.ts';
import { settled } from './derived.ts';
import { fieldLine } from './fields.ts';
import type { OpenForm } from './form-layer.ts';
import { keyHints } from './key-hints.ts';
import type { Layer } from './layer.ts';
import type { Flash, TimelineView } from './message.ts';
import type { Next } from './moment.ts';
import type { State } from './state.ts';

/** The state with changes to one list's own state. */
export function withOwn(state: State, list: AnyList, change: Partial<ListState>): State {
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

/** Changes the list's query: reads anew, with cursor, marks and order reset. */
export function asking(state: State, list: AnyList, asked: ListState['asked']): State {
  return withOwn(state, list, {
    asked,
    order: undefined,
    marks: new Set(),
    anchor: undefined,
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

/** The state with these layers only; jobs that run go on behind. */
export function withLayers({ behind = [], ...state }: State, layers: readonly Layer[]): State {
  const running = state.layers.flatMap((layer) =>
    layer.kind === 'job' && !layer.ended && !layers.includes(layer) ? [layer] : [],
  );
  const left = [...behind, ...running];
  return { ...state, layers, ...(left.length > 0 ? { behind: left } : {}) };
}

/** Opens the timeline; what is typed before the journal has been read does not reach the list below. */
export const openTimeline = (state: State, view: TimelineView, cursor = 0): Next => ({
  state: pushOnce(state, { kind: 'timeline', view, entries: [], cursor, unsettled: false, isLoading: true }),
  effects: [{ ask: 'journal' }],
});
