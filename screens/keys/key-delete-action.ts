import type { Context } from '../../src/describe/context.ts';
import { deleting } from '../../src/describe/delete-action.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import { type AnyKey, endingText } from './key-columns.ts';

/** `d`: deletes keys after the name is typed; the question warns when this dashboard uses one of them. */
export function keyDeleteAction<R extends Resource & AnyKey>(spec: {
  readonly id: string;
  readonly kind: ResourceKind<R>;
  isInUse(row: R, context: Context): boolean;
}) {
  const { id, kind, isInUse } = spec;
  const named = (row: R) => `${kind.noun} ${kind.nameOf(row)} ${endingText(row.attributes.last4)}`.trim();
  return deleting<R>({
    id,
    kind,
    help: 'Delete the key; anything using it stops working',
    details(_, rows, context) {
      const mine = rows.find((row) => isInUse(row, context));
      const warning = mine && [
        `WARNING: ${kind.nameOf(mine)} ends in ${mine.attributes.last4}, like the key of this session:`,
        'without it every request is refused until the profile has another key',
      ];
      return [...(warning ?? []), 'Anything using it gets 401/403 immediately; this cannot be undone'];
    },
    question: (row) => `Delete ${named(row)}?`,
    done: (row) => {
      const ending = endingText(row.attributes.last4);
      return receipt`Deleted ${kind.noun} ${namePart(kind.nameOf(row))}${ending && ` ${ending}`}`;
    },
  });
}
