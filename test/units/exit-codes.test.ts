import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { currentRun } from '../../src/lib/private-file.ts';
import { root } from '../laws/sources.ts';
import { hasDisk } from '../support/monitors.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 3, issues: 0 });

const file = () => join(machine.directory, 'rows.csv');
const mute = 'monitors mute ID --for 1h';
const upload = 'tables upload FILE --name rows --dry-run';

/** A command for each code that docs/environment.md names for commands, by what it does; what is done before, where something is. */
const table: readonly [code: number, what: string, line: string, before?: (id: string) => unknown][] = [
  [0, 'an edit that is done', mute],
  [0, 'one that is so already', 'monitors unmute ID'],
  [0, 'a plan', `${mute} --dry-run`],
  [0, 'a plan of an upload, of a profile that only reads', `${upload} --read-only`],
  [1, 'a plan of a file that no table takes', upload, () => writeFileSync(file(), 'id\na\na\n')],
  [1, 'a refusal of the service', mute, () => simulator.refuses(400, { match: 'monitors.mute' })],
  [1, 'an id that does not exist', 'monitors get 1'],
  [2, 'a length that is none', 'monitors mute ID --for soon'],
  [2, 'an id apart from the others', `${mute} web`],
  [2, 'a flag that is none', 'monitors list --colour'],
  [2, 'a kind that is none', 'monitors create --kind odd'],
  [2, 'a plan of the dashboard', '--dry-run'],
  [
    3,
    'a mute that others have left',
    'monitors unmute ID',
    (id) => {
      const end = Math.floor(simulator.now() / 1000) + 3600;
      simulator.has('downtime', { monitor_tags: ['team:core'], scope: ['*'], end });
      return orgdeck(['monitors', 'mute', id, '--for', '1h', '--scope', 'host:web-1']);
    },
  ],
  [3, 'a plan of some of several rows', 'monitors mute ID 1 --for 1h --keep-going --dry-run'],
  [3, 'some of several rows', 'monitors mute ID 1 --for 1h --keep-going'],
  [4, 'keys that are refused', 'monitors list', () => simulator.refuses(401, { times: 9 })],
  [4, 'a permission that is missing', mute, () => simulator.refuses(403, { match: 'monitors.mute' })],
  [
    5,
    'an edit in doubt',
    'roles create --name doubtful',
    () => simulator.refuses(504, { match: 'roles.create', body: {} }),
  ],
];

test('a dry run discards no upload, and what has no receipt takes no --json', async () => {
  const note = join(machine.directory, `upload-${'0'.repeat(36)}.json`);
  const table = { name: 'rows', key: 'id', types: {}, tags: [] };
  const file = { path: '/rows.csv', size: 3, modified: '1', inode: '1:2' };
  const record = {
    version: 1,
    run: { ...currentRun(), pid: 2 ** 30 },
    origin: there.url,
    table,
    file,
    upload: 'u',
    parts: [false],
    phase: 'sending',
  };
  writeFileSync(note, JSON.stringify({ ...record, expires: 1 }), { mode: 0o600 });
  const abandon = ['tables', 'resume', '--abandon'];
  expect((await orgdeck([...abandon, '--json'])).exit).toBe(2);
  expect(await orgdeck([...abandon, '--dry-run'])).toEqual({ exit: 0, out: '', err: 'nothing was discarded\n' });
  expect(existsSync(note)).toBe(true);
  expect((await orgdeck(abandon)).exit).toBe(0);
  expect(existsSync(note)).toBe(false);
});

test.each(table)('%i: %s', async (code, _, line, before) => {
  const id = hasDisk(simulator);
  writeFileSync(file(), 'id\na\n');
  await before?.(id);
  const { exit, out, err } = await orgdeck(line.replace('ID', id).replace('FILE', file()).split(' '));
  expect(exit, `${out}${err}`).toBe(code);
  if (code === 0 && !line.includes('--dry-run')) expect(err).toBe('');
  // What is not done says why: what is left, where the rest was done.
  else expect(code === 3 ? out + err : err).not.toBe('');
  const page = readFileSync(join(root, 'docs/environment.md'), 'utf8');
  expect(page).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
});

test('on a terminal the line of an upload is cleared before its end is told', async () => {
  writeFileSync(file(), 'id\na\n');
  const isTerminal = { stdin: false, stdout: false, stderr: true };
  const { err } = await orgdeck(upload.replace('FILE', file()).split(' '), { io: { isTerminal } });
  expect(err).toMatch(/done\r\u001b\[Knothing was sent[^\r\n]*\n$/);
});
