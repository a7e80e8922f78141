import type { Problem } from '../api/problem.ts';
import { timeToSecond } from '../lib/time-text.ts';
import { offsetName } from '../lib/zone.ts';
import { type Section, section, textLine } from './column.ts';
import type { Context } from './context.ts';

/** Milliseconds after which a read is said to be slow. */
export const slowMs = 5_000;

/** What of a read decides what happens next with it. */
export interface Outlook {
  readonly asking: boolean;
  /** When the read began that is to bring the first value, epoch milliseconds. */
  readonly askedAt?: number;
  /** When it is read again after a failure, epoch milliseconds. */
  readonly nextAt?: number;
  /** Without a kind, it is that of a part of what was read. */
  readonly problem?: Partial<Pick<Problem, 'kind' | 'status'>>;
}

/** What happens next with a read that has failed, or that takes long: `Next try 12:05:31 UTC`. Empty where nothing is to be said. */
export function readOutlook(
  { problem, asking, askedAt, nextAt }: Outlook,
  { paused }: { readonly paused: boolean },
  { now, zone }: Pick<Context, 'now' | 'zone'>,
): string {
  const exact = (at: number) => `${timeToSecond(at, zone)} ${offsetName(at, zone)}`;
  const isSlow = asking && askedAt !== undefined && now - askedAt >= slowMs;
  // Parts of the answer may have arrived.
  const since = isSlow ? ` since ${exact(askedAt)}` : '';
  if (!problem) return isSlow ? `Reading${since}` : '';
  // Nothing is sent with keys that were refused.
  if (problem.status === 401) return '';
  if (asking) return `Trying again${since}`;
  if (paused) return 'Polling is paused';
  return nextAt === undefined ? '' : `Next try ${exact(nextAt)}`;
}

/** A read with what it has brought. */
type Read = Omit<Outlook, 'problem'> & { readonly value?: unknown; readonly problem?: Problem };

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
  state: { readonly paused: boolean },
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
