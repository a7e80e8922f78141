import { itemBeside } from '../list/detail.ts';
import { previewNeeds, previewRoom } from '../list/geometry.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { View } from '../view.ts';
import type { Binding } from './binding.ts';
import { turnKeys } from './detail.ts';

type Move = (keys: string[], title: string, run: Message, hint?: number) => Binding;

/** Bindings that move through the list or detail in front, and mark rows. */
export function movingKeys(state: State, view: View): Binding[] {
  const { own, detail } = view;
  const rows = detail ? detail.tab.kind === 'rows' : true;
  const digits: Binding[] =
    own.anchor === undefined
      ? []
      : [
          {
            keys: [...'0123456789'],
            title: 'count',
            group: 'here',
            run: { do: 'digit', digit: '' },
            help: 'Rows of the next move of the range',
          },
        ];
  const move: Move = (keys, title, run, hint) => ({
    keys,
    title,
    group: 'move',
    run,
    hint,
  });
  if (view.list.board) return boardKeys(view, move);
  return [
    ...digits,
    move(['j', 'down'], rows ? 'down' : 'scroll down', { do: 'move', by: 1 }),
    move(['k', 'up'], rows ? 'up' : 'scroll up', { do: 'move', by: -1 }),
    move(['ctrl+d', 'pagedown'], 'half page down', { do: 'page', by: 1 }),
    move(['ctrl+u', 'pageup'], 'half page up', { do: 'page', by: -1 }),
    move(['g', 'home'], 'top', { do: 'end', last: false }),
    move(['G', 'end'], 'bottom', { do: 'end', last: true }),
    ...(detail
      ? turnKeys(detail, (by) => itemBeside(view, by) !== undefined)
      : [
          {
            ...move(['return'], 'open', { do: 'open' }, 1),
            refused: view.row === undefined ? 'no row to open' : undefined,
          },
          move(['h', 'left'], 'scroll left', { do: 'scroll', by: -1 }),
          move(['l', 'right'], 'scroll right', { do: 'scroll', by: 1 }),
          {
            ...move(['p'], 'preview', { do: 'preview' }),
            help: 'Move the preview: below the list, on its right, or off',
            ...(previewRoom(state.size).length > 0 ? {} : { refused: `needs ${previewNeeds}` }),
          },
          ...(view.screen.lists.length > 1
            ? [
                move(['[', 'shift+tab'], 'previous tab', { do: 'tab', by: -1 }),
                move([']', 'tab'], 'next tab', { do: 'tab', by: 1 }),
              ]
            : []),
          {
            keys: ['space'],
            title: 'mark',
            group: 'choose' as const,
            run: { do: 'mark' } as const,
            hint: 34,
            help: 'Mark and move down',
            refused: view.row === undefined ? 'no row to mark' : undefined,
          },
          {
            keys: ['v'],
            title: 'range',
            group: 'choose' as const,
            run: { do: 'range' } as const,
            help: 'Mark from here to where you move; v4j marks five rows',
          },
          {
            keys: ['*'],
            title: 'mark all',
            group: 'choose' as const,
            run: { do: 'markAll' } as const,
            help: 'Mark all rows that match the filter',
          },
        ]),
  ];
}

/** Bindings on a board: over the lines of all blocks, and from block to block. */
function boardKeys(view: View, move: Move): Binding[] {
  return [
    move(['j', 'down'], 'down', { do: 'move', by: 1 }),
    move(['k', 'up'], 'up', { do: 'move', by: -1 }),
    move(['ctrl+d', 'pagedown'], 'half page down', { do: 'page', by: 1 }),
    move(['ctrl+u', 'pageup'], 'half page up', { do: 'page', by: -1 }),
    { ...move(['g', 'home'], 'top', { do: 'end', last: false }), help: 'Top line; marks what is new as seen' },
    move(['G', 'end'], 'bottom', { do: 'end', last: true }),
    move(['tab', ']'], 'next block', { do: 'block', by: 1 }, 2),
    move(['shift+tab', '['], 'previous block', { do: 'block', by: -1 }),
    {
      ...move(['return'], 'open', { do: 'open' }, 1),
      refused: view.row === undefined ? 'nothing to open' : undefined,
    },
  ];
}
