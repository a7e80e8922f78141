import type { Problem } from '../../api/problem.ts';
import type { CacheEntry } from '../../cache/cache.ts';
import { type Section, section, textLine } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import { timeToSecond } from '../../lib/time-text.ts';
import { offsetName } from '../../lib/zone.ts';
import type { State } from './state.ts';

/** Milliseconds without an answer after which a read is said to be slow. */
const slowMs = 5_000;

/** What of a read decides what happens next with it. */
export interface Outlook extends Pick<CacheEntry<unknown>, 'asking' | 'askedAt' | 'nextAt'> {
  /** Without a kind, it is that of a part of what was read. */
  readonly problem?: Partial<Pick<Problem, 'kind' | 'status'>>;
}

/** What happens next with a read that has failed, or that takes long: `Next try 12:05:31 UTC`. Empty where nothing is to be said. */
export function readOutlook(
  { problem, asking, askedAt, nextAt }: Outlook,
  { paused }: Pick<State, 'paused'>,
  { now, zone }: Pick<Context, 'now' | 'zone'>,
): string {
  const exact = (at: number) => `${timeToSecond(at, zone)} ${offsetName(at, zone)}`;
  const isSlow = asking && askedAt !== undefined && now - askedAt >= slowMs;
  const since = isSlow ? `, no answer since ${exact(askedAt)}` : '';
  if (!problem) return isSlow ? `No answer since ${exact(askedAt)}` : '';
  // Nothing is sent with keys that were refused.
  if (problem.status === 401) return '';
  if (asking) return `Trying again${since}`;
  if (paused) return 'Polling is paused';
  return nextAt === undefined ? '' : `Next try ${exact(nextAt)}`;
}

type Read = CacheEntry<unknown>;

/** Whether a detail was not read for the reason that header and message say of the list. */
const isSaidOfList = ({ problem }: Read, list: Read): boolean =>
  problem !== undefined &&
  list.problem !== undefined &&
  (problem.text === list.problem.text ||
    // Without a connection each read has a cause of its own.
    (problem.kind === 'unreachable' && list.problem.kind === 'unreachable'));

/** What a detail begins with where the rest of it could not be read: why, and when that is tried again. */
export function unreadSection(
  details: Read,
  list: Read,
  state: Pick<State, 'paused'>,
  context: Context,
): Section | undefined {
  const { problem, value } = details;
  if (!problem || value !== undefined) return undefined;
  const outlook = readOutlook(details, state, context);
  return section('unread', '', [
    isSaidOfList(details, list)
      ? textLine('Details not loaded', 'warn')
      : textLine(`Details not loaded: ${problem.text}`, 'bad'),
    ...(outlook === '' ? [] : [textLine(outlook)]),
  ]);
}
