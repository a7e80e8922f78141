import {
  createDowntime,
  createDowntimeV1,
  deleteDowntime,
  deleteDowntimeV1,
  updateDowntime,
  updateDowntimeV1,
} from '../../src/api/downtimes.ts';
import { ask, type Call, call, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { getMonitor, muteMonitor, unmuteMonitor } from '../../src/api/monitors.ts';
import { type Problem, type Result, toResult } from '../../src/api/problem.ts';
import { action, type Bar, quoteWord } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Option, textField, toggleField } from '../../src/describe/field.ts';
import { receipt, receiptSubject } from '../../src/describe/receipt.ts';
import { plural } from '../../src/lib/text.ts';
import { present } from '../../src/lib/values.ts';
import { movingEnd, unextend } from './extend-mute.ts';
import { foreseen, hitGroups, type Muted, muteExtent, muteReceipt, receiptOfSeveral } from './mute-receipt.ts';
import {
  endsMade,
  flagWords,
  foreseenTag,
  makingDowntime,
  mutedFacts,
  mutingTag,
  type PlannedMute,
  planning,
  type TagMute,
  tagCommand,
  tagExtent,
  tagFacts,
  tagIn,
  tagReceipt,
  tagScope,
} from './mute-tag.ts';
import {
  endsAt,
  firstLength,
  flaggedTime,
  isAhead,
  lengthChoices,
  type MuteEnd,
  reasonField,
  refusedAsPast,
  timeField,
  timeFlags,
  timeLabel,
  timeWords,
  windowsAhead,
} from './mute-until.ts';
import {
  covers,
  distinct,
  groupUnder,
  isLive,
  isSameScope,
  lastEnd,
  longerOver,
  type Mute,
  muteUnder,
  scopeWords,
  silencedScope,
  withoutKey,
} from './mutes.ts';
import { coveredBy, keptFor, type MonitorRow, mutesIn, readMonitor, toObject } from './row.ts';
import { muteCall } from './silence.ts';
import { taggedWords } from './whole-monitor.ts';

/** The values of a mute. `scope` as in `options.silenced`; `*` is the whole monitor. */
export interface MuteValues extends PlannedMute {
  /** A mute that already lasts longer stays as it is: of several monitors none is shortened. */
  readonly keepsLonger?: boolean;
  /** A mute of the same scope gets the new end, instead of a second one beside it. */
  readonly extends?: boolean;
}

/** The operations that can mute. */
const ways = [muteMonitor, createDowntime, createDowntimeV1];

/**
 * Scopes to mute: the one under the cursor, wider ones of the same tags, the whole monitor, then its other red
 * groups, the worst first, and last every monitor with one of its tags.
 */
function muteScopes(rows: readonly MonitorRow[], context: Context): readonly string[] {
  const [row] = rows;
  if (!row || rows.length > 1) return ['*'];
  const subRowId = groupUnder(context) ?? muteUnder(context)?.scope;
  const tags = subRowId?.includes(',') ? subRowId.split(',') : [];
  const silenced = [...(subRowId === undefined ? [] : [subRowId]), ...tags, '*', ...row.groups.red];
  const isOffered = context.offered(createDowntime.id) || context.offered(createDowntimeV1.id);
  return [...new Set([...silenced, ...(isOffered ? row.tags.map(tagScope) : [])])];
}

/** The mute of a tag that the values mean; undefined for one of the monitor. */
function taggedMute({ scope, until, reason }: MuteValues): TagMute | undefined {
  const tag = tagIn(scope);
  return tag === undefined ? undefined : { tag, until, scope: '*', reason };
}

/** A scope in the bar: `all groups`, `host:web-1`, `every monitor tagged service:checkout-api`. */
const offeredScope = (scope: string): string => {
  const tag = tagIn(scope);
  return tag === undefined ? scopeWords(scope) : taggedWords([tag]);
};

function bar(rows: readonly MonitorRow[], context: Context): Bar<MuteValues> {
  const scopes = muteScopes(rows, context);
  const options: readonly Option[] = scopes.map((scope) => ({ value: scope, label: offeredScope(scope) }));
  return {
    title: `Mute ${receiptSubject(rows, ({ name }) => name, 'monitor')}`,
    choices: lengthChoices,
    inputs: [
      { key: 't', name: 'until', title: 'other…', field: timeField(timeLabel, context), ends: true },
      { key: 'r', name: 'reason', title: 'reason', field: reasonField(), ends: false },
    ],
    cycles: scopes.length > 1 ? [{ key: 's', name: 'scope', title: 'scope', options }] : [],
    foresees: (values) => {
      const tagged = taggedMute(values);
      return tagged ? foreseenTag(tagged, context) : foreseen(rows, values, context);
    },
    values: {
      ...firstLength,
      reason: '',
      scope: scopes[0] ?? '*',
      ...(rows.length > 1 && { keepsLonger: true }),
    },
  };
}

/**
 * Mutes by the first operation that the deployment offers, a downtime where there is a reason (docs/contract/monitors.md#which-way-to-mute),
 * reads the end from its answer, and checks that a group matches the scope.
 */
function* muting(
  row: MonitorRow,
  values: MuteValues & { readonly until: MuteEnd },
  context: Context,
): Plan<Result<Muted>> {
  const end = endsAt(values.until, context.now);
  const past = refusedAsPast(end, context.now);
  if (past) return past;
  const current = yield* currentMutes(row, values, context);
  if (!current.ok) return current;
  const before = current.value;
  const scope = silencedScope(values.scope);
  const longer = values.keepsLonger && longerOver(before, scope, end, context.now);
  if (longer)
    return toResult<Muted>({ way: 'mute', scope, asked: end, shown: longer.end, kept: longer, mutes: before });
  const ownMute = values.extends ? lastEnd(before.filter((mute) => isOwn(mute, scope, context))) : undefined;
  if (ownMute?.end === end && (values.reason === '' || values.reason === ownMute.why))
    return toResult<Muted>({ way: ownMute.by, scope, asked: end, shown: end, kept: ownMute, mutes: before });
  if (ownMute) {
    const moved = yield* movingEnd(ownMute, end, context);
    if (!moved.ok) return { ok: false, problem: keptFor(row, moved.problem) };
    const { shown } = moved.value;
    return { ...moved, value: { way: ownMute.by, scope, asked: end, shown, moved: moved.value, mutes: before } };
  }
  const plain = values.reason === '' ? yield* plainMute(row, scope, end, context) : undefined;
  const sent = plain ?? (yield* makingDowntime(row.id, { ...values, scope }, context));
  if (!sent.ok) return { ok: false, problem: keptFor(row, sent.problem) };
  const { way, id, shown = end, mutes } = sent.value;
  const why = values.reason || undefined;
  const downtime: Mute = {
    ...{ monitor: row.id, by: way, ...present({ id }), scope, end: shown, start: context.now, wide: false },
    ...present({ why }),
  };
  // The answer of a plain mute holds all keys of `silenced`.
  const kept = way === 'mute' ? before.filter(({ by }) => by !== 'mute') : withoutKey(before, scope);
  const after = distinct([...kept, ...mutes, ...(id === undefined ? [] : [downtime])]);
  const replaced = before.find((mute) => mute.by === 'mute' && isSameScope(mute.scope, scope));
  const warning = yield* unmatched(row, scope, context);
  return { ...sent, value: { ...sent.value, mutes: after, ...present({ replaced, warning }) } };
}

/** Mutes without a downtime; undefined where the deployment offers no such operation. */
function* plainMute(
  row: MonitorRow,
  scope: string,
  end: number | null,
  context: Context,
): Plan<Result<Muted> | undefined> {
  if (!context.offered(muteMonitor.id)) return undefined;
  const sent = yield* ask(muteCall(row.id, scope, end));
  if (!sent.ok) return isNotOffered(sent.problem) || (yield* isThere(row, sent.problem)) ? undefined : sent;
  const read = 'options' in toObject(sent.value) ? sent : yield* ask(call(getMonitor, { monitor_id: row.id }));
  const mutes = read.ok ? mutesIn(read.value, row.id, context.now).filter((mute) => mute.by === 'mute') : [];
  const shown = mutes.find((mute) => isSameScope(mute.scope, scope))?.end;
  return { ...sent, value: { way: 'mute', scope, asked: end, shown, mutes } };
}

/** A mute of this monitor alone, of this scope, that has an end. A window of a rule has none of its own. */
const isOwn = (mute: Mute, scope: string, { now }: Context): boolean =>
  !mute.wide && !mute.repeats && isSameScope(mute.scope, scope) && mute.end !== null && isLive(mute, now);

/** Whether a 404 was about the operation: some deployments answer so, and the monitor itself can be read. */
function* isThere(row: MonitorRow, problem: Problem): Plan<boolean> {
  if (problem.kind !== 'notFound') return false;
  return (yield* ask(call(getMonitor, { monitor_id: row.id }))).ok;
}

/** The mutes of a row, read where it came from a search, which has none. Where a longer one is to stay it is not sent unseen. */
function* currentMutes(row: MonitorRow, values: MuteValues, context: Context): Plan<Result<readonly Mute[]>> {
  if (!row.partial) return toResult(row.mutes);
  const got = yield* ask(call(getMonitor, { monitor_id: row.id, query: { with_downtimes: true } }));
  if (got.ok) return toResult(readMonitor(got.value, context.now)?.mutes ?? []);
  return values.keepsLonger && !isNotOffered(got.problem) ? got : toResult([]);
}

/** A warning where no group matches the scope, which the service accepts all the same. */
function* unmatched(row: MonitorRow, scope: string, context: Context): Plan<string | undefined> {
  if (scope === '*' || coveredBy([scope], row) > 0) return undefined;
  const got = yield* ask(call(getMonitor, { monitor_id: row.id, query: { group_states: 'all' } }));
  const read = got.ok ? readMonitor(got.value, context.now) : undefined;
  const groups = read?.worst ?? [];
  if (groups.length === 0 || groups.some((group) => covers(scope, group.name))) return undefined;
  return `no group of the monitor matches ${scope}: check the scope`;
}

/** Mutes a monitor or one of its groups. */
export const muteAction = action<MonitorRow, MuteValues, Muted>({
  id: 'monitors.mute',
  handover: 'mute',
  key: 'm',
  main: true,
  title: 'mute',
  help: 'Mute the monitor or group under the cursor; you choose for how long, and may narrow it or say why',
  brief: 'Mute monitors, or one of their groups; a current mute gets the new end',
  uses: [
    muteMonitor,
    createDowntimeV1,
    createDowntime,
    updateDowntimeV1,
    updateDowntime,
    unmuteMonitor,
    deleteDowntimeV1,
    deleteDowntime,
    getMonitor,
  ],
  enabled: (_, context) =>
    ways.some(({ id }) => context.offered(id)) || 'this deployment offers neither mutes nor downtimes',
  line: {
    asks: 'flags',
    fields: () => ({
      ...timeFlags(),
      scope: textField('Scope', '', {
        hint: 'Only this group, such as host:web-1',
        check: (text) =>
          tagIn(text) === undefined || `not a scope; --tag ${tagIn(text)} mutes every monitor with that tag`,
      }),
      add: toggleField('Add', false, 'Add a second mute instead of moving the end of the current one'),
    }),
    values: ({ scope, reason, add, ...times }: Readonly<Record<string, string>> & { add: boolean }, context) => {
      const until = flaggedTime(times, context);
      if (!until.ok) return until;
      const adds = !add && { extends: true, keepsLonger: true };
      return { ok: true, value: { until: until.value, scope: scope || '*', reason: reason ?? '', ...adds } };
    },
    says: ({ until }, context) => timeWords(until, context),
  },
  bar,
  extent: (rows, values, context) => {
    const tagged = taggedMute(values);
    return tagged ? tagExtent(tagged, context) : muteExtent(rows, values, context);
  },
  nameOfSubject: (values) => {
    const tag = tagIn(values.scope);
    return tag === undefined ? undefined : taggedWords([tag]);
  },
  send: (row: MonitorRow, { until, ...values }, context) => {
    const tagged = taggedMute({ ...values, until });
    if (tagged) return mutingTag(tagged, context);
    return isAhead(until) ? planning(row, { ...values, until }, context) : muting(row, { ...values, until }, context);
  },
  show(row, values, context) {
    if (isAhead(values.until) || taggedMute(values)) return row;
    const end = endsAt(values.until, context.now);
    if (values.keepsLonger && longerOver(row.mutes, values.scope, end, context.now)) return row;
    const shown: Mute = { monitor: row.id, by: 'mute', scope: values.scope, end, wide: false };
    return { ...row, mutes: [...withoutKey(row.mutes, values.scope), shown] };
  },
  // A mute of a tag is on the row when the list is read again.
  truth: (row, { mutes }, values) => (taggedMute(values) ? row : { ...row, mutes }),
  done: (row, values, muted, context) => {
    const tagged = taggedMute(values);
    return tagged ? tagReceipt(tagged, muted, context) : muteReceipt(row, muted, values.reason, context);
  },
  doneAll: (all, { until }, context) =>
    isAhead(until)
      ? receipt`Planned the mutes of ${plural(all.length, 'monitor')}: ${windowsAhead(until, context)}`
      : receiptOfSeveral(all, endsAt(until, context.now), context),
  facts: (row, values, muted, context) => {
    const tagged = taggedMute(values);
    if (tagged) return tagFacts(tagged, muted, context);
    return { forever: muted.shown === null, ...mutedFacts(values, muted, context), ...hitGroups(row, muted.scope) };
  },
  undo(before, values, muted, context): readonly Call[] {
    if (taggedMute(values)) return endsMade(muted);
    const { way, scope, id, replaced, kept, moved } = muted;
    if (kept) return [];
    if (moved) return [unextend(moved)];
    const restore = replaced && context.offered(muteMonitor.id) ? [muteCall(before.id, scope, replaced.end)] : [];
    if (way === 'mute' && restore.length > 0) return restore;
    // A downtime of the first version overwrites the key of a mute that was there.
    return [...endsMade(muted, before.id), ...(way === 'v1' && id !== undefined ? restore : [])];
  },
  command: (row, values) => {
    const tagged = taggedMute(values);
    return tagged ? tagCommand(tagged) : `orgdeck monitors mute ${quoteWord(row.id)}${flagWords(values)}`;
  },
});
