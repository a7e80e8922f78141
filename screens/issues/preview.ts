import { facts, gap, head, type Line, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { count, sparkline } from '../../src/lib/text.ts';
import { word } from '../../src/lib/unchecked.ts';
import { ago, amountText, stateTone } from './columns.ts';
import { assigneeName, type IssueRow } from './row.ts';

const trendCells = 16;

/** What decides about an issue: what happens where, to how many and since when, and whose it is; then the whole message. */
export function preview(row: IssueRow, context: Context): readonly Line[] {
  const messageLines = row.message.trim().split(/\r\n|\r|\n/);
  const { counts } = row;
  const samples = context.trend(row.id);
  const isMoving = new Set(samples).size > 1;
  return [
    row.line === '' ? text(row.told ? '(no message)' : '(not included)', 'dim') : text(row.line),
    facts([row.file, row.function].filter(Boolean).join(' '), row.platform.toLowerCase(), row.languages.join(', ')),
    facts(
      { text: `${amountText(counts.total, counts.totalAtLeast)} errors`, tone: 'strong' },
      isMoving ? { text: sparkline(samples, Math.min(trendCells, samples.length), context.ascii), tone: 'info' } : '',
      people(counts.users, 'users', counts.peopleAtLeast),
      people(counts.sessions, 'sessions', counts.peopleAtLeast),
      seen('first', row.firstSeen, row.firstVersion, context),
      seen('last', row.lastSeen, row.lastVersion, context),
      row.regression ? { text: `came back in ${row.regression.version || 'a later version'}`, tone: 'warn' } : '',
    ),
    facts(
      { text: row.state, tone: stateTone(row.state) },
      row.crash ? { text: 'crash', tone: 'bad' } : '',
      { text: assigneeName(row, context) || 'not assigned', tone: row.assignee === undefined ? 'warn' : undefined },
      ...row.teams.map((team) => `team ${team.name || team.handle || team.id}`),
      caseText(row),
    ),
    ...(messageLines.length > 1
      ? [gap, head('Message'), ...messageLines.map((line) => (line.trim() === '' ? gap : text(line)))]
      : []),
  ];
}

const people = (amount: number | undefined, what: string, atLeast: boolean | undefined): string =>
  amount === undefined ? '' : `${count(amount)}${atLeast ? '+' : ''} ${what}`;

/** `first 24h ago in 2.2.5`; empty where the service tells neither. */
function seen(which: string, ms: number | undefined, version: string, { now }: Context): string {
  const when = ms === undefined ? '' : `${ago(ms, now)} ago`;
  const where = version === '' ? '' : `in ${version}`;
  return when === '' && where === '' ? '' : [which, when, where].filter(Boolean).join(' ');
}

function caseText(row: IssueRow): string {
  const about = row.case?.attributes;
  if (!about) return row.case ? `case ${row.case.id}` : '';
  return ['case', word(about.key) || row.case?.id, word(about.status_name) || word(about.status)]
    .filter(Boolean)
    .join(' ');
}
