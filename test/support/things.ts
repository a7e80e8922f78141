import { type AnySendingAction, action } from '../../src/describe/action.ts';
import { type AnyList, list } from '../../src/describe/screen.ts';
import type { UnderWay } from '../../src/session/send/pending-edit.ts';
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

/** That action while it is sent. */
export const turning: UnderWay = { of: {}, title: 'Turn on thing', since: 0, rows: 1, ended: 0 };

/** A list that nothing loads, without columns and actions; rows are named by their ids. */
export const bareList = <Row extends { readonly id: string }>(
  more: Partial<Parameters<typeof list<Row>>[0]> = {},
): ReturnType<typeof list<Row>> =>
  list<Row>({
    id: 'things',
    title: 'Things',
    load: () => ({}) as never,
    idOf: (row) => row.id,
    nameOf: (row) => row.id,
    columns: [],
    actions: [],
    empty: '',
    ...more,
  });

/** A list of things with that action. */
export const thingsNamed = (nameOf: (row: { readonly id: string }) => string): AnyList =>
  bareList({ noun: 'thing', nameOf, detail: { sections: () => [] }, actions: [turn] });
