import { deleting } from '../../src/describe/delete-action.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';

type Spec<R extends Resource> = Parameters<typeof deleting<R>>[0];

/** `d` for one account. It goes on existing at its provider, so that it is called removed, not deleted. */
export const removing = <R extends Resource>(spec: Omit<Spec<R>, 'question' | 'done'>) => ({
  ...deleting<R>({
    ...spec,
    details: (...asked) => ['Its metrics and resources are no longer collected', ...spec.details(...asked)],
    question: (row) => `Remove ${spec.kind.nameOf(row)}?`,
    done: (row) => receipt`Removed ${namePart(spec.kind.nameOf(row))}`,
  }),
  bulk: false,
});
