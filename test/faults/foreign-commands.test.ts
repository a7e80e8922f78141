import { describe, expect, test } from 'vitest';
import { machineOfEach, type Ran } from '../support/commands.ts';
import { oddIssues, oddMonitors } from '../support/odd-responses.ts';
import { receiptOf } from '../support/receipts.ts';
import { type Answers, type Foreign, foreign, html, type Odd, page } from '../support/scripted-deployment.ts';

const list = 'GET /api/v1/monitor';
const get = 'GET /api/v1/monitor/*';
const mute = 'POST /api/v1/monitor/*/mute';
const unmute = 'POST /api/v1/monitor/*/unmute';
const search = 'POST /api/v2/error-tracking/issues/search';
const disk = (silenced: unknown) => ({ id: 4211, name: 'Disk', options: { silenced } });

const machine = machineOfEach();

/** Runs a command against a scripted deployment, without waits between retries. */
async function orgdeck(answers: Answers, ...line: string[]): Promise<Ran & { service: Foreign }> {
  const service = await foreign(answers);
  const ran = await machine.orgdeck(['--base-url', service.url, ...line], {
    env: { ORGDECK_API_KEY: service.apiKey, ORGDECK_APP_KEY: service.appKey },
    io: { random: () => 0 },
  });
  for (const text of [ran.out, ran.err]) {
    expect(text).not.toContain(service.apiKey);
    expect(text).not.toContain(service.appKey);
    expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
  }
  return { ...ran, service };
}

test('monitors of every odd shape are listed, with a note on what is left out', async () => {
  const { exit, out, err } = await orgdeck({ [list]: { body: oddMonitors() } }, 'monitors', 'list', '--json');
  expect(exit).toBe(3);
  const rows: { id: string; name: string; state: string }[] = JSON.parse(out).items;
  expect(rows).toHaveLength(20);
  expect(rows.find((row) => row.name === 'beyond 2^53')).toMatchObject({ id: '9007199254740993', state: 'OK' });
  expect(rows.find((row) => row.id === '4214')).toMatchObject({ name: '(no name) #4214', state: 'Unknown' });
  expect(err).toContain('8 monitors could not be read: without an id, null id, empty id and 5 more');
  const table = await orgdeck({ [list]: { body: oddMonitors() } }, 'monitors', 'list');
  expect(table.out.split('\n').length).toBe(21);
});

test('issues of every odd shape are listed', async () => {
  const { exit, out, err } = await orgdeck(
    { [search]: { body: oddIssues() } },
    'issues',
    'list',
    '--json',
    '--states',
    '',
  );
  expect(exit).toBe(3);
  const rows: { id: string; type: string }[] = JSON.parse(out).items;
  expect(rows.map((row) => row.type).filter(Boolean)).toEqual(['TypeError', 'BigId']);
  expect(err).toContain('3 issues came without details');
  expect((await orgdeck({ [search]: { body: oddIssues() } }, 'issues', 'list')).out).toMatch(
    /a0000000-\S+1\t[^\t]*\tOPEN\t12\t/,
  );
});

test('a response is printed exactly; fields that cannot be read are omitted and named', async () => {
  const odd = { id: 9007199254740993n, name: 7, tags: 'x', extra: { deep: [1.5, null, 18446744073709551615n] } };
  const { exit, out, err } = await orgdeck({ [get]: { body: odd } }, 'call', 'monitors.get', '--monitor_id', '1');
  expect(exit).toBe(0);
  expect(out).toContain('"id": 9007199254740993,');
  expect(out).toContain('18446744073709551615');
  expect(err).toContain('not understood and left out: name: expected text; tags: expected a list');
});

test('escape sequences in a response, a refusal and a title do not reach the terminal', async () => {
  const hostile = '\u001B]0;gotcha\u0007\u009B31m\u202E\u0000end';
  const answers: Answers = { [get]: { body: { ...disk({}), name: hostile, [hostile]: hostile } } };
  for (const answer of [
    answers,
    { [get]: { status: 400, body: { errors: [hostile, { detail: hostile }] } } },
    { [get]: { ...html, status: 500, body: page(hostile) } },
  ])
    expect((await orgdeck(answer, 'call', 'monitors.get', '--monitor_id', '1')).out).not.toContain('\u001B');
  expect((await orgdeck({ [list]: { body: [{ id: 1, name: hostile }] } }, 'monitors', 'list')).out).toContain(
    '␛]0;gotcha',
  );
});

const refusals: readonly (readonly [string, Odd, number, string])[] = [
  ['401', { status: 401, body: { errors: ['Unauthorized'] } }, 4, 'the keys were not accepted'],
  ['403', { status: 403, body: { errors: ['Forbidden'] } }, 4, 'the keys were not accepted'],
  ['403 as a page', { ...html, status: 403, body: page('Blocked') }, 4, 'refused (403, an HTML page)'],
  [
    '403 of a permission',
    { status: 403, body: { errors: ['Forbidden', 'Failed permission authorization checks'] } },
    4,
    'monitors_read',
  ],
  ['400 in objects', { status: 400, body: { errors: [{ title: 'Bad Request', detail: 'bad page' }] } }, 1, 'bad page'],
  ['404 as a page', { ...html, status: 404, body: page('x') }, 1, 'does not offer'],
  ['405', { status: 405, body: '' }, 1, 'does not offer'],
  ['409', { status: 409, body: { errors: {} } }, 1, '409 Conflict'],
  ['422', { status: 422, body: '' }, 1, '422 Unprocessable Entity'],
  ['429', { status: 429, body: '' }, 1, 'rate limited'],
  ['500', { status: 500, body: { errors: [{ detail: 'Boom' }] } }, 1, 'Boom'],
  ['502 as a page', { ...html, status: 502, body: page('Bad Gateway') }, 1, 'Bad Gateway'],
  ['a page in a success', { ...html, body: page('Sign in') }, 1, 'a web page titled "Sign in"'],
  ['nothing in a success', { body: '' }, 1, 'it is empty'],
  ['an envelope', { body: { data: [] } }, 1, 'expected a list, got an object'],
  ['a redirect', { status: 307, headers: { location: 'https://other.test/x' } }, 1, 'redirects to other.test'],
  ['a cut connection', { cut: true }, 1, 'the connection to'],
];

test.each(refusals)('a refusal gives a message on stderr and an exit code: %s', async (_, answer, exit, said) => {
  for (const line of [
    ['call', 'monitors.list'],
    ['monitors', 'list', '--json'],
  ])
    expect(await orgdeck({ [list]: answer }, ...line)).toMatchObject({
      exit,
      out: '',
      err: expect.stringContaining(said),
    });
});

describe('mute and unmute by the command line', () => {
  const end = (request: { body: string }): number => JSON.parse(request.body).end;

  test('the receipt is that of the dashboard', async () => {
    const muted = (answers: Answers) =>
      orgdeck({ [get]: { body: disk({}) }, ...answers }, 'monitors', 'mute', '4211', '--for', '1h');
    const fine = await muted({ [mute]: (request) => ({ body: disk({ '*': end(request) }) }) });
    expect(fine).toMatchObject({
      exit: 0,
      out: expect.stringMatching(new RegExp(`^${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC\\n$`)),
    });
    const ignored = await muted({ [mute]: { body: disk({ '*': null }) } });
    expect(ignored.out).toContain('Muted Disk forever: the service ignored the end');
    expect((await muted({ [mute]: { body: disk(null) } })).out).toContain('the answer does not show the mute');
    const lost = await muted({ [mute]: { status: 204 } });
    expect(lost).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('the answer is empty') });
    const refused = await muted({ [mute]: { status: 403, body: { errors: ['Forbidden'] } } });
    expect(refused).toMatchObject({ exit: 4, out: '' });
    expect(await muted({})).toMatchObject({ exit: 1, err: expect.stringContaining('offers no way to mute') });
  });

  test('a monitor that does not exist, or a response about another object', async () => {
    const line = ['monitors', 'mute', '4211', '--for', '1h'];
    const missing: Odd = { status: 404, body: { errors: ['Monitor not found'] } };
    expect(await orgdeck({ [get]: missing }, ...line)).toMatchObject({
      exit: 1,
      err: 'no monitor with ID 4211\n',
    });
    for (const body of [[], null, { errors: ['x'] }, { id: null }, 'text']) {
      const { exit, err, service } = await orgdeck({ [get]: { body } }, ...line);
      expect(exit).toBe(1);
      expect(err).not.toBe('');
      expect(service.asked(mute)).toHaveLength(0);
    }
  });

  test('on a deployment that offers only the unmute of the specification', async () => {
    const only: Answers = { [unmute]: { body: disk({ 'host:a': null }) } };
    const { exit, out, service } = await orgdeck(only, 'monitors', 'unmute', '4211');
    expect(exit).toBe(3);
    expect(out).toContain('STILL MUTED on host:a forever (another mute). Ended its mute on Disk');
    expect(service.asked(unmute)[0]?.url).toBe('/api/v1/monitor/4211/unmute');
    const all = await orgdeck({ [unmute]: { body: disk({}) } }, 'monitors', 'unmute', '4211', '--all');
    expect(all.out).toContain(receiptOf.unmute('Disk'));
    expect(all.service.asked(unmute)[0]?.url).toContain('all_scopes=true');
    const scope = await orgdeck(only, 'monitors', 'unmute', '4211', '--scope', 'host:b');
    expect(scope.service.asked(unmute)[0]?.url).toContain('scope=host%3Ab');
    const not = await orgdeck({}, 'monitors', 'unmute', '4211');
    expect(not).toMatchObject({ exit: 1, err: 'not found (404 Not Found)\n' });
  });
});
