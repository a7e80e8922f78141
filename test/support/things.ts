import { type AnySendingAction, action } from '../../src/describe/action.ts';
import { type AnyList, list } from '../../src/describe/screen.ts';
import { setThing } from './calls.ts';

/** An action on things, for steps that send nothing. */
export const turn: AnySendingAction = action<{ readonly id: string }>({
  id: 'things.turn',
  key: 't',
  title: 'turn on',
  help: '',
  uses: [setThing],
  send: () => ({}) as never,
  done: () => '',
});

/** A list of things with that action, which nothing loads. */
export const thingsNamed = (nameOf: (row: { readonly id: string }) => string): AnyList =>
  list<{ readonly id: string }>({
    id: 'things',
    title: 'Things',
    noun: 'thing',
    load: () => ({}) as never,
    idOf: (row) => row.id,
    nameOf,
    columns: [],
    detail: { sections: () => [] },
    actions: [turn],
    empty: '',
  });
