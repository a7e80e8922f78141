import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints, findEndpoint } from '../../src/api/all-endpoints.ts';
import { buildCall } from '../../src/cli/call.ts';
import { endpointCommand } from '../../src/cli/endpoint-command.ts';
import { noonClock } from '../support/clock.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 40, issues: 30, clock: noonClock() });
const journal = () => readFileSync(join(machine.directory, 'journal.jsonl'), 'utf8');
const edits = () => simulator.received().filter((request) => request.method !== 'GET');

describe('orgdeck call', () => {
  test('lists each operation as an object, with what sends it', async () => {
    const { exit, out } = await orgdeck(['call', '--list', '--json']);
    const operations = JSON.parse(out).items;
    expect((await orgdeck(['call', '--list', '--profile', 'odd'])).err).toContain('no profile is called "odd"');
    expect([exit, operations.map(({ id }: { readonly id: string }) => id)]).toEqual([0, endpoints.map(({ id }) => id)]);
    expect(operations[0]).toEqual({
      id: 'issues.search',
      title: 'Search issues in a time range',
      method: 'POST',
      path: '/api/v2/error-tracking/issues/search',
      permission: ['error_tracking_read'],
      origin: 'spec',
      repeat: 'read',
      screens: ['home', 'issues', 'service'],
      usage: 'orgdeck call issues.search [--include VALUE] --body JSON|-|@FILE',
      deprecated: null,
    });
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
    const body = '{"data":{"type":"application_keys","attributes":{"name":"ops"}}}';
    const line = ['call', 'keys.create-own', '--body', body];
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

  test.each([
    'call monitors.mute --monitor_id 1 --body -',
    'integrations a create --tenant 6ba7b810 --client 6ba7b810 --secret -',
    'monitors mute - --for 1h',
  ])('sends nothing with letters that could not be read: %s', async (line) => {
    const pieces = async function* () {
      yield Buffer.from('{"name":"caf\xe9"}', 'latin1');
    };
    const refused = { exit: 2, out: '', err: expect.stringContaining('standard input is not UTF-8\n') };
    expect(await orgdeck(line.split(' '), { io: { pieces } })).toEqual(refused);
    expect(edits()).toEqual([]);
  });

  test('reads a secret to send from a variable, and says what is deprecated', async () => {
    const old = await orgdeck(['call', 'integrations.list-b-v1']);
    expect(old.err).toBe('integrations.list-b-v1 is deprecated: the v2 operations of provider_b replace it\n');
    await orgdeck(['call', 'api-keys.get-v1', '--key', 'env:OLD'], { env: { OLD: 'tiny-but-secret-0000' } });
    expect(simulator.received('GET', '/api/v1/api_key/tiny-but-secret-0000')).toHaveLength(1);
  });

  test('reports a refused key or permission with exit code 4', async () => {
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

  test('every operation has a command: no two options of one share a name', () => {
    for (const endpoint of endpoints) {
      const command = endpointCommand(endpoint, async () => {});
      const flags = command.options.map((option) => option.long);
      expect(new Set(flags).size).toBe(flags.length);
    }
  });

  test('a name that is repeated on the wire takes each text as it is', async () => {
    const rows = findEndpoint('tables.rows');
    const values = new Map([
      ['id', ['t1']],
      ['row_id', ['a,b', 'c']],
    ]);
    expect(rows && buildCall(rows, { values }, undefined, {})).toMatchObject({
      value: { query: { row_id: ['a,b', 'c'] } },
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
    const search = (count: number) => {
      const data = Array.from({ length: count }, (_, at) => ({ id: `i${at}`, type: 'error_tracking_search_result' }));
      simulator.refuses(200, { match: 'issues.search', body: { data } });
      const body = '{"data":{"type":"search_request","attributes":{"query":"*","from":0,"to":1,"persona":"ALL"}}}';
      return orgdeck(['call', 'issues.search', '--body', body]);
    };
    expect([(await search(99)).exit, (await search(100)).exit]).toEqual([0, 3]);
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
});
