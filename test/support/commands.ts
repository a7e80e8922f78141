import { beforeEach } from 'vitest';
import { createPorts } from '../../src/cli/command-ports.ts';
import type { Io } from '../../src/cli/io.ts';
import { type Elsewhere, run } from '../../src/cli/program.ts';
import { noonClock } from './clock.ts';
import { keyWatch } from './key-watch.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The result of a command: exit code and output. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** A directory, environment and typed input for running commands. */
export interface Machine {
  readonly directory: string;
  readonly env: Record<string, string>;
  /** Runs one command as a new process would, in this environment. */
  orgdeck(argv: readonly string[], more?: More): Promise<Ran>;
}

export interface More {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly types?: readonly string[];
  readonly terminal?: boolean;
  readonly elsewhere?: Partial<Elsewhere>;
  readonly io?: Partial<Io>;
}

/** A new machine without profiles; it goes when the test that asks for it has ended. */
export function createMachine(): Machine {
  const directory = temporaryFolder();
  const env: Record<string, string> = { ORGDECK_CONFIG_DIR: directory, PATH: process.env.PATH ?? '' };
  return {
    directory,
    env,
    async orgdeck(argv, more = {}) {
      const said = { out: '', err: '' };
      const typed = [...(more.types ?? [])];
      const ports = createPorts({
        env: { ...env, ...more.env },
        out: (text) => {
          said.out += text;
        },
        err: (text) => {
          said.err += text;
        },
        written: async () => true,
        pieces: async function* () {
          yield Buffer.from(more.stdin ?? '');
        },
        ...(more.types ? { ask: async () => typed.shift(), answer: async () => typed.shift() } : {}),
        isTerminal: { stdin: more.terminal === true, stdout: more.terminal === true },
        clock: noonClock(),
        random: Math.random,
        zone: 'UTC',
        ...more.io,
      });
      const nobody = () => Promise.reject(new Error('not expected here'));
      const exit = await run(argv, ports, {
        version: '1.2.3',
        dashboard: nobody,
        simulator: nobody,
        ...more.elsewhere,
      });
      for (const [stream, bytes] of Object.entries(said))
        keyWatch().sees(`${stream}put of orgdeck ${argv.join(' ')}`, bytes);
      return { exit, ...said };
    },
  };
}

/** The machine of each test of the file or the `describe` that calls it: a new one. */
export function machineOfEach(): Machine {
  const machine = {} as Machine;
  beforeEach(() => void Object.assign(machine, createMachine()));
  return machine;
}
