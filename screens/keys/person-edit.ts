import { createServiceAccount } from '../../src/api/application-keys.ts';
import { type AttributesOf, call } from '../../src/api/endpoint.ts';
import { createUser, disableUser, getUser, listUsers, updateUser } from '../../src/api/users.ts';
import { action } from '../../src/describe/action.ts';
import { ageColumn, type Column, plainColumn, type Tone, textColumn } from '../../src/describe/column.ts';
import type { Person } from '../../src/describe/context.ts';
import { checksField, textField, toggleField } from '../../src/describe/field.ts';
import { rolePicks, toPerson } from '../../src/describe/picks.ts';
import { ignored, namePart, type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { searchReadsAll } from '../../src/describe/resource-spec.ts';
import { defineSettings, formOnly } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { commaWords, plural } from '../../src/lib/text.ts';
import { toWord } from '../../src/lib/values.ts';
import { includedFor, readNullableMoment, readRelationships } from './any-key.ts';

/** People and service accounts (docs/contract/users.md#user). Nobody is ever deleted, only disabled. */
export const people = kind({
  noun: 'user',
  of: ['users', 'roles'],
  pages({ search }) {
    const filter = search.text?.trim() ?? '';
    const status = commaWords(search.status);
    return call(listUsers, {
      query: {
        sort: 'name',
        ...(filter !== '' && { filter }),
        ...(status.length > 0 && { 'filter[status]': status }),
      },
    });
  },
  extra: ({ relationships }, included) => readRelationships(relationships, relationships?.roles?.data ?? [], included),
  // Pages. There are organizations of 57,000 people; larger lists are searched on the service.
  most: 10,
  beyond: searchReadsAll,
  // The service has no filter for service accounts.
  keeps: (row, { search: { kind: which = 'all' } }) => which === 'all' || isService(row) === (which === 'accounts'),
  get: (id) => call(getUser, { user_id: id }),
  // A new one has no id yet.
  name: (row) => toPerson(row)?.name ?? row.attributes.name ?? row.attributes.email,
});

/** A row of the list of people. */
export type PersonRow = RowOf<typeof people>;

/** Whether a user is a service account, which a program uses, and not a person. */
export const isService = (row: {
  readonly attributes: { readonly service_account?: boolean | null | undefined };
}): boolean => row.attributes.service_account === true;

/** Deployments answer the attribute, the status, or both. */
export const isDisabled = ({ attributes }: PersonRow): boolean =>
  attributes.disabled === true || attributes.status === 'Disabled';

/** `Active`, `Pending`, `Disabled` or another word of the service; empty where it tells none. */
export const userStatus = (row: PersonRow): string => row.attributes.status || (isDisabled(row) ? 'Disabled' : '');

/** The roles of a person; the id of a role whose name the response does not include. */
export const userRoles = (row: PersonRow): readonly Person[] =>
  (row.relationships?.roles?.data ?? []).map((role) => ({
    id: String(role.id),
    name: toWord(includedFor(row, role)?.attributes?.name) || String(role.id),
  }));

const { nameOf } = people;

/** Colors of the statuses. */
const tones = new Map<string, Tone>(Object.entries({ Active: 'good', Pending: 'warn', Disabled: 'dim' }));

/** The color of a person's status. */
export const statusTone = (row: PersonRow): Tone => tones.get(userStatus(row)) ?? 'plain';

/** Columns of people and service accounts. */
export const personColumns: readonly Column<PersonRow>[] = [
  textColumn({
    id: 'status',
    min: 8,
    widest: 'Disabled',
    priority: 2,
    text: userStatus,
    tone: statusTone,
  }),
  textColumn({
    id: 'name',
    min: 16,
    max: 40,
    priority: 1,
    text: nameOf,
  }),
  plainColumn({
    id: 'kind',
    firsts: ['people first', 'service accounts first'],
    min: 7,
    priority: 3,
    text: (row) => (isService(row) ? 'service' : 'person'),
    tone: (row) => (isService(row) ? 'info' : 'dim'),
    sort: (row) => Number(isService(row)),
  }),
  textColumn({
    id: 'email',
    min: 18,
    max: 50,
    priority: 4,
    text: (row) => row.attributes.email ?? '',
  }),
  plainColumn({
    id: 'roles',
    firsts: ['fewest first', 'most first'],
    min: 12,
    flex: true,
    priority: 5,
    text: (row) =>
      userRoles(row)
        .map((role) => role.name)
        .join(', ') || 'none',
    tone: (row) => (userRoles(row).length === 0 ? 'dim' : 'plain'),
    sort: (row) => userRoles(row).length,
  }),
  ageColumn({ id: 'created', min: 7, priority: 6 }, (row) => readNullableMoment(row.attributes.created_at)),
];

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
    disabled: setting('sign-in', 'disabled', (now) => toggleField('Disabled', now), { has: 'never' }),
  },
  uses: [updateUser],
  own: ['status', 'modified_at', 'last_login_time'],
  // Whoever may sign in again has a status that only the service tells.
  tidy: (attributes, { disabled }) => (disabled === false ? { ...attributes, status: undefined } : attributes),
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

/** `, pending, with 2 roles`: the end of the receipt of a new person or account, as far as the service tells. */
function saidOf(row: PersonRow, { roles = [] }: { readonly roles?: readonly string[] | undefined }): Receipt {
  const status = userStatus(row) === '' ? '' : `, ${userStatus(row).toLowerCase()}`;
  const held = row.relationships?.roles?.data?.map(({ id }) => String(id));
  if (!held || roles.length === 0) return receipt`${status}`;
  const lacking = roles.filter((id) => !held.includes(id)).length;
  return lacking === 0
    ? receipt`${status}, with ${plural(roles.length, 'role')}`
    : warning(receipt`${status}; NOT given: ${lacking} of ${plural(roles.length, 'role')}`);
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
  verb: 'Created user',
  says: saidOf,
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
  verb: 'Created service account',
  says: saidOf,
});

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
    const single = rows.length === 1 ? rows[0] : undefined;
    const mine = rows.find(({ id }) => id === context.me?.id);
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
  done(row, _, { now }) {
    const status = ((now && userStatus(now)) || 'status unknown').toLowerCase();
    return now && isDisabled(now)
      ? ignored(receipt`STILL DISABLED: ${namePart(people.nameOf(row))}`)
      : receipt`Enabled ${namePart(people.nameOf(row))}, now ${status}`;
  },
  undo: (before) => [disableCall(before)],
});
