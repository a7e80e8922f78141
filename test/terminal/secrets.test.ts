import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrgdeck, startProgram } from '../support/dashboard.ts';
import { apiKey } from '../support/keys.ts';
import { filesBelow, findLeaks, watchProcesses } from '../support/planted.ts';
import { receiptOf } from '../support/receipts.ts';
import { createSimulator, type Started } from '../support/simulator.ts';
import type { Pty } from '../support/terminal.ts';

/** A secret that no other text contains by chance. */
const made = (): string => `fake-new-${randomBytes(16).toString('hex')}`;
const service = createSimulator({ seed: 7, monitors: 3, issues: 3, lively: false, rate: 0 });
const written: [string, string][] = [];
/** Process ids of the program itself; its environment is its person's. */
const programs: number[] = [];
let there: Started;
let place = '';
let given = '';
beforeAll(async () => {
  service.org.accounts.a.clear();
  service.has('provider_a_account', { tenant_name: 'shop', client_id: 'c-1' });
  there = await service.start();
  // What the program may write, and what its person gives to the program.
  place = mkdtempSync(join(tmpdir(), 'orgdeck-secrets-'));
  given = mkdtempSync(join(tmpdir(), 'orgdeck-given-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(place, { recursive: true, force: true });
  rmSync(given, { recursive: true, force: true });
});

const machine = () => ({ HOME: place, TMPDIR: place, ORGDECK_CONFIG_DIR: place, TZ: 'UTC' });
const keys = () => ({ ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey });

/** A command of the built program; what it prints is kept for the search. */
async function orgdeck(argv: readonly string[], { env = keys(), stdin = '' }: { env?: object; stdin?: string } = {}) {
  const { child, ended } = startProgram(argv, { ...machine(), ...env }, stdin);
  programs.push(child.pid ?? 0);
  const ran = await ended();
  written.push([`the output of ${argv.join(' ')}`, ran.out], [`the errors of ${argv.join(' ')}`, ran.err]);
  return ran;
}

/** The built dashboard at 120x40; what it writes is kept for the search. */
async function dashboard(screen: string, env: object, use: (pty: Pty) => Promise<void>): Promise<void> {
  const where = 'ORGDECK_API_KEY' in env ? ['--base-url', there.url] : ['--profile', 'acme'];
  const pty = openOrgdeck([...where, '--screen', screen], {
    env: { ...machine(), ...env, EDITOR: `sh -c 'env > ${place}/environment-of-the-editor'` },
    columns: 120,
    rows: 40,
  });
  programs.push(pty.pid);
  try {
    await use(pty);
  } finally {
    written.push([`the terminal of ${screen}`, pty.outputSince(0)]);
    await pty.close();
  }
}

test('twelve secrets are in nothing that the program writes, and in no argument or environment of another process', {
  tags: ['long', 'faults'],
}, async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const other = service.keys.make({ name: 'from files' });
  const secrets: Record<string, string> = {
    'the API key of a variable': there.apiKey,
    'the application key of a variable': there.appKey,
    'the API key of a file': other.apiKey,
    'the application key of a command': other.appKey,
    'a client secret that is saved': made(),
    'a client secret whose edit has no answer': made(),
    'a client secret in a form that is killed': made(),
    'a client secret on standard input': made(),
    'the private key of a key file': privateKey.split('\n')[3] ?? '',
    'a wrong key that the service refuses': made(),
  };
  const processes = new Map<string, string>();
  const watched = watchProcesses(
    (pid) => programs.includes(pid),
    (place, text) => processes.set(place, text),
  );
  writeFileSync(join(given, 'api-key'), `${other.apiKey}\n`, { mode: 0o600 });
  writeFileSync(join(given, 'app-key'), `${other.appKey}\n`, { mode: 0o600 });
  const env = [{ key: 'B', title: 'environment', argv: ['env'] }];
  writeFileSync(join(place, 'config.json'), JSON.stringify({ version: 1, commands: env }), { mode: 0o600 });

  await dashboard('integrations', keys(), async (pty) => {
    await pty.sees('shop');
    pty.presses('B');
    await pty.sees('environment has ended');
    pty.presses('q');
    await pty.settles();
    for (const name of ['a client secret that is saved', 'a client secret whose edit has no answer']) {
      const isLost = name.includes('no answer');
      if (isLost) service.appliesThenFails(50, { status: 0, match: 'integrations.update-a' });
      pty.presses('e');
      await pty.sees('Client secret');
      for (let field = 0; field < 3; field += 1) pty.presses('\t');
      pty.presses(secrets[name] ?? '');
      pty.presses('\u0013');
      await pty.sees('Review changes');
      await wait(500);
      pty.presses('\r');
      await pty.sees('cannot be restored');
      await wait(500);
      pty.presses('y');
      await pty.sees(isLost ? /[Uu]nknown/ : receiptOf.save('shop'), { within: 60_000 });
    }
    service.recovers();
    for (const pressed of ['\u001B', '\u001B', '\u001B']) {
      pty.presses(pressed);
      await pty.settles(400);
    }
    // The service repeats what it was given, in a refusal and in its data.
    const known = ['the API key of a variable', 'the application key of a variable', 'a client secret that is saved'];
    const all = known.map((name) => secrets[name]).join(' ');
    service.refuses(400, { times: 1, match: 'integrations.list-a', body: { errors: [`wrong: ${all}`] } });
    service.has('provider_a_account', { tenant_name: `told ${there.appKey}`, client_id: `id-${there.apiKey}` });
    pty.presses('\u0012');
    await pty.settles(800);
    pty.presses('\u0012');
    await pty.sees('told');
    for (const pressed of ['!', '\u001B', 'H', 'c', '\u001B', 'Y', 'r', '\r']) {
      pty.presses(pressed);
      await pty.settles(300);
    }
    pty.presses('\u001B');
    await pty.settles(300);
    pty.presses('e');
    await pty.sees('Client secret');
    for (let field = 0; field < 3; field += 1) pty.presses('\t');
    pty.presses(secrets['a client secret in a form that is killed'] ?? '');
    await pty.sees('••••');
    await wait(1500);
    process.kill(pty.pid, 'SIGKILL');
    await pty.ends();
  });

  // The next start, with keys from a file and a command, through a masked prompt for neither.
  const added = await orgdeck([
    ...['profiles', 'add', 'acme', '--base-url', there.url],
    ...['--api-key-file', join(given, 'api-key'), '--app-key-command', `cat ${join(given, 'app-key')}`],
  ]);
  expect(added).toMatchObject({ exit: 0 });
  expect(await orgdeck(['profiles', 'test', 'acme'], { env: {} })).toMatchObject({ exit: 0 });
  await dashboard('keys', {}, async (pty) => {
    await pty.sees('Edits of an earlier run');
    pty.presses('\u001B');
    await pty.sees('API keys');
    await pty.settles(400);
    pty.presses(']]');
    await pty.sees('from files');
    pty.presses('n');
    await pty.sees('Name');
    pty.presses('edge\u0013');
    await pty.settles(700);
    pty.presses('\r');
    await pty.sees('Secret of edge');
    secrets['a new API key that is not revealed'] = apiKey(service, 'edge')?.secret ?? '';
    pty.presses('\u001B');
    await pty.sees('Not copied yet');
    await wait(400);
    pty.presses('\u001B');
    await pty.settles(400);
    pty.presses('Q');
    await pty.settles(800);
  });

  const account = {
    tenant_name: 'stdin',
    client_id: 'c-9',
    client_secret: secrets['a client secret on standard input'],
  };
  service.appliesThenFails(50, { status: 0, match: 'integrations.create-a' });
  const call = ['--base-url', there.url, 'call', 'integrations.create-a', '--body', '-'];
  expect(await orgdeck(call, { stdin: JSON.stringify(account) })).toMatchObject({ exit: 5 });
  service.recovers();
  const kept = join(given, 'new-key');
  const own = ['--base-url', there.url, 'call', 'api-keys.create', '--secret-file', kept, '--body', '-'];
  const body = { data: { type: 'api_keys', attributes: { name: 'by a script' } } };
  expect(await orgdeck(own, { stdin: JSON.stringify(body) })).toMatchObject({ exit: 0 });
  secrets['a new API key in a secret file'] = readFileSync(kept, 'utf8').trim();
  expect([statSync(kept).mode & 0o777, secrets['a new API key in a secret file']]).toEqual([
    0o600,
    apiKey(service, 'by a script')?.secret,
  ]);
  const keyFile = {
    type: 'service_account',
    project_id: 'p',
    client_email: 'a@p.test',
    client_id: '1',
    private_key: privateKey,
    private_key_id: 'k',
  };
  writeFileSync(join(given, 'account.json'), JSON.stringify(keyFile), { mode: 0o600 });
  await orgdeck(['--base-url', there.url, 'integrations', 'b-v1', 'create', '--file', join(given, 'account.json')]);
  expect(JSON.stringify(service.received('POST', 'provider_b').map((request) => request.body))).toContain(
    'PRIVATE KEY',
  );
  const wrong = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: secrets['a wrong key that the service refuses'] };
  expect(await orgdeck(['--base-url', there.url, 'monitors', 'list'], { env: wrong })).toMatchObject({ exit: 4 });
  await orgdeck(['doctor'], { env: {} });
  await orgdeck(['--base-url', there.url, 'journal', '--json']);

  watched.stop();
  expect([...processes].filter(([name]) => name.startsWith('the environment')).length).toBeGreaterThan(0);
  expect(Object.values(secrets).filter((secret) => secret.length < 20)).toEqual([]);
  expect(Object.keys(secrets)).toHaveLength(12);
  // The search finds what is there: the person's own file.
  expect(findLeaks(secrets, filesBelow(given)).map(({ secret }) => secret)).toContain('the API key of a file');
  expect(findLeaks(secrets, [...written, ...filesBelow(place), ...processes])).toEqual([]);
  expect(filesBelow(place).map(([name]) => name)).toEqual(expect.arrayContaining(['journal.jsonl']));
});
