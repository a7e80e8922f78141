import { constants, openSync, writeSync } from 'node:fs';
import { errorCode } from '../lib/private-file.ts';

/** A non-blocking byte sink. */
export interface Output {
  /** Number of bytes taken; 0 = full, try later. Throws when the terminal is gone. */
  write(bytes: Uint8Array): number;
  size(): { readonly columns: number; readonly rows: number };
  /** Calls back after the window changed; returns the way to stop. */
  onResize(then: () => void): () => void;
}

/**
 * The terminal behind standard output, never blocking. Node writes to a terminal synchronously, so a reader that
 * stalls would freeze the loop and with it every signal handler. The device is opened anew with O_NONBLOCK: on its
 * own file description, so that neither our own streams nor the shell's are changed by it. Where it cannot be opened
 * (another user's terminal), the standard stream is used as it is.
 */
export function openOutput(stdout: NodeJS.WriteStream & { readonly fd?: number }): Output {
  const descriptor = reopen(stdout.fd ?? 1);
  return {
    write(bytes) {
      if (descriptor === undefined) {
        stdout.write(bytes);
        return bytes.length;
      }
      try {
        return writeSync(descriptor, bytes);
      } catch (error) {
        if (['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(errorCode(error))) return 0;
        throw error;
      }
    },
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize(then) {
      stdout.on('resize', then);
      return () => stdout.off('resize', then);
    },
  };
}

function reopen(descriptor: number): number | undefined {
  const how = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  for (const path of [`/proc/self/fd/${descriptor}`, '/dev/tty']) {
    try {
      return openSync(path, how);
    } catch {
      // Missing or not permitted: try the next one.
    }
  }
  return undefined;
}
