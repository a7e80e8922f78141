import { describe, expect, test } from 'vitest';
import { oddIssues } from '../support/odd-responses.ts';
import { html, type Odd, over, page } from '../support/scripted-deployment.ts';

const list = 'GET /api/v1/monitor';
const search = 'POST /api/v2/error-tracking/issues/search';
const monitors = (name: string) => [{ id: 4211, name, type: 'query alert', overall_state: 'Alert' }];
const named = (name: string): Odd => ({ body: monitors(name) });

describe('a list response that holds no list of monitors', () => {
  const odd: readonly (readonly [string, Odd, string])[] = [
    ['a login page', { ...html, body: page('Sign in') }, 'answers with a web page titled "Sign in"'],
    ['half of a list', { body: '[{"id": 4211, "name": "hal' }, 'answers with text that is not JSON'],
    ['nothing', { body: '' }, 'cannot be read: it is empty'],
    ['an envelope', { body: { data: monitors('enveloped') } }, 'expected a list, got an object'],
    ['errors in a success', { body: { errors: ['Not now'] } }, 'answers 200, but reports: Not now'],
    ['400 with nothing', { status: 400, body: '' }, 'the service refused the request (400 Bad Request)'],
    [
      '403 of a permission',
      { status: 403, body: { errors: ['Forbidden', 'Failed permission authorization checks'] } },
      'your keys or role lack monitors_read',
    ],
    ['403 as a page', { ...html, status: 403, body: page('Blocked') }, 'refused (403, an HTML page)'],
    ['404 as a page', { ...html, status: 404, body: page('404') }, 'does not offer "list monitors"'],
    [
      '429 with lying headers',
      {
        status: 429,
        body: '',
        headers: { 'x-ratelimit-reset': 'soon', 'retry-after': '-5', 'x-ratelimit-limit': '0' },
      },
      'ate limited',
    ],
    ['503 as a page', { ...html, status: 503, body: page('Be right back') }, '503 Service Unavailable from'],
    ['599', { status: 599, body: '\u0000\u0001' }, '599 from'],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'https://other.test/login' } },
      'redirects to other.test',
    ],
    ['a cut connection', { cut: true }, 'the connection to 127.0.0.1'],
    ['an unknown packing', { body: 'x', headers: { 'content-encoding': 'zstd' } }, 'cannot be decompressed'],
  ];

  test.each([0, 1])('is reported, and the rows read before stay (part %i of 2)', async (part) => {
    await over({ [list]: named('before') }, async (user, service) => {
      await user.opens('monitors');
      await user.sees('before');
      for (const [what, answer, said] of odd.filter((_, at) => at % 2 === part)) {
        service.answers({ [list]: answer });
        await user.presses('ctrl+r');
        await user.settles(said);
        expect(await user.screen(), what).toMatch(/ALERT +\S +before/);
        service.answers({ [list]: named('before') });
        await user.presses('ctrl+r');
        await user.settles('● live');
      }
    });
  });

  test.each(odd.filter((_, at) => at % 3 === 0))(
    'is reported when there are no rows yet: %s',
    async (_, answer, said) => {
      await over({ [list]: answer }, async (user) => {
        await user.presses('2');
        await user.settles(said);
        await user.presses('m', 'M', '+', 'd', 'return', 'x', 'y', 'o', 'space', '*', 'G');
        await user.settles(said);
      });
    },
  );
});

test('a compressed list, one with a byte order mark and one of another media type are read', async () => {
  const body = JSON.stringify(monitors('odd but fine'));
  const fine: readonly Odd[] = [
    { body, packed: 'gzip' },
    { body, packed: 'br' },
    { body, packed: 'deflate' },
    { body, packed: 'raw deflate' },
    { body: `\uFEFF${body}` },
    { body: `\r\n ${body}\n\n` },
    { body, type: 'application/vnd.api+json' },
    { body, type: 'application/json; charset=UTF-8; version=2' },
    { body, type: 'text/html' },
    { body, type: null },
    { body, status: 203 },
    { body, headers: { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '1e99' } },
    { body, headers: { connection: 'close' } },
  ];
  await over({ [list]: named('before') }, async (user, service) => {
    await user.opens('monitors');
    for (const answer of fine) {
      service.answers({ [list]: named('before') });
      await user.presses('ctrl+r');
      await user.settles('before');
      service.answers({ [list]: answer });
      await user.presses('ctrl+r');
      await user.settles('odd but fine');
      await user.sees('● live');
    }
  });
});

test('a deployment below a path prefix that drops connections works', async () => {
  const flaky = (answer: Odd) => (_: unknown, nth: number) => (nth % 2 === 1 ? { cut: true } : answer);
  await over(
    { [list]: flaky(named('below a prefix')), [search]: flaky({ body: oddIssues() }) },
    async (user, service) => {
      await user.settles('TypeError');
      await user.presses('2');
      await user.settles('below a prefix');
      expect(service.received.every((request) => request.url.startsWith('/eu/gateway/api/'))).toBe(true);
    },
    { prefix: '/eu/gateway' },
  );
});
