import { type Call, call } from '../../src/api/endpoint.ts';
import {
  createAccountKey,
  deleteAccountKey,
  deleteOrgKey,
  getAccountKey,
  getOrgKey,
  updateAccountKey,
  updateOrgKey,
} from '../../src/api/keys.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { type AnyAction, action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { textField } from '../../src/describe/field.ts';
import type { Single } from '../../src/describe/screen.ts';
import { field, items, word } from '../../src/lib/loose.ts';
import { type AppKeyRow, isKeyInUse, limitsSay, readAppKey, scopesIn } from './appkey.ts';
import { changesBack, changesOf, madeSay, newSecret, scopesField, scopeWarnings, unlimited } from './appkeyedit.ts';
import type { PersonRow } from './person.ts';
import { deleteQuestion, ending } from './shared.ts';

/** Keys of a service account, or of a person, from inside their detail: the one under the cursor is meant. */

const read = (row: PersonRow, id: string) =>
  row.service
    ? call(getAccountKey, { service_account_id: row.id, app_key_id: id })
    : call(getOrgKey, { app_key_id: id, query: { include: 'owned_by' } });

const update = (row: PersonRow, id: string, attributes: ReturnType<typeof changesOf>): Call => {
  const body = { data: { id, type: 'application_keys' as const, attributes } };
  return row.service
    ? call(updateAccountKey, { service_account_id: row.id, app_key_id: id, body })
    : call(updateOrgKey, { app_key_id: id, body });
};

const remove = (row: PersonRow, id: string): Call =>
  row.service
    ? call(deleteAccountKey, { service_account_id: row.id, app_key_id: id })
    : call(deleteOrgKey, { app_key_id: id });

/** The key under the cursor, read before a form opens on it. */
const keyUnder = (row: PersonRow, context: Context): Single<AppKeyRow> => ({
  key: `application key of ${row.id} ${context.subRowId ?? ''}`,
  of: ['application_keys'],
  *plan(): Plan<Result<AppKeyRow>> {
    const answer = yield* ask(read(row, context.subRowId ?? ''));
    if (!answer.ok) return answer;
    const key = readAppKey(field(answer.value, 'data'), items(field(answer.value, 'included')));
    return key ? { ...answer, value: key } : refusal('unreadable', 'the service answered a key without an id');
  },
});

const subRowId = (_: PersonRow, context: Context): true | string =>
  context.subRowId === undefined ? 'open it with Enter and choose one of its keys with ] first' : true;

/** `a`: the only keys that somebody else creates (contract/keys.md 4). */
const create = action({
  id: 'people.create-key',
  key: 'a',
  title: 'add a key',
  help: 'a new application key of the service account; its secret is shown once',
  uses: [createAccountKey],
  bulk: false,
  enabled: (row: PersonRow) =>
    !row.service
      ? 'people make their own keys; only those of a service account are made for it'
      : row.disabled
        ? 'the account is disabled'
        : true,
  form: () => ({
    name: textField('name', '', { required: true, hint: 'what will use it, and where' }),
    scopes: scopesField(null, 'the account'),
  }),
  confirm: (_, { name, scopes }) => (scopes.length > 0 ? undefined : unlimited(name, 'the account')),
  send: (row: PersonRow, { name, scopes }) =>
    call(createAccountKey, {
      service_account_id: row.id,
      body: { data: { type: 'application_keys', attributes: { name, ...(scopes.length > 0 ? { scopes } : {}) } } },
    }),
  done: (row, { name }, answer) => `${madeSay('application key', name, answer)} of ${row.name}`,
  secret: newSecret,
});

/** The key that was read before the form or the question. */
const keyOf = (context: Context): AppKeyRow => context.known as AppKeyRow;

/** `r` on the tab of the keys. */
const change = action({
  id: 'people.edit-key',
  key: 'r',
  title: 'change the key',
  help: 'of the key under the cursor: another name, other scopes',
  uses: [getAccountKey, getOrgKey, updateAccountKey, updateOrgKey],
  bulk: false,
  reviews: true,
  enabled: subRowId,
  needs: keyUnder,
  form: (row: PersonRow, _, key: AppKeyRow) => ({
    name: textField('name', key.name, { required: true }),
    scopes: scopesField(key.scopes, row.service ? 'the account' : 'its owner'),
  }),
  confirm([row]: readonly PersonRow[], values, context) {
    const key = keyOf(context);
    const { scopes } = changesOf(key, values);
    if (scopes === undefined || !row) return undefined;
    const details = scopeWarnings(key, scopes, row.service ? 'the account' : 'its owner', context);
    return details.length === 0 ? undefined : { question: `change the scopes of ${key.name}? y = yes`, details };
  },
  send: (row: PersonRow, values, context) => update(row, keyOf(context).id, changesOf(keyOf(context), values)),
  done(row, __, answer, context) {
    const key = keyOf(context);
    const about = field(field(answer, 'data'), 'attributes');
    const name = word(field(about, 'name')) || key.name;
    const said = name === key.name ? `${name}: ` : `renamed ${key.name} to ${name}, now `;
    return said + limitsSay(scopesIn(about), row.service ? 'the account' : 'its owner');
  },
  undo(row: PersonRow, values, _, context) {
    const back = changesBack(keyOf(context), values);
    return back ? [update(row, keyOf(context).id, back)] : [];
  },
});

/** `D` on the tab of the keys. */
const drop = action<PersonRow>({
  id: 'people.delete-key',
  key: 'D',
  title: 'delete the key',
  help: 'of the key under the cursor: whatever uses it is refused from then on; its name is typed first',
  uses: [getAccountKey, getOrgKey, deleteAccountKey, deleteOrgKey],
  bulk: false,
  enabled: subRowId,
  needs: keyUnder,
  confirm: (_, __, context) => deleteQuestion([keyOf(context)], 'application key', (key) => isKeyInUse(key, context)),
  send: (row, _, context) => remove(row, keyOf(context).id),
  done: (_, __, ___, context) =>
    `deleted application key ${keyOf(context).name} ${ending(keyOf(context).last4)}`.trim(),
});

/** What can be done to the keys of a person or an account. */
export const personKeyActions: readonly AnyAction[] = [create, change, drop];
