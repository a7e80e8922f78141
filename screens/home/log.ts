import type { Tone } from '../../src/describe/column.ts';
import type { Context, LoggedEdit } from '../../src/describe/context.ts';
import type { BlockNow, BoardLine, Material } from '../../src/describe/derived.ts';
import { oncePer } from '../../src/lib/function-results.ts';
import { clockTime, offsetName } from '../../src/lib/time.ts';
import { monitorStateTone, standingTone } from '../monitors/columns.ts';
import { type MonitorRow, readState } from '../monitors/row.ts';

const most = 100;
/** Of them the states that only the service tells: they leave room for edits. */
const mostBegun = 50;

const aDay = 86_400_000;

interface Begun {
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly word: string;
}

/** When monitors got into the state that they are in, as the service tells: the newest first. */
const newestStates = oncePer((rows: readonly MonitorRow[]): readonly Begun[] =>
  rows
    .flatMap(({ id, name, state, stateSince }) =>
      stateSince === undefined ? [] : [{ at: stateSince, id, name, word: state.toUpperCase() }],
    )
    .toSorted((one, other) => other.at - one.at)
    .slice(0, mostBegun),
);

const byId = oncePer((rows: readonly MonitorRow[]) => new Map(rows.map((row) => [row.id, row])));

/** The tone of a state that a monitor has or had: red where it is one that notifies now. */
function toneOf(row: MonitorRow | undefined, word: string, now: number): Tone {
  if (row?.state.toUpperCase() === word) return standingTone(row, now);
  return word === 'ALERT' ? 'plain' : monitorStateTone(readState(word));
}

/** Changes of state that polls have shown, those of the last day that the service tells besides, and edits, newest first. */
export function logBlock(
  { changes, edits = [] }: Pick<Material, 'changes' | 'edits'>,
  monitors: readonly MonitorRow[],
  context: Context,
): BlockNow {
  const time = (at: number) => ({ text: clockTime(at, context.zone), tone: 'dim' as const });
  const polled = changes
    .filter(({ from, to }) => from.word !== to.word)
    .map(({ at, id, name, to: { word } }) => ({ at, id, name, word }));
  const seen = new Set(polled.map(({ id, word }) => `${id} ${word}`));
  const begun = newestStates(monitors).filter(
    ({ at, id, word }) => context.now - at < aDay && !seen.has(`${id} ${word}`),
  );
  const changed = [...polled, ...begun].map(({ at: instant, id, name, word }): BoardLine & { readonly at: number } => ({
    at: instant,
    id: `log ${instant} ${word} ${id}`,
    block: 'log',
    name,
    cells: {
      time: time(instant),
      what: { text: word, tone: toneOf(byId(monitors).get(id), word, context.now) },
      name: { text: name },
    },
    place: { list: 'monitors', row: id },
  }));
  const edited = edits.map((edit) => ({ ...editLine(edit, 'log', context), at: edit.at }));
  const all = [...changed, ...edited].toSorted((one, other) => other.at - one.at);
  return {
    id: 'log',
    title: `Log (${offsetName(context.now, context.zone)})`,
    head: [{ text: 'state changes and edits, newest first', tone: 'dim' }],
    columns: [
      { id: 'time', priority: 2 },
      { id: 'what', priority: 1, max: 18 },
      { id: 'name', priority: 1, flex: true },
    ],
    lines: all.slice(0, most),
    total: all.length,
    empty: 'No change and no edit seen yet',
    least: 3,
    aside: true,
  };
}

/** What became of an edit: nothing where it is done, else ` (undone in part)`. */
export function editOutcome({ outcome, isPartlyUndone }: LoggedEdit): { readonly text: string; readonly tone?: Tone } {
  const state = isPartlyUndone ? 'undone in part' : outcome;
  return state === 'applied' ? { text: '' } : { text: ` (${state})`, tone: state === 'refused' ? 'bad' : 'warn' };
}

/** An edit of the journal, as a line of a block. */
export function editLine(edit: LoggedEdit, block: string, context: Context): BoardLine {
  const { id, at: instant, did, target } = edit;
  const { text, tone = 'info' } = editOutcome(edit);
  return {
    id: `${block} ${id}`,
    block,
    name: target,
    cells: {
      time: { text: clockTime(instant, context.zone), tone: 'dim' },
      what: { text: did, tone },
      name: { text: target + text },
    },
    place: {},
  };
}
