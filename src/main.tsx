import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { createPorts } from './cli/command-ports.ts';
import { complain, crashed, exits, type Io } from './cli/io.ts';
import { machineZone } from './cli/machine-zone.ts';
import { run } from './cli/program.ts';
import { paint } from './lib/paint.ts';
import { writeErrorText } from './lib/private-file.ts';
import { setMachineZone, systemClock } from './lib/time.ts';
import { present } from './lib/values.ts';
import { limitMemory } from './start/heap-flags.ts';
import type { Keep } from './start/run-bundle.ts';
import { startWatcher } from './terminal/watcher.ts';

/** Handed over by `runBundle`. */
declare const keepCompiledCode: Keep;

/**
 * The start: the only place where the process itself is touched outside the dashboard. Ends by itself when nothing
 * is left to do, so that everything written arrives; a reader that went away (`| head`) is no error, and ends a read.
 */
async function main(): Promise<void> {
  const { env, stdin, stdout, stderr } = process;
  // What nobody hears changes nothing.
  stderr.on('error', () => {});
  const lost: { exit?: number } = {};
  const ctrlC = { came: false };
  const interrupted = () => {
    ctrlC.came = true;
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A terminal that has hung up has no size: its signal ends the program, which first keeps what was typed.
    if (error.syscall === 'getWindowSize') return;
    const isReaderGone = error.code === 'EPIPE';
    if (lost.exit === undefined && !isReaderGone) complain(ports.io, writeErrorText(error, 'the output'));
    lost.exit = isReaderGone ? exits.done : exits.failed;
    // An edit that has begun is ended, and the exit code is what became of it.
    if (!ports.hasEdited()) process.exit(lost.exit);
  });
  const prompt = (how: 'askMasked' | 'askLine') => async (title: string) =>
    (await import('./cli/ask-line.ts'))[how](
      stdin,
      stderr,
      paint(title),
      () => startWatcher(env.PATH, '', 2),
      interrupted,
    );
  const zone = machineZone(env.TZ);
  if (zone.isOfDate) setMachineZone(zone.name);
  const io: Io = {
    env,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    written: () => new Promise((done) => stdout.write('', (error) => done(!error && lost.exit === undefined))),
    pieces: () => stdin as AsyncIterable<Buffer>,
    ...(stdin.isTTY && stderr.isTTY
      ? {
          ask: prompt('askMasked'),
          answer: prompt('askLine'),
        }
      : {}),
    ...(stdin.isTTY && stdout.isTTY
      ? {
          async askTerminal() {
            const { askTerminal } = await import('./terminal/terminal-capabilities.ts');
            return askTerminal(process);
          },
        }
      : {}),
    isTerminal: { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    page: async (...shown) => (await import('./cli/output/print.ts')).pageThrough(...shown),
    pages: () => join(realpathSync(process.argv[1] ?? ''), '../../docs'),
    clock: systemClock,
    random: Math.random,
    zone: zone.name,
    ...present({ zoneTrouble: zone.trouble }),
  };
  // Whatever the umask says, the owner may read again what this program writes.
  process.umask(process.umask() & 0o077);
  const ports = createPorts(io);
  const crash = (error: unknown) => {
    crashed(ports.io, error);
    process.exit(exits.failed);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  const exit = await run(process.argv.slice(2), ports, {
    version,
    async dashboard(start) {
      // The dashboard has its own way out: the terminal is given back first.
      process.off('uncaughtException', crash);
      process.off('unhandledRejection', crash);
      const limits = limitMemory();
      const { openDashboard } = await import('./cli/dashboard.ts');
      return openDashboard(start, {
        drawn: limits.optimize,
        started() {
          void keepCompiledCode('dashboard', limits.unlimited);
          limits.started();
        },
      });
    },
    simulator: async (options, print) => (await import('./simulator/command.ts')).runSimulator(options, print),
  });
  await keepCompiledCode('command');
  process.exitCode = exit === exits.done ? (lost.exit ?? exit) : ctrlC.came ? exits.interrupted : exit;
}

/** Rejects where the program cannot start. */
export const started = main();
