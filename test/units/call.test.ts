import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints, findEndpoint } from '../../src/api/all-endpoints.ts';
import { buildCall } from '../../src/cli/call.ts';
import { endpointCommand } from '../../src/cli/endpoint-command.ts';
import { noonClock } from '../support/clock.ts';
import type { More } from '../support/commands.ts';
import { receiptOf } from '../support/receipts.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 40, issues: 30, clock: noonClock() });
const journal = () => readFileSync(join(machine.directory, 'journal.jsonl'), 'utf8');
const edits = () => simulator.received().filter((request) => request.method !== 'GET');

describe('orgdeck call', () => {
  test('prints the response as JSON with exact ids', async () => {
    simulator.has('monitor', { id: 9007199254740993n, name: 'far \u001b[31mred\u202e \u009b2J' });
    const { exit, out, err } = await orgdeck(['call', 'monitors.get', '--monitor_id', '9007199254740993']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/"id": 9007199254740993,/);
    expect(JSON.parse(out).name).toBe('far \u001b[31mred\u202e \u009b2J');
    expect(out).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  test('accepts names in any spelling and position, and values that begin with a dash', async () => {
    const { exit } = await orgdeck([
      'call',
      'monitors.list',
      '--page-size=2',
      '--page',
      '0',
      '--group_states',
      'all',
      '--with_downtimes',
      'true',
    ]);
    expect(exit).toBe(0);
    expect(simulator.received('GET', '/api/v1/monitor')[0]?.query).toMatchObject({
      page_size: '2',
      page: '0',
      with_downtimes: 'true',
    });
    await orgdeck(['call', 'users.list', '--page[size]', '1', '--filter[status]', 'Active', '--filter', '-x']);
    expect(simulator.received('GET', '/api/v2/users')[0]?.query).toMatchObject({
      'page[size]': '1',
      'filter[status]': 'Active',
      filter: '-x',
    });
    await orgdeck(['call', 'archives.get', '--archive_id', '-Vx_h']);
    expect(simulator.received('GET', '/archives')[0]?.path).toContain('/-Vx_h');
  });

  test('journals edits before and after', async () => {
    const id = simulator.has('monitor', { name: 'web' });
    const { exit } = await orgdeck(['call', 'monitors.mute', '--monitor_id', id, '--body', '-'], {
      stdin: '{"scope":"host:a"}',
    });
    expect(exit).toBe(0);
    expect(edits()[0]?.body).toEqual({ scope: 'host:a' });
    const lines = journal()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        kind: 'intent',
        action: 'call',
        origin: there.url,
        call: { endpoint: 'monitors.mute', params: { monitor_id: id }, body: { scope: 'host:a' } },
      },
      { kind: 'outcome', outcome: { state: 'applied' } },
    ]);
    expect(journal()).not.toContain(there.appKey);
  });

  test('sends what answers a one-time secret only when the secret is kept or printed, and keeps it out of the journal', async () => {
    const secret = `${'ab'.repeat(18)}9f3c`;
    const answer = {
      data: { type: 'application_keys', id: 'k1', attributes: { name: 'ops', key: secret, last4: '9f3c' } },
    };
    simulator.refuses(201, { times: 2, match: 'keys.create-own', body: answer });
    const line = [
      'call',
      'keys.create-own',
      '--body',
      '{"data":{"type":"application_keys","attributes":{"name":"ops"}}}',
    ];
    const refused = await orgdeck(line);
    expect(refused).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('--secret-file FILE') });
    expect(simulator.received()).toEqual([]);
    const path = join(machine.directory, 'secret');
    writeFileSync(path, 'mine');
    expect(await orgdeck([...line, '--secret-file', path])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('exists already'),
    });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(simulator.received()).toEqual([]);
    const hidden = await orgdeck([...line, '--secret-file', `${path}2`]);
    expect(hidden.exit).toBe(0);
    expect(readFileSync(`${path}2`, 'utf8')).toBe(`${secret}\n`);
    expect(statSync(`${path}2`).mode & 0o777).toBe(0o600);
    expect(JSON.parse(hidden.out).data.attributes).toEqual({
      name: 'ops',
      key: '(hidden, ends in 9f3c)',
      last4: '9f3c',
    });
    expect(JSON.parse((await orgdeck([...line, '--reveal'])).out)).toEqual(answer);
    expect(journal()).not.toContain(secret);
    simulator.refuses(403, { match: 'keys.create-own', body: { errors: ['Forbidden'] } });
    expect((await orgdeck([...line, '--secret-file', `${path}3`])).exit).toBe(4);
    expect(existsSync(`${path}3`)).toBe(false);
  });

  test('reads a secret to send from standard input, not the command line', async () => {
    const onLine = await orgdeck([
      'call',
      'integrations.create-a',
      '--body',
      '{"client_secret":"tiny-but-secret-0000"}',
    ]);
    expect(onLine).toMatchObject({ exit: 2, err: expect.stringContaining('--body -') });
    const key = await orgdeck(['call', 'api-keys.get-v1', '--key', 'tiny-but-secret-0000']);
    expect(key).toMatchObject({ exit: 2, err: expect.stringContaining('--key env:VARIABLE') });
    for (const ran of [onLine, key]) expect(ran.err + ran.out).not.toContain('tiny-but-secret');
    expect(simulator.received()).toEqual([]);
    await orgdeck(['call', 'api-keys.get-v1', '--key', 'env:OLD'], { env: { OLD: 'tiny-but-secret-0000' } });
    expect(simulator.received('GET', '/api/v1/api_key/tiny-but-secret-0000')).toHaveLength(1);
  });

  test.each<[readonly string[], string]>([
    [['nope'], 'no operation is called "nope"'],
    [['monitors.nope'], 'there are monitors.list'],
    [['monitors.get'], '--monitor_id <value> missing: orgdeck call monitors.get --monitor_id VALUE'],
    [['monitor.get'], 'did you mean monitors.get?'],
    [['monitors.get', '--monitr_id', '4'], '(Did you mean --monitor_id?)'],
    [['monitors.get', '--monitor_id', '1', '4'], 'takes no argument: got "4"'],
    [['monitors.get', '--monitor_id', '--demo'], '--monitor_id needs a text, and --demo is a flag'],
    [['monitors.get', '--monitor_id'], "option '--monitor_id <value>' argument missing"],
    [['monitors.get', '--monitor_id', '1', '--monitor_id', '2'], 'once only'],
    [['monitors.get', '--monitor_id', '1', '--body', '{}'], "unknown option '--body'"],
    [['monitors.get', '--monitor_id', '..'], ''],
    [['monitors.create'], '--body <json> missing'],
    [['monitors.create', '--body', '{"name":'], 'the body is not JSON: line 1, column 9: a value is missing'],
    [
      ['monitors.create', '--body', '{\n  "é": 1,\n  "ü": fake-text\n}'],
      'the body is not JSON: line 3, column 8: a value is missing\n',
    ],
    [['monitors.create', '--body', '{} x'], 'the body is not JSON: line 1, column 4: the end of the text is missing\n'],
    [['monitors.create', '--body', `${'['.repeat(70)}${']'.repeat(70)}`], 'nested deeper than 64'],
    [['monitors.list', '--page_size', 'many'], '--page_size: is not a number\n'],
    [[], 'orgdeck call --list'],
  ])('%j gives a message and exit code 2', async (words, sentence) => {
    const { exit, out, err } = await orgdeck(['call', ...words]);
    expect(exit).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(sentence);
    expect(simulator.received()).toEqual([]);
  });

  test('reports a problem on stderr with exit code 1, a refused key or permission with 4', async () => {
    const missing = await orgdeck(['call', 'monitors.get', '--monitor_id', '1']);
    expect(missing).toMatchObject({ exit: 1, out: '' });
    expect(missing.err).toContain('Monitor not found');
    const id = simulator.has('monitor', { name: 'web' });
    const reader = await orgdeck(['call', 'monitors.mute', '--monitor_id', id, '--body', '{}'], {
      env: { ORGDECK_APP_KEY: there.readOnlyAppKey },
    });
    expect(reader.exit).toBe(4);
    expect(reader.err).toContain('monitors_write');
    expect((await orgdeck(['call', 'monitors.list'], { env: { ORGDECK_API_KEY: 'x'.repeat(32) } })).exit).toBe(4);
    expect(journal()).toContain('"refused"');
  });

  test('prints neither escape sequences nor keys that a service sends', async () => {
    simulator.refuses(400, { body: { errors: [`bad \u001b]0;x\u0007 ${there.appKey}`] } });
    const { err } = await orgdeck(['call', 'monitors.list']);
    expect(err).toContain('bad');
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(err).not.toContain(there.appKey);
  });

  test('a key that the service repeats in its data is not printed, and what stands for it is not sent', async () => {
    const packed = Buffer.from(`x:${there.appKey}`).toString('base64');
    const id = simulator.has('monitor', { name: `uses ${there.apiKey}`, message: `Authorization: Basic ${packed}` });
    for (const words of [
      ['call', 'monitors.get', '--monitor_id', id],
      ['monitors', 'get', id, '--json'],
      ['monitors', 'list', '--output', 'csv'],
    ]) {
      const { exit, out, err } = await orgdeck(words);
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      expect(out).toContain('uses [key redacted]');
      for (const key of [there.apiKey, there.appKey, packed]) expect(out).not.toContain(key);
    }
    const list = await orgdeck(['call', 'api-keys.list-v1', '--reveal']);
    expect(list.out).toContain(there.apiKey);
    const body = JSON.stringify({ message: 'Authorization: Basic [key redacted]' });
    const sent = await orgdeck(['call', 'monitors.update', '--monitor_id', id, '--body', body]);
    expect(sent).toMatchObject({ exit: 2, err: expect.stringContaining('[key redacted]') });
    expect(edits()).toEqual([]);
  });

  test('a line break of the service makes no line of its own on standard error', async () => {
    simulator.refuses(400, { body: { errors: ['no\nsudo: enter password:', '[sudo]\u2028password:'] } });
    const { err } = await orgdeck(['call', 'monitors.list']);
    expect(err).toContain('no sudo: enter password:');
    expect(
      err
        .trimEnd()
        .split('\n')
        .filter((line) => /^\W*(sudo|password)/.test(line)),
    ).toEqual([]);
    expect(err).not.toContain('\u2028');
  });

  test('sends no edit with --read-only', async () => {
    const { exit, err } = await orgdeck(['call', 'monitors.mute', '--read-only', '--monitor_id', '1', '--body', '{}']);
    expect(exit).toBe(1);
    expect(err).toContain('read-only');
    expect(simulator.received()).toEqual([]);
  });

  describe('in production', () => {
    const remove = (id: string, ...more: string[]) => ['call', 'monitors.delete', '--monitor_id', id, ...more];
    const inProduction = async (line: readonly string[], more: More = {}) => {
      await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']);
      const keys = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
      return machine.orgdeck(line, { ...more, env: keys });
    };

    test('an edit without a terminal needs --yes; a read does not', async () => {
      const id = simulator.has('monitor', { name: 'web' });
      const refused = await inProduction(remove(id));
      expect(refused).toMatchObject({ exit: 2, out: '' });
      expect(refused.err).toContain(`monitors.delete ${id} in production (acme)?`);
      expect(refused.err).toContain('--yes');
      expect(edits()).toEqual([]);
      expect((await inProduction(['call', 'monitors.get', '--monitor_id', id])).exit).toBe(0);
      expect((await inProduction(remove(id, '--yes'))).exit).toBe(0);
      expect(edits()).toHaveLength(1);
    });

    test('on a terminal a deletion wants the id typed, another edit a y', async () => {
      const id = simulator.has('monitor', { name: 'web' });
      const mute = ['call', 'monitors.mute', '--monitor_id', id, '--body', '{}'];
      expect(await inProduction(remove(id), { types: ['y'] })).toMatchObject({ exit: 1 });
      expect(await inProduction(mute, { types: [''] })).toMatchObject({ exit: 1 });
      expect(edits()).toEqual([]);
      expect(await inProduction(mute, { types: ['y'] })).toMatchObject({ exit: 0 });
      expect(await inProduction(remove(id), { types: [id] })).toMatchObject({ exit: 0 });
      expect(edits()).toHaveLength(2);
    });

    test('--dry-run prints the request without keys and secrets, and neither asks nor sends', async () => {
      const id = simulator.has('monitor', { name: 'web' });
      const ran = await inProduction([
        'call',
        'monitors.mute',
        '--dry-run',
        '--monitor_id',
        id,
        '--body',
        '{"scope":"host:a"}',
      ]);
      expect(ran).toEqual({
        exit: 0,
        err: '',
        out: `POST ${there.url}/api/v1/monitor/${id}/mute\n{\n  "scope": "host:a"\n}\n`,
      });
      const secret = await inProduction(['call', 'integrations.create-a', '--dry-run', '--body', '-'], {
        stdin: '{"client_secret":"tiny-but-secret-0000"}',
      });
      expect(secret.out).toContain('(hidden, ends in 0000)');
      expect(secret.out).not.toContain('tiny-but');
      expect(simulator.received()).toEqual([]);
    });
  });

  test('does not send an edit that cannot be journaled', async () => {
    writeFileSync(join(machine.directory, 'journal.jsonl'), '');
    chmodSync(join(machine.directory, 'journal.jsonl'), 0o644);
    const { exit, err } = await orgdeck(['call', 'monitors.mute', '--monitor_id', '1', '--body', '{}']);
    expect(exit).toBe(1);
    expect(err).toContain('chmod 600');
    expect(simulator.received()).toEqual([]);
  });

  test('lists every operation', async () => {
    const text = await machine.orgdeck(['call', '--list']);
    for (const endpoint of endpoints) expect(text.out).toContain(`${endpoint.id} `);
    const { items: json }: { items: { id: string; usage: string; screens: string[] }[] } = JSON.parse(
      (await machine.orgdeck(['call', '--list', '--json'])).out,
    );
    expect(json.map((entry) => entry.id)).toEqual(endpoints.map((endpoint) => endpoint.id));
    expect(text.out).toMatch(
      /keys\.delete-org +DELETE +addition +keys +org_app_keys_write +\/api\/v2\/application_keys/,
    );
    expect(json.find((entry) => entry.id === 'users.list')?.screens).toEqual(
      expect.arrayContaining(['issues', 'keys']),
    );
    expect(json.find((entry) => entry.id === 'monitors.mute-all')?.screens).toEqual([]);
    expect(json.find((entry) => entry.id === 'monitors.unmute')?.usage).toBe(
      'orgdeck call monitors.unmute --monitor_id VALUE [--scope VALUE] [--all_scopes VALUE]',
    );
  });

  test('every operation has a command: no two options of one share a name', () => {
    for (const endpoint of endpoints) {
      const command = endpointCommand(endpoint, async () => {});
      const flags = command.options.map((option) => option.long);
      expect(new Set(flags).size).toBe(flags.length);
    }
  });

  test('the help of an operation says what it takes, needs and answers', async () => {
    const { exit, out } = await machine.orgdeck(['call', 'users.list', '--help']);
    expect(exit).toBe(0);
    expect(out).toContain('Usage: orgdeck call users.list [--page[size] VALUE]');
    expect(out).toMatch(/--page\[size\] <value> +a number/);
    expect(out).toMatch(/--sort_dir <value> +known values: asc, desc/);
    expect(out).toMatch(/--filter\[status\] <value> +known values: Active, .*; repeatable/);
    expect(out).toContain('\nGET /api/v2/users\nNeeds: user_access_read. It only reads.\n');
    const edit = await machine.orgdeck(['call', 'monitors.mute', '--help']);
    expect(edit.out).toContain('\nPOST /api/v1/monitor/{monitor_id}/mute\nNeeds: monitors_write');
    expect(edit.out).toContain('. It edits.\n');
    expect(out).not.toContain('--reveal');
  });

  test('a list may be given again, and a name with dashes', async () => {
    await orgdeck(['call', 'monitors.can-delete', '--monitor-ids', '1', '--monitor_ids', '2,3']);
    expect(simulator.received('GET', '/can_delete')[0]?.query).toEqual({ monitor_ids: '1,2,3' });
    const rows = findEndpoint('tables.rows');
    const values = new Map([
      ['id', ['t1']],
      ['row_id', ['a,b', 'c']],
    ]);
    // A name that is repeated on the wire takes each text as it is.
    expect(rows && buildCall(rows, { values }, undefined, {})).toMatchObject({
      value: { query: { row_id: ['a,b', 'c'] } },
    });
  });

  test('a body can come from a file', async () => {
    const id = simulator.has('monitor', { name: 'web' });
    const path = join(machine.directory, 'body.json');
    writeFileSync(path, '{"scope":"host:f"}');
    expect((await orgdeck(['call', 'monitors.mute', '--monitor_id', id, '--body', `@${path}`])).exit).toBe(0);
    expect(edits()[0]?.body).toEqual({ scope: 'host:f' });
    expect(await orgdeck(['call', 'monitors.mute', '--monitor_id', id, '--body', '@/nowhere'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('there is no file /nowhere'),
    });
  });

  test('a 204 to the edit of a user is success, and the answer is what is read', async () => {
    const [id = ''] = simulator.org.users.keys();
    simulator.refuses(204, { match: 'users.update' });
    const body = JSON.stringify({ data: { id, type: 'users', attributes: { title: 'On call' } } });
    const ran = await orgdeck(['call', 'users.update', '--user_id', id, '--body', body]);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(ran.out).data).toMatchObject({ id, type: 'users' });
    expect(edits()).toHaveLength(1);
  });

  test('a page that is not everything says so and exits with 3; --paginate reads all', async () => {
    const all = simulator.org.users.size;
    const part = await orgdeck(['call', 'users.list']);
    expect(part).toMatchObject({
      exit: 3,
      err: `incomplete result: 10 of ${all}; --paginate reads all of them\n`,
    });
    expect(JSON.parse(part.out).partial).toContain(`10 of ${all}`);
    expect((await orgdeck(['call', 'users.list', '--page[number]', '0'])).exit).toBe(0);
    const whole = await orgdeck(['call', 'users.list', '--paginate', '--page[size]', '5']);
    expect(whole).toMatchObject({ exit: 0, err: '' });
    const answer = JSON.parse(whole.out);
    expect(answer.data).toHaveLength(all);
    expect(answer.partial).toBeUndefined();
    expect(await orgdeck(['call', 'users.list', '--paginate', '--page[number]', '1'])).toMatchObject({ exit: 2 });
    const walked = await orgdeck(['call', 'monitors.list', '--paginate', '--page_size', '7']);
    expect(JSON.parse(walked.out)).toHaveLength(simulator.org.monitors.size);
    expect(simulator.received('GET', '/api/v1/monitor').length).toBeGreaterThan(5);
  });

  test('a later page that fails leaves those before it, marked', async () => {
    const page = [1, 2].map((id) => ({ type: 'users', id: `u${id}`, attributes: { name: `Person ${id}` } }));
    simulator.refuses(200, { match: 'users.list', body: { data: page } });
    simulator.refuses(400, { match: 'users.list', body: { errors: ['out of order'] } });
    const ran = await orgdeck(['call', 'users.list', '--paginate', '--page[size]', '2']);
    expect(ran.exit).toBe(3);
    expect(JSON.parse(ran.out)).toMatchObject({
      data: page,
      partial: expect.stringContaining('page 2 was not read'),
    });
  });
});

describe('orgdeck monitors and issues', () => {
  test('lists as JSON and as lines', async () => {
    const json = await orgdeck(['monitors', 'list', '--json']);
    expect(json.exit).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({ version: 1, list: 'monitors', partial: null });
    expect(JSON.parse(json.out).items.length).toBeGreaterThanOrEqual(40);
    const lines = await orgdeck(['monitors', 'list', '--query', 'status:alert']);
    expect(lines.out.split('\n')[0]).toMatch(/^\d+\t[^\t]+\tAlert\t/);
    const issues = await orgdeck(['issues', 'list', '--json', '--range', '24h', '--states', 'resolved']);
    expect(issues.exit).toBe(0);
    for (const row of JSON.parse(issues.out).items) expect(row.state).toBe('RESOLVED');
    expect(await orgdeck(['issues', 'list', '--range', 'soon'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('"soon" is not a range'),
    });
    expect(await orgdeck(['issues', 'list', '--states', 'angry'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('angry'),
    });
  });

  test('a list that is not whole says so, with an exit code of its own', async () => {
    const whole = { id: 7, name: 'web', type: 'metric alert', query: 'x', overall_state: 'OK' };
    simulator.refuses(200, { match: 'monitors.list', body: [whole, 5] });
    const ran = await orgdeck(['monitors', 'list', '--json']);
    expect(ran.exit).toBe(3);
    const { items, partial } = JSON.parse(ran.out);
    expect(partial).toEqual([expect.stringContaining('could not be read: [1]')]);
    expect(items.map(({ name }: { name: string }) => name)).toContain('web');
    expect(ran.err).toContain('could not be read: [1]');
    expect(ran.err).toContain('incomplete result');
  });

  test('mutes and unmutes with the receipts of the dashboard, and journals the undo', async () => {
    const id = simulator.has('monitor', { name: 'web-1 is slow' });
    const muted = await orgdeck(['monitors', 'mute', id, '--for', '1h', '--scope', 'host:web-1']);
    expect(muted.err).toBe('');
    expect(muted).toMatchObject({
      exit: 0,
      out: expect.stringMatching(new RegExp(`^${receiptOf.mute('host:web-1 of web-1 is slow')} \\d\\d:\\d\\d`)),
    });
    expect(journal()).toContain('"kind":"undo"');
    const unmuted = await orgdeck(['monitors', 'unmute', id, '--scope', 'host:web-1']);
    expect(unmuted).toMatchObject({
      exit: 0,
      out: expect.stringContaining(receiptOf.unmute('host:web-1 of web-1 is slow')),
    });
    const again = await orgdeck(['monitors', 'unmute', id, '--all']);
    expect(again).toMatchObject({ exit: 0, out: 'web-1 is slow: not muted\n', err: '' });
  });

  test.each<[readonly string[], number, string]>([
    [['mute', '1', '--for', 'yesterday'], 2, '--for: '],
    [['mute', '1', '--for', '-5m'], 2, '--for: '],
    [['mute', '1'], 2, '--for: nothing typed'],
    [['mute', '--for', '1h'], 2, "missing required argument 'ids'"],
    [['unmute', '1', '--all', '--scope', 'x'], 2, 'give only one of'],
    [['mute', '1', '--for', '1h', '--read-only'], 1, 'read-only'],
    [['mute', '1', '--for', '1h', '--sope', 'x'], 2, "unknown option '--sope'"],
  ])('%j gives a message and sends no edit', async (words, exit, sentence) => {
    const ran = await orgdeck(['monitors', ...words]);
    expect(ran.exit).toBe(exit);
    expect(ran.err).toContain(sentence);
    expect(edits()).toEqual([]);
  });
});
