import { itemBeside } from '../list/detail.ts';
import type { View } from '../view.ts';
import type { Binding } from './binding.ts';

/** Whether the open detail has a search, which takes `matchKeys` from the actions. */
export const searching = ({ detail }: View): boolean => detail !== undefined && detail.wanted !== '';

export const matchKeys: readonly string[] = ['n', 'N'];

/** Bindings that find a text in the open detail. */
export function findKeys(view: View): Binding[] {
  const none = view.detail?.found.length === 0 ? 'nothing matches' : undefined;
  return [
    {
      keys: ['/'],
      title: 'find',
      group: 'find',
      run: { do: 'find' },
      hint: 30,
      help: 'find a text in this tab; n and N then go to its matches',
    },
    ...(searching(view)
      ? [
          {
            keys: ['n'],
            title: 'next match',
            group: 'find',
            run: { do: 'match', by: 1 },
            hint: 4,
            refused: none,
          } as const,
          { keys: ['N'], title: 'match before', group: 'find', run: { do: 'match', by: -1 }, refused: none } as const,
        ]
      : []),
  ];
}

/** Bindings that turn to other tabs and to the details of the rows beside. */
export function turnKeys(view: View): Binding[] {
  const item = (key: string, title: string, by: 1 | -1, hint?: number): Binding => ({
    keys: [key],
    title,
    group: 'move',
    run: { do: 'item', by },
    hint,
    help: `${title} of the list, without leaving the detail`,
    refused: itemBeside(view, by) === undefined ? `this is the ${by > 0 ? 'last' : 'first'} one` : undefined,
  });
  const turn = (keys: string[], title: string, by: number, hint?: number): Binding => ({
    keys,
    title,
    group: 'move',
    run: { do: 'tab', by },
    hint,
  });
  return [
    turn(['[', 'shift+tab', 'h', 'left'], 'tab before', -1),
    turn([']', 'tab', 'l', 'right'], 'next tab', 1, view.detail && view.detail.tabs.length > 1 ? 2 : undefined),
    item('J', 'next item', 1, 5),
    item('K', 'item before', -1),
  ];
}
