import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLeak, lastFourColumn, nameColumn, newSecret, stateColumn } from '../../screens/keys/any-key.ts';
import * as apiKey from '../../screens/keys/api-keys.ts';
import { apiKeysV1, apiKeyV1List } from '../../screens/keys/api-keys-v1.ts';
import {
  type AppKeyRow,
  isKeyInUse,
  keyActions,
  orgActions,
  ownActions,
  ownEndpoints,
} from '../../screens/keys/application-key-edit.ts';
import { ownKeyList } from '../../screens/keys/application-keys.ts';
import { peopleList } from '../../screens/keys/people.ts';
import {
  createAccountAction,
  createPersonAction,
  editPersonAction,
  enableAction,
  people,
  userRoles,
  userStatus,
} from '../../screens/keys/person-edit.ts';
import type { Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { type Action, commandLine } from '../../src/describe/action.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { saveCall } from '../../src/journal/journal-entry.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { leaving } from '../support/offer-lines.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const secret = '0123456789abcdef'.repeat(2);
const context = contextOf();
const { keys } = ownActions;
// Made in each test: a change of what they are made of is noticed.
const fresh = () => keyActions(ownEndpoints);
const everything = { search: {}, range: '' };

const attributes = {
  name: 'report bot',
  last4: '9f3c',
  scopes: ['dashboards_read'] as string[] | null,
  last_used_at: null,
};
const keyWith = (more: object = {}) => there(keys.row({ id: 'k1', attributes: { ...attributes, ...more } }));
const key = keyWith();

/** Sends an edit to a service that has `now` of the row and responds with the edited row. */
function sent<Row extends { readonly attributes: object; readonly id: string }, V, A>(
  action: Action<Row, V, A>,
  row: Row,
  values: V,
  now = row,
) {
  let changed: object | undefined;
  const done = acted(action, row, values, ({ body }) => {
    if (body !== undefined) changed = (body as { data?: { attributes: object } }).data?.attributes;
    return answered({ data: { id: now.id, attributes: { ...now.attributes, ...changed } } });
  });
  const attributesOf = (body: unknown) => (body as { data?: { attributes: object } }).data?.attributes ?? body;
  return { ...done, bodies: done.bodies.map(attributesOf), back: done.back().map(({ body }) => attributesOf(body)) };
}
type KeyValues = Parameters<typeof ownActions.edit.send>[1];
const edited = (row: AppKeyRow, values: KeyValues, now: AppKeyRow = row) => sent(fresh().edit, row, values, now);

function resultOf<A>(result: Result<A>): A {
  if (!result.ok) throw new Error(result.problem.text);
  return result.value;
}

test('an edit sends only what differs; no scopes are sent as null; the order of scopes does not matter', () => {
  expect(edited(key, { name: 'other' }).bodies).toEqual([{ name: 'other' }]);
  expect(edited(key, { scopes: [] }).bodies).toEqual([{ scopes: null }]);
  const two = keyWith({ scopes: ['b', 'a'] });
  expect(edited(two, { scopes: ['b', 'a'] }).value).toMatchObject({ problem: { kind: 'conflict' } });
  for (const scopes of [null, []])
    expect(edited(keyWith({ scopes }), { scopes: [] }).value).toMatchObject({
      problem: { text: 'not sent: nothing would change' },
    });
});

test('two edits that each remove scopes never leave a key without limits: the second one sends nothing', () => {
  const both = keyWith({ scopes: ['a', 'b'] });
  const { bodies, value } = edited(both, { scopes: ['a'] }, keyWith({ scopes: ['b'] }));
  expect(bodies).toEqual([]);
  expect(value).toMatchObject({
    problem: { text: expect.stringContaining('someone else changed the scopes of report bot') },
  });
  // Scopes in another order are not a conflicting change.
  expect(edited(both, { scopes: ['a'] }, keyWith({ scopes: ['b', 'a'] })).bodies).toEqual([{ scopes: ['a'] }]);
});

test('undo restores what was; where that is unknown there is no undo, and the edit asks first', () => {
  const undone = (row: AppKeyRow, values: KeyValues) => edited(row, values).back;
  expect(undone(key, { name: 'x', scopes: [] })).toEqual([{ name: 'report bot', scopes: ['dashboards_read'] }]);
  expect(undone(keyWith({ scopes: null }), { scopes: ['a'] })).toEqual([{ scopes: null }]);
  const untold = keyWith({ scopes: undefined });
  expect(undone(untold, { scopes: ['a'] })).toEqual([]);
  const { edit } = fresh();
  expect(edit.confirm?.([untold], { scopes: ['a'] }, context)?.details).toContain(
    'Its current scopes are unknown, so this cannot be undone',
  );
  expect(edit.confirm?.([key], { scopes: ['a'] }, context)).toBeUndefined();
});

test('the question before scopes are cleared names five keys', () => {
  const asked = (count: number) => fresh().clear.confirm?.(Array(count).fill(key), {}, context)?.details?.slice(4, 6);
  const one = 'report bot: dashboards_read';
  expect([asked(5), asked(6)].map((details) => details?.filter((line) => line === one || /^and/.test(line)))).toEqual([
    [one],
    [one, 'and 1 more'],
  ]);
});

test('the key in use is found by its last four characters, and by its owner where both are known', () => {
  const mine = contextOf({ ends: { apiKey: 'aaaa', appKey: '9f3c' }, me: { id: 'u1', name: 'me' } });
  const owned = (id: string) =>
    there(keys.row({ id: 'k1', attributes, relationships: { owned_by: { data: { id } } } }));
  expect(isKeyInUse(key, mine)).toBe(true);
  expect(isKeyInUse(keyWith({ last4: '0000' }), mine)).toBe(false);
  expect(isKeyInUse(owned('u1'), mine)).toBe(true);
  expect(isKeyInUse(owned('u2'), mine)).toBe(false);
  expect(isKeyInUse(keyWith({ last4: '' }), contextOf({ ends: { apiKey: '', appKey: '' } }))).toBe(false);
  expect(isKeyInUse(key, context)).toBe(false);
});

test('a leak shows where and when the key was found, where the answer says so', () => {
  const leaked = { id: 'x', relationships: { leak_information: { data: { id: 'l1', type: 'leaked_keys' } } } };
  const included = [
    { id: 'l1', type: 'leaked_keys', attributes: { leak_source: 'a paste', date: '2026-05-06T00:00:00Z' } },
    { id: 'l2', type: 'leaked_keys' },
  ];
  const row = there(keys.row(leaked, { included }));
  expect(findLeak(row)).toEqual({ source: 'a paste', at: Date.UTC(2026, 4, 6) });
  expect(row.included).toHaveLength(1);
  expect(findLeak(there(apiKey.apiKeys.row(leaked)))).toEqual({ source: undefined, at: undefined });
  expect(findLeak(there(keys.row({ id: 'x', relationships: { leak_information: { data: null } } })))).toBeUndefined();
});

test('a leaked key is red and sorts behind others; the columns that lists of keys share have room for what they say', () => {
  const columns = [stateColumn<AppKeyRow>(isKeyInUse), nameColumn<AppKeyRow>(keys.nameOf), lastFourColumn<AppKeyRow>()];
  const leaked = there(keys.row({ id: 'x', relationships: { leak_information: { data: { id: 'l1' } } } }));
  const mine = contextOf({ ends: { apiKey: '', appKey: '9f3c' } });
  const cells = (row: AppKeyRow) =>
    columns.flatMap(({ text, tone, sort }) => [text, tone, sort].map((make) => make?.(row, mine)));
  expect(leaving(columns)).toBe('1 leak 6-, 1 name 16-60, 2 last4 5-');
  expect(columns.map(({ title, downward, firsts }) => [title, downward, firsts?.join()])).toEqual([
    ['STATE', true, 'leaked last,leaked first'],
    ['NAME', undefined, undefined],
    ['LAST 4', undefined, undefined],
  ]);
  expect([leaked, key, keyWith({ last4: '' })].map(cells)).toEqual([
    ['LEAKED', 'bad', 1, 'key x', 'bad', 'key x', '', undefined, ''],
    ['this session', 'info', 0, 'report bot', 'plain', 'report bot', '…9f3c', undefined, '9f3c'],
    ['', 'info', 0, 'report bot', 'plain', 'report bot', '', undefined, ''],
  ]);
});

test('pages are read until one is not full, or until one repeats', () => {
  const page = (from: number, length: number) => ({
    data: Array.from({ length }, (_, at) => ({ id: `k${from + at}`, attributes: { name: `k${from + at}` } })),
  });
  const load = () => ownKeyList.load({ search: { text: ' bot ' }, range: '' }, context).plan(context);
  const two = walk(load(), (_, nth) => answered(nth === 1 ? page(0, 100) : page(100, 3)));
  expect(two.calls.map((call) => call.query)).toMatchObject([
    { 'page[number]': 0, 'page[size]': 100, filter: 'bot' },
    { 'page[number]': 1, 'page[size]': 100, filter: 'bot' },
  ]);
  expect(two.value).toMatchObject({ ok: true, value: { rows: { length: 103 } } });
  expect(two.partials).toHaveLength(1);
  const same = walk(load(), () => answered(page(0, 100)));
  expect(same.calls).toHaveLength(2);
  expect(same.value).toMatchObject({ value: { rows: { length: 100 } } });
  const anonymous = walk(load(), () => answered({ data: [...page(0, 1).data, { attributes: {} }, { id: null }] }));
  const left = '2 rows without an id left out';
  expect(anonymous.value).toMatchObject({ value: { rows: [{ id: 'k0' }], notes: [left], missing: [left] } });
  const failed = walk(load(), (_, nth) => (nth === 1 ? answered(page(0, 100)) : refused('tooMany', 'wait')));
  expect(failed.value).toMatchObject({ ok: false, problem: { kind: 'tooMany' } });
});

test("where a deployment ignores the filter by owner, other owners' keys are left out", () => {
  const owned = (id: string, owner: string) => ({ id, relationships: { owned_by: { data: { id: owner } } } });
  const { value } = walk(orgActions.keys.load({ search: { owner: 'u1' }, range: '' }).plan(context), () =>
    answered({ data: [owned('k1', 'u1'), owned('k2', 'u2'), { id: 'k3' }] }),
  );
  expect(value).toMatchObject({ value: { rows: [{ id: 'k1' }, { id: 'k3' }] } });
});

test('a list of more than 1000 people is cut, with a note', () => {
  const { calls, value } = walk(people.load(everything).plan(context), (_, nth) =>
    answered({ data: Array.from({ length: 100 }, (_, at) => ({ id: `u${nth}-${at}`, attributes: {} })) }),
  );
  expect(calls).toHaveLength(10);
  expect(value).toMatchObject({ value: { notes: ['first 1000 rows only: a search reads all of them'] } });
});

test('a person is shown with as much of permissions and keys as can be read, and what is missing', () => {
  const stored = { id: 'u1', attributes: { name: 'Mira' } };
  const person = there(people.row(stored));
  const detail = there(peopleList.detail);
  const told = (others: (nth: number) => Result<unknown>) => {
    const { value, calls } = walk(there(detail.load?.(person, context)).plan(context), (_, nth) =>
      nth === 1 ? answered({ data: stored }) : others(nth),
    );
    expect(calls.map((call) => call.endpoint.id)).toEqual(['users.get', 'users.permissions', 'keys.list-org']);
    const [page, tab] = detailTabs(detail, person, resultOf(value), context);
    const sections = page.kind === 'page' ? page.sections : [];
    const warned = sections.flatMap(({ lines }) =>
      lines.flatMap((line) => (line.kind === 'text' && line.tone === 'warn' ? line.text : [])),
    );
    const permissions = sections.find(({ id }) => id === 'permissions');
    if (tab?.kind === 'rows') expect(tab.rows.map(({ cells }) => cells.state)).toEqual(tab.rows.map(() => ''));
    return [permissions?.title, permissions?.lines.length, tab?.kind === 'rows' && [tab.title, tab.empty], ...warned];
  };
  const one = (nth: number) => ({ id: `i${nth}`, attributes: { name: 'one' } });
  expect([
    told((nth) => refused('forbidden', `no ${nth}`)),
    told((nth) => answered({ data: [one(nth)] }, ['data[1]: expected an object'])),
    told((nth) => answered({ data: [one(nth)] })),
    told(() => answered({ data: [] })),
  ]).toEqual([
    [
      'Permissions',
      0,
      ['Keys', 'keys could not be read: no 3'],
      'permissions could not be read: no 2',
      'keys could not be read: no 3',
    ],
    [
      'Permissions 1+',
      1,
      ['Keys 1+', 'keys: 1 row could not be read: data[1]: expected an object'],
      'permissions: 1 row could not be read: data[1]: expected an object',
      'keys: 1 row could not be read: data[1]: expected an object',
    ],
    ['Permissions 1', 1, ['Keys 1', 'No application keys']],
    ['Permissions', 1, ['Keys', 'No application keys']],
  ]);
});

test('roles keep their names after an edit whose answer includes no roles', () => {
  const relationships = { roles: { data: [{ id: 'r1' }, { id: 'r2' }] } };
  const included = [{ id: 'r1', type: 'roles', attributes: { name: 'On-call' } }];
  const row = there(people.row({ id: 'u1', attributes: { name: 'Mira' }, relationships }, { included }));
  expect(userRoles(row).map((role) => role.name)).toEqual(['On-call', 'r2']);
  const done = acted(editPersonAction, row, { title: 'SRE' }, ({ body }) =>
    answered({ data: { id: 'u1', attributes: { name: 'Mira', title: body ? 'SRE' : null }, relationships } }),
  );
  const now = there(done.truth());
  expect(userRoles(now).map((role) => role.name)).toEqual(['On-call', 'r2']);
});

test('a row and a detail never show a secret, even where the answer holds it', () => {
  const stored = { id: 'k1', attributes: { ...attributes, key: secret } };
  const detail = there(ownKeyList.detail);
  const { value } = walk(there(detail.load?.(key, context)).plan(context), () => answered({ data: stored }));
  expect(stringifyExact(value)).not.toContain(secret);
  expect(stringifyExact(value)).toContain('(hidden, ends in cdef)');
  const tabs = detailTabs(detail, key, (value as { value: unknown }).value, context);
  expect(stringifyExact(tabs)).toContain('to show it');
  expect(stringifyExact(detailTabs(detail, key, undefined, context))).not.toContain('to show it');
});

test('Secret of a new key comes from the answer, a receipt says where it is missing, and u deletes the key', () => {
  const created = (response: object) =>
    acted(fresh().create, key, { name: 'x', scopes: [] }, () =>
      answered({ data: { id: 'k9', attributes: { name: 'x', ...response } } }),
    );
  const done = created({ key: secret, last4: 'cdef' });
  expect(done.bodies[0]).toEqual({ data: { type: 'application_keys', attributes: { name: 'x' } } });
  expect(newSecret(resultOf(done.value))).toMatchObject({ value: secret, title: 'Secret of x' });
  expect(done.says()).toBe('Created application key x …cdef');
  expect(done.back()).toMatchObject([{ params: { app_key_id: 'k9' } }]);
  expect(newSecret(resultOf(created({}).value))).toBeUndefined();
  expect(created({}).says()).toContain('NO SECRET');
});

test('a receipt says what the service reports in place of what was asked, as a warning', () => {
  const { edit, clear, create } = fresh();
  const told = <Row, V, A>(action: Action<Row, V, A>, row: Row, values: V, response: object, first?: object) => {
    const answers = (nth: number) => answered(nth === 1 && first ? first : response);
    const done = acted(action, row, values, (_, nth) => answers(nth));
    return [done.says(), done.warns()];
  };
  const keyNow = (id: string, more: object) => ({ data: { id, attributes: { ...attributes, key: secret, ...more } } });
  const before = keyNow('k1', {});
  const made = { name: 'x', scopes: ['a'] };
  expect([
    told(create, key, made, keyNow('k9', { ...made, scopes: null })),
    told(edit, key, { name: 'door' }, keyNow('k1', { name: 'door' }), before),
    told(edit, key, { scopes: ['a'] }, keyNow('k1', { scopes: ['a'] }), before),
    told(edit, key, { scopes: ['a'] }, keyNow('k1', { scopes: null }), before),
    told(clear, key, {}, keyNow('k1', { scopes: null }), before),
    told(clear, key, {}, before, before),
  ]).toEqual([
    ['Created application key x …9f3c; the service reports scopes none', true],
    ['Saved door (was report bot)', false],
    ['Saved report bot: scopes a', false],
    ['Saved report bot; the service reports scopes none', true],
    ['Saved report bot: no scopes (all your permissions)', false],
    ['Saved report bot; the service reports scopes dashboards_read', true],
  ]);
  const mira = (more: object, held?: readonly string[]) => ({
    data: {
      id: 'u1',
      attributes: { name: 'Mira', email: 'm@x', ...more },
      ...(held && { relationships: { roles: { data: held.map((id) => ({ id, type: 'roles' })) } } }),
    },
  });
  const off = there(people.row(mira({ status: 'Disabled' }).data));
  const enabled = (more: object) => told(enableAction, off, {}, mira(more), mira({ status: 'Disabled' }));
  expect([
    enabled({ disabled: false }),
    enabled({ status: 'Active' }),
    enabled({ disabled: true, status: 'Disabled' }),
    told(createPersonAction, off, { email: 'n@x' }, mira({ status: 'Pending' })),
    told(createPersonAction, off, { email: 'm@x', roles: ['r1', 'r2'] }, mira({ status: 'Pending' }, ['r2', 'r1'])),
    told(createPersonAction, off, { email: 'm@x', roles: ['r1', 'r2'] }, mira({ status: 'Pending' }, ['r2'])),
    told(createAccountAction, off, { email: 'm@x', roles: ['r1'] }, mira({}, [])),
    told(createAccountAction, off, { email: 'm@x', roles: ['r1'] }, mira({})),
  ]).toEqual([
    ['Enabled Mira, now status unknown', false],
    ['Enabled Mira, now active', false],
    ['STILL DISABLED: Mira', true],
    ['Created user Mira, pending; the service reports email "m@x"', true],
    ['Created user Mira, pending, with 2 roles', false],
    ['Created user Mira, pending; NOT given: 1 of 2 roles', true],
    ['Created service account Mira; NOT given: 1 of 1 role', true],
    ['Created service account Mira', false],
  ]);
});

test('a v1 row, its journal entries and its command hold only the last four characters of the key', () => {
  const stored = { key: secret, name: 'door', created: '2026-05-06 07:08:09', created_by: 'x' };
  const { value } = walk(apiKeysV1.load(everything).plan(context), () =>
    answered({ api_keys: [stored, { name: 'x' }] }, ['api_keys[0]: expected an object']),
  );
  const { rows, notes, missing } = resultOf(value);
  expect(missing).toContain('1 row could not be read: api_keys[0]: expected an object');
  const row = there(rows[0]);
  expect(rows).toHaveLength(1);
  expect(notes).toContainEqual('1 key without an id left out');
  expect(row).toMatchObject({ attributes: { last4: 'cdef', created: '2026-05-06 07:08:09' } });
  expect(row.secret?.()).toBe(secret);
  expect(apiKeyV1List.words?.(row, context)).toBe('cdef x');
  expect(ownKeyList.words?.(keyWith({ last4: null }), context)).not.toContain('null');
  const rename = there(apiKeyV1List.actions.find((action) => action.id === 'api-keys.edit-v1'));
  const { calls, value: renamed } = walk(
    rename.send?.(row, { name: 'x' }, context) as Plan<Result<unknown>>,
    ({ body }) => answered({ api_key: { ...stored, ...(body as object) } }),
  );
  expect(calls.at(-1)).toMatchObject({ params: { key: secret }, body: { name: 'x' } });
  const texts = [
    stringifyExact(row),
    stringifyExact(renamed),
    apiKeyV1List.idOf(row),
    commandLine(apiKeyV1List.command?.(row) ?? '', {}),
    commandLine(rename.command?.(row, { name: 'x' }) ?? '', {}),
    ...calls.map((call) => stringifyExact(saveCall(call, (text) => text))),
  ];
  for (const text of texts) expect(text).not.toContain(secret.slice(0, 12));
  expect(texts[4]).toBe(`orgdeck call api-keys.update-v1 --key env:KEY --body '{"name":"x"}'`);
  const short = walk(apiKeysV1.load(everything).plan(context), () =>
    answered({ api_keys: [{ key: 'short' }, { key: secret.slice(16) }, { key: secret.slice(17) }] }),
  );
  expect(resultOf(short.value).rows.map((one) => [apiKeysV1.nameOf(one), one.attributes.last4])).toEqual(
    ['', 'cdef', ''].map((last4) => [expect.stringMatching(/^key [0-9a-f]{8}$/), last4]),
  );
});

test('undo cannot remove a category that was added', () => {
  const row = there(apiKey.apiKeys.row({ id: 'k2', attributes: { name: 'a', category: null } }));
  const { back, bodies } = sent(apiKey.editAction, row, { category: 'odd' });
  expect([bodies, back]).toEqual([[{ name: 'a', category: 'odd' }], []]);
});

/** Undocumented members. */
const unknown = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}_x$/), fc.jsonValue(), { maxKeys: 4 });

test('an edit of one field sends that field alone, whatever undocumented members the object has', () => {
  fc.assert(
    fc.property(unknown, unknown, fc.array(fc.string({ minLength: 1 })), (more, around, scopes) => {
      const row = there(keys.row({ ...around, id: 'k1', attributes: { ...more, name: 'a', scopes } }));
      expect(edited(row, { name: 'b' }).bodies).toEqual([{ name: 'b' }]);

      const odd = { ...more, name: 'a', category: 'odd word' };
      const api = there(apiKey.apiKeys.row({ ...around, id: 'k2', attributes: odd }));
      expect(sent(apiKey.editAction, api, { name: 'b' }).bodies).toEqual([{ name: 'b' }]);

      const attributes = { ...more, name: 'a', email: 'a@b', status: 'Odd' };
      const one = there(people.row({ ...around, id: 'u1', attributes }));
      expect(userStatus(one)).toBe('Odd');
      expect(sent(editPersonAction, one, { title: 'new' }).bodies).toEqual([{ title: 'new' }]);
    }),
  );
});
