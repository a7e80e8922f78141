import { execFileSync } from 'node:child_process';
import { isFound, startSshServer } from '../support/ssh-server.ts';
import { kinds } from './kinds.ts';
import { type Keys, measureKind } from './measure.ts';
import { demo, openDashboard, openProgram, type Program, settlesPaused, unpolled } from './measured-program.ts';
import { quantile } from './quantile.ts';

/** The dashboard with another program between it and the terminal. `sizes` is empty where that is not installed. */
export interface Way {
  readonly name: string;
  /** From a key to its echo by `cat` at the same place, milliseconds. */
  readonly echoP50: number;
  readonly echoP95: number;
  readonly sizes: readonly { readonly size: string; readonly keys: readonly Keys[] }[];
}

/** Starts programs behind the other one. */
interface Between {
  start(program: Program): Promise<Program>;
  close(): Promise<void> | void;
}

const sizes = [
  [80, 24],
  [120, 40],
] as const;
const echoes = 200;

/** A session of OpenSSH on loopback, with keys of its own. */
async function behindSsh(): Promise<Between> {
  const server = await startSshServer(['AcceptEnv *']);
  return {
    async start({ command, args, env = {}, ...program }) {
      const { args: host } = await server.link({ env: { LANG: 'C.UTF-8', ...env } });
      return { ...program, command: 'ssh', args: ['-tt', ...host, 'exec', command, ...args] };
    },
    close: server.close,
  };
}

/** A server of tmux with its own defaults, but for the status line, which has a clock. */
function behindTmux(): Between {
  const socket = `orgdeck-bench-${process.pid}`;
  return {
    async start({ command, args, ...program }) {
      const settings = ['-L', socket, '-f', '/dev/null', 'set', '-g', 'status', 'off', ';'];
      return { ...program, repeats: 'none', command: 'tmux', args: [...settings, 'new-session', command, ...args] };
    },
    close: () => void execFileSync('tmux', ['-L', socket, 'kill-server']),
  };
}

const ways = [
  { name: 'ssh', needs: ['ssh', 'sshd', 'ssh-keygen'], open: behindSsh },
  { name: 'tmux', needs: ['tmux'], open: behindTmux },
] as const;

/** Keys through an SSH session and inside tmux, where these are installed. */
export async function measureWays(home: string): Promise<Way[]> {
  const measured: Way[] = [];
  for (const { name, needs, open } of ways) {
    if (!needs.every(isFound)) {
      measured.push({ name, echoP50: 0, echoP95: 0, sizes: [] });
      continue;
    }
    const between = await open();
    const cat = openProgram(await between.start({ command: 'cat', args: [], columns: 80, rows: 24, quietMs: 10 }));
    await cat.pty.settles(1000);
    const ms: number[] = [];
    for (let key = 0; key < echoes; key += 1) ms.push((await cat.press('x')).ms);
    const all: Way['sizes'][number][] = [];
    for (const size of sizes) {
      const program = await openDashboard(size, home, 60, { ...unpolled(demo), behind: between.start });
      await settlesPaused(program);
      const keys: Keys[] = [];
      for (const kind of kinds) keys.push(await measureKind(program, kind));
      all.push({ size: size.join('x'), keys });
      await program.close();
    }
    await cat.close();
    await between.close();
    measured.push({ name, echoP50: quantile(ms, 0.5), echoP95: quantile(ms, 0.95), sizes: all });
  }
  return measured;
}
