import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { searchIssues } from '../../src/api/error-tracking.ts';
import { readErrorBody } from '../../src/client/error-body.ts';
import { judge } from '../../src/client/response-result.ts';
import type { Failure } from '../../src/client/transport.ts';
import { addThing, dropThing, getThing, listThings, setThing } from '../support/calls.ts';

const host = 'api.example.test';
const answered = (endpoint: Endpoint, status: number, body: unknown, headers = {}, waitMs?: number) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return judge(endpoint, { kind: 'answer', status, headers, text }, host, waitMs);
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

test('an HTML page and an empty body are recognised by their form', () => {
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
  expect(problem.text).toContain('its own words');
});

test('can_delete: a 409 with an object of lists is a conflict with all its texts', () => {
  const body = { data: { ok: [1] }, errors: { 2: ['monitor [2,Disk] is referenced in slos: [ab12,Availability]'] } };
  expect(problemOf(getThing, 409, body)).toMatchObject({
    kind: 'conflict',
    text: 'monitor [2,Disk] is referenced in slos: [ab12,Availability]',
  });
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
  expect(problemOf(setThing, 403, '<html><title>Denied</title></html>').text).toMatch(/revoked/);
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
  ['404 of an id', getThing, 404, { errors: ['thing not found'] }, 'notFound'],
  ['404 of a path without ids', listThings, 404, { errors: ['the organisation is closed'] }, 'notFound'],
  ['404 of an edit that names its thing in the body', addThing, 404, { errors: ['No downtimes found'] }, 'notFound'],
  ['404 of an edit, the path itself', addThing, 404, { errors: ['Not Found'] }, 'notOffered'],
  ['404 of a read that names its thing in the body', searchIssues, 404, { errors: ['table not found'] }, 'notFound'],
])('a missing operation or a missing object: %s', (_, endpoint, status, body, kind) => {
  expect(problemOf(endpoint, status, body).kind).toBe(kind);
});

test('the words of the service come first, whatever the status', () => {
  const closed = { errors: ['the organisation is closed'] };
  expect(problemOf(listThings, 404, closed).text).toBe('the organisation is closed');
  expect(problemOf(setThing, 405, closed).text).toBe('the organisation is closed');
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
  const { result } = answered(listThings, 404, { data: [], meta: { found_count: 0 } });
  expect(result).toMatchObject({ ok: true, value: { data: [] }, status: 404 });
});

test('a redirect is not followed; the problem names the other host', () => {
  const problem = problemOf(getThing, 302, '', { location: 'https://evil.example.test/login?x' });
  expect(problem.kind).toBe('unreachable');
  expect(problem.text).toContain('evil.example.test');
  expect(problem.text).not.toContain('login');
});

test('a 429 says how long to wait', () => {
  const problem = problemOf(listThings, 429, '<html>', {}, 11_200);
  expect(problem).toMatchObject({ kind: 'tooMany', waitMs: 11_200, text: 'too many requests, wait 12 s' });
  expect(problemOf(listThings, 503, '', {}, 11_200)).not.toHaveProperty('waitMs');
});

test('an empty response is doubt for an edit that must return something, unreadable for a list', () => {
  expect(answered(dropThing, 200, '').result).toEqual({ ok: true, value: undefined, status: 200, unread: [] });
  expect(answered(dropThing, 204, '').result.ok).toBe(true);
  expect(answered(setThing, 204, '').seen.kind).toBe('doubt');
  expect(problemOf(setThing, 200, '').text).toBe('api.example.test answers 200, but the answer is empty');
  expect(problemOf(listThings, 200, '').kind).toBe('unreadable');
});

test('errors in a 2xx are a refusal, unless they are attributes of the object', () => {
  const refused = { status: 'error', code: 403, errors: ['Forbidden'] };
  expect(problemOf(listThings, 200, { errors: [{ detail: 'not now' }] })).toMatchObject({
    kind: 'unreadable',
    text: 'the service answers 200, and yet: not now',
  });
  expect(problemOf(setThing, 200, refused)).toMatchObject({ kind: 'invalid', messages: ['Forbidden'] });
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
  const failed = (failure: Failure, status?: number) => {
    const sent = { kind: 'failure', failure, code: 'E', left: true, ...(status && { status }) } as const;
    const { result } = judge(getThing, sent, host, undefined);
    return result.ok ? undefined : result.problem;
  };
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
