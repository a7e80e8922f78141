import { type Call, call } from '../../src/api/endpoint.ts';
import { createOwnKey } from '../../src/api/keys.ts';
import { type AnyAction, action, type Secret } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { checksField, type Field, textField } from '../../src/describe/field.ts';
import { permissionPicks } from '../../src/describe/picks.ts';
import { field, idIn, word } from '../../src/lib/loose.ts';
import { type AppKeyRow, type Door, isKeyInUse, limitsSay, scopesIn, scopesSay } from './appkey.ts';
import { deleteQuestion, ending } from './shared.ts';

/** What a key may be limited to; a word that no permission has yet can be typed too. */
export function scopesField(scopes: AppKeyRow['scopes'], whose: string): Field<string[]> {
  return checksField(
    'scopes',
    (scopes ?? []).map((it) => ({ id: it, label: it })),
    permissionPicks,
    { free: true, hint: `Enter picks permissions; none = all that ${whose} may` },
  );
}

/** The name and the scopes of a key, as far as they differ from what it has; nothing sent stays as it is. */
export function changesOf(
  row: Pick<AppKeyRow, 'name' | 'scopes'>,
  next: { readonly name?: string; readonly scopes?: readonly string[] | null },
): { name?: string; scopes?: string[] | null } {
  const isNamed = next.name !== undefined && next.name !== row.name;
  const isScoped = next.scopes !== undefined && !sameScopes(row.scopes, next.scopes);
  return {
    ...(isNamed ? { name: next.name } : {}),
    // No scopes are null on the wire: an empty list means the same to some deployments only (contract/keys.md 2).
    ...(isScoped ? { scopes: next.scopes?.length ? [...next.scopes] : null } : {}),
  };
}

/** The way back from changes; undefined where it is not known what was before, or nothing changed. */
export function changesBack(
  before: Pick<AppKeyRow, 'name' | 'scopes'>,
  next: { readonly name?: string; readonly scopes?: readonly string[] | null },
): ReturnType<typeof changesOf> | undefined {
  const { name, scopes } = changesOf(before, next);
  if (name === undefined && scopes === undefined) return undefined;
  if (scopes !== undefined && before.scopes === undefined) return undefined;
  return {
    ...(name === undefined ? {} : { name: before.name }),
    ...(scopes === undefined ? {} : { scopes: before.scopes?.length ? [...before.scopes] : null }),
  };
}

/** What must be known before scopes change. */
export function scopeWarnings(
  key: AppKeyRow,
  scopes: readonly string[] | null,
  whose: string,
  context: Context,
): string[] {
  const mine = isKeyInUse(key, context)
    ? [
        `WARNING: it ends in ${key.last4} like the key that this dashboard uses:`,
        'what it may do here changes at once, and the way back may be closed then',
      ]
    : [];
  return scopes === null ? [...mine, `without scopes it may do all that ${whose} may, now and later`] : mine;
}

/** In whatever order; none, null and not told are the same. */
function sameScopes(one: AppKeyRow['scopes'], other: AppKeyRow['scopes']): boolean {
  const text = (it: AppKeyRow['scopes']) => [...(it ?? [])].sort().join('\n');
  return text(one) === text(other);
}

/** The secret of a new key, from the one answer that has it. */
export function newSecret(answer: unknown): Secret | undefined {
  const about = field(field(answer, 'data'), 'attributes');
  const value = word(field(about, 'key'));
  if (value === '') return undefined;
  return {
    title: `the secret of ${word(field(about, 'name')) || 'the new key'}`,
    value,
    notes: ['whoever has it may do what the key may do: it belongs into a safe place and nowhere else'],
  };
}

/** The receipt of a new key. */
export function madeSay(what: string, name: string, answer: unknown): string {
  const about = field(field(answer, 'data'), 'attributes');
  const said = `created ${what} ${word(field(about, 'name')) || name} ${ending(word(field(about, 'last4')))}`.trim();
  return newSecret(answer) ? said : `${said}; the service did not tell its secret: delete it and make another`;
}

/** The question before a key without scopes is made. */
export const unlimited = (name: string, whose: string) => ({
  question: `create ${name} without scopes? y = yes`,
  details: [`it may do all that ${whose} may, now and later`],
});

/** `n`: a key of one's own; its secret is shown once. */
export const createKey = action({
  id: 'keys.create',
  key: 'n',
  title: 'new',
  main: true,
  on: 'list',
  help: 'a new application key of yours; its secret is shown once',
  uses: [createOwnKey],
  form: () => ({
    name: textField('name', '', { required: true, hint: 'what will use it, and where' }),
    scopes: scopesField(null, 'you'),
  }),
  confirm: (_: readonly AppKeyRow[], { name, scopes }) => (scopes.length > 0 ? undefined : unlimited(name, 'you')),
  send: (_: AppKeyRow, { name, scopes }) =>
    call(createOwnKey, {
      body: {
        data: {
          type: 'application_keys',
          attributes: { name, ...(scopes.length > 0 ? { scopes } : {}) },
        },
      },
    }),
  done: (_, { name }, answer) => madeSay('application key', name, answer),
  made: (answer) => idIn(field(answer, 'data')),
  secret: newSecret,
});

/** Rename, scopes, clear scopes, delete, through one door. */
export function appKeyActions(door: Door): readonly AnyAction[] {
  const patch = (row: AppKeyRow, attributes: ReturnType<typeof changesOf>): Call =>
    call(door.update, {
      app_key_id: row.id,
      body: { data: { id: row.id, type: 'application_keys', attributes } },
    });
  const truth = (row: AppKeyRow, answer: unknown): AppKeyRow => {
    const about = field(field(answer, 'data'), 'attributes');
    const scopes = scopesIn(about);
    return { ...row, name: word(field(about, 'name')) || row.name, scopes: scopes === undefined ? row.scopes : scopes };
  };
  const edit = action({
    id: `keys.edit-${door.id}`,
    key: 'e',
    title: 'edit',
    main: true,
    help: 'rename it, or change what it is limited to; the difference is shown first',
    uses: [door.update],
    bulk: false,
    reviews: true,
    form: (row: AppKeyRow) => ({
      name: textField('name', row.name, { required: true }),
      scopes: scopesField(row.scopes, door.whose),
    }),
    confirm([row]: readonly AppKeyRow[], values, context) {
      const changes = row && changesOf(row, values);
      if (!row || changes?.scopes === undefined) return undefined;
      const details = scopeWarnings(row, changes.scopes, door.whose, context);
      return details.length === 0 ? undefined : { question: `change the scopes of ${row.name}? y = yes`, details };
    },
    send: (row: AppKeyRow, values) => patch(row, changesOf(row, values)),
    show: (row: AppKeyRow, values) => ({ ...row, ...changesOf(row, values) }),
    truth,
    done(row: AppKeyRow, values, answer) {
      const now = truth(row, answer);
      const changes = changesOf(row, values);
      const said = [
        ...(changes.name === undefined ? [] : [`renamed ${row.name} to ${now.name}`]),
        ...(changes.scopes === undefined ? [] : [limitsSay(now.scopes, door.whose)]),
      ];
      return changes.name === undefined ? `${now.name}: ${said.join() || 'as it was'}` : said.join(', now ');
    },
    undo(before: AppKeyRow, values) {
      const back = changesBack(before, values);
      return back ? [patch(before, back)] : [];
    },
    command: (row: AppKeyRow, values) => callCommand(patch(row, changesOf(row, values))),
  });

  const clear = action<AppKeyRow>({
    id: `keys.clear-${door.id}`,
    key: 'c',
    title: 'clear scopes',
    help: 'no limits any more: it may do all that its owner may; asks first',
    uses: [door.update],
    enabled: (row) => (row.scopes === null ? 'it has no scopes' : true),
    confirm: (rows, _, context) => ({
      question:
        rows.length === 1
          ? `clear the scopes of ${rows[0]?.name}? y = yes`
          : `clear the scopes of ${rows.length} keys?`,
      details: [
        ...rows.slice(0, 5).map((row) => `${row.name}: ${scopesSay(row.scopes) || 'scopes not told'}`),
        ...new Set(rows.flatMap((row) => scopeWarnings(row, null, door.whose, context))),
      ],
      destructive: true,
    }),
    send: (row) => patch(row, { scopes: null }),
    show: (row) => ({ ...row, scopes: null }),
    truth,
    done: (row, _, answer) => {
      const now = truth(row, answer);
      return `${now.name}: ${limitsSay(now.scopes, door.whose)}`;
    },
    undo: (before) => (before.scopes?.length ? [patch(before, { scopes: [...before.scopes] })] : []),
    command: (row) => callCommand(patch(row, { scopes: null })),
  });

  const remove = action<AppKeyRow>({
    id: `keys.delete-${door.id}`,
    key: 'd',
    title: 'delete',
    help: 'whatever uses it is refused from then on; the name is typed first',
    uses: [door.remove],
    removes: true,
    confirm: (rows, _, context) => deleteQuestion(rows, 'application key', (row) => isKeyInUse(row, context)),
    send: (row) => call(door.remove, { app_key_id: row.id }),
    done: (row) => `deleted application key ${row.name} ${ending(row.last4)}`.trim(),
    command: (row) => callCommand(call(door.remove, { app_key_id: row.id })),
  });

  return [createKey, edit, clear, remove];
}
