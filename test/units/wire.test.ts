import { expect, test } from 'vitest';
import { call, rawCall } from '../../src/api/endpoint.ts';
import { toWireRequest } from '../../src/client/wire-request.ts';
import { getThing, listThings, setThing } from '../support/calls.ts';

const base = new URL('https://api.example.test/prefix');
const pathOf = (id: string) => {
  const written = toWireRequest(rawCall(getThing, { thing_id: id }), base);
  return written.ok ? written.wired.path : written.problem;
};

test.each([
  ['abc-_9', 'abc-_9'],
  ['-starts with', '-starts%20with'],
  ['a/b', 'a%2Fb'],
  ['a?b#c', 'a%3Fb%23c'],
  ['100%', '100%25'],
  ['%2e%2e', '%252e%252e'],
  ['äö😀', '%C3%A4%C3%B6%F0%9F%98%80'],
  ["o'neil(1)!*~", "o'neil(1)!*~"],
])('an id becomes one segment below the prefix: %s', (id, segment) => {
  expect(pathOf(id)).toBe(`/prefix/api/v2/things/${segment}`);
});

test.each(['', '.', '..', '../x', 'a/../b', '..\\x', 'a\nb', 'a\u0000b', '\u007f', '\u0085', '\ud800'])(
  'an id that could change the path is refused: %j',
  (id) => {
    expect(pathOf(id)).toMatchObject({ kind: 'invalid', operation: 'things.get' });
  },
);

test('a missing parameter is refused, also one that objects inherit', () => {
  const missing = toWireRequest(rawCall(getThing, {}), base);
  expect(missing).toMatchObject({ ok: false, problem: { kind: 'invalid', text: 'thing_id is missing' } });
  const inherited = { ...getThing, path: '/api/{constructor}' };
  expect(toWireRequest(rawCall(inherited, {}), base)).toMatchObject({ ok: false });
});

test('query parameters: lists joined by commas or repeated, null omitted, brackets and bigints exact', () => {
  const query = { filter: 'a b&c', ids: [1, 2n ** 60n], 'page[size]': 100, none: null, empty: [] };
  const written = toWireRequest(rawCall(listThings, {}, query), base);
  expect(written).toMatchObject({
    ok: true,
    wired: { path: '/prefix/api/v2/things?filter=a%20b%26c&ids=1,1152921504606846976&page%5Bsize%5D=100' },
  });
  const repeated = toWireRequest(rawCall({ ...listThings, repeated: ['ids'] }, {}, { ids: [1, 2] }), base);
  expect(repeated).toMatchObject({ ok: true, wired: { path: '/prefix/api/v2/things?ids=1&ids=2' } });
});

test('a body keeps 64-bit ids exact and sets its content type; without a body there is none', () => {
  const body = { data: { attributes: { owner: 9223372036854775807n } } };
  const written = toWireRequest(call(setThing, { thing_id: 'x', body }), base);
  expect(written).toMatchObject({
    ok: true,
    wired: {
      method: 'PATCH',
      body: '{"data":{"attributes":{"owner":9223372036854775807}}}',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    },
  });
  const bare = toWireRequest(call(getThing, { thing_id: 1 }), base);
  expect(bare.ok && bare.wired.body === undefined && !('content-type' in bare.wired.headers)).toBe(true);
});
