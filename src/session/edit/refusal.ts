import { isRead } from '../../api/endpoint.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { Row } from '../list/list-state.ts';

/** Why an action cannot be done to a row; undefined when it can. */
export function refusal(action: AnyAction, row: Row | undefined, context: Context): string | undefined {
  const edits = action.uses.filter((endpoint) => !isRead(endpoint));
  if (context.profile.readOnly && edits.length > 0) return `profile ${context.profile.name} is read-only`;
  if (edits.length > 0 && edits.every((endpoint) => !context.offered(endpoint.id)))
    return 'not offered by this deployment';
  if (action.on === 'list') {
    const ready = action.ready?.(context) ?? true;
    return ready === true ? undefined : ready;
  }
  if (row === undefined) return 'there is no row to act on';
  const verdict = action.enabled?.(row, context) ?? true;
  return verdict === true ? undefined : verdict;
}
