import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { isRead } from '../../src/api/endpoint.ts';
import { judge } from '../../src/client/response-result.ts';
import { maxDepth } from '../../src/lib/json.ts';
import { longJson } from '../../src/lib/slices.ts';

/** Bodies that no reader takes apart, whatever it looks for in them: none may find a way around a bound. */
const deep = (open: string, close: string) => `${open.repeat(maxDepth + 1)}0${close.repeat(maxDepth + 1)}`;
const many = `[${'0,'.repeat(1_000_000)}0]`;
const bodies: readonly (readonly [name: string, body: string, says: RegExp])[] = [
  ['lists in each other', deep('[', ']'), /not JSON/],
  ['objects in each other', deep('{"data":', '}'), /not JSON/],
  ['lists in each other under an unknown member', `{"data":[],"more":${deep('[', ']')}}`, /not JSON/],
  ['the same in an answer that is long', `{"pad":"${'x'.repeat(longJson)}","more":${deep('[', ']')}}`, /not JSON/],
  ['a million values under an unknown member', `{"data":{"id":"a","more":${many}}}`, /1,000,000 values/],
  ['a web page', '<!DOCTYPE html><html><title>Sign in</title></html>', /a web page titled "Sign in"/],
  ['half of an answer', '{"data":[{"id":"a"', /not JSON/],
];
const lists: typeof bodies = [
  ['a list of numbers', `[${'0,'.repeat(2000)}0]`, /first 1,000 values are not objects/],
  ['a million numbers as a list', many, /first 1,000 values are not objects/],
  ['a million numbers as data', `{"data":${many}}`, /first 1,000 values are not objects/],
];

const judged = (endpoint: (typeof endpoints)[number], body: string) => {
  const told = body.length <= longJson ? { text: body } : { text: '', bytes: Buffer.from(body) };
  return judge(endpoint, { kind: 'answer', status: 200, headers: {}, ...told }, 'api.test', undefined).result;
};

test.each(bodies)('no operation that reads takes %s', (_, body, says) => {
  for (const endpoint of endpoints.filter(isRead))
    expect(judged(endpoint, body), endpoint.id).toMatchObject({
      ok: false,
      problem: { kind: 'unreadable', text: expect.stringMatching(says) },
    });
});

test.each(lists)('no list and no search takes %s', (_, body, says) => {
  for (const endpoint of endpoints.filter(({ verb }) => verb === 'list' || verb === 'search'))
    expect(judged(endpoint, body), endpoint.id).toMatchObject({
      ok: false,
      problem: { kind: 'unreadable', text: expect.stringMatching(says) },
    });
});
