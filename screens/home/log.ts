import type { BlockNow, BoardLine } from '../../src/describe/board.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Material } from '../../src/describe/derived.ts';
import type { LoggedEdit } from '../../src/describe/logged-edit.ts';
import { clockTime } from '../../src/lib/time-text.ts';
import { offsetName } from '../../src/lib/zone.ts';
import { monitorStateTone } from '../monitors/columns.ts';
import { readState } from '../monitors/row.ts';

const most = 100;

/** Changes of state that polls have shown, and edits, newest first. */
export function logBlock({ changes, edits = [] }: Pick<Material, 'changes' | 'edits'>, context: Context): BlockNow {
  const time = (at: number) => ({ text: clockTime(at, context.zone), tone: 'dim' as const });
  const states = changes.filter(({ from, to }) => from.word !== to.word);
  const changed = states.map(({ at: readAt, id, name, to: { word } }): BoardLine & { readonly at: number } => ({
    at: readAt,
    id: `log ${readAt} ${word} ${id}`,
    block: 'log',
    name,
    cells: {
      time: time(readAt),
      what: { text: word, tone: monitorStateTone(readState(word)) },
      name: { text: name },
    },
    place: { list: 'monitors', row: id },
  }));
  const edited = edits.map((edit) => ({ ...editLine(edit, 'log', context), at: edit.at }));
  return {
    id: 'log',
    title: `Log (${offsetName(context.now, context.zone)})`,
    head: [{ text: 'state changes and edits, newest first', tone: 'dim' }],
    columns: [
      { id: 'time', priority: 2 },
      { id: 'what', priority: 1, max: 18 },
      { id: 'name', priority: 1, flex: true },
    ],
    lines: [...changed, ...edited].toSorted((one, other) => other.at - one.at).slice(0, most),
    empty: 'No change and no edit seen yet',
    least: 3,
    aside: true,
  };
}

/** An edit of the journal, as a line of a block. */
export const editLine = (
  { id, at: instant, did, target, outcome }: LoggedEdit,
  block: string,
  context: Context,
): BoardLine => ({
  id: `${block} ${id}`,
  block,
  name: target,
  cells: {
    time: { text: clockTime(instant, context.zone), tone: 'dim' },
    what: { text: did, tone: outcome === 'applied' ? 'info' : outcome === 'refused' ? 'bad' : 'warn' },
    name: { text: outcome === 'applied' ? target : `${target} (${outcome})` },
  },
  place: {},
});
