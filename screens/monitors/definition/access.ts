import { checksField } from '../../../src/describe/field.ts';
import { rolePicks } from '../../../src/describe/picks.ts';
import { idOf, listOf } from '../row.ts';
import { put } from './definition.ts';
import { oneOf, type Part, placed } from './part.ts';

/** Who may change it, and whether it speaks. */
export const accessParts: readonly Part[] = [
  placed('restricted_roles', ['restricted_roles'], {
    rare: true,
    field: (value) =>
      checksField(
        'only these roles',
        listOf(value).flatMap((it) => {
          const id = idOf(it);
          return id === undefined ? [] : [{ id, label: `role ${id}` }];
        }),
        rolePicks,
        { hint: 'who may edit, mute, delete it; none = who may write' },
      ),
    put: (value, into) => put(into, ['restricted_roles'], listOf(value).length === 0 ? null : value),
  }),
  placed('draft_status', ['draft_status'], {
    rare: true,
    usual: 'published',
    field: (value) =>
      oneOf('draft status', value, ['published', 'draft'], 'preview: not every organisation has drafts'),
  }),
];
