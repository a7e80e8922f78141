import { call } from '../../src/api/endpoint.ts';
import { deleteRole } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import { plural } from '../../src/lib/text.ts';
import { mayChange, nameOf, type RoleRow, userCount } from './row.ts';

/** `d`: the role leaves everybody who has it, so its name is typed. */
export const deleteAction = action<RoleRow>({
  id: 'roles.delete',
  key: 'd',
  title: 'delete',
  help: 'delete the role: everybody who has it loses it',
  uses: [deleteRole],
  enabled: (row, context) => (mayChange(row, context) === true ? true : 'built in: it cannot be deleted'),
  confirm(rows) {
    const [row] = rows;
    const single = rows.length === 1 && row;
    const counts = rows.map(userCount);
    const sum = counts.reduce((all: number, it) => all + (it ?? 0), 0);
    const users = counts.includes(undefined)
      ? 'how many users have it was not told'
      : sum === 0
        ? 'nobody has it'
        : `${plural(sum, 'user')} ${sum === 1 ? 'loses' : 'lose'} it${single ? '' : ' (each counted for each role)'}`;
    return {
      question: single ? `delete role ${nameOf(row)}?` : `delete ${rows.length} roles?`,
      details: [users, 'mappings that lead to it and archive readers go with it', 'it cannot be brought back'],
      destructive: true,
      typed: single ? typedName(row) : String(rows.length),
    };
  },
  send: (row) => call(deleteRole, { role_id: row.id }),
  removes: true,
  done(row) {
    const users = userCount(row);
    return `deleted ${nameOf(row)}${users ? `; ${plural(users, 'user')} had it` : ''}`;
  },
  command: (row) => callCommand(call(deleteRole, { role_id: row.id })),
});

/** What has to be typed: the name where a keyboard has it, else the id. */
function typedName(row: RoleRow): string {
  const name = row.attributes.name ?? '';
  return name.trim() === name && /^[\x20-\x7e]{1,60}$/.test(name) ? name : row.id;
}
