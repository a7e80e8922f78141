import { amountColumn, type Column, plainColumn, type Tone, textColumn } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { NamedLink } from '../../src/describe/derived.ts';
import { webLink } from '../../src/describe/screen.ts';
import { plural } from '../../src/lib/text.ts';
import { age, timeLeft } from '../../src/lib/time.ts';
import { covers, findMutes, groupUnder, lastEnd } from './mutes.ts';
import { coveredBy, isRed, type MonitorGroup, type MonitorRow, severity } from './row.ts';

type About = Pick<MonitorRow, 'tags' | 'query' | 'groups' | 'worst' | 'message' | 'runbooks'>;

/** The words of a scope, a query or the name of a group. */
const wordsIn = (text: string): readonly string[] => text.split(/[\s,{}()"']+/);

const groupNames = ({ groups, worst }: About): readonly string[] => [...groups.red, ...worst.map(({ name }) => name)];

/** Whether a monitor is about a tag: it has it, its query is narrowed to it, or one of its groups is it. */
export const isAbout = (row: About, tag: string): boolean =>
  row.tags.includes(tag) ||
  (row.query.includes(tag) && wordsIn(row.query).includes(tag)) ||
  groupNames(row).some((name) => name.includes(tag) && wordsIn(name).includes(tag));

const prefix = 'service:';

/** The services of a monitor: of the group under the cursor, else of its tags, else of the scope of its query, else of its groups. */
export function servicesOf(row: About, context: Pick<Context, 'subRowId'>): readonly string[] {
  const group = groupUnder(context) ?? '';
  const sources = [
    () => wordsIn(group),
    () => row.tags,
    () => wordsIn(row.query),
    () => groupNames(row).flatMap(wordsIn),
  ];
  for (const source of sources) {
    const named = source().filter((word) => word.startsWith(prefix) && word.length > prefix.length);
    const names = [...new Set(named.map((word) => word.slice(prefix.length)))].filter((name) => !name.includes('*'));
    if (names.length > 0) return names;
  }
  return [];
}

/** Its runbooks: those that it has, then the first address in its message, which has no name. */
export function runbooksOf({ message, runbooks = [] }: Pick<About, 'message' | 'runbooks'>): readonly NamedLink[] {
  const url = /https?:\/\/[^\s)>\]]+/.exec(message)?.[0];
  return url === undefined || runbooks.some((one) => one.url === url) ? runbooks : [...runbooks, { name: '', url }];
}

/** Its runbooks to be opened: a path is one of the service's web pages. A name does not say again that it is one. */
export const runbookLinks = (
  row: Pick<About, 'message' | 'runbooks'>,
  context: Pick<Context, 'web'>,
): readonly NamedLink[] =>
  runbooksOf(row).map(({ name, url }) => ({
    name: name.replace(/^runbooks?\b[\s:–-]*/i, ''),
    url: (url.startsWith('/') && webLink(context, url)) || url,
  }));

/** Who is told, as its message names them: `@oncall-checkout`. The tags of its template are not in what is sent. */
export const namedIn = ({ message }: Pick<About, 'message'>): readonly string[] => [
  ...new Set(message.match(/(?<![^\s}])@[\w.:@/-]*\w/g) ?? []),
];

/** Short names of monitor types; an unknown type is shown without ` alert`. */
const kinds = new Map(
  Object.entries({
    'query alert': 'metric',
    'metric alert': 'metric',
    'trace-analytics alert': 'apm',
    'service check': 'check',
    'process alert': 'process',
    'event-v2 alert': 'event',
    'error-tracking alert': 'errors',
    'database-monitoring alert': 'database',
    'network-performance alert': 'network',
    'network-path alert': 'netpath',
    'ci-pipelines alert': 'pipelines',
    'ci-tests alert': 'tests',
  }),
);

/** The kind of a monitor in one short word. */
export function monitorKindWord(type: string): string {
  return kinds.get(type) ?? type.replace(/ alert$/, '');
}

/** The tone of a state. */
export function monitorStateTone(state: string): Tone {
  // No data is no warning: in every theme with colors the two differ.
  const tones: readonly Tone[] = ['good', 'info', 'info', 'warn', 'bad'];
  return state === 'OK' ? 'good' : severity(state) === 0 ? 'dim' : (tones[severity(state)] ?? 'plain');
}

/** Whether its alert is drawn red: of the others the groups alone are. */
export const isUrgent = ({ state, priority = 5 }: MonitorRow): boolean => state === 'Alert' && priority <= 2;

/** The tone of the state of a monitor that is not muted. */
export const urgencyTone = (row: MonitorRow): Tone =>
  row.state === 'Alert' && !isUrgent(row) ? 'plain' : monitorStateTone(row.state);

/** The tone of a state in words: quiet where nobody is told of it. */
export const standingTone = (row: MonitorRow, now: number): Tone =>
  isSilent(row, now) === true ? 'quiet' : urgencyTone(row);

/** The tone of a group of it: that of its state, quiet where a mute covers it. */
export const groupTone = (row: MonitorRow, { name, state }: MonitorGroup, now: number): Tone =>
  findMutes(row, now).some(({ scope }) => covers(scope, name)) ? 'quiet' : monitorStateTone(state);

/** Whether it notifies, unmuted, since after the last look: its name is bold. */
export const isFreshAlert = (row: MonitorRow, { now, lastLook = 0 }: Context): boolean =>
  isRed(row.state) && (row.stateSince ?? 0) > lastLook && isSilent(row, now) !== true;

/**
 * Until when all that is muted of it stays so: the last end of the mutes of the whole monitor; where there is none, the first of those of
 * its groups, each with the last mute over it. Infinite forever, NaN for none or unknown.
 */
export function mutedEnd(row: MonitorRow, now: number): number {
  const mutes = findMutes(row, now);
  if (mutes.length === 0) return row.mutedUntil !== undefined && row.mutedUntil > now ? row.mutedUntil : Number.NaN;
  const whole = mutes.filter((mute) => mute.scope === '*');
  const decisive = whole.length > 0 ? whole : mutes;
  const over = (scope: string) => decisive.filter((mute) => covers(mute.scope, scope));
  return Math.min(...decisive.map(({ scope }) => lastEnd(over(scope))?.end ?? Number.POSITIVE_INFINITY));
}

/**
 * The cell of MUTED: `9h left`, `forever`, or `1/12 forever` where only some groups are muted; `?` where the answer does not
 * tell. In words it is the same for a sentence: `forever, 1 of 12 groups`.
 */
export function mutedText(row: MonitorRow, { now }: Pick<Context, 'now'>, as: 'cell' | 'words' = 'cell'): string {
  const mutes = findMutes(row, now);
  const last = mutedEnd(row, now);
  if (Number.isNaN(last)) return row.partial ? '?' : '';
  const left = last === Number.POSITIVE_INFINITY ? 'forever' : `${timeLeft(last - now)} left`;
  if (mutes.length === 0 || mutes.some((mute) => mute.scope === '*')) return left;
  const scopes = mutes.map(({ scope }) => scope);
  const muted = coveredBy(scopes, row);
  const { all } = row.groups;
  if (as === 'words') return `${left}, ${muted === 0 ? 'some groups' : `${muted} of ${plural(all, 'group')}`}`;
  // A narrow column cuts until when, not that some groups go on to notify.
  return `${muted === 0 ? 'some' : `${muted}/${all}`} ${left}`;
}

/** Whether all its notifications are muted now: the whole monitor is muted, or every alerting group. Undefined where the answer does not tell. */
export function isSilent(row: MonitorRow, now: number): boolean | undefined {
  const mutes = findMutes(row, now);
  if (mutes.length === 0)
    return row.mutedUntil !== undefined && row.mutedUntil > now ? true : row.partial ? undefined : false;
  if (mutes.some((mute) => mute.scope === '*')) return true;
  const { red } = row.groups;
  const names = red.length > 0 ? red : ['*'];
  return names.every((name) => mutes.some((mute) => covers(mute.scope, name)));
}

const changed = (row: MonitorRow): number => row.stateSince ?? row.modified ?? 0;

/** Red groups and all that are known: `3/12`; `?` where the answer does not tell. */
export function groupsText(row: MonitorRow): string {
  if (row.partial) return '?';
  const { all, red } = row.groups;
  return all > 0 ? `${red.length}/${all}` : '';
}

/** The alerting groups as a sentence says them: `3 of 12 groups alerting`. */
export function groupsWords(row: MonitorRow): string {
  const [red, all] = groupsText(row).split('/');
  return all === undefined ? '' : `${red} of ${plural(Number(all), 'group')} alerting`;
}

/** Whether it has a runbook: `yes`, `–`; empty where its message names none and the answer does not tell the others. */
function runbookText(row: MonitorRow): 'yes' | '–' | '' {
  return runbooksOf(row).length > 0 ? 'yes' : row.runbooks === undefined ? '' : '–';
}

/** The services that its tags name: `checkout-api` of `service:checkout-api`. */
export function findServices(row: MonitorRow): readonly string[] {
  return row.tags.flatMap((tag) => (tag.startsWith(prefix) ? [tag.slice(prefix.length)] : []));
}

/** Columns of the list; state and name are never dropped. */
export const columns: readonly Column<MonitorRow>[] = [
  plainColumn({
    id: 'state',
    min: 5,
    max: 8,
    widest: 'NO DATA',
    priority: 1,
    downward: true,
    firsts: ['mildest first', 'worst first'],
    text: (row) => row.state.toUpperCase(),
    tone: (row, { now }) => standingTone(row, now),
    // By severity; of equal ones those that notify come before those that are muted.
    sort: (row, { now }) => severity(row.state) + (isRed(row.state) && isSilent(row, now) !== true ? 0.5 : 0),
  }),
  {
    id: 'priority',
    title: 'P',
    called: 'priority',
    firsts: ['P1 first', 'P1 last'],
    min: 1,
    max: 2,
    priority: 2,
    text: (row) => (row.priority === undefined ? '–' : String(row.priority)),
    says: (row) => (row.priority === undefined ? '' : `P${row.priority}`),
    tone: (row) => (row.priority === undefined ? 'dim' : 'plain'),
    sort: (row) => row.priority ?? Number.NaN,
  },
  textColumn({
    id: 'name',
    min: 24,
    // With more, the services beside it would be cut at 120 columns.
    max: 52,
    flex: true,
    priority: 1,
    text: (row) => row.name,
    tone: (row, context) => (row.named ? (isFreshAlert(row, context) ? 'strong' : 'plain') : 'dim'),
  }),
  textColumn({
    id: 'type',
    min: 7,
    max: 12,
    priority: 4,
    text: (row) => monitorKindWord(row.type),
    tone: () => 'dim',
  }),
  amountColumn({
    id: 'groups',
    called: 'alerting groups',
    min: 4,
    max: 7,
    priority: 2,
    text: groupsText,
    says: groupsWords,
    tone: (row, { now }) => (row.groups.red.length > 0 && !isSilent(row, now) ? monitorStateTone(row.state) : 'dim'),
    amount: (row) => (row.partial ? undefined : row.groups.red.length),
  }),
  plainColumn({
    id: 'muted',
    firsts: ['soonest end first', 'latest end first'],
    // `forever`, and the mark that more was cut.
    min: 8,
    max: 24,
    priority: 2,
    sparse: true,
    text: (row, context) => mutedText(row, context),
    says(row, context) {
      const text = mutedText(row, context, 'words');
      return text === '' ? 'not muted' : text === '?' ? 'mutes unknown' : `muted ${text}`;
    },
    tone: () => 'info',
    // By the end; forever is later than any.
    sort: (row, context) => Math.min(mutedEnd(row, context.now), Number.MAX_SAFE_INTEGER),
  }),
  textColumn({
    id: 'service',
    min: 12,
    max: 24,
    priority: 5,
    text: (row) => findServices(row).join(' '),
  }),
  plainColumn({
    id: 'runbook',
    firsts: ['without first', 'with first'],
    min: 7,
    max: 7,
    priority: 6,
    text: runbookText,
    says: (row) => ({ yes: 'has a runbook', '–': 'no runbook', '': '' })[runbookText(row)],
    tone: () => 'dim',
    sort: (row) => ['', '–', 'yes'].indexOf(runbookText(row)),
  }),
  plainColumn({
    id: 'tags',
    min: 12,
    max: 40,
    priority: 7,
    text: (row) => row.tags.filter((tag) => !tag.startsWith(prefix)).join(' '),
    tone: () => 'dim',
  }),
  {
    id: 'changed',
    title: 'FOR',
    called: 'time in state',
    firsts: ['longest first', 'newest first'],
    min: 4,
    max: 5,
    align: 'right',
    priority: 2,
    text: (row, context) => (changed(row) === 0 ? '' : age(changed(row), context.now)),
    says: (row, context) => (changed(row) === 0 ? '' : `for ${age(changed(row), context.now)}`),
    tone: () => 'dim',
    sort: changed,
    downward: true,
  },
];
