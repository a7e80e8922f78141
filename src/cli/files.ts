import { readdir, readFile, stat } from 'node:fs/promises';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { errorCode, readErrorText } from '../lib/private-file.ts';
import { streamPieces } from '../lib/streams.ts';
import { filePath } from '../profiles/keyring.ts';
import type { LocalFiles } from '../session/outside/outside.ts';
import type { Io } from './io.ts';

/** The local files that forms ask for. */
export const localFiles: LocalFiles = {
  async list(directory) {
    try {
      const entries = await readdir(filePath(directory === '' ? '.' : directory), { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    } catch (error) {
      return ['ENOENT', 'ENOTDIR'].includes(errorCode(error)) ? [] : undefined;
    }
  },
  header: async (path) => (await import('../upload/check-csv.ts')).readHeader(filePath(path.trim())),
};

/** Reads a file as text in UTF-8, without a byte order mark, `limit` bytes at most; a failure is one sentence. */
export async function readTextFile(typed: string, limit: number): Promise<ParseResult<string>> {
  const path = filePath(typed.trim());
  try {
    const about = await stat(path);
    if (!about.isFile()) return unreadable(`${path} is not a file`);
    if (about.size > limit) return unreadable(`${path} is over ${limit} bytes`);
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)) };
  } catch (error) {
    if (errorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable(`${path} is not UTF-8`);
    return unreadable(readErrorText(error, path));
  }
}

/** Reads standard input as text in UTF-8, `limit` bytes at most; a failure is one sentence. */
export async function readStandardInput({ pieces }: Pick<Io, 'pieces'>, limit: number): Promise<ParseResult<string>> {
  const held = await streamPieces(pieces(), limit);
  if (held === undefined) return unreadable(`standard input is over ${limit} bytes`);
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(held)) };
  } catch {
    return unreadable('standard input is not UTF-8');
  }
}
