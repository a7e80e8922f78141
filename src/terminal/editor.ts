import { spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { attemptOr, type ParseResult, unreadable } from '../lib/function-results.ts';
import { errorCode, isAlive } from '../lib/private-file.ts';
import { splitCommand } from '../lib/setting-values.ts';

export type ChildEnvironment = Readonly<Record<string, string | undefined>>;

/** The environment of a child: without our own variables, and without those that hold a key. */
export function childEnvironment(env: ChildEnvironment, keys: readonly string[]): ChildEnvironment {
  const secrets = keys.filter((key) => key !== '');
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) => !name.startsWith('ORGDECK_') && !secrets.some((secret) => value.includes(secret)),
    ),
  );
}

interface Needs {
  /** That of the editor, too. */
  readonly env: ChildEnvironment;
  /** Lends the terminal while `work` runs. */
  during<T>(work: () => Promise<T>): Promise<T>;
  readonly process: Pick<NodeJS.Process, 'once' | 'off'>;
}

/** Largest edited text, bytes; far above any request. */
const LARGEST = 4 * 1024 * 1024;

/**
 * Edits a text in the person's editor: `$VISUAL`, else `$EDITOR`, else `vi`. The file has mode 0600 in a directory of
 * 0700 made for it alone, and both are removed afterward, also when this process ends in between. `ending` names
 * the kind of text to the editor, e.g. `.json`.
 */
export async function editText(text: string, ending: string, needs: Needs): Promise<ParseResult<string>> {
  const command = splitCommand(needs.env.VISUAL?.trim() || needs.env.EDITOR?.trim() || 'vi');
  if (!command) return unreadable('VISUAL or EDITOR has a quote without its end');
  let folder: string;
  try {
    folder = makeFolder(needs.env);
  } catch (error) {
    return unreadable(`no place for a temporary file: ${(error as Error).message}`);
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  needs.process.once('exit', remove);
  try {
    const path = join(folder, `edit${ending}`);
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    const failure = await needs.during(() => run([...command, path], needs.env));
    if (failure !== undefined) return unreadable(failure);
    const stats = await lstat(path);
    if (!stats.isFile()) return unreadable('the editor left something that is not a file');
    if (stats.size > LARGEST) return unreadable('the edited text is over 4 MB');
    const edited = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return { ok: true, value: edited };
  } catch (error) {
    return unreadable(`the text could not be edited: ${(error as Error).message}`);
  } finally {
    needs.process.off('exit', remove);
    remove();
  }
}

const placeOf = (env: Needs['env']): string => env.XDG_RUNTIME_DIR || tmpdir();

/** `XDG_RUNTIME_DIR` may be that of another account (`su`), or of a session that has ended. */
function makeFolder(env: Needs['env']): string {
  const name = `orgdeck-edit-${process.pid}-`;
  try {
    return mkdtempSync(join(placeOf(env), name));
  } catch {
    return mkdtempSync(join(tmpdir(), name));
  }
}

/** Removes the files of edits whose process was killed while the editor was open, and those of killed demos. Never throws. */
export function removeLeftFolders(env: Needs['env']): void {
  for (const place of new Set([placeOf(env), tmpdir()]))
    for (const name of attemptOr([], () => readdirSync(place)))
      attemptOr(undefined, () => removeLeft(join(place, name)));
}

function removeLeft(folder: string): void {
  const pid = /^orgdeck-(?:edit|demo)-(\d+)-/.exec(basename(folder))?.[1];
  if (pid === undefined || isAlive(Number(pid))) return;
  if (lstatSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
}

/** Runs the editor; undefined on success, else the reason of the failure. */
function run([program, ...args]: string[], env: Needs['env']): Promise<string | undefined> {
  return new Promise((settle) => {
    const child = spawn(program as string, args, { stdio: 'inherit', env });
    child.once('error', (error) => settle(`${program} could not be started: ${errorCode(error)}`));
    child.once('close', (code, signal) => {
      settle(code === 0 ? undefined : `${program} ended with ${signal ?? `code ${code}`}, so nothing was changed`);
    });
  });
}
