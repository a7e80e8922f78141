import {
  createAccountKey,
  deleteAccountKey,
  deleteOrgKey,
  getAccountKey,
  getOrgKey,
  updateAccountKey,
  updateOrgKey,
} from '../../src/api/application-keys.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Action, CommandLine } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Fields } from '../../src/describe/field.ts';
import { receipt } from '../../src/describe/receipt.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import type { Single } from '../../src/describe/source.ts';
import { keyActions } from './application-key-edit.ts';
import { accountEndpoints, type KeyEndpoints, orgEndpoints } from './application-key-endpoints.ts';
import { type AppKeyRow, applicationKeys } from './application-key-kind.ts';
import { newSecret } from './new-secret.ts';
import { isDisabled, isService, type PersonRow, people } from './person-kind.ts';

/** Where the keys of a person are: service accounts have their own path, people's keys are among the organization's. */
export const endpointsFor = (person: PersonRow): KeyEndpoints =>
  isService(person) ? accountEndpoints(person.id) : orgEndpoints;

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

const isOnKey = ({ subRowId }: Context): boolean => subRowId !== undefined;

const isUnderCursor = (_: PersonRow, context: Context): true | string =>
  context.subRowId !== undefined || 'select a key in the detail first (Enter, then ])';

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
  /** Appended to the receipt. */
  says?(person: PersonRow): string;
};

/** An action on application keys as an action on the person who owns them, in the person's detail. */
function personAction<V, A>(
  actionFor: (endpoints: KeyEndpoints) => Action<AppKeyRow, V, A>,
  { says: describe, ...head }: ActionHead,
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
    done: (person, values, answer, context) =>
      receipt`${actionOf(person).done(selectedKey(context), values, answer, context)}${describe?.(person) ?? ''}`,
    ...(keyMade && { made: keyMade, makesKind: 'keys-org' }),
    ...(undo && {
      undo: (person, values, answer, context) =>
        actionOf(person).undo?.(selectedKey(context), values, answer, context) ?? [],
    }),
  };
}

/** `a`: a new key of a service account, the only keys that another person can create (docs/contract/keys.md#service-accounts). */
export const createKeyAction = {
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
    says: (person) => ` of ${people.nameOf(person)}`,
  }),
  secret: (made: Made<AppKeyRow>) => newSecret(made),
};

/** `e` on the keys tab. */
export const changeKeyAction = personAction((endpoints) => keyActions(endpoints).edit, {
  id: 'people.edit-key',
  key: 'e',
  onLine: isOnKey,
  title: 'edit key',
  help: 'Edit name and scopes of the selected key',
  brief: 'Edit name and scopes of a key',
  uses: [getAccountKey, getOrgKey, updateAccountKey, updateOrgKey],
  line: { asks: 'subRow', noun: 'key', fields: keyFields },
  enabled: isUnderCursor,
  needs: keyUnderCursor,
});

/** `d` on the keys tab. */
export const deleteKeyAction = personAction((endpoints) => keyActions(endpoints).remove, {
  id: 'people.delete-key',
  key: 'd',
  onLine: isOnKey,
  title: 'delete key',
  help: 'Delete the selected key; anything using it stops working',
  brief: 'Delete keys; anything using them stops working',
  uses: [getAccountKey, getOrgKey, deleteAccountKey, deleteOrgKey],
  line: { asks: 'subRow', noun: 'key' },
  enabled: isUnderCursor,
  needs: keyUnderCursor,
});
