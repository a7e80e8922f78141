import { createDowntime, createDowntimeV1, deleteDowntime, deleteDowntimeV1 } from '../../src/api/downtimes.ts';
import { ask, type Call, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { action, type Extent, type Foresight, quoteWord } from '../../src/describe/action.ts';
import { timestamp } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { textField } from '../../src/describe/field.ts';
import { type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import { unreadable } from '../../src/lib/function-results.ts';
import type { Window } from '../../src/lib/recurrence.ts';
import { plural } from '../../src/lib/text.ts';
import { present } from '../../src/lib/values.ts';
import type { LedgerRow } from './ledger-row.ts';
import { hitGroups, type Muted, sum } from './mute-receipt.ts';
import {
  endsAt,
  flaggedTime,
  isAhead,
  type MuteTime,
  reasonField,
  timeField,
  timeFlags,
  timeWords,
  untilArgument,
  windowItem,
  windowsOf,
} from './mute-until.ts';
import { isSameEnd, scopedText, silencedScope, untilWords } from './mutes.ts';
import { keptFor, type MonitorRow, toEnd, toId, toInstant, toObject } from './row.ts';
import { downtimeCall, downtimeV1Call, endCall, type Target } from './silence.ts';
import { taggedWords } from './whole-monitor.ts';

/** What is muted by a downtime, and when. */
export interface PlannedMute {
  readonly until: MuteTime;
  /** Which groups; `*` all. */
  readonly scope: string;
  readonly reason: string;
}

/** The first time that it silences; a start of null is now, an end of null never. */
interface FirstTime {
  readonly start: number | null;
  readonly end: number | null;
}

/** Makes a downtime of a monitor. */
export function* planning(row: MonitorRow, values: PlannedMute, context: Context): Plan<Result<Muted>> {
  const made = yield* makingDowntime(row.id, values, context);
  return made.ok
    ? { ...made, value: { ...made.value, mutes: row.mutes } }
    : { ok: false, problem: keptFor(row, made.problem) };
}

/**
 * Makes a downtime of the monitor of an id, or of all monitors with a tag; one of the first version, which has no rules, only where the
 * second is not offered.
 */
export function* makingDowntime(
  over: Target,
  { until, reason, ...values }: PlannedMute,
  context: Context,
): Plan<Result<Muted>> {
  const scope = silencedScope(values.scope);
  const [first] = isAhead(until) ? windowsOf(until, context) : [{ start: null, end: endsAt(until, context.now) }];
  if (!first || (first.end ?? Infinity) <= context.now)
    return problemResult('invalid', 'that window has passed: type a later one');
  const schedule = until.kind === 'every' ? { zone: context.zone, rules: [until.rule] } : first;
  const v2 = downtimeCall(over, scope, schedule, reason);
  const v1 = downtimeV1Call(over, scope, first.start, first.end, reason);
  const ways = [
    { way: 'v2', id: createDowntime.id, sends: v2 } as const,
    { way: 'v1', id: createDowntimeV1.id, sends: v1 } as const,
  ].filter(({ way, id }) => context.offered(id) && (way === 'v2' || until.kind !== 'every'));
  for (const { way, sends } of ways) {
    const sent = yield* ask<unknown>(sends);
    if (!sent.ok && isNotOffered(sent.problem)) continue;
    return sent.ok ? { ...sent, value: { way, scope, mutes: [], ...readMade(way, sent.value, until, first) } } : sent;
  }
  const lacks = reason === '' ? 'no way to mute' : 'no downtimes, so a mute cannot carry a reason';
  const what = until.kind === 'every' ? 'no downtimes that repeat' : lacks;
  return problemResult('notOffered', `this deployment offers ${what}; nothing was changed`, {
    operation: createDowntime.id,
  });
}

/** What the answer to a create tells of the downtime. */
function readMade(way: 'v1' | 'v2', value: unknown, until: MuteTime, first: FirstTime) {
  const answer = way === 'v1' ? toObject(value) : toObject(toObject(value).data);
  const told = toObject(toObject(answer.attributes).schedule);
  const times = way === 'v1' ? answer : { ...told, ...toObject(told.current_downtime) };
  const [start, id] = [toInstant(times.start), toId(answer.id)];
  const planned = isAhead(until) ? { until, asked: first as Window, ...present({ start }) } : undefined;
  return { asked: first.end, shown: 'end' in times ? toEnd(times.end) : undefined, ...present({ id, planned }) };
}

/** A mute of all monitors with a tag, those to come too. */
export interface TagMute extends PlannedMute {
  readonly tag: string;
}

/** How the mute bar writes a tag among its scopes: no scope of the service begins so. */
const prefix = '* ';
export const tagScope = (tag: string): string => `${prefix}${tag}`;
/** The tag of such a scope; undefined for a scope of one monitor. */
export const tagIn = (scope: string): string | undefined =>
  scope.startsWith(prefix) ? scope.slice(prefix.length) : undefined;

/** `every monitor tagged service:shop`, or groups of them: `host:web-1 of every monitor tagged service:shop`. */
const scopedTag = (tag: string, scope: string): string => scopedText(scope, taggedWords([tag]));
const muteOf = (tag: string): string => `mute of ${taggedWords([tag])}`;

/** What a mute of a tag would hit, if it were now: loaded monitors, their groups of the scope, and how many alert. */
function tagHits(tag: string, scope: string, { loaded }: Pick<Context, 'loaded'>): string {
  const all = (loaded?.('monitors') ?? []) as readonly MonitorRow[];
  if (all.length === 0) return 'every current and future monitor with this tag';
  const rows = all.filter(({ tags }) => tags.includes(tag));
  const hits = rows.map((row) => hitGroups(row, scope));
  const groups = sum(hits, (hit) => hit.groups);
  const alerting = sum(hits, (hit) => hit.alerting);
  const now = [
    plural(rows.length, 'monitor'),
    ...(groups > 0 ? [plural(groups, 'group')] : []),
    `${alerting} alerting`,
  ];
  return `${now.join(', ')} as of now, and every future monitor with this tag`;
}

const neverEnds = 'a mute of a tag needs an end: it also mutes monitors that are created later';

/** What the bar says of a mute of a tag. */
export function foreseenTag({ tag, until }: Pick<TagMute, 'tag' | 'until'>, context: Context): Foresight {
  if (until.kind === 'forever') return { end: 'forever', text: neverEnds, isWarning: true };
  return { end: timeWords(until, context), text: tagHits(tag, '*', context), isWarning: true };
}

/** What the question before it says. */
export const tagExtent = ({ tag, until, scope }: TagMute, context: Context): Extent => ({
  subject: scopedTag(tag, scope),
  how: timeWords(until, context),
  hits: tagHits(tag, scope, context),
});

/** Makes a downtime over a tag. */
export function* mutingTag({ tag, ...values }: TagMute, context: Context): Plan<Result<Muted>> {
  if (values.until.kind === 'forever') return problemResult('invalid', neverEnds);
  const made = yield* makingDowntime({ tag }, values, context);
  return made.ok ? { ...made, value: { ...made.value, over: muteOf(tag) } } : made;
}

/** `Muted every monitor tagged service:checkout-api until 04:12 UTC`, or the windows that are planned. */
export function tagReceipt(
  { tag, until, scope }: TagMute,
  { id, shown, asked: requested }: Muted,
  context: Context,
): Receipt {
  const subject = scopedTag(tag, scope);
  const done = isAhead(until)
    ? receipt`Planned the mute of ${subject}: ${timeWords(until, context)}`
    : receipt`Muted ${subject} ${untilWords(shown === undefined ? requested : shown, context)}`;
  if (id === undefined || shown === undefined)
    return warning(receipt`${done}; the answer does not show it: look at the mutes`);
  return isSameEnd(shown, requested) ? done : warning(receipt`${done} (requested: ${untilWords(requested, context)})`);
}

/** The call that ends what was made; none for a downtime of which the answer has no id. */
export const endsMade = ({ id, way, scope }: Muted, monitor = ''): readonly Call[] =>
  way !== 'mute' && id === undefined ? [] : [endCall({ by: way, ...present({ id }), monitor, scope })];

/** What the receipt of a mute tells a program. */
export const mutedFacts = ({ until, reason }: PlannedMute, { scope, shown }: Muted, context: Context) => ({
  scope,
  until: timestamp(shown),
  reason: reason || null,
  ...(isAhead(until) && { windows: windowsOf(until, context).map(windowItem) }),
});

/** The same of one of a tag. */
export const tagFacts = (values: TagMute, muted: Muted, context: Context) => ({
  tag: values.tag,
  ...mutedFacts(values, muted, context),
});

/** The command that does the same. */
export const tagCommand = (values: TagMute): string =>
  `orgdeck mutes create --tag ${quoteWord(values.tag)}${flagWords(values)}`;

/** The flags of a command that mutes: until when, which groups where not all, and why where there is a reason. */
export const flagWords = ({ until, scope, reason }: PlannedMute): string =>
  Object.entries({ for: untilArgument(until), scope: scope === '*' ? '' : scope, reason })
    .map(([flag, text]) => (text === '' ? '' : ` --${flag} ${quoteWord(text)}`))
    .join('');

const tagField = (context: Context) => ({
  ...textField('Tag', '', {
    required: true,
    placeholder: 'service:checkout-api',
    check: (text) => (/^[^\s,*]+$/.test(text) ? true : 'one tag, such as service:checkout-api'),
  }),
  means: (typed: string) => (typed.trim() === '' ? undefined : tagHits(typed.trim(), '*', context)),
});
const scopeField = () => textField('Scope', '', { hint: 'Only these groups, such as host:web-1' });

/** `n` in Mutes: a mute of a tag. A monitor is muted where it is listed. */
export const newMuteAction = action<LedgerRow, TagMute, Muted>({
  id: 'mutes.create',
  handover: 'mute',
  key: 'n',
  on: 'list',
  title: 'new',
  noun: 'mute of a tag',
  help: 'Mute all monitors with a tag, also future ones, until a time or in windows',
  uses: [createDowntime, createDowntimeV1, deleteDowntime, deleteDowntimeV1],
  line: {
    asks: 'flags',
    fields: (context) => ({
      tag: tagField(context),
      ...timeFlags(),
      scope: scopeField(),
    }),
    values: ({ tag = '', scope, reason, ...times }: Readonly<Record<string, string>>, context) => {
      const until = flaggedTime(times, context);
      if (!until.ok) return until;
      if (until.value.kind === 'forever') return unreadable(`--for: ${neverEnds}`);
      return { ok: true, value: { tag, until: until.value, scope: scope || '*', reason: reason ?? '' } };
    },
    says: ({ until }, context) => timeWords(until, context),
  },
  form: (_, context) => {
    const time = timeField('Time', context);
    return {
      tag: tagField(context),
      until: {
        ...time,
        required: true,
        read: (typed: string) => {
          const read = time.read(typed);
          return read.ok && read.value.kind === 'forever' ? unreadable(neverEnds) : read;
        },
      },
      scope: { ...scopeField(), read: (typed: string) => ({ ok: true, value: typed.trim() || '*' }) },
      reason: reasonField(),
    };
  },
  extent: (_, values, context) => ({
    ...tagExtent(values, context),
    subject: `mute on ${scopedTag(values.tag, values.scope)}`,
  }),
  send: (_: LedgerRow, values, context) => mutingTag(values, context),
  nameOfSubject: ({ tag }) => muteOf(tag),
  made: ({ id, over = '' }) => (id === undefined ? undefined : { id, name: over }),
  done: (_, values, muted, context) => tagReceipt(values, muted, context),
  facts: (_, values, muted, context) => tagFacts(values, muted, context),
  undo: (_, __, muted) => endsMade(muted),
  command: (_, values) => tagCommand(values),
});
