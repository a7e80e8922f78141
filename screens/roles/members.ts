import { call } from '../../src/api/endpoint.ts';
import { addRoleUser, listRoleUsers, removeRoleUser } from '../../src/api/roles.ts';
import { listUsers } from '../../src/api/users.ts';
import { type Action, action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { usersPicker } from '../../src/describe/people.ts';
import { field, idIn, items } from '../../src/lib/loose.ts';
import { plural } from '../../src/lib/text.ts';
import { memberPicks } from './load.ts';
import { nameOf, type RoleRow, withUsers } from './row.ts';
import { underOf } from './under.ts';

interface Whom {
  readonly person: Pick<Person, 'id' | 'name'>;
}

const body = (id: string) => ({ data: { type: 'users' as const, id } });

/** Gives a role to a person. */
export const addCall = (role: string, user: string) => call(addRoleUser, { role_id: role, body: body(user) });
/** Takes a role from a person. */
export const removeCall = (role: string, user: string) => call(removeRoleUser, { role_id: role, body: body(user) });

/** How many users an answer counts; the list that it holds may be a page of them. */
export function countIn(answer: unknown): number | undefined {
  const data = field(answer, 'data');
  const total = field(field(field(answer, 'meta'), 'page'), 'total_count');
  if (typeof total === 'number' || typeof total === 'bigint') return Number(total);
  return data === undefined ? undefined : items(data).length;
}

const listed = (answer: unknown, id: string): boolean => items(field(answer, 'data')).some((it) => idIn(it) === id);

const counted = (answer: unknown): string => {
  const count = countIn(answer);
  if (count === undefined) return '';
  return count === 0 ? '; nobody has it now' : `; ${plural(count, 'user')} ${count === 1 ? 'has' : 'have'} it now`;
};

const who = ({ person }: Whom, context: Context): string => (person.id === context.me?.id ? 'you' : person.name);

/** `a`: one user more, found on the service. Built-in roles can be given too. */
export const addAction: Action<RoleRow, Whom> = action<RoleRow, Whom>({
  id: 'roles.add-user',
  key: 'a',
  main: true,
  title: 'add user',
  help: 'give the role to a person, found by letters of the name',
  uses: [listUsers, addRoleUser, removeRoleUser],
  pick: (rows, context) =>
    usersPicker({
      title: `give ${rows.length === 1 && rows[0] ? nameOf(rows[0]) : plural(rows.length, 'role')} to`,
      context,
      key: 'a',
      values: (person) => ({ person: { id: person.id, name: person.name } }),
    }),
  send: (row, { person }) => addCall(row.id, person.id),
  truth: (row, answer) => withUsers(row, countIn(answer)),
  done: (row, whom, answer, context) => `gave ${nameOf(row)} to ${who(whom, context)}${counted(answer)}`,
  undo: (row, { person }) => [removeCall(row.id, person.id)],
  command: (row, { person }) => callCommand(addCall(row.id, person.id)),
});

/** `r`: one user less: the one under the cursor, or found among those who have it. */
export const removeAction: Action<RoleRow, Whom> = action<RoleRow, Whom>({
  id: 'roles.remove-user',
  key: 'r',
  title: 'remove user',
  help: 'take the role from a person: the one under the cursor, or one of those who have it',
  uses: [listRoleUsers, removeRoleUser, addRoleUser],
  bulk: false,
  values(_, context) {
    const it = underOf(context);
    return it?.kind === 'user' ? { person: { id: it.id, name: it.name } } : undefined;
  },
  pick: ([row]) => ({
    title: row ? `take ${nameOf(row)} from` : '',
    first: [],
    load: (typed) => memberPicks(row?.id ?? '', typed),
    values: (pick) => ({ person: { id: pick.id, name: pick.label } }),
  }),
  confirm(rows, { person }, context) {
    if (person.id !== context.me?.id) return undefined;
    return {
      question: `take ${rows[0] ? nameOf(rows[0]) : 'the role'} from yourself? y = yes`,
      details: ['what only this role allows you is gone at once, maybe the right to take it back'],
      destructive: true,
    };
  },
  send: (row, { person }) => removeCall(row.id, person.id),
  truth: (row, answer) => withUsers(row, countIn(answer)),
  done(row, whom, answer, context) {
    if (listed(answer, whom.person.id))
      return `asked to take ${nameOf(row)} from ${who(whom, context)}, who still has it`;
    return `took ${nameOf(row)} from ${who(whom, context)}${counted(answer)}`;
  },
  undo: (row, { person }) => [addCall(row.id, person.id)],
  command: (row, { person }) => callCommand(removeCall(row.id, person.id)),
});
