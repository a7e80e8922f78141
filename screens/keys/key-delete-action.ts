import type { Context } from '../../src/describe/context.ts';
import { deleting } from '../../src/describe/delete-action.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import type { Kind, Resource } from '../../src/describe/resource.ts';
import { type AnyKey, endingText } from './key-columns.ts';

/** `d`: deletes keys after the name is typed; the question warns when this dashboard uses one of them. */
export function keyDeleteAction<R extends Resource & AnyKey>(spec: {
  readonly id: string;
  readonly kind: Kind<R>;
  readonly help: string;
  isInUse(row: R, context: Context): boolean;
}) {
  const { id, kind, help, isInUse } = spec;
  const named = (row: R) => `${kind.noun} ${kind.nameOf(row)} ${endingText(row.attributes.last4)}`.trim();
  return deleting<R>({
    id,
    kind,
    help,
    details(_, rows, context) {
      const mine = rows.find((row) => isInUse(row, context));
      const warning = mine && [
        `WARNING: ${kind.nameOf(mine)} ends in ${mine.attributes.last4} like the key that this dashboard uses:`,
        'without it every further call is refused, until the profile has another key',
      ];
      return [...(warning ?? []), 'whatever uses it is refused at once, and it cannot be brought back'];
    },
    question: (row) => `delete ${named(row)}?`,
    done: (row) => {
      const ending = endingText(row.attributes.last4);
      return receipt`deleted ${kind.noun} ${namePart(kind.nameOf(row))}${ending && ` ${ending}`}`;
    },
  });
}
