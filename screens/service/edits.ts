import type { BlockNow, BoardLine } from '../../src/describe/board.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Material, Told } from '../../src/describe/derived.ts';
import type { LoggedEdit } from '../../src/describe/logged-edit.ts';
import { clockTime } from '../../src/lib/time-text.ts';
import { offsetName } from '../../src/lib/zone.ts';
import { readTrouble, waiting } from '../home/block.ts';
import { editLine } from '../home/log.ts';
import type { IssueRow } from '../issues/row.ts';
import type { MonitorRow } from '../monitors/row.ts';

const aDay = 86_400_000;
/** The service's clock and this one may differ by so much, and an edit has several requests. */
const nearMs = 120_000;

/** Edits of the last day: those of the journal, and monitors that were changed without an entry of it. `edits` is absent where no journal is read. */
export function editsBlock(
  { monitors: feed, issues: found }: Material['told'],
  monitors: readonly MonitorRow[],
  edits: readonly LoggedEdit[] | undefined,
  context: Context,
): BlockNow {
  const { now, zone } = context;
  const issues: readonly IssueRow[] = found?.rows ?? [];
  const services = new Map([...monitors, ...issues].map((row) => [row.id, row]));
  const listedEdits = (edits ?? []).filter(({ at, targetId }) => services.has(targetId ?? '') && now - at < aDay);
  const others = monitors.filter(
    ({ id, modified }) =>
      modified !== undefined &&
      now - modified < aDay &&
      !listedEdits.some(({ targetId, at }) => targetId === id && Math.abs(at - modified) < nearMs),
  );
  const lines = [
    ...listedEdits.map((edit) => ({ at: edit.at, line: editLine(edit, 'edits', context) })),
    ...others.map((row) => ({ at: row.modified ?? 0, line: otherLine(row, edits !== undefined, context) })),
  ];
  return {
    id: 'edits',
    isHalf: true,
    title: `Edits, last day (${offsetName(now, zone)})`,
    head: [{ text: 'deploys are unknown: the API has none', tone: 'dim' }],
    columns: [
      { id: 'time', priority: 2 },
      { id: 'what', priority: 1, max: 24 },
      { id: 'name', priority: 1, flex: true },
    ],
    lines: lines.toSorted((one, other) => other.at - one.at).map(({ line }) => line),
    empty: waiting(feed, 'No edits in the last day'),
    trouble: unreadOf(feed, 'monitors', context) ?? unreadOf(found, 'issues', context),
    least: 2,
  };
}

/** That edits of rows are missing which could not be read; their own block says why. */
const unreadOf = (feed: Told | undefined, subject: string, context: Context): string | undefined =>
  feed?.rows ? undefined : readTrouble(feed, `edits of ${subject}`, context, feed?.problem?.text);

/** A monitor that others changed; where no journal is read, it may have been the person. */
const otherLine = (row: MonitorRow, isOther: boolean, { zone }: Context): BoardLine => ({
  id: `edits ${row.id}`,
  block: 'edits',
  name: row.name,
  cells: {
    time: { text: clockTime(row.modified ?? 0, zone), tone: 'dim' },
    what: { text: isOther ? 'edited by others' : 'edited' },
    name: { text: row.name },
  },
  place: { list: 'monitors', row: row.id },
  subject: { list: 'monitors', row },
});
