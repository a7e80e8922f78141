import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { servedCommands } from '../support/served-commands.ts';

/** `keys-own rotate`: nothing leaves a person without a working key. */

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 0, issues: 0 });
const keysNamed = (name: string) =>
  [...simulator.org.applicationKeys.values()].filter((key) => key.name.startsWith(name)).map((key) => key.name);
const file = () => join(machine.directory, `secret-${Math.random().toString(36).slice(2)}`);
const rotate = (...more: string[]) => ['keys-own', 'rotate', 'name:night job', ...more];

beforeEach(async () => {
  await orgdeck(['keys-own', 'create', '--name', 'night job', '--scopes', 'monitors_read', '--secret-file', file()]);
});

test('a yes deletes the old key, and the new one gets its name and its scopes', async () => {
  const path = file();
  const heard = process.listeners('SIGINT');
  const { exit, out } = await orgdeck(rotate('--secret-file', path), { types: ['y'] });
  expect(process.listeners('SIGINT')).toEqual(heard);
  expect([exit, keysNamed('night job')]).toEqual([0, ['night job']]);
  const [key] = [...simulator.org.applicationKeys.values()].filter(({ name }) => name === 'night job');
  expect([key?.secret, key?.scopes]).toEqual([readFileSync(path, 'utf8').trim(), ['monitors_read']]);
  expect(out).toMatch(
    /^Created application key night job \(.*\nDeleted application key night job.*\nSaved night job \(was night job \(.*\)\)\n$/,
  );
});

test('without a yes, and after a command that fails, both keys stay', async () => {
  expect(await orgdeck(rotate('--secret-file', file()), { types: ['n'] })).toMatchObject({ exit: 3 });
  const failing = await orgdeck(rotate('--secret-file', file(), '--after', 'sh -c "echo no vault >&2; exit 7"'));
  expect(failing).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/^(?!.*no vault\s.*no vault)[^\n]*no vault\n.*stays beside the new one: sh ended with/s),
  });
  expect(keysNamed('night job')).toHaveLength(3);
});

test('nothing is sent without a place for the secret, or without anybody to say when the old key goes', async () => {
  const path = file();
  for (const line of [rotate('--yes'), rotate('--secret-file', path), rotate('--secret-file', path, '--after', '"x')])
    expect((await orgdeck(line)).exit, line.join(' ')).toBe(2);
  expect([keysNamed('night job'), existsSync(path)]).toEqual([['night job'], false]);
});

test('in production it asks before anything is sent, also with a command that says when the old key goes', async () => {
  await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']);
  const path = file();
  const inProduction = [...rotate('--secret-file', path, '--after', 'true'), '--profile', 'acme'];
  expect(await orgdeck(inProduction)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('rotate night job in production (acme)? No terminal to ask on: nothing was sent'),
  });
  expect([keysNamed('night job'), existsSync(path)]).toEqual([['night job'], false]);
  expect((await orgdeck(inProduction, { types: ['y'] })).exit).toBe(0);
});

test('where the create is refused or in doubt, or the secret is not written, the old key stays', async () => {
  simulator.refuses(403, { match: 'keys.create-own' });
  const path = file();
  const heard = process.listeners('SIGINT');
  expect((await orgdeck(rotate('--secret-file', path, '--yes'))).exit).toBe(4);
  expect(process.listeners('SIGINT')).toEqual(heard);
  expect([keysNamed('night job'), existsSync(path)]).toEqual([['night job'], false]);
  simulator.appliesThenFails(9, { match: 'keys.create-own', status: 0 });
  expect((await orgdeck(rotate('--secret-file', path, '--yes'))).exit).toBe(5);
  simulator.recovers();
  expect(keysNamed('night job')).toContain('night job');
  for (const more of [[], ['--json']]) {
    simulator.refuses(400, { match: 'keys.delete-own' });
    expect((await orgdeck(rotate('--secret-file', file(), '--yes', ...more))).exit, more.join()).toBe(3);
  }
});

test('the key of the profile itself stays, unless a command has taken over the new one', async () => {
  const { length } = keysNamed('this dashboard');
  const own = ['keys-own', 'rotate', 'name:this dashboard', '--secret-file'];
  expect(await orgdeck([...own, file(), '--yes'])).toMatchObject({
    exit: 3,
    err: expect.stringContaining('this profile uses it'),
  });
  expect(keysNamed('this dashboard')).toHaveLength(length + 1);
  expect(await orgdeck([...own, file(), '--after', 'true'])).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/^the new key keeps the name this dashboard \(.*\n$/),
  });
});

test('a dry run sends nothing, and as JSON prints one object with its requests', async () => {
  const { exit, out } = await orgdeck(rotate('--reveal', '--dry-run'));
  expect([exit, out]).toEqual([0, expect.stringMatching(/^POST .*\nDELETE /s)]);
  const json = JSON.parse((await orgdeck(rotate('--secret-file', file(), '--dry-run', '--json'))).out);
  expect(json.requests.map(({ method }: { readonly method: string }) => method)).toEqual(['POST', 'DELETE']);
  expect(keysNamed('night job')).toEqual(['night job']);
});

test('as JSON there is a receipt for each step, and the secret is in none', async () => {
  const path = file();
  const { out } = await orgdeck(rotate('--secret-file', path, '--yes', '--json'));
  const told = ({ action, secret }: { readonly action: string; readonly secret?: unknown }) => [action, secret];
  expect(JSON.parse(out).items.map(told)).toEqual([
    ['keys.create', { where: 'file', path }],
    ['keys.delete-own', undefined],
    ['keys.edit-own', undefined],
  ]);
  expect(out).not.toContain(readFileSync(path, 'utf8').trim());
});
