import type { Context } from '../../src/describe/context.ts';
import type { OpenEnd } from '../../src/describe/screen.ts';
import { dayAndTime } from '../../src/lib/end-time.ts';
import { present } from '../../src/lib/present-members.ts';
import { plural } from '../../src/lib/text.ts';
import { isSilent } from './columns.ts';
import { endWords, findMutes, type Mute, muteSource, untilWords, wideWords } from './mutes.ts';
import type { MonitorRow } from './row.ts';

/** Mutes that end within this time are open ends, in milliseconds. */
const soonMs = 2 * 3_600_000;
/** Alerting monitors that are named. */
const mostNames = 5;

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

/** Alerting monitors without a mute, the most urgent first, and mutes that end soon while their monitor alerts. */
export function openEnds(rows: readonly MonitorRow[], context: Context): readonly OpenEnd[] {
  const alerting = rows.filter((row) => row.state === 'Alert');
  const loud = alerting.filter((row) => isSilent(row, context.now) === false);
  const first = loud.toSorted((one, other) => (one.priority ?? 9) - (other.priority ?? 9)).slice(0, mostNames);
  const more = loud.length - first.length;
  const ending = alerting.flatMap((row) =>
    findMutes(row, context.now).flatMap(({ end }) =>
      end !== null && end - context.now < soonMs
        ? [{ ...about(row), lead: 'Alerting, mute ends soon:', rest: `(${endWords(end, context)})` }]
        : [],
    ),
  );
  return [
    ...first.map((row) => ({
      ...about(row),
      lead: 'Alerting, not muted:',
      ...present({ rest: urgency(row, context) }),
    })),
    ...(more > 0 ? [{ lead: `Alerting, not muted: ${plural(more, 'more monitor')}`, isUrgent: true }] : []),
    ...ending,
  ];
}

/** `(P2, since 04:40)`. */
function urgency({ priority, stateSince }: MonitorRow, { now, zone }: Context): string | undefined {
  const parts = [
    ...(priority == null ? [] : [`P${priority}`]),
    ...(stateSince === undefined ? [] : [`since ${dayAndTime(stateSince, now, zone)}`]),
  ];
  return parts.length > 0 ? `(${parts.join(', ')})` : undefined;
}

const about = ({ id, name }: MonitorRow) => ({ name, row: id, isUrgent: true });
