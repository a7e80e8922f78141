import {
  createAccountKey,
  deleteAccountKey,
  deleteOrgKey,
  getAccountKey,
  getOrgKey,
  listAccountKeys,
  listOrgKeys,
  updateAccountKey,
  updateOrgKey,
} from '../../src/api/application-keys.ts';
import { ask, call, inside, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { listPermissions, listRoles, type Permission } from '../../src/api/roles.ts';
import { getUser, listUsers, userPermissions } from '../../src/api/users.ts';
import type { Action, CommandLine } from '../../src/describe/action.ts';
import {
  ageText,
  type DetailLine,
  momentPair,
  pair,
  type Section,
  type SubRow,
  section,
  subColumn,
  type Tab,
  textLine,
  toLines,
} from '../../src/describe/column.ts';
import type { Context, Single } from '../../src/describe/context.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { detailOf, listOf } from '../../src/describe/list-detail.ts';
import { missingNotes } from '../../src/describe/resource-spec.ts';
import type { List } from '../../src/describe/screen.ts';
import type { Made } from '../../src/describe/standard-actions.ts';
import { yesNo } from '../../src/lib/text.ts';
import { field, idIn, items } from '../../src/lib/values.ts';
import { endingText, findLeak, nameOfKey, newSecret, readNullableMoment } from './any-key.ts';
import {
  type AppKeyRow,
  accountEndpoints,
  applicationKeys,
  type KeyEndpoints,
  keyActions,
  orgEndpoints,
  scopesText,
} from './application-key-edit.ts';
import {
  comparablePerson,
  createAccountAction,
  createPersonAction,
  disableAction,
  editPersonAction,
  enableAction,
  isDisabled,
  isService,
  type PersonRow,
  people,
  personColumns,
  statusTone,
  userRoles,
  userStatus,
} from './person-edit.ts';

/** Where the keys of a person are: service accounts have their own path, people's keys are among the organization's. */
const endpointsFor = (person: PersonRow): KeyEndpoints =>
  isService(person) ? accountEndpoints(person.id, people.nameOf(person)) : orgEndpoints;

/** Reads the key under the cursor before its form or question opens. */
const keyUnderCursor = (person: PersonRow, { subRowId = '' }: Context): Single<AppKeyRow> => ({
  key: `application key of ${person.id} ${subRowId}`,
  of: ['application_keys'],
  *plan(): Plan<Result<AppKeyRow>> {
    const endpoints = endpointsFor(person);
    const answer = yield* ask(endpoints.get(subRowId));
    if (!answer.ok) return answer;
    const { data, included } = answer.value ?? {};
    const key = applicationKeys(endpoints).row(data, { unread: answer.unread, included });
    return key ? { ...answer, value: key } : problemResult('unreadable', 'the response has no key id');
  },
});

/** What an action on the key under the cursor has in common. */
const underCursor = {
  onLine: ({ subRowId }: Context) => subRowId,
  enabled: (_: PersonRow, { subRowId }: Context): true | string =>
    subRowId !== undefined || 'select a key in the detail first (Enter, then ])',
  needs: keyUnderCursor,
};

/** The fields of a key of any owner. */
const keyFields = (context: Context): Fields =>
  keyActions(orgEndpoints).create.form?.(undefined as never, context, undefined) ?? {};

/** The key that `keyUnderCursor` has read; undefined for a new key, whose action does not use it. */
const selectedKey = (context: Context): AppKeyRow => context.known as AppKeyRow;

type ActionHead = Pick<
  Action<PersonRow>,
  'id' | 'key' | 'onLine' | 'title' | 'help' | 'brief' | 'uses' | 'enabled' | 'needs' | 'preposition'
> & {
  readonly line: Exclude<CommandLine<never>, { readonly asks: 'flags' }>;
};

/** An action on application keys as an action on the person who owns them, in the person's detail. */
function personAction<V, A>(
  actionFor: (endpoints: KeyEndpoints) => Action<AppKeyRow, V, A>,
  head: ActionHead,
): Action<PersonRow, V, A> {
  const actionOf = (person: PersonRow) => actionFor(endpointsFor(person));
  const { form, undo, made: keyMade, reviews = false } = actionFor(orgEndpoints);
  return {
    ...head,
    bulk: false,
    reviews,
    ...(form && { form: (person, context, key: AppKeyRow) => actionOf(person).form?.(key, context, undefined) ?? {} }),
    confirm: ([person], values, context) =>
      person && actionOf(person).confirm?.([selectedKey(context)], values, context),
    send: (person, values, context) => actionOf(person).send(selectedKey(context), values, context),
    done: (person, values, answer, context) => actionOf(person).done(selectedKey(context), values, answer, context),
    ...(keyMade && { made: keyMade, makesKind: 'keys-org' }),
    ...(undo && {
      undo: (person, values, answer, context) =>
        actionOf(person).undo?.(selectedKey(context), values, answer, context) ?? [],
    }),
  };
}

/** `a`: a new key of a service account, the only keys that another person can create (docs/contract/keys.md#service-accounts). */
const createKeyAction = {
  ...personAction((endpoints) => keyActions(endpoints).create, {
    id: 'people.create-key',
    key: 'a',
    title: 'add key',
    preposition: 'to',
    help: 'Create a key for the service account; its secret is shown once',
    uses: [createAccountKey, deleteAccountKey],
    line: { asks: 'form', fields: keyFields },
    enabled(row) {
      if (!isService(row)) return 'users create their own keys; you can create keys of service accounts';
      return isDisabled(row) ? 'the account is disabled' : true;
    },
  }),
  secret: (made: Made<AppKeyRow>) => newSecret(made),
};

/** `e` on the keys tab. */
const changeKeyAction = personAction((endpoints) => keyActions(endpoints).edit, {
  id: 'people.edit-key',
  key: 'e',
  title: 'edit key',
  help: 'Edit name and scopes of the selected key',
  brief: 'Edit name and scopes of a key',
  uses: [getAccountKey, getOrgKey, updateAccountKey, updateOrgKey],
  line: { asks: 'subRow', noun: 'key', fields: keyFields },
  ...underCursor,
});

/** `d` on the keys tab. */
const deleteKeyAction = personAction((endpoints) => keyActions(endpoints).remove, {
  id: 'people.delete-key',
  key: 'd',
  title: 'delete key',
  help: 'Delete the selected key; anything using it stops working',
  brief: 'Delete keys; anything using them stops working',
  uses: [getAccountKey, getOrgKey, deleteAccountKey, deleteOrgKey],
  line: { asks: 'subRow', noun: 'key' },
  ...underCursor,
});

/** What the detail of a person reads besides the person: permissions and application keys. */
interface PersonDetail {
  readonly permissions: readonly Permission[];
  readonly keys: readonly AppKeyRow[];
  /** Sentences on each: what could not be read. */
  readonly notes: { readonly permissions: readonly string[]; readonly keys: readonly string[] };
}

/** Reads permissions and keys; what cannot be read becomes a note. */
function* readDetail(row: PersonRow, context: Context): Plan<Result<PersonDetail>, PersonDetail> {
  const granted = yield* ask(call(userPermissions, { user_id: row.id }));
  if (!granted.ok && granted.problem.kind === 'canceled') return granted;
  const permissions = granted.ok ? (granted.value?.data ?? []) : [];
  const withKeys = (rows: readonly AppKeyRow[], lacks: readonly string[] = []): PersonDetail => ({
    permissions,
    keys: rows,
    notes: { permissions: missingNotes('permissions', granted), keys: lacks },
  });
  const listed = applicationKeys(endpointsFor(row)).load({ search: { owner: row.id }, range: '' });
  const keys = yield* inside(listed.plan(context), ({ rows }) => withKeys(rows));
  if (!keys.ok && keys.problem.kind === 'canceled') return keys;
  if (!keys.ok) return toResult(withKeys([], missingNotes('keys', keys)));
  return toResult(
    withKeys(
      keys.value.rows,
      keys.value.missing?.map((text) => `keys: ${text}`),
    ),
  );
}

/** The ids that a relationship names, where there are any: in an envelope or as they are. */
function besides(label: string, relation: unknown): readonly DetailLine[] {
  const ids = items(field(relation, 'data') ?? relation).flatMap((one) => idIn(one) ?? []);
  return ids.length === 0 ? [] : [pair(label, ids.join(', '))];
}

function sectionsOf(row: PersonRow, more: PersonDetail | undefined, context: Context): readonly Section[] {
  const { name, email, handle, title, created_at, modified_at, last_login_time, ...account } = row.attributes;
  const methods = account.allowed_login_methods ?? [];
  const roles = userRoles(row);
  const person = [
    ...(row.id === context.me?.id ? [textLine('Owner of the key of this session', 'info')] : []),
    pair('Name', name),
    pair('Email', email),
    pair('Handle', handle === email ? '' : handle),
    pair('Title', title),
    pair('Status', userStatus(row), statusTone(row)),
    pair('Type', isService(row) ? 'service account' : 'user'),
    pair('Verified', yesNo(account.verified)),
    pair(
      'Second factor',
      yesNo(account.mfa_enabled),
      account.mfa_enabled === false && !isService(row) ? 'warn' : undefined,
    ),
    ...(methods.length > 0 ? [pair('Signs in by', methods.join(', '))] : []),
    momentPair('Created', readNullableMoment(created_at), context),
    momentPair('Updated', readNullableMoment(modified_at), context),
    momentPair('Last sign-in', readNullableMoment(last_login_time), context),
    ...besides('Other organizations', row.relationships?.other_orgs),
    ...besides('Other accounts', row.relationships?.other_users),
    pair('ID', row.id),
    ...[...(more?.notes.permissions ?? []), ...(more?.notes.keys ?? [])].map((note) => textLine(note, 'warn')),
  ];
  const held =
    roles.length === 0 ? [textLine('None: no permissions', 'dim')] : roles.map((role) => textLine(role.name));
  return [section('person', '', person), section('roles', 'Roles', held)];
}

/** The permissions that the roles of a person give, a line for each group. */
function permissionSection(more: PersonDetail | undefined): Section {
  const names = (more?.permissions ?? []).flatMap(({ attributes }) =>
    attributes?.name ? [{ name: attributes.name, group: attributes.group_name || '(no group)' }] : [],
  );
  const groups = [...Map.groupBy(names, ({ group }) => group)].toSorted(([one], [other]) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  );
  const lines = groups.map(([group, held]) => pair(group, held.map(({ name }) => name).join(', ')));
  const isPart = more !== undefined && more.notes.permissions.length > 0;
  const title = names.length === 0 ? 'Permissions' : `Permissions ${names.length}${isPart ? '+' : ''}`;
  // Why nothing was read stands above.
  return section(
    'permissions',
    title,
    lines.length > 0 || isPart ? lines : [textLine(more ? 'None' : 'Loading…', 'dim')],
  );
}

function keysTab(more: PersonDetail | undefined, context: Context): Tab {
  const rows = (more?.keys ?? []).map((key): SubRow => {
    const { last4, scopes, last_used_at } = key.attributes;
    const isLeaked = findLeak(key) !== undefined;
    return {
      id: key.id,
      cells: {
        state: isLeaked ? 'LEAKED' : '',
        name: nameOfKey(key),
        last4: endingText(last4),
        scopes: scopesText(scopes),
        used: ageText(readNullableMoment(last_used_at), context),
      },
      tones: {
        state: 'bad',
        name: isLeaked ? 'bad' : 'plain',
        scopes: scopes === null ? 'warn' : 'plain',
        used: 'dim',
      },
    };
  });
  const [note] = more?.notes.keys ?? [];
  return {
    kind: 'rows',
    id: 'keys',
    title: rows.length === 0 ? 'Keys' : `Keys ${rows.length}${note === undefined ? '' : '+'}`,
    empty: more && (note ?? 'No application keys'),
    columns: [
      subColumn({ id: 'state', min: 6, priority: 3 }),
      subColumn({ id: 'name', min: 16, max: 48, priority: 1 }),
      subColumn({ id: 'last4', title: 'LAST 4', min: 6, priority: 2 }),
      subColumn({ id: 'scopes', min: 18, flex: true, priority: 4 }),
      subColumn({ id: 'used', min: 7, align: 'right', priority: 5 }),
    ],
    rows,
  };
}

/** What Enter shows of a person. */
const personDetail = detailOf(people, {
  more: { of: ['application_keys'], read: readDetail },
  sections: (row, more: PersonDetail | undefined, context) => [
    ...sectionsOf(row, more, context),
    permissionSection(more),
  ],
  tabs: (_, more: PersonDetail | undefined, context) => [keysTab(more, context)],
  // Permissions come with the detail alone.
  preview: (row, context) => toLines(sectionsOf(row, undefined, context)),
});

/** The search at the start: people who can sign in, or are invited. */
const initial: Readonly<Record<string, string>> = { text: '', kind: 'all', status: 'Active,Pending' };

const peopleSearch: NonNullable<List<PersonRow>['search']> = {
  initial,
  form: (search) => ({
    text: textField('Search', search.text, { hint: 'In name, email and handle; empty = all users' }),
    kind: choiceField('Type', search.kind, [
      { value: 'all', label: 'users and service accounts' },
      { value: 'people', label: 'users' },
      { value: 'accounts', label: 'service accounts' },
    ]),
    status: choiceField('Status', search.status, [
      { value: 'Active,Pending', label: 'active and pending' },
      { value: 'Active', label: 'active' },
      { value: 'Pending', label: 'pending' },
      { value: 'Disabled', label: 'disabled' },
      { value: '', label: 'any' },
    ]),
  }),
  says({ text: typed = '', kind = '', status = '' }) {
    const which = kind === 'all' ? '' : kind;
    const state = status === initial.status ? '' : status.toLowerCase();
    return [which, state, typed.trim() && `"${typed.trim()}"`].filter(Boolean).join(' ');
  },
};

/** People and service accounts, who own the application keys (docs/contract/users.md; docs/contract/keys.md#service-accounts). */
export const peopleList = listOf(people, {
  id: 'people',
  title: 'Users',
  every: 60,
  output: () =>
    people.output({
      more: [{ name: 'roles', type: 'list of objects', says: '`id` and `name` of each role', value: userRoles }],
    }),
  columns: personColumns,
  sorted: { by: 'name', down: false },
  search: peopleSearch,
  words: (row) => `${row.attributes.handle ?? ''} ${row.attributes.title ?? ''}`,
  reads: [listUsers, getUser, userPermissions, listAccountKeys, listOrgKeys, listRoles, listPermissions],
  detail: personDetail,
  comparable: comparablePerson,
  actions: [
    editPersonAction,
    createPersonAction,
    createAccountAction,
    disableAction,
    enableAction,
    createKeyAction,
    changeKeyAction,
    deleteKeyAction,
  ],
  empty: 'No users. n: new user, s: search',
});
