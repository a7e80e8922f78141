import { type DetailLine, pair, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { endsSeen, isFlapping, type SeenState, seenCourse } from '../../src/describe/seen-states.ts';
import { age } from '../../src/lib/time-text.ts';
import { standingTone } from './columns.ts';
import { describeMute, endWords, findMutes, type Mute, pagesAgainAt, untilWords } from './mutes.ts';
import { isRed, type MonitorRow, rawMonitor, scopeOf, toInstant, toObject, toText } from './row.ts';

/** The state of a monitor for its history: its word, how many of its groups notify, and when its mutes end. */
export function trackedState({ state, groups: { red }, mutes }: MonitorRow): SeenState {
  const ends = mutes.flatMap(({ end }) => end ?? []);
  return {
    word: state.toUpperCase(),
    level: Math.max(red.length, isRed(state) ? 1 : 0),
    ...(ends.length > 0 && { ends: [...new Set(ends)].toSorted() }),
  };
}

/** Where a group notified within the minute after a mute was seen to end. */
function notifiedAgain(row: MonitorRow, context: Context): readonly DetailLine[] {
  const seen = context.seen?.('monitors', row.id);
  const times = [...notifiedTimes(row).values()];
  const end = seen && endsSeen(seen).findLast((one) => times.some((at) => at >= one && at - one <= 60_000));
  return end === undefined
    ? []
    : [textLine(`Notified again because a mute ended at ${endWords(end, context)}`, 'info')];
}

/** When each group last notified, by its name: epoch milliseconds. */
export function notifiedTimes(row: MonitorRow): ReadonlyMap<string, number> {
  const told = Object.entries(toObject(toObject(rawMonitor(row).state).groups));
  return new Map(
    told.flatMap(([key, group]) => {
      const { name, last_notified_ts } = toObject(group);
      const at = toInstant(last_notified_ts);
      return at === undefined ? [] : [[scopeOf(toText(name)) ?? key, at] as const];
    }),
  );
}

/** Where its states have changed while this program looked: how often, and the course of its notifying groups. */
function seenLines(row: MonitorRow, context: Context): readonly DetailLine[] {
  const seen = context.seen?.('monitors', row.id);
  const course = seen && seenCourse(seen, trackedState(row), context);
  return course === undefined ? [] : [pair('As seen', course)];
}

/** `FLAPPING` where the state changed four times within an hour. */
export function flapping(row: MonitorRow, context: Context): string {
  const seen = context.seen?.('monitors', row.id);
  return seen && isFlapping(seen, context.now) ? 'FLAPPING' : '';
}

/** The state of a monitor, its mutes with end, reason and author, and when it will notify again. */
export function stateLines(row: MonitorRow, context: Context): readonly DetailLine[] {
  const since = row.stateSince === undefined ? '' : ` for ${age(row.stateSince, context.now)}`;
  const live = findMutes(row, context.now);
  return [
    pair(
      'State',
      [`${row.state === 'Alert' ? 'Alerting' : row.state}${since}`, flapping(row, context)].filter(Boolean).join(' · '),
      standingTone(row, context.now),
    ),
    ...seenLines(row, context),
    ...notifiedAgain(row, context),
    ...live.map((mute) =>
      pair(
        'Muted',
        [describeMute(mute, context), mute.why && `reason: ${mute.why}`, mute.who && `by ${mute.who}`]
          .filter(Boolean)
          .join(' · '),
        'info',
      ),
    ),
    ...(row.mutedUntil !== undefined && live.length === 0
      ? [pair('Muted', untilWords(row.mutedUntil, context), 'info' as const)]
      : []),
    ...again(row, live, context).map((sentence) => textLine(sentence, 'warn')),
  ];
}

/** `Will notify again at 04:12 UTC if still alerting`, for the whole or for each group; only where that is true. */
export function again(
  row: MonitorRow,
  live: readonly Mute[],
  context: Pick<Context, 'now' | 'zone'>,
): readonly string[] {
  const { red } = row.groups;
  const names = red.length > 0 ? red : isRed(row.state) ? ['*'] : [];
  const namesByInstant = new Map<number, string[]>();
  for (const name of names) {
    const end = pagesAgainAt(live, name, context.now);
    if (end !== undefined) namesByInstant.set(end, [...(namesByInstant.get(end) ?? []), name]);
  }
  return [...namesByInstant]
    .toSorted(([one], [other]) => one - other)
    .map(([end, silent]) => {
      const audience =
        silent.length === names.length
          ? ''
          : `${silent.slice(0, 3).join(', ')}${silent.length > 3 ? ` and ${silent.length - 3} more` : ''}: `;
      const moment = endWords(end, context);
      // Today's is a time alone; others begin with their day.
      const when = /^\d\d:/.test(moment) ? `at ${moment}` : moment;
      return `${audience === '' ? 'Will' : `${audience}will`} notify again ${when} if still alerting`;
    });
}
