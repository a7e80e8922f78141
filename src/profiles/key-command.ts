import { spawn } from 'node:child_process';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { endGroup } from '../lib/private-file.ts';
import { splitCommand } from '../lib/setting-values.ts';
import { type KeyName, keyTitles, readKey } from './profile.ts';

/** Limits of a program that prints a key (docs/design/reliability.md#timeouts). */
const commandLimits = { bytes: 64 * 1024, ms: 30_000 } as const;
const endings = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Runs a program without a shell, in a session of its own, and takes what it prints as a key. Where it is not done within the
 * limits, or this process ends before, all that it has started ends, too. Its arguments and what it prints on stderr may
 * hold secrets, so a sentence names the program alone.
 */
export function readCommand(
  argv: readonly string[],
  key: KeyName,
  env: NodeJS.ProcessEnv,
  limits: { readonly bytes: number; readonly ms: number } = commandLimits,
): Promise<ParseResult<string>> {
  const [program = '', ...rest] = argv;
  const subject = `the command for the ${keyTitles[key]} (${program})`;
  return new Promise((settle) => {
    const child = spawn(program, rest, {
      env,
      shell: false,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const stop = () => endGroup(child, 'SIGKILL');
    // Ctrl-C of the terminal does not reach another session.
    const interrupted = (signal: NodeJS.Signals) => {
      stop();
      release();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    const release = () => {
      process.off('exit', stop);
      for (const signal of endings) process.off(signal, interrupted);
    };
    process.once('exit', stop);
    for (const signal of endings) process.once(signal, interrupted);
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (reading: ParseResult<string>) => {
      clearTimeout(timer);
      release();
      // A grandchild in another session may still hold the pipe: let go of it, so that it cannot hold us.
      child.stdout.destroy();
      settle(reading);
    };
    const tooMuch = (text: string) => {
      stop();
      end(unreadable(text));
    };
    const timer = setTimeout(
      () => tooMuch(`${subject} took over ${limits.ms / 1000}s and was ended: run it by hand to see what it waits for`),
      limits.ms,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limits.bytes)
        tooMuch(`${subject} printed over ${limits.bytes / 1024} KB: it must print the key and nothing else`);
      else chunks.push(chunk);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT'
          ? 'was not found: check its name and PATH'
          : `could not be started (${error.code ?? 'unknown'})`;
      end(unreadable(`${subject} ${why}`));
    });
    child.on('close', (code, signal) => {
      if (code !== 0)
        return end(unreadable(`${subject} ended with ${signal ?? `exit code ${code}`}: run it by hand to see why`));
      const printed = readKey(Buffer.concat(chunks).toString('utf8'), key);
      end(printed.ok ? printed : unreadable(`${subject} did not print a key: ${printed.text}`));
    });
  });
}

/**
 * Words of a command as a person types them on one line: a JSON array, or words with quotes and backslashes.
 * No shell reads it: `$`, `|`, `*` and `~` stand for themselves.
 */
export function commandWords(typed: string): ParseResult<string[]> {
  const text = typed.trim();
  if (text.startsWith('[')) {
    try {
      const words: unknown = JSON.parse(text);
      if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string'))
        return { ok: true, value: words };
    } catch {
      // Falls through to the sentence: a parser's message may quote what was typed.
    }
    return unreadable('a command that begins with [ is a JSON list of words, for example ["pass", "show", "orgdeck"]');
  }
  const words = splitCommand(text);
  if (!words) return unreadable('a quote in the command is not closed');
  return words.length > 0
    ? { ok: true, value: words }
    : unreadable('a command is required, for example: pass show orgdeck');
}
