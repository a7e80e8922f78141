import { type DetailLine, facts, gap, head, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { formatCount, pluralNoun, sparkline } from '../../src/lib/text.ts';
import { absolute } from '../../src/lib/time-text.ts';
import { ago, issueRowTone } from './columns.ts';
import { caseLines } from './issue-case.ts';
import { assigneeName, type IssueRow } from './row.ts';

const trendCells = 16;

/**
 * What decides about an issue and its row does not say: the whole error, where it happens, to how many, whose it is, since
 * when; then its case and the whole message. State, count and last time are in every row.
 */
export function preview(row: IssueRow, context: Context): readonly DetailLine[] {
  const messageLines = row.message.trim().split(/\r\n|\r|\n/);
  const { counts } = row;
  const samples = context.trend(row.id);
  const isMoving = new Set(samples).size > 1;
  return [
    row.line === '' ? textLine(row.told ? '(no message)' : '(not included)', 'dim') : textLine(row.line),
    facts([row.file, row.function].filter(Boolean).join(' '), row.platform.toLowerCase(), row.languages.join(', ')),
    facts(
      people(counts.users, 'user', counts.peopleAtLeast),
      people(counts.sessions, 'session', counts.peopleAtLeast),
      isMoving ? { text: sparkline(samples, Math.min(trendCells, samples.length), context.ascii), tone: 'info' } : '',
      row.crash ? { text: 'crash', tone: 'warn' } : '',
      {
        text: row.assignee === undefined ? 'not assigned' : `assigned to ${assigneeName(row, context)}`,
        tone: row.assignee === undefined ? issueRowTone(row, context.now) : undefined,
      },
      ...row.teams.map((team) => `team ${team.name || team.handle || team.id}`),
    ),
    facts(
      row.firstSeen === undefined ? '' : `first seen ${ago(row.firstSeen, context.now)} ago`,
      versions(row),
      row.regression ? { text: `came back in ${row.regression.version || 'a later version'}`, tone: 'warn' } : '',
    ),
    ...(row.case ? [gap, head('Case'), ...caseLines(row, context)] : []),
    ...(messageLines.length > 1
      ? [gap, head('Message'), ...messageLines.map((line) => (line.trim() === '' ? gap : textLine(line)))]
      : []),
    ...besides(row, context),
  ];
}

/** Further lines of the preview beside the list, where there is room: times to compare with a log, teams, the id. */
function besides(row: IssueRow, { zone }: Context): readonly DetailLine[] {
  const moments = [row.firstSeen, row.lastSeen].flatMap((ms) => (ms === undefined ? [] : absolute(ms, zone)));
  const teams = row.teams.flatMap(({ handle, summary }) => [handle, summary].filter(Boolean).join(': ') || []);
  return [
    ...(moments.length > 0 ? [gap, head('Seen'), textLine(moments.join(' to '))] : []),
    ...(teams.length > 0 ? [gap, head('Teams'), ...teams.map((team) => textLine(team))] : []),
    gap,
    head('ID'),
    textLine(row.id),
  ];
}

const people = (amount: number | undefined, what: string, atLeast: boolean | undefined): string =>
  amount === undefined ? '' : `${formatCount(amount)}${atLeast ? '+' : ''} ${pluralNoun(amount, what)}`;

/** `versions 2.2.5 to 2.4.0`, `version 2.2.5`; empty where the service tells none. */
function versions({ firstVersion, lastVersion }: IssueRow): string {
  const told = [...new Set([firstVersion, lastVersion])].filter((version) => version !== '');
  return told.length === 0 ? '' : `${pluralNoun(told.length, 'version')} ${told.join(' to ')}`;
}
