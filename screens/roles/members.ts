import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { addRoleUser, listRoleUsers, type RoleMember, removeRoleUser } from '../../src/api/roles.ts';
import { listUsers } from '../../src/api/users.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { personOf, usersPicker } from '../../src/describe/people.ts';
import type { Pick as Choice } from '../../src/describe/pick.ts';
import { everyPage, pageSize } from '../../src/describe/read-pages.ts';
import type { Rows, Source } from '../../src/describe/source.ts';
import { at } from '../../src/lib/object-paths.ts';
import { plural } from '../../src/lib/text.ts';
import { idIn, word } from '../../src/lib/unchecked.ts';
import { type RoleRow, roleKind } from './kind.ts';
import { underOf } from './under.ts';

const { nameOf } = roleKind;

/** Somebody who has a role. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: string;
  /** Names of their other roles. */
  readonly others: readonly string[];
}

/** Pages of users that a detail reads; the picker of `r` searches beyond them on the service. */
const memberPages = 3;

/** Those who have a role, page by page; more than are read is a note. */
export function membersOf(id: string): Plan<Result<Rows<Member>>, Rows<Member>> {
  return everyPage<Member, RoleMember>({
    page: (number) =>
      call(listRoleUsers, {
        role_id: id,
        query: { 'page[size]': pageSize, 'page[number]': number, sort: 'name' },
      }),
    rows: (read) => {
      const names = new Map(read.included.map((it) => [idIn(it), word(it.attributes?.name)]));
      return read.items.flatMap((it) => memberOf(it, id, names) ?? []);
    },
    most: memberPages,
    beyond: 'r searches among all of them',
  });
}

function memberOf(it: RoleMember, role: string, names: ReadonlyMap<string | undefined, string>): Member | undefined {
  const person = personOf(it);
  if (!person) return undefined;
  const roles = (it.relationships?.roles?.data ?? []).map((one) => idIn(one));
  const others = roles.filter((one) => one !== undefined && one !== role);
  return {
    id: person.id,
    name: person.name,
    email: person.email ?? '',
    status: it.attributes?.status ?? '',
    others: others.map((one) => names.get(one) || `role ${one}`),
  };
}

/** Users of a role as the service finds them, to take it from one. */
export function memberPicks(role: string, typed: string): Source<Choice> {
  const filter = typed.trim();
  return {
    key: `users of role ${role} ${filter}`,
    of: ['users', 'roles'],
    *plan(): Plan<Result<Rows<Choice>>> {
      const query = { 'page[size]': 20, sort: 'name', ...(filter === '' ? {} : { filter }) } as const;
      const answer = yield* ask(call(listRoleUsers, { role_id: role, query }));
      if (!answer.ok) return answer;
      const rows = (answer.value?.data ?? []).flatMap((it): Choice[] => {
        const person = personOf(it);
        if (!person) return [];
        const contact = [person.email, person.handle].find((one) => one !== undefined && one !== person.name);
        return [{ id: person.id, label: person.name, ...(contact === undefined ? {} : { hint: contact }) }];
      });
      return { ...answer, value: { rows } };
    },
  };
}

interface Whom {
  readonly person: Pick<Person, 'id' | 'name'>;
}

const body = (id: string) => ({ data: { type: 'users' as const, id } });

const addCall = (role: string, user: string) => call(addRoleUser, { role_id: role, body: body(user) });
const removeCall = (role: string, user: string) => call(removeRoleUser, { role_id: role, body: body(user) });

/** Those who have the role after the edit. */
type Answer = ResponseOf<typeof addRoleUser>;

/** How many users an answer counts; the list that it holds may be a page of them. */
export function countIn({ data, meta }: Answer): number {
  const total = at(meta, 'page.total_count');
  return typeof total === 'number' || typeof total === 'bigint' ? Number(total) : data.length;
}

const listed = ({ data }: Answer, id: string): boolean => data.some((one) => idIn(one) === id);

/** The row with the count of the answer. */
const truth = (row: RoleRow, answer: Answer): RoleRow => ({
  ...row,
  attributes: { ...row.attributes, user_count: countIn(answer) },
});

const counted = (answer: Answer): string => {
  const count = countIn(answer);
  return count === 0 ? '; nobody has it now' : `; ${plural(count, 'user')} ${count === 1 ? 'has' : 'have'} it now`;
};

const who = ({ person }: Whom, context: Context): string => (person.id === context.me?.id ? 'you' : person.name);

/** `a`: one user more, found on the service. Built-in roles can be given too. */
export const addAction = action({
  id: 'roles.add-user',
  key: 'a',
  main: true,
  title: 'add user',
  help: 'give the role to a person, found by letters of the name',
  uses: [listUsers, addRoleUser, removeRoleUser],
  pick: (rows: readonly RoleRow[], context) =>
    usersPicker({
      title: `give ${rows.length === 1 && rows[0] ? nameOf(rows[0]) : plural(rows.length, 'role')} to`,
      context,
      key: 'a',
      values: (person) => ({ person: { id: person.id, name: person.name } }),
    }),
  send: (row: RoleRow, { person }: Whom) => addCall(row.id, person.id),
  truth,
  done: (row, whom, answer, context) => `gave ${nameOf(row)} to ${who(whom, context)}${counted(answer)}`,
  undo: (row, { person }) => [removeCall(row.id, person.id)],
  command: (row, { person }) => callCommand(addCall(row.id, person.id)),
});

/** `r`: one user less: the one under the cursor, or found among those who have it. */
export const removeAction = action({
  id: 'roles.remove-user',
  key: 'r',
  title: 'remove user',
  help: 'take the role from a person: the one under the cursor, or one of those who have it',
  uses: [listRoleUsers, removeRoleUser, addRoleUser],
  bulk: false,
  values(_: readonly RoleRow[], context): Whom | undefined {
    const it = underOf(context);
    return it?.kind === 'user' ? { person: { id: it.id, name: it.name } } : undefined;
  },
  pick: ([row]: readonly RoleRow[]) => ({
    title: row ? `take ${nameOf(row)} from` : '',
    first: [],
    load: (typed) => memberPicks(row?.id ?? '', typed),
    values: (pick) => ({ person: { id: pick.id, name: pick.label } }),
  }),
  confirm(rows: readonly RoleRow[], { person }: Whom, context) {
    if (person.id !== context.me?.id) return undefined;
    return {
      question: `take ${rows[0] ? nameOf(rows[0]) : 'the role'} from yourself? y = yes`,
      details: ['what only this role allows you is gone at once, maybe the right to take it back'],
      destructive: true,
    };
  },
  send: (row: RoleRow, { person }: Whom) => removeCall(row.id, person.id),
  truth,
  done(row, whom, answer, context) {
    if (listed(answer, whom.person.id))
      return `asked to take ${nameOf(row)} from ${who(whom, context)}, who still has it`;
    return `took ${nameOf(row)} from ${who(whom, context)}${counted(answer)}`;
  },
  undo: (row, { person }) => [addCall(row.id, person.id)],
  command: (row, { person }) => callCommand(removeCall(row.id, person.id)),
});
