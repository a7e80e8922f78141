import { type DetailLine, facts, gap, head, type LineFact, pair, textLine } from '../../src/describe/column.ts';
import { type Context, endsSeen, isFlapping, type SeenState, seenCourse } from '../../src/describe/context.ts';
import { capitalized, plural } from '../../src/lib/text.ts';
import { age } from '../../src/lib/time.ts';
import { groupTone, monitorKindWord, namedIn, runbookLinks, standingTone } from './columns.ts';
import { describeMute, distinct, endWords, findMutes, isTold, pagesAgainAt, untilWords } from './mutes.ts';
import {
  isRed,
  type MonitorGroup,
  type MonitorRow,
  rawMonitor,
  redNames,
  scopeOf,
  stateOf,
  toInstant,
  toObject,
  toText,
} from './row.ts';

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
  const course = seen && seenCourse(seen, context);
  return course === undefined ? [] : [pair('As seen', course)];
}

/** `FLAPPING` where the state changed four times within an hour. */
function flapping(row: MonitorRow, context: Context): string {
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
    ...again(row, context).map((sentence) => textLine(sentence, 'warn')),
  ];
}

/**
 * `Will notify again at 04:12 UTC if still alerting`, for the whole or for each group; only where that is true. `May` where it is not told
 * whether the end of a downtime notifies.
 */
export const again = (row: MonitorRow, context: Pick<Context, 'now' | 'zone'>): readonly string[] =>
  againAt(row, context.now).map(([end, silent]) => {
    const audience =
      silent.length === redNames(row).length
        ? ''
        : `${silent.slice(0, 3).join(', ')}${silent.length > 3 ? ` and ${silent.length - 3} more` : ''}: `;
    const moment = endWords(end, context);
    // Today's is a time alone; others begin with their day.
    const when = /^\d\d:/.test(moment) ? `at ${moment}` : moment;
    const verb = row.mutes.every((mute) => mute.end !== end || isTold(mute)) ? 'will' : 'may';
    return `${audience === '' ? capitalized(verb) : audience + verb} notify again ${when} if still alerting`;
  });

/** When it notifies again because the last mute over some of its groups ends, and over which; the soonest first. */
export function againAt(row: MonitorRow, now: number): readonly (readonly [end: number, names: readonly string[]])[] {
  const mutes = distinct(row.mutes);
  const endOf = (name: string) => pagesAgainAt(mutes, name, now, stateOf(row, name));
  const byEnd = Map.groupBy(redNames(row), (name) => endOf(name) ?? Number.POSITIVE_INFINITY);
  byEnd.delete(Number.POSITIVE_INFINITY);
  return [...byEnd].toSorted(([one], [other]) => one - other);
}

/** Groups that are named before the rest is only counted. */
const namedGroups = 6;

/** What decides about a monitor: state, mutes and groups, what it watches, who hears of it; then message and all groups. */
export function preview(row: MonitorRow, context: Context): readonly DetailLine[] {
  const { worst: groups } = row;
  const [standing, ...mutes] = stateLines(row, context);
  const since = row.stateSince === undefined ? '' : ` ${age(row.stateSince, context.now)}`;
  const message = row.message.trim();
  const hidden = row.groups.all - namedGroups;
  const unlisted = row.groups.all - groups.length;
  return [
    facts(
      { text: `${row.state.toUpperCase()}${since}`, tone: standing?.kind === 'pair' ? standing.tone : undefined },
      { text: flapping(row, context), tone: 'warn' },
      row.priority === undefined ? '' : `P${row.priority}`,
      ...groups.slice(0, namedGroups).map((group) => groupFact(row, group, context)),
      hidden > 0 ? plural(hidden, 'more group') : '',
    ),
    ...mutes,
    ...(row.query === '' ? [] : [textLine(row.query)]),
    facts(
      ...runbookLinks(row, context).map(({ name, url }) => ({
        label: 'runbook',
        text: [name, url].filter(Boolean).join(' '),
        isSaidBelow: true,
      })),
      { text: namedIn(row).join(' '), isSaidBelow: true },
      `${monitorKindWord(row.type)} monitor`,
      { text: row.tags.join(' '), tone: 'dim' },
      row.modified === undefined ? '' : `updated ${age(row.modified, context.now)} ago`,
      row.creator === undefined ? '' : `by ${row.creator}`,
    ),
    ...(message === '' ? [] : [gap, head('Message'), ...textLines(message)]),
    ...(groups.length > 1 ? [gap, head('Groups'), ...groups.map((group) => groupLine(row, group, context))] : []),
    ...(unlisted > 0 ? [textLine(`and ${plural(unlisted, 'more group')}`, 'dim')] : []),
  ];
}

/** The lines of a text. */
export const textLines = (text: string): readonly DetailLine[] =>
  text.split(/\r?\n/).map((line) => (line.trim() === '' ? gap : textLine(line)));

/** Of a monitor without groups only the value is new. */
const nameOf = ({ name }: MonitorGroup): string => (name === '*' ? 'value' : name);

/** `host:web-1 7.3 4m`, in the tone of its state. */
function groupFact(row: MonitorRow, group: MonitorGroup, context: Context): LineFact {
  const tone = groupTone(row, group, context.now);
  if (group.name === '*') return { text: group.value === undefined ? '' : `value ${group.value}`, tone };
  return { text: [group.name, measured(group, context)].filter(Boolean).join(' '), tone };
}

/** `7.3 4m` */
const measured = ({ value, since }: MonitorGroup, { now }: Context): string =>
  [value, since === undefined ? '' : age(since, now)].filter(Boolean).join(' ');

/** A group with its state, value and age. */
export const groupLine = (row: MonitorRow, group: MonitorGroup, context: Context): DetailLine =>
  pair(nameOf(group), [group.state, measured(group, context)].join(' ').trim(), groupTone(row, group, context.now));
