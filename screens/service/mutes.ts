import type { BlockNow, BoardLine } from '../../src/describe/board.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Told } from '../../src/describe/derived.ts';
import { age } from '../../src/lib/time-text.ts';
import { offsetName } from '../../src/lib/zone.ts';
import { readTrouble, waiting } from '../home/block.ts';
import { muteLine, mutesNow } from '../home/mutes.ts';
import { describeMute, type Mute, mutesRowId } from '../monitors/mutes.ts';
import type { MonitorRow } from '../monitors/row.ts';
import { nearTime, type PageSubject } from './subject.ts';

/** The mutes over monitors of the subject, now and to come, each with how much of it is left. */
export function mutesOfSubject(
  monitors: Told<MonitorRow> | undefined,
  downtimes: Told<Mute> | undefined,
  rows: readonly MonitorRow[],
  { tag }: PageSubject,
  context: Context,
): BlockNow {
  const ids = new Set(rows.map(({ id }) => id));
  const now = mutesNow(monitors, downtimes, context.now).filter((row) => row.monitors.some(({ id }) => ids.has(id)));
  const isOurs = ({ monitor, over = '', scope }: Mute) =>
    ids.has(monitor) || (tag !== '' && `${over} ${scope}`.split(/[\s,]+/).includes(tag));
  const coming = [...rows.flatMap(({ mutes }) => mutes), ...(downtimes?.rows ?? [])].filter(
    (mute) => (mute.start ?? 0) > context.now + 1000 && isOurs(mute),
  );
  const ahead = [...new Map(coming.map((mute) => [mute.id ?? mutesRowId(mute), mute])).values()];
  return {
    id: 'mutes',
    isHalf: true,
    title: `Mutes (${offsetName(context.now, context.zone)})`,
    head: [
      ...(now.length > 0 ? [{ text: `${now.length} now`, tone: 'dim' } as const] : []),
      ...(ahead.length > 0 ? [{ text: `· ${ahead.length} to come`, tone: 'dim' } as const] : []),
    ],
    columns: [
      { id: 'left', priority: 1, align: 'right' },
      { id: 'bar', priority: 4 },
      { id: 'covers', priority: 1, flex: true },
      { id: 'state', priority: 2, max: 60, least: 30 },
    ],
    lines: [
      ...now.map((row) => muteLine(row, context)),
      ...ahead.toSorted((one, other) => (one.start ?? 0) - (other.start ?? 0)).map((mute) => comingLine(mute, context)),
    ],
    empty: waiting(monitors, 'No mutes'),
    // The first block says why monitors cannot be read.
    trouble:
      readTrouble(monitors, 'mutes of monitors', context, monitors?.problem?.text) ??
      readTrouble(downtimes, 'who muted and why', context),
    least: 2,
  };
}

const comingLine = (mute: Mute, context: Context): BoardLine => ({
  id: `mutes ${mute.id ?? mutesRowId(mute)}`,
  block: 'mutes',
  name: describeMute(mute, context),
  cells: {
    left: { text: `in ${age(context.now, mute.start ?? context.now)}`, tone: 'dim' },
    covers: { text: describeMute(mute, context) },
    state: {
      text: [`from ${nearTime(mute.start ?? 0, context)}`, mute.who, mute.why && `"${mute.why}"`]
        .filter(Boolean)
        .join(' · '),
      tone: 'dim',
    },
  },
  place: { list: 'mutes' },
});
