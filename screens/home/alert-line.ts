import type { BlockColumn, BoardLine } from '../../src/describe/board.ts';
import type { Tone } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { age } from '../../src/lib/time-text.ts';
import {
  findServices,
  groupsWords,
  isFreshAlert,
  monitorStateTone,
  mutedText,
  urgencyTone,
} from '../monitors/columns.ts';
import type { MonitorRow } from '../monitors/row.ts';
import { runbookLinks } from '../monitors/subjects.ts';

/** Groups that are drawn one by one. */
const mostDots = 8;

/** Columns of the monitors that notify, on Home and on the page of a service. */
export const alertColumns: readonly BlockColumn[] = [
  { id: 'state', title: 'STATE', priority: 1 },
  { id: 'priority', title: 'P', priority: 4 },
  { id: 'groups', title: 'GROUPS', priority: 2 },
  { id: 'for', title: 'FOR', priority: 3, align: 'right' },
  { id: 'name', title: 'MONITOR', priority: 1, flex: true, least: 44 },
  { id: 'service', title: 'SERVICE', priority: 6, max: 20 },
  { id: 'value', title: 'VALUE', priority: 8 },
  { id: 'runbook', title: 'RUNBOOK', isHeaded: true, priority: 9 },
  { id: 'muted', title: 'MUTE', priority: 7, max: 16 },
];

/** A monitor that notifies: how far it goes, since when, what it measures, what to do, what mutes it. */
export function alertLine(block: string, row: MonitorRow, isMuted: boolean, context: Context): BoardLine {
  const since = row.stateSince === undefined ? '' : age(row.stateSince, context.now);
  const muted = mutedText(row, context);
  const [state, dim]: readonly [Tone, Tone?] = isMuted ? ['quiet', 'dim'] : [urgencyTone(row)];
  const hasRunbook = runbookLinks(row, context).length > 0;
  return {
    id: `${block} ${row.id}`,
    block,
    name: row.name,
    cells: {
      state: { text: isMuted ? row.state.toLowerCase() : row.state.toUpperCase(), tone: state },
      priority: { text: row.priority === undefined ? '' : `P${row.priority}`, tone: state },
      groups: { text: groupDots(row, context), tone: dim ?? monitorStateTone(row.state), says: groupsWords(row) },
      for: { text: since, tone: 'dim', says: since === '' ? '' : `for ${since}` },
      name: { text: row.name, tone: dim ?? (isFreshAlert(row, context) ? 'strong' : 'plain') },
      // On the page of a service all are about it.
      ...(block === 'now' && { service: { text: findServices(row).join(' '), tone: 'dim' as const } }),
      value: { text: valueText(row), tone: dim ?? 'plain' },
      runbook: { text: hasRunbook ? 'yes' : '', tone: 'dim', says: hasRunbook ? 'has a runbook' : '' },
      muted: { text: muted, tone: 'info', says: muted === '' ? '' : `muted ${mutedText(row, context, 'words')}` },
    },
    since: isMuted ? undefined : row.stateSince,
    place: { list: 'monitors', row: row.id },
    subject: { list: 'monitors', row },
    isQuiet: isMuted,
  };
}

/** `●●○ 2/3`; of more groups than are drawn one by one, the numbers. */
function groupDots({ partial, groups: { all, red } }: MonitorRow, context: Pick<Context, 'ascii'>): string {
  if (partial) return '?';
  return all === 0 ? '' : dots(red.length, all, context);
}

/** So many of them filled, with the numbers; of more than eight the numbers alone. */
export function dots(filled: number, all: number, { ascii }: Pick<Context, 'ascii'>): string {
  const [full, open] = ascii ? ['#', '.'] : ['●', '○'];
  const drawn = all > mostDots ? '' : `${full.repeat(filled)}${open.repeat(all - filled)}`;
  return `${drawn.padEnd(mostDots)} ${filled}/${all}`;
}

/** `9 > 5`: the value of the group that is worst off, and what it is compared with. */
function valueText({ worst: [first], query }: MonitorRow): string {
  const value = Number(first?.value);
  if (first?.value === undefined || !Number.isFinite(value)) return '';
  return [String(Number(value.toPrecision(4))), /[<>]=?\s*-?[\d.]+\s*$/.exec(query)?.[0].trim()]
    .filter(Boolean)
    .join(' ');
}
