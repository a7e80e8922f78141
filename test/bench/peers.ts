import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kind, kinds } from './kinds.ts';
import { type Keys, measureKind } from './measure.ts';
import { openProgram } from './measured-program.ts';

/** Another full-screen program in the same run. `keys` is empty where it is not installed. */
export interface Peer {
  readonly name: string;
  readonly keys: readonly Keys[];
}

interface Installed {
  readonly name: string;
  readonly args: readonly string[];
  readonly down: string;
  readonly up: string;
}

const project = fileURLToPath(new URL('../..', import.meta.url));
const [arrowDown, arrowUp] = ['\u001b[B', '\u001b[A'];
const programs: readonly Installed[] = [
  { name: 'htop', args: ['--delay=600'], down: arrowDown, up: arrowUp },
  { name: 'tig', args: [], down: 'j', up: 'k' },
  { name: 'mc', args: ['--nosubshell', project], down: arrowDown, up: arrowUp },
  { name: 'fzf', args: ['--walker-root', project], down: arrowUp, up: arrowDown },
];

const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Moves of one row by every program that is installed. */
export async function measurePeers([columns, rows]: readonly [number, number]): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const { name, args, down, up } of programs) {
    if (!isInstalled(name)) {
      peers.push({ name, keys: [] });
      continue;
    }
    const program = openProgram({ command: name, args, columns, rows, quietMs: 40 });
    await program.pty.settles(1000);
    const move: Kind = { ...(kinds[0] as Kind), first: [down, down, down], there: [down], back: [up] };
    peers.push({ name, keys: [await measureKind(program, move)] });
    await program.close();
  }
  return peers;
}
