import { closeSync, constants, fstatSync, openSync, promises, readSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** Whose run has compiled the code: a command and the dashboard have little in common. */
export type Compiler = 'dashboard' | 'command';

/** Names the bundle, because V8 compares only the length of the source that code belongs to. Set by the build. */
declare const buildId: string;

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
const oldName = /^code-[0-9a-f]{12}-v[\w.-]+-(dashboard|command)(\.\d+)?$/;
const oldAfterMs = 24 * 60 * 60 * 1000;
const nameFor = (by: Compiler) => `code-${buildId}-${process.version}-${process.arch}-${by}`;

/** What a file ends with: it tells damage, and code of another build that was given this name. */
const digestLine = (code: Uint8Array, by: Compiler) => `${crc32(code).toString(16).padStart(8, '0')} ${nameFor(by)}`;

/** In the cache of this account. XDG base directory specification: relative paths are ignored. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME = '' } = process.env;
  const usual = join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  const cache = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : usual;
  if (!isAbsolute(cache)) throw new Error('no home');
  return join(cache, 'orgdeck');
}

/** Whether this account alone may write what was opened, and others nothing of these permissions. */
const isOurs = ({ uid, mode }: Stats, forbidden: number) => uid === process.geteuid?.() && (mode & forbidden) === 0;

/** A name in the open folder; on Linux by its descriptor, so that another folder in its place changes nothing. */
const inFolder = (folder: number, name: string) =>
  join(process.platform === 'linux' ? `/proc/self/fd/${folder}` : cacheFolder(), name);

function withOpen<T>(path: string, flags: number, work: (opened: number) => T): T {
  const opened = openSync(path, flags);
  try {
    return work(opened);
  } finally {
    closeSync(opened);
  }
}

// A buffer that can grow has pages of its own. Where 2 MB of malloc's are freed, malloc gives nothing smaller back to the system from then
// on, and each thread keeps twice as much.
function readOpened(file: number): Buffer {
  const { size } = fstatSync(file);
  const bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }));
  if (readSync(file, bytes) < size) throw new Error('a file was cut while it was read');
  return bytes;
}

export const readFileBytes = (path: string): Buffer => withOpen(path, 0, readOpened);

/** Reads what an earlier run kept; at any doubt undefined, and it is compiled anew. A path that was checked could be exchanged: open first. */
export function readCode(by: Compiler): { readonly by: Compiler; readonly code: Buffer } | undefined {
  const codeIn = (file: number) => {
    const found = fstatSync(file);
    if (!found.isFile() || found.nlink !== 1 || !isOurs(found, 0o077)) return undefined;
    const bytes = readOpened(file);
    const code = bytes.subarray(0, -digestLine(new Uint8Array(), by).length);
    return bytes.toString('latin1', code.length) === digestLine(code, by) ? { by, code } : undefined;
  };
  try {
    return withOpen(cacheFolder(), O_DIRECTORY | O_NOFOLLOW, (folder) => {
      if (!isOurs(fstatSync(folder), 0o022)) return undefined;
      return withOpen(inFolder(folder, nameFor(by)), O_NOFOLLOW | O_NONBLOCK, codeIn);
    });
  } catch {
    return undefined;
  }
}

/** Keeps code for the next start, and removes what other builds kept over a day before. Never rejects: else that start compiles. */
export async function keepCode(make: () => Uint8Array, by: Compiler): Promise<void> {
  try {
    const path = cacheFolder();
    for (const folder of [dirname(path), path]) await promises.mkdir(folder, 0o700).catch(() => {});
    const folder = await promises.open(path, O_DIRECTORY | O_NOFOLLOW);
    try {
      if (isOurs(await folder.stat(), 0o022)) await replaceCode(make(), by, (name) => inFolder(folder.fd, name));
    } finally {
      await folder.close();
    }
  } catch {}
}

async function replaceCode(code: Uint8Array, by: Compiler, place: (name: string) => string): Promise<void> {
  const [file, half] = [place(nameFor(by)), place(`${nameFor(by)}.${process.pid}`)];
  const written = promises.writeFile(half, [code, digestLine(code, by)], { flag: 'wx', mode: 0o600 });
  await written.then(() => promises.rename(half, file)).catch(() => promises.unlink(half));
  const { mtimeMs } = await promises.stat(file);
  for (const name of await promises.readdir(place('.'))) {
    const isOther = oldName.test(name) && !name.includes(buildId);
    if (isOther && (await promises.lstat(place(name))).mtimeMs < mtimeMs - oldAfterMs)
      await promises.unlink(place(name));
  }
}
