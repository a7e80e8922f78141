import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { searchIssues } from '../../src/api/error-tracking.ts';
import { readErrorBody } from '../../src/client/response-problem.ts';
import { type Attempt, judge } from '../../src/client/response-result.ts';
import type { Failure } from '../../src/client/transport.ts';
import { longJson } from '../../src/lib/slices.ts';
import { addThing, dropThing, getThing, listThings, setThing } from '../support/calls.ts';

const host = 'api.example.test';
const answered = (endpoint: Endpoint, status: number, body: unknown, headers = {}, waitMs?: number) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const read = text.length <= longJson ? { text } : { text: '', bytes: Buffer.from(text) };
  return judge(endpoint, { kind: 'answer', status, headers, ...read }, host, waitMs);
};
const problemOf = (...given: Parameters<typeof answered>) => {
  const { result } = answered(...given);
  if (result.ok) throw new Error('expected a problem');
  return result.problem;
};

test.each([
  ['strings', { errors: ['one', 'two '] }, ['one', 'two ']],
  ['front door', { status: 'error', code: 403, errors: ['Forbidden'], support: 'x' }, ['Forbidden']],
  [
    'objects',
    { errors: [{ status: '404', title: 'Generic Error', detail: 'no such' }, { title: 'Bad' }] },
    ['no such', 'Bad'],
  ],
  ['lists by id', { data: { ok: [1] }, errors: { 2: ['in use'], 3: ['also', 'again'] } }, ['in use', 'also', 'again']],
  ['one string', { errors: 'only this' }, ['only this']],
  ['error', { error: 'old style' }, ['old style']],
  ['error and message', { error: 'old style', message: 'again' }, ['old style']],
  ['empty', { errors: [] }, []],
  ['nonsense inside', { errors: [null, 5, { detail: 7 }, 'kept'] }, ['kept']],
  ['null', null, []],
])('error bodies: %s', (_, body, words) => {
  expect(readErrorBody(JSON.stringify(body)).words).toEqual(words);
});

test('an HTML page and an empty body are recognized by their form', () => {
  expect(readErrorBody('<!DOCTYPE html><html><title> 502\n Bad Gateway</title>')).toEqual({
    words: [],
    form: 'page',
    title: '502 Bad Gateway',
  });
  expect(readErrorBody('<?xml version="1.0"?><Error/>')).toMatchObject({ form: 'page' });
  expect(readErrorBody(' \n')).toMatchObject({ form: 'empty' });
  expect(readErrorBody(' upstream gone\n')).toEqual({ words: ['upstream gone'], form: 'text' });
  expect(readErrorBody('x'.repeat(301))).toEqual({ words: [], form: 'text' });
});

test.each([
  [400, 'invalid'],
  [401, 'forbidden'],
  [403, 'forbidden'],
  [404, 'notFound'],
  [407, 'unreachable'],
  [408, 'unreachable'],
  [409, 'conflict'],
  [410, 'notFound'],
  [412, 'conflict'],
  [422, 'invalid'],
  [423, 'conflict'],
  [429, 'tooMany'],
  [500, 'unreachable'],
  [501, 'invalid'],
  [503, 'unreachable'],
])('status %i is %s, with the words of the service', (status, kind) => {
  const problem = problemOf(getThing, status, { errors: ['its own words '] });
  expect(problem).toMatchObject({ kind, status, operation: 'things.get', messages: ['its own words '] });
  if (kind !== 'tooMany') expect(problem.text).toContain('its own words');
});

test.each<[number, Attempt['seen'], Attempt['seen']]>([
  [300, { kind: 'doubt', isLate: false }, { kind: 'final' }],
  [399, { kind: 'doubt', isLate: false }, { kind: 'final' }],
  [400, { kind: 'final' }, { kind: 'final' }],
  [407, { kind: 'final' }, { kind: 'final' }],
  [408, { kind: 'doubt', isLate: true }, { kind: 'doubt', isLate: true }],
  [409, { kind: 'final' }, { kind: 'final' }],
  [428, { kind: 'final' }, { kind: 'final' }],
  [429, { kind: 'refused', waitMs: 7 }, { kind: 'refused', waitMs: 7 }],
  [499, { kind: 'final' }, { kind: 'final' }],
  [500, { kind: 'doubt', isLate: false }, { kind: 'doubt', isLate: false }],
  [501, { kind: 'final' }, { kind: 'final' }],
  [504, { kind: 'doubt', isLate: true }, { kind: 'doubt', isLate: true }],
  [505, { kind: 'doubt', isLate: false }, { kind: 'doubt', isLate: false }],
])('status %i leaves open whether an edit was applied, or not', (status, edit, read) => {
  const body = { data: [] };
  expect([answered(setThing, status, body, {}, 7).seen, answered(getThing, status, body, {}, 7).seen]).toEqual([
    edit,
    read,
  ]);
  expect(answered(getThing, status, body).result.ok).toBe(false);
});

/** Of each failure: what an attempt may have done that had not left yet, and that had: of a read, of an edit. */
const final = { kind: 'final' } as const;
const unsent = { kind: 'unsent' } as const;
const doubt = { kind: 'doubt', isLate: false } as const;
test.each<[Failure, string, Attempt['seen'], Attempt['seen'], Attempt['seen']]>([
  ['timeout', '', unsent, { ...doubt, isLate: true }, { ...doubt, isLate: true }],
  ['refused', 'ECONNREFUSED', unsent, doubt, doubt],
  ['network', 'ECONNRESET', unsent, doubt, doubt],
  ['dns', 'ENOTFOUND', final, doubt, doubt],
  ['dns', 'EAI_AGAIN', unsent, doubt, doubt],
  ['tls', 'CERT_HAS_EXPIRED', final, doubt, doubt],
  ['proxy', '', final, doubt, doubt],
  ['cut', '', final, doubt, doubt],
  ['canceled', '', final, final, doubt],
  ['tooBig', '', final, final, doubt],
  ['packed', '', final, final, doubt],
])('a connection that fails by %s %s', (failure, code, before, read, edit) => {
  const seen = (endpoint: Endpoint, left: boolean) =>
    judge(endpoint, { kind: 'failure', failure, code, left }, host, undefined).seen;
  expect([seen(setThing, false), seen(getThing, true), seen(setThing, true)]).toEqual([before, read, edit]);
});

test('a revoked key and a missing permission have different texts, and both name the permission', () => {
  const revoked = problemOf(setThing, 403, { errors: ['Forbidden'] });
  expect(revoked).toMatchObject({ permission: ['things_write'] });
  expect(revoked.text).toMatch(/revoked.*things_write/);
  const missing = problemOf(setThing, 403, { errors: ['Forbidden', 'Failed permission authorization checks'] });
  expect(missing.text).toBe('your keys or role lack things_write: Failed permission authorization checks');
  const locked = 'You do not have permissions to update this locked thing.';
  expect(problemOf(setThing, 401, { errors: [locked] }).text).toBe(locked);
  const scoped = problemOf(setThing, 403, { errors: ['Forbidden', 'This API does not support scoped app keys'] });
  // Another cause that the service states is the cause: no permission is spoken of.
  expect(scoped.text).toBe('refused (403): This API does not support scoped app keys');
  expect(scoped.permission).toBeUndefined();
  expect(problemOf(setThing, 403, '<html><title>Denied</title></html>').text).toMatch(/HTML page.*proxy.*revoked/);
});

test.each<[string, Endpoint, number, unknown, string]>([
  ['405', setThing, 405, { errors: ['Method not allowed'] }, 'notOffered'],
  ['405 in words about the thing', setThing, 405, { errors: ['a thing of this type cannot be changed'] }, 'invalid'],
  ['501', setThing, 501, '', 'notOffered'],
  ['404 of a router in plain text', getThing, 404, '404 page not found', 'notOffered'],
  ['404 of a router in JSON', getThing, 404, { status: 404, error: 'Not Found', path: '/x' }, 'notOffered'],
  ['404 in JSON of another shape', getThing, 404, { message: 'no thing with this id' }, 'notFound'],
  ['404 in plain text', getThing, 404, 'no thing x here', 'notFound'],
  ['404 of a path without ids in generic words', listThings, 404, { errors: ['Not found'] }, 'notOffered'],
  ['404 as a page', getThing, 404, '<html>', 'notOffered'],
  ['404 without a body', getThing, 404, '', 'notOffered'],
  ['404 with a list instead of a thing', getThing, 404, { data: [], meta: {} }, 'notFound'],
  ['404 of an id', getThing, 404, { errors: ['thing not found'] }, 'notFound'],
  ['404 of a path without ids', listThings, 404, { errors: ['the organization is closed'] }, 'notFound'],
  ['404 of an edit that names its thing in the body', addThing, 404, { errors: ['No downtimes found'] }, 'notFound'],
  ['404 of an edit, the path itself', addThing, 404, { errors: ['Not Found'] }, 'notOffered'],
  ['404 of a read that names its thing in the body', searchIssues, 404, { errors: ['table not found'] }, 'notFound'],
])('a missing operation or a missing object: %s', (_, endpoint, status, body, kind) => {
  expect(problemOf(endpoint, status, body).kind).toBe(kind);
});

test('the words of the service come first, whatever the status', () => {
  const closed = { errors: ['the organization is closed'] };
  expect(problemOf(listThings, 404, closed).text).toBe('the organization is closed');
  expect(problemOf(setThing, 405, closed).text).toBe('the organization is closed');
  expect(problemOf(getThing, 404, '').text).toBe('this deployment does not offer "read one thing" (404 Not Found)');
});

test('a required operation is never called "not offered": the base URL is questioned', () => {
  const spec = (endpoint: Endpoint): Endpoint => ({ ...endpoint, origin: 'spec' });
  for (const body of ['', '<html><title>404</title></html>', { errors: ['Not Found'] }]) {
    const problem = problemOf(spec(listThings), 404, body);
    expect(problem.kind).toBe('notFound');
    expect(problem.text).toMatch(/^api\.example\.test .*"list things".*base URL/);
    expect(problemOf(spec(getThing), 404, body).kind).toBe('notFound');
  }
  expect(problemOf(spec(getThing), 404, '').text).toBe('not found (404 Not Found)');
  expect(problemOf(spec(setThing), 405, '')).toMatchObject({ kind: 'invalid', status: 405 });
  expect(answered(spec(setThing), 501, '').seen.kind).toBe('final');
});

test('a 404 with an empty list is a successful empty response', () => {
  const empty = { data: [], meta: { found_count: 0 } };
  expect(answered(listThings, 404, empty).result).toMatchObject({ ok: true, value: { data: [] }, status: 404 });
  for (const [endpoint, status, body] of [
    [setThing, 404, empty],
    [listThings, 400, empty],
    [listThings, 404, { data: {} }],
    [listThings, 404, { ...empty, errors: ['gone'] }],
  ] as const)
    expect(answered(endpoint, status, body).result.ok).toBe(false);
  expect(answered(getThing, 404, empty).result).toMatchObject({ problem: { kind: 'notFound', status: 404 } });
});

test('a redirect is not followed; the problem names the other host', () => {
  const problem = problemOf(getThing, 302, '', { location: 'https://evil.example.test/login?x' });
  expect(problem.kind).toBe('unreachable');
  expect(problem.text).toContain('evil.example.test');
  expect(problem.text).not.toContain('login');
  for (const location of [undefined, 'http://['])
    expect(problemOf(getThing, 302, '', { location }).text).toBe(
      `${host} redirects (302), which is not followed: check the base URL`,
    );
});

test('a page of a gateway is named by its status, and an error by its status', () => {
  const page = '<html><title>Down for repairs</title>';
  expect(problemOf(getThing, 502, page).text).toBe(`502 Bad Gateway from ${host} (an HTML page)`);
  expect(problemOf(getThing, 400, page).text).toContain('400 Bad Request, an HTML page');
  expect(problemOf(getThing, 503, '').text).toBe(`503 Service Unavailable from ${host}`);
  expect(problemOf(getThing, 503, { errors: ['Service Unavailable'] }).text).toBe(
    `503 Service Unavailable from ${host}`,
  );
  expect(problemOf(getThing, 503, 'repairs').text).toBe(`503 Service Unavailable from ${host}: repairs`);
  expect(problemOf(getThing, 409, '').text).toBe('it was changed or is in use (409 Conflict)');
  expect(problemOf(getThing, 401, '').text).toContain('(Unauthorized)');
  expect(problemOf(getThing, 403, '').text).toContain('(Forbidden)');
  expect(readErrorBody(`<title>${'x'.repeat(101)}</title>`).title).toBe('x'.repeat(100));
  const titled = (before: number) => readErrorBody(`<${' '.repeat(before - 1)}<title>Gone</title>`).title;
  expect([titled(10_000 - 19), titled(10_000 - 18)]).toEqual(['Gone', undefined]);
  expect(readErrorBody('x'.repeat(300)).words).toEqual(['x'.repeat(300)]);
  const json = (length: number) => readErrorBody(`"${'x'.repeat(length - 2)}"`).form;
  expect([json(256 * 1024), json(256 * 1024 + 1)]).toEqual(['json', 'text']);
});

test('a 429 says how long to wait', () => {
  const problem = problemOf(listThings, 429, '<html>', {}, 11_200);
  expect(problem).toMatchObject({ kind: 'tooMany', waitMs: 11_200, text: 'rate limited, wait 12s' });
  expect(problemOf(listThings, 429, '', {}, 300_100).text).toBe('rate limited, wait 6m');
  expect(problemOf(listThings, 503, '', {}, 11_200)).not.toHaveProperty('waitMs');
});

test('an empty response is doubt for an edit that must return something, unreadable for a list', () => {
  expect(answered(dropThing, 200, '').result).toEqual({ ok: true, value: undefined, status: 200, unread: [] });
  expect(answered(dropThing, 204, '').result.ok).toBe(true);
  expect(answered(setThing, 204, '').seen.kind).toBe('doubt');
  expect(problemOf(setThing, 200, '').text).toBe('api.example.test answers 200, but the answer is empty');
  expect(problemOf(listThings, 200, '').kind).toBe('unreadable');
  expect(problemOf(listThings, 200, '').text).toBe(`the response of ${host} cannot be read: it is empty`);
});

test('a search or list without its list is unreadable, another read keeps the rest', () => {
  const response = v.looseObject({ rows: v.nullish(v.array(v.string())) });
  const ok = (['list', 'search', 'get'] as const).map(
    (verb) => answered({ ...listThings, verb, response }, 200, { rows: 'x' }).result.ok,
  );
  expect(ok).toEqual([false, false, true]);
});

test('a response longer than we take says so, and asks for less; of many faults it tells three', () => {
  const long = `"${'x'.repeat(1_000_001)}"`;
  expect(problemOf(listThings, 200, long)).toMatchObject({
    kind: 'unreadable',
    text: expect.stringContaining('more than 1,000,000 values: narrow the search'),
    tooBig: true,
  });
  expect(answered(setThing, 200, long).seen).toEqual({ kind: 'doubt' });
  const depth = 30;
  const response = Array.from({ length: depth }).reduce<v.GenericSchema>((inner) => v.object({ a: inner }), v.string());
  const body = `${'{"a":'.repeat(depth)}7${'}'.repeat(depth)}`;
  expect(problemOf({ ...getThing, response }, 200, body).text.split('; ')).toHaveLength(3);
});

test('errors in a 2xx are a refusal, unless they are attributes of the object', () => {
  const refused = { status: 'error', code: 403, errors: ['Forbidden'] };
  expect(problemOf(listThings, 200, { errors: [{ detail: 'not now' }] })).toMatchObject({
    kind: 'unreadable',
    text: 'the service answers 200, but reports: not now',
    fields: ['the answer: errors instead of the data'],
  });
  expect(problemOf(setThing, 200, refused)).toMatchObject({ kind: 'invalid', messages: ['Forbidden'] });
  expect(problemOf(setThing, 200, refused)).not.toHaveProperty('fields');
  expect(problemOf(setThing, 200, { error: { code: 'E7', message: 'denied' } }).messages).toEqual(['denied']);
  for (const nothing of [{ errors: [] }, { errors: null }, { error: '' }])
    expect(answered(listThings, 200, nothing).result.ok).toBe(true);
  expect(problemOf({ ...listThings, verb: 'check' }, 200, refused)).toMatchObject({ kind: 'invalid' });
  const data = { id: 'x' };
  for (const fine of [{ errors: [] }, { errors: null }, { errors: ['kept'] }])
    expect(answered(setThing, 200, { data, ...fine }).result.ok).toBe(true);
});

test('an edit with an unusable response is in doubt; fields that do not fit change nothing', () => {
  expect(answered(setThing, 200, 'null')).toMatchObject({ seen: { kind: 'doubt' }, result: { ok: false } });
  expect(problemOf(setThing, 200, { data: [{ id: 'a' }] })).toMatchObject({
    kind: 'unreadable',
    text: 'api.example.test answers 200, but data: expected an object, got a list',
  });
  expect(answered(setThing, 200, { data: { id: 'a', attributes: { name: 7 } } }).result).toMatchObject({
    ok: true,
    unread: ['data.attributes.name: expected text'],
  });
});

test('each failure of the connection has its sentence', () => {
  const failed = (failure: Failure, status?: number, code = 'E') => {
    const sent = { kind: 'failure', failure, code, left: true, ...(status && { status }) } as const;
    const { result } = judge(getThing, sent, host, undefined);
    return result.ok ? undefined : result.problem;
  };
  // Nothing about trying again: reads are repeated anyhow, and an edit that was perhaps applied must not be.
  expect(failed('network')?.text).toBe(`the connection to ${host} broke (E): check the network`);
  expect(failed('network', undefined, '')?.text).toContain('broke: check');
  expect(failed('timeout')?.text).toBe(`${host} did not respond in time: check the network`);
  const kinds = { canceled: 'canceled', tooBig: 'unreadable', packed: 'unreadable', cut: 'unreachable' } as const;
  for (const [failure, kind] of Object.entries(kinds) as [Failure, string][]) {
    expect(failed(failure)?.kind).toBe(kind);
    expect(failed(failure)?.tooBig).toBe(failure === 'tooBig' ? true : undefined);
  }
  expect(failed('cut', 200)).toMatchObject({ text: `the response of ${host} was cut short`, status: 200 });
  for (const failure of ['dns', 'refused', 'timeout', 'proxy', 'tls', 'cut', 'network', 'tooBig', 'packed'] as const)
    expect(failed(failure)?.text, failure).toContain(' ');
});

test('an HTML page with status 200 is unreadable for a read, doubt for an edit', () => {
  const page = '<!DOCTYPE html><title>Sign in</title>';
  expect(problemOf(listThings, 200, page)).toMatchObject({
    kind: 'unreadable',
    fields: ['the answer: expected JSON, got a web page'],
  });
  expect(problemOf(listThings, 200, page).text).toMatch(/"Sign in".*base URL/);
  expect(answered(setThing, 200, page).seen.kind).toBe('doubt');
});
