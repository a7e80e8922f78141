import childProcess, { type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { keyIn } from './key-forms.ts';

/** A key that stands where none may. */
interface Escape {
  readonly place: string;
  readonly form: string;
}

/**
 * Where a key rightly stands, with the reason: files that a person keeps keys in, and output that was asked for them.
 */
const rightly: readonly (readonly [place: RegExp, reason: string])[] = [
  [/ file .*\bprofiles\.json$/, "the store of the profiles: its directory is its account's alone"],
  [/ file .*orgdeck-given-/, 'what a person gives to the program: key files and a --secret-file'],
  [/ file .*\/(?:api|app)-key$/, 'a key file of a person'],
  [/^output .* simulator\b/, 'the simulator tells the keys of its organization, which are none of a service'],
  [/^output of ps /, "a test's own ssh client is given the keys of the far side as an argument"],
  [/^output .* --reveal\b/, 'a person has asked for the new key'],
  [/^output .*\/small\/secret\b/s, 'a new key that a full disk has no room for is printed instead'],
];

/**
 * Looks at every byte that the programs of a worker's tests write: to pipes (of `spawn` and `execFile`, also the synchronous ones), to files below the temporary directory (before
 * a test removes them, and at the end) and, through `sees`, to terminals. It is one for each worker, because node:fs and
 * node:child_process are.
 */
export interface KeyWatch {
  /** From now on it looks; before, and after `ends`, nothing is kept. */
  begins(): void;
  /** What was found since the last call. */
  found(): readonly Escape[];
  /** Looks at the directories that are still there, and stops. */
  ends(): void;
  /** Text that a program has written to a terminal or a stream of the tests. */
  sees(place: string, bytes: Uint8Array | string): void;
}

const symbol = Symbol.for('orgdeck.test.keyWatch');

/** The watch of this worker. */
export function keyWatch(): KeyWatch {
  const held = globalThis as { [symbol]?: KeyWatch };
  held[symbol] ??= createKeyWatch();
  return held[symbol];
}

function createKeyWatch(): KeyWatch {
  const escapes: Escape[] = [];
  const folders = new Set<string>();
  const held = { isOn: false };
  const { mkdtempSync, rmSync } = fs;
  const { spawn, execFile, spawnSync, execFileSync } = childProcess;

  const sees: KeyWatch['sees'] = (place, bytes) => {
    if (!held.isOn) return;
    const form = keyIn(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1'));
    if (form !== undefined && !rightly.some(([where]) => where.test(place))) escapes.push({ place, form });
  };
  const looksBelow = (folder: string) => {
    const names = fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
      ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
      : [];
    for (const name of names) {
      const path = join(folder, name);
      sees(`the name of the file ${path}`, name);
      const facts = fs.lstatSync(path, { throwIfNoEntry: false });
      // A large file without a block on the disk is one hole, in which nothing was written.
      const isHole = facts !== undefined && facts.blocks === 0 && facts.size > 1_000_000;
      if (facts?.isFile() && (facts.mode & 0o400) !== 0 && !isHole) sees(`the file ${path}`, fs.readFileSync(path));
    }
  };
  /** What a stream is given, before anybody reads it. A key may be torn: the end of a chunk is looked at with the next one. */
  const follows = (stream: Readable | null, place: string) => {
    if (!stream) return;
    const push = stream.push.bind(stream);
    let end = '';
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk !== null && chunk !== undefined) {
        const text = end + (typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('latin1'));
        sees(place, text);
        end = text.slice(-100);
      }
      return push(chunk, encoding);
    };
  };

  fs.mkdtempSync = ((...args: Parameters<typeof mkdtempSync>) => {
    const folder = mkdtempSync(...args);
    if (held.isOn) folders.add(String(folder));
    return folder;
  }) as typeof mkdtempSync;
  fs.rmSync = (path, options) => {
    if (held.isOn && !relative(tmpdir(), String(path)).startsWith('..')) looksBelow(String(path));
    folders.delete(String(path));
    rmSync(path, options);
  };
  /** A function of node:child_process, with what a program prints given to `looks`; of synchronous ones, once it has ended. */
  const watched = <Made>(start: (...args: never[]) => Made, looks: (made: Made, line: string) => void): never =>
    ((...args: readonly unknown[]) => {
      const line = [args[0], ...(Array.isArray(args[1]) ? args[1] : [])].join(' ');
      const made = start(...(args as never[]));
      looks(made, line);
      return made;
    }) as never;
  const followsBoth = (child: ChildProcess, line: string) => {
    follows(child.stdout, `output of ${line}`);
    follows(child.stderr, `errors of ${line}`);
  };
  childProcess.spawn = watched(spawn, followsBoth);
  const execFilePromised = promisify(execFile);
  childProcess.execFile = Object.assign(watched(execFile, followsBoth) as typeof execFile, {
    // The standard promise of both outputs, which a plain function would lose.
    [promisify.custom]: watched(execFilePromised, ({ child }, line) => followsBoth(child, line)),
  });
  childProcess.spawnSync = watched(spawnSync, ({ stdout, stderr }, line) => {
    sees(`output of ${line}`, stdout ?? '');
    sees(`errors of ${line}`, stderr ?? '');
  });
  childProcess.execFileSync = watched(execFileSync, (said, line) => sees(`output of ${line}`, said ?? ''));
  syncBuiltinESMExports();

  return {
    sees,
    begins() {
      held.isOn = true;
    },
    found: () => escapes.splice(0),
    ends() {
      for (const folder of folders) looksBelow(folder);
      folders.clear();
      held.isOn = false;
    },
  };
}
