import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { descendantsOf } from './aftermath.ts';

/** OpenSSH's server on this machine, with keys and a configuration of its own. Nothing of the account's own ssh is used. */
export interface SshServer {
  /** A connection of its own, which `cut` ends as a network does that goes away. */
  link(how?: {
    readonly env?: Readonly<Record<string, string>>;
    readonly options?: readonly string[];
  }): Promise<SshLink>;
  /** All processes behind the server: sessions, and what runs in them. */
  processes(): readonly number[];
  close(): Promise<void>;
}

export interface SshLink {
  /** Arguments of `ssh` up to the host; a command may follow. */
  readonly args: readonly string[];
  cut(): void;
}

/** Where OpenSSH's server is looked for besides the PATH: Debian has it out of the way of ordinary accounts. */
const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const found = (program: string): string | undefined =>
  places.map((place) => join(place, program)).find((path) => existsSync(path));

/** Whether a program is installed here. */
export const isFound = (program: string): boolean => found(program) !== undefined;

/** Says in one line why tests cannot run here, and whether they cannot. */
export function isMissing(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => !isFound(program));
  if (missing.length === 0) return false;
  process.stderr.write(`NOT TESTED: ${missing.join(' and ')} cannot be found; apt-get install openssh-server tmux\n`);
  return true;
}

/** Starts a server on 127.0.0.1; `more` are further lines of its sshd_config. */
export async function startSshServer(more: readonly string[] = []): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdeck-ssh-'));
  const file = (name: string) => join(folder, name);
  for (const name of ['host', 'person'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file(name)]);
  writeFileSync(file('authorized'), readFileSync(file('person.pub')), { mode: 0o600 });
  // A server of the system's administrator parts its privileges here.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
    'PidFile none',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'StrictModes no',
    'PrintMotd no',
    'PrintLastLog no',
    'LogLevel ERROR',
    ...more,
  ];
  writeFileSync(file('config'), `${config.join('\n')}\n`);
  const server = spawn(found('sshd') as string, ['-D', '-e', '-f', file('config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  server.stderr.on('data', (chunk) => said.push(String(chunk)));
  const ended = new Promise((settle) => server.once('exit', settle));
  const wires: Server[] = [];
  for (let tries = 0; !(await greets(port)); tries += 1) {
    if (tries > 100 || server.exitCode !== null) throw new Error(`sshd does not answer: ${said.join('')}`);
    await new Promise((go) => setTimeout(go, 50));
  }

  return {
    async link({ env = {}, options = [] } = {}) {
      const open = new Set<Socket>();
      const wire = createServer((near) => {
        const far = connect(port, '127.0.0.1');
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          open.add(one);
          one.on('error', () => other.destroy()).on('close', () => other.destroy());
          one.pipe(other);
        }
      });
      wires.push(wire);
      await new Promise<void>((ready) => wire.listen(0, '127.0.0.1', ready));
      const at = (wire.address() as AddressInfo).port;
      writeFileSync(file(`known-${at}`), `[127.0.0.1]:${at} ${readFileSync(file('host.pub'), 'utf8')}`);
      const sent = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      return {
        args: [
          ...['-F', 'none', '-i', file('person'), '-p', String(at), '-o', `UserKnownHostsFile=${file(`known-${at}`)}`],
          ...['-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none', '-o', 'LogLevel=ERROR', '-o', 'BatchMode=yes'],
          ...(sent.length === 0 ? [] : ['-o', `SetEnv=${sent.join(' ')}`]),
          ...options,
          `${userInfo().username}@127.0.0.1`,
        ],
        cut() {
          for (const socket of open) socket.resetAndDestroy();
        },
      };
    },
    processes: () => descendantsOf(server.pid as number),
    async close() {
      for (const wire of wires) wire.close();
      // What a failed test has left in its sessions.
      for (const pid of descendantsOf(server.pid as number)) ends(pid);
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ends(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((ready) => probe.listen(0, '127.0.0.1', ready));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** Whether a server says its version at this port. */
function greets(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean) => {
      socket.destroy();
      settle(is);
    };
    socket.once('data', (chunk) => end(String(chunk).startsWith('SSH-')));
    socket.once('error', () => end(false));
  });
}
