import { execFile, spawn } from 'node:child_process';
import { endGroup, errorCode } from '../lib/private-file.ts';
import { splitCommand } from '../lib/setting-values.ts';
import { linkableUrl } from './sequences.ts';

/** How a program ended. */
interface ProgramEnd {
  readonly ok: boolean;
  /** `ended with exit code 3`, for the end of a sentence. */
  readonly says: string;
  /** What it printed, errors included; empty where that was not asked for. */
  readonly printed: string;
  /** Whether the program printed more than is kept. */
  readonly isCut: boolean;
  /** The end of what it wrote as errors, to say why it failed. */
  readonly errors: string;
}

/** Bytes of its output that are kept; what follows is read and dropped, so that the program can go on. */
export const mostPrinted = 256 * 1024;
/** Bytes that are kept of the end of its errors. */
const lastErrors = 4096;
/** Milliseconds that a program that was told to end has for it. */
const patienceMs = 2000;
/** A child of the program may hold its output open: after the program's end we read on for so long, in milliseconds. */
const drainMs = 200;

/**
 * Runs a program without a shell, beside the dashboard: it has no keyboard and no terminal, in a session of its own, and gets
 * nothing of `env` but what is given. `signal` ends it with all that it started, and so does our own exit.
 */
export function runProgram(
  [program = '', ...args]: readonly string[],
  how: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
    readonly keepsOutput: boolean;
    readonly process: Pick<NodeJS.Process, 'once' | 'off' | 'kill'>;
  },
): Promise<ProgramEnd> {
  const chunks: Buffer[] = [];
  const printed = { length: 0, isCut: false };
  const errors = { end: Buffer.alloc(0) };
  const ended = (ok: boolean, says: string): ProgramEnd => ({
    ok,
    says,
    printed: Buffer.concat(chunks).toString('utf8'),
    isCut: printed.isCut,
    errors: errors.end.toString('utf8'),
  });
  const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
  const output = how.keepsOutput ? 'pipe' : 'ignore';
  let child: ReturnType<typeof spawn>;
  try {
    child = spawn(program, args, {
      env: { ...how.env },
      shell: false,
      detached: true,
      stdio: ['ignore', output, 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    return Promise.resolve(ended(false, `could not be started: ${startFailure(error)}`));
  }
  const kill = (signal: NodeJS.Signals) => {
    // The whole session that it leads, while it lives: afterward its number may be another's.
    if (child.exitCode === null && child.signalCode === null) endGroup(child, signal, how.process.kill);
  };
  const timers: NodeJS.Timeout[] = [];
  const stop = () => {
    kill('SIGTERM');
    timers.push(setTimeout(() => kill('SIGKILL'), patienceMs));
  };
  const leave = () => kill('SIGTERM');
  how.process.once('exit', leave);
  how.signal.addEventListener('abort', stop, { once: true });
  if (how.signal.aborted) stop();
  const settle = (end: ProgramEnd) => {
    how.process.off('exit', leave);
    how.signal.removeEventListener('abort', stop);
    for (const timer of timers) clearTimeout(timer);
    child.stdout?.destroy();
    child.stderr?.destroy();
    resolve(end);
  };
  const keep = (chunk: Buffer) => {
    const room = mostPrinted - printed.length;
    if (chunk.length > room) printed.isCut = true;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    printed.length += Math.min(room, chunk.length);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', (chunk: Buffer) => {
    errors.end = Buffer.concat([errors.end, chunk]).subarray(-lastErrors);
    if (how.keepsOutput) keep(chunk);
  });
  child.once('error', (error) => settle(ended(false, `could not be started: ${startFailure(error)}`)));
  const describeExit = (code: number | null, signal: NodeJS.Signals | null) => {
    if (how.signal.aborted) return ended(false, 'was canceled');
    return ended(code === 0, code === 0 ? 'has ended' : `ended with ${signal ?? `exit code ${code}`}`);
  };
  child.once('exit', (code, signal) => timers.push(setTimeout(() => settle(describeExit(code, signal)), drainMs)));
  child.once('close', (code, signal) => settle(describeExit(code, signal)));
  return promise;
}

function startFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const why: Record<string, string> = {
    ENOENT: 'there is no such program: check its name and PATH',
    EACCES: 'you may not run it',
    E2BIG: 'its arguments are too long',
    ERR_INVALID_ARG_VALUE: 'an argument has a NUL character',
  };
  return why[code ?? ''] ?? code ?? message;
}

/**
 * Opens an address with a program (`$BROWSER`), `%s` in it standing for the address, which else comes last. No shell reads it, and the
 * program goes on when we end. Undefined once it runs, else why it does not.
 */
export function openLink(
  address: string,
  browser: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const url = linkableUrl(address);
  const [program, ...given] = splitCommand(browser) ?? [];
  if (url === undefined) return Promise.resolve('only http and https addresses without a password are opened');
  if (!program) return Promise.resolve('BROWSER names no program');
  const hasPlace = given.some((part) => part.includes('%s'));
  const args = hasPlace ? given.map((part) => part.replaceAll('%s', () => url)) : [...given, url];
  const failed = (error: unknown) => `${program} of BROWSER does not start: ${errorCode(error)}`;
  // Some failures are thrown (ENOTDIR), others come as events.
  return new Promise<string | undefined>((settle) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false, env: { ...env } });
    child.once('error', (error) => settle(failed(error)));
    child.once('spawn', () => {
      child.unref();
      settle(undefined);
    });
  }).catch(failed);
}

/** The options of tmux that matter to the dashboard. */
const tmuxOptionNames = ['set-clipboard', 'allow-passthrough', 'escape-time', 'default-terminal'] as const;

/** Values of the global options; one that this tmux does not know is absent. */
export type TmuxOptions = Readonly<Partial<Record<(typeof tmuxOptionNames)[number], string>>>;

const tmuxPatienceMs = 2000;

/** Asks the tmux that we are in; undefined where it does not answer. No shell, and only the variables that tmux needs. */
export async function readTmuxOptions(
  env: Readonly<Record<string, string | undefined>>,
): Promise<TmuxOptions | undefined> {
  const { PATH, HOME, TMUX, TMUX_TMPDIR, TERM, LANG, LC_ALL } = env;
  const only = { PATH, HOME, TMUX, TMUX_TMPDIR, TERM, LANG, LC_ALL };
  const read = (name: string): Promise<readonly [string, string] | undefined> =>
    new Promise((settle) => {
      execFile('tmux', ['show-options', '-gv', name], { env: only, timeout: tmuxPatienceMs }, (error, said) =>
        settle(error ? undefined : [name, said.trim()]),
      );
    });
  const found = (await Promise.all(tmuxOptionNames.map(read))).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
