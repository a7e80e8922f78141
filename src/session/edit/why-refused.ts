import { isRead } from '../../api/endpoint.ts';
import type { AnyAction } from '../../describe/action.ts';
import { type Context, whyUnavailable } from '../../describe/context.ts';
import { attempt } from '../../lib/attempt.ts';
import type { Row } from '../rows/list-state.ts';
import { offInKiosk } from '../state/kiosk.ts';
import type { State } from '../state/state.ts';

/**
 * Why an action that may be tried will probably be refused: the service refused one of its operations before, for want of a
 * permission.
 */
export function doubt(action: AnyAction, refused: State['refused']): string | undefined {
  const of = action.uses.find((endpoint) => refused[endpoint.id] !== undefined);
  return of && `${refused[of.id]} was missing last time`;
}

/** Why an action cannot be done to any row: by the profile, the deployment or the roles of the keys' owner. */
export function whyNever(action: AnyAction, context: Context): string | undefined {
  const edits = action.uses.filter((endpoint) => !isRead(endpoint));
  // A job reads files of this machine, or runs programs on it.
  if (context.profile.isKiosk && action.job) return offInKiosk;
  if (context.profile.readOnly && edits.length > 0) return `profile ${context.profile.name} is read-only`;
  // One operation that cannot be sent is not enough: it may be a way round, or only the way back.
  const [first] = edits;
  const isNone = edits.every((endpoint) => whyUnavailable(endpoint, context) !== undefined);
  if (first && isNone) return whyUnavailable(first, context);
  return undefined;
}

/** Why an action cannot be done to a row; undefined when it can. */
export function whyRefused(action: AnyAction, row: Row | undefined, context: Context): string | undefined {
  const never = whyNever(action, context);
  if (never !== undefined) return never;
  if (action.on !== 'list' && row === undefined) return 'no row selected';
  const verdict = attempt(
    () =>
      (action.on === 'list'
        ? action.ready?.(context)
        : (action.already?.(row, context) ?? action.enabled?.(row, context))) ?? true,
    (fault) => fault,
  );
  return verdict === true ? undefined : verdict;
}
