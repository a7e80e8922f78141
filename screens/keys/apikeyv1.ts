import {
  createApiKeyV1,
  deleteApiKeyV1,
  getApiKeyV1,
  listApiKeys,
  listApiKeysV1,
  updateApiKeyV1,
} from '../../src/api/apikeys.ts';
import { call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { hideSecrets } from '../../src/api/secrets.ts';
import { type AnyAction, action, type Secret } from '../../src/describe/action.ts';
import { type Column, head, type Line, pair, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { textField } from '../../src/describe/field.ts';
import { type Detail, list, type Rows, type Single, type Source } from '../../src/describe/screen.ts';
import { digest } from '../../src/lib/digest.ts';
import { field, items, word } from '../../src/lib/loose.ts';
import { plural } from '../../src/lib/text.ts';
import { readMoment } from '../../src/lib/time.ts';
import { isApiKeyInUse } from './apikey.ts';
import {
  ageColumn,
  deleteQuestion,
  endColumn,
  ending,
  momentPair,
  nameColumn,
  rawLines,
  stateColumn,
} from './shared.ts';

/**
 * An API key of the first form as a row (spec: API key v1). There the secret is the key's only name, so a row is known
 * by a digest of it, and the secret is behind a function: whatever writes rows down (a copy, the journal, a crash)
 * writes no functions.
 */
export interface ApiKeyV1Row {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly created?: number;
  /** Handle of the person. */
  readonly creator: string;
  secret(): string;
}

/** A row out of an answer; undefined without the key, which is what the service knows it by. */
export function readApiKeyV1(it: unknown): ApiKeyV1Row | undefined {
  const secret = word(field(it, 'key')).trim();
  if (secret === '') return undefined;
  // Of a short one, four characters would be a good part.
  const last4 = secret.length >= 16 ? secret.slice(-4) : '';
  return {
    id: digest(secret),
    name: word(field(it, 'name')) || `key ${ending(last4)}`.trim(),
    last4,
    created: readMoment(field(it, 'created')),
    creator: word(field(it, 'created_by')),
    secret: () => secret,
  };
}

const load = (): Source<ApiKeyV1Row> => ({
  key: 'api keys v1',
  of: ['api_keys'],
  *plan(context): Plan<Result<Rows<ApiKeyV1Row>>> {
    const answer = yield* ask(call(listApiKeysV1));
    if (!answer.ok) {
      const { problem } = answer;
      const isElsewhere = ['forbidden', 'notFound', 'notOffered'].includes(problem.kind);
      const advice = isElsewhere ? ': this form is switched off on some deployments, [ goes back to API keys' : '';
      return { ok: false, problem: { ...problem, text: problem.text + advice } };
    }
    const all = items(answer.value?.api_keys);
    const rows = all.map(readApiKeyV1).filter((it) => it !== undefined);
    const lost = all.length - rows.length;
    const notes = [
      ...(context.offered(listApiKeys.id)
        ? ['the first form of the same keys: of use only where the tab API keys is not offered']
        : []),
      ...(lost > 0 ? [`${plural(lost, 'key')} could not be read`] : []),
      ...(answer.unread.length > 0 ? [`${plural(answer.unread.length, 'field')} could not be read`] : []),
    ];
    return { ...answer, value: { rows, notes } };
  },
});

interface Whole {
  readonly row: ApiKeyV1Row;
  readonly raw: unknown;
}

const whole = (row: ApiKeyV1Row): Single<Whole> => ({
  key: `api key v1 ${row.id}`,
  of: ['api_keys'],
  *plan(): Plan<Result<Whole>> {
    const answer = yield* ask(call(getApiKeyV1, { key: row.secret() }));
    if (!answer.ok) return answer;
    const read = readApiKeyV1(field(answer.value, 'api_key'));
    return { ...answer, value: { row: read ?? row, raw: hideSecrets(answer.value, getApiKeyV1.secrets).value } };
  },
});

function overview(row: ApiKeyV1Row, context: Context): Line[] {
  return [
    ...(isApiKeyInUse(row, context) ? [text('it ends like the key that this dashboard uses', 'info')] : []),
    pair('ends in', ending(row.last4)),
    momentPair('created', row.created, context),
    pair('created by', row.creator),
    pair('secret', 'not shown: in this form it is also what the service calls the key', 'dim'),
  ];
}

const detail: Detail<ApiKeyV1Row> = {
  load: whole,
  inside: { get: (it: Whole) => it.row, set: (it: Whole, row) => ({ ...it, row }) },
  tabs: (row, it: Whole | undefined, context) => [
    { kind: 'lines', id: 'key', title: 'key', lines: overview(it?.row ?? row, context) },
    { kind: 'lines', id: 'raw', title: 'raw', lines: rawLines(it?.raw) },
  ],
  preview: (row, context) => [head(row.name), ...overview(row, context)],
};

const columns: readonly Column<ApiKeyV1Row>[] = [
  { ...stateColumn<ApiKeyV1Row>(isApiKeyInUse), sort: undefined },
  nameColumn(),
  endColumn(),
  {
    id: 'creator',
    title: 'CREATED BY',
    min: 14,
    share: 2,
    max: 40,
    priority: 3,
    text: (row) => row.creator,
    sort: (row) => row.creator,
  },
  ageColumn({ id: 'created', title: 'CREATED', priority: 4 }, (row) => row.created),
];

const keyIn = (answer: unknown) => readApiKeyV1(field(answer, 'api_key'));

function secretIn(answer: unknown): Secret | undefined {
  const made = keyIn(answer);
  return (
    made && {
      title: `the secret of ${made.name}`,
      value: made.secret(),
      notes: ['whoever has it may send as the organisation: it belongs into a safe place and nowhere else'],
    }
  );
}

const create = action({
  id: 'api-keys.create-v1',
  key: 'n',
  title: 'new',
  on: 'list',
  help: 'a new API key of the organisation; its secret is shown once',
  uses: [createApiKeyV1],
  form: () => ({ name: textField('name', '', { required: true, hint: 'what will send with it, and from where' }) }),
  // Nothing that exists changes, and d takes the new key away again.
  confirm: () => undefined,
  send: (_: ApiKeyV1Row, { name }) => call(createApiKeyV1, { body: { name } }),
  done(_, { name }, answer) {
    const made = keyIn(answer);
    return made
      ? `created API key ${made.name} ${ending(made.last4)}`.trim()
      : `created API key ${name}; the service did not tell its secret: delete it and make another`;
  },
  made: (answer) => keyIn(answer)?.id,
  secret: secretIn,
});

const renamed = (row: ApiKeyV1Row, name: string) => call(updateApiKeyV1, { key: row.secret(), body: { name } });

const rename = action({
  id: 'api-keys.rename-v1',
  key: 'e',
  title: 'rename',
  main: true,
  help: 'another name; nothing else of a key can be changed in this form',
  uses: [updateApiKeyV1],
  bulk: false,
  form: (row: ApiKeyV1Row) => ({ name: textField('name', row.name, { required: true }) }),
  send: (row: ApiKeyV1Row, { name }) => renamed(row, name),
  show: (row: ApiKeyV1Row, { name }) => ({ ...row, name }),
  truth: (row: ApiKeyV1Row, answer, { name }) => ({ ...row, name: keyIn(answer)?.name ?? name }),
  done: (row: ApiKeyV1Row, { name }, answer) => `renamed ${row.name} to ${keyIn(answer)?.name ?? name}`,
  undo: (before: ApiKeyV1Row) => [renamed(before, before.name)],
  command: (row: ApiKeyV1Row, { name }) => callCommand(renamed(row, name ?? row.name)),
});

const remove = action<ApiKeyV1Row>({
  id: 'api-keys.delete-v1',
  key: 'd',
  title: 'delete',
  help: 'whatever sends with it is refused from then on; the name is typed first',
  uses: [deleteApiKeyV1],
  removes: true,
  confirm: (rows, _, context) => deleteQuestion(rows, 'API key', (row) => isApiKeyInUse(row, context)),
  send: (row) => call(deleteApiKeyV1, { key: row.secret() }),
  done: (row) => `deleted API key ${row.name} ${ending(row.last4)}`.trim(),
  command: (row) => callCommand(call(deleteApiKeyV1, { key: row.secret() })),
});

const actions: readonly AnyAction[] = [rename, create, remove];

/** API keys of the first form, for deployments without the modern one (contract/keys.md 5.2). */
export const apiKeysV1 = list<ApiKeyV1Row>({
  id: 'api-keys-v1',
  title: 'API keys v1',
  load,
  every: 60,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns,
  sorted: { by: 'name', down: false },
  words: (row) => `${row.last4} ${row.creator}`,
  reads: [listApiKeysV1, getApiKeyV1],
  detail,
  actions,
  empty: 'no API keys',
  command: (row) => callCommand(call(getApiKeyV1, { key: row.secret() })),
});
