import type { Context } from '../../src/describe/context.ts';
import type { OpenEnds } from '../../src/describe/screen.ts';
import { dayAndTime } from '../../src/lib/end-time.ts';
import { isSilent } from './columns.ts';
import { endWords, findMutes, type Mute, muteSource, untilWords, wideWords } from './mutes.ts';
import type { MonitorRow } from './row.ts';

/** Mutes that end within this time are told, in milliseconds. */
const soonMs = 2 * 3_600_000;
/** Monitors that are named. */
const mostNames = 20;

/** What a colleague needs to know of a monitor: its state, and what mutes it until when, why and by whom. */
export function currentState(row: MonitorRow, context: Context): string {
  const mutes = findMutes(row, context.now);
  const about = mutes.map((mute) =>
    [mutedText(mute, context), mute.why ? `reason: ${mute.why}` : '', mute.who ? `set by ${mute.who}` : '']
      .filter((part) => part !== '')
      .join(', '),
  );
  const muted = row.mutedUntil !== undefined && row.mutedUntil > context.now;
  const none = muted ? 'muted' : row.partial ? 'mutes not read' : 'not muted';
  return `${row.state.toUpperCase()}, ${about.length > 0 ? about.join('; ') : none}`;
}

/** `muted (all groups) until 07:30 UTC by downtime 812`. */
function mutedText(mute: Mute, context: Context): string {
  const by = mute.by === 'mute' ? '' : ` by ${muteSource(mute)}`;
  return `muted (${mute.scope === '*' ? 'all groups' : mute.scope}) ${untilWords(mute.end, context)}${by}${wideWords(mute)}`;
}

/** Alerting monitors without a mute, the most urgent first, and those that notify by themselves because their mute ends. */
export function openEnds(rows: readonly MonitorRow[], context: Context): readonly OpenEnds[] {
  const alerting = rows.filter((row) => row.state === 'Alert');
  const loud = alerting
    .filter((row) => isSilent(row, context.now) === false)
    .toSorted((one, other) => (one.priority ?? 9) - (other.priority ?? 9));
  const ending = alerting
    .flatMap((row) => findMutes(row, context.now).map(({ end }) => ({ row, end: end ?? Number.POSITIVE_INFINITY })))
    .filter(({ end }) => end - context.now < soonMs)
    .toSorted((one, other) => one.end - other.end);
  return [
    {
      ...{ title: 'Alerting, not muted', count: loud.length, isUrgent: true },
      named: loud.slice(0, mostNames).map((row) => ({
        lead: row.priority == null ? undefined : `P${row.priority}`,
        name: row.name,
        rest: standing(row, context),
        row: row.id,
      })),
    },
    {
      ...{ title: 'Will notify when its mute ends', count: ending.length, isUrgent: true },
      named: ending
        .slice(0, mostNames)
        .map(({ row, end }) => ({ lead: endWords(end, context), name: row.name, row: row.id })),
    },
  ];
}

/** `(since 04:40, region:eu1 muted)`. */
function standing(row: MonitorRow, { now, zone }: Context): string | undefined {
  const { stateSince } = row;
  const since = stateSince === undefined ? [] : [`since ${dayAndTime(stateSince, now, zone)}`];
  const muted = [...new Set(findMutes(row, now).map(({ scope }) => `${scope} muted`))];
  const facts = [...since, ...muted];
  return facts.length === 0 ? undefined : `(${facts.join(', ')})`;
}
