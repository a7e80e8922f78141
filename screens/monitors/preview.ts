import { type DetailLine, facts, gap, head, type LineFact, pair, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { plural } from '../../src/lib/text.ts';
import { age } from '../../src/lib/time-text.ts';
import { groupTone, monitorKindWord } from './columns.ts';
import type { MonitorGroup, MonitorRow } from './row.ts';
import { flapping, stateLines } from './state-lines.ts';
import { namedIn, runbookLinks } from './subjects.ts';

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
    ...(message === '' ? [] : [gap, head('Message'), ...message.split(/\r?\n/).map(lineOf)]),
    ...(groups.length > 1 ? [gap, head('Groups'), ...groups.map((group) => groupLine(row, group, context))] : []),
    ...(unlisted > 0 ? [textLine(`and ${plural(unlisted, 'more group')}`, 'dim')] : []),
  ];
}

const lineOf = (line: string): DetailLine => (line.trim() === '' ? gap : textLine(line));

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
