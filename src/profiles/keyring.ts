import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { directoryRefusal, endGroup, readPrivateFile } from '../lib/private-file.ts';
import { splitCommand } from '../lib/setting-values.ts';
import { type KeyName, type KeySource, keyTitles, readKey } from './profile.ts';

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

/** The keys of one organization, for the client alone. */
export type ClientKeys = Readonly<Record<KeyName, string>>;

/** Prompts for a key with a masked field; undefined when the person cancels. */
export type AskKey = (key: KeyName, whose: string) => Promise<string | undefined>;

/** Variables that hold keys whatever the profile says. */
export const keyVariables: Readonly<Record<KeyName, string>> = { apiKey: 'ORGDECK_API_KEY', appKey: 'ORGDECK_APP_KEY' };

/** Whose keys, and where they come from; `owner` is an origin and a profile name, so that keys cannot change hosts. */
export interface KeyRequest {
  readonly owner: string;
  readonly sources: Readonly<Record<KeyName, KeySource>>;
}

/** Where the keys of this process are read, once each. */
export type Keyring = ReturnType<typeof createKeyring>;

/**
 * Takes the values of key variables out of `env` when they are first read (the two of our own at once), so that
 * no child process and no crash report can show them; they stay in this object's memory.
 */
export function createKeyring({ env }: { readonly env: NodeJS.ProcessEnv }) {
  const variables = new Map<string, string>();
  const typed = new Map<string, string>();
  const seen = new Set<string>();
  for (const name of Object.values(keyVariables)) take(name);

  function take(name: string): string | undefined {
    const value = env[name];
    if (value !== undefined) {
      delete env[name];
      if (value.trim() !== '') variables.set(name, value);
    }
    return variables.get(name);
  }

  async function readOne(key: KeyName, source: KeySource, owner: string, ask?: AskKey): Promise<ParseResult<string>> {
    if ('stored' in source) return readKey(source.stored, key);
    if ('env' in source) {
      const value = take(source.env);
      return value === undefined
        ? unreadable(`the ${keyTitles[key]} is expected in ${source.env}, which is not set`)
        : named(readKey(value, key), `from ${source.env}`);
    }
    if ('file' in source) return readFileKey(source.file, key);
    if ('command' in source) return readCommand(source.command, key, env);
    const known = typed.get(`${owner} ${key}`);
    if (known !== undefined) return { ok: true, value: known };
    if (!ask)
      return unreadable(
        `the ${keyTitles[key]} is typed at each start: start in a terminal, or set ${keyVariables[key]}`,
      );
    const answer = await ask(key, owner);
    if (answer === undefined) return unreadable(`the ${keyTitles[key]} was not typed`);
    const value = readKey(answer, key);
    if (value.ok) typed.set(`${owner} ${key}`, value.value);
    return value;
  }

  return {
    /** Both keys, or one sentence without any part of them. Runs commands, reads files, asks; the second time it remembers. */
    async read({ owner, sources }: KeyRequest, ask?: AskKey): Promise<ParseResult<ClientKeys>> {
      // Variables first: a command for the other key must not inherit them.
      for (const source of Object.values(sources)) if ('env' in source) take(source.env);
      const apiKey = await readOne('apiKey', sources.apiKey, owner, ask);
      if (!apiKey.ok) return apiKey;
      seen.add(apiKey.value);
      const appKey = await readOne('appKey', sources.appKey, owner, ask);
      if (!appKey.ok) return appKey;
      seen.add(appKey.value);
      return { ok: true, value: { apiKey: apiKey.value, appKey: appKey.value } };
    },
    /** Whether reading them will ask a person. */
    willAsk: ({ owner, sources }: KeyRequest): boolean =>
      (['apiKey', 'appKey'] as const).some((key) => 'typed' in sources[key] && !typed.has(`${owner} ${key}`)),
    /** Whether a variable holds, or held, something. */
    hasVariable: (name: string): boolean => variables.has(name) || (env[name] ?? '').trim() !== '',
    /** Takes variables out of the environment, as those of keys: no program that is started gets them. */
    withhold(names: readonly string[]): void {
      for (const name of names) take(name);
    },
    /** Every secret that was read so far, for redaction alone. */
    secrets: (): readonly string[] => [...seen, ...[...variables.values()].map((variable) => variable.trim())],
    /** Discards typed keys of an owner, for a new attempt after a refusal. */
    forget(owner: string): void {
      for (const key of ['apiKey', 'appKey']) typed.delete(`${owner} ${key}`);
    },
  };
}

/** A key from a file of one's own at 0600; `~/` is the home directory. */
async function readFileKey(path: string, key: KeyName): Promise<ParseResult<string>> {
  const fullPath = filePath(path);
  const noun = `the file of the ${keyTitles[key]}`;
  const refused = await directoryRefusal(fullPath);
  if (refused !== undefined) return unreadable(`${noun}: ${refused}`);
  const read = await readPrivateFile(fullPath, noun, 64 * 1024);
  if (!read.ok) return read;
  if (read.value === undefined) return unreadable(`${noun} ${fullPath} does not exist`);
  return named(readKey(read.value, key), `from ${fullPath}`);
}

/** A path as it is kept: absolute, with `~/` written out. */
export function filePath(typed: string, home: string = homedir()): string {
  return typed.startsWith('~/') ? resolve(home, typed.slice(2)) : resolve(typed);
}

const named = (reading: ParseResult<string>, from: string): ParseResult<string> =>
  reading.ok ? reading : unreadable(`${reading.text} (${from})`);
