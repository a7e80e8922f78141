import { isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import type { Confirmation } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { plural } from '../../src/lib/text.ts';
import {
  covers,
  describeMute,
  findMutes,
  flaggedMute,
  groupUnder,
  isNamed,
  isSameScope,
  leftMute,
  type Mute,
  muteSource,
  muteUnder,
} from './mutes.ts';
import type { MonitorRow } from './row.ts';
import { readMonitorWhole } from './whole-monitor.ts';

/**
 * Which mutes to end: one, `alone` where no other is shown; the only one; all of a scope; a downtime by its id; or all that
 * silence this monitor alone.
 */
export type UnmuteValues =
  | { readonly which: 'one'; readonly mute: Mute; readonly alone?: true }
  | { readonly which: 'only' }
  | { readonly which: 'scope'; readonly scope: string }
  | { readonly which: 'downtime'; readonly id: string }
  | { readonly which: 'all' };

/** The mute that `M` ends without asking: the one under the cursor, or the only one. Undefined: ask. */
export function chosen(rows: readonly MonitorRow[], context: Context): UnmuteValues | undefined {
  if (rows.length > 1) return rows.every((row) => own(row, context).length <= 1) ? { which: 'only' } : { which: 'all' };
  const [row] = rows;
  if (!row) return undefined;
  const subRowId = muteUnder(context);
  if (subRowId) return { which: 'one', mute: subRowId };
  const group = groupUnder(context);
  const mutes = findMutes(row, context.now);
  // Of several, one of more than the group under the cursor is there to choose.
  const isNear = mutes.length > 1 ? isSameScope : covers;
  const near = group === undefined ? mutes : mutes.filter(({ scope }) => isNear(scope, group));
  const [only] = near;
  if (near.length === 1 && only) return { which: 'one', mute: only, ...(mutes.length === 1 && { alone: true }) };
  return mutes.length === 0 ? { which: 'only' } : undefined;
}

const own = (row: MonitorRow, context: Pick<Context, 'now'>): readonly Mute[] =>
  findMutes(row, context.now).filter((mute) => !mute.wide);

/** The question before mutes end of which some silence more than one monitor. */
export function wideQuestion(mutes: readonly Mute[], context: Context): Confirmation | undefined {
  const wide = mutes.filter((mute) => mute.wide);
  const [only] = mutes.length === 1 ? mutes : [];
  if (wide.length === 0) return undefined;
  return {
    question: `End ${only ? muteSource(only) : plural(mutes.length, 'mute')}?`,
    details: [
      ...wide.map((mute) => describeMute(mute, context)),
      `Everything that ${wide.length === 1 ? 'it mutes' : 'they mute'} may notify again`,
    ],
    destructive: true,
  };
}

/** The confirmation before mutes end, where a mute silences other monitors too or several end at once. */
export function unmuteQuestion(
  rows: readonly MonitorRow[],
  values: UnmuteValues,
  context: Context,
): Confirmation | undefined {
  const wide = values.which === 'one' ? wideQuestion([values.mute], context) : undefined;
  if (wide) return wide;
  const bare = rows.filter((row) => row.bare);
  if (bare.length > 0)
    return {
      question: `Unmute ${bare.map((row) => row.name).join(', ')}?`,
      details: ['Its mutes cannot be read, so this cannot be undone'],
      destructive: true,
    };
  if (values.which !== 'all') return undefined;
  const [row] = rows.length === 1 ? rows : [];
  const mutes = row && own(row, context);
  const amount = mutes ? mutes.length : rows.length;
  // The monitor has no mute of its own: the plan refuses and names what silences it.
  if (amount === 0) return undefined;
  return {
    question: row ? `End ${plural(amount, 'mute')} of ${row.name}?` : `End all mutes of ${plural(amount, 'monitor')}?`,
    details: mutes?.map((mute) => describeMute(mute, context)) ?? ['Downtimes of more than one monitor stay'],
    destructive: true,
    typed: String(amount),
  };
}

/** The mutes to end. A mute chosen on another row means the mute of the same scope on this row. */
export function* targets(row: MonitorRow, values: UnmuteValues, context: Context): Plan<Result<readonly Mute[]>> {
  if (values.which === 'one' && values.mute.monitor === row.id) return toResult([values.mute]);
  const known = findMutes(row, context.now);
  const whole = row.partial || known.length === 0 ? yield* readMonitorWhole(row.id, context) : undefined;
  if (whole && !whole.ok) return row.bare && isNotOffered(whole.problem) ? toResult(unseen(row, values)) : whole;
  return chooseFrom(whole ? findMutes(whole.value.row, context.now) : known, row, values, context);
}

/** The mutes of a row that are to end, of one that is not muted none; a problem where none is meant, or several may be. */
function chooseFrom(
  mutes: readonly Mute[],
  row: MonitorRow,
  values: UnmuteValues,
  context: Context,
): Result<readonly Mute[]> {
  if (values.which === 'downtime') {
    const meant = mutes.filter((mute) => isNamed(mute, values.id));
    return meant.length > 0
      ? toResult(meant)
      : problemResult('conflict', `${row.name} is not muted by downtime ${values.id}`);
  }
  const mine = mutes.filter((mute) => !mute.wide);
  const scope = values.which === 'scope' ? values.scope : values.which === 'one' ? values.mute.scope : undefined;
  const meant = scope === undefined ? mine : mine.filter((mute) => isSameScope(mute.scope, scope));
  if (mutes.length === 0) return toResult([]);
  if (meant.length === 0) return nothing(row, mutes, context, scope);
  if (values.which !== 'only' || meant.length === 1) return toResult(meant);
  const what = `has ${plural(meant.length, 'mute')}`;
  return refused(row, meant, context, (mutes) => `${what}: ${mutes}. Choose one, or all of them (--all)`);
}

/** The mute to end where the deployment does not let mutes be read. */
function unseen(row: MonitorRow, values: UnmuteValues): readonly Mute[] {
  const scope = values.which === 'scope' ? values.scope : '*';
  return [{ monitor: row.id, by: 'mute', scope, end: null, wide: false }];
}

function nothing(row: MonitorRow, mutes: readonly Mute[], context: Context, scope?: string): Result<never> {
  const on = scope === undefined || scope === '*' ? '' : ` on ${scope}`;
  const what = on === '' ? 'has no mute of its own' : `is not muted${on}`;
  return refused(row, mutes, context, (all) => `${what}; muted: ${all}`);
}

/** Nothing is ended, because it is not clear which of these is meant. */
function refused(
  { name }: MonitorRow,
  mutes: readonly Mute[],
  context: Context,
  says: (mutes: string) => string,
): Result<never> {
  const leaves = mutes.map((mute) => leftMute(mute, flaggedMute(mute, context)));
  return problemResult('conflict', `${name} ${says(leaves.map(({ say }) => say).join('; '))}`, { leaves });
}
