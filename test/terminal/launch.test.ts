import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  ['', 'HOME is empty, so'],
  ['work/here', 'HOME is "work/here", which does not begin with /, so'],
])('HOME=%s is refused, and nothing is written into the current folder', (HOME, says) => {
  const folder = temporaryFolder();
  const ran = spawnSync(process.execPath, [resolve(PROGRAM), 'info'], {
    cwd: folder,
    env: { HOME },
    encoding: 'utf8',
  });
  expect({ status: ran.status, err: ran.stderr }).toEqual({
    status: 78,
    err: expect.stringContaining(says),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a Node that is too old is told what to do, in one sentence', () => {
  const old = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } }); require(process.argv[1])`;
  const ran = spawnSync(process.execPath, ['-e', old, resolve(PROGRAM)], { encoding: 'utf8' });
  expect({ status: ran.status, out: ran.stdout, err: ran.stderr }).toEqual({
    status: 1,
    out: '',
    err: 'orgdeck needs Node 22.19 or newer, this is 20.20.2: install a newer Node, or take the archive that brings its own; in a checkout, npm start uses its own.\n',
  });
});

test('SIGUSR1 opens no inspector', async () => {
  const home = temporaryFolder();
  // Port 0, so that an inspector of somebody else is in nobody's way.
  const env = { HOME: home, PATH: process.env.PATH, NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };
  const child = spawn(process.execPath, [PROGRAM, 'simulator'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err] = [gathered(child.stdout), gathered(child.stderr)];
  await expect.poll(out, { timeout: 10_000 }).toContain('base URL');
  const listening = listeningOf(child.pid);
  for (let times = 0; times < 3; times++) child.kill('SIGUSR1');
  await new Promise((go) => setTimeout(go, 500));
  expect(err()).toBe('');
  expect(listeningOf(child.pid)).toEqual(listening);
  child.kill('SIGTERM');
  const code = await new Promise((ended) => child.once('exit', ended));
  expect({ code, err: err() }).toEqual({ code: 0, err: '' });
});

/** What a stream has said so far. */
function gathered(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

/** The sockets on which a process listens, by their inodes. Linux; none elsewhere. */
function listeningOf(pid: number | undefined): string[] {
  if (process.platform !== 'linux') return [];
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const inodes = rows.filter((row) => row[3] === '0A').map((row) => `socket:[${row[9]}]`);
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return inodes.filter((inode) => open.includes(inode));
}
