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
import { type Result, refusal } from '../../src/api/problem.ts';
import type { Action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Single } from '../../src/describe/screen.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import { type AppKeyRow, actionsBehind, type Door, doorOfAccount, keysBehind, org } from './application-key-edit.ts';
import { isDisabled, isService, type PersonRow, people } from './person-edit.ts';
import { newSecret } from './secret.ts';

/** Service accounts have a door of their own; people's keys are among the organisation's. */
export const doorOf = (person: PersonRow): Door => (isService(person) ? doorOfAccount(person.id) : org);

/** The key under the cursor, read before a form opens on it. */
const keyUnder = (person: PersonRow, { subRowId = '' }: Context): Single<AppKeyRow> => ({
  key: `application key of ${person.id} ${subRowId}`,
  of: ['application_keys'],
  *plan(): Plan<Result<AppKeyRow>> {
    const door = doorOf(person);
    const answer = yield* ask(door.get(subRowId));
    if (!answer.ok) return answer;
    const { data, included } = answer.value ?? {};
    const key = keysBehind(door).row(data, { unread: answer.unread, included });
    return key ? { ...answer, value: key } : refusal('unreadable', 'the service answered a key without an id');
  },
});

const isUnderCursor = (_: PersonRow, context: Context): true | string =>
  context.subRowId !== undefined || 'open it with Enter and choose one of its keys with ] first';

/** The key that was read before the form or the question; a new one has none, and its action looks at none. */
const keyOf = (context: Context): AppKeyRow => context.known as AppKeyRow;

type Head = Pick<Action<PersonRow>, 'id' | 'key' | 'title' | 'help' | 'uses' | 'enabled' | 'needs'> & {
  /** What follows in the receipt. */
  says?(person: PersonRow): string;
};

/** An action on application keys as one on the person who has them, from inside the detail. */
function onPerson<V, A>(
  actionBehind: (door: Door) => Action<AppKeyRow, V, A>,
  { says, ...head }: Head,
): Action<PersonRow, V, A> {
  const on = (person: PersonRow) => actionBehind(doorOf(person));
  const { form, undo, reviews = false } = actionBehind(org);
  return {
    ...head,
    bulk: false,
    reviews,
    ...(form && { form: (person, context, key: AppKeyRow) => on(person).form?.(key, context, undefined) ?? {} }),
    confirm: ([person], values, context) => person && on(person).confirm?.([keyOf(context)], values, context),
    send: (person, values, context) => on(person).send(keyOf(context), values, context),
    done: (person, values, answer, context) =>
      on(person).done(keyOf(context), values, answer, context) + (says?.(person) ?? ''),
    ...(undo && {
      undo: (person, values, answer, context) => on(person).undo?.(keyOf(context), values, answer, context) ?? [],
    }),
  };
}

/** `a`: the only keys that somebody else creates (contract/keys.md 4). */
export const createKeyAction = {
  ...onPerson((door) => actionsBehind(door).create, {
    id: 'people.create-key',
    key: 'a',
    title: 'add a key',
    help: 'a new application key of the service account; its secret is shown once',
    uses: [createAccountKey, deleteAccountKey],
    enabled(row) {
      if (!isService(row)) return 'people make their own keys; only those of a service account are made for it';
      return isDisabled(row) ? 'the account is disabled' : true;
    },
    says: (person) => ` of ${people.nameOf(person)}`,
  }),
  secret: (made: Made<AppKeyRow>) => newSecret(made),
};

/** `r` on the tab of the keys. */
export const changeKeyAction = onPerson((door) => actionsBehind(door).edit, {
  id: 'people.edit-key',
  key: 'r',
  title: 'change the key',
  help: 'of the key under the cursor: another name, other scopes',
  uses: [getAccountKey, getOrgKey, updateAccountKey, updateOrgKey],
  enabled: isUnderCursor,
  needs: keyUnder,
});

/** `D` on the tab of the keys. */
export const deleteKeyAction = onPerson((door) => actionsBehind(door).remove, {
  id: 'people.delete-key',
  key: 'D',
  title: 'delete the key',
  help: 'of the key under the cursor: whatever uses it is refused from then on; its name is typed first',
  uses: [getAccountKey, getOrgKey, deleteAccountKey, deleteOrgKey],
  enabled: isUnderCursor,
  needs: keyUnder,
});
