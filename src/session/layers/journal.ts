import { push, swap } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys } from './stepping.ts';

/** The edits of the journal and their outcomes. */
export const journal: LayerKind<LayerOf<'journal'>> = {
  keys(layer) {
    const entry = layer.entries[layer.cursor];
    const isOpen = entry && (entry.outcome === 'open' || entry.outcome === 'unknown');
    const known = isOpen ? undefined : 'its outcome is known';
    return [
      ...stepKeys(true),
      on(['c'], 'check', { do: 'entry', what: 'check' }, 1, {
        refused: known ?? (entry?.checkable ? undefined : 'there is no read that shows it'),
      }),
      on(['r'], 'repeat', { do: 'entry', what: 'repeat' }, 2, { refused: entry?.repeatable ? undefined : known }),
      on(['f'], 'forget', { do: 'entry', what: 'forget' }, 3, { refused: entry?.repeatable ? undefined : known }),
      on(['u'], 'undo', { do: 'entry', what: 'undo' }, 4, {
        refused: entry?.undoable ? undefined : 'there is no way back recorded',
      }),
      on(['y'], 'copy the report', { do: 'copy', what: 'the hand-over report', text: '' }, 5),
      leave(),
    ];
  },
  takesText: () => false,
  rows: (layer) => layer.entries,
  update: {
    entry(state, layer, message, world) {
      const entry = layer.entries[layer.cursor];
      if (!entry) return { state };
      const { what } = message;
      const { production, name } = world.context.profile;
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

/** Entries were read: opens the journal, or updates it with the cursor in place. */
export function journalRead(state: State, message: Extract<Message, { do: 'journalRead' }>): State {
  const { entries, unsettled, trouble } = message;
  const top = state.layers.at(-1);
  const layer: LayerOf<'journal'> = { kind: 'journal', entries, cursor: 0, unsettled, trouble };
  return top?.kind === 'journal'
    ? swap(state, { ...layer, cursor: Math.min(top.cursor, Math.max(0, entries.length - 1)) })
    : push(state, layer);
}
