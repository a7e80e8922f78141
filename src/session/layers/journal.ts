import type { Context } from '../../describe/context.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { readSince, startInWords } from '../../lib/start-time.ts';
import { pop, push, swap } from '../change.ts';
import { goTo } from '../derived/place.ts';
import { shownId } from '../edit/pending.ts';
import { line } from '../form/line.ts';
import { firstShift, listOfAction, nextShift } from '../handover.ts';
import { leave, on } from '../keys/binding.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys, typedLine } from './stepping.ts';

/** The edits of the journal and their outcomes. */
export const journal: LayerKind<LayerOf<'journal'>> = {
  keys(layer) {
    if (layer.since) return [on(['return'], 'take it', { do: 'choose' }, 1), leave(['esc'], 'back')];
    const entry = layer.entries[layer.cursor];
    const isOpen = entry && (entry.outcome === 'open' || entry.outcome === 'unknown');
    const known = isOpen ? undefined : 'its outcome is known already';
    return [
      ...stepKeys(true),
      on(['c'], 're-check', { do: 'entry', what: 'check' }, 3, {
        refused: known ?? (entry?.checkable ? undefined : 'no request can read its result'),
      }),
      on(['r'], 'retry', { do: 'entry', what: 'repeat' }, 4, { refused: entry?.repeatable ? undefined : known }),
      on(['f'], 'dismiss', { do: 'entry', what: 'forget' }, 5, { refused: entry?.repeatable ? undefined : known }),
      on(['u'], 'undo', { do: 'entry', what: 'undo' }, 6, {
        refused: entry?.undoable ? undefined : 'no undo recorded',
      }),
      on(['return'], 'open its row', { do: 'openEntry' }, 2, {
        refused: entry?.targetId ? undefined : 'no row',
      }),
      ...(layer.report === undefined
        ? []
        : [
            on(['y'], 'hand-over report', { do: 'report' }, 1, { help: 'Show it, then copy it or save it to a file' }),
            on(['t'], `shift: ${shiftTitle(layer)}`, { do: 'shiftHours' }, 7, {
              help: 'The report covers the last 8, 12, 24 hours or week',
            }),
            on(['s'], 'since', { do: 'shiftSince' }, 8, {
              help: 'Type when the shift began: 22:00, yesterday 22:00, 6h',
            }),
          ]),
      leave(),
    ];
  },
  takesText: (layer) => layer.since !== undefined,
  typed: (state, layer, typed) => ({
    state: swap(state, { ...layer, since: { line: typedLine(layer.since?.line ?? line(), typed) } }),
  }),
  rows: (layer) => layer.entries,
  update: {
    report: (state, { report = '' }) => ({
      state: push(state, {
        kind: 'text',
        title: 'Hand-over report',
        lines: report.split('\n'),
        top: 0,
        isReport: true,
      }),
    }),
    shiftHours: (state, layer) => ({
      state,
      effects: [{ ask: 'journal', shift: nextShift(layer.shift ?? firstShift) }],
    }),
    shiftSince: (state, layer) => ({ state: swap(state, { ...layer, since: { line: line() } }) }),
    choose(state, layer, _, { context }) {
      if (!layer.since) return { state };
      const read = readSince(layer.since.line.text, context.now, context.zone);
      if (!read.ok) return { state: swap(state, { ...layer, since: { ...layer.since, error: read.text } }) };
      return {
        state: swap(state, { ...layer, since: undefined }),
        effects: [{ ask: 'journal', shift: { since: read.at } }],
      };
    },
    pop: (state, layer) => ({ state: layer.since ? swap(state, { ...layer, since: undefined }) : pop(state) }),
    openEntry(state, layer, _, { screens, context }) {
      const entry = layer.entries[layer.cursor];
      const list = entry && listOfAction(entry.operation, screens);
      if (!list || !entry.targetId) return { state };
      const place = { list: list.id, ...placeOf(entry.targetId, entry.profile?.name, list, screens) };
      return goTo(pop(state), place, screens, context.now);
    },
    entry(state, layer, message, world) {
      const entry = layer.entries[layer.cursor];
      if (!entry) return { state };
      const { what } = message;
      const { production, name } = entry.profile ?? world.context.profile;
      const isEdit = what === 'undo' || what === 'repeat';
      if (!production || message.sure || !isEdit) return { state, effects: [{ ask: 'entry', id: entry.id, what }] };
      return {
        state: push(state, {
          kind: 'confirm',
          confirm: { question: `${what} ${entry.operation} ${entry.target} in production (${name})?`, details: [] },
          typed: { text: '', cursor: 0 },
          yes: { ...message, sure: true },
        }),
      };
    },
  },
};

/** The row of an entry in a list that may show the rows of several organisations, or those of another one. */
function placeOf(id: string, profile: string | undefined, { parts }: AnyList, screens: readonly Screen[]) {
  const part = parts?.find(({ organisation }) => organisation?.name === profile);
  if (part) return { row: shownId(part, id) };
  const first = screens.flatMap(({ lists }) => lists).find((list) => list.parts)?.parts?.[0]?.organisation?.name;
  return profile === undefined || profile === first ? { row: id } : { row: id, elsewhere: profile };
}

const shiftTitle = ({ shift = firstShift }: LayerOf<'journal'>) =>
  'hours' in shift ? `last ${shift.hours}h` : 'as typed';

/** What the typed start of the shift means so far; empty while it means nothing. */
export function meantSince({ since }: LayerOf<'journal'>, { now, zone }: Pick<Context, 'now' | 'zone'>): string {
  const read = since && readSince(since.line.text, now, zone);
  return read?.ok ? startInWords(read.at, now, zone) : '';
}

/** Entries were read: opens the journal, or updates it with the cursor in place. */
export function journalRead(state: State, message: Extract<Message, { do: 'journalRead' }>): State {
  const { entries, unsettled, trouble, report, shift = firstShift } = message;
  const top = state.layers.at(-1);
  const layer: LayerOf<'journal'> = { kind: 'journal', entries, cursor: 0, unsettled, trouble, report, shift };
  return top?.kind === 'journal'
    ? swap(state, { ...layer, since: top.since, cursor: Math.min(top.cursor, Math.max(0, entries.length - 1)) })
    : push(state, layer);
}
