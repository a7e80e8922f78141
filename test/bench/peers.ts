import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kind, kinds } from './kinds.ts';
import { type Keys, measureKind } from './measure.ts';
import { openProgram } from './measured-program.ts';

/** Another full-screen program in the same run. `sizes` is empty where it is not installed. */
export interface Peer {
  readonly name: string;
  readonly sizes: readonly { readonly size: string; readonly keys: readonly Keys[] }[];
}

interface Installed {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly down: string;
  readonly up: string;
}

const project = fileURLToPath(new URL('../..', import.meta.url));
/** As a terminal sends them that was asked for its application keys: htop reads the others as keys that change a process. */
const [arrowDown, arrowUp] = ['\u001bOB', '\u001bOA'];
const programs: readonly Installed[] = [
  { name: 'htop', args: ['--readonly', '--delay=600'], down: arrowDown, up: arrowUp },
  { name: 'tig', args: [], down: 'j', up: 'k' },
  { name: 'mc', args: ['--nosubshell', project], down: arrowDown, up: arrowUp },
  { name: 'fzf', args: [], env: { FZF_DEFAULT_COMMAND: 'seq 100000' }, down: arrowUp, up: arrowDown },
];

const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

const sizes = [
  [80, 24],
  [120, 40],
] as const;

/** Moves of one row by every program that is installed. */
export async function measurePeers(): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const { name, args, env = {}, down, up } of programs) {
    const measured: Peer['sizes'][number][] = [];
    for (const [columns, rows] of isInstalled(name) ? sizes : []) {
      const program = openProgram({ command: name, args, env, columns, rows, quietMs: 40 });
      await program.pty.settles(1000);
      const move: Kind = { ...(kinds[0] as Kind), first: [down, down, down], there: [down], back: [up] };
      measured.push({ size: `${columns}x${rows}`, keys: [await measureKind(program, move)] });
      await program.close();
    }
    peers.push({ name, sizes: measured });
  }
  return peers;
}

/** Programs whose moves are ours to beat at 80x24, where no preview changes with the row. */
const rivals = ['htop', 'tig'];

/** What takes no more bytes for a move at 80x24 than the dashboard, which should take fewer than each. */
export function rivalsAhead(own: readonly Keys[], peers: readonly Peer[]): readonly string[] {
  const moved = own.find(({ kind }) => kind === kinds[0]?.what);
  return peers.flatMap(({ name, sizes }) => {
    const bytes = sizes.find(({ size }) => size === '80x24')?.keys[0]?.bytes ?? Infinity;
    return moved && rivals.includes(name) && bytes <= moved.bytes ? [name] : [];
  });
}
