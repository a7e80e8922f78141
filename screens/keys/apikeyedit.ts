import { createApiKey, deleteApiKey, updateApiKey } from '../../src/api/apikeys.ts';
import { call } from '../../src/api/endpoint.ts';
import { type AnyAction, action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import { textField, toggleField } from '../../src/describe/field.ts';
import { field, idIn } from '../../src/lib/loose.ts';
import { type ApiKeyRow, isApiKeyInUse, readApiKey } from './apikey.ts';
import { madeSay, newSecret } from './appkeyedit.ts';
import { deleteQuestion, ending } from './shared.ts';

const create = action({
  id: 'api-keys.create',
  key: 'n',
  title: 'new',
  main: true,
  on: 'list',
  help: 'a new API key of the organisation; its secret is shown once',
  uses: [createApiKey],
  form: () => ({
    name: textField('name', '', { required: true, hint: 'what will send with it, and from where' }),
    category: textField('category', '', { hint: 'empty leaves it to the service' }),
    remote: toggleField('remote configuration', true, 'whether agents may read their configuration with it'),
  }),
  // Nothing that exists changes, and d takes the new key away again.
  confirm: () => undefined,
  send: (_: ApiKeyRow, { name, category, remote }) =>
    call(createApiKey, {
      body: {
        data: {
          type: 'api_keys',
          attributes: {
            name,
            ...(category === '' ? {} : { category }),
            ...(remote ? {} : { remote_config_read_enabled: false }),
          },
        },
      },
    }),
  done: (_, { name }, answer) => madeSay('API key', name, answer),
  made: (answer) => idIn(field(answer, 'data')),
  secret: newSecret,
});

interface Settings {
  readonly name: string;
  readonly category: string;
  readonly remote?: boolean;
}

/** The name always goes along (contract/keys.md 5.1); what was not changed stays out. */
function patch(row: ApiKeyRow, next: Settings) {
  return call(updateApiKey, {
    api_key_id: row.id,
    body: {
      data: {
        id: row.id,
        type: 'api_keys',
        attributes: {
          name: next.name,
          ...(next.category === row.category ? {} : { category: next.category }),
          ...(next.remote === undefined || next.remote === row.remote
            ? {}
            : { remote_config_read_enabled: next.remote }),
        },
      },
    },
  });
}

/** A toggle that was never told and still says no has not been touched. */
const settingsOf = (row: ApiKeyRow, values: { name: string; category: string; remote: boolean }): Settings => ({
  name: values.name,
  category: values.category,
  remote: row.remote === undefined && !values.remote ? undefined : values.remote,
});

function truth(row: ApiKeyRow, answer: unknown): ApiKeyRow {
  const now = readApiKey(field(answer, 'data'));
  if (!now) return row;
  return {
    ...row,
    name: now.name,
    category: now.category || row.category,
    remote: now.remote ?? row.remote,
    modified: now.modified ?? row.modified,
  };
}

const edit = action({
  id: 'api-keys.edit',
  key: 'e',
  title: 'edit',
  main: true,
  help: 'rename it, its category, and whether agents read their configuration with it',
  uses: [updateApiKey],
  bulk: false,
  reviews: true,
  form: (row: ApiKeyRow) => ({
    name: textField('name', row.name, { required: true }),
    category: textField('category', row.category, {
      check: (typed) => typed !== '' || row.category === '' || 'a category cannot be taken away, only changed',
    }),
    remote: toggleField('remote configuration', row.remote, 'whether agents may read their configuration with it'),
  }),
  send: (row: ApiKeyRow, values) => patch(row, settingsOf(row, values)),
  show: (row: ApiKeyRow, values) => ({ ...row, ...settingsOf(row, values) }),
  truth,
  done(row: ApiKeyRow, _, answer) {
    const now = truth(row, answer);
    const said = [
      ...(now.name === row.name ? [] : [`renamed ${row.name} to ${now.name}`]),
      ...(now.category === row.category ? [] : [`category ${now.category}`]),
      ...(now.remote === row.remote ? [] : [`remote configuration ${now.remote ? 'on' : 'off'}`]),
    ];
    return said.length === 0 ? `${now.name} is as it was` : `${now.name}: ${said.join(', ')}`;
  },
  undo(before: ApiKeyRow, values) {
    const sent = settingsOf(before, values);
    // A category that there was none of cannot be taken away again.
    if (before.category === '' && sent.category !== '') return [];
    if (before.remote === undefined && sent.remote !== undefined) return [];
    return [patch({ ...before, ...sent }, before)];
  },
  command: (row: ApiKeyRow, values) => callCommand(patch(row, settingsOf(row, values))),
});

const remove = action<ApiKeyRow>({
  id: 'api-keys.delete',
  key: 'd',
  title: 'delete',
  help: 'whatever sends with it is refused from then on; the name is typed first',
  uses: [deleteApiKey],
  removes: true,
  confirm: (rows, _, context) => deleteQuestion(rows, 'API key', (row) => isApiKeyInUse(row, context)),
  send: (row) => call(deleteApiKey, { api_key_id: row.id }),
  done: (row) => `deleted API key ${row.name} ${ending(row.last4)}`.trim(),
  command: (row) => callCommand(call(deleteApiKey, { api_key_id: row.id })),
});

/** Create, edit, delete. */
export const apiKeyActions: readonly AnyAction[] = [create, edit, remove];
