import { itemBeside } from '../list/detail.ts';
import { previewNeeds, previewRoom } from '../rows/geometry.ts';
import { type Binding, inGroup } from '../state/binding.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { View } from '../state/view.ts';
import { turnKeys } from './detail.ts';

const choose = inGroup('choose');
const move = (keys: string[], title: string, run: Message, hint?: number): Binding =>
  inGroup('move')(keys, title, run, undefined, { hint });

const markAll = choose(
  ['*'],
  'mark all',
  { type: 'markAll' },
  'Mark all rows that match the filter; in a block those that are not muted',
);

const mark = ({ list, row, acting }: View): Binding =>
  choose(['space'], 'mark', { type: 'toggleMark' }, 'Mark and move down', {
    hint: list.board ? undefined : 34,
    refused: row === undefined || (list.board && acting.rows.length === 0) ? 'no row to mark' : undefined,
  });

/** Bindings that move through the list or detail in front, and mark rows. */
export function movingKeys(state: State, view: View): Binding[] {
  const { listState, detail } = view;
  const rows = detail ? detail.tab.kind === 'rows' : true;
  const digits =
    listState.anchor === undefined
      ? []
      : [
          inGroup('here')(
            [...'0123456789'],
            'count',
            { type: 'addDigit', digit: '' },
            'Rows of the next move of the range',
          ),
        ];
  const steps = [
    move(['j', 'down'], rows ? 'down' : 'scroll down', { type: 'moveCursor', by: 1 }),
    move(['k', 'up'], rows ? 'up' : 'scroll up', { type: 'moveCursor', by: -1 }),
    move(['ctrl+d', 'pagedown'], 'half page down', { type: 'movePage', by: 1 }),
    move(['ctrl+u', 'pageup'], 'half page up', { type: 'movePage', by: -1 }),
    {
      ...move(['g', 'home'], 'top', { type: 'moveToEnd', last: false }),
      ...(view.list.board ? { help: 'Top line; marks what is new as seen' } : {}),
    },
    move(['G', 'end'], 'bottom', { type: 'moveToEnd', last: true }),
  ];
  const open = (refusal: string): Binding => ({
    ...move(['return'], 'open', { type: 'openCurrent' }, 1),
    refused: view.row === undefined ? refusal : undefined,
  });
  // On a board the cursor goes over the lines of all blocks, and from block to block.
  if (view.list.board)
    return [
      ...steps,
      move(['tab', ']'], 'next block', { type: 'moveBlock', by: 1 }, 2),
      move(['shift+tab', '['], 'previous block', { type: 'moveBlock', by: -1 }),
      open('nothing to open'),
      mark(view),
      { ...markAll, hint: listState.asked.search.subject === undefined ? undefined : 28 },
    ];
  return [
    ...digits,
    ...steps,
    ...(detail
      ? turnKeys(detail, (by) => itemBeside(view, by) !== undefined)
      : [
          open('no row to open'),
          move(['h', 'left'], 'scroll left', { type: 'scrollColumns', by: -1 }),
          move(['l', 'right'], 'scroll right', { type: 'scrollColumns', by: 1 }),
          {
            ...move(['p'], 'preview', { type: 'togglePreview' }),
            help: 'Move the preview: below the list, on its right, or off',
            ...(previewRoom(state.size, view.preview).length > 0 ? {} : { refused: `needs ${previewNeeds}` }),
          },
          ...(view.screen.lists.length > 1
            ? [
                move(['[', 'shift+tab'], 'previous tab', { type: 'moveTab', by: -1 }),
                move([']', 'tab'], 'next tab', { type: 'moveTab', by: 1 }),
              ]
            : []),
          mark(view),
          choose(['v'], 'range', { type: 'toggleRange' }, 'Mark from here to where you move; v4j marks five rows'),
          markAll,
        ]),
  ];
}
