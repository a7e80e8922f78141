import type { DetailView } from '../rows/detail-view.ts';
import { type Binding, inGroup } from '../state/binding.ts';
import type { View } from '../state/view.ts';

/** Whether the open detail has a search, which takes `matchKeys` from the actions. */
export const searching = ({ detail }: View): boolean => detail !== undefined && detail.wanted !== '';

export const matchKeys: readonly string[] = ['n', 'N'];

/** Bindings that find a text in the open detail. */
export function findKeys({ wanted, found }: Pick<DetailView, 'wanted' | 'found'>): Binding[] {
  const refused = found.length === 0 ? 'no match' : undefined;
  const find = { keys: ['/'], title: 'find', group: 'find', run: { type: 'openFind' }, hint: 30 } as const;
  const help = 'Find a text in this tab; n and N go to its matches, Esc ends the search';
  if (wanted === '') return [{ ...find, help }];
  return [
    { ...find, help },
    { keys: ['n'], title: 'next match', group: 'find', run: { type: 'moveMatch', by: 1 }, hint: 4, refused },
    { keys: ['N'], title: 'previous match', group: 'find', run: { type: 'moveMatch', by: -1 }, hint: 6, refused },
  ];
}

const move = inGroup('move');

/** Bindings that turn to other tabs and to the details of the rows beside. */
export function turnKeys({ tabs }: Pick<DetailView, 'tabs'>, hasItem: (by: 1 | -1) => boolean): Binding[] {
  const item = (key: string, title: string, by: 1 | -1, hint?: number) =>
    move([key], title, { type: 'moveItem', by }, `Go to the ${title} of the list, without leaving the detail`, {
      hint,
      refused: hasItem(by) ? undefined : `this is the ${by === 1 ? 'last' : 'first'} one`,
    });
  const turn = (keys: string[], title: string, by: number, hint?: number) =>
    move(keys, title, { type: 'moveTab', by }, undefined, { hint });
  return [
    turn(['[', 'shift+tab', 'h', 'left'], 'previous tab', -1),
    turn([']', 'tab', 'l', 'right'], 'next tab', 1, tabs.length > 1 ? 2 : undefined),
    item('J', 'next item', 1, 5),
    item('K', 'previous item', -1),
  ];
}
