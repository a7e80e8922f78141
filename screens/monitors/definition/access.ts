import { checksField } from '../../../src/describe/field.ts';
import { rolePicks } from '../../../src/describe/resource-picks.ts';
import { arrayOrEmpty, toId } from '../row.ts';
import { members } from './setting.ts';
import { wordSetting } from './values.ts';

/** Settings of access and of drafts. */
export const accessSettings = members({
  restricted_roles: {
    label: 'only these roles',
    called: 'list of roles',
    rare: true,
    isSet: true,
    field: (label, value) =>
      checksField(
        label,
        arrayOrEmpty(value).flatMap((entry) => {
          const id = toId(entry);
          return id === undefined ? [] : [{ id, label: `role ${id}` }];
        }),
        rolePicks,
        { hint: 'Roles that may edit, mute and delete it; none = anyone with permission' },
      ),
    place: (value) => (arrayOrEmpty(value).length === 0 ? null : value),
  },
  draft_status: wordSetting('draft status', ['published', 'draft'], 'preview: not every organization has drafts', {
    rare: true,
    usual: 'published',
    untold: 'published',
  }),
});
