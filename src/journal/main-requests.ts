import type { Call } from '../api/endpoint.ts';
import type { Purpose } from '../client/client.ts';

/** How far a request stands for its edit: it was sent, it was applied, it was applied and names what is edited. */
type Rank = 0 | 1 | 2;

/** Which request of each edit of this process stands for it: where several do alike, the last. */
export function createMainRequests() {
  const main = new Map<string, { readonly id: string; readonly rank: Rank }>();
  /** Requests that have no outcome yet. */
  const open = new Map<
    string,
    { readonly edit: string | undefined; readonly rank: Rank; readonly isCreate: boolean }
  >();
  const note = (edit: string | undefined, id: string, rank: Rank) => {
    if (edit !== undefined && rank >= (main.get(edit)?.rank ?? 0)) main.set(edit, { id, rank });
  };
  return {
    sent(id: string, { endpoint, params }: Call, { group, target }: Purpose): void {
      const edit = group === undefined ? undefined : editOf(group, target.id);
      const rank = Object.values(params).includes(target.id) ? 2 : 1;
      open.set(id, { edit, rank, isCreate: endpoint.verb === 'create' });
      note(edit, id, 0);
    },
    /** Whether it was a create. */
    ended(id: string, isApplied: boolean): boolean {
      const request = open.get(id);
      open.delete(id);
      if (request && isApplied) note(request.edit, id, request.rank);
      return request?.isCreate === true;
    },
    of: (group: string, targetId: string): string | undefined => main.get(editOf(group, targetId))?.id,
  };
}

const editOf = (group: string, targetId: string): string => `${group} ${targetId}`;
