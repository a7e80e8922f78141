import { deleting } from '../../src/describe/delete-action.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';

type Spec<R extends Resource> = Parameters<typeof deleting<R>>[0];

/** `d`, one at a time: an account is taken out here and lives on at its provider, so it is removed and not deleted. */
export const removing = <R extends Resource>(spec: Omit<Spec<R>, 'question' | 'done'>) => ({
  ...deleting<R>({
    ...spec,
    question: (row) => `Remove ${spec.kind.nameOf(row)}?`,
    done: (row) => receipt`Removed ${namePart(spec.kind.nameOf(row))}`,
  }),
  bulk: false,
});
