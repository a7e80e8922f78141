import { pair, type Section, section, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { formatCount, plural } from '../../src/lib/text.ts';
import { age, timeLeft } from '../../src/lib/time.ts';
import { nearTime } from '../home/board.ts';
import { editOutcome } from '../home/log.ts';
import { redFirst } from '../home/now.ts';
import { errorText, stateMark } from '../issues/columns.ts';
import { assigneeName, type IssueRow } from '../issues/row.ts';
import { isAbout, mutedText, standingTone } from '../monitors/columns.ts';
import { findMutes, scopedText } from '../monitors/mutes.ts';
import { isRed, type MonitorRow } from '../monitors/row.ts';

/** Lines of a section at most; its title counts all. */
const most = 8;

/** What the detail of a monitor or an issue has beside it. */
interface Subject {
  readonly id: string;
  /** Its services; what is about the first of them stands beside it. */
  readonly services: readonly string[];
}

/** What else is known of a service, out of lists that were read: alerts, issues and mutes; and the edits of the thing itself. */
export function neighbors({ id, services: [service] }: Subject, context: Context): readonly Section[] {
  const told = (context.loaded?.('monitors') ?? []) as readonly MonitorRow[];
  const monitors =
    service === undefined ? [] : told.filter((row) => row.id !== id && isAbout(row, `service:${service}`));
  const issues = ((context.loaded?.('issues') ?? []) as readonly IssueRow[]).filter(
    (row) => row.id !== id && service !== undefined && row.service === service,
  );
  return [
    editSection(id, context),
    monitorSection(service, monitors, context),
    issueSection(service, issues, context),
    muteSection(service, monitors, context),
  ];
}

function monitorSection(service: string | undefined, rows: readonly MonitorRow[], context: Context): Section {
  const red = redFirst(rows, context.now);
  const lines = red.slice(0, most).map(({ row, isMuted }) => {
    const since = row.stateSince === undefined ? '' : age(row.stateSince, context.now);
    const muted = isMuted ? `muted ${mutedText(row, context, 'words')}` : '';
    const priority = row.priority === undefined ? '' : `P${row.priority}`;
    return pair(
      `${row.state.toUpperCase()} ${since}`.trim(),
      [priority, row.name, muted].filter(Boolean).join(' · '),
      standingTone(row, context.now),
    );
  });
  const calm = Map.groupBy(rows, ({ state }) => (isRed(state) ? '' : state));
  calm.delete('');
  const rest = [...calm].map(([state, { length }]) => textLine(`${plural(length, 'monitor')} ${state}`, 'dim'));
  return section('service-monitors', `Monitors of ${service}`, [...lines, ...rest]);
}

function issueSection(service: string | undefined, rows: readonly IssueRow[], context: Context): Section {
  const sorted = rows.toSorted((one, other) => (other.counts.total ?? 0) - (one.counts.total ?? 0));
  const lines = sorted.slice(0, most).map((row) => {
    const count = row.counts.total === undefined ? '' : formatCount(row.counts.total);
    const assignee = assigneeName(row, context) || (row.told ? 'unassigned' : '');
    return pair(`${stateMark(row.state)} ${count}`.trim(), [errorText(row), assignee].filter(Boolean).join(' · '));
  });
  return section('service-issues', `Issues of ${service} (${rows.length} listed)`, lines);
}

function muteSection(service: string | undefined, rows: readonly MonitorRow[], context: Context): Section {
  const lines = rows
    .flatMap((row) => findMutes(row, context.now).map((mute) => ({ row, mute })))
    .toSorted((one, other) => (one.mute.end ?? Number.POSITIVE_INFINITY) - (other.mute.end ?? Number.POSITIVE_INFINITY))
    .slice(0, most)
    .map(({ row, mute }) =>
      pair(
        mute.end === null ? 'forever' : `${timeLeft(mute.end - context.now)} left`,
        [scopedText(mute.scope, row.name), mute.who].filter(Boolean).join(' · '),
      ),
    );
  return section('service-mutes', `Mutes of ${service}`, lines);
}

function editSection(id: string, context: Context): Section {
  const lines = (context.edits?.() ?? [])
    .filter(({ targetId }) => targetId === id)
    .slice(0, most)
    .map((edit) => {
      const { text, tone } = editOutcome(edit);
      return pair(nearTime(edit.at, context), edit.did + text, tone);
    });
  return section('own-edits', 'Done in this organization', lines);
}
