import { type FileHandle, open, rm } from 'node:fs/promises';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { errorCode, writeErrorText } from '../../lib/private-file.ts';
import { filePath } from '../../profiles/keyring.ts';
import type { Performed } from '../../session/send/perform.ts';
import { complain, type Exit, endWith, exits, type Io, tell } from '../io.ts';
import type { SecretPlace } from './receipts.ts';
import { type Given, misused, type Stopped, type Work } from './shape.ts';

/** A new file that waits for a secret. */
export interface SecretFile {
  /** Writes the secrets, one a line, and has them on the disk; answers with the problem, as a sentence. */
  keep(secrets: readonly string[]): Promise<string | undefined>;
  /** Removes it again: there is no secret. */
  discard(): Promise<void>;
}

/** Says that the secret was printed, as it could not be written: `unwritten` is why. */
export const printedInstead = (io: Pick<Io, 'err'>, unwritten: string): Exit =>
  endWith(io, exits.failed, `${unwritten}: the secret was printed instead, because nothing shows it again`);

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

/** Where the secret of an answer goes. */
export interface Keeper {
  readonly ok: true;
  /** Keeps it after the edit. Where it cannot be written it is shown, because nothing shows it again. */
  keep(done: readonly Performed[]): Promise<Kept>;
}

/** Where the secret went. */
interface Kept {
  /** What the JSON of the receipts says of it. */
  readonly place?: SecretPlace;
  /** Behind the receipts: prints what is not in their JSON. */
  tell(): Exit;
}

const none: Kept = { tell: () => exits.done };

/** Decides before anything is sent where a secret goes that is shown once; without `--reveal` and a file nothing is sent. */
export async function keeperFor({
  io,
  connection,
  verb,
  given,
}: Pick<Work, 'io' | 'connection' | 'verb'> & {
  readonly given: Pick<Given, 'secretFile' | 'isRevealed' | 'isJson'>;
}): Promise<Keeper | Stopped> {
  if (!verb.action.secret || connection.settings.dryRun) return { ok: true, keep: async () => none };
  const { secretFile, isRevealed, isJson } = given;
  if (secretFile === undefined && !isRevealed)
    return misused(
      io,
      'nothing was sent: the answer holds a secret that is shown once; --secret-file FILE keeps it in a new file, --reveal prints it',
    );
  const file = secretFile === undefined ? undefined : await createSecretFile(secretFile);
  if (file && !file.ok) return misused(io, file.text);
  return {
    ok: true,
    async keep(done) {
      const secret = done.find((performed) => performed.secret)?.secret;
      if (!secret) {
        await file?.value.discard();
        return none;
      }
      const { value, notes } = secret;
      const unwritten = await file?.value.keep([value]);
      const isShown = isRevealed || secretFile === undefined || unwritten !== undefined;
      return {
        place: isShown ? { where: 'shown', value } : { where: 'file', path: secretFile },
        tell() {
          if (isShown && !isJson) tell(io, [value]);
          if (isShown && !isJson) for (const note of notes) complain(io, note);
          return unwritten === undefined ? exits.done : printedInstead(io, unwritten);
        },
      };
    },
  };
}
