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
            help: 'steps for the next move of the range',
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
    move(['ctrl+d', 'pagedown'], 'half a page down', { do: 'page', by: 1 }),
    move(['ctrl+u', 'pageup'], 'half a page up', { do: 'page', by: -1 }),
    move(['g', 'home'], 'first', { do: 'end', last: false }),
    move(['G', 'end'], 'last', { do: 'end', last: true }),
    ...(detail
      ? turnKeys(detail, (by) => itemBeside(view, by) !== undefined)
      : [
          {
            ...move(['return'], 'open', { do: 'open' }, 1),
            refused: view.row === undefined ? 'there is no row to open' : undefined,
          },
          move(['h', 'left'], 'columns left', { do: 'scroll', by: -1 }),
          move(['l', 'right'], 'columns right', { do: 'scroll', by: 1 }),
          {
            ...move(['p'], 'preview', { do: 'preview' }),
            help: 'below the list, on its right, or off',
            ...(previewRoom(state.size).length > 0 ? {} : { refused: `no room for it here: it needs ${previewNeeds}` }),
          },
          ...(view.screen.lists.length > 1
            ? [
                move(['[', 'shift+tab'], 'tab before', { do: 'tab', by: -1 }),
                move([']', 'tab'], 'next tab', { do: 'tab', by: 1 }),
              ]
            : []),
          {
            keys: ['space'],
            title: 'mark',
            group: 'choose' as const,
            run: { do: 'mark' } as const,
            hint: 3,
            help: 'mark the row and step on',
          },
          {
            keys: ['v'],
            title: 'range',
            group: 'choose' as const,
            run: { do: 'range' } as const,
            help: 'mark from here to where you move; a count may follow: v4j',
          },
          {
            keys: ['*'],
            title: 'mark all',
            group: 'choose' as const,
            run: { do: 'markAll' } as const,
            help: 'mark all rows that match the filter',
          },
        ]),
  ];
}

/** Bindings on a board: over the lines of all blocks, and from block to block. */
function boardKeys(view: View, move: Move): Binding[] {
  return [
    move(['j', 'down'], 'down', { do: 'move', by: 1 }),
    move(['k', 'up'], 'up', { do: 'move', by: -1 }),
    move(['ctrl+d', 'pagedown'], 'half a page down', { do: 'page', by: 1 }),
    move(['ctrl+u', 'pageup'], 'half a page up', { do: 'page', by: -1 }),
    { ...move(['g', 'home'], 'first', { do: 'end', last: false }), help: 'first line; what is new counts as seen' },
    move(['G', 'end'], 'last', { do: 'end', last: true }),
    move(['tab', ']'], 'next block', { do: 'block', by: 1 }, 2),
    move(['shift+tab', '['], 'block before', { do: 'block', by: -1 }),
    {
      ...move(['return'], 'open', { do: 'open' }, 1),
      refused: view.row === undefined ? 'there is nothing to open' : undefined,
    },
  ];
}
