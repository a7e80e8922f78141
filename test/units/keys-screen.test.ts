import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readApiKey } from '../../screens/keys/apikey.ts';
import { apiKeys } from '../../screens/keys/apikeylist.ts';
import { apiKeysV1, readApiKeyV1 } from '../../screens/keys/apikeyv1.ts';
import { type AppKeyRow, isKeyInUse, org, own, readAppKey } from '../../screens/keys/appkey.ts';
import { appKeyActions, changesOf, createKey, newSecret } from '../../screens/keys/appkeyedit.ts';
import { loadAppKeys, wholeAppKey } from '../../screens/keys/appkeylist.ts';
import { readPerson } from '../../screens/keys/person.ts';
import { personActions } from '../../screens/keys/personedit.ts';
import { loadPeople, wholePerson } from '../../screens/keys/personload.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { commandLine } from '../../src/describe/command.ts';
import { saveCall } from '../../src/journal/entry.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';

const secret = '0123456789abcdef'.repeat(2);
const key: AppKeyRow = { id: 'k1', name: 'report bot', last4: '9f3c', scopes: ['dashboards_read'], used: null };
const find = (actions: readonly { readonly id: string }[], id: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: actions of different values stand in one list
  actions.find((it) => it.id === id) as any;
const edit = find(appKeyActions(own), 'keys.edit-own');
const clear = find(appKeyActions(org), 'keys.clear-org');

test('only what differs is sent; no scopes are null; the order of scopes is no difference', () => {
  expect(changesOf(key, { name: 'report bot', scopes: ['dashboards_read'] })).toEqual({});
  expect(changesOf(key, { name: 'other', scopes: ['dashboards_read'] })).toEqual({ name: 'other' });
  expect(changesOf(key, { name: 'report bot', scopes: [] })).toEqual({ scopes: null });
  expect(changesOf({ ...key, scopes: ['a', 'b'] }, { scopes: ['b', 'a'] })).toEqual({});
  for (const scopes of [null, undefined, []]) expect(changesOf({ ...key, scopes }, { scopes: [] })).toEqual({});
});

test('the way back is what was; there is none where that was not told', () => {
  const back = (before: AppKeyRow, values: object) => edit.undo(before, values).map((it: Call) => it.body);
  expect(back(key, { name: 'x', scopes: [] })).toMatchObject([
    { data: { attributes: { name: 'report bot', scopes: ['dashboards_read'] } } },
  ]);
  expect(back({ ...key, scopes: null }, { name: 'report bot', scopes: ['a'] })).toMatchObject([
    { data: { attributes: { scopes: null } } },
  ]);
  expect(back({ ...key, scopes: undefined }, { name: 'report bot', scopes: ['a'] })).toEqual([]);
  expect(back(key, { name: 'report bot', scopes: ['dashboards_read'] })).toEqual([]);
  expect(clear.undo({ ...key, scopes: undefined })).toEqual([]);
});

test('the key in use is known by its end, and by its owner where both are known', () => {
  const context = contextOf({ ends: { apiKey: 'aaaa', appKey: '9f3c' }, me: { id: 'u1', name: 'me' } });
  expect(isKeyInUse(key, context)).toBe(true);
  expect(isKeyInUse({ ...key, last4: '0000' }, context)).toBe(false);
  expect(isKeyInUse({ ...key, owner: { id: 'u2', name: 'x' } }, context)).toBe(false);
  expect(isKeyInUse({ ...key, last4: '' }, contextOf({ ends: { apiKey: '', appKey: '' } }))).toBe(false);
  expect(isKeyInUse(key, contextOf())).toBe(false);
});

test('rows out of answers with everything missing, null, or of another kind', () => {
  for (const read of [readAppKey, readApiKey, readPerson]) {
    for (const odd of [undefined, null, 3, 'x', [], {}, { id: null }, { attributes: { name: 'x' } }])
      expect(read(odd)).toBeUndefined();
    expect(read({ id: 'a1b2c3d4e5' })).toMatchObject({ id: 'a1b2c3d4e5' });
    expect(read({ id: 'x', attributes: null, relationships: null })).toMatchObject({ id: 'x' });
    expect(
      read({ id: 'x', attributes: { name: 7, scopes: 'all', created_at: 'never' }, relationships: 'none' }),
    ).toBeDefined();
  }
  expect(readAppKey({ id: 'x', attributes: { scopes: null } })?.scopes).toBeNull();
  expect(readAppKey({ id: 'x', attributes: {} })?.scopes).toBeUndefined();
  expect(readApiKeyV1({ name: 'x' })).toBeUndefined();
  expect(readApiKeyV1({ key: 'short' })).toMatchObject({ last4: '', name: 'key' });
});

test('a leak is told with where and when, or at least that there is one', () => {
  const leaked = { id: 'x', relationships: { leak_information: { data: { id: 'l1', type: 'leaked_keys' } } } };
  const included = [
    { id: 'l1', type: 'leaked_keys', attributes: { leak_source: 'a paste', date: '2026-05-06T00:00:00Z' } },
  ];
  expect(readAppKey(leaked, included)?.leak).toEqual({ source: 'a paste', at: Date.UTC(2026, 4, 6) });
  expect(readApiKey(leaked)?.leak).toEqual({ source: undefined, at: undefined });
  expect(readAppKey({ id: 'x', relationships: { leak_information: { data: null } } })?.leak).toBeUndefined();
});

test('pages are read until a short one, and a page that repeats ends it', () => {
  const page = (from: number, length: number) => ({
    data: Array.from({ length }, (_, at) => ({ id: `k${from + at}`, attributes: { name: `k${from + at}` } })),
  });
  const load = () => loadAppKeys(own)({ search: { text: ' bot ' }, range: '' }).plan(contextOf());
  const two = walk(load(), (_, nth) => answered(nth === 1 ? page(0, 100) : page(100, 3)));
  expect(two.calls.map((it) => it.query)).toMatchObject([
    { 'page[number]': 0, 'page[size]': 100, filter: 'bot' },
    { 'page[number]': 1, 'page[size]': 100, filter: 'bot' },
  ]);
  expect(two.value).toMatchObject({ ok: true, value: { rows: { length: 103 } } });
  expect(two.partials).toHaveLength(1);
  const same = walk(load(), () => answered(page(0, 100)));
  expect(same.calls).toHaveLength(2);
  expect(same.value).toMatchObject({ value: { rows: { length: 100 } } });
  const failed = walk(load(), (_, nth) => (nth === 1 ? answered(page(0, 100)) : refused('tooMany', 'wait')));
  expect(failed.value).toMatchObject({ ok: false, problem: { kind: 'tooMany' } });
});

test('a huge organisation is cut, with advice', () => {
  const { calls, value } = walk(loadPeople({ search: {}, range: '' }).plan(contextOf()), (_, nth) =>
    answered({ data: Array.from({ length: 100 }, (_, at) => ({ id: `u${nth}-${at}`, attributes: {} })) }),
  );
  expect(calls).toHaveLength(10);
  expect(value).toMatchObject({ value: { notes: ['the first 1000 rows only: s searches all of them'] } });
});

test('a person is shown although permissions and keys may not be read', () => {
  const row = readPerson({ id: 'u1', attributes: { name: 'Mira' } });
  if (!row) throw new Error('no row');
  const { value, calls } = walk(wholePerson(row).plan(contextOf()), (_, nth) =>
    nth === 1 ? answered({ data: { id: 'u1', attributes: { name: 'Mira' } } }) : refused('forbidden', `no ${nth}`),
  );
  expect(calls.map((it) => it.endpoint.id)).toEqual(['users.get', 'users.permissions', 'keys.list-org']);
  expect(value).toMatchObject({ ok: true, value: { missing: { permissions: 'no 2', keys: 'no 3' } } });
});

test('a detail never keeps a secret, whoever sends it', () => {
  const { value } = walk(wholeAppKey(own, key).plan(contextOf()), () =>
    answered({ data: { id: 'k1', attributes: { name: 'report bot', key: secret, scopes: null } } }),
  );
  expect(stringifyExact(value)).not.toContain(secret);
  expect(value).toMatchObject({ ok: true, value: { tells: true } });
});

test('the secret of a new key comes from the answer, and its absence is said', () => {
  const answer = { data: { id: 'k9', attributes: { name: 'x', key: secret, last4: 'cdef' } } };
  expect(newSecret(answer)).toMatchObject({ value: secret, title: 'the secret of x' });
  const values = { name: 'x', scopes: [] };
  expect(createKey.done(key, values, answer, contextOf())).toBe('created application key x …cdef');
  const without = { data: { id: 'k9', attributes: { name: 'x' } } };
  expect(newSecret(without)).toBeUndefined();
  expect(createKey.done(key, values, without, contextOf())).toContain('did not tell its secret');
});

test('a v1 row, its calls in the journal and its command hold nothing of the key but its end', () => {
  const row = readApiKeyV1({ key: secret, name: 'door', created: '2026-05-06 07:08:09', created_by: 'x' });
  if (!row) throw new Error('no row');
  expect(row).toMatchObject({ last4: 'cdef', created: Date.UTC(2026, 4, 6, 7, 8, 9) });
  expect(row.secret()).toBe(secret);
  const rename = find(apiKeysV1.actions, 'api-keys.rename-v1');
  const texts = [
    stringifyExact(row),
    apiKeysV1.idOf(row),
    commandLine(apiKeysV1.command?.(row) ?? '', {}),
    commandLine(rename.command(row, { name: 'x' }), {}),
    stringifyExact(saveCall(rename.send(row, { name: 'x' }), (text) => text)),
  ];
  for (const text of texts) expect(text).not.toContain(secret.slice(0, 12));
  expect(texts[3]).toBe(`orgdeck call api-keys.update-v1 --key env:KEY --body '{"name":"x"}'`);
});

/** Fields that nobody documented, and words that nobody knows. */
const unknown = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}_x$/), fc.jsonValue(), { maxKeys: 4 });

test('whatever else an object has, an edit of one field sends that field and nothing else', () => {
  fc.assert(
    fc.property(unknown, unknown, fc.array(fc.string({ minLength: 1 })), (more, around, scopes) => {
      const row = readAppKey({
        ...around,
        id: 'k1',
        type: 'application_keys',
        attributes: { ...more, name: 'a', scopes },
      });
      const sent = edit.send(row, { name: 'b', scopes });
      expect(sent.body).toEqual({ data: { id: 'k1', type: 'application_keys', attributes: { name: 'b' } } });

      const api = readApiKey({ ...around, id: 'k2', attributes: { ...more, name: 'a', category: 'odd word' } });
      const renamed = find(apiKeys.actions, 'api-keys.edit').send(api, {
        name: 'b',
        category: 'odd word',
        remote: false,
      });
      expect(renamed.body).toEqual({ data: { id: 'k2', type: 'api_keys', attributes: { name: 'b' } } });

      const person = readPerson({
        ...around,
        id: 'u1',
        attributes: { ...more, name: 'a', email: 'a@b', status: 'Odd' },
      });
      expect(person?.status).toBe('Odd');
      const titled = find(personActions, 'people.edit').send(person, { name: 'a', email: 'a@b', title: 'new' });
      expect(titled.body).toEqual({ data: { id: 'u1', type: 'users', attributes: { title: 'new' } } });

      const old = readApiKeyV1({ ...around, ...more, key: secret, name: 'a' });
      const put = find(apiKeysV1.actions, 'api-keys.rename-v1').send(old, { name: 'b' });
      expect(put.body).toEqual({ name: 'b' });
    }),
  );
});
