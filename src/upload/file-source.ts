import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type ParseResult, unreadable } from '../lib/parse-result.ts';
import { errorCode, readErrorText } from '../lib/private-file.ts';

/** Identity and state of a file; any difference means it is not the checked one. */
export interface FileIdentity {
  readonly path: string;
  readonly size: number;
  /** Nanoseconds since the epoch, as text. */
  readonly modified: string;
  readonly inode: string;
}

/** A file that is open for reading. */
export interface FileSource {
  readonly identity: FileIdentity;
  /**
   * Bytes from `begin` up to `end`, in pieces of at most `piece`, 64 kB when absent; throws when the file ends before.
   * A piece stays as it is until seven more have been asked for: whoever keeps it longer copies it.
   */
  bytes(begin: number, end: number, piece?: number): AsyncIterable<Uint8Array>;
  /** How the file at the path differs from the opened one in size, time or identity; undefined if it does not. */
  changed(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Chunk size that a socket takes at once. */
const usualPiece = 64 * 1024;
/** Buffers are reused: the memory of thousands would be freed late. */
const ring = 8;

/** Opens a plain file. A pipe or a device is refused without waiting for it. */
export async function openSource(path: string): Promise<ParseResult<FileSource>> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return unreadable(readErrorText(error, path));
  }
  const opened = await file.stat({ bigint: true });
  if (!opened.isFile()) {
    await file.close();
    return unreadable(`${path} is not a plain file`);
  }
  const identity = identityOf(path, opened);
  return {
    ok: true,
    value: {
      identity,
      async *bytes(begin, end, piece = usualPiece) {
        const buffers: Buffer[] = [];
        for (let offset = begin, turn = 0; offset < end; turn = (turn + 1) % ring) {
          buffers[turn] ??= Buffer.allocUnsafeSlow(Math.min(piece, end - begin));
          const buffer = buffers[turn] as Buffer;
          const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - offset), offset);
          if (bytesRead === 0) throw new Error('the file became shorter');
          offset += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      },
      async changed() {
        try {
          const [inside, outside] = await Promise.all([file.stat({ bigint: true }), stat(path, { bigint: true })]);
          const fault = identityDifference(identity, identityOf(path, inside));
          return fault ?? (identityDifference(identity, identityOf(path, outside)) && 'another file took its place');
        } catch (error) {
          return `it can no longer be read (${errorCode(error)})`;
        }
      },
      close: () => file.close(),
    },
  };
}

/** What differs between a file as it was and as it is; undefined when nothing does. */
export function identityDifference(was: FileIdentity, is: FileIdentity): string | undefined {
  if (was.inode !== is.inode) return 'another file took its place';
  if (was.size !== is.size) return `its size changed from ${was.size} to ${is.size} bytes`;
  return was.modified === is.modified ? undefined : 'it was written to';
}

const identityOf = (path: string, stats: BigIntStats): FileIdentity => ({
  path,
  size: Number(stats.size),
  modified: String(stats.mtimeNs),
  inode: `${stats.dev}:${stats.ino}`,
});
