import { createServiceAccount } from '../../src/api/application-keys.ts';
import { type AttributesOf, call } from '../../src/api/endpoint.ts';
import { createUser, disableUser, getUser, updateUser } from '../../src/api/users.ts';
import { action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { checksField, textField, toggleField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt } from '../../src/describe/receipt.ts';
import { rolePicks } from '../../src/describe/resource-picks.ts';
import { defineSettings, formOnly } from '../../src/describe/setting.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { plural } from '../../src/lib/text.ts';
import { isDisabled, type PersonRow, people, userStatus } from './person-kind.ts';

const checkAddress = (typed: string) => /^[^\s@]+@[^\s@]+$/.test(typed) || 'Email needs an @';

const setting = defineSettings(people);
/** An empty text clears the attribute. */
const clears = { untold: '', omit: 'always' } as const;
const name = setting('name', 'name', (now) => textField('Name', now), clears);
const title = setting('title', 'title', (now) => textField('Title', now), clears);
const email = setting('email', 'email', (now, row) =>
  textField('Email', now, { required: row === undefined, check: (typed) => typed === now || checkAddress(typed) }),
);

const edits = editing({
  kind: people,
  settings: {
    name,
    email,
    title,
    disabled: setting('sign-in', 'disabled', (now) => toggleField('Disabled', now), { has: () => false }),
  },
  uses: [updateUser],
  own: ['status', 'modified_at', 'last_login_time'],
  patch: (id, attributes: AttributesOf<typeof updateUser>) =>
    call(updateUser, { user_id: id, body: { data: { id, type: 'users', attributes } } }),
});

export const { comparable: comparablePerson } = edits;

/** `e`: name, e-mail and title. */
export const editPersonAction = edits.edit({
  id: 'people.edit',
  help: 'Edit name, email and title; shows the differences before saving',
});

const creates = editing({
  kind: people,
  settings: {
    email,
    name,
    title,
    roles: formOnly('roles', () =>
      checksField('Roles', [], rolePicks, { hint: 'Enter opens the list; no role = no permissions' }),
    ),
  },
  uses: [],
});

const withRoles = (roles: readonly string[] = []) =>
  roles.length === 0 ? {} : { relationships: { roles: { data: roles.map((id) => ({ id, type: 'roles' as const })) } } };

/** The receipt of a new person or account. */
function createReceipt(what: string, { now, asked }: Made<PersonRow>): Receipt {
  const status = now ? userStatus(now).toLowerCase() : '';
  return receipt`Created ${what} ${namePart(people.nameOf({ ...(now ?? asked) }))}${status && `, ${status}`}`;
}

/** `n`: a new person. */
export const createPersonAction = creates.make({
  id: 'people.create',
  title: 'new user',
  help: 'Create a user, pending until the first sign-in',
  uses: [createUser],
  create: (attributes: AttributesOf<typeof createUser>, { roles }) =>
    call(createUser, { body: { data: { type: 'users', attributes, ...withRoles(roles) } } }),
  confirm: (_, { email, roles = [] }) => ({
    question: `Create user ${email}?`,
    details: [
      roles.length === 0 ? 'Without a role the user has no permissions' : `With ${plural(roles.length, 'role')}`,
      'Users can be disabled but never deleted',
    ],
  }),
  done: (_, __, made) => createReceipt('user', made),
});

/** `n`: a new service account. */
export const createAccountAction = creates.make({
  id: 'people.create-account',
  key: 'n',
  title: 'new service account',
  help: 'Create a service account for a program; a adds its keys',
  brief: 'Create a service account for a program',
  uses: [createServiceAccount],
  create: (attributes: AttributesOf<typeof createServiceAccount>, { roles }) =>
    call(createServiceAccount, {
      body: { data: { type: 'users', attributes: { ...attributes, service_account: true }, ...withRoles(roles) } },
    }),
  confirm: (_, { email, roles = [] }) => ({
    question: `Create a service account for ${email}?`,
    details: [
      roles.length === 0 ? 'Without a role its keys have no permissions' : `With ${plural(roles.length, 'role')}`,
      'It is active at once; it can be disabled but never deleted',
    ],
  }),
  done: (_, __, made) => createReceipt('service account', made),
});

const isMe = (row: PersonRow, context: Context): boolean => context.me?.id === row.id;
const disableCall = (row: PersonRow) => call(disableUser, { user_id: row.id });
const withStatus = (row: PersonRow, disabled: boolean, status: string): PersonRow => ({
  ...row,
  attributes: { ...row.attributes, disabled, status },
});

/** `t`: the service does not delete people. */
export const disableAction = action<PersonRow>({
  id: 'people.disable',
  key: 't',
  title: 'disable',
  help: 'Block sign-in and delete the application keys',
  uses: [disableUser],
  already: (row) => (isDisabled(row) ? 'already disabled' : undefined),
  confirm(rows, _, context) {
    const [row] = rows;
    const single = rows.length === 1 ? row : undefined;
    const mine = rows.find((candidate) => isMe(candidate, context));
    const warning =
      mine && `WARNING: ${people.nameOf(mine)} owns the key of this session: every further request is refused`;
    return {
      question: single ? `Disable ${people.nameOf(single)}?` : `Disable ${rows.length} users?`,
      details: [
        ...(warning ? [warning] : []),
        'Blocks sign-in and deletes their application keys for good; API keys that they created stay',
        'Enabling them again does not bring the keys back',
      ],
      destructive: true,
      typed: single ? (single.attributes.email ?? '') : String(rows.length),
    };
  },
  send: disableCall,
  show: (row) => withStatus(row, true, 'Disabled'),
  done: (row) => receipt`Disabled ${namePart(people.nameOf(row))} and deleted their application keys`,
  command: (row) => disableCall(row),
});

/** `t`: a disabled person may sign in again. */
export const enableAction = edits.to(() => ({ disabled: false }), {
  id: 'people.enable',
  key: 't',
  title: 'enable',
  main: false,
  help: 'Allow sign-in again; deleted application keys do not come back',
  uses: [getUser, updateUser, disableUser],
  already: (row) => (isDisabled(row) ? undefined : 'not disabled'),
  show: (row) => withStatus(row, false, 'Active'),
  done: (row, _, { now }) =>
    receipt`Enabled ${namePart(people.nameOf(row))}, now ${((now && userStatus(now)) || 'status unknown').toLowerCase()}`,
  undo: (before) => [disableCall(before)],
});
