import { type FileHandle, open, rm } from 'node:fs/promises';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { errorCode, writeErrorText } from '../lib/private-file.ts';
import { filePath } from '../profiles/keyring.ts';
import { complain } from './command-messages.ts';
import { type Exit, exits, type Io } from './io.ts';

/** A new file that waits for a secret. */
export interface SecretFile {
  /** Writes the secrets, one a line, and has them on the disk; answers with the problem, as a sentence. */
  keep(secrets: readonly string[]): Promise<string | undefined>;
  /** Removes it again: there is no secret. */
  discard(): Promise<void>;
}

/** Says that the secret was printed, as it could not be written: `unwritten` is why. */
export function printedInstead(io: Pick<Io, 'err'>, unwritten: string): Exit {
  complain(io, `${unwritten}: the secret was printed instead, because nothing shows it again`);
  return exits.failed;
}

/** Makes the file (0600) before anything is sent; one that exists is never written into. */
export async function createSecretFile(typed: string): Promise<ParseResult<SecretFile>> {
  const path = filePath(typed.trim());
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST';
    const why = isThere ? `${path} exists already, and is not overwritten` : writeErrorText(error, path);
    return unreadable(`nothing was sent: ${why}`);
  }
  return {
    ok: true,
    value: {
      async keep(secrets) {
        try {
          await file.writeFile(secrets.map((secret) => `${secret}\n`).join(''));
          await file.sync();
          return secrets.length > 0 ? undefined : `${path} is empty: the answer held no secret`;
        } catch (error) {
          return writeErrorText(error, path);
        } finally {
          await file.close();
        }
      },
      async discard() {
        await file.close();
        await rm(path, { force: true });
      },
    },
  };
}
