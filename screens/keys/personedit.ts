import { call } from '../../src/api/endpoint.ts';
import { createServiceAccount } from '../../src/api/keys.ts';
import { createUser, disableUser, updateUser } from '../../src/api/users.ts';
import { type AnyAction, action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { checksField, textField } from '../../src/describe/field.ts';
import { rolePicks } from '../../src/describe/picks.ts';
import { field, idIn } from '../../src/lib/loose.ts';
import { plural } from '../../src/lib/text.ts';
import { type PersonRow, readPerson } from './person.ts';

const address = (typed: string) => /^[^\s@]+@[^\s@]+$/.test(typed) || 'an e-mail address has an @ in it';

const newcomer = () => ({
  email: textField('e-mail', '', { required: true, check: address }),
  name: textField('name', ''),
  title: textField('title', ''),
  roles: checksField('roles', [], rolePicks, { hint: 'Enter picks; without a role nothing is allowed' }),
});

const told = ({ name, title }: { readonly name: string; readonly title: string }) => ({
  ...(name === '' ? {} : { name }),
  ...(title === '' ? {} : { title }),
});

const withRoles = (roles: readonly string[]) =>
  roles.length === 0 ? {} : { relationships: { roles: { data: roles.map((id) => ({ id, type: 'roles' as const })) } } };

const rowIn = (answer: unknown) => readPerson(field(answer, 'data'));

function madeSay(what: string, answer: unknown, fallback: string): string {
  const now = rowIn(answer);
  return `created ${what} ${now?.name ?? fallback}${now?.status ? `, ${now.status.toLowerCase()}` : ''}`;
}

/** `n` */
const invite = action({
  id: 'people.create',
  key: 'n',
  title: 'new person',
  on: 'list',
  help: 'a new person, pending until the first sign-in',
  uses: [createUser],
  form: newcomer,
  confirm: (_: readonly PersonRow[], { email, roles }) => ({
    question: `let ${email} into this organisation? y = yes`,
    details: [
      roles.length === 0 ? 'without a role nothing is allowed' : `with ${plural(roles.length, 'role')}`,
      'nobody is ever deleted again, only disabled',
    ],
  }),
  send: (_: PersonRow, { email, roles, ...more }) =>
    call(createUser, { body: { data: { type: 'users', attributes: { email, ...told(more) }, ...withRoles(roles) } } }),
  done: (_, { email }, answer) => madeSay('person', answer, email),
  made: (answer) => idIn(field(answer, 'data')),
});

/** `N` */
const openAccount = action({
  id: 'people.create-account',
  key: 'N',
  title: 'new service account',
  on: 'list',
  help: 'an account for a program; its keys are made with a',
  uses: [createServiceAccount],
  form: newcomer,
  confirm: (_: readonly PersonRow[], { email, roles }) => ({
    question: `create a service account for ${email}? y = yes`,
    details: [
      roles.length === 0 ? 'without a role its keys may do nothing' : `with ${plural(roles.length, 'role')}`,
      'it is active at once, and never deleted again, only disabled',
    ],
  }),
  send: (_: PersonRow, { email, roles, ...more }) =>
    call(createServiceAccount, {
      body: {
        data: { type: 'users', attributes: { email, service_account: true, ...told(more) }, ...withRoles(roles) },
      },
    }),
  done: (_, { email }, answer) => madeSay('service account', answer, email),
  made: (answer) => idIn(field(answer, 'data')),
});

interface Said {
  readonly name: string;
  readonly email: string;
  readonly title: string;
}

/** What differs; an emptied name or title is none. */
function patch(row: PersonRow, next: Said) {
  return call(updateUser, {
    user_id: row.id,
    body: {
      data: {
        id: row.id,
        type: 'users',
        attributes: {
          ...(next.name === row.named ? {} : { name: next.name || null }),
          ...(next.email === row.email ? {} : { email: next.email }),
          ...(next.title === row.title ? {} : { title: next.title || null }),
        },
      },
    },
  });
}

const saidOf = (row: PersonRow): Said => ({ name: row.named, email: row.email, title: row.title });

const shown = (row: PersonRow, next: Said): PersonRow => ({
  ...row,
  named: next.name,
  name: next.name || next.email || row.name,
  email: next.email,
  title: next.title,
});

function truth(row: PersonRow, answer: unknown): PersonRow {
  const now = rowIn(answer);
  return now ? { ...row, ...now, roles: row.roles, seen: now.seen ?? row.seen } : row;
}

/** `e` */
const edit = action({
  id: 'people.edit',
  key: 'e',
  title: 'edit',
  main: true,
  help: 'name, e-mail and title; the difference is shown first',
  uses: [updateUser],
  bulk: false,
  reviews: true,
  form: (row: PersonRow) => ({
    name: textField('name', row.named),
    email: textField('e-mail', row.email, { check: (typed) => typed === row.email || address(typed) }),
    title: textField('title', row.title),
  }),
  send: (row: PersonRow, values) => patch(row, values),
  show: shown,
  truth,
  done: (row: PersonRow, _, answer) => `saved ${truth(row, answer).name}`,
  undo: (before: PersonRow, values) => [patch(shown(before, values), saidOf(before))],
  command: (row: PersonRow, values) => callCommand(patch(row, values)),
});

const isMe = (row: PersonRow, context: Context): boolean => context.me?.id === row.id;

/** `d`: nobody is ever deleted. */
const disable = action<PersonRow>({
  id: 'people.disable',
  key: 'd',
  title: 'disable',
  help: 'no sign-in any more, and the application keys are deleted; the e-mail is typed first',
  uses: [disableUser],
  enabled: (row) => (row.disabled ? 'already disabled' : true),
  confirm(rows, _, context) {
    const [row] = rows;
    const single = rows.length === 1 ? row : undefined;
    const mine = rows.find((it) => isMe(it, context));
    return {
      question: single ? `disable ${single.name}?` : `disable ${rows.length} people?`,
      details: [
        ...(mine
          ? [`WARNING: ${mine.name} owns the key that this dashboard uses: every further call is refused then`]
          : []),
        'their application keys are deleted for good; API keys that they made stay',
        'E enables again, without the keys',
      ],
      destructive: true,
      typed: single ? single.email || single.id : String(rows.length),
    };
  },
  send: (row) => call(disableUser, { user_id: row.id }),
  show: (row) => ({ ...row, disabled: true, status: 'Disabled' }),
  done: (row) => `disabled ${row.name}; their application keys are gone`,
  command: (row) => callCommand(call(disableUser, { user_id: row.id })),
});

const enabling = (row: PersonRow) =>
  call(updateUser, {
    user_id: row.id,
    body: { data: { id: row.id, type: 'users', attributes: { disabled: false } } },
  });

/** `E` */
const enable = action<PersonRow>({
  id: 'people.enable',
  key: 'E',
  title: 'enable',
  help: 'may sign in again; application keys do not come back',
  uses: [updateUser, disableUser],
  enabled: (row) => (row.disabled ? true : 'not disabled'),
  send: enabling,
  show: (row) => ({ ...row, disabled: false, status: 'Active' }),
  truth,
  done: (row, _, answer) => `enabled ${row.name}, now ${(rowIn(answer)?.status || 'status not told').toLowerCase()}`,
  undo: (before) => [call(disableUser, { user_id: before.id })],
  command: (row) => callCommand(enabling(row)),
});

/** Everything that can be done to a person or an account, but for its keys. */
export const personActions: readonly AnyAction[] = [edit, invite, openAccount, disable, enable];
