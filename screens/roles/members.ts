import { ask, type Call, call, inside, mayNotRead, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import { findTotal, isWholeItem } from '../../src/api/paging.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { addRoleUser, listRoleUsers, type RoleMember, removeRoleUser } from '../../src/api/roles.ts';
import { listUsers } from '../../src/api/users.ts';
import { action } from '../../src/describe/action.ts';
import type { Context, Person, Rows, Source } from '../../src/describe/context.ts';
import { type Pick as Choice, personPick, picksIn, toPerson, usersPicker } from '../../src/describe/picks.ts';
import { ignored, namePart, receipt, receiptSubject } from '../../src/describe/receipt.ts';
import { everyPage, lackingText, pageSize, rowsOfPages } from '../../src/describe/resource-spec.ts';
import { capitalized, plural } from '../../src/lib/text.ts';
import { field, idIn, isUuid, toAmount, toWord } from '../../src/lib/values.ts';
import { type RoleRow, roleKind, selectedDetailRow } from './kind.ts';

const { nameOf } = roleKind;

/** A user of a role. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: string;
  /** Names of the other roles of the user. */
  readonly others: readonly string[];
}

/** Pages of users that a detail reads; the picker of `r` searches all users on the service. */
const maxMemberPages = 3;

/** Reads the users of a role, page by page; a note says where there are more. */
export function readMembers(id: string): Plan<Result<Rows<Member>>, Rows<Member>> {
  return rowsOfPages<Member, RoleMember>(call(listRoleUsers, { role_id: id, query: { sort: 'name' } }), {
    rows: (read) => {
      const names = new Map(read.included.map((role) => [idIn(role), toWord(role.attributes?.name)]));
      return read.items.flatMap((user) => memberOf(user, id, names) ?? []);
    },
    most: maxMemberPages,
    beyond: 'removing a user searches all of them',
  });
}

/** The ids of all users of a role. */
export function* memberIds(id: string): Plan<Result<readonly string[]>> {
  const pages = yield* inside(everyPage<RoleMember>(call(listRoleUsers, { role_id: id }), maxRestoredPages));
  if (!pages.ok) return pages;
  const { end, items, unread } = pages.value;
  return end || lackingText(pages.value) || unread.some(isWholeItem)
    ? problemResult('unreadable', 'not all of its users could be read')
    : toResult(items.flatMap((user) => idIn(user) ?? []));
}

/** Pages of users that are read before a role is deleted. */
const maxRestoredPages = 20;

function memberOf(user: RoleMember, role: string, names: ReadonlyMap<string | undefined, string>): Member | undefined {
  const person = toPerson(user);
  if (!person) return undefined;
  const roles = (user.relationships?.roles?.data ?? []).map((reference) => idIn(reference));
  const others = roles.filter((other) => other !== undefined && other !== role);
  return {
    id: person.id,
    name: person.name,
    email: person.email ?? '',
    status: user.attributes?.status ?? '',
    others: others.map((other) => names.get(other) || `role ${other}`),
  };
}

/** Searches the users of a role on the service, to remove one. */
function memberPicks(role: string, typed: string, extent: 'all' | undefined): Source<Choice> {
  const filter = typed.trim();
  // No search finds an id, and the receipt is to name its user.
  const search = isUuid(filter) ? { 'page[size]': pageSize } : filter === '' ? {} : { filter };
  const list = call(listRoleUsers, { role_id: role, query: { sort: 'name', ...search } });
  return {
    key: `users of role ${role} ${filter}`,
    of: ['users', 'roles'],
    plan: () =>
      picksIn(list, extent, (users) =>
        users.flatMap((user) => toPerson(user) ?? []).map((person) => personPick(person)),
      ),
  };
}

/** The person to give the role to, or to take it from. */
interface PersonValue {
  readonly person: Pick<Person, 'id' | 'name'>;
}

const body = (id: string) => ({ data: { type: 'users' as const, id } });

/** The request that adds a user to a role. */
export const addUserCall = (role: string, user: string) => call(addRoleUser, { role_id: role, body: body(user) });
const removeCall = (role: string, user: string) => call(removeRoleUser, { role_id: role, body: body(user) });

/** An answer holds the users of the role after the edit. */
type Answer = ResponseOf<typeof addRoleUser>;

/** The answer, undefined where nothing was to be sent; and whether the user had the role before, where that could be read. */
interface Changed {
  readonly answer?: Answer;
  /** Whether the user has the role after it, where that could be read. */
  readonly has?: boolean | undefined;
  readonly had: boolean | undefined;
}

/**
 * Reads whether a user has a role, then sends the edit of it unless it `wants` what is so already: the service answers
 * alike whether or not it changed anything. Keys that may not read may still edit.
 */
function* changing(
  role: string,
  { id, name }: PersonValue['person'],
  edit: Call<Answer>,
  wants: boolean,
): Plan<Result<Changed>> {
  const read = (query: { readonly filter?: string }) =>
    ask(call(listRoleUsers, { role_id: role, query: { 'page[size]': pageSize, ...query } }));
  const before = yield* read(name === id ? {} : { filter: name });
  if (!before.ok && !mayNotRead(before.problem)) return before;
  const found = hasRole(before, id);
  // A search by the name may miss who is there.
  const had = found === false && !wants && name !== id ? hasRole(yield* read({}), id) : found;
  if (had === wants) return toResult({ had });
  const answer = yield* ask(edit);
  if (!answer.ok) return answer;
  // A search by a former name misses who was there: then the role has no more users than before.
  const total = had === false && before.ok ? totalOf(before.value) : undefined;
  const wasThere = total !== undefined && total === totalOf(answer.value);
  return { ...answer, value: { answer: answer.value, had: wasThere || had, has: hasRole(answer, id) } };
}

/** The number of all users of a role, whatever was searched. */
const totalOf = ({ meta }: Answer): number | undefined => toAmount(field(field(meta, 'page'), 'total_count'));

/** Whether a page of the users of a role has this one; undefined where it may not be all of them. */
function hasRole(read: Result<Answer>, id: string): boolean | undefined {
  if (!read.ok) return undefined;
  const { data } = read.value;
  if (data.some((user) => idIn(user) === id)) return true;
  const isPart = data.length >= pageSize || (findTotal(read.value) ?? 0) > data.length || read.unread.some(isWholeItem);
  return isPart ? undefined : false;
}

/** The number of users that an answer tells; its list may be a single page of them. */
const countIn = (answer: Answer): number => findTotal(answer) ?? answer.data.length;

/** The row with the number of users of the answer. */
const truth = (row: RoleRow, { answer }: Changed): RoleRow =>
  answer ? { ...row, attributes: { ...row.attributes, user_count: countIn(answer) } } : row;

/** Behind a semicolon, as what an undo does not take back word by word. */
const countText = (answer: Answer | undefined): string => {
  if (answer === undefined) return '';
  const count = countIn(answer);
  return `; it has ${count === 0 ? 'no users left' : plural(count, 'user')}`;
};

const personText = ({ person }: PersonValue, context: Context): string =>
  person.id === context.me?.id ? 'you' : person.name;

/** `a`: gives the role to a user, found on the service. Built-in roles can be given too. */
export const addAction = action({
  id: 'roles.add-user',
  key: 'a',
  main: true,
  title: 'add user',
  preposition: 'to',
  line: { asks: 'pick', noun: 'user' },
  help: 'Add a user to the role',
  uses: [listUsers, listRoleUsers, addRoleUser, removeRoleUser],
  pick: (rows: readonly RoleRow[], context) =>
    usersPicker({
      title: `Add user to ${receiptSubject(rows, nameOf, 'role')}`,
      context,
      values: (person) => ({ person: { id: person.id, name: person.name } }),
    }),
  send: (row: RoleRow, { person }: PersonValue) => changing(row.id, person, addUserCall(row.id, person.id), true),
  truth,
  done(row, values, { answer, had, has }, context) {
    const user = personText(values, context);
    if (has === false) return ignored(receipt`NOT ADDED: ${user} is still not in ${namePart(nameOf(row))}`);
    return had
      ? receipt`${capitalized(user)} already had ${namePart(nameOf(row))}${countText(answer)}`
      : receipt`Added ${user} to ${namePart(nameOf(row))}${countText(answer)}`;
  },
  undo: (row, { person }, { had }) => (had === false ? [removeCall(row.id, person.id)] : []),
  command: (row, { person }) => addUserCall(row.id, person.id),
});

/** The user under the cursor of a detail. */
function selectedUser(context: Context): PersonValue['person'] | undefined {
  const selected = selectedDetailRow(context);
  return selected?.kind === 'user' ? { id: selected.id, name: selected.name } : undefined;
}

/** `d` on a user: takes the role from the user under the cursor, or from one found on the service. */
export const removeAction = action({
  id: 'roles.remove-user',
  key: 'd',
  onLine: (context) => selectedUser(context)?.name,
  title: 'remove user',
  preposition: 'from',
  line: { asks: 'pick', noun: 'user' },
  help: 'Remove a user from the role; in the detail, the selected one',
  brief: 'Remove users from the role',
  uses: [listRoleUsers, removeRoleUser, addRoleUser],
  bulk: false,
  values(_: readonly RoleRow[], context): PersonValue | undefined {
    const person = selectedUser(context);
    return person && { person };
  },
  pick: ([row]: readonly RoleRow[]) => ({
    title: row ? `Remove user from ${nameOf(row)}` : '',
    first: [],
    load: (typed, extent?: 'all') => memberPicks(row?.id ?? '', typed, extent),
    values: (pick) => ({ person: { id: pick.id, name: pick.label } }),
  }),
  confirm(rows: readonly RoleRow[], { person }: PersonValue, context) {
    if (person.id !== context.me?.id) return undefined;
    return {
      question: `Remove yourself from ${rows[0] ? nameOf(rows[0]) : 'the role'}?`,
      details: ['You lose at once what only this role grants, perhaps the right to undo this'],
      destructive: true,
    };
  },
  send: (row: RoleRow, { person }: PersonValue) => changing(row.id, person, removeCall(row.id, person.id), false),
  truth,
  done(row, values, { answer, has }, context) {
    if (answer === undefined)
      return receipt`${capitalized(personText(values, context))} did not have ${namePart(nameOf(row))}`;
    if (has) return ignored(receipt`NOT REMOVED: ${personText(values, context)} is still in ${namePart(nameOf(row))}`);
    return receipt`Removed ${personText(values, context)} from ${namePart(nameOf(row))}${countText(answer)}`;
  },
  undo: (row, { person }, { had }) => (had === true ? [addUserCall(row.id, person.id)] : []),
  command: (row, { person }) => removeCall(row.id, person.id),
});
