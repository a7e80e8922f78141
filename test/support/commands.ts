import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPorts } from '../../src/cli/command-ports.ts';
import type { Io } from '../../src/cli/io.ts';
import { type Elsewhere, run } from '../../src/cli/program.ts';
import { noonClock } from './clock.ts';
import { keyWatch } from './key-watch.ts';

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
  remove(): void;
}

export interface More {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly types?: readonly string[];
  readonly terminal?: boolean;
  readonly elsewhere?: Partial<Elsewhere>;
  readonly io?: Partial<Io>;
}

/** A new machine without profiles. */
export function createMachine(): Machine {
  const directory = mkdtempSync(join(tmpdir(), 'orgdeck-machine-'));
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
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
